//! A payload that is put together from parts.

use std::ops::Range;
use std::ptr::NonNull;

use super::bounce::Bounce;
use super::memory::{Memory, PAGE_BYTES, Preparation};
use super::movers::Pending;
use super::moves::{DeviceBytes, Mover};
use super::slot::{Chunk, Slot};
use super::{Payload, Tier, Tiers};
use crate::sync::Arc;
use crate::{Device, Result, Stream};

/// Bytes that are gathered before they are written to a file.
const STAGED: usize = 4 << 20;

/// A payload being written, front to back. Dropped before [`finish`](Self::finish), it gives its room back.
///
/// After an error, what was appended last may be there in part, and the builder is good for nothing but its drop.
pub(crate) struct PayloadBuilder {
    tiers: Tiers,
    tier: Tier,
    slot: Arc<Slot>,
    len: usize,
    written: usize,
    /// For a file.
    stage: Option<Stage>,
}

/// Bytes on their way to a file: one memory is filled while the other is written.
struct Stage {
    memory: Memory,
    filled: usize,
    /// Where in the room the memory's bytes go.
    at: usize,
    writing: Option<Pending<Memory>>,
}

impl PayloadBuilder {
    pub(super) fn new(tiers: Tiers, tier: Tier, slot: Slot, len: usize) -> Self {
        Self { tiers, tier, slot: Arc::new(slot), len, written: 0, stage: None }
    }

    /// Appends bytes of the host.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage).
    ///
    /// # Panics
    ///
    /// If more is appended than the payload has.
    pub(crate) fn append_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.append(bytes.len(), |_, at, target| {
            target.copy_from_slice(&bytes[at..at + target.len()]);
            Ok(())
        })
    }

    /// Appends a range of another payload of the same tiers.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage).
    ///
    /// # Panics
    ///
    /// If more is appended than the payload has, or if the range is not within the other.
    pub(crate) fn append_payload(&mut self, payload: &Payload, range: Range<usize>) -> Result<()> {
        self.append(range.len(), |tiers, at, target| tiers.read(payload, range.start + at, target))
    }

    /// Appends bytes of the device, in the order of `stream`; complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage), [`Error::Device`](crate::Error::Device).
    ///
    /// # Panics
    ///
    /// If more is appended than the payload has.
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
            self.require_room(len);
            // SAFETY: the caller's promise; nobody else knows the room.
            unsafe { Mover::device_to_pinned(bytes, &self.slot, self.written, len)? };
            self.written += len;
            return Ok(());
        }
        if stream.device() == Device::Host {
            // SAFETY: the caller's promise; the host's memory is initialised.
            return self.append_bytes(unsafe { std::slice::from_raw_parts(source.as_ptr(), len) });
        }
        let append = |chunk: Chunk, mut bounce: Bounce| {
            self.append_bytes(&bounce.as_mut_slice()[..chunk.len])?;
            Ok(Pending::done(()))
        };
        // SAFETY: the caller's promise.
        unsafe { mover.drain(bytes, len, 1, append) }
    }

    /// The payload.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage) when the last bytes cannot be written.
    ///
    /// # Panics
    ///
    /// If fewer bytes were appended than it has.
    pub(crate) fn finish(mut self) -> Result<Arc<Payload>> {
        assert_eq!(self.written, self.len, "bytes are missing");
        if let Some(mut stage) = self.stage.take() {
            stage.write(&self.slot, &self.tiers)?;
            if let Some(writing) = stage.writing.take() {
                writing.wait()?;
            }
        }
        Ok(Payload::new(self.len, self.tier, Arc::clone(&self.slot)))
    }

    fn require_room(&self, len: usize) {
        assert!(len <= self.len - self.written, "{len} bytes more than a payload of {} has", self.len);
    }

    /// Has the next `len` bytes written by `fill`, stretch by stretch: it is given the tiers, where a stretch begins in
    /// the bytes, and the stretch.
    fn append(
        &mut self,
        len: usize,
        mut fill: impl FnMut(&Tiers, usize, &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        self.require_room(len);
        let mut at = 0;
        match &*self.slot {
            Slot::Empty => {}
            Slot::Blocks(blocks) => {
                for span in blocks.spans(self.written..self.written + len) {
                    // SAFETY: the room's memory is initialised, and nobody else knows of it before it is a payload's.
                    let target = unsafe { std::slice::from_raw_parts_mut(span.address.as_ptr(), span.bytes) };
                    fill(&self.tiers, at, target)?;
                    at += span.bytes;
                }
            }
            Slot::Extent(_) => {
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
                        stage.write(&self.slot, &self.tiers)?;
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
        Ok(Self { memory, filled: 0, at: 0, writing: None })
    }

    /// Up to `len` bytes to be filled next.
    fn free(&mut self, len: usize) -> &mut [u8] {
        let end = STAGED.min(self.filled + len);
        &mut self.memory.as_mut_slice()[self.filled..end]
    }

    /// Begins to write what is there, and waits for what was written before.
    fn write(&mut self, slot: &Arc<Slot>, tiers: &Tiers) -> Result<()> {
        let Slot::Extent(extent) = &**slot else { return Ok(()) };
        if self.filled == 0 {
            return Ok(());
        }
        let other = match self.writing.take() {
            Some(writing) => writing.wait()?,
            None => Memory::new(STAGED, Preparation::None)?,
        };
        let bytes = self.filled.next_multiple_of(PAGE_BYTES);
        extent.begin_write()?;
        let mut memory = std::mem::replace(&mut self.memory, other);
        memory.as_mut_slice()[self.filled..bytes].fill(0);
        let (slot, at) = (Arc::clone(slot), self.at);
        let write = move || {
            if let Slot::Extent(extent) = &*slot {
                extent.write(at, &memory.as_mut_slice()[..bytes])?;
            }
            Ok(memory)
        };
        self.writing = Some(tiers.mover().movers.lane(bytes).run(write));
        self.at += bytes;
        self.filled = 0;
        Ok(())
    }
}
