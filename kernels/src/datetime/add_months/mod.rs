//! Days moved by months.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::elementwise::operand::{self, Operand};
use crate::elementwise::overflow::{self, Checked};
use crate::elementwise::validity;
use crate::{Error, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is the day `days[i]` moved by `months[i]` months, or the last day of the month if that is shorter;
/// null if one of them is null.
///
/// # Shapes and units
/// Operands of n rows of [`Storage::I32`], or a value for every row: days since 1970-01-01, and months → n rows of
/// [`Storage::I32`], days since 1970-01-01.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for other storage types; [`Error::Overflow`] if the day of a
/// valid row does not fit.
///
/// # Device
/// One launch, one for a mask, and one synchronisation to detect overflow.
///
/// # Source
/// cudf/datetime.hpp `add_calendrical_months`; pandas `DateOffset(months=…)`, Polars `dt.offset_by`; Howard Hinnant,
/// `days_from_civil`.
pub fn add_months(days: Operand<'_>, months: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    if exec.device() != Device::Host {
        return overflow::refuse(add_months_by_row(days, months, exec)?, exec);
    }
    let len = check(&days, &months)?;
    if days.is_null() || months.is_null() {
        return validity::all_null(Storage::I32, len, exec);
    }
    let validity = validity::of_operands(&days, &months, exec)?;
    let data = host::add_months(&days, &months, validity.as_ref(), len, exec)?;
    Ok(FixedData { storage: Storage::I32, len, data, validity })
}

/// [`add_months`] on a device, with the rows that overflow.
pub(crate) fn add_months_by_row(days: Operand<'_>, months: Operand<'_>, exec: &Exec) -> Result<Checked> {
    let len = check(&days, &months)?;
    if days.is_null() || months.is_null() {
        return Ok((validity::all_null(Storage::I32, len, exec)?, None));
    }
    let validity = validity::of_operands(&days, &months, exec)?;
    let (data, overflow) = cuda::add_months(&days, &months, validity.as_ref(), len, exec)?;
    Ok((FixedData { storage: Storage::I32, len, data, validity }, overflow))
}

fn check(days: &Operand<'_>, months: &Operand<'_>) -> Result<usize> {
    let storage = days.storage();
    if storage != Storage::I32 {
        return Err(Error::UnsupportedStorage { storage });
    }
    operand::rows(days, months)
}
