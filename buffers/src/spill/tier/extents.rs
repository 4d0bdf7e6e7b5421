//! Which parts of a file are in use.

use std::collections::BTreeMap;

/// Free and used stretches of a file that grows at its end.
#[derive(Debug, Default)]
pub(super) struct Extents {
    /// Lengths of free stretches before the end, by offset; no two touch.
    free: BTreeMap<u64, u64>,
    /// Everything from here on is free.
    end: u64,
    /// The farthest that the end has been since the last [`restart`](Self::restart).
    reached: u64,
}

impl Extents {
    /// The first free stretch of `bytes` bytes, at the end if there is no other.
    pub(super) fn take(&mut self, bytes: u64) -> u64 {
        let found = self.free.iter().find(|&(_, &free)| free >= bytes).map(|(&offset, &free)| (offset, free));
        let Some((offset, free)) = found else {
            self.end += bytes;
            self.reached = self.reached.max(self.end);
            return self.end - bytes;
        };
        self.free.remove(&offset);
        if free > bytes {
            self.free.insert(offset + bytes, free - bytes);
        }
        offset
    }

    /// Bytes that the file may have although nothing of it is in use; `None` while something is.
    pub(super) fn idle(&self) -> Option<u64> {
        (self.end == 0).then_some(self.reached)
    }

    /// The file has no bytes any more.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Takes a stretch back.
    pub(super) fn put_back(&mut self, mut offset: u64, mut bytes: u64) {
        if let Some((&before, &free)) = self.free.range(..offset).next_back()
            && before + free == offset
        {
            self.free.remove(&before);
            (offset, bytes) = (before, free + bytes);
        }
        if let Some(free) = self.free.remove(&(offset + bytes)) {
            bytes += free;
        }
        if offset + bytes == self.end {
            self.end = offset;
        } else {
            self.free.insert(offset, bytes);
        }
    }
}
