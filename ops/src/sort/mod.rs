//! Ordering rows.

mod argsort;
mod sort_by;
#[cfg(test)]
mod tests;

pub use argsort::{SortKey, argsort};
pub use columnade_kernels::sorting::argsort::{NullOrder, Order};
pub use sort_by::sort_by;
