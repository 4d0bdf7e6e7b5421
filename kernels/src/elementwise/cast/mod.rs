//! Casts between storage types.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::validity;
use crate::{Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// What to do with values that do not fit in the target type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    let data = if input.storage == to && input.offset == 0 {
        input.data.slice(0, to.bytes(input.len))
    } else {
        match exec.device() {
            Device::Host => host::cast(input, to, mode, exec)?,
            _ => cuda::cast(input, to, mode, exec)?,
        }
    };
    Ok(FixedData { storage: to, len: input.len, data, validity })
}
