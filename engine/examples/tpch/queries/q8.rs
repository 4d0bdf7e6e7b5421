//! Q8, national market share: what part of the American market for one kind of part Brazil had in two years.

use columnade::{DataFrame, Merge, Result, col, date, when};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 8,
    title: "national market share",
    inputs: &[
        Input { table: Table::Part, columns: &["p_partkey", "p_type"], dictionaries: &["p_type"] },
        Input { table: Table::Supplier, columns: &["s_suppkey", "s_nationkey"], dictionaries: &[] },
        Input {
            table: Table::Lineitem,
            columns: &["l_orderkey", "l_partkey", "l_suppkey", "l_extendedprice", "l_discount"],
            dictionaries: &[],
        },
        Input {
            table: Table::Orders,
            columns: &["o_orderkey", "o_custkey", "o_orderdate"],
            dictionaries: &[],
        },
        Input { table: Table::Customer, columns: &["c_custkey", "c_nationkey"], dictionaries: &[] },
        Input {
            table: Table::Nation,
            columns: &["n_nationkey", "n_name", "n_regionkey"],
            dictionaries: &["n_name"],
        },
        Input { table: Table::Region, columns: &["r_regionkey", "r_name"], dictionaries: &[] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [part, supplier, lineitem, orders, customer, nation, region] = tables else {
        unreachable!("one frame for each input")
    };
    let region = region.filter(col("r_name").eq("AMERICA"))?;
    let american = nation.filter(col("n_regionkey").is_in(region.column("r_regionkey")?))?;
    let customer = customer.filter(col("c_nationkey").is_in(american.column("n_nationkey")?))?;
    let brazil = nation.filter(col("n_name").eq("BRAZIL"))?;
    let brazilian = supplier.filter(col("s_nationkey").is_in(brazil.column("n_nationkey")?))?;
    let part = part.filter(col("p_type").eq("ECONOMY ANODIZED STEEL"))?;

    let lines = lineitem.filter_columns(
        col("l_partkey").is_in(part.column("p_partkey")?),
        ["l_orderkey", "l_suppkey", "l_extendedprice", "l_discount"],
    )?;
    let two_years = col("o_orderdate").between(date("1995-01-01")?, date("1996-12-31")?);
    let orders = orders.filter_columns(
        col("o_orderkey").is_in(lines.column("l_orderkey")?)
            & two_years
            & col("o_custkey").is_in(customer.column("c_custkey")?),
        ["o_orderkey", "o_orderdate"],
    )?;

    let volume = col("l_extendedprice") * (1 - col("l_discount"));
    let of_brazil = when(col("l_suppkey").is_in(brazilian.column("s_suppkey")?)).then(&volume).otherwise(0);
    lines
        .merge(&orders, &Merge::inner().left_on("l_orderkey").right_on("o_orderkey"))?
        .group_by(col("o_orderdate").dt().year().alias("o_year"))
        .sort(true)
        .agg((of_brazil.sum() / volume.sum()).alias("mkt_share"))
}
