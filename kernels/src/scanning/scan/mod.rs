//! Running sums, extremes and counts.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::elementwise::validity;
use crate::reduction::reduce::Reduction;
use crate::{Bits, Fixed, FixedData, Result, Storage, bits::combine};
use columnade_buffers::{Buffer, Device, Exec};

/// What to make of the rows up to each row. The discriminants are the ones that `scan.cu` sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum ScanOp {
    /// Their sum, stored as that of [`Reduction::Sum`].
    Sum = 0,
    /// The least of them, as that of [`Reduction::Min`].
    Min = 1,
    /// The greatest of them, as that of [`Reduction::Max`].
    Max = 2,
    /// How many are not null.
    Count = 3,
}

impl ScanOp {
    /// Every operation.
    pub const ALL: [ScanOp; 4] = [ScanOp::Sum, ScanOp::Min, ScanOp::Max, ScanOp::Count];

    /// How the result over values of `input` is stored.
    pub const fn output(self, input: Storage) -> Storage {
        let reduction = match self {
            ScanOp::Sum => Reduction::Sum,
            ScanOp::Min | ScanOp::Max => return input,
            ScanOp::Count => Reduction::Count,
        };
        match reduction.output(input) {
            Some(storage) => storage,
            None => input,
        }
    }
}

/// Whether a row is among the rows up to itself. The discriminants are the ones that `scan.cu` sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum ScanRange {
    /// It is.
    Inclusive = 0,
    /// Only the rows before it are.
    Exclusive = 1,
}

/// Row `i` of the result is `op` over the rows of `input` up to row `i` that are not null.
///
/// ```text
/// input            3 null 4      sum  3 null 7      exclusive sum  0 null 3      exclusive max  null null 3
/// ```
/// A null row stays null, does not enter and does not start anew; an exclusive extreme is null as long as there is
/// no value before it. Sums of floats are accumulated in [`Storage::F64`], in an order that depends on nothing but
/// the number of rows.
///
/// # Shapes and units
/// input: n rows of any storage type → n rows of [`ScanOp::output`].
///
/// # Device
/// Three launches: tiles, what stands before each tile, rows. Does not synchronise.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Source
/// cudf/reduction.hpp `scan`, pandas `cumsum`, `cummin`, `cummax`.
pub fn scan(op: ScanOp, range: ScanRange, input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    let storage = op.output(input.storage);
    if op == ScanOp::Count {
        // Counting valid rows is summing their validity bits.
        let ones;
        let (data, offset) = if let Some(mask) = input.validity {
            (mask, input.offset)
        } else {
            let zeros = Buffer::zeroed(input.len.div_ceil(8), exec)?;
            ones = combine::not(Bits { buffer: &zeros, offset: 0, len: input.len }, exec)?;
            (&ones, 0)
        };
        let valid = Fixed { storage: Storage::Bit, data, validity: None, offset, len: input.len };
        let counts = scan(ScanOp::Sum, range, &valid, exec)?;
        return Ok(FixedData { validity: validity::intersect(&[input.validity_bits()], exec)?, ..counts });
    }
    let (data, started) = match exec.device() {
        Device::Host => host::scan(op, range, input, storage, exec)?,
        _ => cuda::scan(op, range, input, storage, exec)?,
    };
    let started = started.as_ref().map(|buffer| Bits { buffer, offset: 0, len: input.len });
    let validity = validity::intersect(&[started, input.validity_bits()], exec)?;
    Ok(FixedData { storage, len: input.len, data, validity })
}

/// Whether rows may have nothing before them that the result could be.
const fn may_be_empty(op: ScanOp, range: ScanRange) -> bool {
    matches!(op, ScanOp::Min | ScanOp::Max) && matches!(range, ScanRange::Exclusive)
}
