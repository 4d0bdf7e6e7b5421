//! Format strings, one for each Arrow type.

use super::violation::Violation;
use crate::MAX_PRECISION;
use arrow_schema::{DataType, Field, IntervalUnit, TimeUnit};
use std::ffi::CStr;
use std::sync::Arc;

/// A format string understood.
pub(super) enum Format {
    /// A type without children.
    Leaf(DataType),
    /// A list with 32-bit offsets.
    List,
    /// A list with 64-bit offsets.
    LargeList,
    /// A list of so many items.
    FixedSizeList(i32),
    /// A struct.
    Struct,
    /// A list whose rows lie anywhere in the items, with 32-bit offsets and sizes.
    ListView,
    /// The same with 64-bit offsets and sizes.
    LargeListView,
    /// Runs of equal rows: where they end, and the value of each.
    RunEnds,
}

/// Understands a format string of a type that has a dtype here.
pub(super) fn parse(format: &str) -> Result<Format, Violation> {
    let unsupported =
        |name: &str| Violation::Unsupported { format: format.to_owned(), name: name.to_owned() };
    let meaningless = || Violation::Format { format: format.to_owned() };
    let leaf = match format {
        "n" => DataType::Null,
        "b" => DataType::Boolean,
        "c" => DataType::Int8,
        "C" => DataType::UInt8,
        "s" => DataType::Int16,
        "S" => DataType::UInt16,
        "i" => DataType::Int32,
        "I" => DataType::UInt32,
        "l" => DataType::Int64,
        "L" => DataType::UInt64,
        "e" => DataType::Float16,
        "f" => DataType::Float32,
        "g" => DataType::Float64,
        "u" => DataType::Utf8,
        "U" => DataType::LargeUtf8,
        "vu" => DataType::Utf8View,
        "z" => DataType::Binary,
        "Z" => DataType::LargeBinary,
        "vz" => DataType::BinaryView,
        "tdD" => DataType::Date32,
        // Milliseconds since 1970, as a timestamp.
        "tdm" => DataType::Timestamp(TimeUnit::Millisecond, None),
        "tDs" => DataType::Duration(TimeUnit::Second),
        "tDm" => DataType::Duration(TimeUnit::Millisecond),
        "tDu" => DataType::Duration(TimeUnit::Microsecond),
        "tDn" => DataType::Duration(TimeUnit::Nanosecond),
        // Structs of their parts.
        "tiM" => DataType::Interval(IntervalUnit::YearMonth),
        "tiD" => DataType::Interval(IntervalUnit::DayTime),
        "tin" => DataType::Interval(IntervalUnit::MonthDayNano),
        "tts" => DataType::Time32(TimeUnit::Second),
        "ttm" => DataType::Time32(TimeUnit::Millisecond),
        "ttu" => DataType::Time64(TimeUnit::Microsecond),
        "ttn" => DataType::Time64(TimeUnit::Nanosecond),
        // A map is a list of structs, in its buffers too.
        "+l" | "+m" => return Ok(Format::List),
        "+vl" => return Ok(Format::ListView),
        "+vL" => return Ok(Format::LargeListView),
        "+r" => return Ok(Format::RunEnds),
        "+L" => return Ok(Format::LargeList),
        "+s" => return Ok(Format::Struct),
        other => {
            let (head, rest) = other.split_once(':').ok_or_else(meaningless)?;
            let length = || rest.parse().ok().filter(|&length: &i32| length >= 0).ok_or_else(meaningless);
            match head {
                "w" => DataType::FixedSizeBinary(length()?),
                "+w" => return Ok(Format::FixedSizeList(length()?)),
                "d" => decimal(rest).ok_or_else(meaningless)?,
                "tss" => timestamp(TimeUnit::Second, rest),
                "tsm" => timestamp(TimeUnit::Millisecond, rest),
                "tsu" => timestamp(TimeUnit::Microsecond, rest),
                "tsn" => timestamp(TimeUnit::Nanosecond, rest),
                "+ud" | "+us" => return Err(unsupported("union")),
                _ => return Err(meaningless()),
            }
        }
    };
    Ok(Format::Leaf(leaf))
}

fn timestamp(unit: TimeUnit, zone: &str) -> DataType {
    DataType::Timestamp(unit, (!zone.is_empty()).then(|| zone.into()))
}

/// No decimal has more digits after its point, or more zeros before it.
const SCALES: i8 = MAX_PRECISION.cast_signed();

/// `precision,scale`, and the bits of a value where they are not 128.
fn decimal(parameters: &str) -> Option<DataType> {
    let mut parts = parameters.split(',');
    let precision: u8 = parts.next()?.parse().ok()?;
    let scale: i8 = parts.next()?.parse().ok()?;
    let bits = parts.next().unwrap_or("128");
    let (decimal, digits) = match bits {
        "32" => (DataType::Decimal32(precision, scale), 9),
        "64" => (DataType::Decimal64(precision, scale), 18),
        "128" => (DataType::Decimal128(precision, scale), 38),
        "256" => (DataType::Decimal256(precision, scale), 76),
        _ => return None,
    };
    let is_decimal = (1..=digits).contains(&precision) && (-SCALES..=SCALES).contains(&scale);
    (parts.next().is_none() && is_decimal).then_some(decimal)
}

/// A format string to export.
pub(super) enum FormatString {
    /// Of a type without parameters.
    Known(&'static CStr),
    /// Not ended yet as C ends text.
    Made(String),
}

/// The format string of a type that columns are exported as.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(super) fn write(data_type: &DataType) -> Option<FormatString> {
    let known = match data_type {
        DataType::Null => c"n",
        DataType::Boolean => c"b",
        DataType::Int8 => c"c",
        DataType::UInt8 => c"C",
        DataType::Int16 => c"s",
        DataType::UInt16 => c"S",
        DataType::Int32 => c"i",
        DataType::UInt32 => c"I",
        DataType::Int64 => c"l",
        DataType::UInt64 => c"L",
        DataType::Float32 => c"f",
        DataType::Float64 => c"g",
        DataType::Utf8 => c"u",
        DataType::LargeUtf8 => c"U",
        DataType::Binary => c"z",
        DataType::LargeBinary => c"Z",
        DataType::Date32 => c"tdD",
        DataType::Duration(TimeUnit::Second) => c"tDs",
        DataType::Duration(TimeUnit::Millisecond) => c"tDm",
        DataType::Duration(TimeUnit::Microsecond) => c"tDu",
        DataType::Duration(TimeUnit::Nanosecond) => c"tDn",
        DataType::Time32(TimeUnit::Second) => c"tts",
        DataType::Time32(TimeUnit::Millisecond) => c"ttm",
        DataType::Time64(TimeUnit::Microsecond) => c"ttu",
        DataType::Time64(TimeUnit::Nanosecond) => c"ttn",
        DataType::Timestamp(TimeUnit::Second, None) => c"tss:",
        DataType::Timestamp(TimeUnit::Millisecond, None) => c"tsm:",
        DataType::Timestamp(TimeUnit::Microsecond, None) => c"tsu:",
        DataType::Timestamp(TimeUnit::Nanosecond, None) => c"tsn:",
        DataType::List(_) => c"+l",
        DataType::LargeList(_) => c"+L",
        DataType::Struct(_) => c"+s",
        DataType::Dictionary(codes, _) => return write(codes),
        _ => return with_parameters(data_type).map(FormatString::Made),
    };
    Some(FormatString::Known(known))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn with_parameters(data_type: &DataType) -> Option<String> {
    Some(match data_type {
        DataType::Timestamp(unit, Some(zone)) => format!("ts{}:{zone}", unit_letter(*unit)),
        DataType::Decimal32(precision, scale) => format!("d:{precision},{scale},32"),
        DataType::Decimal64(precision, scale) => format!("d:{precision},{scale},64"),
        DataType::Decimal128(precision, scale) => format!("d:{precision},{scale}"),
        _ => return None,
    })
}

/// The fields that a type is made of.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(super) fn children(data_type: &DataType) -> &[Arc<Field>] {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) => std::slice::from_ref(item),
        DataType::Struct(fields) => fields,
        _ => &[],
    }
}

fn unit_letter(unit: TimeUnit) -> char {
    match unit {
        TimeUnit::Second => 's',
        TimeUnit::Millisecond => 'm',
        TimeUnit::Microsecond => 'u',
        TimeUnit::Nanosecond => 'n',
    }
}
