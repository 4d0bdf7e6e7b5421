//! The sorted order of the rows by one or several keys.

mod computed;
mod cuda;
mod fields;
mod host;
mod radix;
mod restored;
mod restored_strings;
mod string_ends;
mod strings;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, Result, RowMap, RowWidth, Storage, View};
use columnade_buffers::{Device, Exec};

/// The direction of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

/// Where the nulls of a key go, in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NullOrder {
    /// Before all values.
    First,
    /// After all values.
    Last,
}

/// A column to sort by.
#[derive(Clone, Copy, Debug)]
pub struct SortKey<'a> {
    /// The column.
    pub view: View<'a>,
    /// The direction of its values.
    pub order: Order,
    /// Where its nulls go.
    pub nulls: NullOrder,
}

/// The most bytes that [`argsort`] of so many rows takes, its result included, by keys of these storage types (`None`:
/// strings) with or without a mask.
pub fn scratch_bytes(
    keys: impl IntoIterator<Item = (Option<Storage>, bool)>,
    rows: usize,
    device: Device,
) -> usize {
    if device == Device::Host {
        // Items and the list that they are sorted in; of strings with 16 bytes.
        let strings = keys.into_iter().any(|(storage, _)| storage.is_none());
        return (2 * 8 + 2 * 16 * usize::from(strings) + RowWidth::for_rows(rows).bytes()) * rows;
    }
    let row = RowWidth::for_rows(rows).bytes();
    let mut bits = 0;
    for (storage, masked) in keys {
        // The words of the rows; counts and places of ties, and the pairs of words and rows of their merge sort, twice.
        let Some(storage) = storage else { return (4 * row + 4 * 8 + 2 * 16) * rows };
        bits += storage.bits() + usize::from(masked);
    }
    // Two lists of row numbers; of each word two lists, and the sort's own of words and rows.
    (2 * row + bits.div_ceil(64) * (3 * 8 + row)) * rows
}

/// The rows in the order of `keys`, the first key first. Stable: rows with equal keys keep their order.
///
/// NaNs equal each other and are larger than all numbers; −0.0 equals 0.0; strings are ordered by bytes,
/// which for UTF-8 is the order of code points.
///
/// # Shapes and units
/// keys: at least one, of n rows each and of any storage type → a map of n rows.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::InvalidArgument`] without keys; [`Error::Memory`].
///
/// # Device
/// Numbers: keys are packed into as few 64-bit words as they need, then one radix sort per word. With a string among the
/// keys: one radix sort by a word with the first bytes in which strings differ, one synchronisation, and where such words
/// do not decide the order, a scan, a synchronisation and a merge sort of the rows that share theirs, by a word with the next
/// bytes and by comparing rows. One more synchronisation for integers of many rows, to
/// sort only by the bits that differ; otherwise none. On the host strings are sorted eight bytes at a time, and take 32 bytes of memory a row more than numbers.
///
/// # Source
/// `cudf/sorting.hpp` `stable_sorted_order`, pandas `argsort(kind="stable")`.
pub fn argsort(keys: &[SortKey<'_>], exec: &Exec) -> Result<RowMap> {
    let rows = rows_of(keys)?;
    match exec.device() {
        Device::Host => host::argsort(keys, rows, exec),
        _ => cuda::argsort(keys, rows, exec),
    }
}

/// Rows in the order of keys.
#[derive(Clone, Debug)]
pub struct SortedKeys {
    /// The rows.
    pub rows: RowMap,
    /// The values of each key in their order; `None` for keys that have to be gathered.
    pub keys: Vec<Option<ColumnData>>,
}

/// [`argsort`], and the values of keys in sorted order where the sort has them at hand: on the host, of keys of up to 64
/// bits in total but bits and constant ones, and of a sole key of strings that differ only in their lengths and in eight bytes
/// after what all begin with, as far as the bits that vary and a row number fit 64 bits.
///
/// # Errors
/// Those of [`argsort`].
///
/// # Device
/// As [`argsort`]. On the host sorted items take 32 bytes a row for keys that leave no space for a row number in 64 bits,
/// 16 bytes for others.
///
/// # Source
/// `cudf/sorting.hpp` `stable_sort`.
pub fn argsort_with_keys(keys: &[SortKey<'_>], exec: &Exec) -> Result<SortedKeys> {
    let rows = rows_of(keys)?;
    if exec.device() == Device::Host {
        let restored = restored::sort(keys, rows, exec)?;
        let sorted = if restored.is_some() { restored } else { restored_strings::sort(keys, exec)? };
        if let Some(sorted) = sorted {
            return Ok(sorted);
        }
    }
    Ok(SortedKeys { rows: argsort(keys, exec)?, keys: vec![None; keys.len()] })
}

/// The number of rows of keys.
fn rows_of(keys: &[SortKey<'_>]) -> Result<usize> {
    let Some((first, rest)) = keys.split_first() else {
        return Err(Error::InvalidArgument { name: "keys", reason: "there are none" });
    };
    let rows = first.view.len();
    match rest.iter().find(|key| key.view.len() != rows) {
        Some(other) => Err(Error::LengthMismatch { left: rows, right: other.view.len() }),
        None => Ok(rows),
    }
}
