//! Constants in the arguments of entries; `literals.cuh` reads them.

use crate::Result;
use crate::tuning::LiteralPolicy;
use columnade_buffers::{Buffer, Exec, ReadGuard};

/// Bytes for a kernel: in its arguments if they are few, else in memory of the device.
pub(crate) struct Literal {
    pub(crate) words: [u64; LiteralPolicy::INLINE_BYTES / 8],
    pub(crate) bytes: i64,
    far: Option<Buffer>,
}

impl Literal {
    /// Synchronises for more than 64 bytes.
    pub(crate) fn new(bytes: &[u8], exec: &Exec) -> Result<Self> {
        let mut inline = [0; LiteralPolicy::INLINE_BYTES];
        let far = match inline.get_mut(..bytes.len()) {
            Some(part) => {
                part.copy_from_slice(bytes);
                None
            }
            None => Some(Buffer::from_slice(bytes, exec)?),
        };
        let words = std::array::from_fn(|word| {
            u64::from_ne_bytes(std::array::from_fn(|byte| inline[8 * word + byte]))
        });
        Ok(Self { words, bytes: bytes.len() as i64, far })
    }

    /// Keeps what is in memory readable.
    pub(crate) fn read<'a>(&'a self, exec: &'a Exec) -> Result<Option<ReadGuard<'a>>> {
        Ok(self.far.as_ref().map(|buffer| buffer.read(exec)).transpose()?)
    }
}

/// The address of what [`Literal::read`] keeps; null if all is in the arguments.
pub(crate) fn address(guard: Option<&ReadGuard<'_>>) -> *const u8 {
    guard.map_or(std::ptr::null(), ReadGuard::as_ptr)
}
