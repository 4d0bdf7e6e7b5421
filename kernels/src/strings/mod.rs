//! Predicates on strings, and parts of them.

pub mod compare_string;
pub mod matches;
pub mod slice;
