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

/// [`reduce`] of several aggregations of one column, in their order.
///
/// On devices sums, means and extremes of values of at most 8 bytes, other than bits, read the column together, four
/// aggregations a pass. The results have the same bytes as those of [`reduce`].
///
/// # Errors
/// As of [`reduce`]; of an aggregation that fails, the error and its position.
pub fn reduce_each(
    aggregations: &[Aggregation],
    input: &Fixed<'_>,
    exec: &Exec,
) -> std::result::Result<Vec<FixedData>, (usize, Error)> {
    let shares = |aggregation: Aggregation| {
        use Aggregation::{Max, Mean, Min, Sum, SumWide};
        matches!(aggregation, Sum | SumWide | Mean | Min | Max)
            && !matches!(input.storage, Storage::Bit | Storage::I128)
    };
    let mut together = Vec::new();
    for (at, &aggregation) in aggregations.iter().enumerate().filter(|(_, it)| shares(**it)) {
        let unsupported = || (at, Error::UnsupportedStorage { storage: input.storage });
        together.push((at, (aggregation, aggregation.output(input.storage).ok_or_else(unsupported)?)));
    }
    if exec.device() == Device::Host || together.len() < 2 {
        together.clear();
    }
    let mut results: Vec<Option<FixedData>> = aggregations.iter().map(|_| None).collect();
    for pass in together.chunks(cuda::MOST_AGGREGATIONS) {
        let requests: Vec<_> = pass.iter().map(|&(_, request)| request).collect();
        let found = cuda::reduce_each(&requests, input, exec).map_err(|error| (pass[0].0, error))?;
        for (&(at, _), found) in pass.iter().zip(found) {
            results[at] = Some(found);
        }
    }
    let rest =
        results.into_iter().zip(aggregations).enumerate().map(|(at, (found, &aggregation))| match found {
            Some(found) => Ok(found),
            None => reduce(aggregation, input, exec).map_err(|error| (at, error)),
        });
    rest.collect()
}
