//! Q2, minimum cost supplier: the suppliers in Europe with the lowest offer for parts of one kind.

use columnade::{DataFrame, Merge, Result, SortBy, col};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 2,
    title: "minimum cost supplier",
    inputs: &[
        Input {
            table: Table::Part,
            columns: &["p_partkey", "p_mfgr", "p_type", "p_size"],
            dictionaries: &["p_mfgr", "p_type"],
        },
        Input {
            table: Table::Supplier,
            columns: &[
                "s_suppkey",
                "s_name",
                "s_address",
                "s_nationkey",
                "s_phone",
                "s_acctbal",
                "s_comment",
            ],
            dictionaries: &[],
        },
        Input {
            table: Table::Partsupp,
            columns: &["ps_partkey", "ps_suppkey", "ps_supplycost"],
            dictionaries: &[],
        },
        Input {
            table: Table::Nation,
            columns: &["n_nationkey", "n_name", "n_regionkey"],
            dictionaries: &["n_name"],
        },
        Input { table: Table::Region, columns: &["r_regionkey", "r_name"], dictionaries: &[] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [part, supplier, partsupp, nation, region] = tables else { unreachable!("one frame for each input") };

    let region = region.filter(col("r_name").eq("EUROPE"))?;
    let nation = nation.filter(col("n_regionkey").is_in(region.column("r_regionkey")?))?;
    let supplier = supplier.filter(col("s_nationkey").is_in(nation.column("n_nationkey")?))?;
    let part = part
        .filter(col("p_size").eq(15) & col("p_type").str().ends_with("BRASS"))?
        .select(["p_partkey", "p_mfgr"])?;

    let offers = partsupp.filter(
        col("ps_partkey").is_in(part.column("p_partkey")?)
            & col("ps_suppkey").is_in(supplier.column("s_suppkey")?),
    )?;
    offers
        .filter(col("ps_supplycost").eq(col("ps_supplycost").min().over("ps_partkey")))?
        .merge(&part, &Merge::inner().left_on("ps_partkey").right_on("p_partkey"))?
        .merge(&supplier, &Merge::inner().left_on("ps_suppkey").right_on("s_suppkey"))?
        .merge(&nation, &Merge::inner().left_on("s_nationkey").right_on("n_nationkey"))?
        .sort_values([SortBy::descending("s_acctbal"), "n_name".into(), "s_name".into(), "p_partkey".into()])?
        .head(100)?
        .select(["s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment"])
}
