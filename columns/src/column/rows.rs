//! What every column has: which rows of its buffers it is, and which of them are null.

use crate::{Error, Result};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::{Bits, bits};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Slices narrow their buffers in steps of this many rows: 64 bytes of a bit mask, so that every buffer keeps its
/// alignment. What remains, below one step, is the column's offset.
pub(crate) const SLICE_STEP_ROWS: usize = 512;

/// Rows `offset .. offset + size` of a column's buffers, and their validity.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) mask: Option<Buffer>,
    /// Known where it is free to know, else counted on first demand.
    null_count: NullCount,
}

/// A number of nulls that may not be known yet. Threads that count at the same time find the same number, so an atomic
/// number suffices.
#[derive(Debug)]
struct NullCount(AtomicUsize);

impl NullCount {
    /// No column has so many rows.
    const UNKNOWN: usize = usize::MAX;

    fn new(known: Option<usize>) -> Self {
        Self(AtomicUsize::new(known.unwrap_or(Self::UNKNOWN)))
    }

    fn get(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&count| count != Self::UNKNOWN)
    }

    fn set(&self, count: usize) {
        self.0.store(count, Ordering::Relaxed);
    }
}

impl Clone for NullCount {
    fn clone(&self) -> Self {
        Self::new(self.get())
    }
}

/// Where a slice begins in its column's buffers.
#[derive(Clone, Copy)]
pub(crate) struct Narrowing {
    /// Rows cut off the front of every buffer, a multiple of [`SLICE_STEP_ROWS`].
    pub(crate) skipped: usize,
    /// The slice's offset in what is left.
    pub(crate) offset: usize,
}

impl Rows {
    /// Checks that `mask` covers the rows and lies on `device`.
    pub(crate) fn new(mask: Option<Buffer>, offset: usize, size: usize, device: Device) -> Result<Self> {
        let Some(mask) = mask else { return Ok(Self::without_mask(offset, size)) };
        check_bytes("mask", &mask, (offset + size).div_ceil(8))?;
        check_device(&mask, device)?;
        Ok(Self { offset, size, mask: Some(mask), null_count: NullCount::new(None) })
    }

    /// Rows without a null.
    pub(crate) fn without_mask(offset: usize, size: usize) -> Self {
        Self { offset, size, mask: None, null_count: NullCount::new(Some(0)) }
    }

    /// The same with a null count that the caller knows.
    pub(crate) fn with_null_count(self, null_count: usize) -> Self {
        Self { null_count: NullCount::new(Some(null_count)), ..self }
    }

    pub(crate) fn known_null_count(&self) -> Option<usize> {
        self.null_count.get()
    }

    pub(crate) fn null_count(&self, exec: &Exec) -> Result<usize> {
        if let Some(known) = self.known_null_count() {
            return Ok(known);
        }
        let Some(buffer) = &self.mask else { return Ok(0) };
        let valid = bits::count::count_ones(Bits { buffer, offset: self.offset, len: self.size }, exec)?;
        self.null_count.set(self.size - valid);
        Ok(self.size - valid)
    }

    /// Rows `offset .. offset + len` of these.
    pub(crate) fn slice(&self, offset: usize, len: usize) -> Result<(Rows, Narrowing)> {
        let inside = offset.checked_add(len).is_some_and(|end| end <= self.size);
        if !inside {
            return Err(Error::RowsOutOfBounds { offset, count: len, len: self.size });
        }
        let first = self.offset + offset;
        let skipped = if len == 0 { 0 } else { first / SLICE_STEP_ROWS * SLICE_STEP_ROWS };
        let at = Narrowing { skipped, offset: if len == 0 { 0 } else { first - skipped } };
        let mask = self.mask.as_ref().map(|mask| mask.slice(skipped / 8, (at.offset + len).div_ceil(8)));
        let known = match self.known_null_count() {
            Some(0) => Some(0),
            Some(nulls) if nulls == self.size => Some(len),
            Some(nulls) if len == self.size => Some(nulls),
            _ => (len == 0).then_some(0),
        };
        let null_count = NullCount::new(known);
        Ok((Rows { offset: at.offset, size: len, mask, null_count }, at))
    }

    /// The same rows with their mask in an allocation of its own.
    pub(crate) fn isolate(&self) -> Result<Rows> {
        let mask = self.mask.as_ref().map(Buffer::isolate).transpose()?;
        Ok(Rows { mask, ..self.clone() })
    }

    /// The same rows with the mask on `exec`'s device.
    pub(crate) fn to_device(&self, exec: &Exec) -> Result<Rows> {
        let mask = self.mask.as_ref().map(|mask| to_device(mask, exec)).transpose()?;
        Ok(Rows { mask, ..self.clone() })
    }
}

/// The buffer itself where it is on `exec`'s device, else a copy there.
pub(crate) fn to_device(buffer: &Buffer, exec: &Exec) -> Result<Buffer> {
    if buffer.device() == exec.device() { Ok(buffer.clone()) } else { Ok(buffer.copy_to(exec)?) }
}

/// An error unless `buffer` has at least `bytes` bytes.
pub(crate) fn check_bytes(name: &'static str, buffer: &Buffer, bytes: usize) -> Result<()> {
    if buffer.len() >= bytes {
        return Ok(());
    }
    let reason = format!("{} bytes where the rows take {bytes}", buffer.len());
    Err(Error::InvalidArgument { name, reason })
}

/// An error unless `buffer` is on `device`.
pub(crate) fn check_device(buffer: &Buffer, device: Device) -> Result<()> {
    same_device(buffer.device(), device)
}

/// An error unless the two are one device.
pub(crate) fn same_device(found: Device, expected: Device) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(columnade_buffers::Error::DeviceMismatch { expected, found }.into())
}
