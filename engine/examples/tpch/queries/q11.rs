//! Q11, important stock identification: parts that make up a noticeable part of the value of the German stock.

use columnade::{DataFrame, Result, SortBy, col, lit_decimal};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 11,
    title: "important stock identification",
    inputs: &[
        Input {
            table: Table::Partsupp,
            columns: &["ps_partkey", "ps_suppkey", "ps_availqty", "ps_supplycost"],
            dictionaries: &[],
        },
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_nationkey"], dictionaries: &[] },
        Input { table: Table::Nation, columns: &["n_nationkey", "n_name"], dictionaries: &["n_name"] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [partsupp, supplier, nation] = tables else { unreachable!("one frame for each input") };
    let nation = nation.filter(col("n_name").eq("GERMANY"))?;
    let supplier = supplier.filter(col("s_nationkey").is_in(nation.column("n_nationkey")?))?;

    partsupp
        .group_by("ps_partkey")
        .rows_where(col("ps_suppkey").is_in(supplier.column("s_suppkey")?))
        .agg((col("ps_supplycost") * col("ps_availqty")).sum().alias("value"))?
        .filter(col("value").gt(col("value").sum() * lit_decimal("0.0001")?))?
        .sort_values(SortBy::descending("value"))
}
