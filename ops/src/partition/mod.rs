//! Partitioning of rows.

mod hash_partition;
#[cfg(test)]
mod tests;

pub use hash_partition::hash_partition;
pub(crate) use hash_partition::partition_scratch_bytes;
