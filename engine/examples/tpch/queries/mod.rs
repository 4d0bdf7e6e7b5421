//! The queries, each over the columns it reads, with the parameters of the specification's validation run.

mod q1;
mod q3;
mod q6;

use columnade::{DataFrame, Result};

use crate::generate::Table;

/// One query of TPC-H.
#[derive(Debug)]
pub(crate) struct Query {
    /// Its number in the specification.
    pub(crate) number: u32,
    /// Its name in the specification.
    pub(crate) title: &'static str,
    /// What it reads.
    pub(crate) inputs: &'static [Input],
    /// The query over frames that hold those columns, in the order of `inputs`.
    pub(crate) run: fn(&[DataFrame]) -> Result<DataFrame>,
}

/// The columns that a query reads of one table.
#[derive(Debug)]
pub(crate) struct Input {
    /// The table.
    pub(crate) table: Table,
    /// The columns.
    pub(crate) columns: &'static [&'static str],
    /// Those of them with few distinct values, which are kept as dictionaries.
    pub(crate) dictionaries: &'static [&'static str],
}

/// Every query that this example has.
pub(crate) static ALL: [Query; 3] = [q1::QUERY, q3::QUERY, q6::QUERY];
