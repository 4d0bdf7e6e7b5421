//! Predicates on strings, their lengths and parts, and strings made of strings.

pub mod compare_string;
pub mod matches;
pub mod measure;
pub mod slice;
pub mod transform;
