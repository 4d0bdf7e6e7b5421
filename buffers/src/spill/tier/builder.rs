//! Assembling a payload from parts.

use std::ops::Range;
use std::ptr::NonNull;

use super::bounce::Bounce;
use super::memory::{Memory, PAGE_BYTES, Preparation};
use super::movers::Pending;
use super::moves::{DeviceBytes, Mover};
use super::slot::{Segment, Slot, TransferChunk, transfers};
use super::{Payload, Tier, Tiers};
use crate::sync::Arc;
use crate::{Device, Result, Stream};

/// Bytes that are buffered before they are written to a file.
const STAGED: usize = 4 << 20;

/// From this size on, a part that is in a file already is shared and not copied: smaller segments would cost more to read
/// than the copy.
const SHARED_FROM: usize = 256 << 10;

/// A payload being written, front to back. If it is dropped before [`finish`](Self::finish), its slot is
/// released.
///
/// After an error, the last append may be partially written, and the builder must only be dropped.
pub(crate) struct PayloadBuilder {
    tiers: Tiers,
    tier: Tier,
    /// For a file no [segments](Slot::Segments) yet.
    slot: Arc<Slot>,
    len: usize,
    written: usize,
    /// For a file, with the segments so far.
    stage: Option<Stage>,
    segments: Vec<Segment>,
}

/// Bytes to be written to a file: one buffer is filled while the other is written.
struct Stage {
    memory: Memory,
    filled: usize,
    writing: Option<Pending<Memory>>,
}

impl PayloadBuilder {
    pub(super) fn new(tiers: Tiers, tier: Tier, slot: Slot, len: usize) -> Self {
        Self { tiers, tier, slot: Arc::new(slot), len, written: 0, stage: None, segments: Vec::new() }
    }

    /// Appends host memory.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage).
    ///
    /// # Panics
    ///
    /// If the total exceeds the payload's length.
    pub(crate) fn append_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.append(bytes.len(), |_, at, target| {
            target.copy_from_slice(&bytes[at..at + target.len()]);
            Ok(())
        })
    }

    /// Appends a range of another payload of the same tiers. Most of a large payload in a file is shared.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage).
    ///
    /// # Panics
    ///
    /// If the total exceeds the payload's length, or if the range is not within the other payload.
    pub(crate) fn append_payload(&mut self, payload: &Payload, range: Range<usize>) -> Result<()> {
        // Of a small part the rest of the extent would not be freed with the other payload.
        if self.tier == Tier::Disk
            && payload.tier() == Tier::Disk
            && range.len() >= SHARED_FROM.max(payload.len() / 2)
            && payload.is_own()
        {
            return self.share(payload, range);
        }
        self.append(range.len(), |tiers, at, target| tiers.read(payload, range.start + at, target))
    }

    /// Appends a range of a payload in a file without a copy.
    fn share(&mut self, payload: &Payload, range: Range<usize>) -> Result<()> {
        self.require_space(range.len());
        self.flush()?;
        let whole = range.end.next_multiple_of(PAGE_BYTES) + PAGE_BYTES;
        for (extent, chunk) in transfers(payload.slot(), range, whole) {
            let segment =
                Segment { start: self.written, len: chunk.len, extent, from: chunk.at + chunk.skip };
            self.segments.push(segment);
            self.written += chunk.len;
        }
        Ok(())
    }

    /// Starts writing what is buffered.
    fn flush(&mut self) -> Result<()> {
        let Some(stage) = self.stage.as_mut().filter(|stage| stage.filled > 0) else { return Ok(()) };
        let (start, len) = (self.segments.last().map_or(0, Segment::end), stage.filled);
        let extent = stage.write(&self.tiers)?;
        self.segments.push(Segment { start, len, extent, from: 0 });
        Ok(())
    }

    /// Appends device memory, in the order of `stream`; complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage), [`Error::Device`](crate::Error::Device).
    ///
    /// # Panics
    ///
    /// If the total exceeds the payload's length.
    ///
    /// # Safety
    ///
    /// As [`Tiers::store`].
    pub(crate) unsafe fn append_device(
        &mut self,
        source: NonNull<u8>,
        len: usize,
        stream: &Stream,
    ) -> Result<()> {
        let bytes = DeviceBytes { address: source, stream };
        let mover = self.tiers.mover().clone();
        if self.tier == Tier::Pinned {
            self.require_space(len);
            // SAFETY: the caller's promise; nothing else uses the slot.
            unsafe { Mover::device_to_pinned(bytes, &self.slot, self.written, len)? };
            self.written += len;
            return Ok(());
        }
        if stream.device() == Device::Host {
            // SAFETY: the caller's promise; host memory is initialised.
            return self.append_bytes(unsafe { std::slice::from_raw_parts(source.as_ptr(), len) });
        }
        let append = |chunk: TransferChunk, mut bounce: Bounce| {
            self.append_bytes(&bounce.as_mut_slice()[..chunk.len])?;
            Ok(Pending::done(()))
        };
        // SAFETY: the caller's promise.
        unsafe { mover.drain(bytes, len, 1, append) }
    }

    /// Returns the complete payload.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage) if the last bytes cannot be written.
    ///
    /// # Panics
    ///
    /// If fewer bytes were appended than its length.
    pub(crate) fn finish(mut self) -> Result<Arc<Payload>> {
        assert_eq!(self.written, self.len, "bytes are missing");
        self.flush()?;
        if let Some(writing) = self.stage.take().and_then(|stage| stage.writing) {
            writing.wait()?;
        }
        let slot = match self.segments {
            segments if segments.is_empty() => self.slot,
            segments => Arc::new(Slot::Segments(segments)),
        };
        Ok(Payload::new(self.len, self.tier, slot))
    }

    fn require_space(&self, len: usize) {
        assert!(len <= self.len - self.written, "{len} bytes more than a payload of {} has", self.len);
    }

    /// Writes the next `len` bytes with `fill`, span by span. Its arguments are the tiers, the span's start
    /// within the bytes, and the span.
    fn append(
        &mut self,
        len: usize,
        mut fill: impl FnMut(&Tiers, usize, &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        self.require_space(len);
        let mut at = 0;
        match &*self.slot {
            Slot::Empty => {}
            Slot::Blocks(blocks) => {
                for span in blocks.spans(self.written..self.written + len) {
                    // SAFETY: the slot's memory is initialised, and nothing else uses it before it belongs to
                    // a payload.
                    let target = unsafe { std::slice::from_raw_parts_mut(span.address.as_ptr(), span.bytes) };
                    fill(&self.tiers, at, target)?;
                    at += span.bytes;
                }
            }
            Slot::Extent(_) | Slot::Segments(_) => {
                while at < len {
                    let stage = match &mut self.stage {
                        Some(stage) => stage,
                        none => none.insert(Stage::new()?),
                    };
                    let target = stage.free(len - at);
                    let taken = target.len();
                    fill(&self.tiers, at, target)?;
                    at += taken;
                    stage.filled += taken;
                    if stage.filled == STAGED {
                        self.flush()?;
                    }
                }
            }
        }
        self.written += len;
        Ok(())
    }
}

impl Stage {
    fn new() -> Result<Self> {
        let memory = Memory::new(STAGED, Preparation::None)?;
        Ok(Self { memory, filled: 0, writing: None })
    }

    /// Up to `len` bytes to be filled next.
    fn free(&mut self, len: usize) -> &mut [u8] {
        let end = STAGED.min(self.filled + len);
        &mut self.memory.as_mut_slice()[self.filled..end]
    }

    /// Starts writing the buffered bytes, and waits for the previous write. Returns their extent.
    fn write(&mut self, tiers: &Tiers) -> Result<Arc<Slot>> {
        let bytes = self.filled.next_multiple_of(PAGE_BYTES);
        let slot = Arc::new(tiers.reserve(Tier::Disk, bytes)?);
        let other = match self.writing.take() {
            Some(writing) => writing.wait()?,
            None => Memory::new(STAGED, Preparation::None)?,
        };
        if let Slot::Extent(extent) = &*slot {
            extent.begin_write()?;
        }
        let mut memory = std::mem::replace(&mut self.memory, other);
        memory.as_mut_slice()[self.filled..bytes].fill(0);
        let target = Arc::clone(&slot);
        let write = move || {
            if let Slot::Extent(extent) = &*target {
                extent.write(0, &memory.as_mut_slice()[..bytes])?;
            }
            Ok(memory)
        };
        self.writing = Some(tiers.mover().movers.lane(bytes).run(write));
        self.filled = 0;
        Ok(slot)
    }
}
