//! Columns of exact decimal numbers.

use super::fixed::FixedLayout;
use crate::{DType, DecimalStorage, Error, Result};
use columnade_buffers::Buffer;
use columnade_kernels::Storage;

/// Decimals: integers of 32, 64 or 128 bits, times 10^−scale.
#[derive(Clone, Debug)]
pub struct DecimalColumn {
    pub(super) precision: u8,
    pub(super) scale: i8,
    pub(super) layout: FixedLayout,
}

impl DecimalColumn {
    /// Rows `offset .. offset + size` of `data`, null where the bit of `mask` is 0; `dtype` says the digits and the width of
    /// a value. That the values have no more digits is the caller's promise.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for a dtype that is no decimal; [`Error::InvalidArgument`] for a precision or scale that
    /// is none and when a buffer is too short; [`Error::Memory`] when the buffers are on different devices.
    pub fn new(
        dtype: &DType,
        data: Buffer,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        dtype.validate()?;
        let DType::Decimal { precision, scale, storage } = *dtype else {
            return Err(Error::UnsupportedDType { dtype: dtype.clone() });
        };
        Ok(Self { precision, scale, layout: FixedLayout::new(storage.storage(), data, mask, offset, size)? })
    }

    /// Digits of a value.
    pub fn precision(&self) -> u8 {
        self.precision
    }

    /// Digits after the point.
    pub fn scale(&self) -> i8 {
        self.scale
    }

    /// The width of a value.
    pub fn storage(&self) -> DecimalStorage {
        match self.layout.storage {
            Storage::I32 => DecimalStorage::Bits32,
            Storage::I64 => DecimalStorage::Bits64,
            Storage::Bit
            | Storage::I8
            | Storage::I16
            | Storage::I128
            | Storage::U8
            | Storage::U16
            | Storage::U32
            | Storage::U64
            | Storage::F32
            | Storage::F64 => DecimalStorage::Bits128,
        }
    }

    pub(super) fn dtype(&self) -> DType {
        DType::Decimal { precision: self.precision, scale: self.scale, storage: self.storage() }
    }
}
