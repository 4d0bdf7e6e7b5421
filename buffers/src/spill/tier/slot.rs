//! Where a payload's bytes are, seen by who moves them.

use std::ops::Range;
use std::ptr::{self, NonNull};

use super::blocks::Blocks;
use super::disk::Extent;
use super::memory::PAGE_BYTES;
use crate::sync::Arc;

/// Room for a payload's bytes in one tier. Jobs that move the bytes share it, so it is given back after the last.
pub(super) enum Slot {
    /// For no bytes.
    Empty,
    Blocks(Blocks),
    Extent(Extent),
}

/// Host memory that a job reads or writes: somebody's, or a room's.
#[derive(Clone)]
pub(super) enum HostBytes {
    /// In one stretch. The one who made this keeps it valid until the jobs that use it are over.
    Memory(NonNull<u8>),
    /// In blocks.
    Slot(Arc<Slot>),
}

// SAFETY: an address means the same on every thread; `Memory` is only made by moves that wait for their jobs, on
// memory that the caller of the move vouches for.
unsafe impl Send for HostBytes {}

/// A part of a move: what one job or one copy handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Where it begins in the room, in whole grains.
    pub(super) at: usize,
    /// Bytes from there on that are transferred, in whole grains.
    pub(super) bytes: usize,
    /// Of these, bytes before the first that is wanted.
    pub(super) skip: usize,
    /// Bytes wanted.
    pub(super) len: usize,
    /// Where they begin in the range that is moved.
    pub(super) offset: usize,
}

/// The chunks of `range` of a room whose bytes are transferred in whole grains, each of at most `most` bytes, which
/// is whole grains too.
pub(super) fn chunks(range: Range<usize>, grain: usize, most: usize) -> impl Iterator<Item = Chunk> {
    debug_assert!(most > 0 && most.is_multiple_of(grain));
    let mut next = range.start;
    std::iter::from_fn(move || {
        if next >= range.end {
            return None;
        }
        let at = next / grain * grain;
        let end = range.end.min(at + most);
        let bytes = (end - at).next_multiple_of(grain);
        let chunk = Chunk { at, bytes, skip: next - at, len: end - next, offset: next - range.start };
        next = end;
        Some(chunk)
    })
}

/// The size of chunks for a move of `len` bytes: a few for a pipeline, neither tiny nor larger than `most`.
pub(super) fn chunk_size(len: usize, most: usize) -> usize {
    const LEAST: usize = 256 << 10;
    const PARTS: usize = 8;
    (len / PARTS).next_multiple_of(PAGE_BYTES).clamp(LEAST.min(most), most)
}

impl Slot {
    /// What its bytes are transferred in multiples of.
    pub(super) fn grain(&self) -> usize {
        match self {
            Self::Extent(_) => PAGE_BYTES,
            Self::Empty | Self::Blocks(_) => 1,
        }
    }

    /// Copies from host memory into blocks, from `at` on.
    ///
    /// # Safety
    ///
    /// `source` is readable for `len` bytes; the room is of blocks, has as many bytes from `at` on, and nobody else
    /// uses those.
    pub(super) unsafe fn fill(&self, at: usize, source: NonNull<u8>, len: usize) {
        let Self::Blocks(blocks) = self else { return debug_assert_eq!(len, 0) };
        let mut source = source.as_ptr().cast_const();
        for span in blocks.spans(at..at + len) {
            // SAFETY: the caller's promise; spans lie one after another in the bytes, so `source` stays within.
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
    /// `target` is writable for `len` bytes that nobody else uses; the room is of blocks, has as many bytes from `at`
    /// on, and nobody writes those.
    pub(super) unsafe fn fetch(&self, at: usize, target: NonNull<u8>, len: usize) {
        let Self::Blocks(blocks) = self else { return debug_assert_eq!(len, 0) };
        let mut target = target.as_ptr();
        for span in blocks.spans(at..at + len) {
            // SAFETY: the caller's promise; spans lie one after another in the bytes, so `target` stays within.
            unsafe {
                ptr::copy_nonoverlapping(span.address.as_ptr(), target, span.bytes);
                target = target.add(span.bytes);
            }
        }
    }
}

impl HostBytes {
    /// The address of `len` bytes from `at` on, if they are in one stretch that begins at a page.
    pub(super) fn pages(&self, at: usize, len: usize) -> Option<NonNull<u8>> {
        let address = match self {
            // SAFETY: the memory reaches beyond `at`, which the maker vouches for.
            Self::Memory(address) => Some(unsafe { address.add(at) }),
            Self::Slot(slot) => match &**slot {
                Slot::Blocks(blocks) => blocks
                    .spans(at..at + len)
                    .next()
                    .filter(|span| span.bytes == len)
                    .map(|span| span.address),
                Slot::Empty | Slot::Extent(_) => None,
            },
        };
        address.filter(|address| address.addr().get().is_multiple_of(PAGE_BYTES))
    }

    /// Copies `len` bytes from `at` on to `target`.
    ///
    /// # Safety
    ///
    /// The bytes are there, `target` is writable for as many, and nobody else uses it.
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
    /// The bytes are there and nobody else uses them, and `source` is readable for as many.
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
