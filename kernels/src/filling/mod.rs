//! Columns from a rule instead of a column.

pub mod fill;
pub mod sequence;
