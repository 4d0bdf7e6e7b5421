//! Q17, small-quantity-order revenue: yearly revenue that would be lost without small orders of some parts.

use columnade::{DataFrame, Result, col};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 17,
    title: "small-quantity-order revenue",
    inputs: &[
        Input {
            table: Table::Lineitem,
            columns: &["l_partkey", "l_quantity", "l_extendedprice"],
            dictionaries: &[],
        },
        Input {
            table: Table::Part,
            columns: &["p_partkey", "p_brand", "p_container"],
            dictionaries: &["p_brand", "p_container"],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [lineitem, part] = tables else { unreachable!("one frame for each input") };
    let part = part.filter(col("p_brand").eq("Brand#23") & col("p_container").eq("MED BOX"))?;

    lineitem
        .filter(col("l_partkey").is_in(part.column("p_partkey")?))?
        .filter(col("l_quantity").lt(col("l_quantity").mean().over("l_partkey") * 0.2))?
        .agg((col("l_extendedprice").sum() / 7).alias("avg_yearly"))
}
