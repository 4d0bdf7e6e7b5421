//! Replacing nulls, and dropping rows with nulls.

mod drop_nulls;
mod fill_null;
#[cfg(test)]
mod tests;

pub use drop_nulls::{DropHow, drop_nulls, valid_rows};
pub use fill_null::fill_null;
