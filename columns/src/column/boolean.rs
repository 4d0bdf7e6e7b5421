//! Columns of booleans.

use super::fixed::FixedLayout;
use crate::Result;
use columnade_buffers::Buffer;
use columnade_kernels::Storage;

/// Booleans: one bit a row in the data buffer, least significant first.
#[derive(Clone, Debug)]
pub struct BooleanColumn {
    pub(super) layout: FixedLayout,
}

impl BooleanColumn {
    /// Bits `offset .. offset + size` of `data`, null where the bit of `mask` is 0.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) when a buffer is too short;
    /// [`Error::Memory`](crate::Error::Memory) when the buffers are on different devices.
    pub fn new(data: Buffer, mask: Option<Buffer>, offset: usize, size: usize) -> Result<Self> {
        Ok(Self { layout: FixedLayout::new(Storage::Bit, data, mask, offset, size)? })
    }
}
