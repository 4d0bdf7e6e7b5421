//! Columns of bytes.

use super::bytes::BytesLayout;
use crate::Result;
use columnade_buffers::Buffer;
use columnade_kernels::OffsetWidth;

/// Runs of bytes in the data buffer, and the offsets at which rows begin and end: text of no encoding.
#[derive(Clone, Debug)]
pub struct BinaryColumn {
    pub(crate) layout: BytesLayout,
}

impl BinaryColumn {
    /// Rows `offset .. offset + size`, null where the bit of `mask` is 0. That the offsets ascend within `bytes` is
    /// the caller's promise.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) when a buffer is too short;
    /// [`Error::Memory`](crate::Error::Memory) when the buffers are on different devices.
    pub fn new(
        offsets: Buffer,
        offset_width: OffsetWidth,
        bytes: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        BytesLayout::new(offsets, offset_width, bytes, mask, offset, size).map(|layout| Self { layout })
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
    pub fn bytes(&self) -> &Buffer {
        &self.layout.bytes
    }
}
