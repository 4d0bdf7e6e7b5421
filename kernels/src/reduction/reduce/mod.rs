//! One value of all rows of a column.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::aggregation::Aggregation;
use crate::filling::fill::fill;
use crate::{Error, Fixed, FixedData, Result, Storage, Value};
use columnade_buffers::{Device, Exec};

/// One row that stays on the device: the aggregation of all rows of `input`.
///
/// Sums of floats are accumulated in [`Storage::F64`], in an order that depends on nothing but the number of rows:
/// the same bytes on one kind of device, whatever the number of threads. Bits count as 0 and 1.
///
/// # Shapes and units
/// input: n rows of any storage type → one row of [`Aggregation::output`], with a mask for those aggregations that
/// may be null.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for [`Aggregation::SumWide`] of floats, and for halves of anything but `I128`;
/// [`Error::Overflow`] for a sum of `I128` of more than 38 digits, and for a mean of such a sum.
///
/// # Device
/// Two launches: partial results of tiles of fixed size, then those in their order. Does not synchronise, except to detect
/// overflow of sums of `I128`.
///
/// # Source
/// cudf/reduction.hpp `reduce`, pandas `Series.sum` and its kin.
pub fn reduce(aggregation: Aggregation, input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    let Some(storage) = aggregation.output(input.storage) else {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    };
    match (aggregation, input.validity) {
        (Aggregation::Count, Some(mask)) => {
            // The number of valid rows is the sum of their validity bits.
            let valid = Fixed { storage: Storage::Bit, data: mask, validity: None, ..*input };
            return reduce(Aggregation::Sum, &valid, exec);
        }
        (Aggregation::Count, None) | (Aggregation::Size, _) => {
            return fill(Value::I64(input.len as i64), 1, exec);
        }
        _ => {}
    }
    match exec.device() {
        Device::Host => host::reduce(aggregation, input, exec),
        _ => cuda::reduce(aggregation, input, storage, exec),
    }
}
