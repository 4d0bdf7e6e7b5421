//! Running results along a column.

pub mod linear_recurrence;
pub mod scan;
