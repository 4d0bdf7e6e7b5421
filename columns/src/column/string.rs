//! String columns.

use super::bytes::BytesLayout;
use super::read::row_range;
use crate::Result;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{OffsetWidth, View};

/// Strings: UTF-8 bytes in the data buffer, and the offsets at which rows begin and end.
///
/// The width of the offsets is layout: the dtype is `utf8` for both. There is always one offset more than rows,
/// also when there are no rows.
#[derive(Clone, Debug)]
pub struct StringColumn {
    pub(crate) layout: BytesLayout,
}

impl StringColumn {
    /// Rows `offset .. offset + size`, null where the bit of `mask` is 0. The caller guarantees that the offsets
    /// ascend within `chars` and are character boundaries.
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
        BytesLayout::new(offsets, offset_width, chars, mask, offset, size).map(|layout| Self { layout })
    }

    /// `size + 1` offsets into the bytes, from the column's offset on.
    pub fn offsets(&self) -> &Buffer {
        &self.layout.offsets.buffer
    }

    /// The width of the offsets.
    pub fn offset_width(&self) -> OffsetWidth {
        self.layout.offsets.width
    }

    /// All bytes, including those of rows before and after a slice.
    pub fn chars(&self) -> &Buffer {
        &self.layout.bytes
    }

    /// The same rows on the host, with zeros for the bytes of those that are null.
    pub(crate) fn without_hidden_strings(&self) -> Result<Self> {
        let host = Exec::host();
        let view = View::String(self.layout.view());
        let guard = view.read(&host)?;
        let mut bytes = guard.chars().to_vec();
        let valid = guard.validity();
        for row in (0..self.layout.rows.size).filter(|&row| valid.is_some_and(|valid| !valid.get(row))) {
            let hidden = row_range(&guard, self.layout.offsets.width, row);
            bytes.get_mut(hidden).unwrap_or_default().fill(0);
        }
        let (offsets, rows) = (self.layout.offsets.clone(), self.layout.rows.clone());
        Ok(Self { layout: BytesLayout::of_parts(offsets, Buffer::from_vec(bytes), rows) })
    }
}
