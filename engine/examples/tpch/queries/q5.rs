//! Q5, local supplier volume: revenue in each Asian nation from customers and suppliers who are both in it.

use columnade::{DataFrame, Merge, Result, SortBy, col, date};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 5,
    title: "local supplier volume",
    inputs: &[
        Input { table: Table::Customer, columns: &["c_custkey", "c_nationkey"], dictionaries: &[] },
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_custkey", "o_orderdate"],
            dictionaries: &[],
        },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_suppkey", "l_extendedprice", "l_discount"],
            dictionaries: &[],
        },
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_nationkey"], dictionaries: &[] },
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
    let [customer, orders, lineitem, supplier, nation, region] = tables else {
        unreachable!("one frame for each input")
    };
    let region = region.filter(col("r_name").eq("ASIA"))?;
    let nation = nation.filter(col("n_regionkey").is_in(region.column("r_regionkey")?))?;
    let nations = nation.column("n_nationkey")?;
    let customer = customer.filter(col("c_nationkey").is_in(&nations))?;
    let supplier = supplier.filter(col("s_nationkey").is_in(&nations))?;

    let in_1994 = col("o_orderdate").ge(date("1994-01-01")?) & col("o_orderdate").lt(date("1995-01-01")?);
    let orders = orders
        .filter_columns(
            in_1994 & col("o_custkey").is_in(customer.column("c_custkey")?),
            ["o_orderkey", "o_custkey"],
        )?
        .merge(&customer, &Merge::inner().left_on("o_custkey").right_on("c_custkey"))?
        .select(["o_orderkey", "c_nationkey"])?;

    let local = Merge::inner().left_on(["l_suppkey", "c_nationkey"]).right_on(["s_suppkey", "s_nationkey"]);
    lineitem
        .filter(
            col("l_suppkey").is_in(supplier.column("s_suppkey")?)
                & col("l_orderkey").is_in(orders.column("o_orderkey")?),
        )?
        .merge(&orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .merge(&supplier, &local)?
        .group_by("s_nationkey")
        .agg((col("l_extendedprice") * (1 - col("l_discount"))).sum().alias("revenue"))?
        .merge(&nation, &Merge::inner().left_on("s_nationkey").right_on("n_nationkey"))?
        .sort_values(SortBy::descending("revenue"))?
        .select(["n_name", "revenue"])
}
