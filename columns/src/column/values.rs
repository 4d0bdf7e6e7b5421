//! Values of a column as Rust values.

use super::build::Native;
use super::read::{row_range, value_at};
use super::{CategoricalColumn, Column, ListColumn};
use crate::calendar::{Date, date_of};
use crate::{DType, Decimal, Error, Result, Scalar, Time, TimeUnit, Timedelta, Timestamp};
use columnade_buffers::{Device, Exec};
use columnade_kernels::{Storage, Value, View, ViewGuard};
use std::mem;

/// A Rust type that the values of a column can be read as.
///
/// | dtype | Rust |
/// | --- | --- |
/// | `int8` … `float64` | the number of the same width |
/// | `bool` | `bool` |
/// | `utf8` | `String` |
/// | `binary` | `Vec<u8>` |
/// | `date32` | [`Date`] |
/// | `timestamp[…]` | [`Timestamp`], with its unit |
/// | `duration[…]` | [`Timedelta`], with its unit |
/// | `time32[…]`, `time64[…]` | [`Time`], with its unit |
/// | `decimal(…)` | [`Decimal`], with its scale; of scale 0 `i128` too |
/// | `list<…>` | `Vec<T>` of what the items are read as, `Vec<Option<T>>` if items may be null |
/// | every dtype | [`Scalar`] |
///
/// A dictionary is read as its values. Nothing is converted: cast the column first to read it as another type.
/// `Option<T>` is what `T` is, with `None` for nulls.
pub trait RowValue: Clone + Sized {
    /// Whether values of `dtype` are read as `Self`. Of a dictionary, ask for the dtype of its values.
    fn fits(dtype: &DType) -> bool;

    /// The name of the type, for errors.
    #[doc(hidden)]
    fn name() -> String;

    /// All values of a column on the host whose dtype fits and is no dictionary; `None` for nulls.
    #[doc(hidden)]
    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>>;

    /// [`read`](Self::read) of a column without nulls.
    #[doc(hidden)]
    fn read_all(column: &Column, exec: &Exec) -> Result<Vec<Self>> {
        Ok(Self::read(column, exec)?.into_iter().flatten().collect())
    }

    /// What a null of `dtype` is, if it is a value of the type.
    #[doc(hidden)]
    fn of_null(_: &DType) -> Option<Self> {
        None
    }

    /// The bytes of a binary value, if they are values of the type.
    #[doc(hidden)]
    fn of_bytes(_: &[u8]) -> Option<Vec<Self>> {
        None
    }

    /// The value of a scalar; `None` for a null and for another dtype.
    #[doc(hidden)]
    fn of_scalar(scalar: Scalar) -> Option<Self>;
}

macro_rules! natives {
    ($($ty:ty => $variant:ident $({ $($more:tt)* })?),* $(,)?) => {
        $(impl RowValue for $ty {
            fn fits(dtype: &DType) -> bool {
                *dtype == <$ty as Native>::DTYPE
            }

            fn name() -> String {
                stringify!($ty).to_owned()
            }

            fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
                read_rows(column, exec, |guard, _, row| Ok(guard.values::<$ty>()[row]))
            }

            fn read_all(column: &Column, exec: &Exec) -> Result<Vec<Self>> {
                let view = column.view()?;
                Ok(view.read(exec)?.values::<$ty>()[..column.size()].to_vec())
            }

            $($($more)*)?

            fn of_scalar(scalar: Scalar) -> Option<Self> {
                if let Scalar::$variant(value) = scalar { Some(value) } else { None }
            }
        })*
    };
}

natives! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64,
    u8 => UInt8 {
        fn of_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
            Some(bytes.to_vec())
        }
    },
    u16 => UInt16, u32 => UInt32, u64 => UInt64, f32 => Float32, f64 => Float64,
}

impl RowValue for bool {
    fn fits(dtype: &DType) -> bool {
        *dtype == DType::Bool
    }

    fn name() -> String {
        "bool".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        read_rows(column, exec, |guard, _, row| Ok(guard.value_bits().get(row)))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Bool(value) = scalar { Some(value) } else { None }
    }
}

impl RowValue for String {
    fn fits(dtype: &DType) -> bool {
        *dtype == DType::Utf8
    }

    fn name() -> String {
        "String".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        read_rows(column, exec, |guard, view, row| {
            let bytes = bytes_of(guard, view, row)?;
            std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| Error::InvalidArgument {
                name: "strings",
                reason: format!("row {row} is not UTF-8: {error}"),
            })
        })
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Utf8(value) = scalar { Some(value) } else { None }
    }
}

impl RowValue for Date {
    fn fits(dtype: &DType) -> bool {
        *dtype == DType::Date32
    }

    fn name() -> String {
        "Date".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        read_rows(column, exec, |guard, _, row| Ok(date_of(guard.values::<i32>()[row].into())))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Date32(days) = scalar { Some(date_of(days.into())) } else { None }
    }
}

impl RowValue for Timestamp {
    fn fits(dtype: &DType) -> bool {
        matches!(dtype, DType::Timestamp(_) | DType::TimestampTz(..))
    }

    fn name() -> String {
        "Timestamp".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        let unit = column.dtype().unit().unwrap_or(TimeUnit::Second);
        read_rows(column, exec, |guard, _, row| Ok(Timestamp { value: guard.values::<i64>()[row], unit }))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Timestamp(value, unit) | Scalar::TimestampTz(value, unit, _) = scalar {
            Some(Timestamp { value, unit })
        } else {
            None
        }
    }
}

impl RowValue for Time {
    fn fits(dtype: &DType) -> bool {
        matches!(dtype, DType::Time(_))
    }

    fn name() -> String {
        "Time".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        let dtype = column.dtype();
        let unit = dtype.unit().unwrap_or(TimeUnit::Second);
        let narrow = dtype.storage() == Some(Storage::I32);
        read_rows(column, exec, |guard, _, row| {
            let value = if narrow { guard.values::<i32>()[row].into() } else { guard.values::<i64>()[row] };
            Ok(Time { value, unit })
        })
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Time(value, unit) = scalar { Some(Time { value, unit }) } else { None }
    }
}

impl RowValue for Timedelta {
    fn fits(dtype: &DType) -> bool {
        matches!(dtype, DType::Duration(_))
    }

    fn name() -> String {
        "Timedelta".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        let unit = column.dtype().unit().unwrap_or(TimeUnit::Second);
        read_rows(column, exec, |guard, _, row| Ok(Timedelta { value: guard.values::<i64>()[row], unit }))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Duration(value, unit) = scalar { Some(Timedelta { value, unit }) } else { None }
    }
}

impl RowValue for Decimal {
    fn fits(dtype: &DType) -> bool {
        dtype.is_decimal()
    }

    fn name() -> String {
        "Decimal".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        let scale = if let DType::Decimal { scale, .. } = column.dtype() { scale } else { 0 };
        let digits = i128::read(column, exec)?.into_iter();
        Ok(digits.map(|value| value.map(|value| Decimal { value, scale })).collect())
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Decimal { value, scale, .. } = scalar { Some(Decimal { value, scale }) } else { None }
    }
}

impl RowValue for i128 {
    fn fits(dtype: &DType) -> bool {
        matches!(dtype, DType::Decimal { scale: 0, .. })
    }

    fn name() -> String {
        "i128".to_owned()
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        read_rows(column, exec, |guard, view, row| {
            let storage = if let View::Fixed(fixed) = view { fixed.storage } else { Storage::I128 };
            Ok(match storage {
                Storage::I32 => guard.values::<i32>()[row].into(),
                Storage::I64 => guard.values::<i64>()[row].into(),
                Storage::Bit
                | Storage::I8
                | Storage::I16
                | Storage::I128
                | Storage::U8
                | Storage::U16
                | Storage::U32
                | Storage::U64
                | Storage::F32
                | Storage::F64 => guard.values::<i128>()[row],
            })
        })
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        if let Scalar::Decimal { value, scale: 0, .. } = scalar { Some(value) } else { None }
    }
}

impl RowValue for Scalar {
    fn fits(_: &DType) -> bool {
        true
    }

    fn name() -> String {
        "Scalar".to_owned()
    }

    fn read(column: &Column, _: &Exec) -> Result<Vec<Option<Self>>> {
        let values = column.to_scalars()?.into_iter();
        Ok(values.map(|value| (!value.is_null()).then_some(value)).collect())
    }

    fn of_null(dtype: &DType) -> Option<Self> {
        Some(Scalar::Null(dtype.clone()))
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        (!scalar.is_null()).then_some(scalar)
    }
}

impl<T: RowValue> RowValue for Option<T> {
    fn fits(dtype: &DType) -> bool {
        T::fits(dtype)
    }

    fn name() -> String {
        format!("Option<{}>", T::name())
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        Ok(T::read(column, exec)?.into_iter().map(|value| value.map(Some)).collect())
    }

    fn of_null(_: &DType) -> Option<Self> {
        Some(None)
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        T::of_scalar(scalar).map(Some)
    }
}

impl<T: RowValue> RowValue for Vec<T> {
    fn fits(dtype: &DType) -> bool {
        if let DType::List(items) = dtype {
            return T::fits(items.logical());
        }
        *dtype == DType::Binary && T::of_bytes(&[]).is_some()
    }

    fn name() -> String {
        format!("Vec<{}>", T::name())
    }

    fn read(column: &Column, exec: &Exec) -> Result<Vec<Option<Self>>> {
        if let Column::List(lists) = column {
            return read_lists(lists);
        }
        let internal = Error::Internal { invariant: "bytes are read as what is made of bytes" };
        read_rows(column, exec, |guard, view, row| {
            T::of_bytes(bytes_of(guard, view, row)?).ok_or_else(|| internal.clone())
        })
    }

    fn of_scalar(scalar: Scalar) -> Option<Self> {
        match scalar {
            Scalar::List { item, values } if T::fits(item.logical()) => {
                let value = |value: Scalar| {
                    if value.is_null() { T::of_null(item.logical()) } else { T::of_scalar(value) }
                };
                values.into_iter().map(value).collect()
            }
            Scalar::Binary(bytes) => T::of_bytes(&bytes),
            Scalar::List { .. }
            | Scalar::Null(_)
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
            | Scalar::TimestampTz(..)
            | Scalar::Duration(..)
            | Scalar::Time(..)
            | Scalar::Interval(_)
            | Scalar::Struct(_) => None,
        }
    }
}

macro_rules! from_scalar {
    ($($ty:ty),* $(,)?) => {
        $(impl TryFrom<Scalar> for $ty {
            type Error = Error;

            /// The value of a scalar of exactly this type.
            ///
            /// # Errors
            /// [`Error::RustType`] for a scalar of another dtype; [`Error::InvalidArgument`] for a null.
            fn try_from(scalar: Scalar) -> Result<Self> {
                let dtype = scalar.dtype();
                if scalar.is_null() {
                    let reason = format!("a null of {dtype} is no value");
                    return Err(Error::InvalidArgument { name: "scalar", reason });
                }
                Self::of_scalar(scalar).ok_or_else(|| mismatch::<$ty>(dtype))
            }
        })*
    };
}

from_scalar!(
    i8, i16, i32, i64, i128, u8, u16, u32, u64, f32, f64, bool, String, Date, Timestamp, Timedelta, Time,
    Decimal
);

impl Column {
    /// All values, copied to the host; values of dictionaries are decoded.
    ///
    /// # Errors
    /// [`Error::RustType`] if `T` is not the Rust type of the dtype, see [`RowValue`];
    /// [`Error::InvalidArgument`] for a column with nulls, which [`to_options`](Self::to_options) reads, and for lists
    /// with null items, which are read as `Vec<Option<…>>`;
    /// [`Error::IndexOutOfBounds`] for a code out of the range of its dictionary; [`Error::Memory`].
    ///
    /// # Device
    /// One copy per buffer; waits for the work that fills it.
    pub fn to_vec<T: RowValue>(&self) -> Result<Vec<T>> {
        let exec = Exec::host();
        let dtype = self.dtype();
        require::<T>(&dtype)?;
        let column = self.on_host(&exec)?;
        let nulls = column.null_count(&exec)?;
        if nulls == 0 && !matches!(column, Column::Categorical(_)) {
            return T::read_all(&column, &exec);
        }
        let Some(null) = T::of_null(dtype.logical()) else {
            if nulls > 0 {
                let reason = format!("{nulls} of {} rows are null: read them with to_options", self.size());
                return Err(Error::InvalidArgument { name: "column", reason });
            }
            return Ok(options(&column, &exec)?.into_iter().flatten().collect());
        };
        Ok(options(&column, &exec)?.into_iter().map(|value| value.unwrap_or_else(|| null.clone())).collect())
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
        require::<T>(&self.dtype())?;
        options(&self.on_host(&exec)?, &exec)
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
        read_rows(&codes, &exec, |guard, view, row| Ok(code_at(guard, view, row)))
    }
}

fn require<T: RowValue>(dtype: &DType) -> Result<()> {
    if T::fits(dtype.logical()) { Ok(()) } else { Err(mismatch::<T>(dtype.clone())) }
}

fn mismatch<T: RowValue>(dtype: DType) -> Error {
    Error::RustType { fits: rust_type(&dtype), dtype, asked: T::name() }
}

/// The name of the Rust type that values of a dtype are read as.
fn rust_type(dtype: &DType) -> String {
    match dtype {
        DType::Bool => bool::name(),
        DType::Int8 => i8::name(),
        DType::Int16 => i16::name(),
        DType::Int32 => i32::name(),
        DType::Int64 => i64::name(),
        DType::UInt8 => u8::name(),
        DType::UInt16 => u16::name(),
        DType::UInt32 => u32::name(),
        DType::UInt64 => u64::name(),
        DType::Float32 => f32::name(),
        DType::Float64 => f64::name(),
        DType::Utf8 => String::name(),
        DType::Date32 => Date::name(),
        DType::Timestamp(_) | DType::TimestampTz(..) => Timestamp::name(),
        DType::Duration(_) => Timedelta::name(),
        DType::Time(_) => Time::name(),
        DType::Decimal { .. } => Decimal::name(),
        DType::Binary => Vec::<u8>::name(),
        DType::Dictionary(dictionary) => rust_type(&dictionary.values),
        DType::List(items) => format!("Vec<{}>", rust_type(items)),
        DType::Interval(_) | DType::Struct(_) | DType::Null => Scalar::name(),
    }
}

/// The values of a column on the host whose dtype fits, dictionaries decoded; `None` for nulls.
fn options<T: RowValue>(column: &Column, exec: &Exec) -> Result<Vec<Option<T>>> {
    let Column::Categorical(dictionary) = column else { return T::read(column, exec) };
    let values = options::<T>(&dictionary.dictionary.on_host(exec)?, exec)?;
    let value =
        |index: usize| values.get(index).cloned().ok_or(Error::IndexOutOfBounds { index, len: values.len() });
    let indices = dictionary.indices()?.into_iter();
    indices.map(|index| index.map_or(Ok(None), value)).collect()
}

/// `value` of the valid rows of a flat column on the host.
fn read_rows<T>(
    column: &Column,
    exec: &Exec,
    value: impl Fn(&ViewGuard<'_>, View<'_>, usize) -> Result<T>,
) -> Result<Vec<Option<T>>> {
    let view = column.view()?;
    let guard = view.read(exec)?;
    let validity = guard.validity();
    let row = |row: usize| {
        if validity.is_none_or(|bits| bits.get(row)) { value(&guard, view, row).map(Some) } else { Ok(None) }
    };
    (0..column.size()).map(row).collect()
}

/// The items of each valid list.
fn read_lists<T: RowValue>(lists: &ListColumn) -> Result<Vec<Option<Vec<T>>>> {
    let exec = Exec::host();
    let offsets = lists.offsets.to_host(&lists.rows)?;
    let valid = super::read::validity(&lists.rows, &exec)?;
    let span = lists.span()?;
    let items = lists.items.slice(span.start, span.len())?.on_host(&exec)?;
    let dtype = items.dtype();
    let mut items = options::<T>(&items, &exec)?;
    let mut rows = Vec::with_capacity(valid.len());
    for (row, (valid, ends)) in valid.into_iter().zip(offsets.windows(2)).enumerate() {
        if !valid {
            rows.push(None);
            continue;
        }
        let range = ends[0].checked_sub(span.start).zip(ends[1].checked_sub(span.start));
        let values = range.and_then(|(start, end)| items.get_mut(start..end)).ok_or_else(|| {
            let reason = format!("those of row {row} are not within the items");
            Error::InvalidArgument { name: "offsets", reason }
        })?;
        let mut list = Vec::with_capacity(values.len());
        for value in values {
            list.push(mem::take(value).or_else(|| T::of_null(dtype.logical())).ok_or_else(|| {
                let reason =
                    format!("an item of row {row} is null: read lists as Vec<Option<{}>>", T::name());
                Error::InvalidArgument { name: "column", reason }
            })?);
        }
        rows.push(Some(list));
    }
    Ok(rows)
}

/// The bytes of a row of strings or of binary.
fn bytes_of<'a>(guard: &'a ViewGuard<'_>, view: View<'_>, row: usize) -> Result<&'a [u8]> {
    let bytes = match view {
        View::String(string) => guard.chars().get(row_range(guard, string.offset_width, row)),
        View::Fixed(_) => None,
    };
    bytes.ok_or_else(|| {
        let reason = format!("those of row {row} are not within the data");
        Error::InvalidArgument { name: "offsets", reason }
    })
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
