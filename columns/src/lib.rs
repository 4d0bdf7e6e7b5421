//! Columns: what a column of data is.
//!
//! A [`Column`] is a [`DType`] and the buffers that Arrow lays out for it; a [`ColumnAccessor`] is an ordered map
//! from labels to columns of one length. This layer knows meaning (dtypes, scalars, which dtype a result has) and
//! layout (slices, masks, import and export), but computes nothing: that is the layer above.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`DType`] | what the values of a column mean, and the one table of how they are stored |
//! | [`Column`] | an enum of typed columns: [`NumericColumn`], [`BooleanColumn`], [`StringColumn`], [`DatetimeColumn`], [`DecimalColumn`], [`CategoricalColumn`] |
//! | [`Scalar`] | one value with its dtype |
//! | [`ColumnAccessor`] | labels in order, each with a column |
//! | [`promote`] | the dtypes of results, as functions of dtypes alone |
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

#![forbid(unsafe_code)]

mod accessor;
pub mod arrow;
pub mod calendar;
mod column;
mod dtype;
mod error;
pub mod promote;
mod scalar;

pub use accessor::{ColumnAccessor, Label};
pub use column::{
    BooleanColumn, CategoricalColumn, Column, ColumnValue, DatetimeColumn, DecimalColumn, Native,
    NumericColumn, StringColumn,
};
pub use dtype::{DType, DictionaryType, MAX_PRECISION, MAX_PRECISION_64, TimeUnit};
pub use error::{Error, ErrorKind, Result};
pub use scalar::Scalar;
