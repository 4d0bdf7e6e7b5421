//! Moving rows.

pub mod concat;
pub mod copy_if_else;
pub mod filter;
pub mod gather;
pub mod gather_runs;
pub mod scatter;
