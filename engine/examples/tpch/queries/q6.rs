//! Q6, forecasting revenue change: one filtered sum.

use columnade::{DataFrame, Result, col, date, lit_decimal};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 6,
    title: "forecasting revenue change",
    inputs: &[Input {
        table: Table::Lineitem,
        columns: &["l_shipdate", "l_discount", "l_quantity", "l_extendedprice"],
        dictionaries: &[],
    }],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let lineitem = &tables[0];
    let in_1994 = col("l_shipdate").ge(date("1994-01-01")?).and(col("l_shipdate").lt(date("1995-01-01")?));
    let discount = col("l_discount").between(lit_decimal("0.05")?, lit_decimal("0.07")?);
    lineitem
        .rows_where(in_1994.and(discount).and(col("l_quantity").lt(24)))
        .agg([(col("l_extendedprice") * col("l_discount")).sum().alias("revenue")])
}
