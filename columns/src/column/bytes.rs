//! The layout of columns whose rows are runs of bytes.

use super::offsets::Offsets;
use super::rows::{Rows, check_device, to_device};
use crate::Result;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{OffsetWidth, StringData, StringsView};
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes, where each row begins and ends in them, and which rows.
#[derive(Clone, Debug)]
pub(crate) struct BytesLayout {
    pub(crate) offsets: Offsets,
    pub(crate) bytes: Buffer,
    pub(crate) rows: Rows,
    /// The byte range of the rows, once it was read: it is cached, since the offsets may be spilled.
    span: OnceLock<Range<usize>>,
}

impl BytesLayout {
    pub(crate) fn new(
        offsets: Buffer,
        offset_width: OffsetWidth,
        bytes: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let offsets = Offsets::new(offsets, offset_width, offset + size)?;
        check_device(&bytes, offsets.device())?;
        let rows = Rows::new(mask, offset, size, offsets.device())?;
        Ok(Self::of_parts(offsets, bytes, rows))
    }

    /// A layout of parts that fit together.
    pub(crate) fn of_parts(offsets: Offsets, bytes: Buffer, rows: Rows) -> Self {
        Self { offsets, bytes, rows, span: OnceLock::new() }
    }

    /// What the rows span of the bytes. Waits for the device the first time.
    ///
    /// # Errors
    /// Same as [`Offsets::span`].
    pub(crate) fn span(&self) -> Result<Range<usize>> {
        if let Some(span) = self.span.get() {
            return Ok(span.clone());
        }
        let span = self.offsets.span(&self.rows)?;
        Ok(self.span.get_or_init(|| span).clone())
    }

    pub(crate) fn from_data(data: StringData) -> Result<Self> {
        Self::new(data.offsets, data.offset_width, data.chars, data.validity, 0, data.len)
    }

    pub(crate) fn view(&self) -> StringsView<'_> {
        StringsView {
            offsets: &self.offsets.buffer,
            offset_width: self.offsets.width,
            chars: &self.bytes,
            validity: self.rows.mask.as_ref(),
            offset: self.rows.offset,
            len: self.rows.size,
        }
    }

    pub(crate) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        let (rows, at) = self.rows.slice(offset, len)?;
        Ok(Self::of_parts(self.offsets.slice(at, len), self.bytes.clone(), rows))
    }

    /// Between host and device only the bytes that the rows name are copied.
    pub(crate) fn to_device(&self, exec: &Exec) -> Result<Self> {
        if self.offsets.device() == exec.device() {
            return Ok(self.clone());
        }
        let (offsets, used) = self.offsets.to_device(&self.rows, exec)?;
        let bytes = to_device(&self.bytes.slice(used.start, used.len()), exec)?;
        Ok(Self::of_parts(offsets, bytes, self.rows.to_device(exec)?))
    }
}
