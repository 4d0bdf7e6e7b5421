//! Aggregations of windows: ranges of rows, each given by its bounds.

mod cuda;
mod host;
mod monoid;
#[cfg(test)]
mod tests;

pub use super::windows::{WindowBounds, Windows};
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// What is computed of the rows of a window that are not null. `rolling_window.cu` has the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowAggregation {
    /// The sum: of 64-bit integers it wraps around, of `I128` it is exact and an error beyond 38 digits.
    Sum,
    /// The least value; NaN only of NaNs.
    Min,
    /// The greatest value; NaN only of NaNs.
    Max,
    /// The product, as [`WindowAggregation::Sum`].
    Product,
    /// The sum divided by the number of values, of `F64`.
    Mean,
    /// The sum of squared deviations from the mean, divided by the number of values less `ddof`, of `F64`; null if that is
    /// not positive.
    Variance {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// The skewness, corrected for bias, of `F64`; null for fewer than three values, and for equal ones.
    Skewness,
    /// The excess kurtosis, corrected for bias, of `F64`; null for fewer than four values, and for equal ones.
    Kurtosis,
}

impl WindowAggregation {
    /// All of them.
    pub const ALL: [WindowAggregation; 8] = [
        WindowAggregation::Sum,
        WindowAggregation::Min,
        WindowAggregation::Max,
        WindowAggregation::Product,
        WindowAggregation::Mean,
        WindowAggregation::Variance { ddof: 1 },
        WindowAggregation::Skewness,
        WindowAggregation::Kurtosis,
    ];

    /// Its number in `rolling_window.cu`, and the degrees of freedom.
    const fn code(self) -> (i32, u32) {
        match self {
            WindowAggregation::Sum => (0, 0),
            WindowAggregation::Min => (1, 0),
            WindowAggregation::Max => (2, 0),
            WindowAggregation::Product => (3, 0),
            WindowAggregation::Mean => (4, 0),
            WindowAggregation::Variance { ddof } => (5, ddof),
            WindowAggregation::Skewness => (6, 0),
            WindowAggregation::Kurtosis => (7, 0),
        }
    }

    /// Without as many values there is no result.
    fn least_values(self) -> u64 {
        match self {
            WindowAggregation::Variance { ddof } => u64::from(ddof) + 1,
            WindowAggregation::Skewness => 3,
            WindowAggregation::Kurtosis => 4,
            WindowAggregation::Sum
            | WindowAggregation::Min
            | WindowAggregation::Max
            | WindowAggregation::Product
            | WindowAggregation::Mean => 0,
        }
    }

    /// Whether values of `storage` are supported; the result has the same storage type.
    pub const fn supports(self, storage: Storage) -> bool {
        match self {
            WindowAggregation::Mean
            | WindowAggregation::Variance { .. }
            | WindowAggregation::Skewness
            | WindowAggregation::Kurtosis => matches!(storage, Storage::F64),
            _ => matches!(storage, Storage::I64 | Storage::U64 | Storage::I128 | Storage::F64),
        }
    }
}

/// The aggregation of the rows of each window.
///
/// ```text
/// values           1 null 3 4      windows  0..1 0..2 1..3 1..4      sum  1 1 3 7      sum, min_values 2  null null null 7
/// ```
/// A window depends on its own rows alone: no row is subtracted again, so that sums of floats do not drift, and a NaN or a
/// huge value has no effect on the windows after it. Without values a sum is 0, a product 1, and an extreme any value: set
/// `min_values`.
///
/// # Shapes and units
/// values: n rows; windows: m → m rows of the same storage type.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for what [`WindowAggregation::supports`] denies; [`Error::Overflow`] for a sum or product of
/// `I128` of more than 38 digits in a window that is not null; [`Error::LengthMismatch`].
///
/// # Device
/// On the host linear in rows and windows if the bounds do not decrease: two stacks of partial results. On a device one
/// thread a window merges the nodes of a tree of partial results. A block of 256 windows whose rows span at most 512 (half
/// as many of `I128`) reads each row once and has its tree in shared memory; a tree over all rows, one launch a level, is
/// made if other blocks need it. Synchronises once if there are more rows, and once to detect overflow of `I128`.
///
/// # Source
/// cudf/rolling.hpp `rolling_window`, pandas `Rolling`; K. Tangwongsan, M. Hirzel and S. Schneider, "Low-latency
/// sliding-window aggregation in worst-case constant time" (2017).
pub fn rolling_window(
    aggregation: WindowAggregation,
    values: &Fixed<'_>,
    windows: &Windows<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    if !aggregation.supports(values.storage) {
        return Err(Error::UnsupportedStorage { storage: values.storage });
    }
    let len = windows.len(values.len)?;
    let windows = Windows { min_values: windows.min_values.max(aggregation.least_values()), ..*windows };
    match exec.device() {
        Device::Host => host::rolling_window(aggregation, values, &windows, len, exec),
        _ => cuda::rolling_window(aggregation, values, &windows, len, exec),
    }
}
