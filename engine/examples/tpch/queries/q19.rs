//! Q19, discounted revenue: parts of three kinds, in quantities that go with their containers, sent by air.

use columnade::{DataFrame, Expr, Result, col};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 19,
    title: "discounted revenue",
    inputs: &[
        Input {
            table: Table::Lineitem,
            columns: &[
                "l_partkey",
                "l_quantity",
                "l_extendedprice",
                "l_discount",
                "l_shipinstruct",
                "l_shipmode",
            ],
            dictionaries: &["l_shipinstruct", "l_shipmode"],
        },
        Input {
            table: Table::Part,
            columns: &["p_partkey", "p_brand", "p_size", "p_container"],
            dictionaries: &["p_brand", "p_container"],
        },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [lineitem, part] = tables else { unreachable!("one frame for each input") };
    let kind = |brand: &str, containers: [&str; 4], largest: i64, least: i64| -> Result<Expr> {
        let of_kind = col("p_brand").eq(brand)
            & col("p_container").is_in(containers)
            & col("p_size").between(1, largest);
        let parts = part.filter_columns(of_kind, "p_partkey")?;
        let is_of_kind = col("l_partkey").is_in(parts.column("p_partkey")?);
        Ok(is_of_kind & col("l_quantity").between(least, least + 10))
    };
    let small = kind("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 5, 1)?;
    let medium = kind("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10)?;
    let large = kind("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 15, 20)?;

    lineitem
        .rows_where(
            col("l_shipmode").is_in(["AIR", "AIR REG"])
                & col("l_shipinstruct").eq("DELIVER IN PERSON")
                & (small | medium | large),
        )
        .agg((col("l_extendedprice") * (1 - col("l_discount"))).sum().alias("revenue"))
}
