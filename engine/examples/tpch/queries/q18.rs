//! Q18, large volume customer: the hundred dearest orders with a quantity above 300.

use columnade::{DataFrame, Merge, Result, SortBy, col};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 18,
    title: "large volume customer",
    inputs: &[
        Input { table: Table::Customer, columns: &["c_custkey", "c_name"], dictionaries: &[] },
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_custkey", "o_totalprice", "o_orderdate"],
            dictionaries: &[],
        },
        Input { table: Table::Lineitem, columns: &["l_orderkey", "l_quantity"], dictionaries: &[] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [customer, orders, lineitem] = tables else { unreachable!("one frame for each input") };
    let large = lineitem
        .group_by("l_orderkey")
        .agg(col("l_quantity").sum().alias("sum_quantity"))?
        .filter(col("sum_quantity").gt(300))?;
    orders
        .filter(col("o_orderkey").is_in(large.column("l_orderkey")?))?
        .merge(&large, &Merge::inner().left_on("o_orderkey").right_on("l_orderkey"))?
        .sort_values([SortBy::descending("o_totalprice"), "o_orderdate".into()])?
        .head(100)?
        .merge(customer, &Merge::inner().left_on("o_custkey").right_on("c_custkey"))?
        .select(["c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice", "sum_quantity"])
}
