//! The statistics of a column chunk as comparable values.

use std::cmp::Ordering;

use arrow_schema::{DataType, TimeUnit as ArrowTimeUnit};
use columnade_columns::{DType, Scalar, TimeUnit, TimeZone};
use columnade_ops::expression::{Literal, Node, lit_decimal};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;

/// A value that statistics and constants have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Point {
    /// A whole number or a decimal: `value` × 10^−`scale`.
    Number {
        /// The digits.
        value: i128,
        /// How many of them stand after the point.
        scale: i8,
    },
    /// A float; no NaN as a bound.
    Float {
        /// The number.
        value: f64,
        /// Whether it is of `float32`.
        is_f32: bool,
    },
    /// Days since 1970-01-01.
    Date(i32),
    /// Units since 1970-01-01.
    Timestamp(i64, TimeUnit),
    /// Units since 1970-01-01 in UTC, of a timestamp with a zone.
    Instant(i64, TimeUnit),
    /// Units since midnight.
    Time(i64, TimeUnit),
    /// UTF-8 bytes.
    String(Vec<u8>),
}

impl Point {
    /// A constant as it is compared with a column of which `like` is a bound: the dtype that an expression gives it. `None`
    /// when statistics cannot be compared with it.
    pub(super) fn of_literal(literal: &Literal, like: &Point) -> Option<Self> {
        let whole = |value: i128| Some(Point::Number { value, scale: 0 });
        match (literal, like) {
            (Literal::Int(value), Point::Float { is_f32, .. }) => exact_float(*value, *is_f32),
            (Literal::Float(value), Point::Float { is_f32, .. }) => Some(float(*value, *is_f32)),
            (Literal::Decimal { .. }, Point::Float { is_f32, .. }) => {
                Some(float(literal.to_string().parse().ok()?, *is_f32))
            }
            (Literal::Float(value), Point::Number { .. }) => number_of_float(*value),
            (Literal::String(text), Point::Date(_)) => {
                if let Scalar::Date32(days) = Scalar::parse(&DType::Date32, text).ok()? {
                    Some(Point::Date(days))
                } else {
                    None
                }
            }
            (Literal::String(text), Point::Timestamp(_, unit)) => {
                if let Scalar::Timestamp(value, unit) = Scalar::parse(&DType::Timestamp(*unit), text).ok()? {
                    Some(Point::Timestamp(value, unit))
                } else {
                    None
                }
            }
            (Literal::String(text), Point::Instant(_, unit)) => {
                // The text has an offset.
                let dtype = DType::TimestampTz(*unit, TimeZone::utc());
                if let Scalar::TimestampTz(value, unit, _) = Scalar::parse(&dtype, text).ok()? {
                    Some(Point::Instant(value, unit))
                } else {
                    None
                }
            }
            (Literal::String(text), Point::Time(_, unit)) => {
                if let Scalar::Time(value, unit) = Scalar::parse(&DType::Time(*unit), text).ok()? {
                    Some(Point::Time(value, unit))
                } else {
                    None
                }
            }
            (Literal::Int(value), _) => whole(*value),
            (Literal::Decimal { value, scale }, _) => Some(Point::Number { value: *value, scale: *scale }),
            (Literal::String(text), _) => Some(Point::String(text.clone().into_bytes())),
            (
                Literal::Null
                | Literal::Bool(_)
                | Literal::Float(_)
                | Literal::Duration(_)
                | Literal::OneRow(_),
                _,
            ) => None,
            (Literal::Scalar(scalar), like) => match (scalar, like) {
                (Scalar::Float32(value), Point::Float { .. }) => {
                    Some(Point::Float { value: (*value).into(), is_f32: true })
                }
                // Beside a column of `float32`, both are `float64`.
                (Scalar::Float64(value), Point::Float { .. }) => {
                    Some(Point::Float { value: *value, is_f32: false })
                }
                (Scalar::Int8(value), _) => whole((*value).into()),
                (Scalar::Int16(value), _) => whole((*value).into()),
                (Scalar::Int32(value), _) => whole((*value).into()),
                (Scalar::Int64(value), _) => whole((*value).into()),
                (Scalar::UInt8(value), _) => whole((*value).into()),
                (Scalar::UInt16(value), _) => whole((*value).into()),
                (Scalar::UInt32(value), _) => whole((*value).into()),
                (Scalar::UInt64(value), _) => whole((*value).into()),
                (Scalar::Decimal { value, scale, .. }, _) => {
                    Some(Point::Number { value: *value, scale: *scale })
                }
                (Scalar::Date32(days), Point::Timestamp(_, unit)) => {
                    let per_day = 86_400 * unit.per_second();
                    Some(Point::Timestamp(i64::from(*days).checked_mul(per_day)?, *unit))
                }
                (Scalar::Date32(days), _) => Some(Point::Date(*days)),
                (Scalar::Timestamp(value, unit), _) => Some(Point::Timestamp(*value, *unit)),
                (Scalar::TimestampTz(value, unit, _), _) => Some(Point::Instant(*value, *unit)),
                (Scalar::Time(value, unit), _) => Some(Point::Time(*value, *unit)),
                (Scalar::Utf8(text), _) => Some(Point::String(text.clone().into_bytes())),
                (
                    Scalar::Null(_)
                    | Scalar::Bool(_)
                    | Scalar::Float32(_)
                    | Scalar::Float64(_)
                    | Scalar::Binary(_)
                    | Scalar::Duration(..)
                    | Scalar::Interval(_)
                    | Scalar::List { .. }
                    | Scalar::Struct(_),
                    _,
                ) => None,
            },
        }
    }

    /// Whether values of this kind may be NaN, which bounds leave out.
    pub(super) const fn may_be_nan(&self) -> bool {
        matches!(self, Point::Float { .. })
    }

    /// Their order; `None` for values of different kinds, and for numbers too large to compare exactly.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Point::Number { value: a, scale: p }, Point::Number { value: b, scale: q }) => {
                let common = *p.max(q);
                Some(rescale(*a, *p, common)?.cmp(&rescale(*b, *q, common)?))
            }
            (Point::Float { value: a, .. }, Point::Float { value: b, .. }) => a.partial_cmp(b),
            (Point::Date(a), Point::Date(b)) => Some(a.cmp(b)),
            (Point::Timestamp(a, unit), Point::Timestamp(b, other))
            | (Point::Instant(a, unit), Point::Instant(b, other))
            | (Point::Time(a, unit), Point::Time(b, other)) => Some(nanos(*a, *unit).cmp(&nanos(*b, *other))),
            (Point::String(a), Point::String(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// A count of a unit in the finest one.
fn nanos(value: i64, unit: TimeUnit) -> i128 {
    i128::from(value) * i128::from(TimeUnit::Nano.per_second() / unit.per_second())
}

/// A count of a unit in another one, if it is whole there.
pub(super) fn count_in(value: i64, unit: TimeUnit, other: TimeUnit) -> Option<i64> {
    let per = i128::from(TimeUnit::Nano.per_second() / other.per_second());
    let value = nanos(value, unit);
    if value % per == 0 { i64::try_from(value / per).ok() } else { None }
}

/// A float as a column takes it: rounded to `float32` unless that is infinite.
#[expect(clippy::cast_possible_truncation, reason = "a float32 column asks for the nearest float32")]
fn float(value: f64, is_f32: bool) -> Point {
    let narrow = value as f32;
    let value = if is_f32 && (narrow.is_finite() || !value.is_finite()) { narrow.into() } else { value };
    Point::Float { value, is_f32 }
}

/// An integer that floats have exactly.
#[expect(clippy::cast_precision_loss, reason = "the range has every integer")]
fn exact_float(value: i128, is_f32: bool) -> Option<Point> {
    let is_exact = value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
    is_exact.then_some(Point::Float { value: value as f64, is_f32 })
}

/// A float as the number of its shortest text, which no integer separates from it up to 2^53.
fn number_of_float(value: f64) -> Option<Point> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    if !(-LIMIT..=LIMIT).contains(&value) {
        return None;
    }
    if let Node::Literal(Literal::Decimal { value, scale }) = lit_decimal(&value.to_string()).ok()?.node() {
        Some(Point::Number { value: *value, scale: *scale })
    } else {
        None
    }
}

fn rescale(value: i128, from: i8, to: i8) -> Option<i128> {
    let digits = u32::try_from(i16::from(to) - i16::from(from)).ok()?;
    value.checked_mul(10_i128.checked_pow(digits)?)
}

/// What the statistics of one column chunk say.
#[derive(Clone, Debug)]
pub(super) struct ChunkRange {
    min: Option<Point>,
    max: Option<Point>,
    is_exact: bool,
    nulls: Option<u64>,
    rows: u64,
}

impl ChunkRange {
    /// `None` for a column that has no statistics.
    pub(super) fn new(data_type: &DataType, chunk: &ColumnChunkMetaData, rows: i64) -> Option<Self> {
        Some(Self::of_statistics(data_type, chunk.statistics()?, u64::try_from(rows).ok()?))
    }

    /// What statistics of so many rows say.
    pub(super) fn of_statistics(data_type: &DataType, statistics: &Statistics, rows: u64) -> Self {
        let of_type = |bytes: Option<&[u8]>| point(data_type, statistics, bytes?);
        // The old fields were written in an order that only holds for signed numbers.
        let is_ordered = !statistics.is_min_max_deprecated();
        Self {
            min: of_type(statistics.min_bytes_opt()).filter(|_| is_ordered),
            max: of_type(statistics.max_bytes_opt()).filter(|_| is_ordered),
            is_exact: statistics.min_is_exact() && statistics.max_is_exact(),
            nulls: statistics.null_count_opt(),
            rows,
        }
    }

    /// Rows that all have this value.
    pub(super) fn of_value(value: &Scalar, rows: i64) -> Option<Self> {
        let rows = u64::try_from(rows).ok()?;
        let point = match value {
            Scalar::Null(_) => {
                return Some(Self { min: None, max: None, is_exact: true, nulls: Some(rows), rows });
            }
            Scalar::Int64(value) => Point::Number { value: (*value).into(), scale: 0 },
            Scalar::Utf8(text) => Point::String(text.clone().into_bytes()),
            Scalar::Bool(_)
            | Scalar::Int8(_)
            | Scalar::Int16(_)
            | Scalar::Int32(_)
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
            | Scalar::Struct(_) => return None,
        };
        Some(Self { min: Some(point.clone()), max: Some(point), is_exact: true, nulls: Some(0), rows })
    }

    /// With bounds that may be other values than those of the rows.
    pub(super) fn inexact(self) -> Self {
        Self { is_exact: false, ..self }
    }

    /// Of rows that are all null.
    pub(super) fn all_null(self) -> Self {
        Self { nulls: Some(self.rows), ..self }
    }

    /// Bounds that are values of the chunk.
    #[cfg(test)]
    pub(super) fn of(min: Option<Point>, max: Option<Point>, nulls: Option<u64>, rows: u64) -> Self {
        Self { min, max, is_exact: true, nulls, rows }
    }

    /// No value is less.
    pub(super) fn min(&self) -> Option<&Point> {
        self.min.as_ref()
    }

    /// No value is greater.
    pub(super) fn max(&self) -> Option<&Point> {
        self.max.as_ref()
    }

    /// Whether both bounds are values of the chunk.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The number of nulls, where it is known.
    pub(super) fn null_count(&self) -> Option<u64> {
        self.nulls
    }

    /// Whether there is no value at all.
    pub(super) fn is_all_null(&self) -> bool {
        self.nulls == Some(self.rows)
    }
}

/// A bound as a value of the column's type.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn point(data_type: &DataType, statistics: &Statistics, bytes: &[u8]) -> Option<Point> {
    let number = |scale: i8| Some(Point::Number { value: integer(statistics, bytes)?, scale });
    match data_type {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => number(0),
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => {
            let bits = u32::from_le_bytes(bytes.try_into().ok()?);
            Some(Point::Number { value: bits.into(), scale: 0 })
        }
        DataType::UInt64 => {
            let bits = u64::from_le_bytes(bytes.try_into().ok()?);
            Some(Point::Number { value: bits.into(), scale: 0 })
        }
        DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) | DataType::Decimal128(_, scale) => {
            number(*scale)
        }
        DataType::Float32 => {
            let value = f32::from_le_bytes(bytes.try_into().ok()?);
            (!value.is_nan()).then_some(Point::Float { value: value.into(), is_f32: true })
        }
        DataType::Float64 => {
            let value = f64::from_le_bytes(bytes.try_into().ok()?);
            (!value.is_nan()).then_some(Point::Float { value, is_f32: false })
        }
        DataType::Date32 => Some(Point::Date(i32::from_le_bytes(bytes.try_into().ok()?))),
        DataType::Time32(unit) | DataType::Time64(unit) => {
            let value = integer(statistics, bytes)?;
            Some(Point::Time(i64::try_from(value).ok()?, time_unit(*unit)))
        }
        DataType::Timestamp(unit, zone) => {
            let unit = time_unit(*unit);
            let value = if let Statistics::Int64(_) = statistics {
                integer(statistics, bytes)?
            } else {
                return None;
            };
            let value = i64::try_from(value).ok()?;
            Some(if zone.is_some() { Point::Instant(value, unit) } else { Point::Timestamp(value, unit) })
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(Point::String(bytes.to_vec())),
        DataType::Dictionary(_, values) if values.is_string() => Some(Point::String(bytes.to_vec())),
        _ => None,
    }
}

const fn time_unit(unit: ArrowTimeUnit) -> TimeUnit {
    match unit {
        ArrowTimeUnit::Second => TimeUnit::Second,
        ArrowTimeUnit::Millisecond => TimeUnit::Milli,
        ArrowTimeUnit::Microsecond => TimeUnit::Micro,
        ArrowTimeUnit::Nanosecond => TimeUnit::Nano,
    }
}

/// A bound of signed integers: little-endian numbers, or big-endian bytes of any length as decimals have them.
fn integer(statistics: &Statistics, bytes: &[u8]) -> Option<i128> {
    match statistics {
        Statistics::Int32(_) => Some(i32::from_le_bytes(bytes.try_into().ok()?).into()),
        Statistics::Int64(_) => Some(i64::from_le_bytes(bytes.try_into().ok()?).into()),
        Statistics::ByteArray(_) | Statistics::FixedLenByteArray(_) => {
            let (first, len) = (*bytes.first()?, bytes.len());
            let mut wide = [if first & 0x80 == 0 { 0 } else { 0xff }; 16];
            wide.get_mut(16_usize.checked_sub(len)?..)?.copy_from_slice(bytes);
            Some(i128::from_be_bytes(wide))
        }
        Statistics::Boolean(_) | Statistics::Int96(_) | Statistics::Float(_) | Statistics::Double(_) => None,
    }
}
