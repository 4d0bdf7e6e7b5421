//! Host results, built morsel by morsel on all cores.

use crate::Result;
use crate::tuning::HOST_MORSEL_ROWS;
use columnade_buffers::{Buffer, Exec, Pod};
use rayon::prelude::*;
use std::ops::Range;

/// A buffer of `rows` values; `fill` gets the rows of a morsel and where their values go.
pub(crate) fn build_values<T: Pod + Send>(
    rows: usize,
    exec: &Exec,
    fill: impl Fn(Range<usize>, &mut [T]) + Sync,
) -> Result<Buffer> {
    let mut buffer = Buffer::uninit(rows * size_of::<T>(), exec)?;
    if rows > 0 {
        let mut guard = buffer.write(exec)?;
        for_each(guard.as_mut_slice::<T>(), HOST_MORSEL_ROWS, |start, out| {
            fill(start..start + out.len(), out);
        });
    }
    Ok(buffer)
}

/// A buffer of `rows` bits; `fill` gets the rows of a morsel, which start at a multiple of 64, and the words that
/// hold their bits. Bits past the last row are cleared.
pub(crate) fn build_bits(
    rows: usize,
    exec: &Exec,
    fill: impl Fn(Range<usize>, &mut [u64]) + Sync,
) -> Result<Buffer> {
    let words = rows.div_ceil(64);
    let mut buffer = Buffer::uninit(words * 8, exec)?;
    if rows > 0 {
        let mut guard = buffer.write(exec)?;
        for_each(guard.as_mut_slice::<u64>(), HOST_MORSEL_ROWS / 64, |start, out| {
            fill(start * 64..rows.min((start + out.len()) * 64), out);
            if start + out.len() == words
                && let Some(last) = out.last_mut()
            {
                *last &= last_word_mask(rows);
            }
        });
    }
    Ok(buffer.slice(0, rows.div_ceil(8)))
}

/// Fills the words of values and of validity from a word on.
type FillWords<'a> = dyn Fn(usize, &mut [u64], &mut [u64]) + Sync + 'a;

/// Two buffers of `rows` bits, as [`build_bits`] builds one: values and validity of the same rows.
pub(crate) fn build_bit_pairs(
    rows: usize,
    exec: &Exec,
    fill: impl Fn(Range<usize>, &mut [u64], &mut [u64]) + Sync,
) -> Result<(Buffer, Buffer)> {
    let words = rows.div_ceil(64);
    let mut values = Buffer::uninit(words * 8, exec)?;
    let mut validity = Buffer::uninit(words * 8, exec)?;
    if rows > 0 {
        let (mut values, mut validity) = (values.write(exec)?, validity.write(exec)?);
        let chunk = HOST_MORSEL_ROWS / 64;
        let run = |morsel: usize, values: &mut [u64], validity: &mut [u64]| {
            let start = morsel * chunk;
            fill(start * 64..rows.min((start + values.len()) * 64), values, validity);
            if start + values.len() == words {
                for last in [values.last_mut(), validity.last_mut()].into_iter().flatten() {
                    *last &= last_word_mask(rows);
                }
            }
        };
        let (values, validity) = (values.as_mut_slice::<u64>(), validity.as_mut_slice::<u64>());
        if words <= chunk {
            run(0, values, validity);
        } else {
            let run: &FillWords<'_> = &run;
            let parts = values.par_chunks_mut(chunk).zip(validity.par_chunks_mut(chunk)).enumerate();
            parts.for_each(|(morsel, (values, validity))| run(morsel, values, validity));
        }
    }
    let bytes = rows.div_ceil(8);
    Ok((values.slice(0, bytes), validity.slice(0, bytes)))
}

/// One value a morsel, in the order of the rows: what `fold` makes of the rows it is given.
pub(crate) fn map<R: Send>(rows: usize, fold: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    map_erased(rows, &fold)
}

/// The loop of [`map`], compiled once for each type of result and not for each caller: a parallel loop is some
/// twenty functions.
fn map_erased<R: Send>(rows: usize, fold: &(dyn Fn(Range<usize>) -> R + Sync)) -> Vec<R> {
    let range = |morsel: usize| morsel * HOST_MORSEL_ROWS..rows.min((morsel + 1) * HOST_MORSEL_ROWS);
    let morsels = rows.div_ceil(HOST_MORSEL_ROWS);
    if morsels <= 1 {
        return (0..morsels).map(|morsel| fold(range(morsel))).collect();
    }
    (0..morsels).into_par_iter().map(|morsel| fold(range(morsel))).collect()
}

/// Ones for the rows of the last word.
pub(crate) fn last_word_mask(rows: usize) -> u64 {
    match rows % 64 {
        0 => u64::MAX,
        rest => (1 << rest) - 1,
    }
}

fn for_each<T: Send>(out: &mut [T], chunk: usize, fill: impl Fn(usize, &mut [T]) + Sync) {
    if out.len() <= chunk {
        fill(0, out);
    } else {
        for_each_erased(out, chunk, &fill);
    }
}

/// The loop of [`for_each`], compiled once for each type of value and not for each caller.
fn for_each_erased<T: Send>(out: &mut [T], chunk: usize, fill: &(dyn Fn(usize, &mut [T]) + Sync)) {
    out.par_chunks_mut(chunk).enumerate().for_each(|(morsel, out)| fill(morsel * chunk, out));
}
