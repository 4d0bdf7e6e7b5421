//! Comparing columns as a whole.

mod equals;
#[cfg(test)]
mod tests;

pub use equals::equals;
