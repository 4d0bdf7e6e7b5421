//! Types of the columns of a CSV file: given or inferred, and how text becomes their values.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::types::{Decimal32Type, Decimal64Type, Decimal128Type, DecimalType};
use arrow_array::{Array, ArrayRef, Date32Array, Int64Array, PrimitiveArray, StringArray, make_array};
use arrow_cast::parse::{Parser, parse_decimal, string_to_datetime};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use chrono::{DateTime, Utc};
use columnade_columns::arrow::{data_type, dtype};
use columnade_columns::{DType, Scalar, TimeZone};
use columnade_kernels::datetime::zone::ZoneOffsets;

/// The zone of columns whose values are instants: texts have an offset and no name of a zone.
const UTC: &str = "UTC";

/// The type of a column, and whether the caller gave it.
#[derive(Clone, Debug)]
pub(in crate::io) struct ColumnType {
    pub(in crate::io) data_type: DataType,
    pub(in crate::io) is_given: bool,
}

impl ColumnType {
    /// The type that the library decodes. Dates, timestamps, times of day and decimals come as strings, since the library's parsers drop
    /// what a type has no place for, as the time of a date; see [`converted`].
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    pub(in crate::io) fn decoded(&self) -> DataType {
        match &self.data_type {
            DataType::Null
            | DataType::Date32
            | DataType::Timestamp(..)
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Duration(_)
            | DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..) => DataType::Utf8,
            other => other.clone(),
        }
    }

    /// Whether its values are strings, or a dictionary of them.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    pub(in crate::io) fn is_text(&self) -> bool {
        match &self.data_type {
            DataType::Null | DataType::Utf8 => true,
            DataType::Dictionary(_, values) => **values == DataType::Utf8,
            _ => false,
        }
    }

    /// The dtype in the frame, as text.
    pub(in crate::io) fn dtype_text(&self) -> String {
        let stored = self.stored();
        dtype(&stored).map_or_else(|_| stored.to_string(), |dtype| dtype.to_string())
    }

    /// The type in the frame. A column without a value is one of strings.
    pub(in crate::io) fn stored(&self) -> DataType {
        if self.data_type == DataType::Null { DataType::Utf8 } else { self.data_type.clone() }
    }
}

/// The Arrow type of a dtype whose values CSV can express.
pub(in crate::io) fn csv_type(dtype: &DType) -> Option<DataType> {
    let is_text = |dtype: &DType| matches!(dtype, DType::Utf8);
    let is_known = match dtype {
        DType::Dictionary(dictionary) => is_text(&dictionary.values) && !dictionary.ordered,
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
        | DType::TimestampTz(..)
        | DType::Time(_)
        | DType::Duration(_)
        | DType::Decimal { .. } => true,
        DType::Binary | DType::Interval(_) | DType::List(_) | DType::Struct(_) | DType::Null => false,
    };
    is_known.then(|| data_type(dtype))
}

/// The narrowest type that has the value of a field, which is not null. Booleans are left to the library, which takes them without
/// blanks only.
pub(super) fn type_of(field: &str) -> DataType {
    let text = field.trim();
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole {
        // Long texts that begin with a zero are no numbers but names.
        let is_name = number.len() > 18 && number.starts_with('0');
        return match (text.parse::<i64>(), text.parse::<u64>()) {
            _ if is_name => DataType::Utf8,
            (Ok(_), _) => DataType::Int64,
            (_, Ok(_)) => DataType::UInt64,
            _ => DataType::Utf8,
        };
    }
    let begins_number = number.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let is_word = ["nan", "inf", "infinity"].iter().any(|word| word.eq_ignore_ascii_case(number));
    if is_word || begins_number && number.parse::<f64>().is_ok() {
        return DataType::Float64;
    }
    let has_date = text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    if has_date && text.len() == 10 && arrow_array::types::Date32Type::parse(text).is_some() {
        return DataType::Date32;
    }
    if has_date && text.len() > 10 && instant(text).is_some() {
        let unit = if fraction_digits(text) > 6 { TimeUnit::Nanosecond } else { TimeUnit::Microsecond };
        return DataType::Timestamp(unit, (!is_local(text)).then(|| UTC.into()));
    }
    DataType::Utf8
}

/// A timestamp in ISO 8601. One within a leap second, which no dtype has, is none: the library would take it for the second after.
fn instant(text: &str) -> Option<DateTime<Utc>> {
    let time = string_to_datetime(&Utc, &with_seconds(text)).ok()?;
    // Where a second has more than all of its nanoseconds, it is a leap second.
    (time.timestamp_subsec_nanos() < 1_000_000_000).then_some(time)
}

/// A timestamp whose time has hours and minutes only, with seconds; others as they are.
fn with_seconds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let ends_with_minutes = bytes.len() >= 16
        && matches!(bytes[10], b'T' | b't' | b' ')
        && bytes[13] == b':'
        && [11, 12, 14, 15].iter().all(|&at| bytes[at].is_ascii_digit())
        && bytes.get(16).is_none_or(|next| matches!(next, b'Z' | b'z' | b'+' | b'-' | b' '));
    if ends_with_minutes {
        Cow::Owned(format!("{}:00{}", &text[..16], &text[16..]))
    } else {
        Cow::Borrowed(text)
    }
}

/// The type for what `inferred` was made from, at microseconds at least: seconds of the first rows say nothing about the rest.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(in crate::io) fn settled(inferred: &DataType) -> DataType {
    match inferred {
        DataType::Timestamp(TimeUnit::Second | TimeUnit::Millisecond, zone) => {
            DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
        }
        other => other.clone(),
    }
}

/// The narrowest type for the values of both.
pub(in crate::io) fn joined(a: &DataType, b: &DataType) -> DataType {
    use DataType::{Date32, Float64, Int64, Null, Timestamp, UInt64, Utf8};
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Null, other) | (other, Null) => other.clone(),
        (Int64, Float64) | (Float64, Int64) => Float64,
        // A negative one among them is found when the rows are read.
        (Int64, UInt64) | (UInt64, Int64) => UInt64,
        (Date32, Timestamp(unit, None)) | (Timestamp(unit, None), Date32) => Timestamp(*unit, None),
        // Local times and instants are not comparable, so that they remain text.
        (Timestamp(a, zone), Timestamp(b, other)) if zone == other => Timestamp((*a).max(*b), zone.clone()),
        _ => Utf8,
    }
}

/// A string that is no value of the type.
#[derive(Debug)]
pub(in crate::io) struct NotAValue;

impl From<ArrowError> for NotAValue {
    fn from(_: ArrowError) -> Self {
        Self
    }
}

/// Strings as values of a type that the library does not decode itself.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(in crate::io) fn converted(strings: &ArrayRef, it: &ColumnType) -> Result<ArrayRef, NotAValue> {
    let Some(text) = strings.as_any().downcast_ref::<StringArray>() else { return Ok(Arc::clone(strings)) };
    let data_type = &it.data_type;
    match data_type {
        DataType::Null if text.null_count() < text.len() => Err(NotAValue),
        DataType::Date32 => {
            let days = values(text, |text| match text.trim() {
                // Text that is longer has a time.
                date if date.len() <= 10 || date.starts_with(['+', '-']) => {
                    arrow_array::types::Date32Type::parse(date)
                }
                _ => None,
            })?;
            Ok(Arc::new(Date32Array::from(days)))
        }
        DataType::Timestamp(unit, zone) => timestamps(text, *unit, zone.as_deref(), it.is_given),
        DataType::Time32(_) | DataType::Time64(_) => times(text, data_type),
        DataType::Duration(_) => durations(text, data_type),
        DataType::Decimal32(precision, scale) => decimals::<Decimal32Type>(text, *precision, *scale),
        DataType::Decimal64(precision, scale) => decimals::<Decimal64Type>(text, *precision, *scale),
        DataType::Decimal128(precision, scale) => decimals::<Decimal128Type>(text, *precision, *scale),
        _ => Ok(Arc::clone(strings)),
    }
}

fn values<T>(text: &StringArray, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<Option<T>>, NotAValue> {
    text.iter().map(|text| text.map(|text| parse(text).ok_or(NotAValue)).transpose()).collect()
}

/// Timestamps in ISO 8601; those with an offset from UTC are converted to UTC. Others are local times of the zone, if there is
/// one: where clocks do not show them, or show them twice, they are no values. Of an inferred type, all are of one kind.
fn timestamps(
    text: &StringArray,
    unit: TimeUnit,
    zone: Option<&str>,
    is_given: bool,
) -> Result<ArrayRef, NotAValue> {
    use arrow_array::{
        TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray,
    };
    let digits = match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    };
    let zone_offsets = match zone.map(TimeZone::new).transpose().map_err(|_| NotAValue)? {
        Some(zone) if zone != TimeZone::utc() => Some(zone.offsets().map_err(|_| NotAValue)?),
        _ => None,
    };
    let counts = values(text, |text| {
        let text = text.trim();
        let is_other_kind = || is_local(text) == zone.is_some();
        if fraction_digits(text) > digits || !is_given && is_other_kind() {
            return None;
        }
        let mut time = instant(text)?;
        if let Some(offsets) = &zone_offsets
            && is_local(text)
        {
            let offset = chrono::TimeDelta::try_seconds(offset_of_local(offsets, time.timestamp())?)?;
            time = time.checked_sub_signed(offset)?;
        }
        match unit {
            TimeUnit::Second => Some(time.timestamp()),
            TimeUnit::Millisecond => Some(time.timestamp_millis()),
            TimeUnit::Microsecond => Some(time.timestamp_micros()),
            TimeUnit::Nanosecond => time.timestamp_nanos_opt(),
        }
    })?;
    Ok(match unit {
        TimeUnit::Second => Arc::new(TimestampSecondArray::from(counts).with_timezone_opt(zone)),
        TimeUnit::Millisecond => Arc::new(TimestampMillisecondArray::from(counts).with_timezone_opt(zone)),
        TimeUnit::Microsecond => Arc::new(TimestampMicrosecondArray::from(counts).with_timezone_opt(zone)),
        TimeUnit::Nanosecond => Arc::new(TimestampNanosecondArray::from(counts).with_timezone_opt(zone)),
    })
}

/// Whether a timestamp has no offset from UTC.
fn is_local(text: &str) -> bool {
    let clock = text.find(['T', 't', ' ']).map_or("", |date| &text[date + 1..]);
    clock.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'))
}

/// The offset from UTC at a local time; `None` where clocks skip it or show it twice.
fn offset_of_local(offsets: &ZoneOffsets, local: i64) -> Option<i64> {
    const DAY: i64 = 86_400;
    // No zone changes its clocks twice within two days, nor by a day.
    let around =
        [local.checked_sub(DAY)?, local.checked_add(DAY)?].map(|second| i64::from(offsets.at(second)));
    let holds = |offset: i64| i64::from(offsets.at(local - offset)) == offset;
    match around {
        [before, after] if before == after => Some(before),
        [before, after] => match (holds(before), holds(after)) {
            (true, false) => Some(before),
            (false, true) => Some(after),
            _ => None,
        },
    }
}

/// Times of day: `HH:MM`, and seconds with as many digits as the unit has.
fn times(text: &StringArray, data_type: &DataType) -> Result<ArrayRef, NotAValue> {
    use arrow_array::{
        Time32MillisecondArray, Time32SecondArray, Time64MicrosecondArray, Time64NanosecondArray,
    };
    let dtype = dtype(data_type).map_err(|_| NotAValue)?;
    let counts = values(text, |text| match Scalar::parse(&dtype, text.trim()) {
        Ok(Scalar::Time(value, _)) => Some(value),
        _ => None,
    })?;
    let narrow =
        || counts.iter().map(|count| count.and_then(|count| i32::try_from(count).ok())).collect::<Vec<_>>();
    Ok(match dtype.unit() {
        Some(columnade_columns::TimeUnit::Second) => Arc::new(Time32SecondArray::from(narrow())),
        Some(columnade_columns::TimeUnit::Milli) => Arc::new(Time32MillisecondArray::from(narrow())),
        Some(columnade_columns::TimeUnit::Micro) => Arc::new(Time64MicrosecondArray::from(counts)),
        _ => Arc::new(Time64NanosecondArray::from(counts)),
    })
}

/// Durations as they are written: days, and `HH:MM:SS` with as many digits as the unit has.
fn durations(text: &StringArray, data_type: &DataType) -> Result<ArrayRef, NotAValue> {
    let dtype = dtype(data_type).map_err(|_| NotAValue)?;
    let counts = values(text, |text| match Scalar::parse(&dtype, text.trim()) {
        Ok(Scalar::Duration(value, _)) => Some(value),
        _ => None,
    })?;
    let data = Int64Array::from(counts).into_data().into_builder().data_type(data_type.clone()).build();
    data.map(make_array).map_err(|_| NotAValue)
}

/// Digits after the point, without zeros at their end.
fn fraction_digits(text: &str) -> usize {
    let Some((_, fraction)) = text.split_once('.') else { return 0 };
    let digits = fraction.len() - fraction.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    fraction[..digits].trim_end_matches('0').len()
}

fn decimals<T: DecimalType>(text: &StringArray, precision: u8, scale: i8) -> Result<ArrayRef, NotAValue> {
    let numbers = values(text, |text| {
        let text = text.trim();
        // The parser rounds.
        let has_exponent = text.contains(['e', 'E']);
        let fits = has_exponent || fraction_digits(text) <= usize::try_from(scale).unwrap_or(0);
        fits.then(|| parse_decimal::<T>(text, precision, scale).ok()).flatten()
    })?;
    let array = PrimitiveArray::<T>::from_iter(numbers);
    array
        .with_precision_and_scale(precision, scale)
        .map(|array| Arc::new(array) as ArrayRef)
        .map_err(|_| NotAValue)
}
