//! The number of set bits in a bitmask.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Bits, Result};
use columnade_buffers::{Device, Exec};

/// How many of `bits` are set.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// One launch, then a synchronisation, because the result is on the host.
///
/// # Source
/// `cudf/null_mask.hpp` `null_count`, which counts the other bits.
pub fn count_ones(bits: Bits<'_>, exec: &Exec) -> Result<usize> {
    match exec.device() {
        Device::Host => host::count_ones(bits, exec),
        _ => cuda::count_ones(bits, exec),
    }
}
