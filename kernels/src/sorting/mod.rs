//! Orders of rows.

pub mod argsort;
