//! The number of ones of a bit string.

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
/// One launch, then a synchronisation: the answer is on the host.
///
/// # Source
/// `cudf/null_mask.hpp` `null_count`, counting the other bits.
pub fn count_ones(bits: Bits<'_>, exec: &Exec) -> Result<usize> {
    match exec.device() {
        Device::Host => host::count_ones(bits, exec),
        _ => cuda::count_ones(bits, exec),
    }
}
