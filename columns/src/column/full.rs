//! Columns of one value, and of nulls.

use super::bytes::BytesLayout;
use super::fixed::FixedLayout;
use super::offsets::Offsets;
use super::rows::Rows;
use super::{CategoricalColumn, Column, IntervalColumn, ListColumn, NullColumn, StructColumn};
use crate::{DType, Error, Result, Scalar};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{ColumnData, filling};
use std::sync::Arc;

impl Column {
    /// A column of `dtype` with `len` rows, all null; the children of a nested one hold nulls too, those of a list
    /// nothing.
    ///
    /// # Errors
    /// Same as [`DType::validate`]; [`Error::Memory`].
    pub fn full_null(dtype: &DType, len: usize, exec: &Exec) -> Result<Column> {
        dtype.validate()?;
        if *dtype == DType::Null {
            return Ok(Column::Null(NullColumn::new(len, exec.device())));
        }
        let mask = Some(Buffer::zeroed(len.div_ceil(8), exec)?);
        let rows = Rows::new(mask, 0, len, exec.device())?.with_null_count(len);
        let nulls = |dtype: &DType| Column::full_null(dtype, len, exec).map(Arc::new);
        let none =
            |dtype: &DType| Column::full_null(dtype, 0, exec).map(|none| Arc::new(none.without_mask()));
        Ok(match dtype {
            DType::Dictionary(dictionary) => {
                let storage = dictionary.codes;
                let codes = FixedLayout { storage, data: Buffer::zeroed(storage.bytes(len), exec)?, rows };
                let ordered = dictionary.ordered;
                Column::Categorical(CategoricalColumn {
                    codes,
                    dictionary: none(&dictionary.values)?,
                    ordered,
                })
            }
            DType::Utf8 | DType::Binary => {
                let bytes = Buffer::zeroed(0, exec)?;
                let offsets = Offsets::empty(len, exec)?;
                Column::from_bytes(dtype, BytesLayout::of_parts(offsets, bytes, rows))
            }
            DType::List(items) => {
                let offsets = Offsets::empty(len, exec)?;
                Column::List(ListColumn { offsets, items: none(items)?, rows })
            }
            DType::Struct(fields) => {
                let names = fields.iter().map(|field| field.name.clone()).collect();
                let children = fields.iter().map(|field| nulls(&field.dtype)).collect::<Result<_>>()?;
                Column::Struct(StructColumn::from_parts(names, children, rows, exec.device())?)
            }
            DType::Interval(interval) => {
                let (left, right) = (nulls(&interval.values)?, nulls(&interval.values)?);
                Column::Interval(IntervalColumn::from_parts(left, right, interval.closed, rows)?)
            }
            fixed @ (DType::Bool
            | DType::Int8
            | DType::Int16
            | DType::Int32
            | DType::Int64
            | DType::UInt8
            | DType::UInt16
            | DType::UInt32
            | DType::UInt64
            | DType::Float32
            | DType::Float64
            | DType::Date32
            | DType::Timestamp(_)
            | DType::Decimal { .. }
            | DType::TimestampTz(..)
            | DType::Duration(_)
            | DType::Time(_)
            | DType::Null) => {
                let unsupported = || Error::UnsupportedDType { dtype: fixed.clone() };
                let storage = fixed.storage().ok_or_else(unsupported)?;
                let data = Buffer::zeroed(storage.bytes(len), exec)?;
                Column::from_layout(fixed, FixedLayout { storage, data, rows }).ok_or_else(unsupported)?
            }
        })
    }

    /// A column of `len` rows that all hold `scalar`. Bytes and nested values are repeated on the host.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Overflow`] for a decimal that its dtype cannot hold.
    pub fn from_scalar(scalar: &Scalar, len: usize, exec: &Exec) -> Result<Column> {
        let dtype = scalar.dtype();
        match scalar {
            Scalar::Null(dtype) => Column::full_null(dtype, len, exec),
            Scalar::Utf8(text) => {
                let data = filling::fill::fill_string(Some(text), len, exec)?;
                Column::from_data(dtype, ColumnData::String(data))
            }
            _ if dtype.is_nested() || dtype == DType::Binary => {
                Column::from_scalars(&dtype, &vec![scalar.clone(); len], exec)
            }
            Scalar::Bool(_)
            | Scalar::Int8(_)
            | Scalar::Int16(_)
            | Scalar::Int32(_)
            | Scalar::Int64(_)
            | Scalar::UInt8(_)
            | Scalar::UInt16(_)
            | Scalar::UInt32(_)
            | Scalar::UInt64(_)
            | Scalar::Float32(_)
            | Scalar::Float64(_)
            | Scalar::Date32(_)
            | Scalar::Timestamp(..)
            | Scalar::Decimal { .. }
            | Scalar::Binary(_)
            | Scalar::TimestampTz(..)
            | Scalar::Duration(..)
            | Scalar::Time(..)
            | Scalar::Interval(_)
            | Scalar::List { .. }
            | Scalar::Struct(_) => match scalar.to_value() {
                Some(value) => {
                    Column::from_data(dtype, ColumnData::Fixed(filling::fill::fill(value, len, exec)?))
                }
                None => Err(Error::Overflow { dtype }),
            },
        }
    }
}
