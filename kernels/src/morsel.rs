//! Host results, built morsel by morsel on all cores.
//!
//! What does not depend on the types of values and closures is compiled once: see [`crate::parallel`].

use crate::parallel::{for_each_chunk, for_each_part, map_tasks};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, Storage};
use columnade_buffers::{Buffer, Exec, Pod};
use std::ops::Range;

/// Builds a buffer of `rows` values; `fill` gets the rows of a morsel and the slice for their values.
pub(crate) fn build_values<T: Pod>(
    rows: usize,
    exec: &Exec,
    fill: impl Fn(Range<usize>, &mut [T]) + Sync,
) -> Result<Buffer> {
    build_bytes(rows, size_of::<T>(), exec, &|start, bytes| {
        let out = bytemuck::cast_slice_mut::<u8, T>(bytes);
        fill(start..start + out.len(), out);
    })
}

/// A buffer of `rows` values of a storage type other than bits; `fill` gets the rows of a morsel and where the bytes
/// of their values go.
pub(crate) fn build_storage(
    storage: Storage,
    rows: usize,
    exec: &Exec,
    fill: &(dyn Fn(Range<usize>, &mut [u8]) + Sync),
) -> Result<Buffer> {
    let width = storage.bytes(1);
    build_bytes(rows, width, exec, &|start, out| fill(start..start + out.len() / width, out))
}

/// A buffer of `rows` values of `width` bytes; `fill` gets the first row of a morsel and where its values go.
fn build_bytes(
    rows: usize,
    width: usize,
    exec: &Exec,
    fill: &(dyn Fn(usize, &mut [u8]) + Sync),
) -> Result<Buffer> {
    let mut buffer = Buffer::uninit(rows.saturating_mul(width), exec)?;
    if rows > 0 {
        let mut guard = buffer.write(exec)?;
        for_each_chunk(guard.as_mut_slice::<u8>(), HOST_MORSEL_ROWS * width, |morsel, out| {
            fill(morsel * HOST_MORSEL_ROWS, out);
        });
    }
    Ok(buffer)
}

/// What [`build_bits`] calls with the rows of a morsel and their words.
type FillBits<'a> = dyn Fn(Range<usize>, &mut [u64]) + Sync + 'a;

/// Builds a buffer of `rows` bits; `fill` gets the rows of a morsel, which start at a multiple of 64, and the
/// words for their bits. Bits past the last row are cleared.
pub(crate) fn build_bits(
    rows: usize,
    exec: &Exec,
    fill: impl Fn(Range<usize>, &mut [u64]) + Sync,
) -> Result<Buffer> {
    build_words(rows, exec, &fill)
}

/// [`build_bits`], whatever the closure.
fn build_words(rows: usize, exec: &Exec, fill: &FillBits<'_>) -> Result<Buffer> {
    let words = rows.div_ceil(64);
    let mut buffer = Buffer::uninit(words * 8, exec)?;
    if rows > 0 {
        let mut guard = buffer.write(exec)?;
        for_each_chunk(guard.as_mut_slice::<u64>(), HOST_MORSEL_ROWS / 64, |morsel, out| {
            let start = morsel * HOST_MORSEL_ROWS;
            let end = rows.min(start + out.len() * 64);
            fill(start..end, out);
            if end == rows
                && let Some(last) = out.last_mut()
            {
                *last &= last_word_mask(rows);
            }
        });
    }
    Ok(buffer.slice(0, rows.div_ceil(8)))
}

/// What [`build_bit_pairs`] calls with the rows of a morsel, the words of their values and those of their validity.
type FillPairs<'a> = dyn Fn(Range<usize>, &mut [u64], &mut [u64]) + Sync + 'a;

/// Builds two buffers of `rows` bits like [`build_bits`]: values and validity of the same rows.
pub(crate) fn build_bit_pairs(rows: usize, exec: &Exec, fill: &FillPairs<'_>) -> Result<(Buffer, Buffer)> {
    let words = rows.div_ceil(64);
    let mut values = Buffer::uninit(words * 8, exec)?;
    let mut validity = Buffer::uninit(words * 8, exec)?;
    if rows > 0 {
        let (mut values, mut validity) = (values.write(exec)?, validity.write(exec)?);
        let values = values.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64);
        let validity = validity.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64);
        for_each_part(values.zip(validity), |morsel, (values, validity)| {
            let start = morsel * HOST_MORSEL_ROWS;
            let end = rows.min(start + values.len() * 64);
            fill(start..end, values, validity);
            if end == rows {
                for last in [values.last_mut(), validity.last_mut()].into_iter().flatten() {
                    *last &= last_word_mask(rows);
                }
            }
        });
    }
    let bytes = rows.div_ceil(8);
    Ok((values.slice(0, bytes), validity.slice(0, bytes)))
}

/// Returns `fold` of the rows of each morsel, in row order.
pub(crate) fn map<R: Send>(rows: usize, fold: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    map_tasks(rows.div_ceil(HOST_MORSEL_ROWS), &|morsel| {
        fold(morsel * HOST_MORSEL_ROWS..rows.min((morsel + 1) * HOST_MORSEL_ROWS))
    })
}

/// A mask of the rows in the last word.
pub(crate) fn last_word_mask(rows: usize) -> u64 {
    match rows % 64 {
        0 => u64::MAX,
        rest => (1 << rest) - 1,
    }
}
