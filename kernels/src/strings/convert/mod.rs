//! Numbers, decimals, booleans, dates and times as strings, and strings as these.

pub(crate) mod cuda;
mod host;
mod powers;
#[cfg(test)]
mod test_floats;
#[cfg(test)]
mod tests;

pub(crate) use host::PAIRS;

use crate::elementwise::validity;
use crate::{Error, Fixed, FixedData, Result, Storage, StringData, StringsView};
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
    /// Units of 10^−`scale`: digits with a point or an exponent. Digits beyond the scale are rounded half away from zero.
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
    /// As [`Meaning::Time`], of instants in UTC: read with an offset, `Z`, `+HH:MM` or `+HH:MM:SS`; written by
    /// [`format_zoned`].
    Zoned {
        /// Digits after the second: 0, 3, 6 or 9.
        digits: u8,
    },
    /// Units of a duration, [`Storage::I64`], as `[-][N days ]HH:MM:SS.fraction`.
    Duration {
        /// Digits after the second: 0, 3, 6 or 9.
        digits: u8,
    },
    /// Units since midnight, [`Storage::I32`] of seconds and milliseconds, else [`Storage::I64`], as `HH:MM:SS.fraction`. Read
    /// without seconds and with fewer digits too; written with days where there are some.
    Clock {
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
            Meaning::Date | Meaning::Clock { digits: 0..=3 } => Storage::I32,
            Meaning::Time { .. }
            | Meaning::Zoned { .. }
            | Meaning::Duration { .. }
            | Meaning::Clock { .. } => Storage::I64,
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
/// [`Error::UnsupportedStorage`] for a meaning of another storage type; [`Error::Memory`].
///
/// # Device
/// One launch of a thread per row, which reads the strings once, and one synchronisation for the first row without a value.
/// Where the first 19 digits of a float do not decide, a second launch, which compares all of them.
///
/// # Source
/// cudf/strings/convert, pandas `astype`, SQL `TRY_CAST`; W. D. Clinger, "How to read floating point numbers accurately",
/// 1990; Daniel Lemire, "Number parsing at a gigabyte per second", 2021.
pub fn parse(input: &StringsView<'_>, meaning: Meaning, exec: &Exec) -> Result<Parsed> {
    match exec.device() {
        Device::Host => host::parse(input, meaning, exec),
        Device::Sim | Device::Cuda(_) => cuda::parse(input, meaning, exec),
    }
}

/// Each value as a string; null where the value is null.
///
/// # Shapes and units
/// input: n rows of the storage type of `meaning` → n rows of UTF-8.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for another storage type; [`Error::InvalidArgument`] for [`Meaning::Zoned`], which
/// [`format_zoned`] writes, and for a result larger than any memory; [`Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, the first of which counts bytes, a scan between them, and one synchronisation for the
/// size of the result.
///
/// # Source
/// cudf/strings/convert, pandas `astype(str)`; Ulf Adams, "Ryū: fast float-to-string conversion", 2018; Raffaello
/// Giulietti, "The Schubfach way to render doubles", 2020.
pub fn format(input: &Fixed<'_>, meaning: Meaning, exec: &Exec) -> Result<StringData> {
    if input.storage != meaning.storage() {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    if let Meaning::Zoned { .. } = meaning {
        return Err(Error::InvalidArgument {
            name: "meaning",
            reason: "instants have no text without a zone",
        });
    }
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    match exec.device() {
        Device::Host => host::format(input, meaning, validity.as_ref(), exec),
        Device::Sim | Device::Cuda(_) => cuda::format(input, meaning, validity, exec),
    }
}

/// How instants are shown in a time zone.
#[derive(Clone, Copy, Debug)]
pub struct ZonedTimes<'a> {
    /// The seconds to add to UTC in each row, [`Storage::I64`]; `None` if they are unknown.
    pub offsets: Option<Fixed<'a>>,
    /// Whether the offset 0 is a `Z`.
    pub shows_z: bool,
    /// What follows times that are shown in UTC, as `Z[Europe/Atlantis]`: without offsets, and where the local time does not
    /// fit in 64 bits.
    pub unknown: &'a str,
}

/// Each instant as its local time and the offset, as `2024-07-01 12:00:00+02:00`; null where the instant is null.
///
/// # Shapes and units
/// input: n rows of [`Storage::I64`], in units of 10^−`digits` seconds since 1970-01-01 UTC → n rows of UTF-8.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for another storage type; [`Error::LengthMismatch`]; [`Error::InvalidArgument`] for a result
/// larger than any memory; [`Error::Memory`].
///
/// # Device
/// As [`format()`].
///
/// # Source
/// RFC 9557; pandas `astype(str)`.
pub fn format_zoned(
    input: &Fixed<'_>,
    digits: u8,
    times: &ZonedTimes<'_>,
    exec: &Exec,
) -> Result<StringData> {
    let columns = || std::iter::once(input).chain(&times.offsets);
    if let Some(column) = columns().find(|column| column.storage != Storage::I64) {
        return Err(Error::UnsupportedStorage { storage: column.storage });
    }
    if let Some(column) = columns().find(|column| column.len != input.len) {
        return Err(Error::LengthMismatch { left: input.len, right: column.len });
    }
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    match exec.device() {
        Device::Host => host::format_zoned(input, digits, times, validity.as_ref(), exec),
        Device::Sim | Device::Cuda(_) => cuda::format_zoned(input, digits, times, validity, exec),
    }
}
