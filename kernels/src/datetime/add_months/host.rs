//! Host implementation of `add_months`, and its inner loop.

use crate::bits::BitSlice;
use crate::datetime::extract::host::civil;
use crate::elementwise::lane::Lane;
use crate::elementwise::{Operand, OperandGuard};
use crate::{Error, Result, Storage, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Days in 400 years, the period of the calendar.
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;

/// Days since 1970-01-01 of the first of a month; months are counted from January of the year 0.
#[inline]
pub(crate) fn first_of(month: i64) -> i64 {
    // Years begin in March.
    let since_march = month - 2;
    let (year, month) = (since_march.div_euclid(12), since_march.rem_euclid(12));
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * ERA_DAYS + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 - EPOCH_DAYS
}

/// The day moved by months.
#[inline]
pub(crate) fn moved(day: i32, months: i32) -> i64 {
    let (year, month, day) = civil(day);
    let month = i64::from(year) * 12 + i64::from(month) - 1 + i64::from(months);
    let first = first_of(month);
    // Most days are in every month.
    if day <= 28 {
        first + i64::from(day) - 1
    } else {
        (first + i64::from(day) - 1).min(first_of(month + 1) - 1)
    }
}

/// `out[i]` is the day `days[i]` moved by `months[i]`; sets bit `i` of `overflow`, which is clear, if it does not fit.
pub(crate) fn apply(days: Lane<'_, i32>, months: Lane<'_, i32>, out: &mut [i32], overflow: &mut [u64]) {
    for (row, out) in out.iter_mut().enumerate() {
        let day = i32::try_from(moved(days.get(row), months.get(row)));
        overflow[row / 64] |= u64::from(day.is_err()) << (row % 64);
        *out = day.unwrap_or(0);
    }
}

pub(super) fn add_months(
    days: &Operand<'_>,
    months: &Operand<'_>,
    validity: Option<&Buffer>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let [days, months] = OperandGuard::pair(days, months, exec)?;
    let valid = validity.map(|buffer| buffer.read(exec)).transpose()?;
    let valid = valid.as_ref().map(|guard| BitSlice::new(guard.as_slice(), 0, len));
    let (days, months) = (days.lane(), months.lane());
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(len, exec, |rows, out: &mut [i32]| {
        let mut overflow = vec![0; out.len().div_ceil(64)];
        apply(days.rows(rows.clone()), months.rows(rows.clone()), out, &mut overflow);
        let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
        if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
            failed.store(true, Relaxed);
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: Storage::I32 }) } else { Ok(out) }
}
