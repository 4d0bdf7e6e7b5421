//! Values of the host that columns are built from.

use super::bits::{BitPacker, MaskBuilder};
use super::offsets::OffsetsBuilder;
use super::{finished, with_padded_capacity};
use crate::calendar::{Date, days_to};
use crate::column::bytes::BytesLayout;
use crate::column::fixed::FixedLayout;
use crate::column::rows::Rows;
use crate::column::{BooleanColumn, Column, DecimalColumn, ListColumn, NumericColumn};
use crate::{DType, Error, MAX_PRECISION, Result, TimeUnit, TimeZone};
use columnade_buffers::{Buffer, Exec, require_system_memory};
use columnade_kernels::{Element, Storage};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A machine number that is a column's value as it stands.
pub trait Native: Element {
    /// The dtype of a column of `Self`.
    const DTYPE: DType;
}

/// A value of the host that columns can be built from.
///
/// | Rust | dtype |
/// | --- | --- |
/// | numbers | `int8` … `float64` |
/// | `bool` | `bool` |
/// | `&str`, `String` | `utf8` |
/// | `&[u8]` | `binary` |
/// | [`Date`] | `date32` |
/// | [`SystemTime`] | `timestamp[ns, UTC]` |
/// | [`std::time::Duration`] | `duration[ns]` |
/// | `i128` | `decimal(38,0)` |
/// | `Vec<T>` | `list<…>` of what `T` is, also of bytes: `Vec<u8>` is a `list<uint8>` |
/// | `Option<T>` | what `T` is, and nulls |
///
/// Of other units, zones and precisions than these, from numbers: [`timestamps`](crate::timestamps),
/// [`durations`](crate::durations), [`decimals`](crate::decimals).
pub trait ColumnValue: Sized {
    /// A column of the values on `exec`'s device, null where there is none; without a mask when all are there.
    ///
    /// # Errors
    /// [`Error::Overflow`] for a timestamp, a duration or a number that its dtype cannot hold; [`Error::Parse`] for a
    /// [`Date`] that does not exist; [`Error::Memory`].
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column>;

    /// The same of a vector without nulls, which is adopted on the host if its layout is the column's: numbers.
    ///
    /// # Errors
    /// Same as [`column`](Self::column).
    fn column_of_vec(values: Vec<Self>, exec: &Exec) -> Result<Column> {
        Self::column(values.into_iter().map(Some), exec)
    }

    /// The same of a slice without nulls: numbers are copied at once.
    ///
    /// # Errors
    /// Same as [`column`](Self::column).
    fn column_of_slice(values: &[Self], exec: &Exec) -> Result<Column>
    where
        Self: Clone,
    {
        Self::column(values.iter().cloned().map(Some), exec)
    }
}

macro_rules! natives {
    ($($ty:ty => $variant:ident),* $(,)?) => {
        $(impl Native for $ty {
            const DTYPE: DType = DType::$variant;
        }
        impl ColumnValue for $ty {
            fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
                let layout = stored(values, Ok, exec)?;
                Ok(Column::Numeric(NumericColumn { dtype: Self::DTYPE, layout }))
            }
            fn column_of_vec(values: Vec<Self>, exec: &Exec) -> Result<Column> {
                Column::from_vec_on(values, exec)
            }
            fn column_of_slice(values: &[Self], exec: &Exec) -> Result<Column> {
                Column::from_slice(values, exec)
            }
        })*
    };
}

natives! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64,
    f32 => Float32, f64 => Float64,
}

impl ColumnValue for bool {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let mut mask = MaskBuilder::default();
        let mut bits = BitPacker::default();
        for value in values {
            mask.push(value.is_some());
            bits.push(value.unwrap_or(false));
        }
        let data = bits.finish(exec)?;
        let layout = FixedLayout { storage: Storage::Bit, data, rows: mask.finish(exec)? };
        Ok(Column::Boolean(BooleanColumn { layout }))
    }

    fn column_of_vec(values: Vec<Self>, exec: &Exec) -> Result<Column> {
        Self::column_of_slice(&values, exec)
    }

    fn column_of_slice(values: &[Self], exec: &Exec) -> Result<Column> {
        let data = BitPacker::of(values).finish(exec)?;
        let rows = Rows::without_mask(0, values.len());
        Ok(Column::Boolean(BooleanColumn { layout: FixedLayout { storage: Storage::Bit, data, rows } }))
    }
}

impl ColumnValue for &str {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        bytes_column(&DType::Utf8, values, exec)
    }
}

impl ColumnValue for String {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        bytes_column(&DType::Utf8, values, exec)
    }

    fn column_of_slice(values: &[Self], exec: &Exec) -> Result<Column> {
        bytes_column(&DType::Utf8, values.iter().map(Some), exec)
    }
}

impl ColumnValue for &[u8] {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        bytes_column(&DType::Binary, values, exec)
    }
}

impl ColumnValue for Date {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let days = |date: Date| {
            let days = days_to(date).and_then(|days| i32::try_from(days).ok());
            days.ok_or_else(|| Error::Parse { text: date.to_string(), dtype: DType::Date32 })
        };
        converted(&DType::Date32, values, days, exec)
    }
}

impl ColumnValue for SystemTime {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let dtype = DType::TimestampTz(TimeUnit::Nano, TimeZone::utc());
        let since_epoch = |time: SystemTime| {
            let nanos = match time.duration_since(SystemTime::UNIX_EPOCH) {
                Ok(after) => i64::try_from(after.as_nanos()),
                // In 128 bits: the least value of 64 has no opposite. Nanoseconds of no duration reach them.
                Err(before) => i64::try_from(-before.duration().as_nanos().cast_signed()),
            };
            nanos.map_err(|_| Error::Overflow { dtype: dtype.clone() })
        };
        converted(&dtype, values, since_epoch, exec)
    }
}

impl ColumnValue for Duration {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let dtype = DType::Duration(TimeUnit::Nano);
        let overflow = |_| Error::Overflow { dtype: dtype.clone() };
        let nanos = |span: Duration| i64::try_from(span.as_nanos()).map_err(overflow);
        converted(&dtype, values, nanos, exec)
    }
}

impl ColumnValue for i128 {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        stored(values, whole, exec).map(whole_numbers)
    }

    fn column_of_vec(values: Vec<Self>, exec: &Exec) -> Result<Column> {
        values.iter().try_for_each(|&value| whole(value).map(drop))?;
        let rows = Rows::without_mask(0, values.len());
        let data = Buffer::from_vec_on(values, exec)?;
        Ok(whole_numbers(FixedLayout { storage: Storage::I128, data, rows }))
    }

    fn column_of_slice(values: &[Self], exec: &Exec) -> Result<Column> {
        values.iter().try_for_each(|&value| whole(value).map(drop))?;
        let rows = Rows::without_mask(0, values.len());
        let data = Buffer::from_slice(values, exec)?;
        Ok(whole_numbers(FixedLayout { storage: Storage::I128, data, rows }))
    }
}

const WHOLE_NUMBERS: DType = DType::decimal_of(MAX_PRECISION, 0);

/// A number of 128 bits that is a decimal.
fn whole(value: i128) -> Result<i128> {
    if value.unsigned_abs() < 10_u128.pow(MAX_PRECISION.into()) {
        return Ok(value);
    }
    Err(Error::Overflow { dtype: WHOLE_NUMBERS })
}

fn whole_numbers(layout: FixedLayout) -> Column {
    Column::Decimal(DecimalColumn { precision: MAX_PRECISION, scale: 0, layout })
}

impl<T: ColumnValue> ColumnValue for Vec<T> {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let mut mask = MaskBuilder::default();
        let mut offsets = OffsetsBuilder::with_capacity(values.size_hint().0);
        let mut items = Vec::new();
        for value in values {
            mask.push(value.is_some());
            items.extend(value.unwrap_or_default());
            offsets.push(items.len());
        }
        let items = T::column_of_vec(items, exec)?;
        let offsets = offsets.finish(exec)?;
        Ok(Column::List(ListColumn { offsets, items: Arc::new(items), rows: mask.finish(exec)? }))
    }
}

impl<T: ColumnValue> ColumnValue for Option<T> {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        T::column(values.map(Option::flatten), exec)
    }
}

/// Values as `convert` makes them, which the device takes over on the host.
fn stored<T, N: Element>(
    values: impl Iterator<Item = Option<T>>,
    convert: impl Fn(T) -> Result<N>,
    exec: &Exec,
) -> Result<FixedLayout> {
    let mut mask = MaskBuilder::default();
    let mut data = with_padded_capacity(values.size_hint().0);
    for value in values {
        mask.push(value.is_some());
        data.push(match value {
            Some(value) => convert(value)?,
            None => N::default(),
        });
    }
    Ok(FixedLayout { storage: N::STORAGE, data: finished(data, exec)?, rows: mask.finish(exec)? })
}

/// A column of `dtype` of values as `convert` makes them.
fn converted<T, N: Element>(
    dtype: &DType,
    values: impl Iterator<Item = Option<T>>,
    convert: impl Fn(T) -> Result<N>,
    exec: &Exec,
) -> Result<Column> {
    let layout = stored(values, convert, exec)?;
    Column::from_layout(dtype, layout).ok_or_else(|| Error::UnsupportedDType { dtype: dtype.clone() })
}

/// A column of strings or of binary.
pub(crate) fn bytes_column<S: AsRef<[u8]>>(
    dtype: &DType,
    values: impl Iterator<Item = Option<S>>,
    exec: &Exec,
) -> Result<Column> {
    let rows = values.size_hint().0;
    require_system_memory(rows.saturating_mul(size_of::<i32>()))?;
    let mut mask = MaskBuilder::default();
    let mut bytes = Vec::new();
    let mut offsets = OffsetsBuilder::with_capacity(rows);
    for value in values {
        mask.push(value.is_some());
        let value = value.as_ref().map_or(&[][..], AsRef::as_ref);
        if bytes.capacity() - bytes.len() < value.len() {
            // Twice as many, beside the old ones.
            require_system_memory((bytes.len() + value.len()).max(2 * bytes.capacity()))?;
        }
        bytes.extend_from_slice(value);
        offsets.push(bytes.len());
    }
    let (offsets, bytes) = (offsets.finish(exec)?, finished(bytes, exec)?);
    Ok(Column::from_bytes(dtype, BytesLayout::of_parts(offsets, bytes, mask.finish(exec)?)))
}
