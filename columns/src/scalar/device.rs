//! Scalars that stay on the device.

use crate::{Column, DType, Error, Result, Scalar};
use columnade_buffers::{Device, Exec};

/// One value with its dtype where a column would be: a column of one row. Operations make them and take them without
/// a copy to the host.
///
/// # Source
/// cudf/scalar/scalar.hpp `scalar`.
#[derive(Clone, Debug)]
pub struct DeviceScalar {
    column: Column,
}

impl DeviceScalar {
    /// The only row of `column`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is one row.
    pub fn new(column: Column) -> Result<Self> {
        match column.size() {
            1 => Ok(Self { column }),
            found => Err(Error::LengthMismatch { expected: 1, found }),
        }
    }

    /// A value of the host on `exec`'s device.
    ///
    /// # Errors
    /// Same as [`Column::from_scalars`].
    pub fn from_scalar(scalar: &Scalar, exec: &Exec) -> Result<Self> {
        Ok(Self { column: Column::from_scalars(&scalar.dtype(), std::slice::from_ref(scalar), exec)? })
    }

    /// Row `row` of `column`, sharing its memory.
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`].
    pub fn from_row(column: &Column, row: usize) -> Result<Self> {
        Ok(Self { column: column.slice(row, 1)? })
    }

    /// The value as a column of one row.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// What the value means.
    pub fn dtype(&self) -> DType {
        self.column.dtype()
    }

    /// Where the value lives.
    pub fn device(&self) -> Device {
        self.column.device()
    }

    /// Whether there is no value; may wait for the device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn is_null(&self, exec: &Exec) -> Result<bool> {
        Ok(self.column.null_count(exec)? == 1)
    }

    /// The value on the host.
    ///
    /// # Errors
    /// Same as [`Column::get`].
    pub fn to_scalar(&self) -> Result<Scalar> {
        self.column.get(0)
    }

    /// The value on `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn to_device(&self, exec: &Exec) -> Result<Self> {
        Ok(Self { column: self.column.to_device(exec)? })
    }
}
