//! Joining rows of two tables.

pub mod hash_join;
pub mod merge_join;
pub mod pairs;
pub mod search_ranges;
