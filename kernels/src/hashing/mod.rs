//! Hashes of rows.

pub mod hash_rows;
