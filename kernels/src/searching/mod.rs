//! Positions in sorted rows.

pub mod search_sorted;
