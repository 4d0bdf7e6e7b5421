//! The host's memory pool: blocks in size classes, kept for reuse.

use std::fmt;
use std::ptr::NonNull;

use super::MemoryResource;
use super::control_group::{memory_limit, resource_left};
use super::pages;
use super::size_class::SizeClass;
use crate::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use crate::{Admission, Device, Error, Result, Stream, parse_bytes};

/// Bytes of small blocks from the system between two looks at what the limit of the process leaves.
const ASKED_FOR: usize = 1 << 20;
const RETENTION: &str = "COLUMNADE_HOST_RETENTION";

/// The bytes that the environment variable is set to.
pub(super) fn retention(value: &str) -> Result<usize> {
    parse_bytes(value).map_err(|error| match error {
        Error::Option { value, expected, .. } => Error::Option { variable: RETENTION, value, expected },
        other => other,
    })
}

/// Host memory in size classes; freed blocks are kept for reuse up to a limit.
///
/// A new page costs a page fault and zeroing: ten times as much as writing it. A block from the pool has its
/// pages. Each class keeps up to 64 blocks, and all classes together the bytes passed to
/// [`with_retention`](Self::with_retention). A [`Managed`](crate::Managed) resource with a limit keeps less: what is in use
/// and what is kept together stay within the limit. No call takes a lock.
pub struct HostPool {
    shelves: Box<[Shelf]>,
    /// Bytes in all slots, including those being added.
    retained: AtomicUsize,
    retention: usize,
    /// The size class to free from next when memory must be freed.
    cursor: AtomicUsize,
}

impl HostPool {
    /// A pool that keeps up to a quarter of the machine's memory, or of the control group's limit if that is
    /// less.
    pub fn new() -> Self {
        Self::with_retention(memory_limit() / 4)
    }

    /// A pool that keeps as many bytes of freed blocks as the environment variable `COLUMNADE_HOST_RETENTION`
    /// says, a size as in [`parse_bytes`](crate::parse_bytes); without it the same as [`new`](Self::new).
    /// With 0 every block is returned to the system at once, so that memory checkers detect use after free.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for a value that is not a size.
    pub fn from_env() -> Result<Self> {
        match std::env::var_os(RETENTION) {
            None => Ok(Self::new()),
            Some(value) => retention(&value.to_string_lossy()).map(Self::with_retention),
        }
    }

    /// A pool that keeps up to `bytes` bytes of freed blocks.
    pub fn with_retention(bytes: usize) -> Self {
        Self {
            shelves: (0..SizeClass::COUNT).map(|_| Shelf::new()).collect(),
            retained: AtomicUsize::new(0),
            retention: bytes,
            cursor: AtomicUsize::new(0),
        }
    }

    /// Counts `bytes` as retained, after freeing other blocks if necessary; false if they do not fit.
    fn reserve(&self, bytes: usize) -> bool {
        let mut looked_at = 0;
        loop {
            let reserved = self.retained.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |retained| {
                retained.checked_add(bytes).filter(|&sum| sum <= self.retention)
            });
            if reserved.is_ok() {
                return true;
            }
            // Size classes free a block in turn, so that sizes that are no longer requested do not stay in
            // the pool for ever. A block larger than the whole limit does not replace others.
            if bytes > self.retention || looked_at == SizeClass::COUNT {
                return false;
            }
            let index = self.cursor.fetch_add(1, Ordering::Relaxed) % SizeClass::COUNT;
            looked_at = if self.free_one(index) { 0 } else { looked_at + 1 };
        }
    }

    /// Frees a block of one class; false if it keeps none.
    fn free_one(&self, index: usize) -> bool {
        let Some(address) = self.shelves[index].take() else { return false };
        let bytes = SizeClass::at(index).bytes;
        self.retained.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: blocks in this shelf were allocated with the size of its class, and the thread that takes
        // one has it alone.
        unsafe { pages::free(address, bytes) };
        true
    }
}

impl Default for HostPool {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: blocks come from `pages`, aligned and initialised, in a size class that fits the request, and a
// shelf returns each block to one thread.
unsafe impl MemoryResource for HostPool {
    fn device(&self) -> Device {
        Device::Host
    }

    fn allocate(&self, bytes: usize, _stream: &Stream, _admission: Admission) -> Result<NonNull<u8>> {
        let out_of_memory = || Error::OutOfMemory {
            device: Device::Host,
            requested: bytes,
            free: resource_left(),
            tier_refusal: None,
        };
        let class = SizeClass::holding(bytes).ok_or_else(out_of_memory)?;
        if let Some(address) = self.shelves[class.index].take() {
            self.retained.fetch_sub(class.bytes, Ordering::Relaxed);
            return Ok(address);
        }
        if let Some(address) = new_block(class.bytes) {
            return Ok(address);
        }
        self.trim(usize::MAX);
        new_block(class.bytes).ok_or_else(out_of_memory)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, _stream: &Stream) -> Result<()> {
        let Some(class) = SizeClass::holding(bytes) else { return Ok(()) };
        if self.reserve(class.bytes) {
            if self.shelves[class.index].put(address) {
                return Ok(());
            }
            self.retained.fetch_sub(class.bytes, Ordering::Relaxed);
        }
        // SAFETY: the caller frees an allocation of `allocate` with its size, which is of this class.
        unsafe { pages::free(address, class.bytes) };
        Ok(())
    }

    fn retained(&self) -> usize {
        self.retained.load(Ordering::Relaxed)
    }

    fn trim(&self, bytes: usize) -> usize {
        let mut freed = 0;
        // One block that is large enough or smaller ones, and only then larger ones, so that little more is freed.
        let fitting = SizeClass::holding(bytes).map_or(SizeClass::COUNT, |class| class.index + 1);
        for index in (0..fitting).rev().chain(fitting..SizeClass::COUNT) {
            while freed < bytes && self.free_one(index) {
                freed += SizeClass::at(index).bytes;
            }
        }
        freed
    }
}

/// A block from the system, or `None` if the system is out of memory or the limit of the process leaves too little.
fn new_block(bytes: usize) -> Option<NonNull<u8>> {
    // Small blocks are too many to ask for each: for some at a time, as long as all of them are there.
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let is_large = bytes >= pages::MAPPED_FROM;
    let spent = |asked: usize| asked.checked_sub(bytes);
    if is_large || ASKED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spent).is_err() {
        let left = resource_left().unwrap_or(usize::MAX);
        if !is_large {
            ASKED.store(if left > ASKED_FOR { ASKED_FOR } else { 0 }, Ordering::Relaxed);
        }
        if left < bytes {
            return None;
        }
    }
    pages::allocate(bytes)
}

impl Drop for HostPool {
    fn drop(&mut self) {
        self.trim(usize::MAX);
    }
}

impl fmt::Debug for HostPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostPool")
            .field("retained", &self.retained())
            .field("retention", &self.retention)
            .finish_non_exhaustive()
    }
}

/// Slots of a shelf, each a bit of a word. Fewer under Miri, which takes seconds to make 64 for every class.
const SLOTS: usize = if cfg!(miri) { 12 } else { 64 };
/// The bits that are not slots.
const NO_SLOTS: u64 = u64::MAX << (SLOTS - 1) << 1;

/// 64 slots for blocks of one class, without a lock and without touching the blocks.
///
/// A slot goes through four states in turn: empty, claimed for adding, full, claimed for taking. Only the
/// claiming thread accesses the slot, so there is no ABA problem.
pub(super) struct Shelf {
    /// Slots that are not empty, or do not exist.
    claimed: AtomicU64,
    /// Slots that are full.
    full: AtomicU64,
    slots: [AtomicPtr<u8>; SLOTS],
}

impl Shelf {
    pub(super) fn new() -> Self {
        Self {
            claimed: AtomicU64::new(NO_SLOTS),
            full: AtomicU64::new(0),
            slots: std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut())),
        }
    }

    /// Takes a block from the shelf.
    pub(super) fn take(&self) -> Option<NonNull<u8>> {
        let mut full = self.full.load(Ordering::Relaxed);
        while full != 0 {
            let bit = 1 << full.trailing_zeros();
            // Acquire: happens after the block was added, with all writes of its previous owner.
            let before = self.full.fetch_and(!bit, Ordering::Acquire);
            if before & bit != 0 {
                let address = self.slots[bit.trailing_zeros() as usize].load(Ordering::Relaxed);
                // Release: the slot is read before the next claim of it writes it.
                self.claimed.fetch_and(!bit, Ordering::Release);
                return NonNull::new(address);
            }
            full = before;
        }
        None
    }

    /// Adds a block to the shelf; false if it is full.
    pub(super) fn put(&self, address: NonNull<u8>) -> bool {
        let mut claimed = self.claimed.load(Ordering::Relaxed);
        while claimed != u64::MAX {
            let bit = 1 << (!claimed).trailing_zeros();
            let before = self.claimed.fetch_or(bit, Ordering::Acquire);
            if before & bit == 0 {
                self.slots[bit.trailing_zeros() as usize].store(address.as_ptr(), Ordering::Relaxed);
                self.full.fetch_or(bit, Ordering::Release);
                return true;
            }
            claimed = before;
        }
        false
    }
}
