//! Dtypes as Arrow's, and back.

use super::calendar;
use crate::{
    Closed, DType, DecimalStorage, DictionaryType, Error, Field, MAX_PRECISION, Result, TimeUnit, TimeZone,
};
use arrow_schema::{DataType, Field as ArrowField};
use columnade_kernels::Storage;
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

/// The key of a field's metadata under which an extension type has its name.
const EXTENSION_NAME: &str = "ARROW:extension:name";

/// The key of a field's metadata under which an extension type has its parameters.
const EXTENSION_METADATA: &str = "ARROW:extension:metadata";

/// The extension type that pandas writes intervals as: a struct of `left` and `right`.
const PANDAS_INTERVAL: &str = "pandas.interval";

/// The Arrow type of a dtype. Columns with 64-bit offsets are exported as `LargeUtf8`, `LargeBinary`, `LargeList`.
pub fn data_type(dtype: &DType) -> DataType {
    match dtype {
        DType::Bool => DataType::Boolean,
        DType::Int8 => DataType::Int8,
        DType::Int16 => DataType::Int16,
        DType::Int32 => DataType::Int32,
        DType::Int64 => DataType::Int64,
        DType::UInt8 => DataType::UInt8,
        DType::UInt16 => DataType::UInt16,
        DType::UInt32 => DataType::UInt32,
        DType::UInt64 => DataType::UInt64,
        DType::Float32 => DataType::Float32,
        DType::Float64 => DataType::Float64,
        DType::Utf8 => DataType::Utf8,
        DType::Binary => DataType::Binary,
        DType::Date32 => DataType::Date32,
        DType::Timestamp(unit) => DataType::Timestamp(arrow_unit(*unit), None),
        DType::TimestampTz(unit, zone) => DataType::Timestamp(arrow_unit(*unit), Some(zone.name().into())),
        DType::Duration(unit) => DataType::Duration(arrow_unit(*unit)),
        DType::Time(unit @ (TimeUnit::Second | TimeUnit::Milli)) => DataType::Time32(arrow_unit(*unit)),
        DType::Time(unit) => DataType::Time64(arrow_unit(*unit)),
        DType::Decimal { precision, scale, storage } => match storage {
            DecimalStorage::Bits32 => DataType::Decimal32(*precision, *scale),
            DecimalStorage::Bits64 => DataType::Decimal64(*precision, *scale),
            DecimalStorage::Bits128 => DataType::Decimal128(*precision, *scale),
        },
        DType::Dictionary(dictionary) => DataType::Dictionary(
            Box::new(code_type(dictionary.codes)),
            Box::new(data_type(&dictionary.values)),
        ),
        DType::List(items) => DataType::List(Arc::new(item_field(items, data_type(items)))),
        DType::Interval(interval) => interval_type(&data_type(&interval.values)),
        DType::Struct(fields) => {
            DataType::Struct(fields.iter().map(|field| field_of(&field.name, &field.dtype, None)).collect())
        }
        DType::Null => DataType::Null,
    }
}

/// The type of the codes of a dictionary.
pub(super) fn code_type(codes: Storage) -> DataType {
    match codes {
        Storage::I8 => DataType::Int8,
        Storage::I16 => DataType::Int16,
        Storage::I64 => DataType::Int64,
        Storage::Bit
        | Storage::I32
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => DataType::Int32,
    }
}

/// The struct that intervals are.
pub(super) fn interval_type(ends: &DataType) -> DataType {
    let end = |name: &str| ArrowField::new(name, ends.clone(), true);
    DataType::Struct(vec![end("left"), end("right")].into())
}

/// The field of the items of lists.
pub(super) fn item_field(items: &DType, layout: DataType) -> ArrowField {
    field_of(ArrowField::LIST_FIELD_DEFAULT_NAME, items, Some(layout))
}

/// A nullable field for values of `dtype`, of the type that `layout` is where it differs from [`data_type`]. What an
/// Arrow type has no place for is in the field: the order of a dictionary, and the closed ends of intervals, as pandas
/// writes them.
pub(super) fn field_of(name: &str, dtype: &DType, layout: Option<DataType>) -> ArrowField {
    let field = ArrowField::new(name, layout.unwrap_or_else(|| data_type(dtype)), true);
    match dtype {
        DType::Dictionary(dictionary) => field.with_dict_is_ordered(dictionary.ordered),
        DType::Interval(interval) => {
            let (values, closed) = (subtype(&interval.values), interval.closed);
            let parameters = format!("{{\"subtype\": \"{values}\", \"closed\": \"{closed}\"}}");
            field.with_metadata(HashMap::from([
                (EXTENSION_NAME.to_owned(), PANDAS_INTERVAL.to_owned()),
                (EXTENSION_METADATA.to_owned(), parameters),
            ]))
        }
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
        | DType::Decimal { .. }
        | DType::Binary
        | DType::TimestampTz(..)
        | DType::Duration(_)
        | DType::Time(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null => field,
    }
}

/// The name of the dtype of an interval's ends, as pandas knows it.
fn subtype(dtype: &DType) -> String {
    if let DType::TimestampTz(unit, zone) = dtype {
        return format!("timestamp[{unit}, tz={zone}]");
    }
    match dtype.to_string().as_str() {
        "float64" => "double".to_owned(),
        "float32" => "float".to_owned(),
        other => other.to_owned(),
    }
}

/// The closed ends that pandas wrote to an interval's field; `None` for any other field.
///
/// # Errors
/// [`Error::Arrow`] for an interval that does not say which of its ends are closed.
pub(super) fn closed_of(field: &ArrowField) -> Result<Option<Closed>> {
    if field.metadata().get(EXTENSION_NAME).is_none_or(|name| name != PANDAS_INTERVAL) {
        return Ok(None);
    }
    let parameters = field.metadata().get(EXTENSION_METADATA).map_or("", String::as_str);
    let closed = parameters
        .split_once("\"closed\"")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix(':'))
        .and_then(|rest| rest.trim_start().strip_prefix('"'))
        .and_then(|rest| rest.split('"').next())
        .and_then(|name| Closed::from_str(name).ok());
    closed.map(Some).ok_or_else(|| Error::Arrow {
        field: field.name().clone(),
        reason: format!("{PANDAS_INTERVAL} without its closed ends: {parameters:?}"),
    })
}

/// The dtype that arrays of an Arrow type become.
///
/// Float16 becomes `float32`, date64 a timestamp of milliseconds, decimal256 a decimal of at most 38 digits. A map is a list of
/// structs of its keys and values; an interval is a struct of its `months`, `days`, `milliseconds` and `nanoseconds`, as far as it
/// has them; run-end encoding is decoded. Strings of every layout are `utf8`, and binary of every layout is `binary`; lists of every size are
/// lists; unsigned dictionary codes become signed, those of 8 and 16 bits in twice the width. A dictionary of nulls,
/// whose rows are all null, becomes a string dictionary without values; one of lists or structs is decoded.
///
/// # Errors
/// [`Error::NotImplemented`], naming the type, for one that has no dtype here; [`Error::InvalidArgument`] for a time
/// zone or a decimal that is none.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub fn dtype(data_type: &DataType) -> Result<DType> {
    Ok(match data_type {
        DataType::Null => DType::Null,
        DataType::Boolean => DType::Bool,
        DataType::Int8 => DType::Int8,
        DataType::Int16 => DType::Int16,
        DataType::Int32 => DType::Int32,
        DataType::Int64 => DType::Int64,
        DataType::UInt8 => DType::UInt8,
        DataType::UInt16 => DType::UInt16,
        DataType::UInt32 => DType::UInt32,
        DataType::UInt64 => DType::UInt64,
        DataType::Float16 | DataType::Float32 => DType::Float32,
        DataType::Float64 => DType::Float64,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DType::Utf8,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            DType::Binary
        }
        DataType::Date32 => DType::Date32,
        DataType::Interval(unit) => calendar::dtype(*unit),
        DataType::Date64 => DType::Timestamp(TimeUnit::Milli),
        DataType::Timestamp(unit, None) => DType::Timestamp(time_unit(*unit)),
        DataType::Timestamp(unit, Some(zone)) => DType::TimestampTz(time_unit(*unit), TimeZone::new(zone)?),
        DataType::Duration(unit) => DType::Duration(time_unit(*unit)),
        DataType::Time32(unit @ (arrow_schema::TimeUnit::Second | arrow_schema::TimeUnit::Millisecond))
        | DataType::Time64(
            unit @ (arrow_schema::TimeUnit::Microsecond | arrow_schema::TimeUnit::Nanosecond),
        ) => DType::Time(time_unit(*unit)),
        DataType::Decimal32(precision, scale) => {
            DType::decimal_stored(*precision, *scale, DecimalStorage::Bits32)?
        }
        DataType::Decimal64(precision, scale) => {
            DType::decimal_stored(*precision, *scale, DecimalStorage::Bits64)?
        }
        DataType::Decimal128(precision, scale) => {
            DType::decimal_stored(*precision, *scale, DecimalStorage::Bits128)?
        }
        DataType::Decimal256(precision, scale) if scale.unsigned_abs() <= MAX_PRECISION => {
            DType::decimal_stored((*precision).min(MAX_PRECISION), *scale, DecimalStorage::Bits128)?
        }
        DataType::Dictionary(codes, values) => {
            let codes = match **codes {
                DataType::Int8 => Storage::I8,
                DataType::Int16 | DataType::UInt8 => Storage::I16,
                DataType::Int64 | DataType::UInt64 => Storage::I64,
                _ => Storage::I32,
            };
            let mut values = dtype(values)?;
            // Categories of no type: what pandas makes of those that no row has.
            if values == DType::Null {
                values = DType::Utf8;
            }
            if values.is_nested() {
                return Ok(values);
            }
            if !crate::column::is_dictionary_value(&values) {
                return Err(unsupported(data_type));
            }
            DType::Dictionary(Box::new(DictionaryType { codes, values, ordered: false }))
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::Map(item, _) => DType::list(field_dtype(item)?),
        DataType::RunEndEncoded(_, values) => field_dtype(values)?,
        DataType::Struct(fields) => {
            let field = |field: &Arc<ArrowField>| {
                Ok(Field { name: field.name().clone(), dtype: field_dtype(field)? })
            };
            DType::Struct(fields.iter().map(field).collect::<Result<_>>()?)
        }
        other => return Err(unsupported(other)),
    })
}

/// The dtype that arrays of an Arrow field become: [`dtype`] of its type, and what the field alone says, see
/// [`Column::from_arrow_field`](crate::Column::from_arrow_field).
///
/// # Errors
/// Same as [`dtype`]; [`Error::Arrow`] for an interval that does not say which of its ends are closed.
pub fn field_dtype(field: &ArrowField) -> Result<DType> {
    match (dtype(field.data_type())?, closed_of(field)?) {
        (DType::Dictionary(dictionary), _) => {
            let ordered = field.dict_is_ordered().unwrap_or(false);
            Ok(DType::Dictionary(Box::new(DictionaryType { ordered, ..*dictionary })))
        }
        (DType::Struct(fields), Some(closed)) => match &*fields {
            [left, right] if left.dtype == right.dtype => Ok(DType::interval(left.dtype.clone(), closed)),
            _ => Err(unsupported(field.data_type())),
        },
        (other, _) => Ok(other),
    }
}

pub(super) fn unsupported(data_type: &DataType) -> Error {
    Error::NotImplemented { feature: format!("a column of Arrow's {data_type}") }
}

fn time_unit(unit: arrow_schema::TimeUnit) -> TimeUnit {
    match unit {
        arrow_schema::TimeUnit::Second => TimeUnit::Second,
        arrow_schema::TimeUnit::Millisecond => TimeUnit::Milli,
        arrow_schema::TimeUnit::Microsecond => TimeUnit::Micro,
        arrow_schema::TimeUnit::Nanosecond => TimeUnit::Nano,
    }
}

fn arrow_unit(unit: TimeUnit) -> arrow_schema::TimeUnit {
    match unit {
        TimeUnit::Second => arrow_schema::TimeUnit::Second,
        TimeUnit::Milli => arrow_schema::TimeUnit::Millisecond,
        TimeUnit::Micro => arrow_schema::TimeUnit::Microsecond,
        TimeUnit::Nano => arrow_schema::TimeUnit::Nanosecond,
    }
}
