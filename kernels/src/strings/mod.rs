//! Predicates on strings, their lengths and parts, and strings made of strings.

pub mod compare_string;
pub mod convert;
pub(crate) mod fault;
pub(crate) mod literal;
pub mod matches;
pub mod measure;
pub mod part;
pub mod predicate;
pub mod regex;
mod search;
pub mod slice;
pub mod split;
pub mod transform;
pub mod utf8;
