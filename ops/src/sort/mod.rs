//! Ordering rows.

mod argsort;
mod sort_by;
#[cfg(test)]
mod tests;

pub use crate::out_of_core::external_sort::merge_sorted;
pub(crate) use argsort::argsort_scratch_bytes;
pub use argsort::{SortKey, argsort};
pub use columnade_kernels::sorting::argsort::{NullOrder, Order};
pub(crate) use sort_by::check_keys;
pub use sort_by::{SortColumn, sort_by};
