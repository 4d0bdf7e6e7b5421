//! What lies before a part of Arrow's memory.

use arrow_buffer::Buffer;
use std::sync::Arc;

/// The buffer with so many bytes before it, where its memory has them.
pub(super) fn preceded(buffer: &Buffer, bytes: usize) -> Option<Buffer> {
    if bytes == 0 {
        return Some(buffer.clone());
    }
    let first = buffer.ptr_offset().checked_sub(bytes)?;
    // SAFETY: the buffer is a part of one allocation, initialised and not written while it is shared, and begins
    // `first + bytes` bytes after its start.
    let address = unsafe { buffer.data_ptr().add(first) };
    let len = bytes + buffer.len();
    // SAFETY: so many bytes from there on are within that memory, and the clone keeps it as long as the new buffer lives.
    Some(unsafe { Buffer::from_custom_allocation(address, len, Arc::new(buffer.clone())) })
}
