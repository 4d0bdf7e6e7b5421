//! Host grouping of rows in the order of their keys, as in tables that are sorted by them: a group starts where the key
//! changes, and there is no table.

use crate::keys::{KEY_BATCH, PackedKey, RowKeys};
use crate::parallel::{for_each_part, map_parts};
use crate::row_map::RowIndex;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, RowMap};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Fewer rows are as fast with a table.
const LEAST_ROWS: usize = 4 * KEY_BATCH;

/// Writes the ids of all rows and returns the first rows; `None` if keys are not in ascending order or rows are excluded. The
/// ids are then unspecified.
pub(super) fn number<K: PackedKey, S: RowKeys<K>, I: RowIndex>(
    source: S,
    ids: &mut [u32],
    exec: &Exec,
) -> Result<Option<RowMap>> {
    let rows = ids.len();
    if !S::EXACT || rows < LEAST_ROWS {
        return Ok(None);
    }
    // Most keys that are in no order are found out by a few.
    let mut sample = [0; KEY_BATCH];
    let unordered = AtomicBool::new(false);
    if [0, rows / 2].into_iter().any(|start| starts(source, start, &mut sample, &unordered).is_none()) {
        return Ok(None);
    }
    let counts = map_parts(ids.chunks_mut(HOST_MORSEL_ROWS), |morsel, ids| {
        starts(source, morsel * HOST_MORSEL_ROWS, ids, &unordered)
    });
    let Some(counts) = counts.into_iter().collect::<Option<Vec<usize>>>() else { return Ok(None) };
    let groups = counts.iter().sum();
    let mut first_rows = Buffer::uninit(groups * size_of::<I>(), exec)?;
    let mut guard = first_rows.write(exec)?;
    let mut rest = &mut guard.as_mut_slice::<I>()[..groups];
    let (mut parts, mut before) = (Vec::with_capacity(counts.len()), 0);
    for (ids, count) in ids.chunks_mut(HOST_MORSEL_ROWS).zip(counts) {
        let (firsts, tail) = rest.split_at_mut(count);
        parts.push((before, ids, firsts));
        (rest, before) = (tail, before + count);
    }
    for_each_part(parts, |morsel, (before, ids, firsts): (usize, &mut [u32], &mut [I])| {
        let mut started = 0;
        for (row, id) in (morsel * HOST_MORSEL_ROWS..).zip(ids) {
            if *id as usize > started {
                firsts[started] = I::of(row);
                started += 1;
            }
            // The group that a morsel starts with may have started before it.
            *id = (before + started).wrapping_sub(1) as u32;
        }
    });
    drop(guard);
    Ok(Some(RowMap { rows: first_rows, width: I::WIDTH, len: groups }))
}

/// Writes how many groups start in the rows from `start` up to each of them, and returns how many start in all; `None`, and
/// sets `unordered`, if the rows, with the one before them, are in no order.
fn starts<K: PackedKey, S: RowKeys<K>>(
    source: S,
    start: usize,
    out: &mut [u32],
    unordered: &AtomicBool,
) -> Option<usize> {
    let mut keys = [K::default(); KEY_BATCH];
    let mut previous = None;
    if start > 0 {
        source.keys(start - 1, &mut keys[..1]);
        previous = Some(keys[0]);
    }
    let mut started = 0;
    for (batch, out) in out.chunks_mut(KEY_BATCH).enumerate() {
        let keys = &mut keys[..out.len()];
        source.keys(start + batch * KEY_BATCH, keys);
        let (first, last) = (*keys.first()?, *keys.last()?);
        // In ascending order the key of excluded rows, which is the greatest, is the last.
        let mut ordered = last != K::MISS && previous.is_none_or(|previous| previous <= first);
        started += u32::from(previous != Some(first));
        out[0] = started;
        for (out, pair) in out[1..].iter_mut().zip(keys.windows(2)) {
            ordered &= pair[0] <= pair[1];
            started += u32::from(pair[0] != pair[1]);
            *out = started;
        }
        previous = Some(last);
        if !ordered || unordered.load(Relaxed) {
            unordered.store(true, Relaxed);
            return None;
        }
    }
    Some(started as usize)
}
