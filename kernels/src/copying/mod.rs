//! Moving rows.

pub mod gather;
