//! Splitting rows into parts.

mod hash_partition;
mod parted;
#[cfg(test)]
mod tests;

pub use hash_partition::hash_partition;
pub(crate) use parted::{Parted, look_ahead, partition_count, partition_parts};
