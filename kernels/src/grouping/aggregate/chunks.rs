//! Aggregates of rows that come chunk by chunk, with their groups: one state a group, kept from one chunk to the next.

use crate::aggregation::{
    Accumulator, Aggregation, BLOCK_ROWS, Block, BlockScratch, Positions, Selected, Visitor, finish, select,
    update,
};
use crate::keys::{KeyColumn, NO_TICKET};
use crate::parallel::{for_each_part, threads};
use crate::scratch::Scratch;
use crate::{ColumnData, Error, FixedData, Result, RowMap, Storage, View, ViewGuard, access};
use columnade_buffers::Exec;
use std::ops::Range;

/// Groups from which on threads share them.
const SHARED_GROUPS: usize = 64 * 1024;

/// Aggregates rows that come chunk by chunk, each with the group of each row.
///
/// ```text
/// ids  0 1 0   none 1      values  5 null 2   9 null      Sum  7 0      Max  5 null
/// ```
/// Float sums add the rows of a group in their order: they are the same bytes whatever the number of threads, and with
/// more than 255 groups whatever the chunks.
///
/// # Device
/// The host only. Threads share the groups and each reads all rows of a chunk. Memory is for one state a group and aggregate.
pub struct ChunkedAggregates {
    columns: Vec<Box<dyn GroupColumn>>,
}

/// The states of all groups for one aggregate.
trait GroupColumn {
    fn update(&mut self, ids: &[u32], guard: &ViewGuard<'_>);
    fn finish(&self, exec: &Exec) -> Result<FixedData>;
}

struct Column<A: Accumulator> {
    selected: Selected<A>,
    aggregation: Aggregation,
    groups: usize,
    /// For each range of groups: a state for rows of no group, and one for each group.
    states: Scratch<A::State>,
    ranges: Vec<Range<usize>>,
    /// Whether a chunk had a mask.
    masked: bool,
}

impl ChunkedAggregates {
    /// No rows so far, of `groups` groups. Each request is of values of this storage type.
    ///
    /// # Errors
    /// [`Error::UnsupportedStorage`] as [`aggregate`](super::aggregate()); [`Error::Memory`].
    pub fn new(requests: &[(Aggregation, Storage)], groups: usize, exec: &Exec) -> Result<Self> {
        let column = |&(aggregation, storage): &(Aggregation, Storage)| {
            select(aggregation, storage, New { aggregation, groups, exec })?
        };
        Ok(Self { columns: requests.iter().map(column).collect::<Result<_>>()? })
    }

    /// The bytes of one group for a request.
    ///
    /// # Errors
    /// [`Error::UnsupportedStorage`].
    pub fn group_bytes(aggregation: Aggregation, storage: Storage) -> Result<usize> {
        select(aggregation, storage, StateBytes)
    }

    /// Takes the rows of the next chunk, `views` for each request in order; that of [`Aggregation::Size`] is not read.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::Memory`].
    pub fn add(&mut self, ids: &RowMap, views: &[View<'_>], exec: &Exec) -> Result<()> {
        if let Some(view) = views.iter().find(|view| view.len() != ids.len) {
            return Err(Error::LengthMismatch { left: ids.len, right: view.len() });
        }
        let guards = access(views, exec)?;
        let rows = ids.rows.read(exec)?;
        let ids = &rows.as_slice::<u32>()[..ids.len];
        for (column, guard) in self.columns.iter_mut().zip(&guards) {
            column.update(ids, guard);
        }
        Ok(())
    }

    /// One result a request, each with one row a group.
    ///
    /// # Errors
    /// [`Error::RequestOverflow`] as [`aggregate`](super::aggregate()); [`Error::Memory`].
    pub fn finish(self, exec: &Exec) -> Result<Vec<ColumnData>> {
        let finish = |(request, column): (usize, Box<dyn GroupColumn>)| {
            column.finish(exec).map(ColumnData::Fixed).map_err(|error| error.of_request(request))
        };
        self.columns.into_iter().enumerate().map(finish).collect()
    }
}

/// Makes the states of a request.
struct New<'a> {
    aggregation: Aggregation,
    groups: usize,
    exec: &'a Exec,
}

impl Visitor for New<'_> {
    type Output = Result<Box<dyn GroupColumn>>;

    fn visit<A: Accumulator + 'static>(self, selected: Selected<A>) -> Self::Output {
        let Self { aggregation, groups, exec } = self;
        // Ranges are large, so that the order of additions does not depend on their number.
        let parts = threads().min(groups / SHARED_GROUPS).max(1);
        let range = groups.div_ceil(parts).max(1);
        let ranges: Vec<_> =
            (0..parts).map(|part| (part * range).min(groups)..((part + 1) * range).min(groups)).collect();
        let states = Scratch::filled(groups + ranges.len(), A::EMPTY, exec)?;
        Ok(Box::new(Column { selected, aggregation, groups, states, ranges, masked: false }))
    }
}

struct StateBytes;

impl Visitor for StateBytes {
    type Output = usize;

    fn visit<A: Accumulator + 'static>(self, _: Selected<A>) -> usize {
        size_of::<A::State>()
    }
}

impl<A: Accumulator + 'static> GroupColumn for Column<A> {
    fn update(&mut self, ids: &[u32], guard: &ViewGuard<'_>) {
        let Self { selected, aggregation, states, ranges, masked, .. } = self;
        let Selected { accumulator, read, .. } = selected;
        let validity = if *aggregation == Aggregation::Size { None } else { KeyColumn::new(guard).validity };
        *masked |= aggregation.is_null_without_values() && guard.view().validity_bits().is_some();
        let mut rest = states.as_mut_slice();
        let mut parts = Vec::with_capacity(ranges.len());
        for groups in &*ranges {
            let (own, tail) = rest.split_at_mut(groups.len() + 1);
            parts.push((groups.clone(), own));
            rest = tail;
        }
        for_each_part(parts, |_, (groups, states): (Range<usize>, &mut [A::State])| {
            let (mut positions, mut scratch) = (Positions::new(), BlockScratch::<A>::new());
            let (start, count) = (groups.start as u32, groups.len() as u32);
            for (block, ids) in ids.chunks(BLOCK_ROWS).enumerate() {
                for (position, &id) in positions.all.iter_mut().zip(ids) {
                    // Rows of other ranges and of no group have position 0.
                    let group = id.wrapping_sub(start);
                    *position = if group < count && id != NO_TICKET { group + 1 } else { 0 };
                }
                let (first, rows) = (block * BLOCK_ROWS, ids.len());
                let validity = validity.map(|bits| bits.slice(first, rows));
                let positions = positions.of(rows, validity);
                let values = read(Block::Column { guard, first, rows }, &mut scratch.values);
                update(accumulator, values, positions, states, &mut scratch.partials);
            }
        });
    }

    fn finish(&self, exec: &Exec) -> Result<FixedData> {
        let Selected { accumulator, write, .. } = &self.selected;
        let states = self.states.as_slice();
        let of_groups = |groups: Range<usize>, out: &mut [A::State]| {
            for (part, range) in self.ranges.iter().enumerate() {
                let (start, end) = (range.start.max(groups.start), range.end.min(groups.end));
                if start < end {
                    // Each range before this one has a state more than groups, and so has this one.
                    let from = start + part + 1;
                    out[start - groups.start..end - groups.start]
                        .copy_from_slice(&states[from..from + end - start]);
                }
            }
        };
        finish(accumulator, *write, self.groups, self.masked, &of_groups, exec)
    }
}
