//! One value with its dtype.

mod device;
mod exact;
mod parse;
#[cfg(test)]
mod tests;
mod text;

pub use device::DeviceScalar;
pub use exact::{Decimal, Time, Timedelta, Timestamp};

use crate::calendar::Date;
use crate::{Closed, DType, Error, Field, Result, TimeUnit, TimeZone};
use columnade_kernels::{Storage, Value};

/// One value with its dtype, on the host.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Scalar {
    /// Null, with a dtype.
    Null(DType),
    /// True or false.
    Bool(bool),
    /// Signed 8-bit integer.
    Int8(i8),
    /// Signed 16-bit integer.
    Int16(i16),
    /// Signed 32-bit integer.
    Int32(i32),
    /// Signed 64-bit integer.
    Int64(i64),
    /// Unsigned 8-bit integer.
    UInt8(u8),
    /// Unsigned 16-bit integer.
    UInt16(u16),
    /// Unsigned 32-bit integer.
    UInt32(u32),
    /// Unsigned 64-bit integer.
    UInt64(u64),
    /// IEEE 754 binary32.
    Float32(f32),
    /// IEEE 754 binary64.
    Float64(f64),
    /// Strings.
    Utf8(String),
    /// Days since 1970-01-01.
    Date32(i32),
    /// Units since 1970-01-01.
    Timestamp(i64, TimeUnit),
    /// `value` × 10^−`scale`.
    Decimal {
        /// The digits.
        value: i128,
        /// How many digits the dtype has.
        precision: u8,
        /// How many of them come after the point.
        scale: i8,
    },
    /// Bytes.
    Binary(Vec<u8>),
    /// Units since 1970-01-01 UTC, shown in a time zone.
    TimestampTz(i64, TimeUnit, TimeZone),
    /// Units of time.
    Duration(i64, TimeUnit),
    /// Units since midnight.
    Time(i64, TimeUnit),
    /// All values between two.
    Interval(Box<IntervalScalar>),
    /// Items of one dtype, or null.
    List {
        /// The dtype of the items, also where there are none.
        item: Box<DType>,
        /// The items.
        values: Vec<Scalar>,
    },
    /// The names of the fields and their values.
    Struct(Vec<(String, Scalar)>),
}

/// An interval between two bounds.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IntervalScalar {
    /// The lower end.
    pub left: Scalar,
    /// The upper end, of the same dtype.
    pub right: Scalar,
    /// Which ends belong to the interval.
    pub closed: Closed,
}

impl Scalar {
    /// The dtype of the value.
    pub fn dtype(&self) -> DType {
        match self {
            Scalar::Null(dtype) => dtype.clone(),
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int8(_) => DType::Int8,
            Scalar::Int16(_) => DType::Int16,
            Scalar::Int32(_) => DType::Int32,
            Scalar::Int64(_) => DType::Int64,
            Scalar::UInt8(_) => DType::UInt8,
            Scalar::UInt16(_) => DType::UInt16,
            Scalar::UInt32(_) => DType::UInt32,
            Scalar::UInt64(_) => DType::UInt64,
            Scalar::Float32(_) => DType::Float32,
            Scalar::Float64(_) => DType::Float64,
            Scalar::Utf8(_) => DType::Utf8,
            Scalar::Date32(_) => DType::Date32,
            Scalar::Timestamp(_, unit) => DType::Timestamp(*unit),
            Scalar::Decimal { precision, scale, .. } => DType::decimal_of(*precision, *scale),
            Scalar::Binary(_) => DType::Binary,
            Scalar::TimestampTz(_, unit, zone) => DType::TimestampTz(*unit, zone.clone()),
            Scalar::Duration(_, unit) => DType::Duration(*unit),
            Scalar::Time(_, unit) => DType::Time(*unit),
            Scalar::Interval(interval) => DType::interval(interval.left.dtype(), interval.closed),
            Scalar::List { item, .. } => DType::List(item.clone()),
            Scalar::Struct(fields) => {
                let field =
                    |(name, value): &(String, Scalar)| Field { name: name.clone(), dtype: value.dtype() };
                DType::Struct(fields.iter().map(field).collect())
            }
        }
    }

    /// Whether a column of `dtype` may hold this: a null, a value of the dtype, or one that a dictionary of it means.
    pub fn is_of(&self, dtype: &DType) -> bool {
        match (self, dtype.logical()) {
            (Scalar::Null(_), _) => true,
            (Scalar::List { values, .. }, DType::List(items)) => {
                values.iter().all(|value| value.is_of(items))
            }
            (Scalar::Struct(values), DType::Struct(fields)) => {
                let is_field = |((name, value), field): (&(String, Scalar), &Field)| {
                    *name == field.name && value.is_of(&field.dtype)
                };
                values.len() == fields.len() && values.iter().zip(fields.iter()).all(is_field)
            }
            (value, dtype) => value.dtype().same_values(dtype),
        }
    }

    /// Whether there is no value.
    pub const fn is_null(&self) -> bool {
        matches!(self, Scalar::Null(_))
    }

    /// The day `year`-`month`-`day` as a `date32`.
    ///
    /// # Errors
    /// [`Error::Parse`] when there is no such day or it is out of range.
    pub fn date(year: i32, month: u8, day: u8) -> Result<Scalar> {
        crate::calendar::days_to(Date { year: year.into(), month, day })
            .and_then(|days| i32::try_from(days).ok())
            .map(Scalar::Date32)
            .ok_or_else(|| Error::Parse {
                text: format!("{year:04}-{month:02}-{day:02}"),
                dtype: DType::Date32,
            })
    }

    /// An exact number in the decimal of least precision that holds its digits.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for more than 38 digits or a scale beyond ±38.
    pub fn decimal(value: i128, scale: i8) -> Result<Scalar> {
        let digits = u8::try_from(value.unsigned_abs().to_string().len()).unwrap_or(u8::MAX);
        // A number below one has at least its digits after the point.
        let precision = digits.max(scale.max(0).unsigned_abs());
        DType::decimal(precision, scale).map(|_| Scalar::Decimal { value, precision, scale })
    }

    /// The value as a kernel takes it, in the storage of the [dtype](Self::dtype); `None` for a null, for what has no
    /// storage (see [`DType::storage`]), for a decimal that its dtype cannot hold, and for a
    /// time that no day has.
    pub fn to_value(&self) -> Option<Value> {
        self.to_value_of(&self.dtype())
    }

    /// The value in the storage of `dtype`, which has the same values: of decimals the width is a choice.
    pub(crate) fn to_value_of(&self, dtype: &DType) -> Option<Value> {
        Some(match *self {
            Scalar::Null(_)
            | Scalar::Utf8(_)
            | Scalar::Binary(_)
            | Scalar::Interval(_)
            | Scalar::List { .. }
            | Scalar::Struct(_) => return None,
            Scalar::Bool(v) => Value::Bit(v),
            Scalar::Int8(v) => Value::I8(v),
            Scalar::Int16(v) => Value::I16(v),
            Scalar::Int32(v) | Scalar::Date32(v) => Value::I32(v),
            Scalar::Time(v, unit) if !(0..unit.per_day()).contains(&v) => return None,
            Scalar::Int64(v)
            | Scalar::Timestamp(v, _)
            | Scalar::TimestampTz(v, _, _)
            | Scalar::Duration(v, _)
            | Scalar::Time(v, TimeUnit::Micro | TimeUnit::Nano) => Value::I64(v),
            Scalar::Time(v, TimeUnit::Second | TimeUnit::Milli) => Value::I32(i32::try_from(v).ok()?),
            Scalar::UInt8(v) => Value::U8(v),
            Scalar::UInt16(v) => Value::U16(v),
            Scalar::UInt32(v) => Value::U32(v),
            Scalar::UInt64(v) => Value::U64(v),
            Scalar::Float32(v) => Value::F32(v),
            Scalar::Float64(v) => Value::F64(v),
            Scalar::Decimal { value, .. } if !fits_digits(value, dtype) => return None,
            Scalar::Decimal { value, .. } => match dtype.storage() {
                Some(Storage::I32) => Value::I32(i32::try_from(value).ok()?),
                Some(Storage::I64) => Value::I64(i64::try_from(value).ok()?),
                _ => Value::I128(value),
            },
        })
    }

    /// The scalar of `dtype` that a kernel's value means.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] when `dtype` is stored otherwise.
    pub fn from_value(dtype: &DType, value: Value) -> Result<Scalar> {
        Ok(match (dtype, value) {
            (DType::Bool, Value::Bit(v)) => Scalar::Bool(v),
            (DType::Int8, Value::I8(v)) => Scalar::Int8(v),
            (DType::Int16, Value::I16(v)) => Scalar::Int16(v),
            (DType::Int32, Value::I32(v)) => Scalar::Int32(v),
            (DType::Int64, Value::I64(v)) => Scalar::Int64(v),
            (DType::UInt8, Value::U8(v)) => Scalar::UInt8(v),
            (DType::UInt16, Value::U16(v)) => Scalar::UInt16(v),
            (DType::UInt32, Value::U32(v)) => Scalar::UInt32(v),
            (DType::UInt64, Value::U64(v)) => Scalar::UInt64(v),
            (DType::Float32, Value::F32(v)) => Scalar::Float32(v),
            (DType::Float64, Value::F64(v)) => Scalar::Float64(v),
            (DType::Date32, Value::I32(v)) => Scalar::Date32(v),
            (DType::Timestamp(unit), Value::I64(v)) => Scalar::Timestamp(v, *unit),
            (DType::TimestampTz(unit, zone), Value::I64(v)) => Scalar::TimestampTz(v, *unit, zone.clone()),
            (DType::Duration(unit), Value::I64(v)) => Scalar::Duration(v, *unit),
            (DType::Time(unit @ (TimeUnit::Second | TimeUnit::Milli)), Value::I32(v)) => {
                Scalar::Time(v.into(), *unit)
            }
            (DType::Time(unit @ (TimeUnit::Micro | TimeUnit::Nano)), Value::I64(v)) => Scalar::Time(v, *unit),
            (DType::Decimal { precision, scale, storage }, value) if value.storage() == storage.storage() => {
                let value = match value {
                    Value::I32(v) => v.into(),
                    Value::I64(v) => v.into(),
                    Value::I128(v) => v,
                    Value::Bit(_)
                    | Value::I8(_)
                    | Value::I16(_)
                    | Value::U8(_)
                    | Value::U16(_)
                    | Value::U32(_)
                    | Value::U64(_)
                    | Value::F32(_)
                    | Value::F64(_) => return Err(Error::UnsupportedDType { dtype: dtype.clone() }),
                };
                Scalar::Decimal { value, precision: *precision, scale: *scale }
            }
            _ => return Err(Error::UnsupportedDType { dtype: dtype.clone() }),
        })
    }
}

/// Whether a decimal dtype has as many digits as a number.
fn fits_digits(value: i128, dtype: &DType) -> bool {
    let limit = |precision: u8| 10_u128.checked_pow(precision.into()).unwrap_or(u128::MAX);
    matches!(dtype, DType::Decimal { precision, .. } if value.unsigned_abs() < limit(*precision))
}

macro_rules! scalars {
    ($($ty:ty => $variant:ident),* $(,)?) => {
        $(impl From<$ty> for Scalar {
            fn from(value: $ty) -> Self { Scalar::$variant(value) }
        })*
    };
}

scalars! {
    bool => Bool, i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, u8 => UInt8, u16 => UInt16, u32 => UInt32,
    u64 => UInt64, f32 => Float32, f64 => Float64, String => Utf8,
}

impl From<Vec<u8>> for Scalar {
    fn from(value: Vec<u8>) -> Self {
        Scalar::Binary(value)
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Scalar::Utf8(value.to_owned())
    }
}
