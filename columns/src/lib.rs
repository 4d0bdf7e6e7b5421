//! Columns: dtypes, column layouts, and interchange with other libraries.
//!
//! A [`Column`] is a [`DType`] and the buffers that Arrow lays out for it; a [`ColumnAccessor`] is an ordered map
//! from labels to columns of one length. This layer defines dtypes, scalars and the
//! dtypes of results, and handles layout (slices, masks, import and export). It computes nothing: `columnade-ops` does.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`DType`] | the logical type of a column, with the table of storage types |
//! | [`Column`] | an enum of typed columns: [`NumericColumn`], [`BooleanColumn`], [`StringColumn`], [`BinaryColumn`], [`DatetimeColumn`], [`TimedeltaColumn`], [`DecimalColumn`], [`CategoricalColumn`], [`IntervalColumn`], [`ListColumn`], [`StructColumn`], [`NullColumn`] |
//! | [`IntoColumn`] | values that columns are built from: vectors, slices and iterators of [`ColumnValue`]s, and [`timestamps`], [`decimals`], [`categories`] and the like for what a Rust type alone does not say |
//! | [`Scalar`], [`DeviceScalar`] | one value with its dtype, on the host and on any device |
//! | [`ColumnAccessor`] | labels in order, each with a column |
//! | [`promote`] | the dtypes of results, as functions of dtypes |
//!
//! ```
//! use columnade_buffers::Exec;
//! use columnade_columns::{Column, ColumnAccessor, DType, Scalar};
//!
//! let exec = Exec::host();
//! let mut columns = ColumnAccessor::new();
//! columns.insert("id", Column::from_vec(vec![1_i64, 2, 3]))?;
//! columns.insert("name", Column::from_options([Some("a"), None, Some("ß")], &exec)?)?;
//! assert_eq!(columns.get("name")?.dtype(), DType::Utf8);
//! assert_eq!(columns.get("name")?.slice(2, 1)?.to_scalars()?, [Scalar::from("ß")]);
//! # Ok::<(), columnade_columns::Error>(())
//! ```

#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod accessor;
pub mod arrow;
pub mod calendar;
mod column;
#[expect(unsafe_code, reason = "the interface describes memory by its address; each block argues for itself")]
pub mod cuda_array;
#[expect(unsafe_code, reason = "structs of C are pointers; each block argues for itself")]
pub mod dlpack;
mod dtype;
mod error;
mod foreign;
pub mod promote;
mod scalar;
mod tensor;
#[cfg(test)]
mod test_dtypes;
#[cfg(test)]
mod test_execs;

pub use accessor::{
    AsLabel, ColumnAccessor, Label, LabelIndex, LabelKey, LabelPart, LabelPartOf, LabelPartRef, LevelKey,
    Levels, Positions, RangeLabels, RenamedLevels, Wildcard,
};
pub use column::{
    BinaryColumn, BooleanColumn, CategoricalColumn, Categories, Column, ColumnValue, Counts, DatetimeColumn,
    DecimalColumn, FromIter, IntervalColumn, Intervals, IntoColumn, ListColumn, Native, NullColumn,
    NumericColumn, RowValue, StringColumn, StructColumn, Structs, TimedeltaColumn, categories, dates,
    decimals, durations, from_iter, intervals, structs, times, timestamps,
};
pub use dtype::{
    Closed, DType, DecimalStorage, DictionaryType, Field, IntervalType, MAX_PRECISION, MAX_PRECISION_32,
    MAX_PRECISION_64, TimeUnit, TimeZone,
};
pub use error::{Error, ErrorKind, ErrorSubject, NamesColumn, Result, SubjectExpression};
pub use scalar::{Decimal, DeviceScalar, IntervalScalar, Scalar, Time, Timedelta, Timestamp};
pub use tensor::TensorFault;
