//! Rows in order.

use super::{SortKey, argsort};
use crate::copying::{MapNulls, gather};
use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Error, Result};

/// The rows of all columns in the order of `keys`; see [`argsort`].
///
/// # Shapes and units
/// columns and keys: n rows each → n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Source
/// cudf/sorting.hpp `stable_sort_by_key`, pandas `sort_values(kind="stable")`.
pub fn sort_by(columns: &ColumnAccessor, keys: &[SortKey<'_>], exec: &Exec) -> Result<ColumnAccessor> {
    let map = argsort(keys, exec)?;
    if map.len != columns.rows() {
        return Err(Error::LengthMismatch { op: "sort_by", expected: columns.rows(), found: map.len });
    }
    gather(columns, &map, MapNulls::Never, exec)
}
