//! Q16, parts and suppliers: how many suppliers without complaints offer parts of some kinds.

use columnade::{DataFrame, Merge, Result, SortBy, col};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 16,
    title: "parts/supplier relationship",
    inputs: &[
        Input { table: Table::Partsupp, columns: &["ps_partkey", "ps_suppkey"], dictionaries: &[] },
        Input {
            table: Table::Part,
            columns: &["p_partkey", "p_brand", "p_type", "p_size"],
            dictionaries: &["p_brand", "p_type"],
        },
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_comment"], dictionaries: &[] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [partsupp, part, supplier] = tables else { unreachable!("one frame for each input") };
    let complaints = supplier.filter(col("s_comment").str().like("%Customer%Complaints%"))?;
    let part = part.filter(
        col("p_brand").ne("Brand#45")
            & col("p_type").str().not_like("MEDIUM POLISHED%")
            & col("p_size").is_in([49, 14, 23, 45, 19, 3, 36, 9]),
    )?;

    partsupp
        .filter(
            col("ps_partkey").is_in(part.column("p_partkey")?)
                & !col("ps_suppkey").is_in(complaints.column("s_suppkey")?),
        )?
        .merge(&part, &Merge::inner().left_on("ps_partkey").right_on("p_partkey"))?
        .group_by(["p_brand", "p_type", "p_size"])
        .agg(col("ps_suppkey").nunique().alias("supplier_cnt"))?
        .sort_values([SortBy::descending("supplier_cnt"), "p_brand".into(), "p_type".into(), "p_size".into()])
}
