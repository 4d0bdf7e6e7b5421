//! Predicates on text.

pub mod compare_text;
pub mod matches;
