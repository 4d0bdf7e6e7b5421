//! Changes the scale of decimals.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::overflow::{self, Checked};
use super::validity;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// The most digits of a decimal.
const MAX_DIGITS: u32 = 38;

/// Row `i` of the result is `input[i] · 10^power`, rounded half away from zero; null if that is null.
///
/// # Shapes and units
/// input: n rows of [`Storage::I32`], [`Storage::I64`] or [`Storage::I128`]; `to`: any of them; `power`: the
/// new scale minus the old one, −38 ..= 38; `digits`: the precision of the result, 1 ..= 38.
///
/// # Errors
/// [`Error::Overflow`] if a valid row has more than `digits` digits or does not fit `to`, and for a `power`
/// out of range; [`Error::UnsupportedStorage`] for another storage type.
///
/// # Device
/// One launch, one for a mask, and one synchronisation to detect overflow.
///
/// # Source
/// SQL `CAST(… AS DECIMAL(p, s))`; Arrow `decimal` casts.
pub fn rescale(input: &Fixed<'_>, to: Storage, power: i32, digits: u32, exec: &Exec) -> Result<FixedData> {
    if exec.device() != Device::Host {
        return overflow::refuse(rescale_by_row(input, to, power, digits, exec)?, exec);
    }
    check(input, to, power, digits)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    let data = host::rescale(input, to, power, digits, exec)?;
    Ok(FixedData { storage: to, len: input.len, data, validity })
}

/// [`rescale`] on a device, with the rows that overflow.
pub(crate) fn rescale_by_row(
    input: &Fixed<'_>,
    to: Storage,
    power: i32,
    digits: u32,
    exec: &Exec,
) -> Result<Checked> {
    check(input, to, power, digits)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    let (data, overflow) = cuda::rescale(input, to, power, digits, exec)?;
    Ok((FixedData { storage: to, len: input.len, data, validity }, overflow))
}

fn check(input: &Fixed<'_>, to: Storage, power: i32, digits: u32) -> Result<()> {
    for storage in [input.storage, to] {
        if !matches!(storage, Storage::I32 | Storage::I64 | Storage::I128) {
            return Err(Error::UnsupportedStorage { storage });
        }
    }
    if power.unsigned_abs() > MAX_DIGITS || digits > MAX_DIGITS {
        return Err(Error::Overflow { storage: to });
    }
    Ok(())
}
