//! States of groups: how the rows of a block enter them, and columns of them for an expression's morsels.

use super::Aggregation;
use super::accumulator::{Accumulator, Count, LANES};
use super::input::{BLOCK_ROWS, Block, Reader};
use super::mean::Mean;
use super::output::{Writer, finish};
use super::select::{MeanVisitor, Selected, SumOutput, Visitor, count, select, select_mean};
use super::sum::Sum;
use crate::bits::BitSlice;
use crate::expression::evaluate::Morsel;
use crate::expression::{Program, Register};
use crate::scratch::Memory;
use crate::{Error, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec, Pod, system_has_memory};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// States, that of no group included, up to which rows go through partial states in lanes.
const FEW_STATES: usize = 64;

/// Where each row of a block goes: the position of its group's state, which is the group plus one. State 0 takes the
/// rows of no group, and nulls.
pub(crate) struct Positions {
    /// Of all rows.
    pub(crate) all: [u32; BLOCK_ROWS],
    /// Of the rows of the values last asked for.
    valid: [u32; BLOCK_ROWS],
}

impl Positions {
    pub(crate) const fn new() -> Self {
        Self { all: [0; BLOCK_ROWS], valid: [0; BLOCK_ROWS] }
    }

    /// The positions of the first `rows` rows, 0 for those that are not valid.
    pub(crate) fn of(&mut self, rows: usize, validity: Option<BitSlice<'_>>) -> &[u32] {
        let Some(validity) = validity else { return &self.all[..rows] };
        let valid = &mut self.valid[..rows];
        for ((valid, all), word) in valid.chunks_mut(64).zip(self.all.chunks(64)).zip(validity.words()) {
            for (k, (valid, &position)) in valid.iter_mut().zip(all).enumerate() {
                // Without a branch: nulls are as unpredictable as their data.
                *valid = position * (word >> k & 1) as u32;
            }
        }
        valid
    }
}

/// What an accumulator needs to read a block, reused from block to block.
pub(crate) struct BlockScratch<A: Accumulator> {
    pub(crate) values: Vec<A::Input>,
    pub(crate) partials: Vec<A::Partial>,
}

impl<A: Accumulator> BlockScratch<A> {
    pub(crate) const fn new() -> Self {
        Self { values: Vec::new(), partials: Vec::new() }
    }
}

/// Takes the rows of a block into `states`; `positions` are below their number.
pub(crate) fn update<A: Accumulator>(
    accumulator: &A,
    values: &[A::Input],
    positions: &[u32],
    states: &mut [A::State],
    partials: &mut Vec<A::Partial>,
) {
    if states.len() > FEW_STATES || !accumulator.fits_partials(values) {
        for (&value, &position) in values.iter().zip(positions) {
            accumulator.add(&mut states[position as usize], value);
        }
        return;
    }
    // Always of the same length, which the compiler knows: no bounds are checked.
    partials.resize(FEW_STATES * LANES, A::EMPTY_PARTIAL);
    let Some(partials) = partials.first_chunk_mut::<{ FEW_STATES * LANES }>() else { return };
    partials[..states.len() * LANES].fill(A::EMPTY_PARTIAL);
    for (row, (&value, &position)) in values.iter().zip(positions).enumerate() {
        let slot = (position as usize * LANES + row % LANES) % (FEW_STATES * LANES);
        accumulator.add_partial(&mut partials[slot], value);
    }
    for (state, lanes) in states.iter_mut().zip(partials.as_chunks::<LANES>().0) {
        accumulator.merge_partials(state, lanes);
    }
}

/// The states of the groups of one range of rows.
pub(crate) trait GroupStates {
    /// Takes the rows of a morsel, which belong to the first `groups` groups.
    fn update(&mut self, morsel: &Morsel<'_>, positions: &mut Positions, groups: usize);

    /// Hands the states of `groups` groups to the column that started them.
    fn end(self: Box<Self>, groups: usize);
}

/// The states of one accumulator over one register: by ranges of rows, then of all rows.
pub(crate) trait GroupColumn: Send + Sync {
    /// Makes memory for the states of `groups` groups in each range, which are all there from the start. Without it, states
    /// are on the heap, as many as groups were found.
    fn reserve(&mut self, groups: usize, exec: &Exec) -> Result<()>;

    /// The states of a range, which are to be ended once.
    fn start(&self, range: usize) -> Box<dyn GroupStates + '_>;

    /// Makes memory for the states of all `groups` groups, for [`GroupColumn::merge_slots`].
    fn reserve_total(&mut self, groups: usize, exec: &Exec) -> Result<()>;

    /// Merges the states of all ranges in their order: group `g` of each is at `positions[g]` of the total, 0 if no range
    /// has it.
    fn merge_slots(&mut self, positions: &[u32]);

    /// Takes the states of a range after those of all ranges before it: group `g` of the range is at `positions[g]`
    /// of the `groups` groups so far.
    fn merge(&mut self, range: usize, positions: &[u32], groups: usize) -> Result<()>;

    /// The results of `groups` groups, each with the request that it answers.
    fn finish(&self, groups: usize, exec: &Exec) -> Vec<(usize, Result<FixedData>)>;
}

/// Makes one result column of the states of groups.
type Finish<S> = Box<dyn Fn(&[S], &Exec) -> Result<FixedData> + Send + Sync>;

struct Column<A: Accumulator> {
    accumulator: A,
    read: Reader<A::Input>,
    register: Register,
    /// Whether rows where the register is null stay out.
    skips_nulls: bool,
    /// The states of each range, before it starts and after it ended.
    ranges: Vec<Mutex<Memory<A::State>>>,
    total: Memory<A::State>,
    /// The requests answered, and how.
    results: Vec<(usize, Finish<A::State>)>,
    /// Bytes that the system refused to a range on the heap; 0 for none.
    refused: AtomicUsize,
}

/// The columns of states that answer `requests`, each of them once: an aggregation of a register of `program`, over `ranges` ranges
/// of rows. Requests share states where they can: sums and counts are part of a mean.
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::NotImplemented`] for registers of strings.
pub(crate) fn columns(
    requests: &[(Aggregation, Register)],
    program: &Program,
    ranges: usize,
) -> Result<Vec<Box<dyn GroupColumn>>> {
    let mut columns: Vec<Box<dyn GroupColumn>> = Vec::new();
    let mut answered = vec![false; requests.len()];
    for &(_, register) in requests.iter().filter(|(aggregation, _)| *aggregation == Aggregation::Mean) {
        let storage = storage(program, register)?;
        let parts: Vec<_> = (0..requests.len())
            .filter(|&request| !answered[request] && requests[request].1 == register)
            .filter_map(|request| Some((request, MeanPart::of(requests[request].0, storage)?)))
            .collect();
        for &(request, _) in &parts {
            answered[request] = true;
        }
        if !parts.is_empty() {
            columns.push(select_mean(storage, OfMean { requests: parts, register, ranges }));
        }
    }
    for (request, &(aggregation, register)) in requests.iter().enumerate() {
        let same = |other: &usize| {
            let (other, of) = requests[*other];
            other == aggregation && (of == register || aggregation == Aggregation::Size)
        };
        if answered[request] {
            continue;
        }
        let skips_nulls = aggregation != Aggregation::Size;
        let storage = if skips_nulls { storage(program, register)? } else { Storage::Bit };
        let requests = (request..requests.len()).filter(|other| !answered[*other]).filter(same).collect();
        let whole = Whole { requests, register, skips_nulls, ranges };
        for &request in &whole.requests {
            answered[request] = true;
        }
        columns.push(select(aggregation, storage, whole)?);
    }
    Ok(columns)
}

fn storage(program: &Program, register: Register) -> Result<Storage> {
    program.storage(register).ok_or(Error::NotImplemented { feature: "aggregation of strings" })
}

/// What a request takes from the states of a mean.
#[derive(Clone, Copy)]
enum MeanPart {
    Mean,
    /// The sum, stored so.
    Sum(Storage),
    Count,
}

impl MeanPart {
    fn of(aggregation: Aggregation, storage: Storage) -> Option<Self> {
        match aggregation {
            Aggregation::Mean => Some(MeanPart::Mean),
            Aggregation::Sum | Aggregation::SumWide => aggregation.output(storage).map(MeanPart::Sum),
            Aggregation::Count => Some(MeanPart::Count),
            Aggregation::Min
            | Aggregation::Max
            | Aggregation::Size
            | Aggregation::SumLow
            | Aggregation::SumHigh => None,
        }
    }
}

/// A column whose results are what its accumulator finishes.
struct Whole {
    requests: Vec<usize>,
    register: Register,
    skips_nulls: bool,
    ranges: usize,
}

impl Visitor for Whole {
    type Output = Box<dyn GroupColumn>;

    fn visit<A: Accumulator + 'static>(self, selected: Selected<A>) -> Self::Output {
        let mut column = Column::new(&selected, self.register, self.skips_nulls, self.ranges);
        for request in self.requests {
            column.answer(request, |state| state, selected.accumulator.clone(), selected.write);
        }
        Box::new(column)
    }
}

/// A column of means, whose results are means, sums and counts.
struct OfMean {
    requests: Vec<(usize, MeanPart)>,
    register: Register,
    ranges: usize,
}

impl MeanVisitor for OfMean {
    type Output = Box<dyn GroupColumn>;

    fn visit_mean<S: Sum + 'static>(self, selected: Selected<Mean<S>>) -> Self::Output
    where
        [S::State; 2]: Pod,
    {
        let mut column = Column::new(&selected, self.register, true, self.ranges);
        let Selected { accumulator, write, .. } = selected;
        for (request, part) in self.requests {
            match part {
                MeanPart::Mean => column.answer(request, |state| state, accumulator.clone(), write),
                MeanPart::Sum(storage) => {
                    let write = S::Output::writer(storage);
                    column.answer(request, |[sum, _]| sum, accumulator.0.clone(), write);
                }
                MeanPart::Count => {
                    column.answer(request, |[_, count]| S::count(count), Count, count().write);
                }
            }
        }
        Box::new(column)
    }
}

impl<A: Accumulator + 'static> Column<A> {
    /// The states of a range.
    fn take(&self, range: usize) -> Memory<A::State> {
        let mut states = self.ranges[range].lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *states, Memory::NONE)
    }

    fn new(selected: &Selected<A>, register: Register, skips_nulls: bool, ranges: usize) -> Self {
        Self {
            accumulator: selected.accumulator.clone(),
            read: selected.read,
            register,
            skips_nulls,
            ranges: std::iter::repeat_with(|| Mutex::new(Memory::NONE)).take(ranges).collect(),
            total: Memory::NONE,
            results: Vec::new(),
            refused: AtomicUsize::new(0),
        }
    }

    /// Makes memory for the states of `groups` groups, and one of no group. Where the system refuses memory, the states are
    /// worth nothing, and [`merge`](GroupColumn::merge) says so.
    fn grow(&self, states: &mut Memory<A::State>, groups: usize) -> bool {
        let Memory::Heap(states) = states else { return true };
        let more = (groups + 1).saturating_sub(states.len());
        if !has_memory(states, more) || states.try_reserve(more).is_err() {
            self.refused.store(more * size_of::<A::State>(), Ordering::Relaxed);
            return false;
        }
        states.resize(groups + 1, A::EMPTY);
        true
    }

    /// Answers `request` by what `accumulator` makes of a part of each state.
    fn answer<B: Accumulator + 'static>(
        &mut self,
        request: usize,
        part: fn(A::State) -> B::State,
        accumulator: B,
        write: Writer<B::Output>,
    ) {
        let result: Finish<A::State> = Box::new(move |states, exec| {
            let parts = |groups: Range<usize>, parts: &mut [B::State]| {
                for (to, &state) in parts.iter_mut().zip(&states[groups]) {
                    *to = part(state);
                }
            };
            finish(&accumulator, write, states.len(), false, &parts, exec)
        });
        self.results.push((request, result));
    }
}

impl<A: Accumulator + 'static> GroupColumn for Column<A> {
    fn reserve(&mut self, groups: usize, exec: &Exec) -> Result<()> {
        for range in &mut self.ranges {
            *range = Mutex::new(Memory::uninit(groups + 1, Some(exec))?);
        }
        Ok(())
    }

    fn start(&self, range: usize) -> Box<dyn GroupStates + '_> {
        let mut states = self.take(range);
        states.as_mut_slice().fill(A::EMPTY);
        Box::new(RangeStates { column: self, range, states, scratch: BlockScratch::new() })
    }

    fn merge(&mut self, range: usize, positions: &[u32], groups: usize) -> Result<()> {
        let later = self.take(range);
        let Memory::Heap(total) = &mut self.total else {
            return Err(Error::Internal {
                invariant: "states that are merged range by range are on the heap",
            });
        };
        let refused = self.refused.load(Ordering::Relaxed);
        let more = (groups + 1).saturating_sub(total.len());
        if refused > 0 || !has_memory(total, more) || total.try_reserve(more).is_err() {
            let requested = refused.max(more * size_of::<A::State>());
            let (device, free, tier_refusal) = (Device::Host, None, None);
            return Err(
                columnade_buffers::Error::OutOfMemory { device, requested, free, tier_refusal }.into()
            );
        }
        total.resize(groups + 1, A::EMPTY);
        for (&later, &position) in later.as_slice().iter().skip(1).zip(positions) {
            self.accumulator.merge(&mut total[position as usize], later);
        }
        Ok(())
    }

    fn reserve_total(&mut self, groups: usize, exec: &Exec) -> Result<()> {
        self.total = Memory::uninit(groups + 1, Some(exec))?;
        Ok(())
    }

    fn merge_slots(&mut self, positions: &[u32]) {
        let ranges: Vec<_> = (0..self.ranges.len()).map(|range| self.take(range)).collect();
        let ranges: Vec<&[A::State]> = ranges.iter().map(|states| &states.as_slice()[1..]).collect();
        let total = self.total.as_mut_slice();
        for (slot, &position) in positions.iter().enumerate().filter(|(_, position)| **position > 0) {
            let mut state = A::EMPTY;
            for range in &ranges {
                self.accumulator.merge(&mut state, range[slot]);
            }
            total[position as usize] = state;
        }
    }

    fn finish(&self, groups: usize, exec: &Exec) -> Vec<(usize, Result<FixedData>)> {
        // Without rows there are no ranges, but there may be a group of them.
        let none = vec![A::EMPTY; if self.total.as_slice().len() > groups { 0 } else { groups }];
        let states = self.total.as_slice().get(1..=groups).unwrap_or(&none);
        self.results.iter().map(|(request, result)| (*request, result(states, exec))).collect()
    }
}

struct RangeStates<'c, A: Accumulator> {
    column: &'c Column<A>,
    range: usize,
    states: Memory<A::State>,
    scratch: BlockScratch<A>,
}

impl<A: Accumulator + 'static> GroupStates for RangeStates<'_, A> {
    fn update(&mut self, morsel: &Morsel<'_>, positions: &mut Positions, groups: usize) {
        let Column { accumulator, read, register, skips_nulls, .. } = self.column;
        if !self.column.grow(&mut self.states, groups) {
            return;
        }
        let validity = if *skips_nulls { morsel.validity(*register) } else { None };
        let validity = validity.map(|words| BitSlice::new(bytemuck::cast_slice(words), 0, morsel.rows()));
        let positions = positions.of(morsel.rows(), validity);
        let values = read(Block::Morsel { morsel, register: *register }, &mut self.scratch.values);
        update(accumulator, values, positions, self.states.as_mut_slice(), &mut self.scratch.partials);
    }

    fn end(self: Box<Self>, groups: usize) {
        let Self { column, range, mut states, .. } = *self;
        column.grow(&mut states, groups);
        *column.ranges[range].lock().unwrap_or_else(PoisonError::into_inner) = states;
    }
}

/// Whether the system has memory for `more` values: a vector that grows has twice its values, and the old ones beside them.
fn has_memory<T>(values: &Vec<T>, more: usize) -> bool {
    let grown = values.len().saturating_add(more);
    grown <= values.capacity() || system_has_memory(grown.max(2 * values.capacity()) * size_of::<T>())
}
