//! Q15, top supplier: who shipped for the highest revenue in one quarter.

use columnade::{DataFrame, Merge, Result, col, date};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 15,
    title: "top supplier",
    inputs: &[
        Input {
            table: Table::Lineitem,
            columns: &["l_suppkey", "l_extendedprice", "l_discount", "l_shipdate"],
            dictionaries: &[],
        },
        Input {
            table: Table::Supplier,
            columns: &["s_suppkey", "s_name", "s_address", "s_phone"],
            dictionaries: &[],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [lineitem, supplier] = tables else { unreachable!("one frame for each input") };
    let best = lineitem
        .group_by("l_suppkey")
        .rows_where(col("l_shipdate").ge(date("1996-01-01")?) & col("l_shipdate").lt(date("1996-04-01")?))
        .agg((col("l_extendedprice") * (1 - col("l_discount"))).sum().alias("total_revenue"))?
        .filter(col("total_revenue").eq(col("total_revenue").max()))?;
    best.merge(supplier, &Merge::inner().left_on("l_suppkey").right_on("s_suppkey"))?
        .sort_values("s_suppkey")?
        .select(["s_suppkey", "s_name", "s_address", "s_phone", "total_revenue"])
}
