//! Operations over columns: the rules of dtypes and nulls, the shapes of results, and which kernels make them.
//!
//! One operation is one file. Rows that do not fit the device's memory are processed in parts; the module `out_of_core`
//! decides how, and the operations' own files do not. Operations take columns, or a [`ColumnAccessor`](columnade_columns::ColumnAccessor)
//! where they move whole rows, and give new ones; the execution context is their last argument.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`expression`] | the expression language: what a user writes, its dtypes, its evaluation |
//! | [`binning`] | the bins that numbers are in |
//! | [`cast`] | other dtypes: numbers, decimals, timestamps, dictionaries to their values |
//! | [`categories`] | functions of dictionaries |
//! | [`comparing`] | whether columns are equal as a whole |
//! | [`copying`] | gathers rows, chooses between columns, puts columns one after the other |
//! | [`correlation`] | correlations and covariances of all pairs of columns |
//! | [`distinct`] | distinct rows, membership, codes of values |
//! | [`filter`] | keeps the rows that a mask selects |
//! | [`groupby`] | filter, expressions, groups and aggregates in one pass |
//! | [`join`] | finds the pairs of rows with equal keys or that fulfil a condition, and the nearest rows |
//! | [`lists`] | functions of lists, and rows of their items |
//! | [`missing`] | fills and drops nulls |
//! | [`partition`] | splits rows by the hash of their keys |
//! | [`reshape`] | repeats rows, makes columns of rows and rows of columns |
//! | [`selection`] | which rows an operation kept |
//! | [`sort`] | orders rows, merges sorted rows |
//! | [`strings`] | functions of strings |
//! | [`structs`] | functions of structs |
//!
//! ```
//! use columnade_buffers::Exec;
//! use columnade_columns::{Column, ColumnAccessor, DType};
//! use columnade_ops::cast::{CastMode, cast};
//! use columnade_ops::filter::apply_mask;
//! use columnade_ops::sort::{NullOrder, Order, SortColumn, sort_by};
//!
//! let exec = Exec::host();
//! let columns = ColumnAccessor::from_columns([
//!     ("n", Column::from_vec(vec![3_i64, 1, 2])),
//!     ("word", Column::from_values(["c", "a", "b"], &exec)?),
//! ])?;
//! let mask = Column::from_options([Some(true), None, Some(true)], &exec)?;
//! let kept = apply_mask(&columns, &mask, &exec)?;
//! let by_n = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
//! let sorted = sort_by(&kept, &[by_n], &exec)?;
//! assert_eq!(sorted.get("word")?.to_scalars()?, ["b".into(), "c".into()]);
//!
//! let prices = cast(sorted.get("n")?, &DType::decimal(15, 2)?, CastMode::Checked, &exec)?;
//! assert_eq!(prices.get(0)?.to_string(), "2.00");
//! # Ok::<(), columnade_columns::Error>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub mod binning;
pub mod cast;
pub mod categories;
pub mod comparing;
pub mod copying;
pub mod correlation;
pub mod distinct;
pub mod expression;
pub mod filter;
pub mod groupby;
pub mod join;
mod keys;
pub mod lists;
pub mod missing;
mod out_of_core;
pub mod partition;
pub mod reshape;
pub mod selection;
pub mod sort;
pub mod strings;
pub mod structs;
#[cfg(test)]
mod test_dtypes;
#[cfg(test)]
mod test_frames;
#[cfg(test)]
mod test_large;
#[cfg(test)]
#[cfg(feature = "failpoints")]
mod tests;
mod window;
