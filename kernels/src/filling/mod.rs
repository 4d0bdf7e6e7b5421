//! Columns made without an input column.

pub mod fill;
pub mod run_numbers;
pub mod sequence;
