//! Memory of other libraries.

use crate::Result;
use crate::tensor::{Interface, TensorFault};
use columnade_buffers::Device;
use std::ptr::NonNull;

/// No program's memory goes further, on any machine or device.
const ADDRESSES: usize = 1 << 57;

/// Whether memory of so many bytes can be at an address at all. The interfaces do not say how large memory is: this is what
/// can be found out of a size that is a lie.
pub(crate) fn is_possible(address: NonNull<u8>, len: usize) -> bool {
    address.as_ptr().addr().checked_add(len).is_some_and(|end| end <= ADDRESSES)
}

/// Fails unless the device can read so many bytes at an address, as far as it can tell. The interfaces pass addresses
/// without a size, and an access to what is not there ends the process or the GPU's context.
pub(crate) fn require_readable(
    interface: Interface,
    device: Device,
    lowest: NonNull<u8>,
    needed: usize,
) -> Result<()> {
    let address = lowest.as_ptr().addr();
    let mut found = 0;
    // Memory that was mapped in parts is one range, of which the driver tells one part at a time.
    while found < needed {
        match device.readable_bytes(address + found)? {
            None => return Ok(()),
            Some(0) => {
                let fault = TensorFault::Unreadable { address, needed, found, device };
                return interface.fail("data", fault);
            }
            Some(more) => found = found.saturating_add(more),
        }
    }
    Ok(())
}
