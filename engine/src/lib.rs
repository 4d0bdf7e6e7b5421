//! Columnade: a columnar dataframe engine for NVIDIA GPUs and the host.
//!
//! A [`DataFrame`] is a table of typed columns that live on one [`Device`]: the host, a GPU, or the simulated GPU that
//! runs the same kernels where there is none. Its methods take expressions ([`col`], [`lit`], operators) and return
//! frames.
//!
//! ```
//! use columnade::{DataFrame, Merge, SortBy, col, lit};
//!
//! let orders = DataFrame::empty()?
//!     .with_column("customer", ["Ada", "Bo", "Ada", "Cy"])?
//!     .with_column("units", [3_i64, 4, 2, 7])?
//!     .with_column("price", [10.0, 2.5, 4.0, 1.0])?;
//! let cities = DataFrame::empty()?
//!     .with_column("customer", ["Ada", "Bo"])?
//!     .with_column("city", ["Turin", "Oslo"])?;
//!
//! let revenue = orders
//!     .filter(col("units").ge(lit(2)))?
//!     .merge(&cities, &Merge::inner().on("customer"))?
//!     .group_by(["customer", "city"])
//!     .agg([(col("units") * col("price")).sum().alias("revenue")])?
//!     .sort_values([SortBy::descending("revenue")])?;
//!
//! assert_eq!(revenue.column("revenue")?.to_scalars()?, [38.0.into(), 10.0.into()]);
//! println!("{revenue}");
//! # Ok::<(), columnade::Error>(())
//! ```
//!
//! # Layers
//!
//! This crate implements labels, files and display. Operations on columns are in `columnade-ops`, columns in
//! `columnade-columns`, the loops in `columnade-kernels`, memory and devices in `columnade-buffers`. Of these, what a
//! user of frames needs is re-exported here by name.

#![forbid(unsafe_code)]

mod dataframe;
mod error;
mod frame;
mod index;
mod indexed_frame;
mod io;
pub mod memory;
mod options;
mod selection;
mod series;
#[cfg(test)]
mod testing;
mod values;

pub use columnade_buffers::{
    CallersContext, Device, Error as DeviceError, Exec, MemoryResource, MemoryStatistics, panic_message,
};
pub use columnade_columns::{
    AsLabel, BinaryColumn, BooleanColumn, CategoricalColumn, Categories, Closed, Column, ColumnAccessor,
    ColumnValue, Counts, DType, DatetimeColumn, DecimalColumn, DecimalStorage, DeviceScalar, DictionaryType,
    Error as ColumnError, ErrorKind, ErrorSubject, Field, FromIter, IntervalColumn, IntervalScalar,
    IntervalType, Intervals, IntoColumn, Label, LabelIndex, LabelKey, LabelPart, LevelKey, Levels,
    ListColumn, MAX_PRECISION, Native, NullColumn, NumericColumn, Positions, RangeLabels, RenamedLevels,
    RowValue, Scalar, StringColumn, StructColumn, Structs, TimeUnit, TimeZone, TimedeltaColumn, Wildcard,
    calendar::Date, categories, dates, decimals, durations, from_iter, intervals, structs, timestamps,
};
pub use columnade_kernels::{OffsetWidth, Storage};
pub use columnade_ops::expression::{
    Expr, Interpolation, Literal, Rank, RankMethod, Statistic, When, col, count_rows, date, days, hours, lit,
    lit_decimal, microseconds, milliseconds, minutes, nanoseconds, row_number, seconds, when,
};

/// Arrow's C interfaces: their structs, owned, and the options of exports and imports.
pub mod arrow {
    pub use columnade_columns::arrow::c::*;
}

/// DLPack: its structs, owned, and what consumers ask for.
pub mod dlpack {
    pub use columnade_columns::TensorFault;
    pub use columnade_columns::arrow::c::CopyPolicy;
    pub use columnade_columns::dlpack::*;
}

/// The CUDA Array Interface: descriptions of device memory, and the options of exports.
pub mod cuda_array {
    pub use columnade_columns::cuda_array::*;
}

/// What a program uses that fills and reads the memory of a device itself.
pub mod device_memory {
    pub use columnade_buffers::{Buffer, Event, Lease, Stream};
}

pub use dataframe::{
    ArrowStreamFrames, DataFrame, Difference, GroupBy, Merge, SortBy, concat, export_arrow_device_stream,
    export_arrow_stream,
};
pub use error::{Error, Result};
pub use frame::Frame;
pub use index::{Index, RangeIndex};
pub use indexed_frame::IndexedFrame;
pub use io::{
    Compression, ParquetError, ParquetPaths, ParquetReader, ParquetWriteOptions, ParquetWriter, ReadProgress,
    ReadStatistics, read_parquet,
};
pub use options::{
    DisplayOptions, default_exec, display_options, set_default_device, set_default_exec, set_display_options,
};
pub use selection::{Labels, Selector};
pub use series::{Series, SeriesOperand};

/// The examples of the README and of the guide are compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/memory-guide.md")]
#[doc = include_str!("../../docs/exchange.md")]
struct Pages;
