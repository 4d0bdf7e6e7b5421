//! Aggregations of ranges of rows that overlap.

pub mod rolling_quantile;
pub mod rolling_window;
pub mod row_windows;
mod windows;
