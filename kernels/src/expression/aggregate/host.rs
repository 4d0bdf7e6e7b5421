//! The fused pass over fixed ranges of rows.

use super::states::{Kind, Places, State, Values};
use super::{Aggregated, Request};
use crate::copying::gather::{MapNulls, gather};
use crate::expression::evaluate::{MORSEL_ROWS, Morsel};
use crate::expression::{Register, Source};
use crate::grouping::aggregate::Aggregation;
use crate::grouping::group_ids::NullKeys;
use crate::keys::{FirstRows, GroupTable, KeyColumn, KeyLayout, KeyWidth, NullRows, Origin, Packer};
use crate::{ColumnData, Error, FixedData, Result, RowMap, Storage, Value, ViewGuard, access};
use columnade_buffers::{Buffer, Exec};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows of a range with partial sums of its own. Fixed, so that sums of floats do not depend on the threads.
const RANGE_ROWS: usize = 128 * 1024;

/// Groups of a range from which the table and the sums leave the cache and partitioning pays: the pass gives up.
const MANY_GROUPS: usize = 8 * 1024;

/// Share of selected rows, one in so many, below which their values are packed before they are computed with.
const SPARSE: usize = 4;

/// The groups and running values of one range.
struct Range {
    table: GroupTable<u64>,
    first_rows: Vec<u64>,
    states: Vec<State>,
}

/// What all ranges share.
struct Plan<'a> {
    request: &'a Request<'a>,
    inputs: &'a [ViewGuard<'a>],
    keys: Option<Packer<'a>>,
    key_bits: u32,
    kinds: Vec<Kind>,
    /// Registers that the filter needs.
    for_filter: Vec<bool>,
    /// Further registers that the aggregates need.
    for_values: Vec<bool>,
    /// All registers that the aggregates need.
    all_for_values: Vec<bool>,
    /// Whether the values of few selected rows may be packed: text is only read in place.
    packs: bool,
}

/// `None` when there are too many groups, or keys too wide, for this pass.
pub(super) fn aggregate(request: &Request<'_>, exec: &Exec) -> Result<Option<Aggregated>> {
    let inputs = access(request.inputs, exec)?;
    let key_guards = access(request.keys, exec)?;
    let columns: Vec<_> = key_guards.iter().map(KeyColumn::new).collect();
    let nulls = match request.null_keys {
        NullKeys::Drop => NullRows::Miss,
        NullKeys::Group => NullRows::Keys,
    };
    let layout = KeyLayout::measure(&columns, nulls);
    if !columns.is_empty() && layout.width() != KeyWidth::Word {
        return Ok(None);
    }
    let packer = (!columns.is_empty()).then(|| Packer::new(&layout, &columns, Origin::Measured));
    let plan = Plan::new(request, &inputs, packer, layout.bits())?;
    let too_many = AtomicBool::new(false);
    let ranges = request.rows.div_ceil(RANGE_ROWS);
    let done: Vec<Option<Range>> = (0..ranges)
        .into_par_iter()
        .map_init(
            || Worker::new(&plan),
            |worker, range| {
                if too_many.load(Relaxed) {
                    return Ok(None);
                }
                let range = worker.run(range)?;
                too_many.fetch_or(range.is_none(), Relaxed);
                Ok(range)
            },
        )
        .collect::<Result<_>>()?;
    let Some(ranges) = done.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let total = merge(ranges, &plan);
    finish(&total, &plan, exec).map(Some)
}

impl<'a> Plan<'a> {
    fn new(
        request: &'a Request<'a>,
        inputs: &'a [ViewGuard<'a>],
        keys: Option<Packer<'a>>,
        key_bits: u32,
    ) -> Result<Self> {
        let mut kinds: Vec<Kind> = Vec::new();
        for &(aggregation, register) in request.aggregations {
            for kind in kinds_of(aggregation, register, request)? {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        let registers =
            request.aggregations.iter().filter(|(a, _)| *a != Aggregation::CountAll).map(|&(_, r)| r);
        let all_for_values = request.program.needed(registers);
        let for_filter = request.program.needed(request.filter);
        let for_values =
            all_for_values.iter().zip(&for_filter).map(|(&value, &filter)| value && !filter).collect();
        let sources = request.program.inputs().iter();
        let packs =
            !sources.zip(&all_for_values).any(|(source, &needed)| needed && *source == Source::String);
        Ok(Self { request, inputs, keys, key_bits, kinds, for_filter, for_values, all_for_values, packs })
    }
}

fn kinds_of(aggregation: Aggregation, register: Register, request: &Request<'_>) -> Result<Vec<Kind>> {
    if aggregation == Aggregation::CountAll {
        return Ok(vec![Kind::Rows]);
    }
    let storage = request.program.storage(register);
    let storage = storage.ok_or(Error::NotImplemented { feature: "aggregates of text" })?;
    Ok(Kind::of(aggregation, register, storage))
}

/// What one thread reuses from range to range.
struct Worker<'p> {
    plan: &'p Plan<'p>,
    morsel: Morsel<'p>,
    packed: Vec<u64>,
    tickets: Vec<u32>,
    selected: Vec<u32>,
    places: Places,
}

impl<'p> Worker<'p> {
    fn new(plan: &'p Plan<'p>) -> Self {
        Self {
            plan,
            morsel: Morsel::new(plan.request.program, plan.inputs),
            packed: vec![0; MORSEL_ROWS],
            tickets: vec![0; MORSEL_ROWS],
            selected: Vec::with_capacity(MORSEL_ROWS),
            places: Places { all: [0; MORSEL_ROWS] },
        }
    }

    /// `None` when the range has too many groups.
    fn run(&mut self, range: usize) -> Result<Option<Range>> {
        let plan = self.plan;
        let states = plan.kinds.iter().map(|&kind| State::new(kind)).collect();
        let mut range_state =
            Range { table: GroupTable::on_heap(plan.key_bits), first_rows: Vec::new(), states };
        let first = range * RANGE_ROWS;
        let end = plan.request.rows.min(first + RANGE_ROWS);
        for start in (first..end).step_by(MORSEL_ROWS) {
            self.take(start, MORSEL_ROWS.min(end - start), &mut range_state)?;
            if range_state.table.len() > MANY_GROUPS {
                return Ok(None);
            }
        }
        Ok(Some(range_state))
    }

    /// Takes one morsel into the running values.
    fn take(&mut self, start: usize, rows: usize, range: &mut Range) -> Result<()> {
        let plan = self.plan;
        let selection = match plan.request.filter {
            None => {
                self.morsel.load(start, rows, &plan.all_for_values);
                Selection::All
            }
            Some(filter) => {
                self.morsel.load(start, rows, &plan.for_filter);
                self.morsel.run(&plan.for_filter)?;
                self.select(filter, rows)
            }
        };
        match selection {
            Selection::None => return Ok(()),
            Selection::All | Selection::Dense => {
                self.group(start, rows, &selection, range);
                if plan.request.filter.is_some() {
                    self.morsel.load_inputs(&plan.for_values);
                }
                self.morsel.run(plan.for_values_after_filter())?;
            }
            Selection::Sparse => {
                self.group(start, rows, &selection, range);
                self.morsel.load_selected(&self.selected, &plan.all_for_values);
                self.morsel.run(&plan.all_for_values)?;
            }
        }
        let groups = if plan.keys.is_some() { range.table.len() } else { 1 };
        for state in &mut range.states {
            state.grow(groups);
            state.update(&self.morsel, &self.places);
        }
        Ok(())
    }

    /// Lists the rows where the filter is true.
    fn select(&mut self, filter: Register, rows: usize) -> Selection {
        self.selected.clear();
        let valid = self.morsel.validity(filter);
        for (k, &bits) in self.morsel.bits(filter).iter().enumerate().take(rows.div_ceil(64)) {
            let mut word = bits & valid.map_or(u64::MAX, |mask| mask[k]);
            if rows - k * 64 < 64 {
                word &= (1 << (rows - k * 64)) - 1;
            }
            while word != 0 {
                self.selected.push((k * 64) as u32 + word.trailing_zeros());
                word &= word - 1;
            }
        }
        match self.selected.len() {
            0 => Selection::None,
            n if n == rows => Selection::All,
            n if n * SPARSE < rows && self.plan.packs => Selection::Sparse,
            _ => Selection::Dense,
        }
    }

    /// Fills the places of the morsel's rows: of the selected rows one after another when they are sparse, else of
    /// every row, 0 for those not selected.
    fn group(&mut self, start: usize, rows: usize, selection: &Selection, range: &mut Range) {
        let places = &mut self.places.all;
        let Some(packer) = &self.plan.keys else {
            match selection {
                Selection::Dense => {
                    places[..rows].fill(0);
                    self.selected.iter().for_each(|&row| places[row as usize] = 1);
                }
                _ => places.fill(1),
            }
            return;
        };
        let packed = &mut self.packed[..rows];
        packer.pack(start, packed);
        let some = !matches!(selection, Selection::All);
        if some {
            for (to, &row) in self.selected.iter().enumerate() {
                packed[to] = packed[row as usize];
            }
        }
        let taken = if some { self.selected.len() } else { rows };
        let tickets = &mut self.tickets[..taken];
        let selected = &self.selected;
        let row = |index: usize| start + if some { selected[index] as usize } else { index };
        let mut first_rows = FirstRows { rows: &mut range.first_rows, row, same: |_, _| true };
        range.table.tickets_where(&packed[..taken], tickets, &mut first_rows);
        // A row without a ticket has the ticket of all ones: its place becomes 0.
        if matches!(selection, Selection::Dense) {
            places[..rows].fill(0);
            for (&row, &ticket) in self.selected.iter().zip(&*tickets) {
                places[row as usize] = ticket.wrapping_add(1);
            }
        } else {
            for (place, &ticket) in places.iter_mut().zip(&*tickets) {
                *place = ticket.wrapping_add(1);
            }
        }
    }
}

impl Plan<'_> {
    /// The registers that still have to be computed once the filter has run on every row.
    fn for_values_after_filter(&self) -> &[bool] {
        if self.request.filter.is_some() { &self.for_values } else { &self.all_for_values }
    }
}

/// How many rows of a morsel the filter keeps.
enum Selection {
    None,
    Sparse,
    Dense,
    All,
}

/// Merges the ranges in order: groups keep the order of their first row.
fn merge(ranges: Vec<Range>, plan: &Plan<'_>) -> Range {
    let states = plan.kinds.iter().map(|&kind| State::new(kind)).collect();
    let mut total = Range { table: GroupTable::on_heap(plan.key_bits), first_rows: Vec::new(), states };
    let mut tickets = Vec::new();
    let mut count = usize::from(plan.keys.is_none());
    for state in &mut total.states {
        state.grow(count);
    }
    for range in ranges {
        let groups = if plan.keys.is_some() { range.table.len() } else { 1 };
        tickets.clear();
        tickets.resize(groups, 0);
        if plan.keys.is_some() {
            let row = |index: usize| range.first_rows[index] as usize;
            let mut first_rows = FirstRows { rows: &mut total.first_rows, row, same: |_, _| true };
            total.table.tickets_where(range.table.keys(), &mut tickets, &mut first_rows);
            count = total.table.len();
        }
        for ticket in &mut tickets {
            *ticket += 1;
        }
        for (into, mut from) in total.states.iter_mut().zip(range.states) {
            from.grow(groups);
            into.grow(count);
            into.merge(&from, &tickets);
        }
    }
    total
}

fn finish(total: &Range, plan: &Plan<'_>, exec: &Exec) -> Result<Aggregated> {
    let groups = if plan.keys.is_some() { total.table.len() } else { 1 };
    let map = RowMap::from_u64(&total.first_rows, exec)?;
    let keys = plan
        .request
        .keys
        .iter()
        .map(|key| gather(key, &map, MapNulls::Never, exec))
        .collect::<Result<_>>()?;
    let values = plan
        .request
        .aggregations
        .iter()
        .map(|&(aggregation, register)| result(aggregation, register, total, plan, groups, exec))
        .collect::<Result<_>>()?;
    Ok(Aggregated { groups, keys, values })
}

/// The column of one aggregation.
fn result(
    aggregation: Aggregation,
    register: Register,
    total: &Range,
    plan: &Plan<'_>,
    groups: usize,
    exec: &Exec,
) -> Result<ColumnData> {
    let kinds = kinds_of(aggregation, register, plan.request)?;
    let state =
        |kind: &Kind| total.states.iter().find(|state| state.kind == *kind).map(|state| &state.values);
    let storage = plan.request.program.storage(register).unwrap_or(Storage::I64);
    let data = match (state(&kinds[0]), kinds.get(1).and_then(state)) {
        (Some(Values::Counts(counts)), _) => column(Storage::I64, &counts[1..=groups], None, exec)?,
        (Some(Values::Exact(sums)), Some(Values::Counts(counts))) => {
            mean(sums[1..=groups].iter().map(|&sum| sum as f64), &counts[1..=groups], exec)?
        }
        (Some(Values::Floats(sums)), Some(Values::Counts(counts))) => {
            // As of the sum below: the mean of negative zeros is 0, whatever ranges and pieces they came in.
            mean(sums[1..=groups].iter().map(|&sum| sum + 0.0), &counts[1..=groups], exec)?
        }
        (Some(Values::Exact(sums)), _) => {
            let sums = &sums[1..=groups];
            if aggregation == Aggregation::SumWide || storage == Storage::I128 {
                column(Storage::I128, sums, None, exec)?
            } else if matches!(storage, Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64) {
                column(Storage::U64, &sums.iter().map(|&sum| sum as u64).collect::<Vec<_>>(), None, exec)?
            } else {
                column(Storage::I64, &sums.iter().map(|&sum| sum as i64).collect::<Vec<_>>(), None, exec)?
            }
        }
        (Some(Values::Floats(sums)), _) => {
            // A sum of nothing is 0, not the −0.0 that sums start from.
            let sums = sums[1..=groups].iter().map(|&sum| sum + 0.0);
            if storage == Storage::F32 {
                column(Storage::F32, &sums.map(|sum| sum as f32).collect::<Vec<_>>(), None, exec)?
            } else {
                column(Storage::F64, &sums.collect::<Vec<_>>(), None, exec)?
            }
        }
        (Some(Values::Extremes(extremes)), _) => extremes_column(storage, &extremes[1..=groups], exec)?,
        (None, _) => return Err(Error::NotImplemented { feature: "this aggregation" }),
    };
    Ok(ColumnData::Fixed(data))
}

fn mean(sums: impl Iterator<Item = f64>, counts: &[i64], exec: &Exec) -> Result<FixedData> {
    let means: Vec<f64> = sums.zip(counts).map(|(sum, &count)| sum / count as f64).collect();
    let valid: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
    column(Storage::F64, &means, Some(&valid), exec)
}

fn extremes_column(storage: Storage, extremes: &[Option<Value>], exec: &Exec) -> Result<FixedData> {
    let valid: Vec<bool> = extremes.iter().map(Option::is_some).collect();
    let zero = Value::zero(storage);
    dispatch!(storage, T => {
        let value = |extreme: &Option<Value>| extreme.and_then(<T as crate::Element>::from_value).unwrap_or_default();
        column(storage, &extremes.iter().map(value).collect::<Vec<T>>(), Some(&valid), exec)
    }, bit => {
        let bits: Vec<bool> = extremes.iter().map(|extreme| extreme.unwrap_or(zero) == Value::Bit(true)).collect();
        column(storage, &pack(&bits), Some(&valid), exec)
    })
}

fn column<T: columnade_buffers::Pod>(
    storage: Storage,
    values: &[T],
    valid: Option<&[bool]>,
    exec: &Exec,
) -> Result<FixedData> {
    let len = match storage.width() {
        Some(_) => values.len(),
        None => valid.map_or(0, <[bool]>::len),
    };
    let validity = match valid {
        Some(valid) if valid.contains(&false) => Some(Buffer::from_slice(&pack(valid), exec)?),
        _ => None,
    };
    Ok(FixedData { storage, len, data: Buffer::from_slice(values, exec)?, validity })
}

fn pack(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8)
        .map(|byte| byte.iter().enumerate().fold(0, |packed, (k, &bit)| packed | u8::from(bit) << k))
        .collect()
}
