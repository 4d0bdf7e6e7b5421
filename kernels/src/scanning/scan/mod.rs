//! Running aggregations.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::aggregation::Aggregation;
use crate::elementwise::validity;
use crate::{Bits, Error, Fixed, FixedData, Result, Storage, bits::combine};
use columnade_buffers::{Buffer, Device, Exec};

/// Whether a row is among the rows up to itself. The discriminants are the ones that `scan.cu` sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum ScanRange {
    /// It is.
    Inclusive = 0,
    /// Only the rows before it are.
    Exclusive = 1,
}

/// Row `i` of the result is the aggregation of the rows of `input` up to row `i` that are not null.
///
/// ```text
/// input            3 null 4      sum  3 null 7      exclusive sum  0 null 3      exclusive max  null null 3
/// ```
/// A null row stays null, does not enter and does not start anew; an exclusive extreme or mean is null as long as
/// there is no value before it. Extremes skip NaN unless there was nothing else. Sums of floats are accumulated in [`Storage::F64`], in an order that depends on nothing but
/// the number of rows.
///
/// # Shapes and units
/// input: n rows of any storage type → n rows of [`Aggregation::output`].
///
/// # Device
/// One launch, which reads the input once: blocks wait for those before them. Sums of integers in 64 bits take two. Does not
/// synchronise, except to detect overflow of sums of `I128`.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for [`Aggregation::SumWide`] of floats, and for halves of anything but `I128`;
/// [`Error::Overflow`] for a sum of `I128` of more than 38 digits, in the row of a value.
///
/// # Source
/// cudf/reduction.hpp `scan`, pandas `cumsum`, `cummin`, `cummax`.
pub fn scan(aggregation: Aggregation, range: ScanRange, input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    run(aggregation, range, input, None, exec)
}

/// Like [`scan`], within segments of rows: a segment begins at each set bit of `starts`, and at the first row.
///
/// ```text
/// input            3 null 4 5      starts  0 0 1 0      sum  3 null 4 9      exclusive sum  0 null 0 4
/// ```
///
/// # Shapes and units
/// input: n rows of any storage type; starts: n bits → n rows of [`Aggregation::output`].
///
/// # Errors
/// Those of [`scan`]; [`Error::LengthMismatch`].
///
/// # Device
/// As [`scan`]; reads one bit more a row.
///
/// # Source
/// cudf/groupby.hpp `groupby::scan`, pandas `GroupBy.cumsum`, `cummin`, `cummax`.
pub fn segmented_scan(
    aggregation: Aggregation,
    range: ScanRange,
    input: &Fixed<'_>,
    starts: Bits<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    if starts.len != input.len {
        return Err(Error::LengthMismatch { left: input.len, right: starts.len });
    }
    run(aggregation, range, input, Some(starts), exec)
}

fn run(
    aggregation: Aggregation,
    range: ScanRange,
    input: &Fixed<'_>,
    starts: Option<Bits<'_>>,
    exec: &Exec,
) -> Result<FixedData> {
    let Some(storage) = aggregation.output(input.storage) else {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    };
    if !aggregation.reads_values() {
        // Counting rows is summing bits: those of the mask, or ones.
        let ones;
        let (data, offset) = match input.validity {
            Some(mask) if aggregation == Aggregation::Count => (mask, input.offset),
            _ => {
                let zeros = Buffer::zeroed(input.len.div_ceil(8), exec)?;
                ones = combine::not(Bits { buffer: &zeros, offset: 0, len: input.len }, exec)?;
                (&ones, 0)
            }
        };
        let valid = Fixed { storage: Storage::Bit, data, validity: None, offset, len: input.len };
        let counts = run(Aggregation::Sum, range, &valid, starts, exec)?;
        return Ok(FixedData { validity: validity::intersect(&[input.validity_bits()], exec)?, ..counts });
    }
    let running = match exec.device() {
        Device::Host => host::scan(aggregation, range, input, starts, exec)?,
        _ => cuda::scan(aggregation, range, input, starts, storage, exec)?,
    };
    let started = running.validity.as_ref().map(|buffer| Bits { buffer, offset: 0, len: input.len });
    let validity = validity::intersect(&[started, input.validity_bits()], exec)?;
    Ok(FixedData { validity, ..running })
}
