//! Columns of machine integers and floats.

use super::fixed::FixedLayout;
use crate::{DType, Error, Result};
use columnade_buffers::Buffer;

/// Integers or floats: one value a row in the data buffer.
#[derive(Clone, Debug)]
pub struct NumericColumn {
    pub(super) dtype: DType,
    pub(super) layout: FixedLayout,
}

impl NumericColumn {
    /// Rows `offset .. offset + size` of `data`, null where the bit of `mask` is 0.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless `dtype` is an integer or float; [`Error::InvalidArgument`] when a buffer is
    /// too short; [`Error::Memory`] when the buffers are on different devices.
    pub fn new(dtype: DType, data: Buffer, mask: Option<Buffer>, offset: usize, size: usize) -> Result<Self> {
        let Some(storage) = dtype.storage().filter(|_| dtype.is_integer() || dtype.is_float()) else {
            return Err(Error::UnsupportedDType { dtype });
        };
        Ok(Self { dtype, layout: FixedLayout::new(storage, data, mask, offset, size)? })
    }
}
