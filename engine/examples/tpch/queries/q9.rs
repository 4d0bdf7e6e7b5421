//! Q9, product type profit measure: profit from green parts by nation and year.

use columnade::{DataFrame, Merge, Result, SortBy, col};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 9,
    title: "product type profit measure",
    inputs: &[
        Input { table: Table::Part, columns: &["p_partkey", "p_name"], dictionaries: &[] },
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_nationkey"], dictionaries: &[] },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_partkey", "l_suppkey", "l_quantity", "l_extendedprice", "l_discount"],
            dictionaries: &[],
        },
        Input {
            table: Table::Partsupp,
            columns: &["ps_partkey", "ps_suppkey", "ps_supplycost"],
            dictionaries: &[],
        },
        Input { table: Table::Orders, columns: &["o_orderkey", "o_orderdate"], dictionaries: &[] },
        Input { table: Table::Nation, columns: &["n_nationkey", "n_name"], dictionaries: &["n_name"] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [part, supplier, lineitem, partsupp, orders, nation] = tables else {
        unreachable!("one frame for each input")
    };
    let part = part.filter_columns(col("p_name").str().contains("green"), "p_partkey")?;
    let parts = part.column("p_partkey")?;
    let partsupp = partsupp.filter(col("ps_partkey").is_in(&parts))?;

    let offer = Merge::inner().left_on(["l_partkey", "l_suppkey"]).right_on(["ps_partkey", "ps_suppkey"]);
    let amount = col("l_extendedprice") * (1 - col("l_discount")) - col("ps_supplycost") * col("l_quantity");
    lineitem
        .filter(col("l_partkey").is_in(&parts))?
        .merge(&partsupp, &offer)?
        .merge(supplier, &Merge::inner().left_on("l_suppkey").right_on("s_suppkey"))?
        .merge(orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .group_by(("s_nationkey", col("o_orderdate").dt().year().alias("o_year")))
        .agg(amount.sum().alias("sum_profit"))?
        .merge(nation, &Merge::inner().left_on("s_nationkey").right_on("n_nationkey"))?
        .rename([("n_name", "nation")])?
        .sort_values([SortBy::ascending("nation"), SortBy::descending("o_year")])?
        .select(["nation", "o_year", "sum_profit"])
}
