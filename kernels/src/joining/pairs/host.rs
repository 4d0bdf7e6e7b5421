//! Host implementation of pairs.

use super::{JoinMaps, MatchRanges, Pairs};
use crate::parallel::for_each_part;
use crate::row_map::RowIndex;
use crate::scratch::Scratch;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, RowMap, RowWidth, morsel};
use columnade_buffers::{Buffer, Exec};

pub(super) fn count(ranges: &MatchRanges, keep_left: bool, exec: &Exec) -> Result<(Buffer, usize)> {
    match ranges.starts.width {
        RowWidth::U32 => count_rows::<u32>(ranges, keep_left, exec),
        RowWidth::U64 => count_rows::<u64>(ranges, keep_left, exec),
    }
}

fn count_rows<I: RowIndex>(ranges: &MatchRanges, keep_left: bool, exec: &Exec) -> Result<(Buffer, usize)> {
    let rows = ranges.starts.len;
    let (starts, ends) = (ranges.starts.rows.read(exec)?, ranges.ends.rows.read(exec)?);
    let (starts, ends) = (&starts.as_slice::<I>()[..rows], &ends.as_slice::<I>()[..rows]);
    let least = usize::from(keep_left);
    let pairs = |row: usize| (ends[row].row() - starts[row].row()).max(least);
    let counts: Vec<usize> = morsel::map(rows, |rows| rows.map(pairs).sum());
    let mut before = Scratch::<i64>::uninit(rows + 1, exec)?;
    let out = before.as_mut_slice();
    let mut total = 0;
    let firsts: Vec<usize> = counts
        .iter()
        .map(|count| {
            total += count;
            total - count
        })
        .collect();
    for_each_part(firsts.iter().zip(out.chunks_mut(HOST_MORSEL_ROWS)), |morsel, (&first, out)| {
        let mut sum = first;
        for (row, out) in (morsel * HOST_MORSEL_ROWS..rows).zip(out) {
            *out = sum as i64;
            sum += pairs(row);
        }
    });
    out[rows] = total as i64;
    Ok((before.into_buffer(rows + 1), total))
}

pub(super) fn write(pairs: &Pairs, first: usize, len: usize, exec: &Exec) -> Result<JoinMaps> {
    match pairs.ranges.starts.width {
        RowWidth::U32 => write_rows::<u32>(pairs, first, len, exec),
        RowWidth::U64 => write_rows::<u64>(pairs, first, len, exec),
    }
}

fn write_rows<I: RowIndex>(pairs: &Pairs, first: usize, len: usize, exec: &Exec) -> Result<JoinMaps> {
    let ranges = &pairs.ranges;
    let (starts, ends) = (ranges.starts.rows.read(exec)?, ranges.ends.rows.read(exec)?);
    let (starts, ends) = (starts.as_slice::<I>(), ends.as_slice::<I>());
    let before = pairs.before.read(exec)?;
    let before = before.as_slice::<i64>();
    let list = ranges.rows.as_ref().map(|rows| rows.rows.read(exec)).transpose()?;
    let list = list.as_ref().map(columnade_buffers::ReadGuard::as_slice::<I>);
    let mut left_out = Buffer::uninit(len * size_of::<I>(), exec)?;
    let mut right_out = Buffer::uninit(len * size_of::<I>(), exec)?;
    let (mut left_guard, mut right_guard) = (left_out.write(exec)?, right_out.write(exec)?);
    let lefts = left_guard.as_mut_slice::<I>()[..len].chunks_mut(HOST_MORSEL_ROWS);
    let rights = right_guard.as_mut_slice::<I>()[..len].chunks_mut(HOST_MORSEL_ROWS);
    for_each_part(lefts.zip(rights), |morsel, (mut left, mut right)| {
        let at = (first + morsel * HOST_MORSEL_ROWS) as i64;
        // The last row with before[row] <= at.
        let mut row = before.partition_point(|&before| before <= at) - 1;
        let mut skipped = (at - before[row]) as usize;
        while !left.is_empty() {
            let (start, end) = (starts[row].row(), ends[row].row());
            let count = ((before[row + 1] - before[row]) as usize - skipped).min(left.len());
            let (row_left, row_right);
            (row_left, left) = left.split_at_mut(count);
            (row_right, right) = right.split_at_mut(count);
            row_left.fill(I::of(row));
            match list {
                _ if start == end => row_right.fill(I::NONE),
                Some(list) => row_right.copy_from_slice(&list[start + skipped..][..count]),
                None => {
                    for (at, out) in (start + skipped..).zip(row_right) {
                        *out = I::of(at);
                    }
                }
            }
            (row, skipped) = (row + 1, 0);
        }
    });
    drop((left_guard, right_guard));
    let map = |rows| RowMap { rows, width: I::WIDTH, len };
    Ok(JoinMaps { left: map(left_out), right: Some(map(right_out)) })
}

pub(super) fn runs(sorted: &RowMap, values: usize, exec: &Exec) -> Result<[RowMap; 2]> {
    match sorted.width {
        RowWidth::U32 => runs_of::<u32>(sorted, values, exec),
        RowWidth::U64 => runs_of::<u64>(sorted, values, exec),
    }
}

fn runs_of<I: RowIndex>(sorted: &RowMap, values: usize, exec: &Exec) -> Result<[RowMap; 2]> {
    let guard = sorted.rows.read(exec)?;
    let sorted = &guard.as_slice::<I>()[..sorted.len];
    let mut starts = Scratch::filled(values, I::of(0), exec)?;
    let mut ends = Scratch::filled(values, I::of(0), exec)?;
    let (start_of, end_of) = (starts.as_mut_slice(), ends.as_mut_slice());
    let mut first = 0;
    for run in sorted.chunk_by(|a, b| a == b) {
        let value = run[0].row();
        (start_of[value], end_of[value]) = (I::of(first), I::of(first + run.len()));
        first += run.len();
    }
    Ok([starts, ends].map(|map| RowMap { rows: map.into_buffer(values), width: I::WIDTH, len: values }))
}
