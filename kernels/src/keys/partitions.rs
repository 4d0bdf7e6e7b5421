//! Rows partitioned by their keys, so that the table of each partition stays in a cache.

use super::{GroupTable, KEY_BATCH, PackedKey, RowKeys};
use crate::Result;
use crate::parallel::{Pool, for_each_part, map_parts, threads};
use crate::scratch::{Cursor, Scratch};
use crate::tuning::GROUP_PARTITION_TABLE_ROWS;
use columnade_buffers::Exec;
use std::ops::Range;

/// Rows in the order of their partitions, and a ticket for each. Each range of rows is partitioned by one thread, in its
/// own part of the memory; within it, the rows of a partition are in row order.
pub(crate) struct PartitionedRows<K> {
    keys: Scratch<K>,
    rows: Scratch<u32>,
    tickets: Scratch<u32>,
    /// The partition of each row, in row order.
    partition_of: Scratch<u16>,
    partitions: usize,
    /// Rows of a range.
    range: usize,
    /// Where each partition of each range ends.
    ends: Vec<Vec<usize>>,
    count: usize,
}

/// One partition of one range of rows: keys and rows in row order, and the output for their tickets.
pub(crate) struct Part<'a, K> {
    pub(crate) keys: &'a [K],
    pub(crate) rows: &'a [u32],
    pub(crate) tickets: &'a mut [u32],
}

impl<K> Part<'_, K> {
    /// Its rows in chunks of `rows` at most.
    pub(crate) fn chunks(&mut self, rows: usize) -> impl Iterator<Item = Part<'_, K>> {
        let chunks = self.keys.chunks(rows).zip(self.rows.chunks(rows)).zip(self.tickets.chunks_mut(rows));
        chunks.map(|((keys, rows), tickets)| Part { keys, rows, tickets })
    }
}

impl<K: PackedKey> PartitionedRows<K> {
    /// The rows `rows` of `source`, whose numbers are less than 2³² − 1. `of_key` gives the partition of a key.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn new<S: RowKeys<K>>(
        source: S,
        rows: Range<usize>,
        partitions: usize,
        of_key: impl Fn(K) -> usize + Sync,
        exec: &Exec,
    ) -> Result<Self> {
        let (start, count) = (rows.start, rows.len());
        let range = count.div_ceil(threads()).next_multiple_of(KEY_BATCH).max(KEY_BATCH);
        let mut keys = Scratch::<K>::uninit(count, exec)?;
        let mut row_numbers = Scratch::<u32>::uninit(count, exec)?;
        let mut partition_of = Scratch::<u16>::uninit(count, exec)?;
        let ends = {
            // Making a key takes longer than writing and reading it again.
            let mut in_order = Scratch::<K>::uninit(count, exec)?;
            let ranges = keys.as_mut_slice()[..count].chunks_mut(range);
            let ranges = ranges.zip(row_numbers.as_mut_slice()[..count].chunks_mut(range));
            let ranges = ranges.zip(partition_of.as_mut_slice()[..count].chunks_mut(range));
            let ranges = ranges.zip(in_order.as_mut_slice()[..count].chunks_mut(range));
            map_parts(ranges, |k, (((keys, rows), partition_of), in_order)| {
                partition(source, start + k * range, partitions, &of_key, in_order, keys, rows, partition_of)
            })
        };
        let tickets = Scratch::uninit(count, exec)?;
        Ok(Self { keys, rows: row_numbers, tickets, partition_of, partitions, range, ends, count })
    }

    /// The parts of each partition, in the order of the ranges.
    pub(crate) fn parts(&mut self) -> Vec<Vec<Part<'_, K>>> {
        let mut parts: Vec<Vec<Part<'_, K>>> =
            (0..self.partitions).map(|_| Vec::with_capacity(self.ends.len())).collect();
        let keys = self.keys.as_slice()[..self.count].chunks(self.range);
        let ranges = keys.zip(self.rows.as_slice()[..self.count].chunks(self.range));
        let ranges = ranges.zip(self.tickets.as_mut_slice()[..self.count].chunks_mut(self.range));
        for (((keys, rows), mut tickets), ends) in ranges.zip(&self.ends) {
            let mut start = 0;
            for (part, &end) in parts.iter_mut().zip(ends) {
                let (head, rest) = tickets.split_at_mut(end - start);
                part.push(Part { keys: &keys[start..end], rows: &rows[start..end], tickets: head });
                (start, tickets) = (end, rest);
            }
        }
        parts
    }

    /// Writes the tickets in the order of the rows. Rows of a partition are in that order, so that each partition is read
    /// in a line.
    pub(crate) fn tickets_in_row_order(&self, out: &mut [u32]) {
        let ranges = out.chunks_mut(self.range).zip(self.tickets.as_slice()[..self.count].chunks(self.range));
        let ranges = ranges.zip(self.partition_of.as_slice()[..self.count].chunks(self.range));
        for_each_part(ranges.zip(&self.ends), |_, (((out, tickets), partition_of), ends)| {
            let mut next: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
            for (out, &part) in out.iter_mut().zip(partition_of) {
                let next = &mut next[usize::from(part)];
                *out = tickets[*next];
                *next += 1;
            }
        });
    }
}

/// A hash table for each thread, which starts with what a cache holds and grows to a few times that.
pub(crate) struct PartitionTables<K> {
    tables: Pool<GroupTable<K>>,
    bits: u32,
}

impl<K: PackedKey> PartitionTables<K> {
    /// For keys of so many bits.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn new(bits: u32, exec: &Exec) -> Result<Self> {
        let bits = bits.max(u32::BITS);
        let tables = Pool::new();
        for _ in 0..threads() {
            let (few, most) = (GROUP_PARTITION_TABLE_ROWS, 4 * GROUP_PARTITION_TABLE_ROWS);
            tables.put(GroupTable::growing_to(bits, few, most, exec)?);
        }
        Ok(Self { tables, bits })
    }

    /// A table of its own that grows to `most` keys.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn growing_to(&self, most: usize, exec: &Exec) -> Result<GroupTable<K>> {
        GroupTable::growing_to(self.bits, GROUP_PARTITION_TABLE_ROWS, most, exec)
    }

    /// Calls `run` with each partition and the table of a thread. `run` returns whether the table had space; if not, it is
    /// called again with one that grows to as many keys as `rows` gives for the partition.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(crate) fn for_each<P: Send>(
        &self,
        partitions: impl Iterator<Item = P>,
        rows: impl Fn(&P) -> usize,
        run: impl Fn(&mut P, &mut GroupTable<K>) -> bool + Sync,
        exec: &Exec,
    ) -> Result<()> {
        let mut work: Vec<(P, bool)> = partitions.map(|partition| (partition, false)).collect();
        for_each_part(&mut work, |_, (partition, done)| {
            self.tables.with_kept(|table| *done = run(partition, table));
        });
        for (partition, _) in work.iter_mut().filter(|(_, done)| !done) {
            run(partition, &mut self.growing_to(rows(partition), exec)?);
        }
        Ok(())
    }
}

/// Clears `table` and gives tickets to the rows of a partition, whose keys are of `source`; the first row of each new key
/// is appended to `first_rows`. Returns whether the table had space for them.
pub(crate) fn number_partition<K: PackedKey, S: RowKeys<K>>(
    source: S,
    parts: &mut [Part<'_, K>],
    table: &mut GroupTable<K>,
    first_rows: &mut Cursor<'_, u32>,
) -> bool {
    table.clear();
    *first_rows.len = 0;
    for part in parts {
        let batches = part.keys.chunks(KEY_BATCH).zip(part.rows.chunks(KEY_BATCH));
        for ((keys, rows), tickets) in batches.zip(part.tickets.chunks_mut(KEY_BATCH)) {
            if !table.has_space(keys.len()) {
                return false;
            }
            source.tickets(table, keys, tickets, first_rows, |index| rows[index] as usize);
        }
    }
    true
}

/// Moves the keys and rows of a range so that each partition is contiguous, stably. Writes the partition of
/// each row, which `of_key` gives, to `partition_of` and returns where partitions end. `in_order` is for the keys in the
/// order of rows.
fn partition<K: PackedKey, S: RowKeys<K>>(
    source: S,
    start: usize,
    partitions: usize,
    of_key: &impl Fn(K) -> usize,
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
