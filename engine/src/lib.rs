//! Columnade: a columnar dataframe engine for NVIDIA GPUs and the host.
//!
//! A [`DataFrame`] is a table of typed columns that live on one [`Device`]: the host, a GPU, or the simulated GPU that
//! runs the same kernels where there is none. Its methods take expressions ([`col`], [`lit`], operators) and return
//! frames. What most programs use is in the [`prelude`].
//!
//! ```
//! use columnade::prelude::*;
//!
//! let orders = df! {
//!     "customer" => ["Ada", "Bo", "Ada", "Cy"],
//!     "units" => [3, 4, 2, 7],
//!     "price" => [10.0, 2.5, 4.0, 1.0],
//! }?;
//! let customers = df! { "customer" => ["Ada", "Bo"], "city" => ["Turin", "Oslo"] }?;
//!
//! let revenue = orders
//!     .filter(col("units").ge(3))?
//!     .merge(&customers, &Merge::inner().on("customer"))?
//!     .group_by("city")
//!     .agg((col("units") * col("price")).sum().alias("revenue"))?
//!     .sort_values(SortBy::descending("revenue"))?;
//!
//! assert_eq!(revenue.column("revenue")?.to_vec::<f64>()?, [30.0, 10.0]);
//! println!("{revenue}");
//! # Ok::<(), columnade::Error>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | make frames | [`df!`], [`builders`], [`read_csv`], [`read_json`], [`read_ipc`], [`read_parquet`], [`DataFrame::from_arrow`] |
//! | compute columns | [`Expr`], [`DataFrame::select`], [`DataFrame::with_column`], [`DataFrame::filter`] |
//! | aggregate, join, sort | [`DataFrame::group_by`], [`DataFrame::merge`], [`DataFrame::sort_values`] |
//! | get values out | [`Series::to_vec`], [`Series::iter`], [`Series::get`], [`DataFrame::write_parquet`] |
//! | work with more data than memory | [`memory`] |
//! | exchange memory with other libraries | [`arrow`], [`dlpack`], [`cuda_array`] |
//!
//! The page `docs/pandas-and-polars.md` of the repository has the names and the defaults for those who know pandas or
//! Polars.
//!
//! # Layers
//!
//! This crate implements labels, files and display. Operations on columns are in `columnade-ops`, columns in
//! `columnade-columns`, the loops in `columnade-kernels`, memory and devices in `columnade-buffers`. Of these, what a
//! user of frames needs is re-exported here by name.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod alignment;
mod arrow_c;
mod column_aggregates;
mod dataframe;
mod date_range;
mod error;
mod frame;
mod frequency;
mod index;
mod indexed_frame;
mod io;
mod locate;
pub mod memory;
mod one_value;
mod options;
mod repeats;
mod resample;
mod selection;
mod series;
#[cfg(test)]
mod test_golden;
#[cfg(test)]
mod test_names;
#[cfg(test)]
mod testing;
mod values;
mod window;

pub use columnade_buffers::{Device, Exec};
pub use columnade_columns::{
    Closed, Column, DType, Decimal, ErrorKind, Label, Scalar, Time, TimeUnit, TimeZone, Timedelta, Timestamp,
    calendar::Date,
};
pub use columnade_ops::expression::{
    Expr, HashFunction, all_horizontal, any_horizontal, coalesce, col, concat_list, date, hash_rows, len,
    lit, lit_decimal, max_horizontal, mean_horizontal, min_horizontal, row_number, struct_of, sum_horizontal,
    when,
};

pub use alignment::{Concat, Join, LabelJoin, Reindex, concat_with};
pub use dataframe::{
    Crosstab, DataFrame, Describe, Difference, DropNulls, Dummies, ExponentialMovingWindow, GroupBy,
    GroupKey, GroupResult, MaintainOrder, Melt, Merge, MergeAsof, Normalize, Pivot, PivotTable, Sample,
    SetIndex, SortBy, SortOrder, Unique, Unstack, Validate, WideToLong, concat, crosstab, merge_sorted,
};
pub use date_range::{date_range, date_range_periods, date_range_periods_with, date_range_with};
pub use error::{Error, Result};
pub use frame::Frame;
pub use index::{
    CategoricalIndex, DatetimeIndex, Index, IntervalIndex, MultiIndex, RangeIndex, SetOrder, SingleIndex,
    TimedeltaIndex,
};
pub use indexed_frame::IndexedFrame;
pub use io::{read_csv, read_ipc, read_json, read_parquet};
pub use options::{
    DisplayOptions, default_exec, display_options, set_default_device, set_default_exec, set_display_options,
};
pub use resample::{Edge, Grouper, Origin, Resampled, Resampler};
pub use series::{CutOptions, Series, ValueCounts, union_categoricals};
pub use window::{Rolling, WindowSize};

/// What most programs use: `use columnade::prelude::*`.
///
/// [`Error`] and [`Result`] are left out, since they would hide the `Result` of Rust.
pub mod prelude {
    #[doc(no_inline)]
    pub use crate::builders::*;
    #[doc(no_inline)]
    pub use crate::expressions::{
        Ambiguous, Closed, Interpolation, Keep, LocalTimes, Nonexistent, Rank, RankMethod, RollingWindow,
        days, hours, microseconds, milliseconds, minutes, nanoseconds, seconds,
    };
    #[doc(no_inline)]
    pub use crate::{
        Crosstab, CutOptions, DType, DataFrame, Date, Decimal, Describe, Device, DropNulls, Dummies, Expr,
        Index, Label, MaintainOrder, Melt, Merge, MergeAsof, Normalize, Origin, Pivot, PivotTable, Scalar,
        Series, SortBy, SortOrder, Time, TimeUnit, TimeZone, Timedelta, Timestamp, Unique, Unstack, Validate,
        ValueCounts, WideToLong, coalesce, col, concat, concat_list, crosstab, date, df, len, lit,
        lit_decimal, merge_sorted, read_csv, read_ipc, read_json, read_parquet, row_number, struct_of, when,
    };
}

/// Columns from values of Rust: what [`df!`](crate::df), [`Series::new`](crate::Series::new) and
/// [`DataFrame::with_column`](crate::DataFrame::with_column) take, and values that need a unit, a scale or a dictionary.
pub mod builders {
    pub use columnade_columns::{
        Categories, ColumnValue, Counts, FromIter, Intervals, IntoColumn, Structs, categories, dates,
        decimals, durations, from_iter, intervals, structs, times, timestamps,
    };
}

/// Columns by kind, and their layout in memory. [`Column`] is any of them.
pub mod column {
    pub use columnade_columns::{
        BinaryColumn, BooleanColumn, CategoricalColumn, ColumnAccessor, DatetimeColumn, DecimalColumn,
        DecimalStorage, DeviceScalar, IntervalColumn, ListColumn, Native, NullColumn, NumericColumn,
        RowValue, StringColumn, StructColumn, TimedeltaColumn,
    };
    pub use columnade_kernels::{OffsetWidth, Storage};
}

/// Parts of [`DType`] and of [`Scalar`].
pub mod dtypes {
    pub use columnade_columns::{DictionaryType, Field, IntervalScalar, IntervalType, MAX_PRECISION};
}

/// Labels of columns, their levels, and keys that select them.
pub mod labels {
    pub use columnade_columns::{
        AsLabel, LabelIndex, LabelKey, LabelPart, LabelPartRef, LevelKey, Levels, Positions, RangeLabels,
        RenamedLevels, Wildcard,
    };
}

/// What methods take as expressions, columns and operands, literals of durations, and the operations of an [`Expr`] by
/// dtype.
pub mod expressions {
    pub use crate::alignment::{FrameMask, FrameOperand, IntoIndex};
    pub use crate::column_aggregates::{Aggregate, IntoAggregates};
    pub use crate::dataframe::IntoFrameColumn;
    #[doc(hidden)]
    pub use crate::dataframe::IntoMergeKeys;
    pub use crate::index::{IndexNames, IndexerMethod, Labels};
    pub use crate::locate::{
        Every, IntoPositions, IntoSetValues, LabelRows, LabelSlice, LevelRows, PositionRows, RowKey, SetKind,
    };
    pub use crate::repeats::Repeats;
    pub use crate::selection::argument;
    pub use crate::selection::{IntoExprs, IntoLabels, IntoSelectors, IntoSortBy, Selector};
    pub use crate::series::{Edges, IntoMapping, Quantiles, SeriesOperand};
    pub use columnade_ops::distinct::Keep;
    pub use columnade_ops::expression::ExponentialWindow;
    pub use columnade_ops::expression::{
        Ambiguous, CategoryExpr, Closed, DatetimeExpr, Interpolation, IntoKeys, IntoMembers, Key, ListExpr,
        Literal, LocalTimes, Nonexistent, Period, Rank, RankMethod, RollingWindow, Statistic, StringExpr,
        StructExpr, Then, Unmatched, When,
    };
    pub use columnade_ops::expression::{
        days, hours, microseconds, milliseconds, minutes, nanoseconds, seconds,
    };
    pub use columnade_ops::groupby::{GroupOptions, NullKeys};
    pub use columnade_ops::sort::{SearchSide, Ties};
    pub use columnade_ops::strings::{JoinNulls, Side};
}

/// The operations of a [`Series`] and of an [`Index`] by dtype.
pub mod accessors {
    pub use crate::index::DatetimeLabels;
    pub use crate::series::{
        CategoricalAccessor, DatetimeProperties, ListMethods, StringMethods, StructMethods,
    };
}

/// Causes of an [`Error`].
pub mod errors {
    pub use columnade_buffers::Error as DeviceError;
    pub use columnade_columns::{Error as ColumnError, ErrorSubject, SubjectExpression};
}

/// Parquet files: readers, writers and their options. [`read_parquet`] and
/// [`DataFrame::write_parquet`](crate::DataFrame::write_parquet) start here.
pub mod parquet {
    pub use crate::io::{
        Compression, ParquetError, ParquetReader, ParquetScan, ParquetWriteOptions, ParquetWriter,
        ReadProgress, ReadStatistics,
    };
}

/// CSV files: readers, writers and their options. [`read_csv`] and
/// [`DataFrame::write_csv`](crate::DataFrame::write_csv) start here.
pub mod csv {
    pub use crate::io::{
        BadRows, CsvReader, CsvWriteOptions, CsvWriter, DuplicateNames, EncodingErrors, TextCompression,
        TextProgress, TextStatistics, WriteProgress,
    };
}

/// JSON lines and documents: readers, writers and their options. [`read_json`] and
/// [`DataFrame::write_json`](crate::DataFrame::write_json) start here.
pub mod json {
    pub use crate::io::{
        BadRows, JsonLayout, JsonReader, JsonWriteOptions, JsonWriter, TextCompression, TextProgress,
        TextStatistics,
    };
}

/// Arrow IPC files: readers, writers and their options. [`read_ipc`] and
/// [`DataFrame::write_ipc`](crate::DataFrame::write_ipc) start here.
pub mod ipc {
    pub use crate::io::{IpcCompression, IpcFormat, IpcProgress, IpcReader, IpcWriteOptions, IpcWriter};
}

/// Paths of files, frames of a part of their rows each, and what can go wrong with files that are not Parquet.
pub mod files {
    pub use crate::io::{FileError, FilePaths, FrameScan, silence_decoder_panics};
}

/// Arrow's C interfaces: their structs, owned, the options of exports and imports, and streams of frames.
pub mod arrow {
    pub use crate::arrow_c::{ArrayStruct, StreamStruct};
    pub use crate::dataframe::{ArrowStreamFrames, export_arrow_stream};
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

/// What a program uses that allocates, fills and reads the memory of a device itself.
pub mod device_memory {
    pub use columnade_buffers::{Buffer, Event, Lease, MemoryResource, MemoryStatistics, Stream};
}

/// What the C library uses. No interface: it changes without notice.
#[doc(hidden)]
pub mod internal {
    pub use crate::index::index_with_freq;
    pub use crate::io::batch_of_stream;
    pub use columnade_buffers::{CallSite, CallersContext, panic_message};
    pub use columnade_kernels::interrupt::{Interrupted, interruptible};
    pub use columnade_ops::expression::Node;
}

/// The examples of the README and of the guide are compiled.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/memory-guide.md")]
#[doc = include_str!("../../docs/exchange.md")]
#[doc = include_str!("../../docs/frames.md")]
#[doc = include_str!("../../docs/pandas-and-polars.md")]
struct Pages;
