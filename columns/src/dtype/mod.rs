//! Logical dtypes and their storage types.

mod decimal;
mod nested;
#[cfg(test)]
mod test_zone_rules;
#[cfg(test)]
mod tests;
mod text;
mod zone;
mod zone_rules;

pub use decimal::DecimalStorage;
pub use nested::{Closed, Field, IntervalType};
pub use zone::TimeZone;

use columnade_kernels::Storage;
use std::fmt;
use std::sync::Arc;

/// Digits of the largest decimal.
pub const MAX_PRECISION: u8 = 38;

/// Digits of the largest decimal that is stored in 64 bits.
pub const MAX_PRECISION_64: u8 = 18;

/// Digits of the largest decimal that is stored in 32 bits.
pub const MAX_PRECISION_32: u8 = 9;

/// The logical type of a column's values.
///
/// | dtype | name | stored as |
/// | --- | --- | --- |
/// | [`DType::Bool`] | `bool` | one bit per row |
/// | [`DType::Int8`] … [`DType::UInt64`] | `int8` … `uint64` | the integer |
/// | [`DType::Float32`], [`DType::Float64`] | `float32`, `float64` | the number; NaN is not null |
/// | [`DType::Utf8`] | `utf8` | bytes and 32- or 64-bit offsets: the width is layout, not dtype |
/// | [`DType::Date32`] | `date32` | days since 1970-01-01, 32 bits |
/// | [`DType::Timestamp`] | `timestamp[us]` | units since 1970-01-01, 64 bits |
/// | [`DType::TimestampTz`] | `timestamp[us, Europe/Berlin]` | units since 1970-01-01 UTC, 64 bits; the zone gives local times: parts, casts, display |
/// | [`DType::Duration`] | `duration[us]` | units, 64 bits |
/// | [`DType::Time`] | `time32[s]`, `time32[ms]`, `time64[us]`, `time64[ns]` | units since midnight, 32 bits or 64 as the name says |
/// | [`DType::Decimal`] | `decimal(15,2)`, `decimal32(7,2)`, `decimal128(15,2)` | value × 10^scale; named without a width: 64 bits up to 18 digits, then 128 |
/// | [`DType::Binary`] | `binary` | bytes and 32- or 64-bit offsets |
/// | [`DType::Dictionary`] | `dictionary<int32, utf8>`, `dictionary<int8, utf8, ordered>` | codes into a dictionary of distinct values |
/// | [`DType::Interval`] | `interval<int64, right>` | the two ends as columns |
/// | [`DType::List`] | `list<int64>` | offsets of 32 or 64 bits into a column of items: the width is layout |
/// | [`DType::Struct`] | `struct<a: int64, b: utf8>` | one column per field |
/// | [`DType::Null`] | `null` | nothing: every row is null |
///
/// The names above are what `Display` writes and [`FromStr`](std::str::FromStr) reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DType {
    /// True or false.
    Bool,
    /// Signed 8-bit integer.
    Int8,
    /// Signed 16-bit integer.
    Int16,
    /// Signed 32-bit integer.
    Int32,
    /// Signed 64-bit integer.
    Int64,
    /// Unsigned 8-bit integer.
    UInt8,
    /// Unsigned 16-bit integer.
    UInt16,
    /// Unsigned 32-bit integer.
    UInt32,
    /// Unsigned 64-bit integer.
    UInt64,
    /// IEEE 754 binary32.
    Float32,
    /// IEEE 754 binary64.
    Float64,
    /// Strings in UTF-8.
    Utf8,
    /// A day of the proleptic Gregorian calendar.
    Date32,
    /// A timestamp without a time zone.
    Timestamp(TimeUnit),
    /// An exact number of `precision` digits, `scale` of them after the point.
    Decimal {
        /// Digits, 1 to 38.
        precision: u8,
        /// Digits after the point; negative: zeros before it.
        scale: i8,
        /// The width in memory.
        storage: DecimalStorage,
    },
    /// Bytes.
    Binary,
    /// A timestamp that is shown in a time zone.
    ///
    /// A separate dtype, since the hour of such a value depends on the rules of the zone: operations on
    /// [`DType::Timestamp`] must not accept one by accident.
    TimestampTz(TimeUnit, TimeZone),
    /// A duration.
    Duration(TimeUnit),
    /// A time of day, from midnight to before the next.
    ///
    /// Stored as Arrow does: seconds and milliseconds in 32 bits, finer units in 64.
    Time(TimeUnit),
    /// Codes into a dictionary of distinct values. Boxed, to keep dtypes small.
    Dictionary(Box<DictionaryType>),
    /// All values between two ends.
    Interval(Box<IntervalType>),
    /// Any number of items of one dtype.
    List(Box<DType>),
    /// One value a field.
    Struct(Arc<[Field]>),
    /// Only nulls.
    Null,
}

/// What a dictionary column holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DictionaryType {
    /// The storage of the codes: [`Storage::I8`], [`Storage::I16`], [`Storage::I32`] or [`Storage::I64`].
    pub codes: Storage,
    /// The dtype of the values, which is not a dictionary itself.
    pub values: DType,
    /// Whether the dictionary is ordered.
    pub ordered: bool,
}

/// The unit of a timestamp, a duration or a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TimeUnit {
    /// Seconds.
    Second,
    /// Milliseconds.
    Milli,
    /// Microseconds.
    Micro,
    /// Nanoseconds.
    Nano,
}

impl TimeUnit {
    /// Every unit, from coarse to fine.
    pub const ALL: [TimeUnit; 4] = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];

    /// Units in a second.
    pub const fn per_second(self) -> i64 {
        match self {
            TimeUnit::Second => 1,
            TimeUnit::Milli => 1_000,
            TimeUnit::Micro => 1_000_000,
            TimeUnit::Nano => 1_000_000_000,
        }
    }

    /// Units in a day: a time of day is less.
    pub const fn per_day(self) -> i64 {
        86_400 * self.per_second()
    }

    /// Digits of a second's fraction.
    pub const fn digits(self) -> usize {
        match self {
            TimeUnit::Second => 0,
            TimeUnit::Milli => 3,
            TimeUnit::Micro => 6,
            TimeUnit::Nano => 9,
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeUnit::Second => "s",
            TimeUnit::Milli => "ms",
            TimeUnit::Micro => "us",
            TimeUnit::Nano => "ns",
        })
    }
}

impl DType {
    /// The dtypes whose values are numbers of one machine type.
    pub const NUMERIC: [DType; 10] = [
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::UInt16,
        DType::UInt32,
        DType::UInt64,
        DType::Float32,
        DType::Float64,
    ];

    /// Whether both dtypes have the same values. The widths of decimals and dictionary codes, children included, are layout
    /// and ignored.
    pub fn same_values(&self, other: &DType) -> bool {
        match (self, other) {
            (DType::Dictionary(left), DType::Dictionary(right)) => {
                left.values.same_values(&right.values) && left.ordered == right.ordered
            }
            (
                DType::Decimal { precision, scale, .. },
                DType::Decimal { precision: other_precision, scale: other_scale, .. },
            ) => (precision, scale) == (other_precision, other_scale),
            (DType::Interval(left), DType::Interval(right)) => {
                left.values.same_values(&right.values) && left.closed == right.closed
            }
            (DType::List(left), DType::List(right)) => left.same_values(right),
            (DType::Struct(left), DType::Struct(right)) => {
                let same = |(left, right): (&Field, &Field)| {
                    left.name == right.name && left.dtype.same_values(&right.dtype)
                };
                left.len() == right.len() && left.iter().zip(right.iter()).all(same)
            }
            (left, right) => left == right,
        }
    }

    /// Checks what the type alone does not: the digits of a decimal, the codes and values of a dictionary, the ends of
    /// an interval, in children too.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::Error::InvalidArgument) for a decimal as [`DType::decimal`];
    /// [`UnsupportedDType`](crate::Error::UnsupportedDType) for the rest.
    pub fn validate(&self) -> crate::Result<()> {
        match self {
            DType::Decimal { precision, scale, storage } => {
                DType::decimal_stored(*precision, *scale, *storage).map(drop)
            }
            DType::Dictionary(dictionary) => {
                let codes =
                    matches!(dictionary.codes, Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64);
                if !codes || !crate::column::is_dictionary_value(&dictionary.values) {
                    return Err(crate::Error::UnsupportedDType { dtype: self.clone() });
                }
                dictionary.values.validate()
            }
            DType::Interval(interval) => {
                crate::column::interval::check_ends(&interval.values)?;
                interval.values.validate()
            }
            DType::List(items) => items.validate(),
            DType::Struct(fields) => fields.iter().try_for_each(|field| field.dtype.validate()),
            DType::Bool
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
            | DType::Utf8
            | DType::Date32
            | DType::Timestamp(_)
            | DType::Binary
            | DType::TimestampTz(..)
            | DType::Duration(_)
            | DType::Time(_)
            | DType::Null => Ok(()),
        }
    }

    /// A dictionary dtype with 32-bit codes.
    pub fn dictionary(values: DType) -> DType {
        DType::Dictionary(Box::new(DictionaryType { codes: Storage::I32, values, ordered: false }))
    }

    /// A dtype of lists.
    pub fn list(items: DType) -> DType {
        DType::List(Box::new(items))
    }

    /// A dtype of structs with fields of these names and dtypes, in order.
    pub fn structure<N: Into<String>>(fields: impl IntoIterator<Item = (N, DType)>) -> DType {
        DType::Struct(fields.into_iter().map(|(name, dtype)| Field { name: name.into(), dtype }).collect())
    }

    /// A dtype of intervals.
    pub fn interval(values: DType, closed: Closed) -> DType {
        DType::Interval(Box::new(IntervalType { values, closed }))
    }

    /// The storage type of a value or of a dictionary code; `None` for strings, binary and nested dtypes, which have no fixed
    /// width, and for nulls.
    pub fn storage(&self) -> Option<Storage> {
        Some(match self {
            DType::Bool => Storage::Bit,
            DType::Int8 => Storage::I8,
            DType::Int16 => Storage::I16,
            DType::Int32 | DType::Date32 | DType::Time(TimeUnit::Second | TimeUnit::Milli) => Storage::I32,
            DType::Int64
            | DType::Timestamp(_)
            | DType::TimestampTz(..)
            | DType::Duration(_)
            | DType::Time(TimeUnit::Micro | TimeUnit::Nano) => Storage::I64,
            DType::UInt8 => Storage::U8,
            DType::UInt16 => Storage::U16,
            DType::UInt32 => Storage::U32,
            DType::UInt64 => Storage::U64,
            DType::Float32 => Storage::F32,
            DType::Float64 => Storage::F64,
            DType::Utf8
            | DType::Binary
            | DType::Interval(_)
            | DType::List(_)
            | DType::Struct(_)
            | DType::Null => return None,
            DType::Decimal { storage, .. } => storage.storage(),
            DType::Dictionary(dictionary) => dictionary.codes,
        })
    }

    /// Whether values are integers with or without a sign (booleans and decimals are not).
    pub const fn is_integer(&self) -> bool {
        self.is_signed_integer() || self.is_unsigned_integer()
    }

    /// Whether values are signed integers.
    pub const fn is_signed_integer(&self) -> bool {
        matches!(self, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64)
    }

    /// Whether values are integers without a sign.
    pub const fn is_unsigned_integer(&self) -> bool {
        matches!(self, DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64)
    }

    /// Whether values are floating point.
    pub const fn is_float(&self) -> bool {
        matches!(self, DType::Float32 | DType::Float64)
    }

    /// Whether values are decimals.
    pub const fn is_decimal(&self) -> bool {
        matches!(self, DType::Decimal { .. })
    }

    /// Whether values are numbers that arithmetic takes: integers, floats and decimals.
    pub const fn is_numeric(&self) -> bool {
        self.is_integer() || self.is_float() || self.is_decimal()
    }

    /// Whether values are dates or timestamps, with a time zone or without.
    pub const fn is_temporal(&self) -> bool {
        matches!(self, DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..))
    }

    /// Whether columns of the dtype have child columns with values: intervals, lists and structs.
    pub const fn is_nested(&self) -> bool {
        matches!(self, DType::Interval(_) | DType::List(_) | DType::Struct(_))
    }

    /// Whether rows are byte sequences: strings and binary.
    pub const fn is_bytes(&self) -> bool {
        matches!(self, DType::Utf8 | DType::Binary)
    }

    /// The unit of a timestamp, a duration or a time of day.
    pub const fn unit(&self) -> Option<TimeUnit> {
        if let DType::Timestamp(unit)
        | DType::TimestampTz(unit, _)
        | DType::Duration(unit)
        | DType::Time(unit) = self
        {
            Some(*unit)
        } else {
            None
        }
    }

    /// The dtype of the decoded values: the value dtype of a dictionary, else the dtype itself.
    pub fn logical(&self) -> &DType {
        if let DType::Dictionary(dictionary) = self { &dictionary.values } else { self }
    }

    /// The decimal of least precision that holds every value of an integer dtype; a decimal itself; else `None`.
    pub fn as_decimal(&self) -> Option<DType> {
        let precision = match self {
            DType::Int8 | DType::UInt8 => 3,
            DType::Int16 | DType::UInt16 => 5,
            DType::Int32 | DType::UInt32 => 10,
            DType::Int64 => 19,
            DType::UInt64 => 20,
            DType::Decimal { .. } => return Some(self.clone()),
            DType::Bool
            | DType::Float32
            | DType::Float64
            | DType::Utf8
            | DType::Date32
            | DType::Timestamp(_)
            | DType::Binary
            | DType::TimestampTz(..)
            | DType::Duration(_)
            | DType::Time(_)
            | DType::Dictionary(_)
            | DType::Interval(_)
            | DType::List(_)
            | DType::Struct(_)
            | DType::Null => return None,
        };
        Some(DType::decimal_of(precision, 0))
    }
}
