//! Columns of nothing but nulls.

use super::rows::Rows;
use crate::Result;
use columnade_buffers::Device;

/// Nulls without a dtype: a number of rows, and no buffer.
///
/// The one column that has nulls and no mask.
#[derive(Clone, Debug)]
pub struct NullColumn {
    pub(crate) rows: Rows,
    pub(crate) device: Device,
}

impl NullColumn {
    /// `size` nulls, counted as those of `device`.
    pub fn new(size: usize, device: Device) -> Self {
        Self { rows: Rows::without_mask(0, size).with_null_count(size), device }
    }

    pub(super) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        self.rows.slice(offset, len)?;
        Ok(Self::new(len, self.device))
    }
}
