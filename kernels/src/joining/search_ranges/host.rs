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

/// Positions after `near` that are looked at before a binary search.
const NEAR: usize = 8;

/// The first position of `low .. high` that is not before the needle; those that are come first. `high` if there is none.
#[inline]
fn position(mut low: usize, mut high: usize, near: usize, is_before: impl Fn(usize) -> bool) -> usize {
    if low < near && near <= high && is_before(near - 1) {
        low = near;
        if near + NEAR < high && !is_before(near + NEAR) {
            high = near + NEAR;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
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
        // Needles are often ascending: the position of one is near that of the one before.
        let mut near = 0;
        for (row, out) in rows.zip(out) {
            let needle = needles[row];
            let is_before = |at: usize| match bound {
                Bound::Lower => is_less(value(at), needle),
                Bound::Upper => !is_less(needle, value(at)),
            };
            let (low, high) = (starts[row].row(), ends[row].row());
            near = position(low, high, near, is_before);
            *out = I::of(near);
        }
    })?;
    Ok(RowMap { rows, width: I::WIDTH, len })
}
