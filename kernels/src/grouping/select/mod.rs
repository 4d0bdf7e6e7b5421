//! Values of groups by their order, without sorting all rows.

mod cuda;
mod host;
mod order_key;
#[cfg(test)]
mod tests;

use crate::grouping::group_ids::Groups;
use crate::keys::device_row_width;
use crate::{Error, Fixed, FixedData, Result, RowWidth, Storage};
use columnade_buffers::{Device, Exec};

/// The most rows of a group that [`top_rows`] keeps.
pub const MOST_TOP_ROWS: usize = 16;

/// Rows of groups, one group after the other.
#[derive(Clone, Debug)]
pub struct TopRows {
    /// The rows, [`Storage::I64`].
    pub rows: FixedData,
    /// The number of rows of each group, [`Storage::I64`].
    pub lengths: FixedData,
}

/// Whether values can be selected; of other types, rows are sorted.
fn is_selected(groups: &Groups, values: &Fixed<'_>, exec: &Exec) -> Result<bool> {
    if groups.ids.len != values.len {
        return Err(Error::LengthMismatch { left: groups.ids.len, right: values.len });
    }
    let is_word = !matches!(values.storage, Storage::Bit | Storage::I128);
    let width = match exec.device() {
        Device::Host => RowWidth::for_rows(values.len),
        _ => device_row_width(values.len.max(groups.len())),
    };
    Ok(is_word && width == RowWidth::U32)
}

/// For each of `positions`, one a group, the value at that position of the sorted values of the group; null where the
/// position is, and where the group has no more values than that.
///
/// `None` where it is not implemented: for bits and 128-bit integers, for values with NaN or −0.0, whose order depends on the
/// rows, and on a device without groups and for groups of more than 65,536 rows.
///
/// ```text
/// ids  0 0 1 0      values  3 null 7 2      positions  1 0 → 3 7
/// ```
///
/// # Shapes and units
/// values: n rows; positions: columns of [`Storage::I64`], a row for each group → as many columns of the values' type.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for other positions; [`Error::Memory`].
///
/// # Device
/// On the host a counting sort of the values by group, then selection within each group, which is in a cache. On a device a
/// radix sort by group, of as many bits as numbers of groups have, then selection by the bits of the values: a warp for a
/// group of up to 256 rows, which reads them once, a block for more, which reads them once up to 2,048 rows and else for each
/// byte of a value. One synchronisation.
///
/// # Source
/// Hoare's quickselect; T. Alabi et al., "Fast k-selection algorithms for graphics processing units" (2012); pandas
/// `GroupBy.quantile` sorts.
pub fn nth_smallest(
    groups: &Groups,
    values: &Fixed<'_>,
    positions: &[Fixed<'_>],
    exec: &Exec,
) -> Result<Option<Vec<FixedData>>> {
    for position in positions {
        if position.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: position.storage });
        }
        if position.len != groups.len() {
            return Err(Error::LengthMismatch { left: groups.len(), right: position.len });
        }
    }
    if !is_selected(groups, values, exec)? {
        return Ok(None);
    }
    match exec.device() {
        Device::Host => host::nth_smallest(groups, values, positions, exec),
        _ => cuda::nth_smallest(groups, values, positions, exec),
    }
}

/// The rows of the `k` largest values of each group in descending order, or of the smallest in ascending order; of equal
/// values those of earlier rows. Nulls are skipped.
///
/// `None` where it is not implemented: on a device, as for [`nth_smallest`], and for more than [`MOST_TOP_ROWS`] rows.
///
/// # Shapes and units
/// values: n rows → up to `k` rows for each group.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// Host: one pass, which keeps the best rows of each group so far.
///
/// # Source
/// Polars `top_k`, pandas `GroupBy.nlargest`.
pub fn top_rows(
    groups: &Groups,
    values: &Fixed<'_>,
    k: usize,
    largest: bool,
    exec: &Exec,
) -> Result<Option<TopRows>> {
    if k <= MOST_TOP_ROWS && is_selected(groups, values, exec)? && exec.device() == Device::Host {
        host::top_rows(groups, values, k, largest, exec)
    } else {
        Ok(None)
    }
}
