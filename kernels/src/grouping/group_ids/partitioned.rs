//! Host grouping for more groups than fit in a cache. Rows are partitioned by the hash of their keys, each
//! partition is grouped with a hash table that stays in the cache, and the first row of each group restores
//! the order of first appearance.

use crate::keys::{
    GroupTable, NO_TICKET, PackedKey, Part, PartitionTables, PartitionedRows, RowKeys, number_partition,
};
use crate::parallel::for_each_part;
use crate::scratch::{Cursor, Scratch};
use crate::tuning::GROUP_PARTITION_TABLE_ROWS;
use crate::{Result, RowMap, RowWidth};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the ids of all rows, fewer than 2³² − 1, and returns the first rows.
pub(super) fn number<K: PackedKey, S: RowKeys<K>>(
    source: S,
    bits: u32,
    ids: &mut [u32],
    exec: &Exec,
) -> Result<RowMap> {
    let count = ids.len();
    let partitions = (count / GROUP_PARTITION_TABLE_ROWS).next_power_of_two().clamp(2, 1024);
    let of_key = |key: K| (key.hash() & (partitions as u64 - 1)) as usize;
    let mut partitioned = PartitionedRows::new(source, 0..count, partitions, of_key, exec)?;

    // Partition by partition, all ranges in order: tickets within the partition; first rows are marked.
    let mut marks = Scratch::filled(count.div_ceil(64), 0, exec)?;
    let mut parts = partitioned.parts();
    // A partition has at most as many groups as rows: so much is there for their first rows.
    let rows_of = |parts: &Vec<Part<'_, K>>| parts.iter().map(|part| part.keys.len()).sum::<usize>();
    let mut group_rows = Scratch::<u32>::uninit(count, exec)?;
    let mut rest = group_rows.as_mut_slice();
    let mut work = Vec::with_capacity(partitions);
    for parts in &mut parts {
        let (head, tail) = rest.split_at_mut(rows_of(parts));
        work.push(Partition { parts, first_rows: head, groups: 0 });
        rest = tail;
    }
    let first = FirstRowMarks(marks.as_atomics());
    PartitionTables::new(bits, exec)?.for_each(
        work.iter_mut(),
        |partition| partition.first_rows.len(),
        |partition, table| partition.group(source, table, &first),
        exec,
    )?;

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

    partitioned.tickets_in_row_order(ids);
    ranks.first_rows(exec)
}

/// One partition of all ranges.
struct Partition<'a, 'b, K> {
    parts: &'b mut [Part<'a, K>],
    /// The first row of each group, with capacity for as many as there are rows.
    first_rows: &'b mut [u32],
    groups: usize,
}

impl<K: PackedKey> Partition<'_, '_, K> {
    /// Gives tickets to the rows, and marks the first row of each group. Returns whether `table` had space.
    fn group<S: RowKeys<K>>(
        &mut self,
        source: S,
        table: &mut GroupTable<K>,
        first: &FirstRowMarks<'_>,
    ) -> bool {
        let mut first_rows = Cursor { values: self.first_rows, len: &mut self.groups };
        if !number_partition(source, self.parts, table, &mut first_rows) {
            return false;
        }
        for &row in &self.first_rows[..self.groups] {
            first.mark(row);
        }
        true
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
