//! A write guard that owns its buffer.

use std::fmt;
use std::mem::ManuallyDrop;

use super::guard::WriteGuard;
use crate::{Buffer, Exec, Result};

/// A buffer and the scope in which it is written, in one: for memory that is handed out from inside a call and
/// outlives the place that asked for it. See [`WriteGuard`] for the order of work and drop.
pub struct OwnedWriteGuard {
    /// Borrows from `buffer`, and is dropped before it.
    guard: ManuallyDrop<WriteGuard<'static>>,
    /// Boxed: the guard holds references into it, and it must not move.
    buffer: Box<Buffer>,
}

impl Buffer {
    /// Like [`write`](Self::write), but the guard owns the buffer.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn into_write(self, exec: &Exec) -> Result<OwnedWriteGuard> {
        let mut buffer = Box::new(self);
        let target: *mut Buffer = &raw mut *buffer;
        // SAFETY: the box keeps the buffer in one place; nothing else touches it while the guard lives, because
        // the guard's owner gives it out only after it has dropped the guard.
        let guard = unsafe { (*target).write(exec)? };
        Ok(OwnedWriteGuard { guard: ManuallyDrop::new(guard), buffer })
    }
}

impl OwnedWriteGuard {
    /// The address of the first byte, on the device. Not to be kept beyond the guard.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.guard.as_mut_ptr()
    }

    /// Bytes from that address on.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a kernel beside the address")]
    pub fn len(&self) -> usize {
        self.guard.len()
    }

    /// Ends the scope and gives the buffer back.
    pub fn into_buffer(self) -> Buffer {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not dropped, so each field is taken once; the guard goes before the buffer.
        let buffer = unsafe {
            ManuallyDrop::drop(&mut this.guard);
            std::ptr::read(&raw const this.buffer)
        };
        *buffer
    }
}

impl Drop for OwnedWriteGuard {
    fn drop(&mut self) {
        // SAFETY: dropped here and nowhere else (`into_buffer` forgets `self`), before the buffer it borrows.
        unsafe { ManuallyDrop::drop(&mut self.guard) };
    }
}

impl fmt::Debug for OwnedWriteGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedWriteGuard").field("buffer", &self.buffer).finish()
    }
}
