//! Partitioning of rows.

pub mod hash_partition;
