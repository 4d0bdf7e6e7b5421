//! Q20, potential part promotion: Canadian suppliers with more of the forest parts than half of a year's shipments.

use columnade::{DataFrame, Merge, Result, col, date, lit_decimal};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 20,
    title: "potential part promotion",
    inputs: &[
        Input {
            table: Table::Supplier,
            columns: &["s_suppkey", "s_name", "s_address", "s_nationkey"],
            dictionaries: &[],
        },
        Input { table: Table::Nation, columns: &["n_nationkey", "n_name"], dictionaries: &["n_name"] },
        Input {
            table: Table::Partsupp,
            columns: &["ps_partkey", "ps_suppkey", "ps_availqty"],
            dictionaries: &[],
        },
        Input { table: Table::Part, columns: &["p_partkey", "p_name"], dictionaries: &[] },
        Input {
            table: Table::Lineitem,
            columns: &["l_partkey", "l_suppkey", "l_quantity", "l_shipdate"],
            dictionaries: &[],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [supplier, nation, partsupp, part, lineitem] = tables else {
        unreachable!("one frame for each input")
    };
    let part = part.filter_columns(col("p_name").str().starts_with("forest"), "p_partkey")?;
    let parts = part.column("p_partkey")?;
    let in_1994 = col("l_shipdate").ge(date("1994-01-01")?) & col("l_shipdate").lt(date("1995-01-01")?);
    let shipped = lineitem
        .filter(col("l_partkey").is_in(&parts) & in_1994)?
        .group_by(["l_partkey", "l_suppkey"])
        .agg(col("l_quantity").sum().alias("quantity"))?;

    let pair = Merge::inner().left_on(["ps_partkey", "ps_suppkey"]).right_on(["l_partkey", "l_suppkey"]);
    let surplus = partsupp
        .filter(col("ps_partkey").is_in(&parts))?
        .merge(&shipped, &pair)?
        .filter(col("ps_availqty").gt(col("quantity") * lit_decimal("0.5")?))?;

    let nation = nation.filter(col("n_name").eq("CANADA"))?;
    supplier
        .filter(
            col("s_nationkey").is_in(nation.column("n_nationkey")?)
                & col("s_suppkey").is_in(surplus.column("ps_suppkey")?),
        )?
        .sort_values("s_name")?
        .select(["s_name", "s_address"])
}
