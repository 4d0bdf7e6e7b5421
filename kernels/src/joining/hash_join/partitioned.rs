//! Host tickets of the keys of a join for more keys than a cache holds. Both sides are partitioned by the hash of their
//! keys, each partition is numbered with a hash table that stays in the cache, and tickets are moved back into row order.

use crate::Result;
use crate::keys::{
    GroupTable, KEY_BATCH, NO_TICKET, PackedKey, Part, PartitionTables, PartitionedRows, RowKeys,
    number_partition,
};
use crate::parallel::{for_each_part, threads};
use crate::scratch::{Cursor, Scratch};
use crate::tuning::{GROUP_PARTITION_TABLE_ROWS, HOST_MORSEL_ROWS, JOIN_PROBE_BLOCK_ROWS};
use columnade_buffers::Exec;

/// One side of a join, and the output for its tickets.
pub(super) struct Side<'a, S> {
    pub(super) source: S,
    pub(super) tickets: &'a mut [u32],
}

/// How rows are partitioned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partitioning {
    /// A power of two.
    pub(super) partitions: usize,
    /// The most rows of the probed side that are partitioned at a time.
    pub(super) block: usize,
}

impl Partitioning {
    /// For so many rows of the built side. Tables are made again for each block, so that blocks are much larger than it.
    pub(super) fn for_rows(built: usize) -> Self {
        let partitions = (built / GROUP_PARTITION_TABLE_ROWS).next_power_of_two().clamp(2, 1024);
        Self { partitions, block: probe_block(built) }
    }
}

/// Rows of a block of the probed side.
pub(super) fn probe_block(built: usize) -> usize {
    JOIN_PROBE_BLOCK_ROWS.max(built.saturating_mul(4))
}

/// Writes the tickets of both sides, which have fewer than 2³² − 1 rows, and returns a bound of the tickets. Each key
/// of `built` has a ticket, other keys of `probed` have none. Where all keys of `built` are different, tickets are
/// its rows.
///
/// # Errors
/// When memory cannot be had.
pub(super) fn number<K: PackedKey, S: RowKeys<K>>(
    built: Side<'_, S>,
    probed: Side<'_, S>,
    bits: u32,
    Partitioning { partitions, block }: Partitioning,
    exec: &Exec,
) -> Result<usize> {
    let Side { source: of_built, tickets: built_tickets } = built;
    let Side { source: of_probed, tickets: probed_tickets } = probed;
    let count = built_tickets.len();
    let of_key = |key: K| (key.hash() & (partitions as u64 - 1)) as usize;
    let mut built_rows = PartitionedRows::new(of_built, 0..count, partitions, of_key, exec)?;
    let mut first_rows = Scratch::<u32>::uninit(count, exec)?;
    let mut work = partitions_of(built_rows.parts(), &mut first_rows.as_mut_slice()[..count]);
    let tables = PartitionTables::new(bits, exec)?;

    let mut names = None;
    // Tables are made for no rows too: the built side needs tickets.
    for start in (0..probed_tickets.len().max(1)).step_by(block) {
        let tickets = &mut probed_tickets[start..];
        let len = tickets.len().min(block);
        let mut rows = PartitionedRows::new(of_probed, start..start + len, partitions, of_key, exec)?;
        let mut parts = rows.parts();
        // A partition with a frequent key would keep one thread busy while the others wait.
        let most = (2 * len / partitions).max(len / (2 * threads()));
        let pairs = work.iter_mut().zip(&mut parts);
        let (large, small): (Vec<_>, Vec<_>) = pairs.partition(|(_, parts)| rows_of(parts) > most);
        tables.for_each(
            small.into_iter(),
            |(partition, _)| partition.first_rows.len(),
            |(partition, parts), table| {
                let has_space = partition.number(of_built, table);
                if has_space {
                    partition.probe(of_built, of_probed, parts, table);
                }
                has_space
            },
            exec,
        )?;
        for (partition, parts) in large {
            let mut table = tables.growing_to(partition.first_rows.len(), exec)?;
            partition.number(of_built, &mut table);
            let chunks = parts.iter_mut().flat_map(|part| part.chunks(HOST_MORSEL_ROWS));
            for_each_part(chunks, |_, chunk| partition.probe(of_built, of_probed, &mut [chunk], &table));
        }
        let known = *names.get_or_insert_with(|| Names::new(&mut work));
        for_each_part(work.iter().zip(parts), |_, (partition, mut parts)| {
            partition.name(known, &mut parts);
        });
        rows.tickets_in_row_order(&mut tickets[..len]);
    }
    let names = names.unwrap_or_else(|| Names::new(&mut work));
    for_each_part(&mut work, |_, partition| {
        let mut parts = std::mem::take(&mut partition.parts);
        partition.name(names, &mut parts);
    });
    drop(work);
    built_rows.tickets_in_row_order(built_tickets);
    Ok(match names {
        Names::Rows => count,
        Names::Numbers { keys } => keys,
    })
}

/// What the tickets of all partitions are.
#[derive(Clone, Copy)]
enum Names {
    /// The row of a key, which is the only one.
    Rows,
    /// Numbers below `keys`.
    Numbers { keys: usize },
}

impl Names {
    /// Decides it when the keys of all partitions are known, and numbers the partitions.
    fn new<K>(work: &mut [Partition<'_, K>]) -> Self {
        let (mut keys, mut rows) = (0, 0);
        for partition in work {
            partition.before = keys;
            keys += partition.keys;
            rows += partition.rows;
        }
        if keys == rows { Names::Rows } else { Names::Numbers { keys } }
    }
}

/// The rows of one partition of the built side.
struct Partition<'a, K> {
    parts: Vec<Part<'a, K>>,
    /// The first row of each key, with capacity for as many as there are rows.
    first_rows: &'a mut [u32],
    /// The number of different keys.
    keys: usize,
    /// The number of rows that have a key.
    rows: usize,
    /// The number of keys in the partitions before.
    before: usize,
}

fn partitions_of<'a, K>(
    parts: Vec<Vec<Part<'a, K>>>,
    mut first_rows: &'a mut [u32],
) -> Vec<Partition<'a, K>> {
    let mut work = Vec::with_capacity(parts.len());
    for parts in parts {
        let (head, tail) = first_rows.split_at_mut(rows_of(&parts));
        work.push(Partition { parts, first_rows: head, keys: 0, rows: 0, before: 0 });
        first_rows = tail;
    }
    work
}

fn rows_of<K>(parts: &[Part<'_, K>]) -> usize {
    parts.iter().map(|part| part.keys.len()).sum()
}

impl<K: PackedKey> Partition<'_, K> {
    /// Gives tickets within the partition to its rows. Returns whether `table` had space.
    fn number<S: RowKeys<K>>(&mut self, source: S, table: &mut GroupTable<K>) -> bool {
        let mut first_rows = Cursor { values: self.first_rows, len: &mut self.keys };
        if !number_partition(source, &mut self.parts, table, &mut first_rows) {
            return false;
        }
        self.rows = self.parts.iter().flat_map(|part| part.keys).filter(|key| **key != K::MISS).count();
        true
    }

    /// Gives the tickets of its keys, which `table` has, to rows of the other side.
    fn probe<S: RowKeys<K>>(&self, source: S, probing: S, probed: &mut [Part<'_, K>], table: &GroupTable<K>) {
        let first_rows = &self.first_rows[..self.keys];
        for part in probed {
            let batches = part.keys.chunks(KEY_BATCH).zip(part.rows.chunks(KEY_BATCH));
            for ((keys, rows), tickets) in batches.zip(part.tickets.chunks_mut(KEY_BATCH)) {
                if S::EXACT {
                    table.find(keys, tickets);
                } else {
                    table.find_where(keys, tickets, |ticket, index| {
                        source.same(first_rows[ticket as usize] as usize, &probing, rows[index] as usize)
                    });
                }
            }
        }
    }

    /// Makes tickets of all partitions of those within this one.
    fn name(&self, names: Names, parts: &mut [Part<'_, K>]) {
        for ticket in parts.iter_mut().flat_map(|part| part.tickets.iter_mut()) {
            *ticket = match names {
                Names::Rows => {
                    self.first_rows[..self.keys].get(*ticket as usize).copied().unwrap_or(NO_TICKET)
                }
                Names::Numbers { .. } if *ticket == NO_TICKET => NO_TICKET,
                Names::Numbers { .. } => self.before as u32 + *ticket,
            };
        }
    }
}
