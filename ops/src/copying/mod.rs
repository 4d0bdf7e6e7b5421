//! Moving rows.

mod concat;
mod copy_if_else;
mod gather;
#[cfg(test)]
mod tests;

pub use columnade_kernels::RowMap;
pub use columnade_kernels::copying::gather::MapNulls;
pub use concat::concat;
pub use copy_if_else::copy_if_else;
pub use gather::{gather, gather_column};
