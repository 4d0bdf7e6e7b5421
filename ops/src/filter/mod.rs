//! Keeping rows.

mod apply_mask;
#[cfg(test)]
mod tests;

pub use apply_mask::{apply_mask, filter};
