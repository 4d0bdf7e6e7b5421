//! Host implementation of `local_time`, and its inner loop.

use crate::datetime::extract::TimeUnit;
use crate::datetime::zone::{Span, ZoneOffsets};
use crate::{Error, Fixed, Result, Storage, View, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// `out[i]` is the local time of `times[i]`; bit `i` of `overflow` is set if that does not fit, and else kept.
pub(crate) fn apply(
    times: &[i64],
    unit: TimeUnit,
    zone: &ZoneOffsets,
    out: &mut [i64],
    overflow: &mut [u64],
) {
    let per_second = unit.per_second();
    // Neighbouring rows mostly have one offset, so only changes are searched for. No row is in this span.
    let mut known = Span { start: 0, end: 0, offset: 0 };
    for (row, (&time, out)) in times.iter().zip(out).enumerate() {
        if time < known.start || time >= known.end {
            let span = zone.span(time.div_euclid(per_second));
            known = Span {
                start: span.start.saturating_mul(per_second),
                end: span.end.saturating_mul(per_second),
                offset: span.offset * per_second,
            };
        }
        let (local, overflows) = time.overflowing_add(known.offset);
        *out = local;
        overflow[row / 64] |= u64::from(overflows) << (row % 64);
    }
}

pub(super) fn local_time(
    input: &Fixed<'_>,
    unit: TimeUnit,
    zone: &ZoneOffsets,
    exec: &Exec,
) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    let (times, valid) = (guard.values::<i64>(), guard.validity());
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(times.len(), exec, |rows, out: &mut [i64]| {
        let mut overflow = vec![0; out.len().div_ceil(64)];
        apply(&times[rows.clone()], unit, zone, out, &mut overflow);
        let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
        if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
            failed.store(true, Relaxed);
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: Storage::I64 }) } else { Ok(out) }
}
