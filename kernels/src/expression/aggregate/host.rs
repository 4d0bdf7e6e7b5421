//! The fused pass over fixed ranges of rows.

use super::slots::{self, Slots};
use super::{Aggregated, Request};
use crate::aggregation::{Aggregation, GroupColumn, GroupStates, Positions, columns};
use crate::copying::gather::{MapNulls, gather};
use crate::expression::evaluate::{MORSEL_ROWS, Morsel, earlier};
use crate::expression::{Register, Source};
use crate::grouping::group_ids::NullKeys;
use crate::keys::{FirstRows, GroupTable, KeyColumn, KeyLayout, KeyWidth, NullRows, Origin, Packer};
use crate::parallel::{Pool, map_tasks};
use crate::scratch::Scratch;
use crate::{ColumnData, Result, RowMap, ViewGuard, access};
use columnade_buffers::Exec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows of a range with partial sums of its own. Fixed, so that sums of floats do not depend on the threads.
const RANGE_ROWS: usize = 128 * 1024;

/// Groups of a range from which the table and the sums leave the cache and partitioning pays: the pass gives up.
const MANY_GROUPS: usize = 8 * 1024;

/// Share of selected rows, one in so many, below which their values are packed before they are computed with.
const SPARSE: usize = 4;

/// The groups of one range, or of all.
enum GroupKeys {
    /// A ticket for each key.
    Table { table: GroupTable<u64>, first_rows: Vec<u64> },
    /// The keys are the groups: the first row of each, all ones for none.
    Slots(Scratch<u32>),
}

/// The groups of one range, and their states in each column.
struct Range<'p> {
    groups: GroupKeys,
    states: Vec<Box<dyn GroupStates + 'p>>,
}

/// All groups.
pub(super) struct Total {
    pub(super) groups: usize,
    /// The first row of each; none without keys.
    pub(super) first_rows: Vec<u64>,
}

/// What all ranges share.
struct Plan<'a> {
    request: &'a Request<'a>,
    inputs: &'a [ViewGuard<'a>],
    keys: Option<Packer<'a>>,
    key_bits: u32,
    /// The ranges of rows, if keys are groups.
    slots: Option<Slots>,
    /// Rows of a range.
    range_rows: usize,
    /// The registers that are aggregated.
    values: Vec<Register>,
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
    let key_columns: Vec<_> = key_guards.iter().map(KeyColumn::new).collect();
    let nulls = match request.null_keys {
        NullKeys::Drop => NullRows::Miss,
        NullKeys::Group => NullRows::Keys,
    };
    let layout = KeyLayout::measure(&key_columns, nulls);
    if !key_columns.is_empty() && layout.width() != KeyWidth::Word {
        return Ok(None);
    }
    let packer = (!key_columns.is_empty()).then(|| Packer::new(&layout, &key_columns, Origin::Measured));
    let bound = layout.bound().filter(|_| !key_columns.is_empty());
    let slots = bound.map(|bound| Slots::new(bound, request.rows, RANGE_ROWS, exec)).transpose()?.flatten();
    let plan = Plan::new(request, &inputs, packer, layout.bits(), slots);
    let ranges = request.rows.div_ceil(plan.range_rows);
    let mut columns = columns(request.aggregations, request.program, ranges)?;
    if let Some(slots) = &plan.slots {
        for column in &mut columns {
            column.reserve(slots.count, exec)?;
        }
    }
    let Some(ranges) = run(&plan, &columns, ranges)? else { return Ok(None) };
    let total = if plan.slots.is_some() {
        let first_rows = ranges.iter().filter_map(|range| match range {
            GroupKeys::Slots(first_rows) => Some(first_rows.as_slice()),
            GroupKeys::Table { .. } => None,
        });
        slots::merge(&first_rows.collect::<Vec<_>>(), request.rows, &mut columns, exec)?
    } else {
        merge(&ranges, &mut columns, &plan)?
    };
    finish(&total, &columns, &plan, exec).map(Some)
}

/// The groups of every range; `None` when there are too many.
fn run(plan: &Plan<'_>, columns: &[Box<dyn GroupColumn>], ranges: usize) -> Result<Option<Vec<GroupKeys>>> {
    let too_many = AtomicBool::new(false);
    let workers = Pool::new();
    let done = map_tasks(ranges, &|range| {
        if too_many.load(Relaxed) {
            return Ok(None);
        }
        let groups = workers.with(|| Worker::new(plan), |worker| worker.run(range, columns))?;
        too_many.fetch_or(groups.is_none(), Relaxed);
        Ok(groups)
    });
    let mut groups = Ok(Some(Vec::with_capacity(done.len())));
    for range in done {
        groups = match (groups, range) {
            // What overflows is found again by the operations that run for many groups.
            (_, Ok(None)) | (Ok(None), _) => Ok(None),
            (Ok(Some(mut groups)), Ok(Some(range))) => {
                groups.push(range);
                Ok(Some(groups))
            }
            (groups, range) => earlier(groups.map(drop), range.map(drop)).map(|()| None),
        };
    }
    groups
}

impl<'a> Plan<'a> {
    fn new(
        request: &'a Request<'a>,
        inputs: &'a [ViewGuard<'a>],
        keys: Option<Packer<'a>>,
        key_bits: u32,
        slots: Option<Slots>,
    ) -> Self {
        let registers = request.aggregations.iter().filter(|(a, _)| *a != Aggregation::Size).map(|&(_, r)| r);
        let values: Vec<Register> = registers.collect();
        let all_for_values = request.program.needed(values.iter().copied());
        let for_filter = request.program.needed(request.filter);
        let for_values =
            all_for_values.iter().zip(&for_filter).map(|(&value, &filter)| value && !filter).collect();
        let sources = request.program.inputs().iter();
        let packs =
            !sources.zip(&all_for_values).any(|(source, &needed)| needed && *source == Source::String);
        let range_rows = slots.as_ref().map_or(RANGE_ROWS, |slots| slots.range_rows);
        Self {
            request,
            inputs,
            keys,
            key_bits,
            slots,
            range_rows,
            values,
            for_filter,
            for_values,
            all_for_values,
            packs,
        }
    }
}

/// What one thread reuses from range to range.
struct Worker<'p> {
    plan: &'p Plan<'p>,
    morsel: Morsel<'p>,
    packed: Vec<u64>,
    tickets: Vec<u32>,
    selected: Vec<u32>,
    positions: Positions,
}

impl<'p> Worker<'p> {
    fn new(plan: &'p Plan<'p>) -> Self {
        Self {
            plan,
            morsel: Morsel::new(plan.request.program, plan.inputs),
            packed: vec![0; MORSEL_ROWS],
            tickets: vec![0; MORSEL_ROWS],
            selected: Vec::with_capacity(MORSEL_ROWS),
            positions: Positions::new(),
        }
    }

    /// `None` when the range has too many groups.
    fn run(&mut self, range: usize, columns: &[Box<dyn GroupColumn>]) -> Result<Option<GroupKeys>> {
        let plan = self.plan;
        let states = columns.iter().map(|column| column.start(range)).collect();
        let mut range_states = Range { groups: plan.groups_of_range(range), states };
        let first = range * plan.range_rows;
        let end = plan.request.rows.min(first + plan.range_rows);
        let mut overflow = Ok(());
        for start in (first..end).step_by(MORSEL_ROWS) {
            let taken = self.take(start, MORSEL_ROWS.min(end - start), &mut range_states);
            overflow = earlier(overflow, taken);
            if let GroupKeys::Table { table, .. } = &range_states.groups
                && table.len() > MANY_GROUPS
            {
                return Ok(None);
            }
        }
        overflow?;
        let Range { groups, states } = range_states;
        let count = plan.count(&groups);
        for states in states {
            states.end(count);
        }
        Ok(Some(groups))
    }

    /// Takes one morsel into the states of its groups.
    fn take(&mut self, start: usize, rows: usize, range: &mut Range<'_>) -> Result<()> {
        let plan = self.plan;
        let mut overflow = Ok(());
        let selection = match plan.request.filter {
            None => {
                self.morsel.load(start, rows, &plan.all_for_values);
                Selection::All
            }
            Some(filter) => {
                self.morsel.load(start, rows, &plan.for_filter);
                self.morsel.run(&plan.for_filter)?;
                overflow = self.morsel.check(Some(filter), &[]);
                self.select(filter, rows)
            }
        };
        match selection {
            Selection::None => return overflow,
            Selection::All | Selection::Dense => {
                self.group(start, rows, &selection, &mut range.groups);
                if plan.request.filter.is_some() {
                    self.morsel.load_inputs(&plan.for_values);
                }
                self.morsel.run(plan.for_values_after_filter())?;
                overflow = self.morsel.check(plan.request.filter, &plan.values);
            }
            Selection::Sparse => {
                self.group(start, rows, &selection, &mut range.groups);
                self.morsel.load_selected(&self.selected, &plan.all_for_values);
                self.morsel.run(&plan.all_for_values)?;
                overflow = earlier(overflow, self.morsel.check(None, &plan.values));
            }
        }
        let groups = plan.count(&range.groups);
        for states in &mut range.states {
            states.update(&self.morsel, &mut self.positions, groups);
        }
        overflow
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

    /// Fills the positions of the morsel's rows: of the selected rows one after another when they are sparse, else of
    /// every row, 0 for those not selected.
    fn group(&mut self, start: usize, rows: usize, selection: &Selection, groups: &mut GroupKeys) {
        let positions = &mut self.positions.all;
        let Some(packer) = &self.plan.keys else {
            match selection {
                Selection::Dense => {
                    positions[..rows].fill(0);
                    self.selected.iter().for_each(|&row| positions[row as usize] = 1);
                }
                _ => positions.fill(1),
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
        match groups {
            GroupKeys::Table { table, first_rows } => {
                let mut first_rows = FirstRows { rows: first_rows, row, same: |_, _| true };
                table.tickets_where(&packed[..taken], tickets, &mut first_rows);
            }
            GroupKeys::Slots(first_rows) => {
                let first_rows = first_rows.as_mut_slice();
                let mut note = |index: usize, key: u64| {
                    // A miss, all ones, has no first row.
                    if let Some(first) = first_rows.get_mut(key as usize)
                        && *first == u32::MAX
                    {
                        *first = row(index) as u32;
                    }
                };
                if !matches!(selection, Selection::Dense) {
                    for (index, (position, &key)) in positions.iter_mut().zip(&packed[..taken]).enumerate() {
                        *position = (key as u32).wrapping_add(1);
                        note(index, key);
                    }
                    return;
                }
                for (index, (ticket, &key)) in tickets.iter_mut().zip(&packed[..taken]).enumerate() {
                    *ticket = key as u32;
                    note(index, key);
                }
            }
        }
        // A row without a ticket has the ticket of all ones: its position becomes 0.
        if matches!(selection, Selection::Dense) {
            positions[..rows].fill(0);
            for (&row, &ticket) in self.selected.iter().zip(&*tickets) {
                positions[row as usize] = ticket.wrapping_add(1);
            }
        } else {
            for (position, &ticket) in positions.iter_mut().zip(&*tickets) {
                *position = ticket.wrapping_add(1);
            }
        }
    }
}

impl Plan<'_> {
    fn no_groups(&self) -> GroupKeys {
        GroupKeys::Table { table: GroupTable::on_heap(self.key_bits), first_rows: Vec::new() }
    }

    fn groups_of_range(&self, range: usize) -> GroupKeys {
        let slots = self.slots.as_ref().and_then(|slots| slots.first_rows(range));
        slots.map_or_else(|| self.no_groups(), GroupKeys::Slots)
    }

    /// The number of groups: without keys there is one.
    fn count(&self, groups: &GroupKeys) -> usize {
        match groups {
            _ if self.keys.is_none() => 1,
            GroupKeys::Table { table, .. } => table.len(),
            GroupKeys::Slots(first_rows) => first_rows.as_slice().len(),
        }
    }

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

/// Merges the ranges in order: groups keep the order of their first row. Returns the first rows.
fn merge(ranges: &[GroupKeys], columns: &mut [Box<dyn GroupColumn>], plan: &Plan<'_>) -> Result<Total> {
    let mut total = GroupTable::on_heap(plan.key_bits);
    let mut total_rows = Vec::new();
    let mut positions = Vec::new();
    for (index, range) in ranges.iter().enumerate() {
        positions.clear();
        positions.resize(plan.count(range), 0);
        if let GroupKeys::Table { table, first_rows } = range
            && plan.keys.is_some()
        {
            let row = |index: usize| first_rows[index] as usize;
            let mut first_rows = FirstRows { rows: &mut total_rows, row, same: |_, _| true };
            total.tickets_where(table.keys(), &mut positions, &mut first_rows);
        }
        for position in &mut positions {
            *position += 1;
        }
        let groups = if plan.keys.is_some() { total.len() } else { 1 };
        for column in &mut *columns {
            column.merge(index, &positions, groups)?;
        }
    }
    let groups = if plan.keys.is_some() { total.len() } else { 1 };
    Ok(Total { groups, first_rows: total_rows })
}

fn finish(
    total: &Total,
    columns: &[Box<dyn GroupColumn>],
    plan: &Plan<'_>,
    exec: &Exec,
) -> Result<Aggregated> {
    let groups = total.groups;
    // First rows ascend, so as many as there are rows are all of them.
    let keys = if total.first_rows.len() < plan.request.rows {
        let map = RowMap::from_u64(&total.first_rows, exec)?;
        let gathered = plan.request.keys.iter().map(|key| gather(key, &map, MapNulls::Never, exec));
        Some(gathered.collect::<Result<_>>()?)
    } else {
        None
    };
    let mut values = Vec::with_capacity(plan.request.aggregations.len());
    for column in columns {
        values.extend(column.finish(groups, exec));
    }
    values.sort_unstable_by_key(|(request, _)| *request);
    let value = |(request, values): (usize, Result<_>)| {
        values.map(ColumnData::Fixed).map_err(|error| error.of_request(request))
    };
    let values = values.into_iter().map(value).collect::<Result<_>>()?;
    Ok(Aggregated { groups, keys, values })
}
