//! Host implementation of `aggregate`: dense states by group, a set for each range of rows, merged in range order.

use crate::aggregation::{
    Accumulator, Aggregation, BLOCK_ROWS, Block, ExtremeString, Maximum, Minimum, Positions, Scratch,
    Selected, Visitor, count, finish, rows_of_strings, select, update,
};
use crate::bits::BitSlice;
use crate::copying::gather::{MapNulls, gather};
use crate::grouping::group_ids::Groups;
use crate::keys::{Cells, KeyColumn};
use crate::parallel::for_each_chunk;
use crate::tuning::{AGGREGATE_RANGES, HOST_MORSEL_ROWS};
use crate::{ColumnData, FixedData, Result, RowMap, RowWidth, View, ViewGuard};
use columnade_buffers::{Buffer, Exec};

pub(super) fn aggregate(
    groups: &Groups,
    request: (Aggregation, View<'_>),
    exec: &Exec,
) -> Result<ColumnData> {
    let (aggregation, view) = request;
    let ids = groups.ids.rows.read(exec)?;
    let guard = view.read(exec)?;
    let column = KeyColumn::new(&guard);
    let rows = Rows {
        ids: &ids.as_slice::<u32>()[..groups.ids.len],
        guard: &guard,
        validity: if aggregation == Aggregation::Size { None } else { column.validity },
        masked: aggregation.is_null_without_values() && view.validity_bits().is_some(),
        groups: groups.len(),
        exec,
    };
    let fixed = match (&column.cells, view, aggregation) {
        (_, _, Aggregation::Count | Aggregation::Size) => rows.aggregate(&count()),
        (Cells::String(strings), _, Aggregation::Min) => {
            return rows.gather(&rows_of_strings(ExtremeString::<Minimum>::new(*strings)));
        }
        (Cells::String(strings), _, Aggregation::Max) => {
            return rows.gather(&rows_of_strings(ExtremeString::<Maximum>::new(*strings)));
        }
        (_, View::String(_), _) => return Err(crate::Error::UnsupportedStrings),
        (_, View::Fixed(fixed), _) => select(aggregation, fixed.storage, rows)?,
    };
    fixed.map(ColumnData::Fixed)
}

/// The rows to aggregate.
#[derive(Clone, Copy)]
struct Rows<'a> {
    ids: &'a [u32],
    guard: &'a ViewGuard<'a>,
    /// `None` also when the mask has no null, and when nulls are to be counted.
    validity: Option<BitSlice<'a>>,
    /// Whether the result has a mask whatever it is.
    masked: bool,
    groups: usize,
    exec: &'a Exec,
}

impl Visitor for Rows<'_> {
    type Output = Result<FixedData>;

    fn visit<A: Accumulator + 'static>(self, selected: Selected<A>) -> Result<FixedData> {
        self.aggregate(&selected)
    }
}

impl Rows<'_> {
    /// One result a group.
    fn aggregate<A: Accumulator>(self, selected: &Selected<A>) -> Result<FixedData> {
        let Selected { accumulator, read, write } = selected;
        let ranges = self.ranges();
        let range = self.ids.len().div_ceil(ranges).next_multiple_of(64).max(64);
        let width = self.groups + 1;
        let mut buffer = Buffer::uninit(ranges * width * size_of::<A::State>(), self.exec)?;
        let mut guard = buffer.write(self.exec)?;
        let states = &mut guard.as_mut_slice::<A::State>()[..ranges * width];
        for_each_chunk(states, width, |k, states| {
            states.fill(A::EMPTY);
            let (mut positions, mut scratch) = (Positions::new(), Scratch::<A>::new());
            let end = self.ids.len().min((k + 1) * range);
            for first in (k * range..end).step_by(BLOCK_ROWS) {
                let rows = BLOCK_ROWS.min(end - first);
                // The id of a row of no group is all ones: its position becomes 0.
                for (position, &id) in positions.all.iter_mut().zip(&self.ids[first..first + rows]) {
                    *position = id.wrapping_add(1);
                }
                let validity = self.validity.map(|bits| bits.slice(first, rows));
                let positions = positions.of(rows, validity);
                let values = read(Block::Column { guard: self.guard, first, rows }, &mut scratch.values);
                update(accumulator, values, positions, states, &mut scratch.partials);
            }
        });
        let states = &*states;
        let merged = |groups: std::ops::Range<usize>, merged: &mut [A::State]| {
            for (group, state) in groups.zip(merged) {
                *state = A::EMPTY;
                states.chunks_exact(width).for_each(|range| accumulator.merge(state, range[group + 1]));
            }
        };
        finish(accumulator, *write, self.groups, self.masked, &merged, self.exec)
    }

    /// Ranges of rows with states of their own. Depends on numbers of rows and groups alone, and so does the order of
    /// additions.
    fn ranges(&self) -> usize {
        let rows = self.ids.len();
        if rows < 2 * HOST_MORSEL_ROWS {
            return 1;
        }
        // Merging reads every state of every range: no more than an eighth of the rows.
        (rows / (8 * self.groups).max(HOST_MORSEL_ROWS)).clamp(2, AGGREGATE_RANGES)
    }

    /// The values of the rows that an accumulator chooses, one a group.
    fn gather<A: Accumulator<Output = u64>>(self, selected: &Selected<A>) -> Result<ColumnData> {
        let (view, nulls) = (self.guard.view(), self.masked);
        let rows = Rows { masked: false, ..self }.aggregate(selected)?;
        let map = RowMap { rows: rows.data, width: RowWidth::U64, len: rows.len };
        gather(&view, &map, if nulls { MapNulls::Possible } else { MapNulls::Never }, self.exec)
    }
}
