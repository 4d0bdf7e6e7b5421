//! Columns from scalars.

use super::build::{BitPacker, MaskBuilder, OffsetsBuilder};
use super::fixed::FixedLayout;
use super::{CategoricalColumn, Column, IntervalColumn, ListColumn, NullColumn, StructColumn, bytes_column};
use crate::{DType, DictionaryType, Error, Field, IntervalType, Result, Scalar};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Storage, Value};
use std::sync::Arc;

impl Column {
    /// A column of `dtype` holding `scalars`, each of that dtype or null; of a dictionary dtype, values. For small
    /// columns.
    ///
    /// # Errors
    /// Same as [`DType::validate`]; [`Error::DTypeMismatch`] for a scalar of another dtype; [`Error::Overflow`] for a decimal that its dtype cannot
    /// hold, and for more distinct values than a dictionary has codes; [`Error::Memory`].
    pub fn from_scalars(dtype: &DType, scalars: &[Scalar], exec: &Exec) -> Result<Column> {
        dtype.validate()?;
        for scalar in scalars {
            if !scalar.is_of(dtype) {
                return Err(Error::DTypeMismatch { left: dtype.clone(), right: scalar.dtype() });
            }
        }
        match dtype {
            DType::Utf8 => {
                let text =
                    |scalar: &Scalar| if let Scalar::Utf8(text) = scalar { Some(text.clone()) } else { None };
                bytes_column(dtype, scalars.iter().map(text), exec)
            }
            DType::Binary => {
                let bytes = |scalar: &Scalar| {
                    if let Scalar::Binary(bytes) = scalar { Some(bytes.clone()) } else { None }
                };
                bytes_column(dtype, scalars.iter().map(bytes), exec)
            }
            DType::Dictionary(dictionary) => categories(dictionary, scalars, exec),
            DType::Interval(interval) => intervals(interval, scalars, exec),
            DType::List(items) => lists(items, scalars, exec),
            DType::Struct(fields) => structs(fields, scalars, exec),
            DType::Null => Ok(Column::Null(NullColumn::new(scalars.len(), exec.device()))),
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
            | DType::Time(_)) => values(fixed, scalars, exec),
        }
    }
}

fn values(dtype: &DType, scalars: &[Scalar], exec: &Exec) -> Result<Column> {
    let unsupported = || Error::UnsupportedDType { dtype: dtype.clone() };
    let storage = dtype.storage().ok_or_else(unsupported)?;
    let mut mask = MaskBuilder::default();
    let mut bits = BitPacker::default();
    let mut bytes = Vec::with_capacity(storage.bytes(scalars.len()));
    for scalar in scalars {
        mask.push(!scalar.is_null());
        let value = if let Scalar::Null(_) = scalar {
            Value::zero(storage)
        } else {
            scalar.to_value_of(dtype).ok_or_else(|| Error::Overflow { dtype: dtype.clone() })?
        };
        match storage.width() {
            None => bits.push(value == Value::Bit(true)),
            Some(width) => bytes.extend_from_slice(&value.to_bytes()[..width]),
        }
    }
    let data = if storage == Storage::Bit { bits.finish(exec)? } else { Buffer::from_slice(&bytes, exec)? };
    let layout = FixedLayout { storage, data, rows: mask.finish(exec)? };
    Column::from_layout(dtype, layout).ok_or_else(unsupported)
}

fn validity(scalars: &[Scalar]) -> MaskBuilder {
    let mut mask = MaskBuilder::default();
    for scalar in scalars {
        mask.push(!scalar.is_null());
    }
    mask
}

/// The distinct scalars in order of first appearance, and their codes.
fn categories(dictionary: &DictionaryType, scalars: &[Scalar], exec: &Exec) -> Result<Column> {
    let all = Column::from_scalars(&dictionary.values, scalars, &Exec::host())?;
    let column = CategoricalColumn::encode(&all)?.with_codes(dictionary.codes)?;
    let column = if dictionary.ordered { column.as_ordered() } else { column };
    let mut column = Column::Categorical(column);
    column.adopt(exec)?;
    Ok(column)
}

fn intervals(interval: &IntervalType, scalars: &[Scalar], exec: &Exec) -> Result<Column> {
    let end = |right: bool| {
        let ends: Vec<Scalar> = scalars
            .iter()
            .map(|scalar| match scalar {
                Scalar::Interval(value) if right => value.right.clone(),
                Scalar::Interval(value) => value.left.clone(),
                Scalar::Null(_)
                | Scalar::Bool(_)
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
                | Scalar::Utf8(_)
                | Scalar::Date32(_)
                | Scalar::Timestamp(..)
                | Scalar::Decimal { .. }
                | Scalar::Binary(_)
                | Scalar::TimestampTz(..)
                | Scalar::Duration(..)
                | Scalar::Time(..)
                | Scalar::List { .. }
                | Scalar::Struct(_) => Scalar::Null(interval.values.clone()),
            })
            .collect();
        Column::from_scalars(&interval.values, &ends, exec).map(Arc::new)
    };
    let rows = validity(scalars).finish(exec)?;
    IntervalColumn::from_parts(end(false)?, end(true)?, interval.closed, rows).map(Column::Interval)
}

fn lists(items: &DType, scalars: &[Scalar], exec: &Exec) -> Result<Column> {
    let mut offsets = OffsetsBuilder::with_capacity(scalars.len());
    let mut all = Vec::new();
    for scalar in scalars {
        if let Scalar::List { values, .. } = scalar {
            all.extend_from_slice(values);
        }
        offsets.push(all.len());
    }
    let items = Arc::new(Column::from_scalars(items, &all, exec)?);
    let offsets = offsets.finish(exec)?;
    Ok(Column::List(ListColumn { offsets, items, rows: validity(scalars).finish(exec)? }))
}

fn structs(fields: &[Field], scalars: &[Scalar], exec: &Exec) -> Result<Column> {
    let child = |(position, field): (usize, &Field)| {
        let values: Vec<Scalar> = scalars
            .iter()
            .map(|scalar| {
                if let Scalar::Struct(values) = scalar {
                    values.get(position).map(|(_, value)| value.clone())
                } else {
                    None
                }
            })
            .map(|value| value.unwrap_or_else(|| Scalar::Null(field.dtype.clone())))
            .collect();
        Column::from_scalars(&field.dtype, &values, exec).map(Arc::new)
    };
    let names = fields.iter().map(|field| field.name.clone()).collect();
    let children = fields.iter().enumerate().map(child).collect::<Result<_>>()?;
    let rows = validity(scalars).finish(exec)?;
    StructColumn::from_parts(names, children, rows, exec.device()).map(Column::Struct)
}
