//! Host implementation of `aggregate`: dense states by group, a set for each range of rows, merged in range order.

use crate::aggregation::{
    Accumulator, Aggregation, BLOCK_ROWS, Block, BlockScratch, ExtremeString, Maximum, Minimum, Positions,
    Selected, Visitor, count, finish, rows_of_strings, select, update,
};
use crate::bits::BitSlice;
use crate::copying::gather::{MapNulls, gather};
use crate::grouping::group_ids::Groups;
use crate::keys::{Cells, KeyColumn, NO_TICKET};
use crate::parallel::{for_each_part, map_tasks};
use crate::scratch;
use crate::tuning::{AGGREGATE_RANGES, HOST_MORSEL_ROWS};
use crate::{ColumnData, FixedData, Result, RowMap, RowWidth, View, ViewGuard};
use columnade_buffers::Exec;
use std::ops::Range;

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

/// States of so many groups are cheap to fill and merge.
const FEW_GROUPS: usize = 64 * 1024;

vectorised! {
    /// The least id, and the one after the greatest; all ones, the id of no group, is neither.
    fn extent[](ids: &[u32]) -> (u32, u32) {
        ids.iter().fold((u32::MAX, 0), |(first, end), &id| (first.min(id), end.max(id.wrapping_add(1))))
    }
}

/// A range of rows with states of its own.
struct Window {
    rows: Range<usize>,
    /// The least group of these rows.
    first: u32,
    /// The number of groups from that on to the greatest.
    groups: usize,
}

impl Window {
    /// The number of states; the first one is that of no group.
    fn states(&self) -> usize {
        self.groups + 1
    }
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
        let windows = self.windows();
        let total = windows.iter().map(Window::states).sum();
        let mut all = scratch::Scratch::<A::State>::uninit(total, self.exec)?;
        let mut rest = all.as_mut_slice();
        let mut parts = Vec::with_capacity(windows.len());
        for window in &windows {
            let (own, tail) = rest.split_at_mut(window.states());
            parts.push((window, own));
            rest = tail;
        }
        for_each_part(parts, |_, (window, states): (&Window, &mut [A::State])| {
            states.fill(A::EMPTY);
            let (mut positions, mut scratch) = (Positions::new(), BlockScratch::<A>::new());
            for first in window.rows.clone().step_by(BLOCK_ROWS) {
                let rows = BLOCK_ROWS.min(window.rows.end - first);
                for (position, &id) in positions.all.iter_mut().zip(&self.ids[first..first + rows]) {
                    // The id of a row of no group is all ones: its position becomes 0.
                    *position = if id == NO_TICKET { 0 } else { id - window.first + 1 };
                }
                let validity = self.validity.map(|bits| bits.slice(first, rows));
                let positions = positions.of(rows, validity);
                let values = read(Block::Column { guard: self.guard, first, rows }, &mut scratch.values);
                update(accumulator, values, positions, states, &mut scratch.partials);
            }
        });
        let mut rest = all.as_slice();
        let mut parts = Vec::with_capacity(windows.len());
        for window in &windows {
            let (own, tail) = rest.split_at(window.states());
            parts.push((window.first as usize, &own[1..]));
            rest = tail;
        }
        let merged = |groups: Range<usize>, merged: &mut [A::State]| {
            merged.fill(A::EMPTY);
            for &(first, states) in &parts {
                let start = groups.start.max(first);
                let end = groups.end.min(first + states.len());
                if start < end {
                    let states = &states[start - first..end - first];
                    for (state, &later) in merged[start - groups.start..].iter_mut().zip(states) {
                        accumulator.merge(state, later);
                    }
                }
            }
        };
        finish(accumulator, *write, self.groups, self.masked, &merged, self.exec)
    }

    /// The ranges of rows, and the groups that occur in each: ids are in the order of first appearance, so that many
    /// groups of a range may occur in no other.
    fn windows(&self) -> Vec<Window> {
        let ranges = self.ranges();
        let range = self.ids.len().div_ceil(ranges).next_multiple_of(64).max(64);
        let ids = self.ids;
        map_tasks(ranges, &|k| {
            let rows = (k * range).min(ids.len())..((k + 1) * range).min(ids.len());
            if self.groups <= FEW_GROUPS {
                return Window { rows, first: 0, groups: self.groups };
            }
            let (first, end) = extent(&ids[rows.clone()]);
            let groups = end.saturating_sub(first) as usize;
            Window { rows, first, groups }
        })
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
