//! Q12, shipping modes and order priority: late lines of two shipping modes, by urgency of their orders.

use columnade::{DataFrame, Result, col, date, when};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 12,
    title: "shipping modes and order priority",
    inputs: &[
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_orderpriority"],
            dictionaries: &["o_orderpriority"],
        },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_shipdate", "l_commitdate", "l_receiptdate", "l_shipmode"],
            dictionaries: &["l_shipmode"],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [orders, lineitem] = tables else { unreachable!("one frame for each input") };
    let urgent = orders.filter_columns(col("o_orderpriority").is_in(["1-URGENT", "2-HIGH"]), "o_orderkey")?;

    let is_urgent = col("l_orderkey").is_in(urgent.column("o_orderkey")?);
    lineitem
        .group_by("l_shipmode")
        .sort(true)
        .rows_where(
            col("l_receiptdate").ge(date("1994-01-01")?)
                & col("l_receiptdate").lt(date("1995-01-01")?)
                & col("l_shipmode").is_in(["MAIL", "SHIP"])
                & col("l_commitdate").lt(col("l_receiptdate"))
                & col("l_shipdate").lt(col("l_commitdate")),
        )
        .agg([
            when(is_urgent.clone()).then(1).otherwise(0).sum().alias("high_line_count"),
            when(is_urgent).then(0).otherwise(1).sum().alias("low_line_count"),
        ])
}
