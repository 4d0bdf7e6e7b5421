//! Columns of dates, timestamps and times of day.

use super::fixed::FixedLayout;
use crate::{DType, Error, Result, TimeUnit, TimeZone};
use columnade_buffers::Buffer;

/// Days (32 bits) or timestamps (64 bits), counted from 1970-01-01, those with a time zone from there in UTC; or times of
/// day, counted from midnight (32 bits for seconds and milliseconds, else 64).
#[derive(Clone, Debug)]
pub struct DatetimeColumn {
    pub(super) dtype: DType,
    pub(super) layout: FixedLayout,
}

impl DatetimeColumn {
    /// Rows `offset .. offset + size` of `data`, null where the bit of `mask` is 0.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless `dtype` is `date32`, a timestamp or a time of day; [`Error::InvalidArgument`] when a
    /// buffer is too short; [`Error::Memory`] when the buffers are on different devices.
    pub fn new(dtype: DType, data: Buffer, mask: Option<Buffer>, offset: usize, size: usize) -> Result<Self> {
        let is_time = dtype.is_temporal() || matches!(dtype, DType::Time(_));
        let Some(storage) = dtype.storage().filter(|_| is_time) else {
            return Err(Error::UnsupportedDType { dtype });
        };
        Ok(Self { dtype, layout: FixedLayout::new(storage, data, mask, offset, size)? })
    }

    /// The unit of a timestamp or a time of day; `None` for days.
    pub fn unit(&self) -> Option<TimeUnit> {
        self.dtype.unit()
    }

    /// The time zone that the values are shown in.
    pub fn zone(&self) -> Option<&TimeZone> {
        if let DType::TimestampTz(_, zone) = &self.dtype { Some(zone) } else { None }
    }
}
