//! Evaluation on the host: morsels in parallel, step by step within a morsel.

use super::demand::earlier;
use super::morsel::{MORSEL_ROWS, Morsel};
use crate::elementwise::lane::Lane;
use crate::expression::{Program, Register};
use crate::parallel::{Pool, map_parts};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{FixedData, Result, Storage, View, access};
use columnade_buffers::{Buffer, Exec, Pod};

/// The bytes of one output that one task writes.
struct Part<'a> {
    storage: Storage,
    data: &'a mut [u8],
    validity: Option<&'a mut [u8]>,
}

pub(super) fn evaluate(
    program: &Program,
    inputs: &[View<'_>],
    rows: usize,
    outputs: &[Register],
    filter: Option<Register>,
    exec: &Exec,
) -> Result<Vec<FixedData>> {
    let guards = access(inputs, exec)?;
    let masked: Vec<bool> = inputs.iter().map(|view| view.validity_bits().is_some()).collect();
    let nullable = program.nullable(&masked);
    let needed = program.needed(outputs.iter().copied());
    let mut results = Vec::with_capacity(outputs.len());
    for &register in outputs {
        let storage = program.storage(register).unwrap_or(Storage::Bit);
        let data = Buffer::uninit(storage.bytes(rows), exec)?;
        let validity = if nullable[register] { Some(Buffer::uninit(rows.div_ceil(8), exec)?) } else { None };
        results.push(FixedData { storage, len: rows, data, validity });
    }
    {
        let mut writes = Vec::with_capacity(2 * results.len());
        for result in &mut results {
            writes.push((
                result.storage,
                result.data.write(exec)?,
                result.validity.as_mut().map(|v| v.write(exec)).transpose()?,
            ));
        }
        let tasks = split(&mut writes, rows);
        let morsels = Pool::new();
        let run = |morsel: &mut Morsel<'_>, task: usize, mut parts: Vec<Part<'_>>| {
            let first = task * HOST_MORSEL_ROWS;
            let end = rows.min(first + HOST_MORSEL_ROWS);
            let mut overflow = Ok(());
            for start in (first..end).step_by(MORSEL_ROWS) {
                morsel.load(start, MORSEL_ROWS.min(end - start), &needed);
                morsel.run(&needed)?;
                overflow = earlier(overflow, morsel.check(filter, outputs));
                for (part, &register) in parts.iter_mut().zip(outputs) {
                    store(morsel, register, start - first, part);
                }
            }
            overflow
        };
        let done = map_parts(tasks, |task, parts| {
            morsels.with(|| Morsel::new(program, &guards), |morsel| run(morsel, task, parts))
        });
        done.into_iter().fold(Ok(()), earlier)?;
    }
    Ok(results)
}

type Write<'a> = (Storage, columnade_buffers::WriteGuard<'a>, Option<columnade_buffers::WriteGuard<'a>>);

/// Splits the outputs into the parts of [`HOST_MORSEL_ROWS`] rows that the tasks write.
fn split<'a>(writes: &'a mut [Write<'_>], rows: usize) -> Vec<Vec<Part<'a>>> {
    let tasks = rows.div_ceil(HOST_MORSEL_ROWS);
    let mut parts: Vec<Vec<Part<'a>>> = std::iter::repeat_with(Vec::new).take(tasks).collect();
    for (storage, data, validity) in writes {
        let mut masks =
            validity.as_mut().map(|guard| guard.as_mut_slice::<u8>().chunks_mut(HOST_MORSEL_ROWS / 8));
        let chunks = data.as_mut_slice::<u8>().chunks_mut(storage.bytes(HOST_MORSEL_ROWS));
        for (parts, data) in parts.iter_mut().zip(chunks) {
            parts.push(Part { storage: *storage, data, validity: masks.as_mut().and_then(Iterator::next) });
        }
    }
    parts
}

/// Writes a register of the morsel to the rows from `first` of the part.
fn store(morsel: &Morsel<'_>, register: Register, first: usize, part: &mut Part<'_>) {
    let rows = morsel.rows();
    dispatch_width!(part.storage, T => store_values::<T>(morsel, register, first, part.data),
        bit => store_bits(morsel.bits(register), rows, first, part.data));
    if let Some(mask) = &mut part.validity {
        match morsel.validity(register) {
            Some(words) => store_bits(words, rows, first, mask),
            None => store_bits(&[u64::MAX; MORSEL_ROWS / 64], rows, first, mask),
        }
    }
}

fn store_values<T: Pod>(morsel: &Morsel<'_>, register: Register, first: usize, data: &mut [u8]) {
    let out = &mut bytemuck::cast_slice_mut::<u8, T>(data)[first..first + morsel.rows()];
    match morsel.bytes_lane::<T>(register) {
        Lane::Slice(values) => out.copy_from_slice(values),
        Lane::Scalar(value) => out.fill(value),
    }
}

/// Copies bits to the byte-aligned row `first`; the bits after the last row in its byte become zero.
fn store_bits(words: &[u64], rows: usize, first: usize, out: &mut [u8]) {
    let out = &mut out[first / 8..][..rows.div_ceil(8)];
    for (bytes, word) in out.chunks_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
    if !rows.is_multiple_of(8)
        && let Some(last) = out.last_mut()
    {
        *last &= (1 << (rows % 8)) - 1;
    }
}
