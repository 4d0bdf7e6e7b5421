//! Predicates on text.

pub mod compare_string;
pub mod matches;
