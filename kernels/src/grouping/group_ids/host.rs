//! Host implementation of `group_ids`: one hash table per thread, merged in row order. For very many groups
//! see `partitioned`.

use super::{Groups, NullKeys, partitioned};
use crate::keys::{
    GroupTable, HashedRows, KEY_BATCH, KeyColumn, KeyLayout, KeyWidth, NO_TICKET, NullRows, Origin,
    PackedKey, Packer, RowKeys,
};
use crate::parallel::{for_each_chunk, map_parts, threads};
use crate::row_map::RowIndex;
use crate::tuning::{GROUP_DIRECT_BITS, GROUP_PARTITION_ROWS, HOST_MORSEL_ROWS};
use crate::{Error, Result, RowMap, RowWidth, View, access};
use columnade_buffers::{Buffer, Exec};
use smallvec::SmallVec;

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
    let direct = bits <= GROUP_DIRECT_BITS && 1 << bits <= ids.len();
    if !direct && ids.len() >= GROUP_PARTITION_ROWS && RowWidth::for_rows(ids.len()) == RowWidth::U32 {
        let distinct = sampled_distinct(source, ids.len());
        if distinct > PARTITION_DISTINCT {
            return partitioned::number(source, bits, ids, exec);
        }
    }
    let table = || if direct { GroupTable::direct(bits) } else { GroupTable::new(bits, 0) };
    Ok(match RowWidth::for_rows(ids.len()) {
        RowWidth::U32 => by_ranges::<K, S, u32>(source, &table, ids),
        RowWidth::U64 => by_ranges::<K, S, u64>(source, &table, ids),
    })
}

/// Rows that [`sampled_distinct`] reads, in blocks of [`SAMPLE_BLOCK`].
const SAMPLE: usize = 64 * 1024;
const SAMPLE_BLOCK: usize = 64;
/// More distinct keys than this in a sample indicate more groups than fit in an L2 cache.
const PARTITION_DISTINCT: usize = SAMPLE * 7 / 8;

/// The number of distinct keys among [`SAMPLE`] rows.
fn sampled_distinct<K: PackedKey, S: RowKeys<K>>(source: S, rows: usize) -> usize {
    let mut table = GroupTable::<K>::new(u64::BITS, SAMPLE);
    let (mut keys, mut tickets) = ([K::default(); SAMPLE_BLOCK], [0; SAMPLE_BLOCK]);
    let stride = rows / (SAMPLE / SAMPLE_BLOCK);
    for block in 0..SAMPLE / SAMPLE_BLOCK {
        source.keys(block * stride, &mut keys);
        table.tickets(&keys, &mut tickets);
    }
    table.len()
}

/// The groups of a range of rows.
struct Local<K, I> {
    table: GroupTable<K>,
    first_rows: Vec<I>,
}

fn by_ranges<K: PackedKey, S: RowKeys<K>, I: RowIndex>(
    source: S,
    table: &(impl Fn() -> GroupTable<K> + Sync),
    ids: &mut [u32],
) -> RowMap {
    let rows = ids.len();
    // Order of first appearance does not depend on the range boundaries, so every thread may have one range.
    let ranges = if rows <= HOST_MORSEL_ROWS { 1 } else { threads() };
    let range = rows.div_ceil(ranges).next_multiple_of(KEY_BATCH).max(KEY_BATCH);
    let group = |k: usize, ids: &mut [u32]| {
        let mut local = Local { table: table(), first_rows: Vec::new() };
        let mut keys = [K::default(); KEY_BATCH];
        for (batch, ids) in ids.chunks_mut(KEY_BATCH).enumerate() {
            let start = k * range + batch * KEY_BATCH;
            let keys = &mut keys[..ids.len()];
            source.keys(start, keys);
            source.tickets(&mut local.table, keys, ids, &mut local.first_rows, |index| start + index);
        }
        local
    };
    let locals: Vec<Local<K, I>> = map_parts(ids.chunks_mut(range), group);
    let mut locals = locals.into_iter();
    let Some(mut global) = locals.next() else {
        return RowMap { rows: Buffer::from_vec(Vec::<I>::new()), width: I::WIDTH, len: 0 };
    };
    // The groups of each later range, in order, with the numbers of the ranges before it.
    let renumbered: Vec<Vec<u32>> = locals
        .map(|local| {
            let mut tickets = vec![0; local.table.len()];
            let row = |index: usize| local.first_rows[index].row();
            source.tickets(&mut global.table, local.table.keys(), &mut tickets, &mut global.first_rows, row);
            tickets
        })
        .collect();
    for (ids, tickets) in ids.chunks_mut(range).skip(1).zip(&renumbered) {
        for_each_chunk(ids, HOST_MORSEL_ROWS, |_, ids| {
            for id in ids {
                *id = tickets.get(*id as usize).copied().unwrap_or(NO_TICKET);
            }
        });
    }
    let len = global.first_rows.len();
    RowMap { rows: Buffer::from_vec(global.first_rows), width: I::WIDTH, len }
}
