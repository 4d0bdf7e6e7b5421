//! Local time of timestamps in a time zone.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::extract::TimeUnit;
use super::zone::ZoneOffsets;
use crate::elementwise::overflow::{self, Checked};
use crate::elementwise::validity;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is `input[i]` plus the offset of the zone at that instant: the number that a clock in the
/// zone shows, counted from 1970-01-01 00:00 without a time zone. Null if the row is null.
///
/// # Shapes and units
/// input: n rows of [`Storage::I64`] in `unit`, counted from 1970-01-01 UTC → n rows of [`Storage::I64`] in `unit`.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for other storage types and for days; [`Error::Overflow`] if the local time of a
/// valid row does not fit in 64 bits.
///
/// # Device
/// One launch, one for a mask, and one synchronisation to detect overflow. Each thread searches the table of the
/// zone's transitions, some 20 KB, which stays in the L1 cache.
///
/// # Source
/// cudf/timezone.hpp `make_timezone_transition_table`; pandas `Series.dt.tz_localize(None)`, Polars
/// `dt.replace_time_zone(None)`.
pub fn local_time(input: &Fixed<'_>, unit: TimeUnit, zone: &ZoneOffsets, exec: &Exec) -> Result<FixedData> {
    if exec.device() != Device::Host {
        return overflow::refuse(local_time_by_row(input, unit, zone, exec)?, exec);
    }
    check(input, unit)?;
    let data = host::local_time(input, unit, zone, exec)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::I64, len: input.len, data, validity })
}

/// [`local_time`] on a device, with the rows that overflow.
pub(crate) fn local_time_by_row(
    input: &Fixed<'_>,
    unit: TimeUnit,
    zone: &ZoneOffsets,
    exec: &Exec,
) -> Result<Checked> {
    check(input, unit)?;
    let (data, overflow) = cuda::local_time(input, unit, zone, exec)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    Ok((FixedData { storage: Storage::I64, len: input.len, data, validity }, overflow))
}

fn check(input: &Fixed<'_>, unit: TimeUnit) -> Result<()> {
    if input.storage != Storage::I64 || unit == TimeUnit::Day {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    Ok(())
}
