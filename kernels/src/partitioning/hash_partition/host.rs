//! Host implementation of `hash_partition`: a counting sort of the rows by partition, with separate output
//! slices for each range of rows.

use super::{Partitions, offsets};
use crate::keys::{Cells, KeyColumn, normal32, normal64, short_word};
use crate::parallel::{for_each_part, map_parts, threads};
use crate::row_map::RowIndex;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, RowMap, RowWidth, View, access};
use columnade_buffers::{Buffer, Exec};
use smallvec::SmallVec;

/// The word of a null; the same as in `AnyRows::hash` of `rows.cuh`.
const NULL: u64 = 0x6a09_e667_f3bc_c909;
/// Rows that are hashed at a time: their hashes stay in the L1 cache.
const BATCH: usize = 1024;

pub(super) fn hash_partition(keys: &[View<'_>], count: usize, seed: u64, exec: &Exec) -> Result<Partitions> {
    let guards = access(keys, exec)?;
    let columns: SmallVec<[KeyColumn<'_>; 4]> = guards.iter().map(KeyColumn::new).collect();
    let rows = keys.first().map_or(0, View::len);
    match RowWidth::for_rows(rows) {
        RowWidth::U32 => by_ranges::<u32>(&columns, rows, count, seed, exec),
        RowWidth::U64 => by_ranges::<u64>(&columns, rows, count, seed, exec),
    }
}

fn by_ranges<I: RowIndex>(
    columns: &[KeyColumn<'_>],
    rows: usize,
    count: usize,
    seed: u64,
    exec: &Exec,
) -> Result<Partitions> {
    // The result does not depend on the range boundaries. The counts must not be larger than the rows.
    let range = HOST_MORSEL_ROWS.max(rows.div_ceil(threads() * 4)).max(count);
    let mut partition_of = Buffer::uninit(rows * size_of::<u16>(), exec)?;
    let mut out = Buffer::uninit(rows * size_of::<I>(), exec)?;
    let (mut partition_of, mut guard) = (partition_of.write(exec)?, out.write(exec)?);
    let partition_of = &mut partition_of.as_mut_slice::<u16>()[..rows];
    let sizes = map_parts(partition_of.chunks_mut(range), |k, partition_of| {
        number(columns, k * range, partition_of, count, seed)
    });

    let totals: Vec<usize> = (0..count).map(|part| sizes.iter().map(|sizes| sizes[part]).sum()).collect();
    // The output of each range in each partition: by partition, then by range.
    let mut places: Vec<Vec<&mut [I]>> = sizes.iter().map(|_| Vec::with_capacity(count)).collect();
    let mut rest = &mut guard.as_mut_slice::<I>()[..rows];
    for part in 0..count {
        for (places, sizes) in places.iter_mut().zip(&sizes) {
            let (place, tail) = rest.split_at_mut(sizes[part]);
            places.push(place);
            rest = tail;
        }
    }
    for_each_part(partition_of.chunks(range).zip(places), |k, (partition_of, places)| {
        let mut places: Vec<_> = places.into_iter().map(<[I]>::iter_mut).collect();
        for (index, &part) in partition_of.iter().enumerate() {
            if let Some(place) = places[usize::from(part)].next() {
                *place = I::of(k * range + index);
            }
        }
    });
    drop(guard);
    let rows = RowMap { rows: out, width: I::WIDTH, len: rows };
    Ok(Partitions { rows, offsets: offsets(totals) })
}

/// Writes the partitions of the rows from `start` and returns the number of rows of each.
fn number(
    columns: &[KeyColumn<'_>],
    start: usize,
    partition_of: &mut [u16],
    count: usize,
    seed: u64,
) -> Vec<usize> {
    let mut sizes = vec![0; count];
    let mut hashes = [0; BATCH];
    for (k, partition_of) in partition_of.chunks_mut(BATCH).enumerate() {
        let hashes = &mut hashes[..partition_of.len()];
        hashes.fill(0);
        for column in columns {
            hash_rows(column, start + k * BATCH, hashes);
        }
        for (out, &hash) in partition_of.iter_mut().zip(&*hashes) {
            let part = partition(hash, count, seed);
            sizes[usize::from(part)] += 1;
            *out = part;
        }
    }
    sizes
}

/// The high half of hash × partitions: the hash as a fraction of 2^64, scaled to the number of partitions.
#[inline]
fn partition(hash: u64, count: usize, seed: u64) -> u16 {
    let word = mix_word(mix_word(hash, seed), seed) >> 32;
    ((word * count as u64) >> 32) as u16
}

/// `mix_word` of `rows.cuh`.
#[inline]
fn mix_word(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 32)
}

/// `hash_string` of `rows.cuh`.
fn hash_string(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(mix_word(0, bytes.len() as u64), |hash, chunk| mix_word(hash, short_word(chunk)))
}

/// Mixes the rows of a column from `start` into their hashes, as `AnyRows::mixed` of `rows.cuh` does. Integers of
/// one value have one hash, whatever their width.
fn hash_rows(column: &KeyColumn<'_>, start: usize, hashes: &mut [u64]) {
    if let Cells::I128(values) = &column.cells {
        for (index, hash) in hashes.iter_mut().enumerate() {
            let value = values[start + index];
            let (low, high) = (value as u64, (value >> 64) as u64);
            *hash = match column.valid(start + index) {
                false => mix_word(*hash, NULL),
                // A number that 64 bits hold, with a sign or without, hashes as in 64 bits.
                true if high == 0 || i128::from(low as i64) == value => mix_word(*hash, low),
                true => mix_word(mix_word(*hash, low), high),
            };
        }
        return;
    }
    let mut words = |word: &dyn Fn(usize) -> u64| {
        for (index, hash) in hashes.iter_mut().enumerate() {
            let row = start + index;
            *hash = mix_word(*hash, if column.valid(row) { word(row) } else { NULL });
        }
    };
    match &column.cells {
        Cells::Bit(bits) => words(&|row| u64::from(bits.get(row))),
        Cells::I8(values) => words(&|row| i64::from(values[row]) as u64),
        Cells::I16(values) => words(&|row| i64::from(values[row]) as u64),
        Cells::I32(values) => words(&|row| i64::from(values[row]) as u64),
        Cells::I64(values) => words(&|row| values[row] as u64),
        Cells::I128(_) => {}
        Cells::U8(values) => words(&|row| u64::from(values[row])),
        Cells::U16(values) => words(&|row| u64::from(values[row])),
        Cells::U32(values) => words(&|row| u64::from(values[row])),
        Cells::U64(values) => words(&|row| values[row]),
        Cells::F32(values) => words(&|row| u64::from(normal32(values[row]))),
        Cells::F64(values) => words(&|row| normal64(values[row])),
        Cells::String(text) => words(&|row| hash_string(text.bytes(row))),
    }
}
