//! Grouping rows by key.
//!
//! For aggregates of expressions, computed while the rows are read, see [`crate::aggregate`].

mod aggregate;
mod group_ids;
#[cfg(test)]
mod tests;

pub use crate::aggregation::Aggregation;
pub use aggregate::{Request, aggregate};
pub use columnade_kernels::grouping::group_ids::{Groups, NullKeys};
pub use group_ids::group_ids;
