//! Rounds numbers to a number of decimals.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::overflow::{self, Checked};
use super::validity;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is `input[i]`, rounded to `decimals` digits after the point, or with a negative number to tens,
/// hundreds and so on; halves go to the even neighbour; null if `input[i]` is null.
///
/// A float is multiplied by the power of ten in [`Storage::F64`], rounded to an integer and divided again, as in NumPy. NaN
/// and infinities stay, as do floats without digits to round.
///
/// # Shapes and units
/// input: n rows of any storage type but bits → n rows of that type.
///
/// # Errors
/// [`Error::Overflow`] if a valid integer does not fit after rounding, of [`Storage::I128`] beyond 38 digits;
/// [`Error::UnsupportedStorage`] for bits.
///
/// # Device
/// One launch, and one for a mask; for integers one synchronisation to detect overflow.
///
/// # Source
/// pandas `Series.round`, NumPy `round`, cudf/round.hpp `round` with `HALF_EVEN`.
pub fn round(input: &Fixed<'_>, decimals: i32, exec: &Exec) -> Result<FixedData> {
    if exec.device() != Device::Host {
        return overflow::refuse(round_by_row(input, decimals, exec)?, exec);
    }
    check(input)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    let data = host::round(input, decimals, exec)?;
    Ok(FixedData { storage: input.storage, len: input.len, data, validity })
}

/// [`round`] on a device, with the rows that overflow.
pub(crate) fn round_by_row(input: &Fixed<'_>, decimals: i32, exec: &Exec) -> Result<Checked> {
    check(input)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    let (data, overflow) = cuda::round(input, decimals, exec)?;
    Ok((FixedData { storage: input.storage, len: input.len, data, validity }, overflow))
}

fn check(input: &Fixed<'_>) -> Result<()> {
    match input.storage {
        Storage::Bit => Err(Error::UnsupportedStorage { storage: input.storage }),
        _ => Ok(()),
    }
}

/// By what floats are scaled.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    /// The power of ten, infinity where it is larger than every float.
    pub(crate) factor: f64,
    /// Whether digits after the point are kept, so that floats are multiplied.
    pub(crate) up: bool,
}

impl Scale {
    pub(crate) fn new(decimals: i32) -> Self {
        // Powers as functions compute them are not the nearest floats beyond 22 digits.
        let factor = format!("1e{}", decimals.unsigned_abs()).parse().unwrap_or(f64::INFINITY);
        Self { factor, up: decimals >= 0 }
    }
}

/// The unit that integers are rounded to a multiple of; `None` if every integer is, 0 if none but zero is.
pub(crate) fn unit(decimals: i32) -> Option<i128> {
    (decimals < 0).then(|| 10_i128.checked_pow(decimals.unsigned_abs()).unwrap_or(0))
}
