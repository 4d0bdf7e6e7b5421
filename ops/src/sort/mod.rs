//! Ordering rows.

mod argsort;
mod is_sorted;
pub(crate) mod search_sorted;
mod sort_by;
#[cfg(test)]
mod test_merge;
#[cfg(test)]
mod test_order;
#[cfg(test)]
mod tests;
mod top_k;

pub use crate::out_of_core::external_sort::merge_sorted;
pub use argsort::{SortKey, argsort, sorted_order};
pub(crate) use argsort::{argsort_scratch_bytes, ranks};
pub use columnade_kernels::sorting::argsort::{NullOrder, Order};
pub use is_sorted::{is_sorted, is_strictly_sorted};
pub use search_sorted::{SearchSide, search_sorted};
pub(crate) use sort_by::check_keys;
pub use sort_by::{SortColumn, argsort_rows, sort_by, sort_rows};
pub use top_k::{Ties, top_k, top_rows};
