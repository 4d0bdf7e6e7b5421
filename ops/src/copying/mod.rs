//! Moving rows.

mod broadcast;
mod concat;
mod copy_if_else;
mod gather;
mod mask;
pub(crate) mod nested;
#[cfg(test)]
mod tests;

pub use broadcast::broadcast;
pub use columnade_kernels::RowMap;
pub use columnade_kernels::copying::gather::MapNulls;
pub(crate) use concat::check_common;
pub use concat::concat;
pub use copy_if_else::copy_if_else;
pub use gather::{gather, gather_column, gather_in_chunks, take};
pub(crate) use gather::{gather_columns, gather_first_rows, is_nested};
pub(crate) use mask::mask_of;
pub(crate) use nested::gather_runs;
