//! Predicates on text.

pub mod compare;
pub mod matches;
