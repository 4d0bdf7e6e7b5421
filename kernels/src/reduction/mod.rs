//! Many rows to one.

pub mod reduce;
