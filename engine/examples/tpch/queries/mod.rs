//! The queries, each over the columns it reads, with the parameters of the specification's validation run.

mod q1;
mod q10;
mod q11;
mod q12;
mod q13;
mod q14;
mod q15;
mod q16;
mod q17;
mod q18;
mod q19;
mod q2;
mod q20;
mod q21;
mod q22;
mod q3;
mod q4;
mod q5;
mod q6;
mod q7;
mod q8;
mod q9;

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

/// The queries of the specification, in order.
pub(crate) static ALL: [Query; 22] = [
    q1::QUERY,
    q2::QUERY,
    q3::QUERY,
    q4::QUERY,
    q5::QUERY,
    q6::QUERY,
    q7::QUERY,
    q8::QUERY,
    q9::QUERY,
    q10::QUERY,
    q11::QUERY,
    q12::QUERY,
    q13::QUERY,
    q14::QUERY,
    q15::QUERY,
    q16::QUERY,
    q17::QUERY,
    q18::QUERY,
    q19::QUERY,
    q20::QUERY,
    q21::QUERY,
    q22::QUERY,
];
