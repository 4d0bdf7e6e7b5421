//! Q22, global sales opportunity: customers with more money than average and no orders, by country code.

use columnade::{DataFrame, Result, col, len, when};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 22,
    title: "global sales opportunity",
    inputs: &[
        Input { table: Table::Customer, columns: &["c_custkey", "c_phone", "c_acctbal"], dictionaries: &[] },
        Input { table: Table::Orders, columns: &["o_custkey"], dictionaries: &[] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [customer, orders] = tables else { unreachable!("one frame for each input") };
    let customer = customer
        .with_column("cntrycode", col("c_phone").str().slice(0, 2))?
        .filter(col("cntrycode").is_in(["13", "31", "23", "29", "30", "18", "17"]))?;

    // The mean ignores nulls: what is not above zero.
    let mean = when(col("c_acctbal").le(0)).otherwise(col("c_acctbal")).mean();
    customer
        .filter(col("c_acctbal").gt(mean))?
        .group_by("cntrycode")
        .sort(true)
        .rows_where(!col("c_custkey").is_in(orders.column("o_custkey")?))
        .agg([len().alias("numcust"), col("c_acctbal").sum().alias("totacctbal")])
}
