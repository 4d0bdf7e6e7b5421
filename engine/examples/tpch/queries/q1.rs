//! Q1, pricing summary report: one pass over most of lineitem into four groups.

use columnade::{DataFrame, Result, col, date, len, lit};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 1,
    title: "pricing summary report",
    inputs: &[Input {
        table: Table::Lineitem,
        columns: &[
            "l_returnflag",
            "l_linestatus",
            "l_quantity",
            "l_extendedprice",
            "l_discount",
            "l_tax",
            "l_shipdate",
        ],
        dictionaries: &["l_returnflag", "l_linestatus"],
    }],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let lineitem = &tables[0];
    let disc_price = col("l_extendedprice") * (lit(1) - col("l_discount"));
    let charge = disc_price.clone() * (lit(1) + col("l_tax"));
    lineitem
        .group_by(["l_returnflag", "l_linestatus"])
        .sort(true)
        .rows_where(col("l_shipdate").le(date("1998-09-02")?))
        .agg([
            col("l_quantity").sum().alias("sum_qty"),
            col("l_extendedprice").sum().alias("sum_base_price"),
            disc_price.sum().alias("sum_disc_price"),
            charge.sum().alias("sum_charge"),
            col("l_quantity").mean().alias("avg_qty"),
            col("l_extendedprice").mean().alias("avg_price"),
            col("l_discount").mean().alias("avg_disc"),
            len().alias("count_order"),
        ])
}
