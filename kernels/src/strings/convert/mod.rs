//! Numbers, decimals, booleans, dates and times as strings, and strings as these.

mod format;
mod number;
mod parse;
#[cfg(test)]
mod tests;
mod time;

pub(crate) use format::PAIRS;

use crate::elementwise::validity;
use crate::{Error, Fixed, FixedData, Result, Storage, StringData, StringsView, View};
use columnade_buffers::{Device, Exec};

/// What strings are read as, and what values are written as strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `true` or `false`: [`Storage::Bit`]. Read in any case.
    Bool,
    /// An integer of a storage type: digits after `+`, `-` or nothing.
    Integer(Storage),
    /// A float of a storage type: digits with a point or an exponent, `inf`, `infinity` and `NaN`. Written with the fewest
    /// digits that are read as the same float.
    Float(Storage),
    /// Units of 10^−`scale`: digits with a point. Digits beyond the scale are rounded half away from zero.
    Decimal {
        /// 32, 64 or 128 bits.
        storage: Storage,
        /// Digits at most.
        precision: u8,
        /// Digits after the point; if negative, zeros that are left out.
        scale: i8,
    },
    /// Days since 1970-01-01, [`Storage::I32`], as `YYYY-MM-DD`.
    Date,
    /// Units since 1970-01-01, [`Storage::I64`], as `YYYY-MM-DD HH:MM:SS.fraction`, with as many digits of the fraction as
    /// the unit has. Read with a `T` too, without seconds, without the time, and with fewer digits.
    Time {
        /// Digits after the second: 0, 3, 6 or 9.
        digits: u8,
    },
}

impl Meaning {
    /// How values are stored.
    pub const fn storage(self) -> Storage {
        match self {
            Meaning::Bool => Storage::Bit,
            Meaning::Integer(storage) | Meaning::Float(storage) | Meaning::Decimal { storage, .. } => storage,
            Meaning::Date => Storage::I32,
            Meaning::Time { .. } => Storage::I64,
        }
    }
}

/// Values read from strings.
#[derive(Debug)]
pub struct Parsed {
    /// The values; null where the string is null or has no value.
    pub data: FixedData,
    /// The first row whose string is valid and has no value.
    pub failed: Option<usize>,
}

/// The value of each string.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows of the storage type of `meaning`.
///
/// # Errors
/// [`Error::NotImplemented`] on devices; [`Error::Memory`].
///
/// # Source
/// cudf/strings/convert, pandas `astype`, SQL `TRY_CAST`; W. D. Clinger, "How to read floating point numbers accurately",
/// 1990, for floats of few digits.
pub fn parse(input: &StringsView<'_>, meaning: Meaning, exec: &Exec) -> Result<Parsed> {
    match exec.device() {
        Device::Host => parse::parse(input, meaning, exec),
        Device::Sim | Device::Cuda(_) => {
            Err(Error::NotImplemented { feature: "a cast from strings on this device" })
        }
    }
}

/// Each value as a string; null where the value is null.
///
/// # Shapes and units
/// input: n rows of the storage type of `meaning` → n rows of UTF-8.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for another storage type; [`Error::NotImplemented`] on devices; [`Error::Memory`].
///
/// # Source
/// cudf/strings/convert, pandas `astype(str)`; Ulf Adams, "Ryū: fast float-to-string conversion", 2018.
pub fn format(input: &Fixed<'_>, meaning: Meaning, exec: &Exec) -> Result<StringData> {
    if input.storage != meaning.storage() {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    match exec.device() {
        Device::Host => {
            let validity = validity::intersect(&[View::Fixed(*input).validity_bits()], exec)?;
            format::format(input, meaning, validity.as_ref(), exec)
        }
        Device::Sim | Device::Cuda(_) => {
            Err(Error::NotImplemented { feature: "a cast to strings on this device" })
        }
    }
}
