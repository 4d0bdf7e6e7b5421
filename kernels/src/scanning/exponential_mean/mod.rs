//! Running means whose weights fall exponentially.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// The weights of [`exponential_mean`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// What a row multiplies the weights of the values before it by, from 0 to 1.
    pub decay: f64,
    /// Whether rows without a value leave the weights as they are.
    pub ignores_nulls: bool,
    /// Rows with fewer values up to them are null; 0 is as 1.
    pub min_values: u64,
}

/// For each row the weighted mean of the values of its range up to it: the value of a row has the weight 1, which each row
/// after it multiplies by the decay.
///
/// ```text
/// decay 0.5   values  4 1 - 7      starts  0 0 0 3      result  4 2 2 7
/// ```
///
/// # Shapes and units
/// values: n rows of `F64`, of which nulls and NaN are no values; starts: n rows of `I64`, the first row of the range of
/// each row, null for rows of no range; without them all rows are one range → n rows of `F64`, null where there are fewer
/// values than asked for, and for rows of no range.
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// On the host one row after the other. On a device one launch, which reads the inputs once: blocks wait for those before
/// them. The last bits of a row may differ from the host's; they are the same in every run. Does not synchronise.
///
/// # Source
/// pandas `Series.ewm(adjust=True).mean`, Polars `Expr.ewm_mean`.
pub fn exponential_mean(
    values: &Fixed<'_>,
    starts: Option<&Fixed<'_>>,
    weights: Weights,
    exec: &Exec,
) -> Result<FixedData> {
    for (column, storage) in [(Some(values), Storage::F64), (starts, Storage::I64)] {
        let Some(column) = column else { continue };
        if column.storage != storage {
            return Err(Error::UnsupportedStorage { storage: column.storage });
        }
        if column.len != values.len {
            return Err(Error::LengthMismatch { left: values.len, right: column.len });
        }
    }
    match exec.device() {
        Device::Host => host::exponential_mean(values, starts, weights, exec),
        _ => cuda::exponential_mean(values, starts, weights, exec),
    }
}
