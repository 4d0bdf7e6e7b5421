//! Casts between storage types.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::overflow::{self, Checked};
use super::validity;
use crate::{Fixed, FixedData, Result, Storage};
use columnade_buffers::{Buffer, Device, Exec};

/// What to do with values that do not fit in the target type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum CastMode {
    /// Integers keep their low bits; floats become the nearest integer of the type, NaN becomes 0.
    Wrap = 0,
    /// An error. Fractions are truncated in either mode and are not an error.
    Checked = 1,
}

/// Row `i` of the result is the number `input[i]` in another storage type; null if that is null.
///
/// Integers become the nearest float, floats are truncated, a bit is 0 or 1, and a number is true if it is
/// not zero (a NaN is not). A cast to the type of `input` shares its buffers if it starts at row 0.
///
/// # Errors
/// [`crate::Error::Overflow`] in [`CastMode::Checked`] if a valid row does not fit or is a NaN.
///
/// # Device
/// One launch, and one for a mask; if checked, one synchronisation to detect overflow.
///
/// # Source
/// cudf/unary.hpp `cast`, pandas `astype`; Rust's `as`.
pub fn cast(input: &Fixed<'_>, to: Storage, mode: CastMode, exec: &Exec) -> Result<FixedData> {
    if exec.device() != Device::Host {
        return overflow::refuse(cast_by_row(input, to, mode, exec)?, exec);
    }
    let data = match shared(input, to) {
        Some(data) => data,
        None => host::cast(input, to, mode, exec)?,
    };
    Ok(FixedData { storage: to, len: input.len, data, validity: mask(input, exec)? })
}

/// [`cast`] on a device, with the rows that do not fit.
pub(crate) fn cast_by_row(input: &Fixed<'_>, to: Storage, mode: CastMode, exec: &Exec) -> Result<Checked> {
    let (data, overflow) = match shared(input, to) {
        Some(data) => (data, None),
        None => cuda::cast(input, to, mode, exec)?,
    };
    Ok((FixedData { storage: to, len: input.len, data, validity: mask(input, exec)? }, overflow))
}

/// The buffer of `input`, if it can be that of the result.
fn shared(input: &Fixed<'_>, to: Storage) -> Option<Buffer> {
    (input.storage == to && input.offset == 0).then(|| input.data.slice(0, to.bytes(input.len)))
}

fn mask(input: &Fixed<'_>, exec: &Exec) -> Result<Option<Buffer>> {
    validity::intersect(&[input.validity_bits()], exec)
}
