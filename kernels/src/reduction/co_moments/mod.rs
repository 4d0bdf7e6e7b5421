//! Sums of the products of pairs of columns.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::limits::require_memory;
use crate::{Error, Fixed, FixedData, Result, Storage, View, access};
use columnade_buffers::{Device, Exec};

/// Rows whose products are added up one after the other. Sums of them are added to those of a segment, so that the error of
/// rounding does not grow with the rows.
const TILE_ROWS: usize = 256;

/// Rows of a segment, at least.
const LEAST_SEGMENT_ROWS: usize = 1024;

/// The most segments, and the most sums of segments of one kind: 2 MiB.
const MOST_SEGMENTS: usize = 2048;
const MOST_SUMS: usize = 1 << 18;

/// Sums over the rows where both columns of a pair are valid, of the deviations `x` of the first and `y` of the second from
/// their centers. Each is a column of [`Storage::F64`] with a row for each pair, at [`pair_row`], where `x` belongs to
/// `i`.
#[derive(Debug)]
pub struct CoMoments {
    /// The number of rows.
    pub n: FixedData,
    /// The sum of `x`.
    pub x: FixedData,
    /// The sum of `y`.
    pub y: FixedData,
    /// The sum of `x` squared.
    pub xx: FixedData,
    /// The sum of `y` squared.
    pub yy: FixedData,
    /// The sum of the products of `x` and `y`.
    pub xy: FixedData,
}

/// The row of a pair of columns `j <= i`, which is also the number of pairs of the columns before `i` where `j` is 0.
pub fn pair_row(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// The columns of the pair in a row.
pub fn pair_columns(row: usize) -> (usize, usize) {
    let i = (2 * row).isqrt();
    let i = if pair_row(i, 0) > row { i - 1 } else { i };
    (i, row - pair_row(i, 0))
}

/// How many pairs `columns` columns have, each with itself included; `None` if `usize` does not hold it.
fn pairs(columns: usize) -> Option<usize> {
    columns.checked_mul(columns.checked_add(1)?).map(|twice| twice / 2)
}

/// Rows of a segment, whose sums are made on their own and added up in their order: the same on each device.
fn segment_rows(rows: usize, pairs: usize) -> usize {
    let most = (MOST_SUMS / pairs.max(1)).clamp(1, MOST_SEGMENTS);
    let segments = rows.div_ceil(LEAST_SEGMENT_ROWS).clamp(1, most);
    rows.div_ceil(segments).max(1).next_multiple_of(TILE_ROWS)
}

/// The [co-moments](CoMoments) of all pairs of `columns`, as deviations from `centers`: those that are near to the means make
/// sums that lose nothing when the means are taken out of them.
///
/// A value that is not finite makes the sums of its column NaN, or infinite, where the other column of the pair is null too.
///
/// # Shapes and units
/// columns: k of n rows of [`Storage::F64`]; centers: k rows of [`Storage::F64`], where null is 0 → six of k (k + 1) / 2 rows
/// without nulls.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for other columns or centers; [`Error::Memory`].
///
/// # Device
/// Host: blocks of 8 columns by 8, each column read once for 64 others. A device reads each column once for 16 others, by one
/// launch for 32 columns by 32, and adds the sums of segments by one more. The same bytes on each device, for any number of
/// threads. Does not synchronise.
///
/// # Source
/// The one-pass products of T. F. Chan and others, "Algorithms for Computing the Sample Variance" (1983),
/// of shifted data.
pub fn co_moments(columns: &[Fixed<'_>], centers: &Fixed<'_>, exec: &Exec) -> Result<CoMoments> {
    for column in columns.iter().chain([centers]) {
        if column.storage != Storage::F64 {
            return Err(Error::UnsupportedStorage { storage: column.storage });
        }
    }
    if centers.len != columns.len() {
        return Err(Error::LengthMismatch { left: columns.len(), right: centers.len });
    }
    let rows = columns.first().map_or(0, |column| column.len);
    if let Some(other) = columns.iter().find(|column| column.len != rows) {
        return Err(Error::LengthMismatch { left: rows, right: other.len });
    }
    let count = pairs(columns.len()).unwrap_or(usize::MAX);
    require_memory(count.saturating_mul(size_of::<f64>()), exec)?;
    let shape = Shape {
        rows,
        pairs: count,
        segment_rows: segment_rows(rows, count),
        is_masked: columns.iter().any(|column| column.validity.is_some()),
    };
    let views: Vec<View<'_>> = columns.iter().chain([centers]).map(|column| View::Fixed(*column)).collect();
    let guards = access(&views, exec)?;
    let Some((centers, columns)) = guards.split_last() else {
        return Err(Error::Internal { invariant: "each view has a guard" });
    };
    let [n, x, y, xx, yy, xy] = match exec.device() {
        Device::Host => host::co_moments(columns, centers, shape, exec)?,
        _ => cuda::co_moments(columns, centers, shape, exec)?,
    }
    .map(|data| FixedData { storage: Storage::F64, len: count, data, validity: None });
    Ok(CoMoments { n, x, y, xx, yy, xy })
}

/// What is known of a call.
#[derive(Clone, Copy)]
struct Shape {
    rows: usize,
    pairs: usize,
    segment_rows: usize,
    /// Whether a column has a mask: only then do pairs have sums of their own besides that of the products.
    is_masked: bool,
}

impl Shape {
    fn segments(self) -> usize {
        self.rows.div_ceil(self.segment_rows).max(1)
    }
}
