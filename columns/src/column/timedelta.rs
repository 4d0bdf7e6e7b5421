//! Columns of spans of time.

use super::fixed::FixedLayout;
use crate::{DType, Result, TimeUnit};
use columnade_buffers::Buffer;
use columnade_kernels::Storage;

/// Durations: 64-bit counts of a unit.
#[derive(Clone, Debug)]
pub struct TimedeltaColumn {
    pub(super) unit: TimeUnit,
    pub(super) layout: FixedLayout,
}

impl TimedeltaColumn {
    /// Rows `offset .. offset + size` of `data`, null where the bit of `mask` is 0.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`](crate::Error::InvalidArgument) when a buffer is too short;
    /// [`Error::Memory`](crate::Error::Memory) when the buffers are on different devices.
    pub fn new(
        unit: TimeUnit,
        data: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        Ok(Self { unit, layout: FixedLayout::new(Storage::I64, data, mask, offset, size)? })
    }

    /// The unit.
    pub fn unit(&self) -> TimeUnit {
        self.unit
    }

    pub(super) fn dtype(&self) -> DType {
        DType::Duration(self.unit)
    }
}
