//! Instants of local times in a time zone.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::extract::TimeUnit;
use super::zone::ZoneOffsets;
use crate::bits::combine;
use crate::elementwise::validity;
use crate::{Bits, Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Buffer, Device, Exec};

/// Which instant a local time is that clocks show twice, because they are set back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Ambiguous {
    /// An error.
    #[default]
    Raise = 0,
    /// The first of the two.
    Earliest = 1,
    /// The second of the two.
    Latest = 2,
    /// Null.
    Null = 3,
}

/// Which instant a local time is that clocks skip, because they are set forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Nonexistent {
    /// An error.
    #[default]
    Raise = 0,
    /// The instant at which the clocks are set.
    ShiftForward = 1,
    /// The last instant before it, in the unit of the times.
    ShiftBackward = 2,
    /// Null.
    Null = 3,
}

/// Row `i` of the result is the instant at which a clock in the zone shows `input[i]`; null if that is null.
///
/// # Shapes and units
/// input: n rows of [`Storage::I64`] in `unit`, counted from 1970-01-01 00:00 without a time zone → n rows of
/// [`Storage::I64`] in `unit`, counted from 1970-01-01 UTC.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for other storage types and for days; [`Error::NoInstant`] for the first valid row that no
/// or two instants show, by the options; [`Error::Overflow`] if the instant of a valid row does not fit in 64 bits.
///
/// # Device
/// One launch, up to three for masks, and one synchronisation to detect errors. Each thread searches the table of the zone's
/// transitions, some 20 KB, which stays in the L1 cache.
///
/// # Source
/// pandas `Series.dt.tz_localize`, Polars `dt.replace_time_zone`, cudf `DatetimeColumn.tz_localize`.
pub fn utc_time(
    input: &Fixed<'_>,
    unit: TimeUnit,
    zone: &ZoneOffsets,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
    exec: &Exec,
) -> Result<FixedData> {
    if input.storage != Storage::I64 || unit == TimeUnit::Day {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    let rules = Rules { unit, zone, ambiguous, nonexistent };
    let len = input.len;
    let done = match exec.device() {
        Device::Host => host::utc_time(input, &rules, exec)?,
        _ => cuda::utc_time(input, &rules, exec)?,
    };
    if let Some(refused) = done.refused {
        let times = input.data.to_vec::<i64>(exec)?;
        let refused = refused.to_vec::<u8>(exec)?;
        let row = (0..len).find(|row| refused[row / 8] >> (row % 8) & 1 == 1).unwrap_or(0);
        let local = times[input.offset + row];
        return Err(match host::outcome(local, &rules) {
            host::Outcome::Twice(..) => Error::NoInstant { local, is_ambiguous: true },
            host::Outcome::Skipped(_) => Error::NoInstant { local, is_ambiguous: false },
            host::Outcome::Once(_) | host::Outcome::Overflow => Error::Overflow { storage: Storage::I64 },
        });
    }
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    let validity = match (validity, done.nulls) {
        (validity, None) => validity,
        (None, Some(nulls)) => Some(combine::not(bits(&nulls, len), exec)?),
        (Some(valid), Some(nulls)) => Some(combine::and_not(bits(&valid, len), bits(&nulls, len), exec)?),
    };
    Ok(FixedData { storage: Storage::I64, len, data: done.data, validity })
}

const fn bits(buffer: &Buffer, len: usize) -> Bits<'_> {
    Bits { buffer, offset: 0, len }
}

/// A zone, the unit of local times in it, and what becomes of those without one instant.
struct Rules<'a> {
    unit: TimeUnit,
    zone: &'a ZoneOffsets,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
}

impl Rules<'_> {
    /// Whether some rows may become null.
    fn makes_nulls(&self) -> bool {
        self.ambiguous == Ambiguous::Null || self.nonexistent == Nonexistent::Null
    }
}

/// Instants, the rows that are refused if there are some, and those that become null if the options have that.
struct Done {
    data: Buffer,
    refused: Option<Buffer>,
    nulls: Option<Buffer>,
}
