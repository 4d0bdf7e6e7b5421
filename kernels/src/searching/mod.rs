//! Positions in sorted rows, and membership in sets.

pub mod key_set;
pub mod search_sorted;
