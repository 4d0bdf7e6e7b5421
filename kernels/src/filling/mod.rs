//! Columns made without an input column.

pub mod fill;
pub mod run_numbers;
pub mod run_rows;
pub mod sequence;
