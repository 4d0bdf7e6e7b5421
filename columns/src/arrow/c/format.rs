//! Format strings, one for each Arrow type.

use super::violation::Violation;
use arrow_schema::{DataType, Field, TimeUnit};
use std::borrow::Cow;

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
        "f" => DataType::Float32,
        "g" => DataType::Float64,
        "u" => DataType::Utf8,
        "U" => DataType::LargeUtf8,
        "vu" => DataType::Utf8View,
        "z" => DataType::Binary,
        "Z" => DataType::LargeBinary,
        "vz" => DataType::BinaryView,
        "tdD" => DataType::Date32,
        "tDs" => DataType::Duration(TimeUnit::Second),
        "tDm" => DataType::Duration(TimeUnit::Millisecond),
        "tDu" => DataType::Duration(TimeUnit::Microsecond),
        "tDn" => DataType::Duration(TimeUnit::Nanosecond),
        "+l" => return Ok(Format::List),
        "+L" => return Ok(Format::LargeList),
        "+s" => return Ok(Format::Struct),
        "e" => return Err(unsupported("float16")),
        "tdm" => return Err(unsupported("date64")),
        "tts" | "ttm" => return Err(unsupported("time32")),
        "ttu" | "ttn" => return Err(unsupported("time64")),
        "tiM" | "tiD" | "tin" => return Err(unsupported("calendar interval")),
        "+vl" | "+vL" => return Err(unsupported("list view")),
        "+m" => return Err(unsupported("map")),
        "+r" => return Err(unsupported("run-end encoded")),
        other => {
            let (head, rest) = other.split_once(':').ok_or_else(meaningless)?;
            let length = || rest.parse().ok().filter(|&length: &i32| length >= 0).ok_or_else(meaningless);
            match head {
                "w" => DataType::FixedSizeBinary(length()?),
                "+w" => return Ok(Format::FixedSizeList(length()?)),
                "d" => decimal(rest).ok_or_else(|| match rest.rsplit(',').next() {
                    Some("256") => unsupported("decimal256"),
                    _ => meaningless(),
                })?,
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

/// `precision,scale`, and the bits of a value where they are not 128.
fn decimal(parameters: &str) -> Option<DataType> {
    let mut parts = parameters.split(',');
    let precision: u8 = parts.next()?.parse().ok()?;
    let scale = parts.next()?.parse().ok()?;
    let bits = parts.next().unwrap_or("128");
    let (decimal, digits) = match bits {
        "32" => (DataType::Decimal32(precision, scale), 9),
        "64" => (DataType::Decimal64(precision, scale), 18),
        "128" => (DataType::Decimal128(precision, scale), 38),
        _ => return None,
    };
    (parts.next().is_none() && (1..=digits).contains(&precision)).then_some(decimal)
}

/// The format string of a type that columns are exported as, and its children.
pub(super) fn write(data_type: &DataType) -> Option<(Cow<'static, str>, Vec<&Field>)> {
    let format: Cow<'static, str> = match data_type {
        DataType::Null => "n".into(),
        DataType::Boolean => "b".into(),
        DataType::Int8 => "c".into(),
        DataType::UInt8 => "C".into(),
        DataType::Int16 => "s".into(),
        DataType::UInt16 => "S".into(),
        DataType::Int32 => "i".into(),
        DataType::UInt32 => "I".into(),
        DataType::Int64 => "l".into(),
        DataType::UInt64 => "L".into(),
        DataType::Float32 => "f".into(),
        DataType::Float64 => "g".into(),
        DataType::Utf8 => "u".into(),
        DataType::LargeUtf8 => "U".into(),
        DataType::Binary => "z".into(),
        DataType::LargeBinary => "Z".into(),
        DataType::Date32 => "tdD".into(),
        DataType::Timestamp(unit, zone) => {
            format!("ts{}:{}", unit_letter(*unit), zone.as_deref().unwrap_or_default()).into()
        }
        DataType::Duration(unit) => format!("tD{}", unit_letter(*unit)).into(),
        DataType::Decimal64(precision, scale) => format!("d:{precision},{scale},64").into(),
        DataType::Decimal128(precision, scale) => format!("d:{precision},{scale}").into(),
        DataType::Dictionary(codes, _) => return write(codes),
        DataType::List(item) => return Some(("+l".into(), vec![item])),
        DataType::LargeList(item) => return Some(("+L".into(), vec![item])),
        DataType::Struct(fields) => return Some(("+s".into(), fields.iter().map(AsRef::as_ref).collect())),
        _ => return None,
    };
    Some((format, Vec::new()))
}

fn unit_letter(unit: TimeUnit) -> char {
    match unit {
        TimeUnit::Second => 's',
        TimeUnit::Millisecond => 'm',
        TimeUnit::Microsecond => 'u',
        TimeUnit::Nanosecond => 'n',
    }
}
