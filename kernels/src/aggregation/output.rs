//! How the results of accumulators become columns.

use super::accumulator::{Accumulator, Overflow};
use super::input::BLOCK_ROWS;
use crate::parallel::map_parts;
use crate::{Element, Error, FixedData, Result, Storage};
use columnade_buffers::{Buffer, Exec, Pod};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Writes results in a storage type.
pub(crate) struct Writer<O> {
    storage: Storage,
    write: fn(&[O], &mut [u8]),
}

impl<O> Clone for Writer<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Writer<O> {}

impl<O> Writer<O> {
    /// A writer of values of type `T`; `write` is [`write_as`] of it.
    pub(super) const fn new<T: Element>(write: fn(&[O], &mut [u8])) -> Self {
        Self { storage: T::STORAGE, write }
    }
}

impl Writer<i64> {
    /// Writes 0 and 1 as bits.
    pub(super) const BITS: Self = Self {
        storage: Storage::Bit,
        write: |values, out| {
            for (byte, values) in out.iter_mut().zip(values.chunks(8)) {
                *byte = values.iter().enumerate().fold(0, |byte, (k, &value)| byte | (value as u8) << k);
            }
        },
    };
}

/// Writes values narrowed to type `T`.
pub(super) fn write_as<O: Copy, T: Element>(values: &[O], out: &mut [u8], narrow: impl Fn(O) -> T) {
    for (out, &value) in bytemuck::cast_slice_mut::<u8, T>(out).iter_mut().zip(values) {
        *out = narrow(value);
    }
}

/// Copies the states of some rows.
type States<'a, S> = dyn Fn(Range<usize>, &mut [S]) + Sync + 'a;

/// The column of the results of `len` states, which `states` gives block by block. It has a mask when `masked`, or
/// where a result is null.
///
/// # Errors
/// [`Error::Overflow`] if a result does not fit.
pub(crate) fn finish<A: Accumulator>(
    accumulator: &A,
    writer: Writer<A::Output>,
    len: usize,
    masked: bool,
    states: &States<'_, A::State>,
    exec: &Exec,
) -> Result<FixedData> {
    let overflowed = AtomicBool::new(false);
    let column = write_blocks(writer, len, masked, exec, &|rows, results, valid| {
        let mut block = vec![A::EMPTY; rows.len()];
        states(rows, &mut block);
        for (row, (result, state)) in results.iter_mut().zip(block).enumerate() {
            let finished = accumulator.finish(state).unwrap_or_else(|Overflow| {
                overflowed.store(true, Relaxed);
                None
            });
            valid[row / 64] |= u64::from(finished.is_some()) << (row % 64);
            *result = finished.unwrap_or_default();
        }
    })?;
    if overflowed.into_inner() { Err(Error::Overflow { storage: Storage::I128 }) } else { Ok(column) }
}

/// Computes the results of the rows of a block, and sets the bits of those that are not null.
type Results<'a, O> = dyn Fn(Range<usize>, &mut [O], &mut [u64]) + Sync + 'a;

/// A column of `len` results, computed in blocks of [`BLOCK_ROWS`]. It has a mask when `masked`, or where a result is
/// null.
pub(crate) fn write_blocks<O: Pod + Default>(
    writer: Writer<O>,
    len: usize,
    masked: bool,
    exec: &Exec,
    results: &Results<'_, O>,
) -> Result<FixedData> {
    let storage = writer.storage;
    let mut data = Buffer::uninit(storage.bytes(len), exec)?;
    let mut validity = Buffer::uninit(len.div_ceil(8), exec)?;
    let all_valid = {
        let (mut data, mut validity) = (data.write(exec)?, validity.write(exec)?);
        let data = data.as_mut_slice::<u8>().chunks_mut(storage.bytes(BLOCK_ROWS));
        let validity = validity.as_mut_slice::<u8>().chunks_mut(BLOCK_ROWS / 8);
        let blocks = map_parts(data.zip(validity), |block, (data, validity)| {
            let first = block * BLOCK_ROWS;
            let rows = first..len.min(first + BLOCK_ROWS);
            let count = rows.len();
            let (mut values, mut valid) = (vec![O::default(); count], [0; BLOCK_ROWS / 64]);
            results(rows, &mut values, &mut valid);
            (writer.write)(&values, data);
            for (bytes, word) in validity.chunks_mut(8).zip(valid) {
                bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
            }
            valid.iter().map(|word| word.count_ones() as usize).sum::<usize>() == count
        });
        blocks.into_iter().all(|all_valid| all_valid)
    };
    let validity = if masked || !all_valid { Some(validity) } else { None };
    Ok(FixedData { storage, len, data, validity })
}
