//! Q7, volume shipping: revenue between France and Germany by year.

use columnade::{DataFrame, Merge, Result, col, date};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 7,
    title: "volume shipping",
    inputs: &[
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_nationkey"], dictionaries: &[] },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_suppkey", "l_extendedprice", "l_discount", "l_shipdate"],
            dictionaries: &[],
        },
        Input { table: Table::Orders, columns: &["o_orderkey", "o_custkey"], dictionaries: &[] },
        Input { table: Table::Customer, columns: &["c_custkey", "c_nationkey"], dictionaries: &[] },
        Input { table: Table::Nation, columns: &["n_nationkey", "n_name"], dictionaries: &["n_name"] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [supplier, lineitem, orders, customer, nation] = tables else {
        unreachable!("one frame for each input")
    };
    let nation = nation.filter(col("n_name").is_in(["FRANCE", "GERMANY"]))?;
    let supplier = supplier
        .merge(&nation, &Merge::inner().left_on("s_nationkey").right_on("n_nationkey"))?
        .select(("s_suppkey", col("n_name").alias("supp_nation")))?;
    let customer = customer
        .merge(&nation, &Merge::inner().left_on("c_nationkey").right_on("n_nationkey"))?
        .select(("c_custkey", col("n_name").alias("cust_nation")))?;
    let orders = orders
        .merge(&customer, &Merge::inner().left_on("o_custkey").right_on("c_custkey"))?
        .drop(["o_custkey", "c_custkey"])?;

    lineitem
        .filter(
            col("l_suppkey").is_in(supplier.column("s_suppkey")?)
                & col("l_shipdate").between(date("1995-01-01")?, date("1996-12-31")?)
                & col("l_orderkey").is_in(orders.column("o_orderkey")?),
        )?
        .merge(&orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .merge(&supplier, &Merge::inner().left_on("l_suppkey").right_on("s_suppkey"))?
        .group_by(("supp_nation", "cust_nation", col("l_shipdate").dt().year().alias("l_year")))
        .sort(true)
        .rows_where(col("supp_nation").ne(col("cust_nation")))
        .agg((col("l_extendedprice") * (1 - col("l_discount"))).sum().alias("revenue"))
}
