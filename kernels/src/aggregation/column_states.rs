//! States of a column as one group.

use super::accumulator::Accumulator;
use super::input::{BLOCK_ROWS, Block};
use super::select::Selected;
use crate::{ViewGuard, morsel};

/// The state of each block of [`BLOCK_ROWS`] rows of a column, in their order.
pub(crate) fn block_states<A: Accumulator>(selected: &Selected<A>, guard: &ViewGuard<'_>) -> Vec<A::State> {
    let Selected { accumulator, read, .. } = selected;
    let morsels = morsel::map(guard.len(), |rows| {
        let mut scratch = Vec::new();
        let end = rows.end;
        rows.step_by(BLOCK_ROWS)
            .map(|first| {
                let rows = BLOCK_ROWS.min(end - first);
                let values = read(Block::Column { guard, first, rows }, &mut scratch);
                let valid = guard.validity().map(|bits| bits.slice(first, rows));
                let mut state = A::EMPTY;
                accumulator.add_rows(&mut state, values, valid);
                state
            })
            .collect::<Vec<_>>()
    });
    morsels.concat()
}
