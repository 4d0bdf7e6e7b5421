//! Comparisons of whole columns.

mod equals;
#[cfg(test)]
mod tests;

pub use equals::equals;
