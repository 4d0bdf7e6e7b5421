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
//! | [`copying`] | gathers rows, chooses between columns, puts columns one after the other |
//! | [`filter`] | keeps the rows that a mask selects |
//! | [`groupby`] | groups rows by key and aggregates them |
//! | [`join`] | finds the pairs of rows with equal keys |
//! | [`reduce`] | one value of all rows |
//! | [`scan`] | running sums, extremes and counts |
//! | [`sort`] | orders rows |

#![forbid(unsafe_code)]

mod aggregation;
pub mod aggregate;
pub mod cast;
pub mod copying;
pub mod expression;
pub mod filter;
pub mod groupby;
pub mod reduce;
pub mod scan;
pub mod sort;
