//! Grouping rows by key.

pub mod aggregate;
pub mod group_aggregate;
pub mod group_ids;
pub mod select;
