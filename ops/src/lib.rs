//! Operations over columns: the rules of dtypes and nulls, the shapes of results, and which kernels make them.
//!
//! One operation is one file. Operations take columns, or a [`ColumnAccessor`](columnade_columns::ColumnAccessor)
//! where they move whole rows, and give new ones; the execution context is their last argument.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`expression`] | the expression language: what a user writes, its dtypes, its evaluation |
//! | [`aggregate`] | filter, expressions, groups and aggregates in one pass |
//! | [`cast`] | other dtypes: numbers, decimals, points in time, dictionaries to their values |
//! | [`comparing`] | whether columns are equal as a whole |
//! | [`copying`] | gathers rows, chooses between columns, puts columns one after the other |
//! | [`filter`] | keeps the rows that a mask selects |
//! | [`groupby`] | groups rows by key and aggregates them |
//! | [`join`] | finds the pairs of rows with equal keys |
//! | [`merge_sorted`](mod@merge_sorted) | puts sorted rows together in order |
//! | [`partition`] | splits rows by the hash of their keys |
//! | [`reduce`] | one value of all rows |
//! | [`scan`] | running sums, extremes and counts |
//! | [`sort`] | orders rows |
//!
//! ```
//! use columnade_buffers::Exec;
//! use columnade_columns::{Column, ColumnAccessor, DType};
//! use columnade_ops::cast::{CastMode, cast};
//! use columnade_ops::filter::apply_mask;
//! use columnade_ops::sort::{NullOrder, Order, SortKey, sort_by};
//!
//! let exec = Exec::host();
//! let columns = ColumnAccessor::from_columns([
//!     ("n", Column::from_vec(vec![3_i64, 1, 2])),
//!     ("word", Column::from_values(["c", "a", "b"], &exec)?),
//! ])?;
//! let mask = Column::from_options([Some(true), None, Some(true)], &exec)?;
//! let kept = apply_mask(&columns, &mask, &exec)?;
//! let key = SortKey { column: kept.get("n")?, order: Order::Ascending, nulls: NullOrder::Last };
//! let sorted = sort_by(&kept, &[key], &exec)?;
//! assert_eq!(sorted.get("word")?.to_scalars()?, ["b".into(), "c".into()]);
//!
//! let prices = cast(sorted.get("n")?, &DType::decimal(15, 2)?, CastMode::Checked, &exec)?;
//! assert_eq!(prices.get(0)?.to_string(), "2.00");
//! # Ok::<(), columnade_columns::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod aggregate;
mod aggregation;
pub mod cast;
mod chunks;
pub mod comparing;
pub mod copying;
pub mod expression;
pub mod filter;
pub mod groupby;
pub mod join;
pub mod merge_sorted;
pub mod missing;
pub mod partition;
pub mod reduce;
pub mod scan;
pub mod sort;
#[cfg(test)]
mod test_dtypes;
#[cfg(test)]
mod test_frames;
#[cfg(test)]
mod tests;
