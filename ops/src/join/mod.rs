//! Joining rows on equal keys.

mod coalesce;
mod cross_join;
mod duplicate_key;
mod hash_join;
mod join_rows;
mod keys;
#[cfg(test)]
mod tests;

pub use coalesce::coalesce_keys;
pub use columnade_kernels::joining::hash_join::{JoinKind, JoinMaps, NullEquality};
pub use cross_join::cross_join;
pub use duplicate_key::duplicate_key;
pub use hash_join::hash_join;
pub use join_rows::{Joined, Side, join_rows};
pub use keys::common_key;
