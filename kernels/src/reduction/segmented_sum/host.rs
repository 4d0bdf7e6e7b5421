//! Host implementation of `segmented_sum`.

use crate::bits::BitSlice;
use crate::view::access;
use crate::{Error, Fixed, FixedData, Result, Storage, View, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

#[expect(clippy::unnecessary_cast, reason = "of one of the types")]
pub(super) fn segmented_sum(
    values: &Fixed<'_>,
    starts: &Fixed<'_>,
    lengths: &Fixed<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    let views = [View::Fixed(*values), View::Fixed(*starts), View::Fixed(*lengths)];
    let guards = access(&views, exec)?;
    let [values_guard, starts, lengths] = guards.as_slice() else {
        return Err(Error::Internal { invariant: "each view has a guard" });
    };
    let runs = (starts.values::<i64>(), lengths.values::<i64>());
    let valid = values_guard.validity();
    let data = dispatch_integer!(
        values.storage,
        T => sums(values_guard.values::<T>(), valid, runs, |value: T| value as i64, exec)?,
        other => return Err(Error::UnsupportedStorage { storage: values.storage })
    );
    let storage = if values.storage.is_signed() { Storage::I64 } else { Storage::U64 };
    Ok(FixedData { storage, len: runs.0.len(), data, validity: None })
}

/// Rows whose items are summed together: their running sums stay in the first-level cache.
const ROWS: usize = 1024;

/// Items of a run, on average, up to which running sums are faster than a loop a run.
const SHORT: usize = 16;

/// The sums in 64 bits, which are the same for signed and unsigned numbers.
fn sums<T: Pod + Sync>(
    values: &[T],
    valid: Option<BitSlice<'_>>,
    (starts, lengths): (&[i64], &[i64]),
    wide: impl Fn(T) -> i64 + Sync,
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_values(starts.len(), exec, |rows, out| {
        let mut running = Vec::new();
        for (first, out) in rows.step_by(ROWS).zip(out.chunks_mut(ROWS)) {
            let rows = first..first + out.len();
            let runs = (&starts[rows.clone()], &lengths[rows]);
            if sum_of_short_runs(values, valid, runs, &wide, &mut running, out) {
                continue;
            }
            for ((&start, &length), out) in runs.0.iter().zip(runs.1).zip(out) {
                let start = usize::try_from(start).unwrap_or(0);
                let length = usize::try_from(length).unwrap_or(0);
                let items = &values[start.min(values.len())..(start + length).min(values.len())];
                *out = match valid {
                    None => items.iter().fold(0, |sum: i64, &item| sum.wrapping_add(wide(item))),
                    Some(valid) => items.iter().zip(start..).fold(0, |sum: i64, (&item, at)| {
                        sum.wrapping_add(if valid.get(at) { wide(item) } else { 0 })
                    }),
                };
            }
        }
    })
}

/// The sums of short runs next to each other, as differences of running sums: a loop a run ends after a number of items that no
/// processor foresees. Whether the runs are such.
fn sum_of_short_runs<T: Pod>(
    values: &[T],
    valid: Option<BitSlice<'_>>,
    (starts, lengths): (&[i64], &[i64]),
    wide: &impl Fn(T) -> i64,
    running: &mut Vec<i64>,
    out: &mut [i64],
) -> bool {
    let first = starts.iter().fold(i64::MAX, |first, &start| first.min(start));
    let ends = starts.iter().zip(lengths).map(|(&start, &length)| start.saturating_add(length));
    let end = ends.fold(i64::MIN, i64::max);
    let negative = lengths.iter().fold(first, |all, &length| all | length) < 0;
    let (Ok(first), Ok(end)) = (usize::try_from(first), usize::try_from(end)) else { return false };
    if negative || end > values.len() || end - first > SHORT * out.len() {
        return false;
    }
    let mut sum = 0_i64;
    let mut next = |item: i64| {
        sum = sum.wrapping_add(item);
        sum
    };
    running.clear();
    running.push(0);
    let items = &values[first..end];
    match valid {
        None => running.extend(items.iter().map(|&item| next(wide(item)))),
        Some(valid) => {
            let of = |at: usize| i64::from(valid.get(first + at)).wrapping_neg();
            running.extend(items.iter().enumerate().map(|(at, &item)| next(wide(item) & of(at))));
        }
    }
    for ((&start, &length), out) in starts.iter().zip(lengths).zip(out) {
        let start = start as usize - first;
        *out = running[start + length as usize].wrapping_sub(running[start]);
    }
    true
}
