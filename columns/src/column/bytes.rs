//! The layout of columns whose rows are runs of bytes.

use super::offsets::Offsets;
use super::rows::{Rows, check_device, to_device};
use crate::Result;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{OffsetWidth, Text, TextData};

/// Bytes, where each row begins and ends in them, and which rows.
#[derive(Clone, Debug)]
pub(crate) struct BytesLayout {
    pub(crate) offsets: Offsets,
    pub(crate) bytes: Buffer,
    pub(crate) rows: Rows,
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
        Ok(Self { offsets, bytes, rows })
    }

    pub(crate) fn from_data(data: TextData) -> Result<Self> {
        Self::new(data.offsets, data.offset_width, data.chars, data.validity, 0, data.len)
    }

    pub(crate) fn view(&self) -> Text<'_> {
        Text {
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
        Ok(Self { offsets: self.offsets.slice(at, len), bytes: self.bytes.clone(), rows })
    }

    /// Between host and device only the bytes that the rows name are copied.
    pub(crate) fn to_device(&self, exec: &Exec) -> Result<Self> {
        if self.offsets.device() == exec.device() {
            return Ok(self.clone());
        }
        let (offsets, used) = self.offsets.to_device(&self.rows, exec)?;
        let bytes = to_device(&self.bytes.slice(used.start, used.len()), exec)?;
        Ok(Self { offsets, bytes, rows: self.rows.to_device(exec)? })
    }
}
