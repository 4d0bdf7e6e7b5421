//! Host implementation of `group_ids`: one hash table per thread, merged in row order. For very many groups
//! see `partitioned`.

use super::{Groups, NullKeys, ordered, partitioned};
use crate::keys::{
    GroupTable, HashedRows, KEY_BATCH, KeyColumn, KeyLayout, KeyWidth, NO_TICKET, NullRows, Origin,
    PackedKey, Packer, RowKeys,
};
use crate::parallel::{for_each_chunk, for_each_part, threads};
use crate::row_map::RowIndex;
use crate::scratch::{List, Scratch};
use crate::tuning::{GROUP_DIRECT_BITS, GROUP_PARTITION_ROWS, HOST_MORSEL_ROWS};
use crate::{Error, Result, RowMap, RowWidth, View, access};
use columnade_buffers::{Buffer, Exec};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(super) fn group_ids(keys: &[View<'_>], nulls: NullKeys, exec: &Exec) -> Result<Groups> {
    let guards = access(keys, exec)?;
    let rows = keys.first().map_or(0, View::len);
    let columns: SmallVec<[KeyColumn<'_>; 4]> = guards.iter().map(KeyColumn::new).collect();
    let nulls = match nulls {
        NullKeys::Drop => NullRows::Miss,
        NullKeys::Group => NullRows::Keys,
    };
    let layout = KeyLayout::measure(&columns, nulls);
    let packer = Packer::new(&layout, &columns, Origin::Measured);
    let mut ids = Buffer::uninit(rows * size_of::<u32>(), exec)?;
    let mut guard = ids.write(exec)?;
    let out = &mut guard.as_mut_slice::<u32>()[..rows];
    let first_rows = match layout.width() {
        KeyWidth::Word => number::<u64, _>(packer, layout.bits(), out, exec)?,
        KeyWidth::Double => number::<u128, _>(packer, layout.bits(), out, exec)?,
        KeyWidth::Hashed => number(HashedRows::new(&columns, nulls), layout.bits(), out, exec)?,
    };
    drop(guard);
    if first_rows.len >= NO_TICKET as usize {
        return Err(Error::NotImplemented { feature: "2^32 - 1 groups or more" });
    }
    Ok(Groups { ids: RowMap { rows: ids, width: RowWidth::U32, len: rows }, first_rows })
}

/// Writes the ids of all rows and returns the first rows.
fn number<K: PackedKey, S: RowKeys<K>>(source: S, bits: u32, ids: &mut [u32], exec: &Exec) -> Result<RowMap> {
    let in_order = match RowWidth::for_rows(ids.len()) {
        RowWidth::U32 => ordered::number::<K, S, u32>(source, ids, exec)?,
        RowWidth::U64 => ordered::number::<K, S, u64>(source, ids, exec)?,
    };
    if let Some(first_rows) = in_order {
        return Ok(first_rows);
    }
    let direct = bits <= GROUP_DIRECT_BITS && 1 << bits <= ids.len();
    if !direct && ids.len() >= GROUP_PARTITION_ROWS && RowWidth::for_rows(ids.len()) == RowWidth::U32 {
        let distinct = sampled_distinct(source, ids.len(), exec)?;
        if distinct > PARTITION_DISTINCT {
            return partitioned::number(source, bits, ids, exec);
        }
    }
    let table = || {
        if direct {
            GroupTable::direct(bits, KEY_BATCH, exec)
        } else {
            GroupTable::new(bits, KEY_BATCH, exec)
        }
    };
    match RowWidth::for_rows(ids.len()) {
        RowWidth::U32 => by_ranges::<K, S, u32>(source, &table, ids, exec),
        RowWidth::U64 => by_ranges::<K, S, u64>(source, &table, ids, exec),
    }
}

/// Rows that [`sampled_distinct`] reads, in blocks of [`SAMPLE_BLOCK`].
const SAMPLE: usize = 64 * 1024;
const SAMPLE_BLOCK: usize = 64;
/// More distinct keys than this in a sample indicate more groups than fit in an L2 cache.
const PARTITION_DISTINCT: usize = SAMPLE * 7 / 8;

/// The number of distinct keys among [`SAMPLE`] rows.
fn sampled_distinct<K: PackedKey, S: RowKeys<K>>(source: S, rows: usize, exec: &Exec) -> Result<usize> {
    let mut table = GroupTable::<K>::new(u64::BITS, SAMPLE, exec)?;
    let (mut keys, mut tickets) = ([K::default(); SAMPLE_BLOCK], [0; SAMPLE_BLOCK]);
    let stride = rows / (SAMPLE / SAMPLE_BLOCK);
    for block in 0..SAMPLE / SAMPLE_BLOCK {
        source.keys(block * stride, &mut keys);
        table.tickets(&keys, &mut tickets);
    }
    Ok(table.len())
}

/// A range of rows, and its groups so far.
struct Local<'a, K, I> {
    table: GroupTable<K>,
    first_rows: List<I>,
    /// The first row of the range.
    start: usize,
    ids: &'a mut [u32],
    /// Rows of the range that have an id.
    done: usize,
}

impl<K: PackedKey, I: RowIndex> Local<'_, K, I> {
    /// Reserves capacity for `more` groups.
    fn request(&mut self, more: usize, exec: &Exec) -> Result<()> {
        self.table.request(more, exec)?;
        self.first_rows.request(more, exec)
    }

    /// Gives ids until `full` says that some range is full.
    fn run<S: RowKeys<K>>(&mut self, source: S, full: &AtomicBool) {
        let mut keys = [K::default(); KEY_BATCH];
        self.table.settle(KEY_BATCH);
        for ids in self.ids[self.done..].chunks_mut(KEY_BATCH) {
            if !self.table.has_space(ids.len()) || !self.first_rows.has_space(ids.len()) {
                full.store(true, Relaxed);
            }
            // All stop, so that none waits long for the others.
            if full.load(Relaxed) {
                return;
            }
            let (start, keys) = (self.start + self.done, &mut keys[..ids.len()]);
            source.keys(start, keys);
            source.tickets(&mut self.table, keys, ids, &mut self.first_rows.cursor(), |index| start + index);
            self.done += ids.len();
        }
    }
}

fn by_ranges<K: PackedKey, S: RowKeys<K>, I: RowIndex>(
    source: S,
    table: &dyn Fn() -> Result<GroupTable<K>>,
    ids: &mut [u32],
    exec: &Exec,
) -> Result<RowMap> {
    let rows = ids.len();
    // Order of first appearance does not depend on the range boundaries, so every thread may have one range.
    let ranges = if rows <= HOST_MORSEL_ROWS { 1 } else { threads() };
    let range = rows.div_ceil(ranges).next_multiple_of(KEY_BATCH).max(KEY_BATCH);
    let mut locals = Vec::with_capacity(ranges);
    for (k, ids) in ids.chunks_mut(range).enumerate() {
        let first_rows = List::<I>::new(KEY_BATCH, exec)?;
        locals.push(Local { table: table()?, first_rows, start: k * range, ids, done: 0 });
    }
    // Tables grow between two loops, never within one. Those that are half full grow with the one that is full.
    while locals.iter().any(|local| local.done < local.ids.len()) {
        for local in &mut locals {
            local.request(local.table.len().max(KEY_BATCH).min(local.ids.len() - local.done), exec)?;
        }
        let full = AtomicBool::new(false);
        for_each_part(&mut locals, |_, local| local.run(source, &full));
    }
    let mut locals = locals.into_iter();
    let Some(Local { mut table, mut first_rows, .. }) = locals.next() else {
        return Ok(RowMap { rows: Buffer::uninit(0, exec)?, width: I::WIDTH, len: 0 });
    };
    // The groups of each later range, in order, with the numbers of the ranges before it.
    for local in locals {
        let mut renumbered = Scratch::<u32>::uninit(local.table.len(), exec)?;
        let rows = local.first_rows.as_slice().chunks(KEY_BATCH);
        let batches = local.table.keys().chunks(KEY_BATCH).zip(rows);
        for ((keys, rows), out) in batches.zip(renumbered.as_mut_slice().chunks_mut(KEY_BATCH)) {
            table.request(keys.len(), exec)?;
            first_rows.request(keys.len(), exec)?;
            source.tickets(&mut table, keys, out, &mut first_rows.cursor(), |index| rows[index].row());
        }
        let renumbered = renumbered.as_slice();
        for_each_chunk(local.ids, HOST_MORSEL_ROWS, |_, ids| {
            for id in ids {
                *id = renumbered.get(*id as usize).copied().unwrap_or(NO_TICKET);
            }
        });
    }
    let len = first_rows.len();
    Ok(RowMap { rows: first_rows.into_buffer(), width: I::WIDTH, len })
}
