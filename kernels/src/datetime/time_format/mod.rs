//! Times as text in a format, and back.

mod cuda;
mod host;
mod pattern;
#[cfg(test)]
mod tests;

pub use pattern::TimeFormat;

use super::extract::TimeUnit;
use crate::elementwise::validity;
use crate::{Error, Fixed, FixedData, Result, StringData, StringsView, View};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is the time `local[i]` in a format; null if that is null.
///
/// `offsets` are the seconds from UTC of each row, for formats with `%z` and `%s`; without, `%z` writes nothing, and `%s` counts as
/// if the time was UTC. `%Z` writes nothing.
///
/// # Shapes and units
/// local: n rows of the unit's storage, counted from 1970-01-01 00:00 → n rows of UTF-8. A day has the time 00:00.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for an input whose storage is not that of the unit; [`Error::LengthMismatch`];
/// [`Error::Overflow`] for a time whose day is beyond those of [`Storage::I32`](crate::Storage::I32);
/// [`Error::InvalidArgument`] for a result larger than any memory; [`Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, the first of which counts bytes, a scan between them, and one synchronisation for the
/// size of the result. A format of more than some 30 directives is copied first.
///
/// # Source
/// pandas `Series.dt.strftime`, Polars `dt.strftime`, `cudf/strings/convert/convert_datetime.hpp` `from_timestamps`.
pub fn format(
    format: &TimeFormat,
    local: &Fixed<'_>,
    offsets: Option<&Fixed<'_>>,
    unit: TimeUnit,
    exec: &Exec,
) -> Result<StringData> {
    if local.storage != unit.storage() {
        return Err(Error::UnsupportedStorage { storage: local.storage });
    }
    if let Some(offsets) = offsets {
        if offsets.storage != crate::Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: offsets.storage });
        }
        if offsets.len != local.len {
            return Err(Error::LengthMismatch { left: local.len, right: offsets.len });
        }
    }
    let validity = validity::intersect(&[local.validity_bits()], exec)?;
    match exec.device() {
        Device::Host => host::format(format, local, offsets, unit, validity, exec),
        Device::Sim | Device::Cuda(_) => cuda::format(format, local, offsets, unit, validity, exec),
    }
}

/// What [`parse`] found.
#[derive(Debug)]
pub struct Parsed {
    /// The times; null where the text is null or does not match.
    pub times: FixedData,
    /// The first row with a text that does not match, and the byte of it that is wrong.
    pub unmatched: Option<(usize, usize)>,
}

/// Row `i` of the result is the time in `input[i]`, parsed with a format, in UTC if the format has `%z`; null if that is null
/// or does not match.
///
/// Month and day default to 1, the time to 00:00; a format of the clock alone gives times of 1970-01-01. Digits of a second that
/// the unit does not have are dropped. A year and a week of ISO 8601 come together and without another year, with the day of the
/// week that is said, else Monday; days of the week are otherwise checked to be some, and not to be those of the date.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows of the unit's storage, counted from 1970-01-01 00:00.
///
/// # Errors
/// [`Error::InvalidArgument`] for a format of dates without a year, one with directives that are only written, and one with a
/// week without its year or beside another;
/// [`Error::Memory`].
///
/// # Device
/// One launch of a thread per row, which reads the strings once, and one synchronisation for the first row that does not
/// match. The byte that is wrong is at most 2²⁴ − 1.
///
/// # Source
/// pandas `to_datetime(format=…)`, Polars `str.strptime`, `cudf/strings/convert/convert_datetime.hpp` `to_timestamps`.
pub fn parse(format: &TimeFormat, input: &StringsView<'_>, unit: TimeUnit, exec: &Exec) -> Result<Parsed> {
    if !format.is_read() {
        return Err(Error::InvalidArgument { name: "format", reason: "%C, %g, %s and %Z are not read" });
    }
    if !format.has_year() && !format.is_clock() {
        return Err(Error::InvalidArgument { name: "format", reason: "it has no year" });
    }
    if format.mixes_weeks() {
        let reason = "a week of ISO 8601 is read as %G and %V together, without another year";
        return Err(Error::InvalidArgument { name: "format", reason });
    }
    match exec.device() {
        Device::Host => {
            let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
            host::parse(format, input, unit, validity, exec)
        }
        Device::Sim | Device::Cuda(_) => cuda::parse(format, input, unit, exec),
    }
}
