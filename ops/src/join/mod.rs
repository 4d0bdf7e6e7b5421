//! Joining rows on equal keys.

mod hash_join;
mod join_rows;
mod keys;
#[cfg(test)]
mod tests;

pub use columnade_kernels::joining::hash_join::{JoinKind, JoinMaps, NullEquality};
pub use hash_join::hash_join;
pub use join_rows::{Joined, Side, join_rows};
pub use keys::common_key;
