//! Q3, shipping priority: the ten unshipped orders of one market segment with the highest revenue.

use columnade::{DataFrame, Merge, Result, SortBy, col, date, lit};

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
    let [customer, orders, lineitem] = tables else { unreachable!("one frame for each of the three inputs") };
    let day = date("1995-03-15")?;

    let customer = customer.filter(col("c_mktsegment").eq("BUILDING"))?;
    let orders = orders
        .filter(col("o_orderdate").lt(day.clone()))?
        .merge(&customer, &Merge::semi().left_on("o_custkey").right_on("c_custkey"))?
        .drop(["o_custkey"])?;

    lineitem
        .filter(col("l_shipdate").gt(day))?
        .drop(["l_shipdate"])?
        .merge(&orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .group_by(["l_orderkey", "o_orderdate", "o_shippriority"])
        .agg([(col("l_extendedprice") * (lit(1) - col("l_discount"))).sum().alias("revenue")])?
        .sort_values([SortBy::descending("revenue"), SortBy::ascending("o_orderdate")])?
        .head(10)?
        .select(["l_orderkey", "revenue", "o_orderdate", "o_shippriority"])
}
