//! Moving rows.

mod concat;
mod gather;
#[cfg(test)]
mod tests;

pub use columnade_kernels::RowMap;
pub use columnade_kernels::copying::gather::MapNulls;
pub use concat::concat;
pub use gather::{gather, gather_column};
