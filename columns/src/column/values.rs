//! Values of a column as Rust values.

use super::build::Native;
use super::read::{row_range, value_at};
use super::{CategoricalColumn, Column};
use crate::calendar::{Date, date_of};
use crate::{DType, Error, Result, Scalar};
use columnade_buffers::{Device, Exec};
use columnade_kernels::{Storage, Value, View, ViewGuard};

/// A Rust type that the values of a column can be read as.
///
/// | dtype | Rust |
/// | --- | --- |
/// | `int8` … `float64` | the number of the same width |
/// | `bool` | `bool` |
/// | `utf8` | `String` |
/// | `date32` | [`Date`] |
///
/// A dictionary is read as its values. Nothing is converted: cast the column first to read it as another type.
pub trait RowValue: Clone + Sized {
    /// The dtype that is read as `Self`.
    const DTYPE: DType;

    /// The valid value at `row` of a guarded column of [`DTYPE`](Self::DTYPE).
    #[doc(hidden)]
    fn read(guard: &ViewGuard<'_>, view: View<'_>, row: usize) -> Result<Self>;

    /// All values of a guarded column without nulls.
    #[doc(hidden)]
    fn read_all(guard: &ViewGuard<'_>, view: View<'_>, rows: usize) -> Result<Vec<Self>> {
        (0..rows).map(|row| Self::read(guard, view, row)).collect()
    }

    /// The value of a scalar; `None` for a null and for another dtype.
    #[doc(hidden)]
    fn of_scalar(scalar: Scalar) -> Option<Self>;
}

macro_rules! natives {
    ($($ty:ty => $variant:ident),* $(,)?) => {
        $(impl RowValue for $ty {
            const DTYPE: DType = <$ty as Native>::DTYPE;

            fn read(guard: &ViewGuard<'_>, _: View<'_>, row: usize) -> Result<Self> {
                Ok(guard.values::<$ty>()[row])
            }

            fn read_all(guard: &ViewGuard<'_>, _: View<'_>, rows: usize) -> Result<Vec<Self>> {
                Ok(guard.values::<$ty>()[..rows].to_vec())
            }

            fn of_scalar(scalar: Scalar) -> Option<Self> {
                if let Scalar::$variant(value) = scalar { Some(value) } else { None }
            }
        })*
    };
}

natives! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64,
    f32 => Float32, f64 => Float64,
}

impl RowValue for bool {
    const DTYPE: DType = DType::Bool;

    fn read(guard: &ViewGuard<'_>, _: View<'_>, row: usize) -> Result<Self> {
        Ok(guard.value_bits().get(row))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Bool(value) = scalar { Some(value) } else { None }
    }
}

impl RowValue for String {
    const DTYPE: DType = DType::Utf8;

    fn read(guard: &ViewGuard<'_>, view: View<'_>, row: usize) -> Result<Self> {
        let bytes = match view {
            View::String(string) => guard.chars().get(row_range(guard, string.offset_width, row)),
            View::Fixed(_) => None,
        };
        let Some(bytes) = bytes else {
            let reason = format!("those of row {row} are not within the data");
            return Err(Error::InvalidArgument { name: "offsets", reason });
        };
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| Error::InvalidArgument {
            name: "strings",
            reason: format!("row {row} is not UTF-8: {error}"),
        })
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Utf8(value) = scalar { Some(value) } else { None }
    }
}

impl RowValue for Date {
    const DTYPE: DType = DType::Date32;

    fn read(guard: &ViewGuard<'_>, _: View<'_>, row: usize) -> Result<Self> {
        Ok(date_of(guard.values::<i32>()[row].into()))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Date32(days) = scalar { Some(date_of(days.into())) } else { None }
    }
}

macro_rules! from_scalar {
    ($($ty:ty),* $(,)?) => {
        $(impl TryFrom<Scalar> for $ty {
            type Error = Error;

            /// The value of a scalar of exactly this type.
            ///
            /// # Errors
            /// [`Error::DTypeMismatch`] for a scalar of another dtype; [`Error::InvalidArgument`] for a null.
            fn try_from(scalar: Scalar) -> Result<Self> {
                let dtype = scalar.dtype();
                if scalar.is_null() {
                    let reason = format!("a null of {dtype} is no value");
                    return Err(Error::InvalidArgument { name: "scalar", reason });
                }
                Self::of_scalar(scalar)
                    .ok_or(Error::DTypeMismatch { left: <$ty as RowValue>::DTYPE, right: dtype })
            }
        })*
    };
}

from_scalar!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, bool, String, Date);

impl Column {
    /// All values, copied to the host; values of dictionaries are decoded.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if `T` is not the Rust type of the dtype, see [`RowValue`];
    /// [`Error::InvalidArgument`] for a column with nulls, which [`to_options`](Self::to_options) reads;
    /// [`Error::IndexOutOfBounds`] for a code out of the range of its dictionary; [`Error::Memory`].
    ///
    /// # Device
    /// One copy per buffer; waits for the work that fills it.
    pub fn to_vec<T: RowValue>(&self) -> Result<Vec<T>> {
        let exec = Exec::host();
        let column = self.on_host(&exec)?;
        let nulls = column.null_count(&exec)?;
        if nulls > 0 {
            let reason = format!("{nulls} of {} rows are null: read them with to_options", self.size());
            return Err(Error::InvalidArgument { name: "column", reason });
        }
        if let Column::Categorical(_) = &column {
            return Ok(column.to_options()?.into_iter().flatten().collect());
        }
        require::<T>(&column)?;
        let view = column.view()?;
        let guard = view.read(&exec)?;
        T::read_all(&guard, view, column.size())
    }

    /// All values, copied to the host, `None` for nulls; values of dictionaries are decoded.
    ///
    /// # Errors
    /// Same as [`to_vec`](Self::to_vec), except that nulls are allowed.
    ///
    /// # Device
    /// One copy per buffer; waits for the work that fills it.
    pub fn to_options<T: RowValue>(&self) -> Result<Vec<Option<T>>> {
        let exec = Exec::host();
        let column = self.on_host(&exec)?;
        if let Column::Categorical(dictionary) = &column {
            let values = dictionary.dictionary.to_options::<T>()?;
            let value = |index: usize| {
                values.get(index).cloned().ok_or(Error::IndexOutOfBounds { index, len: values.len() })
            };
            let indices = dictionary.indices()?.into_iter();
            return indices.map(|index| index.map_or(Ok(None), value)).collect();
        }
        require::<T>(&column)?;
        let view = column.view()?;
        let guard = view.read(&exec)?;
        rows(&guard, column.size(), |row| T::read(&guard, view, row).map(Some))
    }

    /// The same values in memory of the host; shared where they are there already.
    pub(super) fn on_host(&self, exec: &Exec) -> Result<Column> {
        if self.device() == Device::Host { Ok(self.clone()) } else { self.to_device(exec) }
    }
}

impl CategoricalColumn {
    /// The position in the dictionary of every row's value, copied to the host; `None` for nulls.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(super) fn indices(&self) -> Result<Vec<Option<usize>>> {
        let exec = Exec::host();
        let codes = self.codes().on_host(&exec)?;
        let view = codes.view()?;
        let guard = view.read(&exec)?;
        rows(&guard, codes.size(), |row| Ok(Some(code_at(&guard, view, row))))
    }
}

fn require<T: RowValue>(column: &Column) -> Result<()> {
    let dtype = column.dtype();
    if dtype == T::DTYPE { Ok(()) } else { Err(Error::DTypeMismatch { left: T::DTYPE, right: dtype }) }
}

/// `value` of the valid rows.
fn rows<T>(
    guard: &ViewGuard<'_>,
    len: usize,
    value: impl Fn(usize) -> Result<Option<T>>,
) -> Result<Vec<Option<T>>> {
    let validity = guard.validity();
    let row = |row: usize| if validity.is_none_or(|bits| bits.get(row)) { value(row) } else { Ok(None) };
    (0..len).map(row).collect()
}

/// A code as a position; all ones for one that is negative, which no dictionary has.
fn code_at(guard: &ViewGuard<'_>, view: View<'_>, row: usize) -> usize {
    let storage = if let View::Fixed(fixed) = view { fixed.storage } else { Storage::I64 };
    let code = match value_at(guard, storage, row) {
        Value::I8(code) => usize::try_from(code),
        Value::I16(code) => usize::try_from(code),
        Value::I32(code) => usize::try_from(code),
        Value::I64(code) => usize::try_from(code),
        Value::Bit(_)
        | Value::I128(_)
        | Value::U8(_)
        | Value::U16(_)
        | Value::U32(_)
        | Value::U64(_)
        | Value::F32(_)
        | Value::F64(_) => return usize::MAX,
    };
    code.unwrap_or(usize::MAX)
}
