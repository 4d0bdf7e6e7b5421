//! Keeps the rows that a boolean column selects.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Bits, ColumnData, Error, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// Keeps the rows of each of `views` whose bit in `keep` is set, in order. A row whose `keep_validity` bit is
/// not set is dropped: a null condition drops the row.
///
/// ```text
/// view  a b c d      keep  1 0 1 1      keep_validity  1 1 0 1      result  a d
/// ```
/// The selection is counted once for all columns.
///
/// # Shapes and units
/// `views`: n rows each, of any storage type; `keep`, `keep_validity`: n bits → as many rows as are kept.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::Memory`].
///
/// # Device
/// At most four launches for the values and masks of up to 64 columns without strings, and one synchronisation for the
/// number of kept rows; one more per string column. If few rows are kept, only the selection and the sectors with kept
/// rows are read.
///
/// # Source
/// `cudf/stream_compaction.hpp` `apply_boolean_mask`.
pub fn filter(
    views: &[View<'_>],
    keep: Bits<'_>,
    keep_validity: Option<Bits<'_>>,
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    for rows in views.iter().map(View::len).chain(keep_validity.map(|bits| bits.len)) {
        if rows != keep.len {
            return Err(Error::LengthMismatch { left: rows, right: keep.len });
        }
    }
    match exec.device() {
        Device::Host => host::filter(views, keep, keep_validity, exec),
        _ => cuda::filter(views, keep, keep_validity, exec),
    }
}

/// The row numbers that [`filter`] would keep.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::Memory`].
///
/// # Device
/// One synchronisation, for the number of kept rows.
pub fn row_map(keep: Bits<'_>, keep_validity: Option<Bits<'_>>, exec: &Exec) -> Result<RowMap> {
    if let Some(validity) = keep_validity
        && validity.len != keep.len
    {
        return Err(Error::LengthMismatch { left: validity.len, right: keep.len });
    }
    match exec.device() {
        Device::Host => host::row_map(keep, keep_validity, exec),
        _ => cuda::row_map(keep, keep_validity, exec),
    }
}
