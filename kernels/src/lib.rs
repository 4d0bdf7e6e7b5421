//! Kernels: the operations on columns in memory, for every device.
//!
//! Every operation has a folder, `src/<family>/<op>/`: `mod.rs` is the contract and the dispatch by device,
//! `host.rs` the host implementation with rayon, `<op>.cu` the CUDA source for nvcc and the simulator,
//! `cuda.rs` its launcher, and `tests.rs` the tests, which run on every device of the build. A kernel for the host only
//! has no `<op>.cu` and no `cuda.rs`. This layer knows pointers, lengths and storage types, and no logical dtypes.

#[macro_use]
mod abi;
#[macro_use]
mod dispatch;
#[macro_use]
mod simd;
pub mod aggregation;
pub mod bits;
pub mod copying;
pub mod datetime;
pub mod elementwise;
mod error;
pub mod expression;
pub mod filling;
pub mod grouping;
pub mod hashing;
pub mod interrupt;
pub mod joining;
mod keys;
mod launch;
mod limits;
mod morsel;
mod parallel;
pub mod partitioning;
pub mod reduction;
pub mod rolling;
mod row_map;
mod runtime;
pub mod scanning;
mod scratch;
pub mod searching;
pub mod sorting;
mod storage;
pub mod strings;
mod strings_view;
#[cfg(test)]
mod test_columns;
#[cfg(all(test, columnade_ptx))]
mod test_ptx;
#[cfg(test)]
mod test_scratch;
#[cfg(test)]
mod test_values;
pub mod tuning;
mod view;

pub use error::{Error, Result};
pub use row_map::{RowMap, RowWidth};
pub use storage::{Element, OffsetWidth, Storage, Value};
pub use view::{Bits, ColumnData, Fixed, FixedData, StringData, StringsView, View, ViewGuard, access};
