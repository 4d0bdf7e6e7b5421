//! Q21, suppliers who kept orders waiting: those in Saudi Arabia who alone were late in orders of several suppliers.

use columnade::{DataFrame, Merge, Result, SortBy, col, len, when};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 21,
    title: "suppliers who kept orders waiting",
    inputs: &[
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_name", "s_nationkey"], dictionaries: &[] },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_suppkey", "l_commitdate", "l_receiptdate"],
            dictionaries: &[],
        },
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_orderstatus"],
            dictionaries: &["o_orderstatus"],
        },
        Input { table: Table::Nation, columns: &["n_nationkey", "n_name"], dictionaries: &["n_name"] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [supplier, lineitem, orders, nation] = tables else { unreachable!("one frame for each input") };
    let nation = nation.filter(col("n_name").eq("SAUDI ARABIA"))?;
    let supplier = supplier.filter(col("s_nationkey").is_in(nation.column("n_nationkey")?))?;
    let finished = orders.filter_columns(col("o_orderstatus").eq("F"), "o_orderkey")?;

    let on_time = col("l_receiptdate").le(col("l_commitdate"));
    let late = lineitem.filter_columns(
        col("l_suppkey").is_in(supplier.column("s_suppkey")?)
            & !on_time.clone()
            & col("l_orderkey").is_in(finished.column("o_orderkey")?),
        ["l_orderkey", "l_suppkey"],
    )?;

    // Another supplier exists if the suppliers of an order differ, and another late one if the late ones do.
    let late_supplier = when(on_time).otherwise(col("l_suppkey"));
    let waiting = lineitem
        .filter(col("l_orderkey").is_in(late.column("l_orderkey")?))?
        .group_by("l_orderkey")
        .agg([
            col("l_suppkey").min().alias("first"),
            col("l_suppkey").max().alias("last"),
            late_supplier.clone().min().alias("first_late"),
            late_supplier.max().alias("last_late"),
        ])?
        .filter(col("first").ne(col("last")) & col("first_late").eq(col("last_late")))?;

    late.group_by("l_suppkey")
        .rows_where(col("l_orderkey").is_in(waiting.column("l_orderkey")?))
        .agg(len().alias("numwait"))?
        .merge(&supplier, &Merge::inner().left_on("l_suppkey").right_on("s_suppkey"))?
        .sort_values([SortBy::descending("numwait"), "s_name".into()])?
        .head(100)?
        .select(["s_name", "numwait"])
}
