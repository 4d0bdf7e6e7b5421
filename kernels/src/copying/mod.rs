//! Moving rows.

pub mod concat;
pub mod filter;
pub mod gather;
