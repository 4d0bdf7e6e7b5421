//! Kernels: what runs over memory, three times told.
//!
//! Every operation is one folder, `src/<family>/<op>/`: `mod.rs` is the contract and the only dispatch,
//! `host.rs` the rayon twin, `<op>.cu` the CUDA source that nvcc and the simulator compile unchanged,
//! `cuda.rs` its launcher, `tests.rs` one suite that runs on every device of the build.
//! This layer knows pointers, lengths and storage types, never a logical dtype.

#[macro_use]
mod abi;
#[macro_use]
mod dispatch;
#[macro_use]
mod simd;
pub mod bits;
pub mod copying;
pub mod datetime;
pub mod elementwise;
mod error;
pub mod expression;
pub mod filling;
pub mod grouping;
pub mod joining;
mod keys;
mod launch;
mod morsel;
mod parallel;
pub mod partitioning;
pub mod reduction;
mod row_map;
pub mod scanning;
pub mod sorting;
mod storage;
pub mod strings;
mod strings_view;
#[cfg(test)]
mod test_columns;
#[cfg(test)]
mod test_values;
pub mod tuning;
mod view;

pub use error::{Error, Result};
pub use row_map::{RowMap, RowWidth};
pub use storage::{Element, OffsetWidth, Storage, Value};
pub use view::{Bits, ColumnData, Fixed, FixedData, StringData, StringsView, View, ViewGuard, access};
