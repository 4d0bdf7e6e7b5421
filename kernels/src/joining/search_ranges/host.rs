//! Host implementation of `search_ranges`.

use super::{Bound, MatchRanges, Neighbor, read};
use crate::bits::BitSlice;
use crate::row_map::RowIndex;
use crate::{Element, Error, Fixed, Result, RowMap, RowWidth, Storage, Value, View, access, morsel};
use columnade_buffers::{Buffer, Exec};

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

/// Positions after `near` that are looked at one by one, before steps that double.
const NEAR: usize = 8;

/// The first position of `low .. high` that is not before the needle; those that are come first. `high` if there is none.
#[inline]
fn position(mut low: usize, mut high: usize, near: usize, is_before: impl Fn(usize) -> bool) -> usize {
    if low < near && near <= high && is_before(near - 1) {
        low = near;
        let linear = high.min(low + NEAR);
        while low < linear && is_before(low) {
            low += 1;
        }
        if low < linear {
            return low;
        }
        let mut step = NEAR;
        while high - low > step {
            if !is_before(low + step) {
                high = low + step;
                break;
            }
            low += step + 1;
            step *= 2;
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
            let (low, high) = (starts[row].row(), ends[row].row());
            near = position(low, high, near, is_before(&value, needles[row], bound));
            *out = I::of(near);
        }
    })?;
    Ok(RowMap { rows, width: I::WIDTH, len })
}

/// Values for each needle, at most, where ascending needles are merged with the values; of more values most are passed over by
/// searches.
const DENSE: usize = 4;

/// The position of each needle among all values, step by step through both, if needles are ascending and values dense: without
/// branches that depend on values, which are as unpredictable as their distances.
fn merge_positions<T: Element, I: RowIndex>(
    needles: &[T],
    values: &[T],
    out: &mut [I],
    is_before: impl Fn(T, T) -> bool,
) -> bool {
    let (Some(&first), Some(&last)) = (needles.first(), needles.last()) else { return true };
    let start = values.partition_point(|&value| is_before(value, first));
    let values = &values[..values.partition_point(|&value| is_before(value, last)).max(start)];
    let is_dense = values.len() - start <= needles.len() * DENSE;
    if !is_dense || !needles.is_sorted_by(|&before, &after| !is_less(after, before)) {
        return false;
    }
    let (mut at, mut row) = (start, 0);
    while row < needles.len().min(out.len()) && at < values.len() {
        out[row] = I::of(at);
        let step = is_before(values[at], needles[row]);
        at += usize::from(step);
        row += usize::from(!step);
    }
    out[row..].fill(I::of(values.len()));
    true
}

/// Whether the value at a position is before a needle.
#[inline]
fn is_before<T: Element>(value: impl Fn(usize) -> T, needle: T, bound: Bound) -> impl Fn(usize) -> bool {
    move |at| match bound {
        Bound::Lower => is_less(value(at), needle),
        Bound::Upper => !is_less(needle, value(at)),
    }
}

/// A value that has a distance from others.
trait Distant: Element {
    /// A type that holds the distance of any two.
    type Distance: Copy + PartialOrd + Sync;

    /// How far `greater` is from this value, which is not greater.
    fn distance(self, greater: Self) -> Self::Distance;

    /// The distance that a limit is.
    fn limit(value: Value) -> Option<Self::Distance>;
}

macro_rules! distant_integers {
    ($($ty:ty),*) => {
        $(impl Distant for $ty {
            type Distance = u64;

            #[inline]
            fn distance(self, greater: Self) -> u64 {
                u64::from(greater.abs_diff(self))
            }

            fn limit(value: Value) -> Option<u64> {
                u64::from_value(value)
            }
        })*
    };
}
distant_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Distant for i128 {
    type Distance = u128;

    #[inline]
    fn distance(self, greater: Self) -> u128 {
        greater.abs_diff(self)
    }

    fn limit(value: Value) -> Option<u128> {
        i128::from_value(value).map(i128::unsigned_abs)
    }
}

macro_rules! distant_floats {
    ($($ty:ty),*) => {
        $(impl Distant for $ty {
            type Distance = $ty;

            #[inline]
            fn distance(self, greater: Self) -> $ty {
                // Infinite values have no difference.
                if is_less(self, greater) { greater - self } else { 0.0 }
            }

            fn limit(value: Value) -> Option<$ty> {
                <$ty>::from_value(value)
            }
        })*
    };
}
distant_floats!(f32, f64);

pub(super) fn nearest_rows(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: Option<&MatchRanges>,
    neighbor: Neighbor,
    limit: Option<Value>,
    exec: &Exec,
) -> Result<RowMap> {
    let width = ranges.map_or_else(|| RowWidth::for_rows(values.len), |ranges| ranges.starts.width);
    dispatch!(needles.storage, T => match width {
        RowWidth::U32 => nearest::<T, u32>(needles, values, ranges, neighbor, limit.and_then(T::limit), exec),
        RowWidth::U64 => nearest::<T, u64>(needles, values, ranges, neighbor, limit.and_then(T::limit), exec),
    }, bit => Err(Error::UnsupportedStorage { storage: Storage::Bit }))
}

fn nearest<T: Distant, I: RowIndex>(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: Option<&MatchRanges>,
    neighbor: Neighbor,
    limit: Option<T::Distance>,
    exec: &Exec,
) -> Result<RowMap> {
    let (len, all) = (needles.len, values.len);
    let guards = access(&[View::Fixed(*needles), View::Fixed(*values)], exec)?;
    let (needles, values) = (guards[0].values::<T>(), guards[1].values::<T>());
    let wanted = Wanted { needles, valid: guards[0].validity(), neighbor, limit };
    let starts = read(ranges.map(|ranges| &ranges.starts), exec)?;
    let ends = read(ranges.map(|ranges| &ranges.ends), exec)?;
    let list = read(ranges.and_then(|ranges| ranges.rows.as_ref()), exec)?;
    let list = list.as_ref().map(columnade_buffers::ReadGuard::as_slice::<I>);
    let rows = if let (Some(starts), Some(ends)) = (&starts, &ends) {
        let (starts, ends) = (starts.as_slice::<I>(), ends.as_slice::<I>());
        let value = |at: usize| match list {
            Some(list) => values[list[at].row()],
            None => values[at],
        };
        let row = |at: usize| list.map_or_else(|| I::of(at), |list| list[at]);
        let range = |row: usize| (starts[row].row(), ends[row].row());
        near_values(len, &wanted, None, &value, &row, &range, exec)?
    } else {
        let value = |at: usize| values[at];
        near_values(len, &wanted, Some(values), &value, &I::of, &|_| (0, all), exec)?
    };
    Ok(RowMap { rows, width: I::WIDTH, len })
}

/// Needles, and which values are taken for them.
struct Wanted<'a, T: Distant> {
    needles: &'a [T],
    valid: Option<BitSlice<'a>>,
    neighbor: Neighbor,
    limit: Option<T::Distance>,
}

/// The row next to each needle. `all` has the values if they are one range in their order.
fn near_values<T: Distant, I: RowIndex>(
    len: usize,
    wanted: &Wanted<'_, T>,
    all: Option<&[T]>,
    value: &(impl Fn(usize) -> T + Sync),
    row_at: &(impl Fn(usize) -> I + Sync),
    range: &(impl Fn(usize) -> (usize, usize) + Sync),
    exec: &Exec,
) -> Result<Buffer> {
    let (neighbor, bound) = (wanted.neighbor, wanted.neighbor.bound());
    let is_null = |row: usize| wanted.valid.as_ref().is_some_and(|valid| !valid.get(row));
    let distance = |needle: T, at: usize| {
        let value = value(at);
        if is_less(value, needle) { value.distance(needle) } else { needle.distance(value) }
    };
    // Of a needle whose position in the range is `near`.
    let found = |needle: T, near: usize, (low, high): (usize, usize)| {
        // Before the first value of the range, or behind the last one, there is none.
        let (before, at) = (near.checked_sub(1).filter(|at| *at >= low), Some(near).filter(|at| *at < high));
        let found = match neighbor {
            Neighbor::Before | Neighbor::BeforeOrEqual => before,
            Neighbor::After | Neighbor::AfterOrEqual => at,
            Neighbor::Nearer | Neighbor::NearerOrEqual => {
                let after = match neighbor {
                    Neighbor::Nearer => {
                        let after = position(near, high, near, is_before(value, needle, Bound::Upper));
                        Some(after).filter(|at| *at < high)
                    }
                    _ => at,
                };
                match (before, after) {
                    (Some(before), Some(after)) => {
                        let is_after = distance(needle, after) < distance(needle, before);
                        Some(if is_after { after } else { before })
                    }
                    (before, after) => before.or(after),
                }
            }
        };
        let is_within = |at: &usize| wanted.limit.is_none_or(|limit| distance(needle, *at) <= limit);
        found.filter(is_within).map_or(I::NONE, row_at)
    };
    morsel::build_values::<I>(len, exec, |rows, out| {
        if let Some(values) = all {
            let needles = &wanted.needles[rows.clone()];
            let is_merged = match bound {
                Bound::Lower => merge_positions(needles, values, out, is_less),
                Bound::Upper => {
                    merge_positions(needles, values, out, |value, needle| !is_less(needle, value))
                }
            };
            if is_merged {
                for ((row, out), &needle) in rows.zip(out).zip(needles) {
                    *out = if is_null(row) { I::NONE } else { found(needle, out.row(), (0, values.len())) };
                }
                return;
            }
        }
        // Needles are often ascending: the position of one is near that of the one before.
        let mut near = 0;
        for (row, out) in rows.zip(out) {
            if is_null(row) {
                *out = I::NONE;
                continue;
            }
            let (needle, (low, high)) = (wanted.needles[row], range(row));
            near = position(low, high, near, is_before(value, needle, bound));
            *out = found(needle, near, (low, high));
        }
    })
}
