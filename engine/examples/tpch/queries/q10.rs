//! Q10, returned item reporting: the twenty customers who returned most in one quarter.

use columnade::{DataFrame, Merge, Result, SortBy, col, date};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 10,
    title: "returned item reporting",
    inputs: &[
        Input {
            table: Table::Customer,
            columns: &[
                "c_custkey",
                "c_name",
                "c_acctbal",
                "c_nationkey",
                "c_address",
                "c_phone",
                "c_comment",
            ],
            dictionaries: &[],
        },
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_custkey", "o_orderdate"],
            dictionaries: &[],
        },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_extendedprice", "l_discount", "l_returnflag"],
            dictionaries: &["l_returnflag"],
        },
        Input { table: Table::Nation, columns: &["n_nationkey", "n_name"], dictionaries: &["n_name"] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [customer, orders, lineitem, nation] = tables else { unreachable!("one frame for each input") };
    let in_quarter = col("o_orderdate").ge(date("1993-10-01")?) & col("o_orderdate").lt(date("1994-01-01")?);
    let orders = orders.filter_columns(in_quarter, ["o_orderkey", "o_custkey"])?;

    lineitem
        .filter_columns(
            col("l_returnflag").eq("R") & col("l_orderkey").is_in(orders.column("o_orderkey")?),
            ["l_orderkey", "l_extendedprice", "l_discount"],
        )?
        .merge(&orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .group_by("o_custkey")
        .agg((col("l_extendedprice") * (1 - col("l_discount"))).sum().alias("revenue"))?
        .sort_values(SortBy::descending("revenue"))?
        .head(20)?
        .merge(customer, &Merge::inner().left_on("o_custkey").right_on("c_custkey"))?
        .merge(nation, &Merge::inner().left_on("c_nationkey").right_on("n_nationkey"))?
        .select([
            "c_custkey",
            "c_name",
            "revenue",
            "c_acctbal",
            "n_name",
            "c_address",
            "c_phone",
            "c_comment",
        ])
}
