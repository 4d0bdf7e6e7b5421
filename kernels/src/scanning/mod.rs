//! Running results along a column.

pub mod exponential_mean;
pub mod linear_recurrence;
pub mod scan;
