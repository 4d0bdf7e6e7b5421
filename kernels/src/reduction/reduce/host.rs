//! Host implementation of `reduce`.

use crate::aggregation::{Accumulator, Aggregation, Selected, Visitor, block_states, finish, select};
use crate::{Fixed, FixedData, Result, View, ViewGuard};
use columnade_buffers::Exec;

pub(super) fn reduce(aggregation: Aggregation, input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    let guard = View::Fixed(*input).read(exec)?;
    let masked = aggregation.is_null_without_values();
    select(aggregation, input.storage, Rows { guard: &guard, masked, exec })?
}

/// All rows of a column, which are one group.
struct Rows<'a> {
    guard: &'a ViewGuard<'a>,
    masked: bool,
    exec: &'a Exec,
}

impl Visitor for Rows<'_> {
    type Output = Result<FixedData>;

    fn visit<A: Accumulator>(self, selected: Selected<A>) -> Result<FixedData> {
        let mut all = A::EMPTY;
        for block in block_states(&selected, self.guard) {
            selected.accumulator.merge(&mut all, block);
        }
        let state = |_, states: &mut [A::State]| states.fill(all);
        finish(&selected.accumulator, selected.write, 1, self.masked, &state, self.exec)
    }
}
