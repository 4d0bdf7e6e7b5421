//! Predicates on strings.

pub mod compare_string;
pub mod matches;
