//! Running results along a column.

pub mod scan;
