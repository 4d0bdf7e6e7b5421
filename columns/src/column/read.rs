//! Values of a column, back on the host.

use super::rows::Rows;
use super::{Column, IntervalColumn, ListColumn, StructColumn};
use crate::{DType, Error, IntervalScalar, Result, Scalar};
use columnade_buffers::Exec;
use columnade_kernels::{Element, OffsetWidth, Storage, Value, View, ViewGuard};
use std::ops::Range;

impl Column {
    /// The value of one row, brought to the host; for many rows see [`Column::to_scalars`].
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`]; [`Error::Memory`].
    pub fn get(&self, row: usize) -> Result<Scalar> {
        let missing = Error::IndexOutOfBounds { index: row, len: self.size() };
        if row >= self.size() {
            return Err(missing);
        }
        self.slice(row, 1)?.to_scalars()?.pop().ok_or(missing)
    }

    /// Every value, brought to the host: slice first what is not wanted. Of a categorical column, the values that
    /// the codes refer to.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::IndexOutOfBounds`] when a code is no row of its dictionary.
    ///
    /// # Device
    /// One copy a buffer; waits for the work that fills it.
    pub fn to_scalars(&self) -> Result<Vec<Scalar>> {
        if let Column::Categorical(column) = self {
            let values = column.dictionary.to_scalars()?;
            let null = Scalar::Null(column.dictionary.dtype());
            let value = |index: usize| {
                values.get(index).cloned().ok_or(Error::IndexOutOfBounds { index, len: values.len() })
            };
            let indices = column.indices()?.into_iter();
            return indices.map(|index| index.map_or_else(|| Ok(null.clone()), value)).collect();
        }
        let exec = Exec::host();
        let column = self.on_host(&exec)?;
        match &column {
            Column::Interval(column) => intervals(column, &exec),
            Column::List(column) => lists(column, &exec),
            Column::Struct(column) => structs(column, &exec),
            Column::Null(column) => Ok(vec![Scalar::Null(DType::Null); column.rows.size]),
            flat @ (Column::Numeric(_)
            | Column::Boolean(_)
            | Column::String(_)
            | Column::Binary(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Categorical(_)) => flat_scalars(flat, &exec),
        }
    }
}

fn flat_scalars(column: &Column, exec: &Exec) -> Result<Vec<Scalar>> {
    let view = column.view()?;
    let guard = view.read(exec)?;
    let validity = guard.validity();
    let dtype = column.dtype();
    (0..column.size())
        .map(|row| {
            if !validity.is_none_or(|bits| bits.get(row)) {
                return Ok(Scalar::Null(dtype.clone()));
            }
            match view {
                View::String(bytes) => bytes_at(&guard, bytes.offset_width, &dtype, row),
                View::Fixed(fixed) => Scalar::from_value(&dtype, value_at(&guard, fixed.storage, row)),
            }
        })
        .collect()
}

/// Which rows are not null.
pub(crate) fn validity(rows: &Rows, exec: &Exec) -> Result<Vec<bool>> {
    let Some(mask) = &rows.mask else { return Ok(vec![true; rows.size]) };
    let guard = mask.read(exec)?;
    let bytes = guard.as_slice::<u8>();
    Ok((rows.offset..rows.offset + rows.size).map(|row| bytes[row / 8] >> (row % 8) & 1 == 1).collect())
}

fn intervals(column: &IntervalColumn, exec: &Exec) -> Result<Vec<Scalar>> {
    let (left, right) = (column.left()?.to_scalars()?, column.right()?.to_scalars()?);
    let dtype = column.dtype();
    let closed = column.closed;
    let valid = validity(&column.rows, exec)?;
    let row = |((valid, left), right): ((bool, Scalar), Scalar)| {
        if valid {
            Scalar::Interval(Box::new(IntervalScalar { left, right, closed }))
        } else {
            Scalar::Null(dtype.clone())
        }
    };
    Ok(valid.into_iter().zip(left).zip(right).map(row).collect())
}

fn lists(column: &ListColumn, exec: &Exec) -> Result<Vec<Scalar>> {
    let offsets = column.offsets.to_host(&column.rows)?;
    let span = column.span()?;
    let items = column.items.slice(span.start, span.len())?.to_scalars()?;
    let item = column.items.dtype();
    let valid = validity(&column.rows, exec)?;
    valid
        .into_iter()
        .zip(offsets.windows(2))
        .map(|(valid, ends)| {
            if !valid {
                return Ok(Scalar::Null(column.dtype()));
            }
            let outside = Error::Overflow { dtype: column.dtype() };
            let range = ends[0].checked_sub(span.start).zip(ends[1].checked_sub(span.start));
            let values = range.and_then(|(start, end)| items.get(start..end)).ok_or(outside)?.to_vec();
            Ok(Scalar::List { item: Box::new(item.clone()), values })
        })
        .collect()
}

fn structs(column: &StructColumn, exec: &Exec) -> Result<Vec<Scalar>> {
    let fields = column.fields()?.iter().map(Column::to_scalars).collect::<Result<Vec<_>>>()?;
    let dtype = column.dtype();
    let row = |(row, valid): (usize, bool)| {
        if !valid {
            return Scalar::Null(dtype.clone());
        }
        let values = column.names.iter().zip(&fields);
        Scalar::Struct(values.map(|(name, values)| (name.clone(), values[row].clone())).collect())
    };
    Ok(validity(&column.rows, exec)?.into_iter().enumerate().map(row).collect())
}

/// The bytes of a row of text.
pub(super) fn string_range<T: Element + TryInto<usize>>(guard: &ViewGuard<'_>, row: usize) -> Range<usize> {
    let offsets = guard.offsets::<T>();
    // No bytes are there.
    let position = |offset: T| offset.try_into().unwrap_or(usize::MAX);
    position(offsets[row])..position(offsets[row + 1])
}

/// Where the bytes of a row are, in offsets of either width.
pub(super) fn row_range(guard: &ViewGuard<'_>, width: OffsetWidth, row: usize) -> Range<usize> {
    match width {
        OffsetWidth::I32 => string_range::<i32>(guard, row),
        OffsetWidth::I64 => string_range::<i64>(guard, row),
    }
}

fn bytes_at(guard: &ViewGuard<'_>, width: OffsetWidth, dtype: &DType, row: usize) -> Result<Scalar> {
    let Some(bytes) = guard.chars().get(row_range(guard, width, row)) else {
        let reason = format!("those of row {row} are not within the data");
        return Err(Error::InvalidArgument { name: "offsets", reason });
    };
    if *dtype == DType::Binary {
        return Ok(Scalar::Binary(bytes.to_vec()));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Scalar::from(text)),
        Err(error) => Err(Error::InvalidArgument { name: "text", reason: error.to_string() }),
    }
}

pub(super) fn value_at(guard: &ViewGuard<'_>, storage: Storage, row: usize) -> Value {
    fn value<T: Element>(guard: &ViewGuard<'_>, row: usize) -> Value {
        guard.values::<T>()[row].into_value()
    }
    match storage {
        Storage::Bit => Value::Bit(guard.value_bits().get(row)),
        Storage::I8 => value::<i8>(guard, row),
        Storage::I16 => value::<i16>(guard, row),
        Storage::I32 => value::<i32>(guard, row),
        Storage::I64 => value::<i64>(guard, row),
        Storage::I128 => value::<i128>(guard, row),
        Storage::U8 => value::<u8>(guard, row),
        Storage::U16 => value::<u16>(guard, row),
        Storage::U32 => value::<u32>(guard, row),
        Storage::U64 => value::<u64>(guard, row),
        Storage::F32 => value::<f32>(guard, row),
        Storage::F64 => value::<f64>(guard, row),
    }
}
