//! Columns made without an input column.

pub mod fill;
pub mod sequence;
