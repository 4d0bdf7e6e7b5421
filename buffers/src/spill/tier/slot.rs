//! The memory or file range of a payload's bytes.

use std::ops::Range;
use std::ptr::{self, NonNull};

use super::blocks::Blocks;
use super::disk::Extent;
use super::memory::PAGE_BYTES;
use crate::sync::Arc;

/// Memory for a payload's bytes in one tier. Jobs that move the bytes share it, so it is released after the
/// last one.
pub(super) enum Slot {
    /// For no bytes.
    Empty,
    Blocks(Blocks),
    Extent(Extent),
    /// Extents, and parts of other payloads' extents, one after the other.
    Segments(Vec<Segment>),
}

/// Bytes of a payload that are `len` bytes of an extent.
pub(super) struct Segment {
    /// The position of the first byte in the payload.
    pub(super) start: usize,
    pub(super) len: usize,
    /// [`Slot::Extent`], which other payloads may share.
    pub(super) extent: Arc<Slot>,
    /// The position of the first byte in the extent.
    pub(super) from: usize,
}

impl Segment {
    pub(super) fn end(&self) -> usize {
        self.start + self.len
    }
}

/// Host memory that a job reads or writes.
#[derive(Clone)]
pub(super) enum HostBytes {
    /// Contiguous memory. The creator keeps it valid until the jobs that use it have ended.
    Memory(NonNull<u8>),
    /// In blocks.
    Slot(Arc<Slot>),
}

// SAFETY: an address is valid on every thread; `Memory` is only made by moves that wait for their jobs, on
// memory that is valid by the promise of the move's caller.
unsafe impl Send for HostBytes {}

/// A part of a move, for one job or one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TransferChunk {
    /// Its position in the slot, a multiple of the granularity.
    pub(super) at: usize,
    /// Bytes transferred from there, a multiple of the granularity.
    pub(super) bytes: usize,
    /// Of these, bytes before the first requested one.
    pub(super) skip: usize,
    /// Requested bytes.
    pub(super) len: usize,
    /// Their position in the moved range.
    pub(super) offset: usize,
}

/// The chunks of `range` of a slot. Each is transferred in multiples of `grain` bytes and has at most `most`
/// bytes, which is a multiple too.
pub(super) fn chunks(range: Range<usize>, grain: usize, most: usize) -> impl Iterator<Item = TransferChunk> {
    debug_assert!(most > 0 && most.is_multiple_of(grain));
    let mut next = range.start;
    std::iter::from_fn(move || {
        if next >= range.end {
            return None;
        }
        let at = next / grain * grain;
        let end = range.end.min(at + most);
        let bytes = (end - at).next_multiple_of(grain);
        let chunk = TransferChunk { at, bytes, skip: next - at, len: end - next, offset: next - range.start };
        next = end;
        Some(chunk)
    })
}

/// The transfers for `range` of a slot, each with the slot that has its bytes and in chunks of at most `most` bytes.
pub(super) fn transfers(
    slot: &Arc<Slot>,
    range: Range<usize>,
    most: usize,
) -> Vec<(Arc<Slot>, TransferChunk)> {
    let of = |slot: &Arc<Slot>, range| {
        let slot = Arc::clone(slot);
        chunks(range, slot.grain(), most).map(move |chunk| (Arc::clone(&slot), chunk))
    };
    let Slot::Segments(segments) = &**slot else { return of(slot, range).collect() };
    let covered = segments.iter().filter_map(|segment| {
        let shared = range.start.max(segment.start)..range.end.min(segment.end());
        (shared.start < shared.end).then_some((segment, shared))
    });
    let transfers = covered.flat_map(|(segment, shared)| {
        let from = segment.from + shared.start - segment.start;
        let chunks = of(&segment.extent, from..from + shared.len());
        let before = shared.start - range.start;
        chunks.map(move |(slot, chunk)| (slot, TransferChunk { offset: chunk.offset + before, ..chunk }))
    });
    transfers.collect()
}

/// The chunk size for a move of `len` bytes: enough chunks for a pipeline, neither tiny nor larger than
/// `most`.
pub(super) fn chunk_size(len: usize, most: usize) -> usize {
    const LEAST: usize = 256 << 10;
    const PARTS: usize = 8;
    (len / PARTS).next_multiple_of(PAGE_BYTES).clamp(LEAST.min(most), most)
}

impl Slot {
    /// The granularity of transfers, in bytes.
    pub(super) fn grain(&self) -> usize {
        match self {
            Self::Extent(_) | Self::Segments(_) => PAGE_BYTES,
            Self::Empty | Self::Blocks(_) => 1,
        }
    }

    /// Copies from host memory into blocks, from `at` on.
    ///
    /// # Safety
    ///
    /// `source` is readable for `len` bytes. The slot consists of blocks and has as many bytes from `at` on,
    /// which nothing else uses.
    pub(super) unsafe fn fill(&self, at: usize, source: NonNull<u8>, len: usize) {
        let Self::Blocks(blocks) = self else { return debug_assert_eq!(len, 0) };
        let mut source = source.as_ptr().cast_const();
        for span in blocks.spans(at..at + len) {
            // SAFETY: the caller's promise; spans are consecutive in the bytes, so `source` stays within.
            unsafe {
                ptr::copy_nonoverlapping(source, span.address.as_ptr(), span.bytes);
                source = source.add(span.bytes);
            }
        }
    }

    /// Copies from blocks, from `at` on, to host memory.
    ///
    /// # Safety
    ///
    /// `target` is writable for `len` bytes that nothing else uses. The slot consists of blocks and has as
    /// many bytes from `at` on, which are not written.
    pub(super) unsafe fn fetch(&self, at: usize, target: NonNull<u8>, len: usize) {
        let Self::Blocks(blocks) = self else { return debug_assert_eq!(len, 0) };
        let mut target = target.as_ptr();
        for span in blocks.spans(at..at + len) {
            // SAFETY: the caller's promise; spans are consecutive in the bytes, so `target` stays within.
            unsafe {
                ptr::copy_nonoverlapping(span.address.as_ptr(), target, span.bytes);
                target = target.add(span.bytes);
            }
        }
    }
}

impl HostBytes {
    /// The address of `len` bytes from `at` on, if they are contiguous and page-aligned.
    pub(super) fn pages(&self, at: usize, len: usize) -> Option<NonNull<u8>> {
        let address = match self {
            // SAFETY: the memory extends beyond `at`, by the creator's promise.
            Self::Memory(address) => Some(unsafe { address.add(at) }),
            Self::Slot(slot) => match &**slot {
                Slot::Blocks(blocks) => blocks
                    .spans(at..at + len)
                    .next()
                    .filter(|span| span.bytes == len)
                    .map(|span| span.address),
                Slot::Empty | Slot::Extent(_) | Slot::Segments(_) => None,
            },
        };
        address.filter(|address| address.addr().get().is_multiple_of(PAGE_BYTES))
    }

    /// Copies `len` bytes from `at` on to `target`.
    ///
    /// # Safety
    ///
    /// The bytes are readable, `target` is writable for as many, and nothing else uses it.
    pub(super) unsafe fn copy_to(&self, at: usize, target: NonNull<u8>, len: usize) {
        match self {
            // SAFETY: the caller's promise.
            Self::Memory(address) => unsafe {
                ptr::copy_nonoverlapping(address.add(at).as_ptr(), target.as_ptr(), len);
            },
            // SAFETY: the caller's promise.
            Self::Slot(slot) => unsafe { slot.fetch(at, target, len) },
        }
    }

    /// Copies `len` bytes from `source` to `at`.
    ///
    /// # Safety
    ///
    /// The bytes are writable and nothing else uses them, and `source` is readable for as many.
    pub(super) unsafe fn copy_from(&self, at: usize, source: NonNull<u8>, len: usize) {
        match self {
            // SAFETY: the caller's promise.
            Self::Memory(address) => unsafe {
                ptr::copy_nonoverlapping(source.as_ptr(), address.add(at).as_ptr(), len);
            },
            // SAFETY: the caller's promise.
            Self::Slot(slot) => unsafe { slot.fill(at, source, len) },
        }
    }
}
