//! Nulls replaced, and rows with nulls left out.

mod drop_nulls;
mod fill_null;
#[cfg(test)]
mod tests;

pub use drop_nulls::drop_nulls;
pub use fill_null::fill_null;
