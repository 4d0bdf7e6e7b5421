//! Groups of dense keys: the key is the position of the group's state.

use super::host::Total;
use crate::Result;
use crate::aggregation::GroupColumn;
use crate::expression::evaluate::MORSEL_ROWS;
use crate::parallel::for_each_part;
use crate::scratch::Scratch;
use columnade_buffers::Exec;
use std::sync::{Mutex, PoisonError};

/// Rows for each possible key, at least: fewer do not pay for filling and merging the states.
const ROWS_PER_SLOT: usize = 16;

/// Possible keys whose states are cheap to fill, however few rows there are.
const FEW_SLOTS: usize = 512;

/// Rows of a range for each state that has to be filled and merged: of six sums over 20,000 possible keys, 8 rows took 1.4 times
/// as long as 32 (question g9 of db-benchmark, 1e7 rows, two cores).
const RANGE_ROWS_PER_SLOT: usize = 32;

/// Ranges at least, if there are enough rows: each is the work of one thread.
const LEAST_RANGES: usize = 4;

/// How the rows are divided into ranges, each with a state for every possible key.
pub(super) struct Slots {
    /// All keys are less.
    pub(super) count: usize,
    /// Rows of a range; depends on the rows and the keys, never on the threads.
    pub(super) range_rows: usize,
    /// Memory for the first rows of each range.
    first_rows: Vec<Mutex<Option<Scratch<u32>>>>,
}

impl Slots {
    /// `None` if there are too many possible keys for `rows` rows. A range has `least_rows` rows or more.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(super) fn new(count: usize, rows: usize, least_rows: usize, exec: &Exec) -> Result<Option<Self>> {
        let is_dense = count.saturating_mul(ROWS_PER_SLOT) <= rows || count <= FEW_SLOTS;
        if !is_dense || rows == 0 || u32::try_from(rows).is_err() {
            return Ok(None);
        }
        let most = rows / (RANGE_ROWS_PER_SLOT * count).max(least_rows);
        let ranges = most.max(LEAST_RANGES.min(rows.div_ceil(least_rows)));
        let range_rows = rows.div_ceil(ranges).next_multiple_of(MORSEL_ROWS);
        let memory = |_| Ok(Mutex::new(Some(Scratch::filled(count, u32::MAX, exec)?)));
        let first_rows = (0..rows.div_ceil(range_rows)).map(memory).collect::<Result<_>>()?;
        Ok(Some(Self { count, range_rows, first_rows }))
    }

    /// The first rows of a range, all ones so far; once for each range.
    pub(super) fn first_rows(&self, range: usize) -> Option<Scratch<u32>> {
        self.first_rows.get(range)?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Merges the states of ranges in their order. Groups come in the order of their first rows.
pub(super) fn merge(
    ranges: &[&[u32]],
    rows: usize,
    columns: &mut [Box<dyn GroupColumn>],
    exec: &Exec,
) -> Result<Total> {
    let slots = ranges.first().map_or(0, |first_rows| first_rows.len());
    // Ranges are in the order of rows: the first that has a group has its first row.
    let first_of =
        |slot: usize| ranges.iter().map(|first_rows| first_rows[slot]).find(|&row| row != u32::MAX);
    let mut marks = Scratch::filled(rows.div_ceil(64), 0_u64, exec)?;
    let marked = marks.as_mut_slice();
    for row in (0..slots).filter_map(first_of) {
        marked[row as usize / 64] |= 1 << (row % 64);
    }
    // The number of marked rows before each word.
    let mut before = Scratch::uninit(marked.len(), exec)?;
    let mut first_rows = Vec::new();
    for (word, (before, &bits)) in before.as_mut_slice().iter_mut().zip(&*marked).enumerate() {
        *before = first_rows.len() as u32;
        let mut bits = bits;
        while bits != 0 {
            first_rows.push((word * 64) as u64 + u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
    let before = before.as_slice();
    let rank = |row: u32| {
        let word = row as usize / 64;
        before[word] + (marked[word] & ((1 << (row % 64)) - 1)).count_ones()
    };
    let mut positions = Scratch::uninit(slots, exec)?;
    for (slot, position) in positions.as_mut_slice().iter_mut().enumerate() {
        *position = first_of(slot).map_or(0, |row| rank(row) + 1);
    }
    for column in &mut *columns {
        column.reserve_total(first_rows.len(), exec)?;
    }
    let positions = positions.as_slice();
    for_each_part(columns, |_, column: &mut Box<dyn GroupColumn>| column.merge_slots(positions));
    Ok(Total { groups: first_rows.len(), first_rows })
}
