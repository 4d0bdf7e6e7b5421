//! Memory of other libraries.

use std::ptr::NonNull;

/// No program's memory goes further, on any machine or device.
const ADDRESSES: usize = 1 << 57;

/// Whether memory of so many bytes can be at an address at all. The interfaces do not say how large memory is: this is what
/// can be found out of a size that is a lie.
pub(crate) fn is_possible(address: NonNull<u8>, len: usize) -> bool {
    address.as_ptr().addr().checked_add(len).is_some_and(|end| end <= ADDRESSES)
}
