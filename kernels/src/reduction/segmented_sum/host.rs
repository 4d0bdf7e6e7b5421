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

/// The sums in 64 bits, which are the same for signed and unsigned numbers.
fn sums<T: Pod + Sync>(
    values: &[T],
    valid: Option<BitSlice<'_>>,
    (starts, lengths): (&[i64], &[i64]),
    wide: fn(T) -> i64,
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_values(starts.len(), exec, |rows, out| {
        for (row, out) in rows.zip(out) {
            let start = usize::try_from(starts[row]).unwrap_or(0);
            let length = usize::try_from(lengths[row]).unwrap_or(0);
            let items = &values[start.min(values.len())..(start + length).min(values.len())];
            *out = match valid {
                None => items.iter().fold(0, |sum: i64, &item| sum.wrapping_add(wide(item))),
                Some(valid) => items.iter().zip(start..).fold(0, |sum: i64, (&item, at)| {
                    sum.wrapping_add(if valid.get(at) { wide(item) } else { 0 })
                }),
            };
        }
    })
}
