//! Q14, promotion effect: what part of one month's revenue came from promoted parts.

use columnade::{DataFrame, Result, col, date, lit_decimal, when};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 14,
    title: "promotion effect",
    inputs: &[
        Input {
            table: Table::Lineitem,
            columns: &["l_partkey", "l_extendedprice", "l_discount", "l_shipdate"],
            dictionaries: &[],
        },
        Input { table: Table::Part, columns: &["p_partkey", "p_type"], dictionaries: &["p_type"] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [lineitem, part] = tables else { unreachable!("one frame for each input") };
    let promoted = part.filter_columns(col("p_type").str().starts_with("PROMO"), "p_partkey")?;

    let revenue = col("l_extendedprice") * (1 - col("l_discount"));
    let of_promoted = when(col("l_partkey").is_in(promoted.column("p_partkey")?)).then(&revenue).otherwise(0);
    let share = of_promoted.sum() * lit_decimal("100.00")? / revenue.sum();
    lineitem
        .rows_where(col("l_shipdate").ge(date("1995-09-01")?) & col("l_shipdate").lt(date("1995-10-01")?))
        .agg(share.alias("promo_revenue"))
}
