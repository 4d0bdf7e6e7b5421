//! Values of a column, back on the host.

use super::Column;
use crate::{Error, Result, Scalar};
use columnade_buffers::{Device, Exec};
use columnade_kernels::{Element, OffsetWidth, Storage, Value, View, ViewGuard};
use std::ops::Range;

impl Column {
    /// The value of one row, brought to the host; for many rows see [`Column::to_scalars`].
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`]; [`Error::Memory`].
    pub fn get(&self, row: usize) -> Result<Scalar> {
        let missing = Error::IndexOutOfBounds { op: "get", index: row, len: self.size() };
        if row >= self.size() {
            return Err(missing);
        }
        self.slice(row, 1)?.to_scalars()?.pop().ok_or(missing)
    }

    /// Every value, brought to the host: slice first what is not wanted. Of a categorical column, the values that
    /// the codes mean.
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
            let decode = |code: Scalar| match code_of(&code) {
                None => Ok(null.clone()),
                Some(index) => values.get(index).cloned().ok_or(Error::IndexOutOfBounds {
                    op: "decode",
                    index,
                    len: values.len(),
                }),
            };
            return column.codes().to_scalars()?.into_iter().map(decode).collect();
        }
        let exec = Exec::host();
        let column = if self.device() == Device::Host { self.clone() } else { self.to_device(&exec)? };
        let view = column.view();
        let guard = view.read(&exec)?;
        let validity = guard.validity();
        let dtype = self.dtype();
        (0..column.size())
            .map(|row| {
                if !validity.is_none_or(|bits| bits.get(row)) {
                    return Ok(Scalar::Null(dtype.clone()));
                }
                match view {
                    View::Text(text) => text_at(&guard, text.offset_width, row),
                    View::Fixed(fixed) => Scalar::from_value(&dtype, value_at(&guard, fixed.storage, row)),
                }
            })
            .collect()
    }
}

/// A code as an index; `None` for a null.
fn code_of(code: &Scalar) -> Option<usize> {
    match *code {
        Scalar::Int8(code) => usize::try_from(code).ok(),
        Scalar::Int16(code) => usize::try_from(code).ok(),
        Scalar::Int32(code) => usize::try_from(code).ok(),
        _ => None,
    }
}

/// The bytes of a row of text.
pub(super) fn text_range<T: Element + TryInto<usize>>(guard: &ViewGuard<'_>, row: usize) -> Range<usize> {
    let offsets = guard.offsets::<T>();
    offsets[row].try_into().unwrap_or(0)..offsets[row + 1].try_into().unwrap_or(0)
}

fn text_at(guard: &ViewGuard<'_>, width: OffsetWidth, row: usize) -> Result<Scalar> {
    let range = match width {
        OffsetWidth::I32 => text_range::<i32>(guard, row),
        OffsetWidth::I64 => text_range::<i64>(guard, row),
    };
    match std::str::from_utf8(guard.chars().get(range).unwrap_or_default()) {
        Ok(text) => Ok(Scalar::from(text)),
        Err(error) => Err(Error::InvalidArgument { op: "get", name: "text", reason: error.to_string() }),
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
