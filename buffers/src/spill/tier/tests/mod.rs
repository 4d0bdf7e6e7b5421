//! Every tier on every device, against plain vectors.

mod failures;
mod memory;
mod parts;
mod processes;
mod round_trips;

use std::ops::Range;
use std::ptr::NonNull;

use super::blocks::Geometry;
use super::{Payload, PayloadBuilder, Tier, TierOptions, Tiers};
use crate::sync::Arc;
use crate::tests::pattern;
use crate::{Buffer, Device, Exec, Result};

/// The lower tiers.
const LOWER: [Tier; 3] = [Tier::Pinned, Tier::Pageable, Tier::Disk];

/// Small blocks, so that few bytes take many blocks.
const BLOCK: usize = 128 << 10;
const BOUNCE: usize = 128 << 10;
const GEOMETRY: Geometry = Geometry { block: BLOCK, first_arena: 2 * BLOCK, largest_arena: 8 * BLOCK };

/// Sizes around chunks, pages, bounce blocks and blocks.
const SIZES: &[usize] = &[
    0,
    1,
    63,
    64,
    65,
    257,
    4095,
    4096,
    4097,
    BLOCK / 2 - 1,
    BLOCK / 2 + 1,
    BLOCK - 1,
    BLOCK,
    BLOCK + 1,
    3 * BLOCK + 4097,
    9 * BLOCK,
];

/// A device, its tiers, and a context on it.
struct Setting {
    exec: Exec,
    tiers: Tiers,
}

impl Setting {
    fn new(device: Device, options: &TierOptions) -> Self {
        let tiers = Tiers::with_geometry(device, options, GEOMETRY, BOUNCE);
        Self { exec: Exec::new(device).unwrap(), tiers }
    }

    /// One per device. Miri has no files, and the host has no other lower tier.
    fn all() -> Vec<Self> {
        let limits = TierOptions {
            pinned_limit: Some(64 * BLOCK),
            pageable_limit: Some(64 * BLOCK),
            ..TierOptions::default()
        };
        Device::available().into_iter().map(|device| Self::new(device, &limits)).collect()
    }

    /// The tiers that exist.
    fn lower(&self) -> impl Iterator<Item = Tier> {
        let host = self.exec.device() == Device::Host;
        LOWER.into_iter().filter(move |&tier| !host || tier == Tier::Disk)
    }

    fn store(&self, tier: Tier, bytes: &[u8]) -> Result<Arc<Payload>> {
        let buffer = Buffer::from_slice(bytes, &self.exec).unwrap();
        self.store_buffer(tier, &buffer)
    }

    fn store_buffer(&self, tier: Tier, buffer: &Buffer) -> Result<Arc<Payload>> {
        let guard = buffer.read(&self.exec).unwrap();
        let source = NonNull::new(guard.as_ptr().cast_mut()).unwrap();
        // SAFETY: the guard keeps the bytes readable on this stream.
        unsafe { self.tiers.store(tier, source, guard.len(), self.exec.stream()) }
    }

    fn append_buffer(&self, builder: &mut PayloadBuilder, buffer: &Buffer) -> Result<()> {
        let guard = buffer.read(&self.exec).unwrap();
        let source = NonNull::new(guard.as_ptr().cast_mut()).unwrap();
        // SAFETY: the guard keeps the bytes readable on this stream.
        unsafe { builder.append_device(source, guard.len(), self.exec.stream()) }
    }

    /// Loads a range to `at` in a buffer.
    fn load_into(
        &self,
        buffer: &mut Buffer,
        at: usize,
        payload: &Payload,
        range: Range<usize>,
    ) -> Result<()> {
        let mut guard = buffer.write(&self.exec).unwrap();
        assert!(at + range.len() <= guard.len());
        // SAFETY: the guard keeps as many bytes writable on this stream, and nothing else uses them.
        unsafe {
            let target = NonNull::new(guard.as_mut_ptr()).unwrap().add(at);
            self.tiers.load(payload, range, target, self.exec.stream())
        }
    }

    fn load(&self, payload: &Payload, range: Range<usize>) -> Result<Buffer> {
        let mut buffer = Buffer::uninit(range.len(), &self.exec)?;
        self.load_into(&mut buffer, 0, payload, range)?;
        Ok(buffer)
    }

    fn loaded(&self, payload: &Payload, range: Range<usize>) -> Result<Vec<u8>> {
        self.load(payload, range)?.to_vec(&self.exec)
    }

    fn read(&self, payload: &Payload, range: Range<usize>) -> Result<Vec<u8>> {
        let mut bytes = vec![0; range.len()];
        self.tiers.read(payload, range.start, &mut bytes)?;
        Ok(bytes)
    }

    /// Bytes in use in each tier.
    fn used(&self) -> [usize; 3] {
        self.exec.synchronize().unwrap();
        LOWER.map(|tier| self.tiers.usage(tier).bytes)
    }
}

/// Ranges of `len` bytes with whole, odd, empty and last bytes.
fn ranges(len: usize) -> Vec<Range<usize>> {
    let candidates = [0..len, 0..1, 1..len, len / 3..len / 2, len - len.min(5)..len, len..len, 4095..4098];
    candidates.into_iter().filter(|range| range.start <= range.end && range.end <= len).collect()
}
