//! The dtypes of aggregates.

use super::Aggregation;
use crate::groupby::statistics::times::distance;
use columnade_columns::{DType, Error, MAX_PRECISION, Result};

/// The dtype of an aggregate of values of `dtype`.
///
/// # Errors
/// [`Error::UnsupportedDType`] if the aggregate does not support the dtype.
pub(crate) fn aggregate_dtype(aggregation: Aggregation, dtype: &DType) -> Result<DType> {
    let refused = || Error::UnsupportedDType { dtype: dtype.clone() };
    match aggregation {
        Aggregation::Count | Aggregation::Size => Ok(DType::Int64),
        Aggregation::Min | Aggregation::Max => Ok(dtype.clone()),
        Aggregation::Sum => match dtype {
            DType::Decimal { scale, .. } => DType::decimal(MAX_PRECISION, *scale),
            // The sum of no values is 0, as in Arrow.
            DType::Bool | DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 | DType::Null => {
                Ok(DType::Int64)
            }
            DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => Ok(DType::UInt64),
            DType::Float32 | DType::Float64 | DType::Duration(_) => Ok(dtype.clone()),
            DType::Utf8
            | DType::Date32
            | DType::Timestamp(_)
            | DType::Binary
            | DType::TimestampTz(..)
            | DType::Time(_)
            | DType::Dictionary(_)
            | DType::Interval(_)
            | DType::List(_)
            | DType::Struct(_) => Err(refused()),
        },
        Aggregation::SumWide => {
            if let DType::Decimal { scale, .. } = dtype {
                DType::decimal(MAX_PRECISION, *scale)
            } else if dtype.is_integer() || *dtype == DType::Bool {
                DType::decimal(MAX_PRECISION, 0)
            } else {
                Err(refused())
            }
        }
        Aggregation::SumLow | Aggregation::SumHigh => {
            if let DType::Decimal { .. } = dtype {
                DType::decimal(MAX_PRECISION, 0)
            } else {
                Err(refused())
            }
        }
        Aggregation::Mean => match dtype {
            dtype if dtype.is_numeric() || matches!(dtype, DType::Bool | DType::Null) => Ok(DType::Float64),
            dtype if distance(dtype).is_some() => Ok(dtype.clone()),
            _ => Err(refused()),
        },
    }
}
