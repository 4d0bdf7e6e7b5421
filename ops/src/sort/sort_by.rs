//! Sorts rows.

use super::argsort::{argsort_scratch_bytes, argsort_with_keys};
use super::{NullOrder, Order, SortKey, argsort};
use crate::copying::{MapNulls, gather_column};
use crate::keys::{is_compound, sort_numbers};
use crate::out_of_core::external_sort::merge_runs;
use crate::out_of_core::grace_hash::ROW;
use crate::out_of_core::late_materialization::{self, gather_rows, most_gathered};
use crate::out_of_core::{
    Driver, MemoryEstimate, OutOfCore, by_position, evict, row_numbers, run_chunks, whole_or, with_labels_of,
};
use crate::selection::{Picked, Step, map_of_numbers};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Error, Result};
use columnade_kernels::{RowMap, RowWidth};

/// A column to sort rows by, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortColumn {
    /// Its position among the columns.
    pub position: usize,
    /// The direction of its values.
    pub order: Order,
    /// Where its nulls go.
    pub nulls: NullOrder,
}

/// The rows of all columns in the order of `keys`; see [`argsort`].
///
/// Rows that exceed the budget are sorted in chunks, which are merged; the result is the same. Columns that fit the budget by
/// themselves and are no keys are gathered afterwards.
///
/// # Shapes and units
/// columns: n rows → n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::IndexOutOfBounds`] for a key that is not a column;
/// [`Error::Memory`].
///
/// # Source
/// cudf/sorting.hpp `stable_sort_by_key`, pandas `sort_values(kind="stable")`.
pub fn sort_by(columns: &ColumnAccessor, keys: &[SortColumn], exec: &Exec) -> Result<ColumnAccessor> {
    check_keys(columns, keys)?;
    if let Some((numbered, keys)) = with_numbers(columns, keys, exec)? {
        let sorted = sort_flat(&numbered, &keys, exec)?;
        return with_labels_of(columns, sorted.columns(), sorted.rows());
    }
    sort_flat(columns, keys, exec)
}

/// [`sort_by`], and the rows of the input in the order of the result. Rows that exceed the budget are sorted with their
/// numbers, 4 or 8 bytes each; otherwise the map is the one that rows are gathered by.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::IndexOutOfBounds`] for a key that is not a column;
/// [`Error::Memory`].
///
/// # Source
/// pandas `sort_values(kind="stable")`, whose rows keep their labels.
pub fn sort_rows(columns: &ColumnAccessor, keys: &[SortColumn], exec: &Exec) -> Result<Picked> {
    check_keys(columns, keys)?;
    let numbered = with_numbers(columns, keys, exec)?;
    let (rows, keys) = numbered.as_ref().map_or((columns, keys), |(rows, keys)| (rows, keys));
    let sort = SortBy { keys };
    let inputs: Vec<&Column> = rows.columns().iter().collect();
    let whole = |exec: &Exec| sort.sorted(rows, columns, exec);
    let (columns, map) = whole_or(
        &inputs,
        exec,
        || sort.estimate(rows),
        whole,
        |_| {
            let (sorted, map) = sort_numbered(rows, keys, exec)?;
            Ok((with_labels_of(columns, sorted.columns(), rows.rows())?, map))
        },
    )?;
    Ok(Picked { columns, steps: vec![Step::Rows { map, distinct: true, ordered: false }] })
}

/// The rows in order, and their numbers.
fn sort_numbered(
    rows: &ColumnAccessor,
    keys: &[SortColumn],
    exec: &Exec,
) -> Result<(ColumnAccessor, RowMap)> {
    let all = rows.rows();
    let mut rows = by_position(rows.columns(), all)?;
    rows.insert(rows.len().to_string(), row_numbers(0, all, all, exec)?)?;
    let sorted = sort_flat(&rows, keys, exec)?;
    let map = map_of_numbers(&sorted.columns()[rows.len() - 1], exec)?;
    Ok((sorted, map))
}

/// The numbers of the rows in the order of `keys`, as [`argsort`] gives them, of rows that may exceed the budget.
///
/// # Shapes and units
/// columns: n rows of the keys → n numbers.
///
/// # Errors
/// Those of [`argsort`]; [`Error::IndexOutOfBounds`] for a key that is no column.
///
/// # Source
/// pandas `DataFrame.sort_index`, cudf/sorting.hpp `stable_sorted_order`.
pub fn argsort_rows(columns: &ColumnAccessor, keys: &[SortColumn], exec: &Exec) -> Result<RowMap> {
    check_keys(columns, keys)?;
    let numbered = with_numbers(columns, keys, exec)?;
    let (rows, keys) = numbered.as_ref().map_or((columns, keys), |(rows, keys)| (rows, keys));
    let sort = SortBy { keys };
    let inputs: Vec<&Column> = sort.key_columns(rows).collect();
    let whole = |exec: &Exec| argsort(&sort.sort_keys(rows), exec);
    whole_or(
        &inputs,
        exec,
        || sort.estimate(rows),
        whole,
        |_| {
            // Without columns that are only there for compound keys.
            let narrow = by_position(inputs.iter().copied(), rows.rows())?;
            let keys = keys.iter().enumerate().map(|(position, key)| SortColumn { position, ..*key });
            Ok(sort_numbered(&narrow, &keys.collect::<Vec<_>>(), exec)?.1)
        },
    )
}

/// Sorts by keys that kernels compare.
fn sort_flat(columns: &ColumnAccessor, keys: &[SortColumn], exec: &Exec) -> Result<ColumnAccessor> {
    let driver = Driver::new(exec);
    match sort_late(columns, keys, driver)? {
        Some(sorted) => Ok(sorted),
        None => driver.run(&SortBy { keys }, columns),
    }
}

/// Sorts rows that exceed the budget by their keys, with the numbers of the rows and those columns that do not fit by
/// themselves; the others are gathered afterwards, so that they are moved once. `None` where that moves no less.
fn sort_late(
    columns: &ColumnAccessor,
    keys: &[SortColumn],
    driver: Driver<'_>,
) -> Result<Option<ColumnAccessor>> {
    let all = columns.rows();
    let Some(budget) =
        driver.budget().filter(|_| !keys.is_empty() && late_materialization::is_late(all, driver))
    else {
        return Ok(None);
    };
    let whole = SortBy { keys }.estimate(columns)?.bytes();
    if whole <= budget {
        return Ok(None);
    }
    let driver = driver.for_work(whole);
    let most = most_gathered(driver).unwrap_or(usize::MAX);
    let (mut late, mut late_bytes) = (Vec::new(), 0);
    for (position, column) in columns.columns().iter().enumerate() {
        let bytes = column.row_bytes()?;
        if bytes <= most && keys.iter().all(|key| key.position != position) {
            late.push(position);
            late_bytes += bytes;
        }
    }
    // Sorted rows are moved twice, their numbers too, and maps are moved for each of the columns.
    if late_bytes < LATE_BYTES * all {
        return Ok(None);
    }
    let is_late = |position: usize| late.binary_search(&position).is_ok();
    let early: Vec<usize> = (0..columns.len()).filter(|&position| !is_late(position)).collect();
    let position = |of: usize| early.binary_search(&of).unwrap_or_default();
    let keys: Vec<SortColumn> =
        keys.iter().map(|key| SortColumn { position: position(key.position), ..*key }).collect();
    let narrow = by_position(early.iter().map(|&position| &columns.columns()[position]), all)?;
    let sort = SortBy { keys: &keys };
    let plan = driver.plan(all, || {
        let MemoryEstimate { input, output, .. } = sort.estimate(&narrow)?;
        Ok(MemoryEstimate::new(input, output + 2 * RowWidth::U32.bytes() * all))
    })?;
    let runs = run_chunks(&narrow, None, plan, driver.exec, |rows, start, exec| {
        let mut rows = rows.clone();
        rows.insert(ROW, row_numbers(start, rows.rows(), all, exec)?)?;
        let run = sort.run(&rows, exec)?;
        evict(&run)?;
        Ok(run)
    })?;
    let sorted = merge_runs(runs, &keys, driver)?;
    let source = by_position(late.iter().map(|&position| &columns.columns()[position]), all)?;
    let gathered = gather_rows(&source, sorted.get(ROW)?, MapNulls::Never, driver)?;
    let (mut next, mut next_late) = (sorted.columns().iter(), gathered.columns().iter());
    let mut position = 0;
    let sorted = columns.map(all, |column| {
        let from = if is_late(position) { &mut next_late } else { &mut next };
        position += 1;
        Ok(from.next().unwrap_or(column).clone())
    })?;
    Ok(Some(sorted))
}

/// Fewer bytes of a row are sorted with the keys.
const LATE_BYTES: usize = 16;

/// The columns with numbers in the order of the compound keys, and the keys; `None` if no key is compound. Chunks are then
/// compared by numbers of all rows.
fn with_numbers(
    columns: &ColumnAccessor,
    keys: &[SortColumn],
    exec: &Exec,
) -> Result<Option<(ColumnAccessor, Vec<SortColumn>)>> {
    let is_nested = |key: &SortColumn| is_compound(&columns.columns()[key.position].dtype());
    if !keys.iter().any(is_nested) {
        return Ok(None);
    }
    let mut numbered = by_position(columns.columns(), columns.rows())?;
    let mut flat = keys.to_vec();
    for key in flat.iter_mut().filter(|key| is_nested(key)) {
        let (column, label) = (&columns.columns()[key.position], &columns.labels()[key.position]);
        let by = SortKey { column, order: key.order, nulls: key.nulls };
        let numbers = with_retry_no_split(exec, |exec| sort_numbers(&by, exec));
        key.position = numbered.len();
        let numbers = numbers.map_err(|error| error.in_column(label))?;
        numbered.insert(numbered.len().to_string(), numbers)?;
    }
    Ok(Some((numbered, flat)))
}

/// Checks that all keys are columns.
pub(crate) fn check_keys(columns: &ColumnAccessor, keys: &[SortColumn]) -> Result<()> {
    match keys.iter().find(|key| key.position >= columns.len()) {
        Some(key) => Err(Error::IndexOutOfBounds { index: key.position, len: columns.len() }),
        None => Ok(()),
    }
}

pub(super) struct SortBy<'a> {
    pub(super) keys: &'a [SortColumn],
}

impl SortBy<'_> {
    fn key_columns<'a>(&self, rows: &'a ColumnAccessor) -> impl Iterator<Item = &'a Column> {
        self.keys.iter().map(|key| &rows.columns()[key.position])
    }

    fn sort_keys<'a>(&self, rows: &'a ColumnAccessor) -> Vec<SortKey<'a>> {
        let keys = self.key_columns(rows).zip(self.keys);
        keys.map(|(column, key)| SortKey { column, order: key.order, nulls: key.nulls }).collect()
    }

    /// The rows in order, of `columns`, which are the first ones of `rows`.
    fn sorted(
        &self,
        rows: &ColumnAccessor,
        columns: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<(ColumnAccessor, RowMap)> {
        let keys = self.sort_keys(rows);
        // Keys at hand take more memory while rows are sorted.
        let (map, found) = if exec.budget().is_none() {
            argsort_with_keys(&keys, exec)?
        } else {
            (argsort(&keys, exec)?, Vec::new())
        };
        let mut position = 0;
        let sorted = columns.map(map.len, |column| {
            let key = self.keys.iter().position(|key| key.position == position);
            position += 1;
            match key.and_then(|key| found.get(key)?.clone()) {
                Some(found) => Ok(found),
                None => gather_column(column, &map, MapNulls::Never, exec),
            }
        })?;
        Ok((sorted, map))
    }
}

impl OutOfCore for SortBy<'_> {
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate> {
        let keys: usize = self.key_columns(rows).map(Column::row_bytes).sum::<Result<_>>()?;
        let input = rows.row_bytes()?;
        let scratch = argsort_scratch_bytes(self.key_columns(rows), rows.rows());
        Ok(MemoryEstimate::new(input, input + keys + scratch))
    }

    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        Ok(self.sorted(rows, rows, exec)?.0)
    }

    fn combine(&self, runs: Vec<ColumnAccessor>, driver: Driver<'_>) -> Result<ColumnAccessor> {
        merge_runs(runs, self.keys, driver)
    }
}
