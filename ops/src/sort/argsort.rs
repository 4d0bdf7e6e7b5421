//! The sorted order of the rows by one or several keys.

use crate::cast::dictionary::by_code;
use crate::groupby::grouped_rows::column_of;
use crate::keys::{is_compound, sort_parts};
use columnade_buffers::{Device, Exec, with_retry_no_split};
use columnade_columns::{CategoricalColumn, Column, Error, Result};
use columnade_kernels::sorting::argsort::{self, NullOrder, Order};
use columnade_kernels::{ColumnData, RowMap, Storage};
use std::borrow::Cow;

/// A column to sort by.
#[derive(Clone, Copy, Debug)]
pub struct SortKey<'a> {
    /// The column.
    pub column: &'a Column,
    /// The direction of its values.
    pub order: Order,
    /// Where its nulls go.
    pub nulls: NullOrder,
}

/// The rows in the order of `keys`, the first key first. Stable. NaNs are equal and larger than all numbers,
/// −0.0 equals 0.0. Strings are ordered by code points, binary values by bytes, categorical columns by the
/// values of their codes, and ordered categorical columns by their codes. Lists are ordered by their first different
/// items, the shorter one first if there are none, structs by their first different fields, intervals by their lower and
/// then their upper ends; nulls within them come where nulls of the key do.
///
/// # Shapes and units
/// keys: at least one, of n rows each → a map of n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::LengthMismatch`];
/// [`Error::Memory`].
///
/// # Device
/// See [`argsort::argsort`]. The dictionary of a categorical key is sorted first.
///
/// # Source
/// cudf/sorting.hpp `stable_sorted_order`, pandas `argsort(kind="stable")`.
pub fn argsort(keys: &[SortKey<'_>], exec: &Exec) -> Result<RowMap> {
    if keys.iter().any(|key| is_compound(&key.column.dtype())) {
        check(keys)?;
        return argsort_parts(keys, exec);
    }
    with_views(keys, exec, |views| argsort::argsort(views, exec))
}

/// [`argsort()`], and those keys in sorted order that the sort has at hand: see [`argsort::argsort_with_keys`].
pub(super) fn argsort_with_keys(keys: &[SortKey<'_>], exec: &Exec) -> Result<(RowMap, Vec<Option<Column>>)> {
    if keys.iter().any(|key| is_compound(&key.column.dtype())) {
        return Ok((argsort(keys, exec)?, vec![None; keys.len()]));
    }
    let sorted = with_views(keys, exec, |views| argsort::argsort_with_keys(views, exec))?;
    let of_key = |(key, found): (&SortKey<'_>, Option<ColumnData>)| match (key.column, found) {
        // The ranks of the values are sorted, not the codes.
        (Column::Categorical(column), _) if !column.is_ordered() => Ok(None),
        (column, Some(data)) => column.with_data(data, exec).map(Some),
        (_, None) => Ok(None),
    };
    let columns = keys.iter().zip(sorted.keys).map(of_key).collect::<Result<_>>()?;
    Ok((sorted.rows, columns))
}

/// Checks that there are keys of one length.
fn check(keys: &[SortKey<'_>]) -> Result<()> {
    let Some(first) = keys.first() else {
        let reason = "there are none: at least one is needed".to_owned();
        return Err(Error::InvalidArgument { name: "keys", reason });
    };
    let rows = first.column.size();
    if let Some(other) = keys.iter().find(|key| key.column.size() != rows) {
        return Err(Error::LengthMismatch { expected: rows, found: other.column.size() });
    }
    Ok(())
}

/// What `sort` makes of the keys as kernels compare them.
fn with_views<T>(
    keys: &[SortKey<'_>],
    exec: &Exec,
    sort: impl FnOnce(&[argsort::SortKey<'_>]) -> columnade_kernels::Result<T>,
) -> Result<T> {
    check(keys)?;
    let columns = keys
        .iter()
        .enumerate()
        .map(|(position, key)| {
            if let Column::Categorical(column) = key.column
                && !column.is_ordered()
            {
                ranks(column, exec).map(Cow::Owned).map_err(|error| error.in_key(position))
            } else {
                Ok(Cow::Borrowed(key.column))
            }
        })
        .collect::<Result<Vec<_>>>()?;
    let views: Vec<argsort::SortKey<'_>> = keys
        .iter()
        .zip(&columns)
        .enumerate()
        .map(|(position, (key, column))| {
            let view = column.view().map_err(|error| error.in_key(position))?;
            Ok(argsort::SortKey { view, order: key.order, nulls: key.nulls })
        })
        .collect::<Result<_>>()?;
    Ok(sort(&views)?)
}

/// [`argsort()`] as a column: the positions of the rows, `int64`.
///
/// # Errors
/// Those of [`argsort()`].
///
/// # Source
/// cudf/sorting.hpp `stable_sorted_order`, pandas `Series.argsort(kind="stable")`.
pub fn sorted_order(keys: &[SortKey<'_>], exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| column_of(&argsort(keys, exec)?, exec))
}

/// [`argsort()`] by the parts of compound keys.
fn argsort_parts(keys: &[SortKey<'_>], exec: &Exec) -> Result<RowMap> {
    let mut parts = Vec::with_capacity(keys.len());
    for (position, key) in keys.iter().enumerate() {
        parts.push(sort_parts(key, exec).map_err(|error| error.in_key(position))?);
    }
    let keys = keys.iter().zip(&parts).flat_map(|(key, parts)| {
        parts.iter().map(|column| SortKey { column, order: key.order, nulls: key.nulls })
    });
    argsort(&keys.collect::<Vec<_>>(), exec)
}

/// The rank of each row's value in the sorted dictionary.
pub(crate) fn ranks(column: &CategoricalColumn, exec: &Exec) -> Result<Column> {
    let dictionary = column.dictionary();
    let key = argsort::SortKey { view: dictionary.view()?, order: Order::Ascending, nulls: NullOrder::Last };
    let order = argsort::argsort(&[key], exec)?.to_vec(exec)?;
    let mut ranks = vec![0_i32; order.len()];
    for (rank, row) in (0..).zip(order.into_iter().flatten()) {
        if let Some(slot) = usize::try_from(row).ok().and_then(|row| ranks.get_mut(row)) {
            *slot = rank;
        }
    }
    by_code(column, &Column::from_slice(&ranks, exec)?, exec)
}

/// Bytes that sorting `rows` rows by these keys takes in addition to them.
pub(crate) fn argsort_scratch_bytes<'a>(keys: impl IntoIterator<Item = &'a Column>, rows: usize) -> usize {
    let (mut device, mut ranks) = (Device::Host, 0);
    let keys = keys.into_iter().map(|key| {
        device = key.device();
        let is_coded = matches!(key, Column::Categorical(_));
        ranks += if is_coded { size_of::<i32>() } else { 0 };
        let storage = if is_coded { Some(Storage::I32) } else { key.dtype().storage() };
        (storage, key.mask().is_some())
    });
    let keys: Vec<_> = keys.collect();
    argsort::scratch_bytes(keys, rows, device) + ranks * rows
}
