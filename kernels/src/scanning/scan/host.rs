//! Host implementation of `scan`.

use super::ScanRange;
use crate::aggregation::{
    Accumulator, Aggregation, BLOCK_ROWS, Block, Overflow, Selected, Visitor, block_states, select,
    write_blocks,
};
use crate::{Error, Fixed, FixedData, Result, Storage, View, ViewGuard};
use columnade_buffers::Exec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The running results, null where there is none yet.
pub(super) fn scan(
    aggregation: Aggregation,
    range: ScanRange,
    input: &Fixed<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    let guard = View::Fixed(*input).read(exec)?;
    select(aggregation, input.storage, Rows { guard: &guard, range, exec })?
}

/// The rows of a column.
struct Rows<'a> {
    guard: &'a ViewGuard<'a>,
    range: ScanRange,
    exec: &'a Exec,
}

impl Visitor for Rows<'_> {
    type Output = Result<FixedData>;

    /// Two passes over the blocks of rows: the state of each, then its rows from the state before it. Blocks are of
    /// fixed size, whatever the number of threads.
    fn visit<A: Accumulator>(self, selected: Selected<A>) -> Result<FixedData> {
        let Self { guard, range, exec } = self;
        let mut states = block_states(&selected, guard);
        let Selected { accumulator, read, write } = selected;
        let mut before = A::EMPTY;
        for state in &mut states {
            let block = std::mem::replace(state, before);
            accumulator.merge(&mut before, block);
        }
        let overflowed = AtomicBool::new(false);
        let column = write_blocks(write, guard.len(), false, exec, &|rows, results, valid| {
            let (first, rows) = (rows.start, rows.len());
            let mut state = states[first / BLOCK_ROWS];
            let mut scratch = Vec::new();
            let values = read(Block::Column { guard, first, rows }, &mut scratch);
            let validity = guard.validity().map(|bits| bits.slice(first, rows));
            for (row, (result, &value)) in results.iter_mut().zip(values).enumerate() {
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
