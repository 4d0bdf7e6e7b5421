//! Where rows begin and end in a run of bytes or items.

use super::rows::{Narrowing, Rows, check_bytes, to_device};
use crate::{DType, Error, Result};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Element, Fixed, OffsetWidth, Storage};
use std::ops::{Range, Sub};

/// Positions that ascend: one more than there are rows, also when there are none.
#[derive(Clone, Debug)]
pub(crate) struct Offsets {
    pub(crate) buffer: Buffer,
    pub(crate) width: OffsetWidth,
}

impl Offsets {
    /// Checks that there is an offset for each of `rows` rows, and one more.
    pub(crate) fn new(buffer: Buffer, width: OffsetWidth, rows: usize) -> Result<Self> {
        check_bytes("offsets", &buffer, (rows + 1) * width.bytes())?;
        Ok(Self { buffer, width })
    }

    /// Offsets of `rows` rows that are all empty.
    pub(crate) fn empty(rows: usize, exec: &Exec) -> Result<Self> {
        let width = OffsetWidth::I32;
        Ok(Self { buffer: Buffer::zeroed((rows + 1) * width.bytes(), exec)?, width })
    }

    /// The offsets of the first `rows` rows in 64 bits.
    pub(crate) fn widened(self, rows: usize, exec: &Exec) -> Result<Self> {
        if self.width == OffsetWidth::I64 {
            return Ok(self);
        }
        let narrow =
            Fixed { storage: Storage::I32, data: &self.buffer, validity: None, offset: 0, len: rows + 1 };
        let wide = cast(&narrow, Storage::I64, CastMode::Wrap, exec)?;
        Ok(Self { buffer: wide.data, width: OffsetWidth::I64 })
    }

    /// Those of `len` rows from where a slice begins.
    pub(crate) fn slice(&self, at: Narrowing, len: usize) -> Self {
        let width = self.width.bytes();
        let buffer = self.buffer.slice(at.skipped * width, (at.offset + len + 1) * width);
        Self { buffer, width: self.width }
    }

    /// What the rows span, from the start of the first to the end of the last; without rows nothing, wherever that is.
    /// Waits for the device.
    ///
    /// # Errors
    /// [`Error::Overflow`] when an offset is negative or they descend; [`Error::Memory`].
    pub(crate) fn span(&self, rows: &Rows) -> Result<Range<usize>> {
        if rows.size == 0 {
            return Ok(0..0);
        }
        let host = Exec::host();
        let width = self.width.bytes();
        let at = |row: usize| -> Result<usize> {
            // The offset alone, lest the others come along.
            let one = to_device(&self.buffer.slice(row * width, width).isolate()?, &host)?;
            match self.width {
                OffsetWidth::I32 => position(one.read(&host)?.as_slice::<i32>()[0]),
                OffsetWidth::I64 => position(one.read(&host)?.as_slice::<i64>()[0]),
            }
        };
        range(at(rows.offset)?, at(rows.offset + rows.size)?)
    }

    /// Every offset of the rows, on the host.
    pub(crate) fn to_host(&self, rows: &Rows) -> Result<Vec<usize>> {
        fn positions<T: Element + TryInto<usize>>(buffer: &Buffer, rows: &Rows) -> Result<Vec<usize>> {
            let host = Exec::host();
            let guard = buffer.read(&host)?;
            let offsets = &guard.as_slice::<T>()[rows.offset..=rows.offset + rows.size];
            offsets.iter().map(|&at| position(at)).collect()
        }
        let here = to_device(&self.buffer, &Exec::host())?;
        match self.width {
            OffsetWidth::I32 => positions::<i32>(&here, rows),
            OffsetWidth::I64 => positions::<i64>(&here, rows),
        }
    }

    /// The offsets on `exec`'s device, counted from what the first row starts with, and what the rows span.
    pub(crate) fn to_device(&self, rows: &Rows, exec: &Exec) -> Result<(Self, Range<usize>)> {
        let (buffer, span) = match self.width {
            OffsetWidth::I32 => self.moved::<i32>(rows, exec)?,
            OffsetWidth::I64 => self.moved::<i64>(rows, exec)?,
        };
        Ok((Self { buffer, width: self.width }, span))
    }

    fn moved<T: Element + TryInto<usize> + Sub<Output = T>>(
        &self,
        rows: &Rows,
        exec: &Exec,
    ) -> Result<(Buffer, Range<usize>)> {
        let host = Exec::host();
        let here = to_device(&self.buffer, &host)?;
        let guard = here.read(&host)?;
        let offsets = &guard.as_slice::<T>()[..=rows.offset + rows.size];
        let (first, last) = (offsets[rows.offset], offsets[rows.offset + rows.size]);
        let used = range(position(first)?, position(last)?)?;
        if used.start == 0 {
            return Ok((to_device(&here.slice(0, size_of_val(offsets)), exec)?, used));
        }
        // Offsets before the first row are never read; they are set to zero rather than below it.
        let moved: Vec<T> =
            offsets.iter().map(|&at| if at < first { T::default() } else { at - first }).collect();
        Ok((Buffer::from_slice(&moved, exec)?, used))
    }

    pub(crate) fn device(&self) -> Device {
        self.buffer.device()
    }
}

fn position<T: TryInto<usize>>(offset: T) -> Result<usize> {
    offset.try_into().map_err(|_| Error::Overflow { dtype: DType::UInt64 })
}

fn range(first: usize, last: usize) -> Result<Range<usize>> {
    if first <= last { Ok(first..last) } else { Err(Error::Overflow { dtype: DType::UInt64 }) }
}
