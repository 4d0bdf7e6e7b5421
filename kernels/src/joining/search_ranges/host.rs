//! Host implementation of `search_ranges`.

use super::{Bound, MatchRanges};
use crate::row_map::RowIndex;
use crate::{Element, Error, Fixed, Result, RowMap, RowWidth, Storage, View, access, morsel};
use columnade_buffers::Exec;

pub(super) fn search_ranges(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: &MatchRanges,
    bound: Bound,
    exec: &Exec,
) -> Result<RowMap> {
    dispatch!(needles.storage, T => match ranges.starts.width {
        RowWidth::U32 => search::<T, u32>(needles, values, ranges, bound, exec),
        RowWidth::U64 => search::<T, u64>(needles, values, ranges, bound, exec),
    }, bit => Err(Error::UnsupportedStorage { storage: Storage::Bit }))
}

/// Whether `a` is less than `b`; NaN is the greatest value.
#[inline]
fn is_less<T: Element>(a: T, b: T) -> bool {
    let is_nan = |value: T| value.partial_cmp(&value).is_none();
    a < b || (is_nan(b) && !is_nan(a))
}

fn search<T: Element, I: RowIndex>(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: &MatchRanges,
    bound: Bound,
    exec: &Exec,
) -> Result<RowMap> {
    let len = needles.len;
    let guards = access(&[View::Fixed(*needles), View::Fixed(*values)], exec)?;
    let (needles, values) = (guards[0].values::<T>(), guards[1].values::<T>());
    let (starts, ends) = (ranges.starts.rows.read(exec)?, ranges.ends.rows.read(exec)?);
    let (starts, ends) = (starts.as_slice::<I>(), ends.as_slice::<I>());
    let list = ranges.rows.as_ref().map(|rows| rows.rows.read(exec)).transpose()?;
    let list = list.as_ref().map(columnade_buffers::ReadGuard::as_slice::<I>);
    let value = |at: usize| match list {
        Some(list) => values[list[at].row()],
        None => values[at],
    };
    let rows = morsel::build_values::<I>(len, exec, |rows, out| {
        for (row, out) in rows.zip(out) {
            let needle = needles[row];
            let (mut low, mut high) = (starts[row].row(), ends[row].row());
            while low < high {
                let middle = low + (high - low) / 2;
                let is_before = match bound {
                    Bound::Lower => is_less(value(middle), needle),
                    Bound::Upper => !is_less(needle, value(middle)),
                };
                if is_before {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            *out = I::of(low);
        }
    })?;
    Ok(RowMap { rows, width: I::WIDTH, len })
}
