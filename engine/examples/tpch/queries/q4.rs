//! Q4, order priority checking: orders of one quarter with a line that arrived late, by priority.

use columnade::{DataFrame, Result, col, date, len};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 4,
    title: "order priority checking",
    inputs: &[
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_orderdate", "o_orderpriority"],
            dictionaries: &["o_orderpriority"],
        },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_commitdate", "l_receiptdate"],
            dictionaries: &[],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [orders, lineitem] = tables else { unreachable!("one frame for each input") };
    let in_quarter = col("o_orderdate").ge(date("1993-07-01")?) & col("o_orderdate").lt(date("1993-10-01")?);
    let orders = orders.filter_columns(in_quarter, ["o_orderkey", "o_orderpriority"])?;

    let late = lineitem.filter_columns(
        col("l_orderkey").is_in(orders.column("o_orderkey")?) & col("l_commitdate").lt(col("l_receiptdate")),
        "l_orderkey",
    )?;
    orders
        .group_by("o_orderpriority")
        .sort(true)
        .rows_where(col("o_orderkey").is_in(late.column("l_orderkey")?))
        .agg(len().alias("order_count"))
}
