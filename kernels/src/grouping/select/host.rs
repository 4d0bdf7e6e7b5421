//! Host implementation: a counting sort by group, and running selections.

use super::{TopRows, order_key};
use crate::bits::BitSlice;
use crate::grouping::group_ids::Groups;
use crate::keys::NO_TICKET;
use crate::parallel::{for_each_part, map_parts, threads};
use crate::scratch::Scratch;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Fixed, FixedData, Result, Storage, View, ViewGuard, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows whose keys are made at a time.
const BATCH: usize = 1024;

/// Groups that one task selects from.
const GROUPS_OF_TASK: usize = 64;

/// The rows to select from.
#[derive(Clone, Copy)]
struct Rows<'a> {
    ids: &'a [u32],
    guard: &'a ViewGuard<'a>,
    storage: Storage,
    /// `None` also if no row is null.
    validity: Option<BitSlice<'a>>,
}

impl Rows<'_> {
    /// Ranges of rows, one for each thread: the result does not depend on them.
    fn ranges(&self) -> Vec<std::ops::Range<usize>> {
        let rows = self.ids.len();
        let count = if rows <= HOST_MORSEL_ROWS { 1 } else { threads() };
        let range = rows.div_ceil(count).max(1);
        (0..rows).step_by(range).map(|start| start..rows.min(start + range)).collect()
    }

    /// Adds the number of valid rows of each group.
    fn count(&self, rows: std::ops::Range<usize>, counts: &mut [u32]) {
        let mut add = |id: u32| {
            if id != NO_TICKET {
                counts[id as usize] += 1;
            }
        };
        let ids = &self.ids[rows.clone()];
        match self.validity {
            None => ids.iter().for_each(|&id| add(id)),
            Some(bits) => ids.iter().zip(rows).filter(|(_, row)| bits.get(*row)).for_each(|(&id, _)| add(id)),
        }
    }

    /// Calls `each` with the first row, the group numbers and the keys of each batch; whether no key is ambiguous. Keys of nulls
    /// are arbitrary.
    fn for_batches(&self, rows: std::ops::Range<usize>, mut each: impl FnMut(usize, &[u32], &[u64])) -> bool {
        let mut keys = [0; BATCH];
        for first in rows.clone().step_by(BATCH) {
            let keys = &mut keys[..BATCH.min(rows.end - first)];
            if order_key::keys(self.guard, self.storage, self.validity, first, keys) {
                return false;
            }
            each(first, &self.ids[first..first + keys.len()], keys);
        }
        true
    }

    /// Calls `each` with the group and the key of each valid row of a group; whether no key is ambiguous.
    fn for_each(&self, rows: std::ops::Range<usize>, mut each: impl FnMut(usize, u64)) -> bool {
        self.for_batches(rows, |first, ids, keys| {
            for (row, (&id, &key)) in ids.iter().zip(keys).enumerate() {
                if id != NO_TICKET && self.is_valid(first + row) {
                    each(id as usize, key);
                }
            }
        })
    }

    fn is_valid(&self, row: usize) -> bool {
        self.validity.is_none_or(|bits| bits.get(row))
    }
}

pub(super) fn nth_smallest(
    groups: &Groups,
    values: &Fixed<'_>,
    positions: &[Fixed<'_>],
    exec: &Exec,
) -> Result<Option<Vec<FixedData>>> {
    let ids = groups.ids.rows.read(exec)?;
    let guard = View::Fixed(*values).read(exec)?;
    let rows = Rows {
        ids: &ids.as_slice::<u32>()[..values.len],
        guard: &guard,
        storage: values.storage,
        validity: guard.validity().filter(|bits| bits.count_ones() < values.len),
    };
    let Some((mut sorted, ends)) = by_group(rows, groups.len(), exec)? else { return Ok(None) };
    let ends = ends.as_slice();
    let mut found = Vec::with_capacity(positions.len());
    for position in positions {
        found.push((View::Fixed(*position).read(exec)?, Scratch::<u64>::filled(groups.len(), 0, exec)?));
    }
    let found: Vec<_> = found.iter_mut().map(|(guard, found)| (&*guard, found.as_atomics())).collect();

    let mut tasks = Vec::with_capacity(groups.len().div_ceil(GROUPS_OF_TASK));
    let mut rest = &mut sorted.as_mut_slice()[..ends.last().map_or(0, |&end| end as usize)];
    let mut start = 0;
    for ends in ends.chunks(GROUPS_OF_TASK) {
        let end = ends.last().map_or(start, |&end| end as usize);
        let (own, tail) = rest.split_at_mut(end - start);
        tasks.push((own, start, ends));
        (rest, start) = (tail, end);
    }
    for_each_part(tasks, |task, (mut keys, mut start, ends): (&mut [u64], usize, &[u32])| {
        for (index, &end) in ends.iter().enumerate() {
            let (own, tail) = keys.split_at_mut(end as usize - start);
            (keys, start) = (tail, end as usize);
            let group = task * GROUPS_OF_TASK + index;
            // A key in its place, with none that is greater before it and none that is less after it.
            let mut placed = None;
            for (positions, found) in &found {
                let position = positions.values::<i64>()[group];
                let Some(position) = usize::try_from(position).ok().filter(|&position| position < own.len())
                else {
                    continue;
                };
                if positions.validity().is_none_or(|bits| bits.get(group)) {
                    found[group].store(nth(own, position, placed), Relaxed);
                    placed = Some(position);
                }
            }
        }
    });

    let columns = found.into_iter().map(|(positions, found)| {
        let data = morsel::build_storage(values.storage, groups.len(), exec, &|groups, out| {
            let keys: Vec<u64> = found[groups].iter().map(|key| key.load(Relaxed)).collect();
            order_key::values(values.storage, &keys, out);
        })?;
        let is_there = |group: usize| {
            let before = if group == 0 { 0 } else { ends[group - 1] };
            let values = i64::from(ends[group] - before);
            (0..values).contains(&positions.values::<i64>()[group])
                && positions.validity().is_none_or(|bits| bits.get(group))
        };
        let validity = morsel::build_bits(groups.len(), exec, |groups, words| {
            for (word, groups) in words.iter_mut().zip(groups.clone().step_by(64)) {
                let last = (groups + 64).min(ends.len());
                *word = (groups..last)
                    .fold(0, |word, group| word | u64::from(is_there(group)) << (group - groups));
            }
        })?;
        Ok(FixedData { storage: values.storage, len: groups.len(), data, validity: Some(validity) })
    });
    columns.collect::<Result<Vec<_>>>().map(Some)
}

/// The key at `position` in ascending order, which is put there. The key at `placed` is in its place already.
fn nth(keys: &mut [u64], position: usize, placed: Option<usize>) -> u64 {
    let (keys, position) = match placed {
        Some(placed) if position > placed => (&mut keys[placed + 1..], position - placed - 1),
        Some(placed) if position < placed => (&mut keys[..placed], position),
        Some(placed) => return keys[placed],
        None => (keys, position),
    };
    *keys.select_nth_unstable(position).1
}

/// The keys of the valid rows, one group after the other, and where each group ends; `None` if a key is ambiguous.
fn by_group(rows: Rows<'_>, groups: usize, exec: &Exec) -> Result<Option<(Scratch<u64>, Scratch<u32>)>> {
    let ranges = rows.ranges();
    let mut counts = Vec::with_capacity(ranges.len());
    for _ in &ranges {
        counts.push(Scratch::<u32>::filled(groups, 0, exec)?);
    }
    for_each_part(ranges.iter().zip(&mut counts), |_, (range, counts)| {
        rows.count(range.clone(), counts.as_mut_slice());
    });
    let mut ends = Scratch::<u32>::uninit(groups, exec)?;
    let mut sum = 0;
    for (group, end) in ends.as_mut_slice().iter_mut().enumerate() {
        for counts in &mut counts {
            let count = &mut counts.as_mut_slice()[group];
            (*count, sum) = (sum, sum + *count);
        }
        *end = sum;
    }
    let mut sorted = Scratch::<u64>::uninit(sum as usize, exec)?;
    // Each place is written by one thread; atomic, since neighbours are written by others.
    let places = sorted.as_atomics();
    let is_ambiguous = AtomicBool::new(false);
    for_each_part(ranges.iter().zip(&mut counts), |_, (range, next)| {
        let next = next.as_mut_slice();
        let is_clear = rows.for_each(range.clone(), |group, key| {
            places[next[group] as usize].store(key, Relaxed);
            next[group] += 1;
        });
        if !is_clear {
            is_ambiguous.store(true, Relaxed);
        }
    });
    Ok(if is_ambiguous.into_inner() { None } else { Some((sorted, ends)) })
}

/// The best rows of each group so far, `k` places for each.
struct Best {
    k: usize,
    keys: Scratch<u64>,
    rows: Scratch<u32>,
    lengths: Scratch<u8>,
    /// The last key of each group of `k` rows; 0 of a group of fewer.
    least: Scratch<u64>,
}

impl Best {
    fn new(k: usize, groups: usize, exec: &Exec) -> Result<Self> {
        let keys = Scratch::uninit(groups * k, exec)?;
        Ok(Self {
            k,
            keys,
            rows: Scratch::uninit(groups * k, exec)?,
            lengths: Scratch::filled(groups, 0, exec)?,
            least: Scratch::filled(groups, 0, exec)?,
        })
    }

    fn state(&mut self) -> BestState<'_> {
        BestState {
            k: self.k,
            keys: self.keys.as_mut_slice(),
            rows: self.rows.as_mut_slice(),
            lengths: self.lengths.as_mut_slice(),
            least: self.least.as_mut_slice(),
        }
    }
}

/// [`Best`] in a loop.
struct BestState<'a> {
    k: usize,
    keys: &'a mut [u64],
    rows: &'a mut [u32],
    lengths: &'a mut [u8],
    least: &'a mut [u64],
}

impl BestState<'_> {
    /// Takes the rows of a batch, later than all before, whose keys are those of `keys` with the bits of `invert` inverted.
    ///
    /// Most rows are not among the best: they are found first, in a loop without a branch, whose loads do not wait for each
    /// other.
    fn take_batch(&mut self, of: &Rows<'_>, first: usize, ids: &[u32], keys: &[u64], invert: u64) {
        let mut better = [0_u16; BATCH];
        let mut count = 0;
        for (row, (&id, &key)) in (0..).zip(ids.iter().zip(keys)) {
            let least = self.least.get(id as usize).copied().unwrap_or(u64::MAX);
            better[count] = row;
            count += usize::from(key ^ invert > least || least == 0);
        }
        for &index in &better[..count] {
            let (index, row) = (usize::from(index), first + usize::from(index));
            if of.is_valid(row) {
                self.take(ids[index] as usize, keys[index] ^ invert, row as u32);
            }
        }
    }

    /// Takes a row, later than all before: it goes behind rows with the same key.
    #[inline]
    fn take(&mut self, group: usize, key: u64, row: u32) {
        let (length, first) = (usize::from(self.lengths[group]), group * self.k);
        if length == self.k && key <= self.keys[first + self.k - 1] {
            return;
        }
        let mut place = length.min(self.k - 1);
        while place > 0 && self.keys[first + place - 1] < key {
            self.keys[first + place] = self.keys[first + place - 1];
            self.rows[first + place] = self.rows[first + place - 1];
            place -= 1;
        }
        self.keys[first + place] = key;
        self.rows[first + place] = row;
        self.lengths[group] = (length + 1).min(self.k) as u8;
        if length + 1 >= self.k {
            self.least[group] = self.keys[first + self.k - 1];
        }
    }
}

/// Kept rows of which the memory is not worth a thought.
const FEW_ROWS: usize = 1 << 16;

pub(super) fn top_rows(
    groups: &Groups,
    values: &Fixed<'_>,
    k: usize,
    largest: bool,
    exec: &Exec,
) -> Result<Option<TopRows>> {
    let ids = groups.ids.rows.read(exec)?;
    let guard = View::Fixed(*values).read(exec)?;
    let rows = Rows {
        ids: &ids.as_slice::<u32>()[..values.len],
        guard: &guard,
        storage: values.storage,
        validity: guard.validity().filter(|bits| bits.count_ones() < values.len),
    };
    let mut ranges = rows.ranges();
    // Rows that are kept take memory for each group, of each range; sorting takes it for each row.
    let (kept, most) = (groups.len().saturating_mul(k), values.len.saturating_mul(2).max(FEW_ROWS));
    if kept > most {
        return Ok(None);
    }
    if kept.saturating_mul(ranges.len()) > most {
        ranges = std::iter::once(0..values.len).collect();
    }
    let mut best = Vec::with_capacity(ranges.len().max(1));
    for _ in 0..ranges.len().max(1) {
        best.push(Best::new(k, groups.len(), exec)?);
    }
    if k > 0 {
        let clear = map_parts(ranges.iter().zip(&mut best), |_, (range, best)| {
            let mut best = best.state();
            // The largest key is the best one.
            let invert = if largest { 0 } else { u64::MAX };
            rows.for_batches(range.clone(), |first, ids, keys| {
                best.take_batch(&rows, first, ids, keys, invert);
            })
        });
        if !clear.into_iter().all(|clear| clear) {
            return Ok(None);
        }
    }
    let mut best = best.into_iter();
    let Some(mut total) = best.next() else { return Ok(None) };
    // Later ranges have later rows.
    for later in best {
        let (keys, rows) = (later.keys.as_slice(), later.rows.as_slice());
        let mut total = total.state();
        for (group, &length) in later.lengths.as_slice().iter().enumerate() {
            for at in group * k..group * k + usize::from(length) {
                total.take(group, keys[at], rows[at]);
            }
        }
    }
    let lengths = total.lengths.as_slice();
    let count = lengths.iter().map(|&length| usize::from(length)).sum::<usize>();
    let mut data = Buffer::uninit(count * size_of::<i64>(), exec)?;
    {
        let mut guard = data.write(exec)?;
        let mut out = guard.as_mut_slice::<i64>()[..count].iter_mut();
        let rows = total.rows.as_slice();
        for (group, &length) in lengths.iter().enumerate() {
            let rows = &rows[group * k..][..usize::from(length)];
            // The rows first: a zip takes from its first iterator before it sees that the second has ended.
            for (&row, out) in rows.iter().zip(out.by_ref()) {
                *out = i64::from(row);
            }
        }
    }
    let column = |data, len| FixedData { storage: Storage::I64, len, data, validity: None };
    let lengths = morsel::build_values(groups.len(), exec, |groups, out: &mut [i64]| {
        for (out, &length) in out.iter_mut().zip(&lengths[groups]) {
            *out = i64::from(length);
        }
    })?;
    Ok(Some(TopRows { rows: column(data, count), lengths: column(lengths, groups.len()) }))
}
