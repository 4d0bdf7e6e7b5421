//! Columns of text.

use super::bytes::BytesLayout;
use crate::Result;
use columnade_buffers::Buffer;
use columnade_kernels::OffsetWidth;

/// Text: UTF-8 bytes in the data buffer, and the offsets at which rows begin and end.
///
/// The width of the offsets is layout: the dtype is `utf8` for both. There is always one offset more than rows,
/// also when there are no rows.
#[derive(Clone, Debug)]
pub struct StringColumn {
    pub(crate) layout: BytesLayout,
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

    /// The bytes, those of rows before and after a slice among them.
    pub fn chars(&self) -> &Buffer {
        &self.layout.bytes
    }
}
