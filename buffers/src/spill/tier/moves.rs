//! Moves of bytes: pipelines between a device, blocks and files.
//!
//! Every move overlaps its two halves over several chunks: while one chunk is copied from or to the device,
//! the movers copy or write others. A move holds no lock while it waits. When it returns, also with an error,
//! all its work is complete or recorded.

use std::collections::VecDeque;
use std::ops::Range;
use std::ptr::NonNull;

use super::bounce::{Bounce, BouncePool};
use super::disk::begin_read;
use super::movers::{Movers, Pending};
use super::slot::{HostBytes, Slot, TransferChunk, chunk_size, chunks, transfers};
use crate::device::{CopyKind, copy};
use crate::sync::Arc;
use crate::{Result, Stream};

/// The most chunks of one move in progress.
const DEPTH: usize = 6;

/// Of these, the most chunks whose copy from or to the device is queued.
const COPIES_AHEAD: usize = 3;

/// The context of a move.
#[derive(Clone)]
pub(super) struct Mover {
    pub(super) bounce: Arc<BouncePool>,
    pub(super) movers: Arc<Movers>,
}

/// Memory of a device, and the stream for its copies.
#[derive(Clone, Copy)]
pub(super) struct DeviceBytes<'a> {
    pub(super) address: NonNull<u8>,
    pub(super) stream: &'a Stream,
}

impl DeviceBytes<'_> {
    /// Queues a copy of `len` bytes from offset `at` to host memory.
    ///
    /// # Safety
    ///
    /// As [`copy`].
    unsafe fn copy_to(self, at: usize, target: NonNull<u8>, len: usize) -> Result<()> {
        let Self { address, stream } = self;
        // SAFETY: the caller's promise.
        unsafe {
            let source = address.add(at).as_ptr();
            copy(stream.device(), target.as_ptr(), source, len, CopyKind::DeviceToHost, stream.as_raw())
        }
    }

    /// Queues a copy of `len` bytes from host memory to offset `at`.
    ///
    /// # Safety
    ///
    /// As [`copy`].
    unsafe fn copy_from(self, at: usize, source: NonNull<u8>, len: usize) -> Result<()> {
        let Self { address, stream } = self;
        // SAFETY: the caller's promise.
        unsafe {
            let target = address.add(at).as_ptr();
            copy(stream.device(), target, source.as_ptr(), len, CopyKind::HostToDevice, stream.as_raw())
        }
    }
}

impl Mover {
    /// The largest chunk of a move of `len` bytes.
    fn chunk_size(&self, len: usize) -> usize {
        chunk_size(len, self.bounce.bytes())
    }

    /// Queues copies of `len` bytes of the device into page-locked blocks from `at` on, and waits for them.
    ///
    /// # Safety
    ///
    /// The device's bytes are readable. The slot consists of page-locked blocks and has as many bytes from
    /// `at` on, which nothing else uses.
    pub(super) unsafe fn device_to_pinned(
        source: DeviceBytes<'_>,
        slot: &Slot,
        at: usize,
        len: usize,
    ) -> Result<()> {
        let Slot::Blocks(blocks) = slot else { return Ok(()) };
        let mut offset = 0;
        let queued = blocks.spans(at..at + len).try_for_each(|span| {
            // SAFETY: the caller's promise; the copies have run when this returns.
            unsafe { source.copy_to(offset, span.address, span.bytes)? };
            offset += span.bytes;
            Ok(())
        });
        // Also after an error: earlier copies were queued.
        match source.stream.record() {
            Ok(event) => event.synchronize()?,
            Err(_) => source.stream.synchronize()?,
        }
        queued
    }

    /// Queues copies of a range of page-locked blocks to the device. The blocks are not reused before the
    /// copies have run.
    ///
    /// # Safety
    ///
    /// The device's bytes are writable, as many as the range has, and nothing else uses them until then. The
    /// slot consists of page-locked blocks, and the range is not written any more.
    pub(super) unsafe fn pinned_to_device(
        slot: &Slot,
        range: Range<usize>,
        target: DeviceBytes<'_>,
    ) -> Result<()> {
        let Slot::Blocks(blocks) = slot else { return Ok(()) };
        let mut offset = 0;
        let queued = blocks.spans(range).try_for_each(|span| {
            // SAFETY: the caller's promise; the record below keeps the slot until the copies have run.
            unsafe { target.copy_from(offset, span.address, span.bytes)? };
            offset += span.bytes;
            Ok(())
        });
        blocks.note_use(target.stream)?;
        queued
    }

    /// Copies `len` bytes of the device through bounce blocks, each passed to `put` when it is full, and
    /// waits for the results of `put`.
    ///
    /// # Safety
    ///
    /// The device's bytes are readable until this returns.
    pub(super) unsafe fn drain(
        &self,
        source: DeviceBytes<'_>,
        len: usize,
        grain: usize,
        mut put: impl FnMut(TransferChunk, Bounce) -> Result<Pending<()>>,
    ) -> Result<()> {
        let mut left = chunks(0..len, grain, self.chunk_size(len)).peekable();
        let mut copied: VecDeque<(TransferChunk, Bounce)> = VecDeque::new();
        let mut written: VecDeque<Pending<()>> = VecDeque::new();
        loop {
            while copied.len() < COPIES_AHEAD
                && let Some(&chunk) = left.peek()
                && let Some(mut bounce) = self.bounce.take(copied.len() + written.len(), DEPTH)?
            {
                // SAFETY: the caller's promise; the block has as many bytes and is used by nothing else until
                // the copy has run, by the record.
                let queued = unsafe { source.copy_to(chunk.offset, bounce.address(), chunk.len) };
                bounce.note_use(source.stream)?;
                queued?;
                copied.push_back((chunk, bounce));
                left.next();
            }
            if let Some((chunk, mut bounce)) = copied.pop_front() {
                bounce.wait()?;
                // Bytes beyond the end are written too.
                bounce.as_mut_slice()[chunk.len..chunk.bytes].fill(0);
                written.push_back(put(chunk, bounce)?);
            } else if let Some(written) = written.pop_front() {
                written.wait()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Copies `len` bytes of the device to the beginning of a slot through bounce blocks.
    ///
    /// # Safety
    ///
    /// The device's bytes are readable until this returns; the slot has as many, which nothing else uses.
    pub(super) unsafe fn device_to_slot(
        &self,
        source: DeviceBytes<'_>,
        slot: &Arc<Slot>,
        len: usize,
    ) -> Result<()> {
        let lane = self.movers.lane(len);
        let put = |chunk: TransferChunk, mut bounce: Bounce| {
            if let Slot::Extent(extent) = &**slot {
                extent.begin_write()?;
            }
            let slot = Arc::clone(slot);
            Ok(lane.run(move || {
                let bytes = &mut bounce.as_mut_slice()[..chunk.bytes];
                match &*slot {
                    Slot::Extent(extent) => extent.write(chunk.at, bytes)?,
                    // SAFETY: the block has as many bytes; nothing else uses the slot's, by the caller's
                    // promise.
                    blocks => unsafe { blocks.fill(chunk.at, NonNull::from(bytes).cast(), chunk.len) },
                }
                Ok(())
            }))
        };
        // SAFETY: the caller's promise.
        unsafe { self.drain(source, len, slot.grain(), put) }
    }

    /// Copies a range of a slot to the device through bounce blocks, for work queued on the stream from now
    /// on.
    ///
    /// # Safety
    ///
    /// The device's bytes are writable, as many as the range has, and nothing else uses them until the copies
    /// have run; the range is not written any more.
    pub(super) unsafe fn feed(
        &self,
        slot: &Arc<Slot>,
        range: Range<usize>,
        target: DeviceBytes<'_>,
    ) -> Result<()> {
        let lane = self.movers.lane(range.len());
        let mut left = transfers(slot, range.clone(), self.chunk_size(range.len())).into_iter().peekable();
        let mut fetched: VecDeque<(TransferChunk, Pending<Bounce>)> = VecDeque::new();
        loop {
            while left.peek().is_some()
                && let Some(mut bounce) = self.bounce.take(fetched.len(), DEPTH)?
                && let Some((slot, chunk)) = left.next()
            {
                if let Slot::Extent(_) = &*slot {
                    begin_read(chunk.bytes)?;
                }
                let fetch = move || {
                    let target = &mut bounce.as_mut_slice()[..chunk.bytes];
                    match &*slot {
                        Slot::Extent(extent) => extent.read(chunk.at, target)?,
                        // SAFETY: only the job uses the block, which has as many bytes; the caller's promise.
                        blocks => unsafe {
                            blocks.fetch(chunk.at, NonNull::from(target).cast(), chunk.bytes);
                        },
                    }
                    Ok(bounce)
                };
                fetched.push_back((chunk, lane.run(fetch)));
            }
            let Some((chunk, pending)) = fetched.pop_front() else { return Ok(()) };
            let mut bounce = pending.wait()?;
            // SAFETY: the caller's promise; `skip + len` bytes were fetched; nothing else uses the block
            // until the copy has run, by the record.
            let queued =
                unsafe { target.copy_from(chunk.offset, bounce.address().add(chunk.skip), chunk.len) };
            bounce.note_use(target.stream)?;
            queued?;
        }
    }

    /// Writes `len` bytes of host memory to the beginning of a slot.
    ///
    /// # Safety
    ///
    /// The bytes are readable and not written until this returns; the slot has as many, which nothing else
    /// uses.
    pub(super) unsafe fn host_to_slot(&self, source: &HostBytes, slot: &Arc<Slot>, len: usize) -> Result<()> {
        let lane = self.movers.lane(len);
        let mut written: VecDeque<Pending<()>> = VecDeque::new();
        for chunk in chunks(0..len, slot.grain(), self.chunk_size(len)) {
            let mut bounce = None;
            if let Slot::Extent(extent) = &**slot {
                if chunk.len < chunk.bytes || source.pages(chunk.offset, chunk.len).is_none() {
                    bounce = Some(self.bounce_among(&mut written)?);
                }
                extent.begin_write()?;
            }
            wait_for_capacity(&mut written)?;
            let (source, slot) = (source.clone(), Arc::clone(slot));
            // SAFETY: the caller's promise holds until this returns, which is after the job.
            written.push_back(lane.run(move || unsafe { write_chunk(&source, &slot, chunk, bounce) }));
        }
        written.into_iter().try_for_each(Pending::wait)
    }

    /// Reads a range of a slot to the beginning of host memory.
    ///
    /// # Safety
    ///
    /// The host's bytes are writable, as many as the range has, and nothing else uses them until this
    /// returns; the range is not written any more.
    pub(super) unsafe fn slot_to_host(
        &self,
        slot: &Arc<Slot>,
        range: Range<usize>,
        target: &HostBytes,
    ) -> Result<()> {
        let lane = self.movers.lane(range.len());
        let mut read: VecDeque<Pending<()>> = VecDeque::new();
        for (slot, chunk) in transfers(slot, range.clone(), self.chunk_size(range.len())) {
            let mut bounce = None;
            if let Slot::Extent(_) = &*slot {
                if chunk.len < chunk.bytes || target.pages(chunk.offset, chunk.len).is_none() {
                    bounce = Some(self.bounce_among(&mut read)?);
                }
                begin_read(chunk.bytes)?;
            }
            wait_for_capacity(&mut read)?;
            let target = target.clone();
            // SAFETY: the caller's promise holds until this returns, which is after the job.
            read.push_back(lane.run(move || unsafe { read_chunk(&slot, &target, chunk, bounce) }));
        }
        read.into_iter().try_for_each(Pending::wait)
    }

    /// A bounce block for a move that waits for `pending` jobs, some of which hold one.
    fn bounce_among(&self, pending: &mut VecDeque<Pending<()>>) -> Result<Bounce> {
        loop {
            if let Some(bounce) = self.bounce.take(pending.len(), DEPTH)? {
                return Ok(bounce);
            }
            if let Some(first) = pending.pop_front() {
                first.wait()?;
            }
        }
    }
}

/// Waits until another job may begin.
fn wait_for_capacity(pending: &mut VecDeque<Pending<()>>) -> Result<()> {
    match pending.pop_front() {
        Some(first) if pending.len() + 1 >= DEPTH => first.wait(),
        Some(first) => {
            pending.push_front(first);
            Ok(())
        }
        None => Ok(()),
    }
}

/// Writes one chunk: directly if its memory is whole pages, otherwise from `bounce`.
///
/// # Safety
///
/// As [`Mover::host_to_slot`].
unsafe fn write_chunk(
    source: &HostBytes,
    slot: &Slot,
    chunk: TransferChunk,
    bounce: Option<Bounce>,
) -> Result<()> {
    let Slot::Extent(extent) = slot else {
        if let Slot::Blocks(blocks) = slot {
            let mut at = chunk.offset;
            for span in blocks.spans(chunk.at..chunk.at + chunk.len) {
                // SAFETY: the caller's promise.
                unsafe { source.copy_to(at, span.address, span.bytes) };
                at += span.bytes;
            }
        }
        return Ok(());
    };
    if let Some(mut bounce) = bounce {
        let pages = &mut bounce.as_mut_slice()[..chunk.bytes];
        // SAFETY: the caller's promise; the block has at least as many bytes and is used by this job alone.
        unsafe { source.copy_to(chunk.offset, NonNull::from(&mut *pages).cast(), chunk.len) };
        pages[chunk.len..].fill(0);
        return extent.write(chunk.at, pages);
    }
    let Some(address) = source.pages(chunk.offset, chunk.len) else { return Ok(()) };
    // SAFETY: the caller's promise: the bytes are readable and not written.
    extent.write(chunk.at, unsafe { std::slice::from_raw_parts(address.as_ptr(), chunk.len) })
}

/// Reads one chunk: directly if its memory is whole pages, otherwise through `bounce`.
///
/// # Safety
///
/// As [`Mover::slot_to_host`].
unsafe fn read_chunk(
    slot: &Slot,
    target: &HostBytes,
    chunk: TransferChunk,
    bounce: Option<Bounce>,
) -> Result<()> {
    let Slot::Extent(extent) = slot else {
        if let Slot::Blocks(blocks) = slot {
            let mut at = chunk.offset;
            for span in blocks.spans(chunk.at..chunk.at + chunk.len) {
                // SAFETY: the caller's promise.
                unsafe { target.copy_from(at, span.address, span.bytes) };
                at += span.bytes;
            }
        }
        return Ok(());
    };
    if let Some(mut bounce) = bounce {
        let pages = &mut bounce.as_mut_slice()[..chunk.bytes];
        extent.read(chunk.at, pages)?;
        let wanted = NonNull::from(&mut pages[chunk.skip..chunk.skip + chunk.len]).cast();
        // SAFETY: the caller's promise.
        unsafe { target.copy_from(chunk.offset, wanted, chunk.len) };
        return Ok(());
    }
    let Some(address) = target.pages(chunk.offset, chunk.len) else { return Ok(()) };
    // SAFETY: the caller's promise: the bytes are writable and nothing else uses them. Host memory is
    // initialised.
    extent.read(chunk.at, unsafe { std::slice::from_raw_parts_mut(address.as_ptr(), chunk.len) })
}
