//! Columns of text.

use super::rows::{Rows, check_bytes, check_device, to_device};
use crate::Result;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Element, OffsetWidth, Text, TextData};
use std::ops::{Range, Sub};

/// Text: UTF-8 bytes in the data buffer, and the offsets at which rows begin and end.
///
/// The width of the offsets is layout: the dtype is `utf8` for both. There is always one offset more than rows,
/// also when there are no rows.
#[derive(Clone, Debug)]
pub struct StringColumn {
    pub(crate) offsets: Buffer,
    pub(crate) offset_width: OffsetWidth,
    pub(crate) chars: Buffer,
    pub(crate) rows: Rows,
}

impl StringColumn {
    /// Rows `offset .. offset + size`, null where the bit of `mask` is 0. That the offsets ascend within `chars` and
    /// cut it between characters is the caller's promise.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) when a buffer is too short;
    /// [`Error::Memory`](crate::Error::Memory) when the buffers are on different devices.
    pub fn new(
        offsets: Buffer,
        offset_width: OffsetWidth,
        chars: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        check_bytes("offsets", &offsets, (offset + size + 1) * offset_width.bytes())?;
        check_device(&chars, offsets.device())?;
        let rows = Rows::new(mask, offset, size, offsets.device())?;
        Ok(Self { offsets, offset_width, chars, rows })
    }

    /// `size + 1` offsets into the bytes, from the column's offset on.
    pub fn offsets(&self) -> &Buffer {
        &self.offsets
    }

    /// The width of the offsets.
    pub fn offset_width(&self) -> OffsetWidth {
        self.offset_width
    }

    /// The bytes, those of rows before and after a slice among them.
    pub fn chars(&self) -> &Buffer {
        &self.chars
    }

    pub(super) fn from_data(data: TextData) -> Result<Self> {
        Self::new(data.offsets, data.offset_width, data.chars, data.validity, 0, data.len)
    }

    pub(crate) fn view(&self) -> Text<'_> {
        Text {
            offsets: &self.offsets,
            offset_width: self.offset_width,
            chars: &self.chars,
            validity: self.rows.mask.as_ref(),
            offset: self.rows.offset,
            len: self.rows.size,
        }
    }

    pub(super) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        let (rows, at) = self.rows.slice(offset, len)?;
        let width = self.offset_width.bytes();
        let offsets = self.offsets.slice(at.skipped * width, (at.offset + len + 1) * width);
        Ok(Self { offsets, offset_width: self.offset_width, chars: self.chars.clone(), rows })
    }

    /// Between host and device only the bytes that the rows name are copied.
    pub(super) fn to_device(&self, exec: &Exec) -> Result<Self> {
        if self.offsets.device() == exec.device() {
            return Ok(self.clone());
        }
        let (offsets, used) = match self.offset_width {
            OffsetWidth::I32 => self.moved_offsets::<i32>(exec)?,
            OffsetWidth::I64 => self.moved_offsets::<i64>(exec)?,
        };
        let chars = to_device(&self.chars.slice(used.start, used.len()), exec)?;
        Ok(Self { offsets, offset_width: self.offset_width, chars, rows: self.rows.to_device(exec)? })
    }

    /// The offsets on `exec`'s device, counted from the first byte that the rows name, and the range of those bytes.
    fn moved_offsets<T: Element + TryInto<usize> + Sub<Output = T>>(
        &self,
        exec: &Exec,
    ) -> Result<(Buffer, Range<usize>)> {
        let host = Exec::host();
        let here = to_device(&self.offsets, &host)?;
        let guard = here.read(&host)?;
        let offsets = &guard.as_slice::<T>()[..=self.rows.offset + self.rows.size];
        let (first, last) = (offsets[self.rows.offset], offsets[self.rows.offset + self.rows.size]);
        let used = first.try_into().unwrap_or(0)..last.try_into().unwrap_or(0);
        if used.start == 0 {
            return Ok((to_device(&here.slice(0, size_of_val(offsets)), exec)?, used));
        }
        // Offsets before the first row are never read; they are set to zero rather than below it.
        let moved: Vec<T> =
            offsets.iter().map(|&at| if at < first { T::default() } else { at - first }).collect();
        Ok((Buffer::from_slice(&moved, exec)?, used))
    }
}
