//! Moving rows.

pub mod filter;
pub mod gather;
