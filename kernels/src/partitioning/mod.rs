//! Splitting rows into parts.

pub mod hash_partition;
