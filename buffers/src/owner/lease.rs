//! Memory that crosses the border of this library: leases given out, vectors taken in.

use std::alloc::Layout;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

use super::Owner;
use crate::sync::Arc;
use crate::{Buffer, Device, Error, Pod, Result};

/// A foreign holder's share of a buffer's memory: while it lives, the bytes stay where they are and do not
/// change, whatever becomes of the buffer. A write to the buffer gets memory of its own.
///
/// When the last lease ends, the memory is as if none had been given.
pub struct Lease {
    owner: Arc<Owner>,
    address: NonNull<u8>,
    len: usize,
}

// SAFETY: a lease gives out reads only, of bytes that nobody writes; its drop changes atomics only.
unsafe impl Send for Lease {}
// SAFETY: as for `Send`.
unsafe impl Sync for Lease {}
impl UnwindSafe for Lease {}
impl RefUnwindSafe for Lease {}

impl Lease {
    /// A lease of `len` bytes from `offset`, given by the holder of a view of them.
    pub(crate) fn new(owner: &Arc<Owner>, offset: usize, len: usize) -> Self {
        debug_assert!(offset + len <= owner.capacity);
        owner.state.lease();
        // SAFETY: `offset` is at most the capacity of the allocation at the address.
        let address = unsafe { owner.address().add(offset) };
        Self { owner: Arc::clone(owner), address, len }
    }

    /// The address of the first byte, on the device. Work of other streams on it is for the holder to
    /// wait for.
    pub fn as_ptr(&self) -> *const u8 {
        self.address.as_ptr()
    }

    /// Bytes from that address on.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a consumer beside the address")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The device of the memory.
    pub fn device(&self) -> Device {
        self.owner.device
    }

    /// Arrow's view of the bytes, which ends the lease when its last clone is dropped.
    pub(crate) fn into_arrow(self) -> Result<arrow_buffer::Buffer> {
        if self.owner.device != Device::Host {
            return Err(Error::DeviceMismatch { expected: Device::Host, found: self.owner.device });
        }
        let (address, len) = (self.address, self.len);
        // SAFETY: the lease keeps the bytes alive, in place and unwritten as long as Arrow keeps it; they
        // are initialised host memory.
        Ok(unsafe { arrow_buffer::Buffer::from_custom_allocation(address, len, std::sync::Arc::new(self)) })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.owner.state.end_lease();
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("owner", &self.owner.id)
            .field("address", &self.address)
            .field("len", &self.len)
            .finish()
    }
}

impl Buffer {
    /// Lets a foreign holder keep the bytes; see [`Lease`].
    pub fn lease(&self) -> Lease {
        Lease::new(self.owner(), self.offset(), self.len())
    }
}

/// A vector's memory without its type: the values are plain bytes, so only the memory is dropped.
pub(super) struct VecMemory {
    address: NonNull<u8>,
    layout: Layout,
}

// SAFETY: this is the right to free some memory, which any thread may do.
unsafe impl Send for VecMemory {}
// SAFETY: a shared `VecMemory` gives access to nothing.
unsafe impl Sync for VecMemory {}

impl<T: Pod> From<Vec<T>> for VecMemory {
    fn from(values: Vec<T>) -> Self {
        let mut values = ManuallyDrop::new(values);
        // SAFETY: the vector holds an allocation of this layout, so the layout is a valid one.
        let layout =
            unsafe { Layout::from_size_align_unchecked(values.capacity() * size_of::<T>(), align_of::<T>()) };
        // SAFETY: a vector's address is not null.
        let address = unsafe { NonNull::new_unchecked(values.as_mut_ptr().cast()) };
        Self { address, layout }
    }
}

impl Drop for VecMemory {
    fn drop(&mut self) {
        // SAFETY: a vector's memory comes from the global allocator with the layout of an array of its
        // capacity; it was given up in `from`. Only vectors with a capacity are taken in.
        unsafe { std::alloc::dealloc(self.address.as_ptr(), self.layout) };
    }
}
