//! Comparisons of whole columns.

mod equals;
mod rows;
#[cfg(test)]
mod tests;

pub use equals::equals;
pub(crate) use rows::{compare_compound, equal_rows};
