//! Allocation of the extents of a file.

use std::collections::BTreeMap;

/// Free and used extents of a file that grows at its end.
#[derive(Debug, Default)]
pub(super) struct Extents {
    /// Lengths of free extents before the end, by offset; no two are adjacent.
    free: BTreeMap<u64, u64>,
    /// Everything from here on is free.
    end: u64,
    /// The largest end since the last [`restart`](Self::restart).
    reached: u64,
}

impl Extents {
    /// Takes the first free extent of `bytes` bytes, or one at the end if there is none.
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

    /// Bytes that the file may have although none of them are in use; `None` while some are.
    pub(super) fn idle(&self) -> Option<u64> {
        (self.end == 0).then_some(self.reached)
    }

    /// Records that the file was truncated to length 0.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Frees an extent.
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
