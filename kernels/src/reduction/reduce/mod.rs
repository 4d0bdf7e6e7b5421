//! One value of all rows of a column.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Buffer, Device, Exec};

/// What to make of all rows that are not null. The discriminants are the ones that `reduce.cu` sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Reduction {
    /// The sum; of integers in 64 bits with the sign of the input, where it wraps around. Empty: 0.
    Sum = 0,
    /// The sum of integers in 128 bits, for decimals. Empty: 0.
    SumWide = 1,
    /// The least value, NaNs left out unless there is nothing else; −0.0 is below 0.0. Empty: null.
    Min = 2,
    /// The greatest value, NaNs left out unless there is nothing else; −0.0 is below 0.0. Empty: null.
    Max = 3,
    /// How many rows are not null.
    Count = 4,
    /// The mean, of integers from their exact sum. Empty: null.
    Mean = 5,
}

impl Reduction {
    /// Every reduction.
    pub const ALL: [Reduction; 6] = [
        Reduction::Sum,
        Reduction::SumWide,
        Reduction::Min,
        Reduction::Max,
        Reduction::Count,
        Reduction::Mean,
    ];

    /// How the result over values of `input` is stored; `None` where there is none.
    pub const fn output(self, input: Storage) -> Option<Storage> {
        match self {
            Reduction::Sum => Some(match input {
                Storage::F32 | Storage::F64 | Storage::I128 => input,
                Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64 => Storage::U64,
                _ => Storage::I64,
            }),
            Reduction::SumWide => {
                if input.is_float() {
                    None
                } else {
                    Some(Storage::I128)
                }
            }
            Reduction::Min | Reduction::Max => Some(input),
            Reduction::Count => Some(Storage::I64),
            Reduction::Mean => Some(Storage::F64),
        }
    }

    /// Whether nothing but nulls gives a null.
    pub const fn nulls_empty(self) -> bool {
        matches!(self, Reduction::Min | Reduction::Max | Reduction::Mean)
    }
}

/// One row that stays on the device: the reduction of all rows of `input` that are not null.
///
/// Sums of floats are accumulated in [`Storage::F64`], in an order that depends on nothing but the number of rows:
/// the same bytes on one kind of device, whatever the number of threads. Bits count as 0 and 1.
///
/// # Shapes and units
/// input: n rows of any storage type → one row of [`Reduction::output`], with a mask for those reductions that may
/// be null.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for [`Reduction::SumWide`] of floats.
///
/// # Device
/// Two launches: partial results of tiles of fixed size, then those in their order. Does not synchronise.
///
/// # Source
/// cudf/reduction.hpp `reduce`, pandas `Series.sum` and its kin.
pub fn reduce(reduction: Reduction, input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    let Some(storage) = reduction.output(input.storage) else {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    };
    if reduction == Reduction::Count {
        // The number of valid rows is the sum of their validity bits.
        return if let Some(mask) = input.validity {
            let valid = Fixed { storage: Storage::Bit, data: mask, validity: None, ..*input };
            reduce(Reduction::Sum, &valid, exec)
        } else {
            let data = Buffer::from_slice(&[input.len as i64], exec)?;
            Ok(FixedData { storage, len: 1, data, validity: None })
        };
    }
    match exec.device() {
        Device::Host => host::reduce(reduction, input, storage, exec),
        _ => cuda::reduce(reduction, input, storage, exec),
    }
}
