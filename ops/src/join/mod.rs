//! Joining rows on equal keys, by conditions and with the nearest row.

mod asof_join;
mod asof_keys;
mod asof_limit;
mod coalesce;
mod conditional;
mod cross_join;
mod duplicate_key;
mod extremes;
mod hash_join;
mod inequality;
mod join_rows;
mod keys;
mod late_join;
mod merge_join;
mod own_rows;
#[cfg(test)]
mod test_asof;
#[cfg(test)]
mod test_asof_order;
#[cfg(test)]
mod test_conditional;
#[cfg(test)]
mod test_merge;
#[cfg(test)]
mod test_times;
#[cfg(test)]
mod tests;

pub use asof_join::{Asof, AsofStrategy, asof_join, check_sorted};
pub use coalesce::coalesce_keys;
pub use columnade_kernels::joining::hash_join::{JoinKind, JoinMaps, NullEquality};
pub use conditional::PairCondition;
pub use cross_join::cross_join;
pub use duplicate_key::duplicate_key;
pub use hash_join::hash_join;
pub(crate) use hash_join::{comparable, members};
pub use join_rows::{JoinSide, Joined, join_rows, join_rows_where};
pub use keys::{common_key, key_of_one_side};
pub(crate) use keys::{in_common_dtype, is_time};
pub use merge_join::{is_merged, merge_join};
