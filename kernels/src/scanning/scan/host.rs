//! Host implementation of `scan`.

use super::ScanRange;
use crate::aggregation::{
    Accumulator, Aggregation, BLOCK_ROWS, Block, Overflow, Selected, Visitor, block_states, select,
    write_blocks,
};
use crate::bits::BitSlice;
use crate::{Bits, Error, Fixed, FixedData, Result, Storage, View, ViewGuard, morsel};
use columnade_buffers::Exec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The running results, null where there is none yet.
pub(super) fn scan(
    aggregation: Aggregation,
    range: ScanRange,
    input: &Fixed<'_>,
    starts: Option<Bits<'_>>,
    exec: &Exec,
) -> Result<FixedData> {
    let guard = View::Fixed(*input).read(exec)?;
    let bits = starts.map(|starts| Ok::<_, Error>((starts.read(exec)?, starts))).transpose()?;
    let starts = bits.as_ref().map(|(guard, bits)| BitSlice::new(guard.as_slice(), bits.offset, bits.len));
    select(aggregation, input.storage, Rows { guard: &guard, range, starts, exec })?
}

/// The rows of a column.
struct Rows<'a> {
    guard: &'a ViewGuard<'a>,
    range: ScanRange,
    /// Where segments begin.
    starts: Option<BitSlice<'a>>,
    exec: &'a Exec,
}

/// The last row of `rows` rows from `first` on where a segment begins.
fn last_start(starts: BitSlice<'_>, first: usize, rows: usize) -> Option<usize> {
    let starts = starts.slice(first, rows);
    let last = |word: &usize| starts.word(*word) != 0;
    let word = (0..rows.div_ceil(64)).rev().find(last)?;
    Some(word * 64 + starts.word(word).ilog2() as usize)
}

/// The state of each block of rows, from its last start on.
fn segment_states<A: Accumulator>(
    selected: &Selected<A>,
    guard: &ViewGuard<'_>,
    starts: BitSlice<'_>,
) -> Vec<A::State> {
    let Selected { accumulator, read, .. } = selected;
    let morsels = morsel::map(guard.len(), |rows| {
        let mut scratch = Vec::new();
        let end = rows.end;
        let state = |first: usize| {
            let rows = BLOCK_ROWS.min(end - first);
            let skipped = last_start(starts, first, rows).unwrap_or(0);
            let values = read(Block::Column { guard, first, rows }, &mut scratch);
            let valid = guard.validity().map(|bits| bits.slice(first + skipped, rows - skipped));
            let mut state = A::EMPTY;
            accumulator.add_rows(&mut state, &values[skipped..], valid);
            state
        };
        rows.step_by(BLOCK_ROWS).map(state).collect::<Vec<_>>()
    });
    morsels.concat()
}

impl Visitor for Rows<'_> {
    type Output = Result<FixedData>;

    /// Two passes over the blocks of rows: the state of each, then its rows from the state before it. Blocks are of
    /// fixed size, whatever the number of threads.
    fn visit<A: Accumulator>(self, selected: Selected<A>) -> Result<FixedData> {
        let Self { guard, range, starts, exec } = self;
        let mut states = match starts {
            None => block_states(&selected, guard),
            Some(starts) => segment_states(&selected, guard, starts),
        };
        let Selected { accumulator, read, write } = selected;
        let mut before = A::EMPTY;
        for (block, state) in states.iter_mut().enumerate() {
            let first = block * BLOCK_ROWS;
            let rows = BLOCK_ROWS.min(guard.len() - first);
            let begins = starts.is_some_and(|starts| last_start(starts, first, rows).is_some());
            let of_block = std::mem::replace(state, before);
            if begins {
                before = of_block;
            } else {
                accumulator.merge(&mut before, of_block);
            }
        }
        let overflowed = AtomicBool::new(false);
        let column = write_blocks(write, guard.len(), false, exec, &|rows, results, valid| {
            let (first, rows) = (rows.start, rows.len());
            let mut state = states[first / BLOCK_ROWS];
            let mut scratch = Vec::new();
            let values = read(Block::Column { guard, first, rows }, &mut scratch);
            let validity = guard.validity().map(|bits| bits.slice(first, rows));
            for (row, (result, &value)) in results.iter_mut().zip(values).enumerate() {
                if starts.is_some_and(|starts| starts.get(first + row)) {
                    state = A::EMPTY;
                }
                let before = state;
                let is_valid = validity.is_none_or(|bits| bits.get(row));
                if is_valid {
                    accumulator.add(&mut state, value);
                }
                let shown = if range == ScanRange::Inclusive { state } else { before };
                let finished = accumulator.finish(shown).unwrap_or_else(|Overflow| {
                    overflowed.fetch_or(is_valid, Relaxed);
                    None
                });
                valid[row / 64] |= u64::from(finished.is_some()) << (row % 64);
                *result = finished.unwrap_or_default();
            }
        })?;
        if overflowed.into_inner() { Err(Error::Overflow { storage: Storage::I128 }) } else { Ok(column) }
    }
}
