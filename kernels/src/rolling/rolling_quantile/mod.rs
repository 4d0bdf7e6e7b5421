//! Quantiles of windows.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

pub use super::windows::{WindowBounds, Windows};
use crate::{Error, Fixed, FixedData, Result, RowMap, Storage};
use columnade_buffers::{Device, Exec};

/// Between which two values of a window its quantile lies.
#[derive(Debug)]
pub struct RollingQuantile {
    /// The number of the value at or below it, `I64`; null for a window that is null or has no values.
    pub low: FixedData,
    /// The number of the value at or above it, `I64`; null as `low`.
    pub high: FixedData,
    /// Where it lies among the sorted values of the window, counted from 0: between `low` and `high` unless it is whole.
    /// `F64`; null as `low`.
    pub place: FixedData,
}

/// The quantile of the rows of each window that are not null, by the order of the rows.
///
/// `order` has the number of each row among the sorted rows, from 0 to n − 1, of which no two are equal. The quantile lies
/// at `(values − 1) · q` of the sorted values of its window.
///
/// ```text
/// order            2 0 null 1      windows  0..2 0..4      q 0.75      low  0 1      high  2 2      place  0.75 1.5
/// ```
///
/// # Shapes and units
/// order: n rows of `I64`; windows: m → three columns of m rows.
///
/// # Errors
/// [`Error::InvalidArgument`] for `q` outside 0 to 1; [`Error::UnsupportedStorage`], [`Error::LengthMismatch`].
///
/// # Device
/// On the host a binary indexed tree over the sorted rows of a range, two updates and two searches a row. On a device a
/// wavelet matrix of the numbers, one step for each of their bits a window, whatever its length. A block of 256 windows
/// whose rows span at most 2,048 (half as many from 2³¹ rows on) reads each row once and has its matrix in shared memory;
/// one of all rows, a launch a bit and n · bits / 4 bytes, is made if other blocks need it. Synchronises once if
/// there are more rows.
///
/// # Source
/// pandas `Rolling.quantile`; P. M. Fenwick, "A new data structure for cumulative frequency tables" (1994); F. Claude and
/// G. Navarro, "The wavelet matrix" (2012).
pub fn rolling_quantile(
    order: &Fixed<'_>,
    windows: &Windows<'_>,
    q: f64,
    exec: &Exec,
) -> Result<RollingQuantile> {
    check_share(q)?;
    if order.storage != Storage::I64 {
        return Err(Error::UnsupportedStorage { storage: order.storage });
    }
    let len = windows.len(order.len)?;
    match exec.device() {
        Device::Host => host::rolling_quantile(order, windows, q, len, exec),
        _ => cuda::rolling_quantile(order, windows, q, len, exec),
    }
}

/// What a quantile between two values is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Interpolation {
    /// In proportion.
    Linear = 0,
    /// The value below it.
    Lower = 1,
    /// The value above it.
    Higher = 2,
    /// The nearer of both; half way the one of even place.
    Nearest = 3,
    /// Half way.
    Midpoint = 4,
}

/// The rows whose values a quantile of a window lies between.
#[derive(Debug)]
pub struct QuantileRows {
    /// The row of the lower value; none for a window that is null.
    pub low: RowMap,
    /// The row of the upper value; `low` where the quantile is a value.
    pub high: RowMap,
    /// How far from the lower to the upper value it is, from 0 to 1: `F64` without nulls, of any value for a null window.
    pub share: FixedData,
}

/// [`rolling_quantile`] by the values themselves, without the order of all of them.
///
/// `None` where it is not implemented: on the host, for values of other types than numbers of up to 64 bits, and if windows
/// that are next to each other have too many rows for a block.
///
/// # Shapes and units
/// values: n rows of which nulls are left out; NaNs are the greatest and equal, and zeros are equal; windows: m → m rows.
///
/// # Errors
/// [`Error::InvalidArgument`] for `q` outside 0 to 1; [`Error::UnsupportedStorage`] and [`Error::LengthMismatch`] of bounds;
/// [`Error::Memory`].
///
/// # Device
/// One launch: a block of 256 windows, whose rows span at most 2,048, reads them once, sorts them in shared memory and makes
/// a wavelet matrix of their order there. Synchronises once if there are more rows. Whether windows of a number of rows are
/// too long is known without a launch.
///
/// # Source
/// pandas `Rolling.quantile`; as [`rolling_quantile`].
pub fn rolling_quantile_rows(
    values: &Fixed<'_>,
    windows: &Windows<'_>,
    q: f64,
    interpolation: Interpolation,
    exec: &Exec,
) -> Result<Option<QuantileRows>> {
    check_share(q)?;
    let len = windows.len(values.len)?;
    let is_word = !matches!(values.storage, Storage::Bit | Storage::I128);
    if exec.device() == Device::Host || !is_word {
        return Ok(None);
    }
    cuda::rolling_quantile_rows(values, windows, q, interpolation, len, exec)
}

fn check_share(q: f64) -> Result<()> {
    if (0.0..=1.0).contains(&q) {
        return Ok(());
    }
    Err(Error::InvalidArgument { name: "q", reason: "a quantile is between 0 and 1" })
}
