//! Storage widths of decimals.

use super::{DType, DictionaryType, Field, MAX_PRECISION, MAX_PRECISION_32, MAX_PRECISION_64};
use crate::{Error, Result};
use columnade_kernels::Storage;

/// The width of a decimal in memory.
///
/// Results have the width that [`for_precision`](Self::for_precision) returns. Other widths come from imported
/// memory, and from callers that request them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DecimalStorage {
    /// 32 bits: up to 9 digits.
    Bits32,
    /// 64 bits: up to 18 digits.
    Bits64,
    /// 128 bits: up to 38 digits.
    Bits128,
}

impl DecimalStorage {
    /// Every width, the narrowest first.
    pub const ALL: [DecimalStorage; 3] =
        [DecimalStorage::Bits32, DecimalStorage::Bits64, DecimalStorage::Bits128];

    /// The width of results of so many digits: 64 bits where they are enough, else 128.
    pub const fn for_precision(precision: u8) -> DecimalStorage {
        if precision <= MAX_PRECISION_64 { DecimalStorage::Bits64 } else { DecimalStorage::Bits128 }
    }

    /// The most digits that a value may have.
    pub const fn max_precision(self) -> u8 {
        match self {
            DecimalStorage::Bits32 => MAX_PRECISION_32,
            DecimalStorage::Bits64 => MAX_PRECISION_64,
            DecimalStorage::Bits128 => MAX_PRECISION,
        }
    }

    /// The storage type of the values.
    pub const fn storage(self) -> Storage {
        match self {
            DecimalStorage::Bits32 => Storage::I32,
            DecimalStorage::Bits64 => Storage::I64,
            DecimalStorage::Bits128 => Storage::I128,
        }
    }
}

impl DType {
    /// The decimal dtype of results: stored in 64 bits up to 18 digits, in 128 beyond.
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) unless 1 ≤ `precision` ≤ 38 and |`scale`| ≤ 38.
    pub fn decimal(precision: u8, scale: i8) -> Result<DType> {
        DType::decimal_stored(precision, scale, DecimalStorage::for_precision(precision))
    }

    /// A decimal dtype of a width.
    ///
    /// ```
    /// use columnade_columns::{DType, DecimalStorage};
    ///
    /// let prices = DType::decimal_stored(7, 2, DecimalStorage::Bits32)?;
    /// assert_eq!(prices.to_string(), "decimal32(7,2)");
    /// assert_eq!(DType::decimal(7, 2)?.to_string(), "decimal(7,2)");
    /// assert!(prices.same_values(&DType::decimal(7, 2)?));
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](Error::InvalidArgument) unless 1 ≤ `precision` ≤ 9, 18 or 38, as the width holds, and
    /// |`scale`| ≤ 38.
    pub fn decimal_stored(precision: u8, scale: i8, storage: DecimalStorage) -> Result<DType> {
        let invalid = |name, reason| Err(Error::InvalidArgument { name, reason });
        // Without a digit a decimal has no width yet.
        let most = if precision == 0 { MAX_PRECISION } else { storage.max_precision() };
        if precision == 0 || precision > most {
            return invalid("precision", format!("{precision} is not between 1 and {most}"));
        }
        if scale.unsigned_abs() > MAX_PRECISION {
            return invalid("scale", format!("{scale} is not between -{MAX_PRECISION} and {MAX_PRECISION}"));
        }
        Ok(DType::Decimal { precision, scale, storage })
    }

    /// [`DType::decimal`] of a precision that is known to be valid, or that the caller checks.
    pub(crate) const fn decimal_of(precision: u8, scale: i8) -> DType {
        DType::Decimal { precision, scale, storage: DecimalStorage::for_precision(precision) }
    }

    /// The dtype of the same values in the widths that results have, in children too: see
    /// [`DecimalStorage::for_precision`]; dictionary codes take 32 bits.
    #[must_use]
    pub fn canonical(&self) -> DType {
        match self {
            DType::Decimal { precision, scale, .. } => DType::decimal_of(*precision, *scale),
            DType::Dictionary(dictionary) => DType::Dictionary(Box::new(DictionaryType {
                codes: Storage::I32,
                values: dictionary.values.canonical(),
                ordered: dictionary.ordered,
            })),
            DType::Interval(interval) => DType::interval(interval.values.canonical(), interval.closed),
            DType::List(items) => DType::list(items.canonical()),
            DType::Struct(fields) => {
                let field =
                    |field: &Field| Field { name: field.name.clone(), dtype: field.dtype.canonical() };
                DType::Struct(fields.iter().map(field).collect())
            }
            other @ (DType::Bool
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
            | DType::Time(_)
            | DType::Duration(_)
            | DType::Null) => other.clone(),
        }
    }
}
