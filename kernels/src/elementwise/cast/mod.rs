//! From one storage type to another.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::validity;
use crate::{Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// What to do with values that the target does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum CastMode {
    /// Integers keep their low bits; floats become the nearest integer of the type, NaN becomes 0.
    Wrap = 0,
    /// An error. Fractions are cut off in either mode, and are none.
    Checked = 1,
}

/// Row `i` of the result is the number of `input[i]` in another storage type; null where that is null.
///
/// Integers become the nearest float, floats lose their fraction, a bit is 0 or 1, and a number is true when it
/// is not zero (a NaN is not). Casting to the type that `input` has shares its buffers when it starts at row 0.
///
/// # Errors
/// [`crate::Error::Overflow`] in [`CastMode::Checked`] when a valid row does not fit, or is a NaN.
///
/// # Device
/// One launch, and one for a mask; checked, one synchronisation to learn of an overflow.
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
