//! Host grouping for more groups than fit in a cache. Rows are partitioned by the hash of their keys, each
//! partition is grouped with a hash table that stays in the cache, and the first row of each group restores
//! the order of first appearance.

use crate::keys::{GroupTable, KEY_BATCH, NO_TICKET, PackedKey, RowKeys};
use crate::parallel::{Pool, for_each_part, map_parts, threads};
use crate::scratch::{Cursor, Scratch};
use crate::tuning::GROUP_PARTITION_TABLE_ROWS;
use crate::{Result, RowMap, RowWidth};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicU64, Ordering};

/// One partition of one range of rows: keys and rows in row order, and the output for the tickets of its
/// groups.
pub(super) struct Part<'a, K> {
    pub(super) keys: &'a [K],
    pub(super) rows: &'a [u32],
    pub(super) tickets: &'a mut [u32],
}

/// Writes the ids of all rows, fewer than 2³² − 1, and returns the first rows.
pub(super) fn number<K: PackedKey, S: RowKeys<K>>(
    source: S,
    bits: u32,
    ids: &mut [u32],
    exec: &Exec,
) -> Result<RowMap> {
    let count = ids.len();
    let partitions = (count / GROUP_PARTITION_TABLE_ROWS).next_power_of_two().clamp(2, 1024);
    let range = count.div_ceil(threads()).next_multiple_of(KEY_BATCH);
    let mut keys = Buffer::uninit(count * size_of::<K>(), exec)?;
    let mut rows = Buffer::uninit(size_of_val(ids), exec)?;
    let mut partition_of = Buffer::uninit(count * size_of::<u16>(), exec)?;
    let (mut keys, mut rows) = (keys.write(exec)?, rows.write(exec)?);
    let mut partition_of = partition_of.write(exec)?;
    let keys = &mut keys.as_mut_slice::<K>()[..count];
    let rows = &mut rows.as_mut_slice::<u32>()[..count];
    // The partition of each row.
    let partition_of = &mut partition_of.as_mut_slice::<u16>()[..count];

    // Each range of rows is partitioned separately, in its own part of the buffers. Making a key takes longer than
    // writing and reading it again.
    let ends: Vec<Vec<usize>> = {
        let mut in_order = Scratch::<K>::uninit(count, exec)?;
        let ranges = keys.chunks_mut(range).zip(rows.chunks_mut(range)).zip(partition_of.chunks_mut(range));
        let ranges = ranges.zip(in_order.as_mut_slice()[..count].chunks_mut(range));
        map_parts(ranges, |k, (((keys, rows), partition_of), in_order)| {
            let of_key = |key: K| (key.hash() & (partitions as u64 - 1)) as usize;
            partition(source, k * range, partitions, of_key, in_order, keys, rows, partition_of)
        })
    };
    let mut tickets = Scratch::<u32>::uninit(count, exec)?;
    let tickets = &mut tickets.as_mut_slice()[..count];

    // Partition by partition, all ranges in order: tickets within the partition; first rows are marked.
    let mut marks = Scratch::filled(count.div_ceil(64), 0, exec)?;
    let mut parts = parts_of(partitions, range, &ends, keys, rows, tickets);
    // A partition has at most as many groups as rows: so much is there for their first rows.
    let rows_of = |parts: &Vec<Part<'_, K>>| parts.iter().map(|part| part.keys.len()).sum::<usize>();
    let mut group_rows = Scratch::<u32>::uninit(count, exec)?;
    let mut rest = group_rows.as_mut_slice();
    let mut work = Vec::with_capacity(partitions);
    for parts in &mut parts {
        let (head, tail) = rest.split_at_mut(rows_of(parts));
        work.push(Partition { parts, first_rows: head, groups: 0, done: false });
        rest = tail;
    }
    // Each thread has a table, which starts with what a cache holds. A partition that it does not hold is left to a
    // table that grows.
    let tables = Pool::new();
    for _ in 0..threads() {
        let (few, most) = (GROUP_PARTITION_TABLE_ROWS, 4 * GROUP_PARTITION_TABLE_ROWS);
        tables.put(GroupTable::growing_to(bits.max(u32::BITS), few, most, exec)?);
    }
    let first = FirstRowMarks(marks.as_atomics());
    for_each_part(&mut work, |_, partition| {
        tables.with_kept(|table| partition.group(source, table, &first));
    });
    drop(tables);
    for partition in work.iter_mut().filter(|partition| !partition.done) {
        let rows = partition.first_rows.len();
        let mut table = GroupTable::growing_to(bits.max(u32::BITS), GROUP_PARTITION_TABLE_ROWS, rows, exec)?;
        partition.group(source, &mut table, &first);
    }

    // The rank of a first row among all first rows is the id of its group.
    let ranks = Ranks::new(marks.as_slice(), exec)?;
    for_each_part(&mut work, |_, partition| {
        let groups = &mut partition.first_rows[..partition.groups];
        let ranks = ranks.reader();
        for row in groups.iter_mut() {
            *row = ranks.rank(*row);
        }
        for ticket in partition.parts.iter_mut().flat_map(|part| part.tickets.iter_mut()) {
            *ticket = groups.get(*ticket as usize).copied().unwrap_or(NO_TICKET);
        }
    });
    drop(parts);

    in_row_order(ids, tickets, partition_of, ends, range);
    ranks.first_rows(exec)
}

/// The parts of each partition in the order of the ranges.
pub(super) fn parts_of<'a, K>(
    partitions: usize,
    range: usize,
    ends: &[Vec<usize>],
    keys: &'a [K],
    rows: &'a [u32],
    tickets: &'a mut [u32],
) -> Vec<Vec<Part<'a, K>>> {
    let mut parts: Vec<Vec<Part<'a, K>>> = (0..partitions).map(|_| Vec::with_capacity(ends.len())).collect();
    let ranges = keys.chunks(range).zip(rows.chunks(range)).zip(tickets.chunks_mut(range));
    for (((keys, rows), mut tickets), ends) in ranges.zip(ends) {
        let mut start = 0;
        for (part, &end) in parts.iter_mut().zip(ends) {
            let (head, rest) = tickets.split_at_mut(end - start);
            part.push(Part { keys: &keys[start..end], rows: &rows[start..end], tickets: head });
            (start, tickets) = (end, rest);
        }
    }
    parts
}

/// Moves what is partitioned back into the order of the rows: rows of a partition are in order, so that each partition is
/// read in a line.
pub(super) fn in_row_order(
    ids: &mut [u32],
    tickets: &[u32],
    partition_of: &[u16],
    ends: Vec<Vec<usize>>,
    range: usize,
) {
    let ranges = ids.chunks_mut(range).zip(tickets.chunks(range)).zip(partition_of.chunks(range)).zip(ends);
    for_each_part(ranges, |_, (((ids, tickets), partition_of), ends)| {
        let mut next: Vec<usize> = std::iter::once(0).chain(ends).collect();
        for (id, &part) in ids.iter_mut().zip(partition_of) {
            let next = &mut next[usize::from(part)];
            *id = tickets[*next];
            *next += 1;
        }
    });
}

/// Moves the keys and rows of a range so that each partition is contiguous, stably. Writes the partition of
/// each row, which `of_key` gives, to `partition_of` and returns where partitions end. `in_order` is for the keys in the
/// order of rows.
pub(super) fn partition<K: PackedKey, S: RowKeys<K>>(
    source: S,
    start: usize,
    partitions: usize,
    of_key: impl Fn(K) -> usize,
    in_order: &mut [K],
    keys: &mut [K],
    rows: &mut [u32],
    partition_of: &mut [u16],
) -> Vec<usize> {
    let mut ends = vec![0; partitions];
    let batches = in_order.chunks_mut(KEY_BATCH).zip(partition_of.chunks_mut(KEY_BATCH));
    for (batch, (in_order, partition_of)) in batches.enumerate() {
        source.keys(start + batch * KEY_BATCH, in_order);
        for (key, part) in in_order.iter().zip(partition_of) {
            *part = of_key(*key) as u16;
            ends[usize::from(*part)] += 1;
        }
    }
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end);
    }
    for (index, (&key, &part)) in in_order.iter().zip(&*partition_of).enumerate() {
        let end = &mut ends[usize::from(part)];
        keys[*end] = key;
        rows[*end] = (start + index) as u32;
        *end += 1;
    }
    ends
}

/// One partition of all ranges.
struct Partition<'a, 'b, K> {
    parts: &'b mut [Part<'a, K>],
    /// The first row of each group, with capacity for as many as there are rows.
    first_rows: &'b mut [u32],
    groups: usize,
    done: bool,
}

impl<K: PackedKey> Partition<'_, '_, K> {
    /// Gives tickets to the rows, and marks the first row of each group; not done when `table` is too small.
    fn group<S: RowKeys<K>>(&mut self, source: S, table: &mut GroupTable<K>, first: &FirstRowMarks<'_>) {
        table.clear();
        self.groups = 0;
        let mut first_rows = Cursor { values: self.first_rows, len: &mut self.groups };
        for part in &mut *self.parts {
            let batches = part.keys.chunks(KEY_BATCH).zip(part.rows.chunks(KEY_BATCH));
            for ((keys, rows), tickets) in batches.zip(part.tickets.chunks_mut(KEY_BATCH)) {
                if !table.has_space(keys.len()) {
                    return;
                }
                source.tickets(table, keys, tickets, &mut first_rows, |index| rows[index] as usize);
            }
        }
        self.done = true;
        for &row in &self.first_rows[..self.groups] {
            first.mark(row);
        }
    }
}

/// One bit per row: whether it is the first row of a group.
pub(super) struct FirstRowMarks<'a>(pub(super) &'a [AtomicU64]);

/// The marks, and the number of marks before each word.
pub(super) struct Ranks<'a> {
    marks: &'a [u64],
    before: Scratch<u32>,
    pub(super) count: usize,
}

impl FirstRowMarks<'_> {
    pub(super) fn mark(&self, row: u32) {
        self.0[row as usize / 64].fetch_or(1 << (row % 64), Ordering::Relaxed);
    }
}

impl<'a> Ranks<'a> {
    pub(super) fn new(marks: &'a [u64], exec: &Exec) -> Result<Self> {
        let mut before = Scratch::uninit(marks.len(), exec)?;
        let mut count = 0;
        for (before, word) in before.as_mut_slice().iter_mut().zip(marks) {
            *before = count as u32;
            count += word.count_ones() as usize;
        }
        Ok(Self { marks, before, count })
    }

    /// The ranks for a loop that asks for many.
    pub(super) fn reader(&self) -> RankReader<'_> {
        RankReader { marks: self.marks, before: self.before.as_slice() }
    }

    /// All marked rows, ascending.
    pub(super) fn first_rows(&self, exec: &Exec) -> Result<RowMap> {
        /// Words that one task expands.
        const WORDS: usize = 16 * 1024;
        let mut out = Buffer::uninit(self.count * size_of::<u32>(), exec)?;
        let mut guard = out.write(exec)?;
        let mut rest = &mut guard.as_mut_slice::<u32>()[..self.count];
        let mut tasks = Vec::new();
        for (k, words) in self.marks.chunks(WORDS).enumerate() {
            let ones = words.iter().map(|word| word.count_ones() as usize).sum();
            let (head, tail) = rest.split_at_mut(ones);
            tasks.push((k * WORDS, words, head));
            rest = tail;
        }
        for_each_part(tasks, |_, (first_word, words, out): (usize, &[u64], &mut [u32])| {
            let mut out = out.iter_mut();
            for (k, &word) in words.iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    if let Some(out) = out.next() {
                        *out = ((first_word + k) * 64) as u32 + word.trailing_zeros();
                    }
                    word &= word - 1;
                }
            }
        });
        drop(guard);
        Ok(RowMap { rows: out, width: RowWidth::U32, len: self.count })
    }
}

/// [`Ranks`] in a loop.
pub(super) struct RankReader<'a> {
    marks: &'a [u64],
    before: &'a [u32],
}

impl RankReader<'_> {
    /// The number of marked rows before `row`.
    #[inline]
    pub(super) fn rank(&self, row: u32) -> u32 {
        let word = row as usize / 64;
        self.before[word] + (self.marks[word] & ((1 << (row % 64)) - 1)).count_ones()
    }
}
