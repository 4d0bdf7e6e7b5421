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

/// [`reduce`] of several aggregations of one column, each with its position among all that are asked for. The results have
/// these positions, and are in no order.
///
/// On devices sums, means and extremes of values of at most 8 bytes, other than bits, read the column together, six
/// aggregations a pass, and the number of values is one of them where there is a mask. The results have the same bytes as
/// those of [`reduce`].
///
/// # Errors
/// As of [`reduce`]; of an aggregation that fails, its position and the error.
pub fn reduce_each(
    aggregations: &[(usize, Aggregation)],
    input: &Fixed<'_>,
    exec: &Exec,
) -> std::result::Result<Vec<(usize, FixedData)>, (usize, Error)> {
    use Aggregation::{Count, Max, Mean, Min, Sum, SumWide};
    let on_device = exec.device() != Device::Host && !matches!(input.storage, Storage::Bit | Storage::I128);
    let reads_values = |aggregation: Aggregation| matches!(aggregation, Sum | SumWide | Mean | Min | Max);
    let passes = aggregations.iter().any(|&(_, aggregation)| reads_values(aggregation));
    let shares = |aggregation: Aggregation| {
        reads_values(aggregation) || (aggregation == Count && input.validity.is_some() && passes)
    };
    let (mut together, mut alone): (Vec<_>, Vec<_>) =
        aggregations.iter().copied().partition(|&(_, aggregation)| on_device && shares(aggregation));
    if together.len() == 1 {
        alone.append(&mut together);
    }
    let mut results = Vec::new();
    for pass in together.chunks(cuda::ReducePolicy::MOST_AGGREGATIONS) {
        let outputs = pass.iter().map(|&(at, aggregation)| {
            let unsupported = || (at, Error::UnsupportedStorage { storage: input.storage });
            Ok((aggregation, aggregation.output(input.storage).ok_or_else(unsupported)?))
        });
        let outputs: Vec<_> = outputs.collect::<std::result::Result<_, _>>()?;
        let found = cuda::reduce_each(&outputs, input, exec).map_err(|error| (pass[0].0, error))?;
        results.extend(pass.iter().map(|&(at, _)| at).zip(found));
    }
    for (at, aggregation) in alone {
        results.push((at, reduce(aggregation, input, exec).map_err(|error| (at, error))?));
    }
    Ok(results)
}
