//! Q13, customer distribution: how many customers have how many orders that are no special requests.

use columnade::{DataFrame, Merge, Result, SortBy, col, len};

use super::{Input, Query};
use crate::generate::Table;

pub(crate) const QUERY: Query = Query {
    number: 13,
    title: "customer distribution",
    inputs: &[
        Input { table: Table::Customer, columns: &["c_custkey"], dictionaries: &[] },
        Input { table: Table::Orders, columns: &["o_custkey", "o_comment"], dictionaries: &[] },
    ],
    run,
};

fn run(tables: &[DataFrame]) -> Result<DataFrame> {
    let [customer, orders] = tables else { unreachable!("one frame for each input") };
    let counts = orders
        .group_by("o_custkey")
        .rows_where(col("o_comment").str().not_like("%special%requests%"))
        .agg(len().alias("c_count"))?;
    customer
        .merge(&counts, &Merge::left().left_on("c_custkey").right_on("o_custkey"))?
        .group_by(col("c_count").fill_null(0))
        .agg(len().alias("custdist"))?
        .sort_values([SortBy::descending("custdist"), SortBy::descending("c_count")])
}
