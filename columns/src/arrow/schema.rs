//! Dtypes as Arrow's, and back.

use crate::{DType, DictionaryType, Error, MAX_PRECISION_64, Result, TimeUnit};
use arrow_schema::DataType;
use columnade_kernels::Storage;

/// The Arrow type of a dtype. A column of text with 64-bit offsets is exported as `LargeUtf8`.
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
        DType::Date32 => DataType::Date32,
        DType::Timestamp(unit) => DataType::Timestamp(arrow_unit(*unit), None),
        DType::Decimal { precision, scale } if *precision <= MAX_PRECISION_64 => {
            DataType::Decimal64(*precision, *scale)
        }
        DType::Decimal { precision, scale } => DataType::Decimal128(*precision, *scale),
        DType::Dictionary(dictionary) => {
            let codes = match dictionary.codes {
                Storage::I8 => DataType::Int8,
                Storage::I16 => DataType::Int16,
                _ => DataType::Int32,
            };
            DataType::Dictionary(Box::new(codes), Box::new(data_type(&dictionary.values)))
        }
    }
}

/// The dtype that arrays of an Arrow type become.
///
/// Text of every layout is `utf8`; decimals of 32 and 64 bits, and those of 128 bits with up to 18 digits, are
/// stored in 64 bits; dictionary codes without a sign widen.
///
/// # Errors
/// [`Error::Arrow`] for a type that has no dtype here.
pub fn dtype(data_type: &DataType) -> Result<DType> {
    Ok(match data_type {
        DataType::Boolean => DType::Bool,
        DataType::Int8 => DType::Int8,
        DataType::Int16 => DType::Int16,
        DataType::Int32 => DType::Int32,
        DataType::Int64 => DType::Int64,
        DataType::UInt8 => DType::UInt8,
        DataType::UInt16 => DType::UInt16,
        DataType::UInt32 => DType::UInt32,
        DataType::UInt64 => DType::UInt64,
        DataType::Float32 => DType::Float32,
        DataType::Float64 => DType::Float64,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DType::Utf8,
        DataType::Date32 => DType::Date32,
        DataType::Timestamp(unit, None) => DType::Timestamp(match unit {
            arrow_schema::TimeUnit::Second => TimeUnit::Second,
            arrow_schema::TimeUnit::Millisecond => TimeUnit::Milli,
            arrow_schema::TimeUnit::Microsecond => TimeUnit::Micro,
            arrow_schema::TimeUnit::Nanosecond => TimeUnit::Nano,
        }),
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale) => DType::decimal(*precision, *scale)?,
        DataType::Dictionary(codes, values) => {
            let codes = match **codes {
                DataType::Int8 => Storage::I8,
                DataType::Int16 | DataType::UInt8 => Storage::I16,
                _ => Storage::I32,
            };
            match dtype(values)? {
                values @ (DType::Dictionary(_) | DType::Float32 | DType::Float64) => {
                    return Err(unsupported(data_type, &format!("a dictionary of {values}")));
                }
                values => DType::Dictionary(Box::new(DictionaryType { codes, values })),
            }
        }
        DataType::Timestamp(_, Some(_)) => return Err(unsupported(data_type, "a time zone")),
        other => return Err(unsupported(other, "this type")),
    })
}

pub(super) fn unsupported(data_type: &DataType, what: &str) -> Error {
    Error::Arrow { field: String::new(), reason: format!("{data_type}: {what} is not supported") }
}

fn arrow_unit(unit: TimeUnit) -> arrow_schema::TimeUnit {
    match unit {
        TimeUnit::Second => arrow_schema::TimeUnit::Second,
        TimeUnit::Milli => arrow_schema::TimeUnit::Millisecond,
        TimeUnit::Micro => arrow_schema::TimeUnit::Microsecond,
        TimeUnit::Nano => arrow_schema::TimeUnit::Nanosecond,
    }
}
