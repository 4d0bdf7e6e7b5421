//! Many rows to one.

pub mod co_moments;
pub mod reduce;
pub mod segmented_sum;
