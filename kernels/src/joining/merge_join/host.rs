//! Host implementation of `merge_join`: the merged order is cut into morsels, whose pairs are counted and then written.

use super::{JoinKind, JoinMaps, Kept};
use crate::parallel::for_each_part;
use crate::row_map::RowIndex;
use crate::{Fixed, Result, RowMap, RowWidth, View, access, morsel};
use columnade_buffers::{Buffer, Exec};
use std::ops::Range;

pub(super) fn merge_join(
    left: &Fixed<'_>,
    right: &Fixed<'_>,
    kind: JoinKind,
    exec: &Exec,
) -> Result<JoinMaps> {
    match RowWidth::for_rows(left.len.max(right.len)) {
        RowWidth::U32 => pairs::<u32>(left, right, kind, exec),
        RowWidth::U64 => pairs::<u64>(left, right, kind, exec),
    }
}

/// The values of both sides.
#[derive(Clone, Copy)]
struct Sides<'a> {
    left: &'a [i64],
    right: &'a [i64],
}

impl Sides<'_> {
    /// How many of the first `items` values in the order of both are left ones; of equal values left ones are first.
    fn lefts_before(self, items: usize) -> usize {
        let (mut low, mut high) = (items.saturating_sub(self.right.len()), items.min(self.left.len()));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.left[middle] <= self.right[items - 1 - middle] {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Calls `pair` with the rows of each pair among some values in the order of both.
    fn for_each_pair(
        self,
        items: Range<usize>,
        kept: Kept,
        mut pair: impl FnMut(Option<usize>, Option<usize>),
    ) {
        let Sides { left, right } = self;
        let mut a = self.lefts_before(items.start);
        let mut b = items.start - a;
        let (last_a, last_b) = {
            let lefts = self.lefts_before(items.end);
            (lefts, items.end - lefts)
        };
        while a < last_a || b < last_b {
            let is_left = a < last_a && (b == last_b || left[a] <= right[b]);
            if is_left {
                let is_match = b < right.len() && right[b] == left[a];
                if is_match && kept.matched {
                    pair(Some(a), Some(b));
                } else if !is_match && kept.left_alone {
                    pair(Some(a), None);
                }
                a += 1;
            } else {
                let is_match = a > 0 && left[a - 1] == right[b];
                if !is_match && kept.right_alone {
                    pair(None, Some(b));
                }
                b += 1;
            }
        }
    }
}

fn pairs<I: RowIndex>(left: &Fixed<'_>, right: &Fixed<'_>, kind: JoinKind, exec: &Exec) -> Result<JoinMaps> {
    let guards = access(&[View::Fixed(*left), View::Fixed(*right)], exec)?;
    let sides = Sides { left: guards[0].values::<i64>(), right: guards[1].values::<i64>() };
    let (items, kept) = (left.len + right.len, Kept::of(kind));
    let parts = morsel::map(items, |items| {
        let mut count = 0;
        sides.for_each_pair(items.clone(), kept, |_, _| count += 1);
        (items, count)
    });
    let total = parts.iter().map(|(_, count)| count).sum();
    let rights = if kind.has_pairs() { total } else { 0 };
    let mut left_rows = Buffer::uninit(total * size_of::<I>(), exec)?;
    let mut right_rows = Buffer::uninit(rights * size_of::<I>(), exec)?;
    let (mut left_guard, mut right_guard) = (left_rows.write(exec)?, right_rows.write(exec)?);
    let mut rest =
        (&mut left_guard.as_mut_slice::<I>()[..total], &mut right_guard.as_mut_slice::<I>()[..rights]);
    let mut places = Vec::with_capacity(parts.len());
    for (items, count) in parts {
        let (left_place, left_rest) = rest.0.split_at_mut(count);
        let (right_place, right_rest) = rest.1.split_at_mut(count.min(rights));
        places.push((items, left_place, right_place));
        rest = (left_rest, right_rest);
    }
    for_each_part(places, |_, (items, left_place, right_place)| {
        let row = |row: Option<usize>| row.map_or(I::NONE, I::of);
        let mut at = 0;
        sides.for_each_pair(items, kept, |left, right| {
            left_place[at] = row(left);
            if let Some(place) = right_place.get_mut(at) {
                *place = row(right);
            }
            at += 1;
        });
    });
    drop((left_guard, right_guard));
    let map = |rows| RowMap { rows, width: I::WIDTH, len: total };
    Ok(JoinMaps { left: map(left_rows), right: kind.has_pairs().then(|| map(right_rows)) })
}
