//! Columns of dates and timestamps, with a time zone or without.

use super::fixed::FixedLayout;
use crate::{DType, Error, Result, TimeUnit, TimeZone};
use columnade_buffers::Buffer;

/// Days (32 bits) or timestamps (64 bits), counted from 1970-01-01; those with a time zone from there in UTC.
#[derive(Clone, Debug)]
pub struct DatetimeColumn {
    pub(super) dtype: DType,
    pub(super) layout: FixedLayout,
}

impl DatetimeColumn {
    /// Rows `offset .. offset + size` of `data`, null where the bit of `mask` is 0.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless `dtype` is `date32` or a timestamp; [`Error::InvalidArgument`] when a
    /// buffer is too short; [`Error::Memory`] when the buffers are on different devices.
    pub fn new(dtype: DType, data: Buffer, mask: Option<Buffer>, offset: usize, size: usize) -> Result<Self> {
        let Some(storage) = dtype.storage().filter(|_| dtype.is_temporal()) else {
            return Err(Error::UnsupportedDType { dtype });
        };
        Ok(Self { dtype, layout: FixedLayout::new(storage, data, mask, offset, size)? })
    }

    /// The unit of a timestamp; `None` for days.
    pub fn unit(&self) -> Option<TimeUnit> {
        self.dtype.unit()
    }

    /// The time zone that the values are shown in.
    pub fn zone(&self) -> Option<&TimeZone> {
        if let DType::TimestampTz(_, zone) = &self.dtype { Some(zone) } else { None }
    }
}
