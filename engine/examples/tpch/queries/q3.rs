//! Q3, shipping priority: the ten unshipped orders of one market segment with the highest revenue.

use columnade::{DataFrame, Merge, Result, SortBy, col, date};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 3,
    title: "shipping priority",
    inputs: &[
        Input {
            table: Table::Customer,
            columns: &["c_custkey", "c_mktsegment"],
            dictionaries: &["c_mktsegment"],
        },
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_custkey", "o_orderdate", "o_shippriority"],
            dictionaries: &[],
        },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_extendedprice", "l_discount", "l_shipdate"],
            dictionaries: &[],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [customer, orders, lineitem] = tables else { unreachable!("one frame for each input") };
    let day = date("1995-03-15")?;

    let customer = customer.filter_columns(col("c_mktsegment").eq("BUILDING"), "c_custkey")?;
    let orders = orders.filter_columns(
        col("o_orderdate").lt(&day) & col("o_custkey").is_in(customer.column("c_custkey")?),
        ["o_orderkey", "o_orderdate", "o_shippriority"],
    )?;

    lineitem
        .group_by("l_orderkey")
        .rows_where(col("l_shipdate").gt(day) & col("l_orderkey").is_in(orders.column("o_orderkey")?))
        .agg((col("l_extendedprice") * (1 - col("l_discount"))).sum().alias("revenue"))?
        .merge(&orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .sort_values([SortBy::descending("revenue"), "o_orderdate".into()])?
        .head(10)?
        .select(["l_orderkey", "revenue", "o_orderdate", "o_shippriority"])
}
