//! Columns of exact decimal numbers.

use super::fixed::FixedLayout;
use crate::{DType, Error, Result};
use columnade_buffers::Buffer;

/// Decimals: integers of 64 bits up to 18 digits, of 128 bits beyond, times 10^−scale.
#[derive(Clone, Debug)]
pub struct DecimalColumn {
    pub(super) precision: u8,
    pub(super) scale: i8,
    pub(super) layout: FixedLayout,
}

impl DecimalColumn {
    /// Rows `offset .. offset + size` of `data`, null where the bit of `mask` is 0. That the values have no more
    /// than `precision` digits is the caller's promise.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a precision or scale that is none and when a buffer is too short;
    /// [`Error::Memory`] when the buffers are on different devices.
    pub fn new(
        precision: u8,
        scale: i8,
        data: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let dtype = DType::decimal(precision, scale)?;
        let Some(storage) = dtype.storage() else {
            return Err(Error::UnsupportedDType { op: "decimal column", dtype });
        };
        Ok(Self { precision, scale, layout: FixedLayout::new(storage, data, mask, offset, size)? })
    }

    /// Digits of a value.
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// Digits after the point.
    pub fn scale(&self) -> i8 {
        self.scale
    }
}
