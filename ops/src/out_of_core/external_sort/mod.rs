//! Merging sorted runs that may not fit the device together: the second half of an external sort.

mod samples;
mod windows;

use self::samples::{SampleRange, Samples};
use self::windows::Windows;
use super::{Driver, MemoryEstimate, by_position, evict};
use crate::copying::{MapNulls, RowMap, gather_column};
use crate::sort::{SortColumn, SortKey, argsort, argsort_scratch_bytes, check_keys};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, Result};

/// Rows of a map that are looked at on the host at a time.
const BLOCK: usize = 1 << 16;

/// The rows of all runs in the order of `keys`, by which each run is sorted already. Rows that are equal in all keys
/// come in the order of the runs, and within a run as they are.
///
/// The runs may take more together than the device has: a sample of each run tells which rows come next, as many as fit
/// the budget are brought together and sorted, and the result is assembled in a lower tier. Many equal rows are no
/// special case, because rows that the keys do not separate are separated by run and position.
///
/// # Shapes and units
/// runs: at least one, of the same labels and dtypes → as many rows as all have. Dictionaries may have other categories, which
/// are unified, and codes of other widths, unless they are ordered: those must have the same categories in the same order.
///
/// # Errors
/// [`Error::InvalidArgument`] without runs or keys; [`Error::ColumnNotFound`]; [`Error::IndexOutOfBounds`] for a key that
/// is no column; with the label of the column [`Error::DTypeMismatch`], and [`Error::InvalidArgument`] for ordered dictionaries
/// that differ; [`Error::Memory`].
///
/// # Device
/// Each row is sorted twice at most; one synchronisation for each part of the result.
///
/// # Source
/// cudf/merge.hpp `merge`.
pub fn merge_sorted(runs: Vec<ColumnAccessor>, keys: &[SortColumn], exec: &Exec) -> Result<ColumnAccessor> {
    if runs.is_empty() || keys.is_empty() {
        let reason = format!("{} runs and {} keys; at least one of both", runs.len(), keys.len());
        return Err(Error::InvalidArgument { name: "runs", reason });
    }
    check_keys(&runs[0], keys)?;
    let labels = runs[0].labels().to_vec();
    let runs = runs.into_iter().map(|run| run.select(&labels)).collect::<Result<Vec<_>>>()?;
    for (position, label) in labels.iter().enumerate() {
        let none = runs.iter().map(|run| run.columns()[position].slice(0, 0)).collect::<Result<Vec<_>>>()?;
        Column::concat(&none.iter().collect::<Vec<_>>(), exec).map_err(|error| error.in_column(label))?;
    }
    merge_runs(runs, keys, Driver::new(exec))
}

/// [`merge_sorted`] of at least one run, which have the same columns in the same order.
pub(crate) fn merge_runs(
    runs: Vec<ColumnAccessor>,
    keys: &[SortColumn],
    driver: Driver<'_>,
) -> Result<ColumnAccessor> {
    let plan = driver.plan(rows_of(&runs), || estimate(&runs, keys))?;
    merge_some_at_a_time(runs, keys, plan.len, driver.for_work(plan.bytes()))
}

/// [`merge_runs`] of about `at_a_time` rows at a time.
pub(super) fn merge_some_at_a_time(
    mut runs: Vec<ColumnAccessor>,
    keys: &[SortColumn],
    at_a_time: usize,
    driver: Driver<'_>,
) -> Result<ColumnAccessor> {
    // A column that comes again orders nothing more.
    let is_first = |at: usize| keys[..at].iter().all(|key| key.position != keys[at].position);
    let keys: Vec<SortColumn> = (0..keys.len()).filter(|&at| is_first(at)).map(|at| keys[at]).collect();
    let keys = &keys[..];
    // Of empty runs one is kept where there is no other: it has the columns.
    let rows = rows_of(&runs);
    if rows == 0 {
        runs.truncate(1);
    } else {
        runs.retain(|run| run.rows() > 0);
    }
    if runs.len() == 1 {
        return Ok(runs.swap_remove(0));
    }
    let fan_in = (at_a_time / 64).max(2);
    if runs.len() > fan_in && rows > at_a_time {
        // Of so many runs only few rows of each would be resident, each of which is moved by itself: neighbours are
        // merged first.
        let mut merged = Vec::with_capacity(runs.len().div_ceil(fan_in));
        let mut rest = runs.into_iter().peekable();
        while rest.peek().is_some() {
            let runs = rest.by_ref().take(fan_in).collect();
            merged.push(merge_some_at_a_time(runs, keys, at_a_time, driver)?);
        }
        return merge_some_at_a_time(merged, keys, at_a_time, driver);
    }
    let samples = Samples::take(&runs, keys, at_a_time, driver)?;
    let ranges = samples.ranges(at_a_time, runs.len());
    let windows = Windows::default();
    let plan = driver.plan(rows, || estimate(&runs, keys))?;
    let reserve = |range: &SampleRange| {
        let rows = (range.to - range.from + runs.len()).saturating_mul(samples.stride);
        plan.bytes_of(rows).saturating_sub(windows.resident_bytes(range.from))
    };
    let mut merged = Merged { taken: vec![0; runs.len()], samples: vec![0; runs.len()] };
    let parts = plan.retry(ranges.clone(), reserve, driver.exec, |range, exec| {
        windows.enter(range.from);
        if let Some(next) = ranges.iter().find(|next| next.from == range.to && next.to > next.from) {
            let (from, to) = (merged.passed(&samples, *range), merged.passed(&samples, next.after(*range)));
            let ends = samples.ends(&runs, &to, next.last);
            let rows = from.iter().zip(&runs).map(|(passed, run)| (passed * samples.stride).min(run.rows()));
            windows.prefetch(next.from, &runs, rows.zip(ends).map(|(from, to)| from..to.max(from)), exec);
        }
        let (part, next) = merged.next_rows(&runs, keys, &samples, *range, &windows, exec)?;
        if ranges.len() > 1 {
            evict(&part)?;
        }
        // After all that may fail, so that a failed attempt changes nothing.
        merged = next;
        Ok(part)
    })?;
    drop(windows);
    drop(runs);
    ColumnAccessor::assemble(parts, driver.exec)
}

/// The rows of the runs, the same gathered, and one column at a time assembled.
fn estimate(runs: &[ColumnAccessor], keys: &[SortColumn]) -> Result<MemoryEstimate> {
    let bytes: usize = runs.iter().map(ColumnAccessor::row_bytes).sum::<Result<_>>()?;
    let columns = runs[0].columns();
    let scratch = argsort_scratch_bytes(keys.iter().map(|key| &columns[key.position]), rows_of(runs));
    Ok(MemoryEstimate::new(bytes, bytes + scratch))
}

fn rows_of(runs: &[ColumnAccessor]) -> usize {
    runs.iter().map(ColumnAccessor::rows).sum()
}

/// The key columns of `rows`, in the order of `keys`.
fn keys_of(rows: &ColumnAccessor, keys: &[SortColumn]) -> Result<ColumnAccessor> {
    by_position(keys.iter().map(|key| &rows.columns()[key.position]), rows.rows())
}

/// How much of each run is in the result so far.
struct Merged {
    /// Rows.
    taken: Vec<usize>,
    /// Samples.
    samples: Vec<usize>,
}

impl Merged {
    /// The samples of each run up to the end of `range`.
    fn passed(&self, samples: &Samples, range: SampleRange) -> Vec<usize> {
        let mut passed = self.samples.clone();
        for &run in &samples.runs[range.from..range.to] {
            passed[run] += 1;
        }
        passed
    }

    /// The rows of the result up to the end of `range`, and what is merged with them.
    fn next_rows(
        &self,
        runs: &[ColumnAccessor],
        keys: &[SortColumn],
        samples: &Samples,
        range: SampleRange,
        windows: &Windows,
        exec: &Exec,
    ) -> Result<(ColumnAccessor, Self)> {
        let passed = self.passed(samples, range);
        let ends = samples.ends(runs, &passed, range.last);
        let slices = runs
            .iter()
            .enumerate()
            .map(|(number, run)| windows.slice(number, run, self.taken[number]..ends[number]))
            .collect::<Result<Vec<_>>>()?;
        let key_slices =
            slices.iter().map(|slice| keys_of(slice, keys)?.isolate(exec)).collect::<Result<Vec<_>>>()?;
        let (sorted_keys, map) = sorted_rows(&key_slices, keys, exec)?;

        // How many rows of each run are not beyond the last sample of the range: all but a few at the end.
        let (mut taken, mut rows) = (ends, map.len);
        if !range.last {
            // Where the rows of each run begin among all.
            let starts = key_slices.iter().scan(0, |end, slice| {
                *end += slice.rows();
                Some(*end - slice.rows())
            });
            let starts: Vec<usize> = starts.collect();
            let run = samples.runs[range.to - 1];
            let last = starts[run] + passed[run] * samples.stride - 1 - self.taken[run];
            let mut is_found = false;
            while rows > 0 && !is_found {
                let block = map.slice(rows.saturating_sub(BLOCK), rows.min(BLOCK)).to_vec(exec)?;
                let block = block.into_iter().flatten().filter_map(|row| usize::try_from(row).ok());
                for row in block.rev() {
                    is_found = row == last;
                    if is_found {
                        break;
                    }
                    taken[starts.partition_point(|&start| start <= row) - 1] -= 1;
                    rows -= 1;
                }
            }
        }
        drop(key_slices);
        let map = map.head(rows);
        let mut position = 0;
        let part = slices[0].map(rows, |_| {
            let key = keys.iter().position(|key| key.position == position);
            position += 1;
            if let Some(key) = key {
                return gather_column(&sorted_keys[key], &map, MapNulls::Never, exec);
            }
            // Of what is not a key, one column at a time is resident.
            let column = |slice: &ColumnAccessor| slice.columns()[position - 1].isolate(exec);
            let columns = slices.iter().map(column).collect::<Result<Vec<_>>>()?;
            let column = Column::concat(&columns.iter().collect::<Vec<_>>(), exec)?;
            gather_column(&column, &map, MapNulls::Never, exec)
        })?;
        Ok((part, Self { taken, samples: passed }))
    }
}

/// The key columns of all parts together, and the order of their rows.
fn sorted_rows(parts: &[ColumnAccessor], keys: &[SortColumn], exec: &Exec) -> Result<(Vec<Column>, RowMap)> {
    let column = |position: usize| {
        let columns: Vec<&Column> = parts.iter().map(|part| &part.columns()[position]).collect();
        Column::concat(&columns, exec)
    };
    let columns = (0..keys.len()).map(column).collect::<Result<Vec<_>>>()?;
    let sort_keys = columns.iter().zip(keys);
    let sort_keys: Vec<SortKey<'_>> =
        sort_keys.map(|(column, key)| SortKey { column, order: key.order, nulls: key.nulls }).collect();
    let map = argsort(&sort_keys, exec)?;
    Ok((columns, map))
}
