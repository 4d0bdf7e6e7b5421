//! Many rows to one.

pub mod reduce;
pub mod segmented_sum;
