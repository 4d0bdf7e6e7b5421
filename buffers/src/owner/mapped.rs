//! Files mapped into memory: their bytes are there without a read.

use std::fs::File;
use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::{Buffer, Device};

/// The bytes of a file, mapped into memory of the host and read from disk when they are looked at. They are mapped until
/// this and what was made of it are dropped, whatever becomes of the file's name.
///
/// Buffers of it are foreign memory: not counted, never spilled, and copied before they are written.
///
/// The bytes are those of the file. Where another program writes to it meanwhile, values change that nothing else
/// changes; where it is truncated, the system ends the process that looks at what is gone (`SIGBUS`). To replace a
/// file by renaming another one to its name is safe.
#[derive(Clone, Debug)]
pub struct MappedFile(Arc<Mapping>);

#[derive(Debug)]
struct Mapping {
    address: NonNull<u8>,
    len: usize,
}

// SAFETY: nothing writes the bytes, so any thread may read them, and any may unmap them when no other does.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl MappedFile {
    /// Maps a file as it is now.
    ///
    /// # Errors
    ///
    /// That of the system: the file is empty or no file that can be mapped, or there is no address space for it.
    pub fn of(file: &File) -> io::Result<Self> {
        let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        Ok(Self(Arc::new(Mapping { address: map(file, len)?, len })))
    }

    /// The bytes, as Arrow has them.
    pub fn to_arrow(&self) -> arrow_buffer::Buffer {
        let Mapping { address, len } = *self.0;
        let mapping = Arc::clone(&self.0);
        // SAFETY: the mapping has so many bytes from there on, which the buffer keeps and nothing writes.
        unsafe { arrow_buffer::Buffer::from_custom_allocation(address, len, mapping) }
    }

    /// Whether a buffer is a part of the file's bytes, not a copy.
    pub fn contains(&self, buffer: &Buffer) -> bool {
        if buffer.device() != Device::Host || !buffer.owner().foreign {
            return false;
        }
        let start = self.0.address.as_ptr().addr();
        let first = buffer.owner().address(buffer.offset()).as_ptr().addr();
        (start..start + self.0.len).contains(&first)
    }
}

#[cfg(not(miri))]
fn map(file: &File, len: usize) -> io::Result<NonNull<u8>> {
    use std::os::fd::AsRawFd;

    // SAFETY: a new mapping at an address of the system's choice touches no existing memory; it is private and not written.
    let address = unsafe {
        let flags = libc::MAP_PRIVATE;
        libc::mmap(std::ptr::null_mut(), len, libc::PROT_READ, flags, file.as_raw_fd(), 0)
    };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(address.cast()).ok_or_else(|| io::ErrorKind::AddrNotAvailable.into())
}

#[cfg(miri)]
fn map(_: &File, _: usize) -> io::Result<NonNull<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Drop for Mapping {
    fn drop(&mut self) {
        #[cfg(not(miri))]
        // SAFETY: the mapping is this value's own, whole, and not used any more. The call does not fail for such a one.
        unsafe {
            libc::munmap(self.address.as_ptr().cast(), self.len);
        }
    }
}
