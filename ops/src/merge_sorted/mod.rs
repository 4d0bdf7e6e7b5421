//! Puts sorted rows together in order.

#[cfg(test)]
mod tests;
mod windows;

use self::windows::Windows;
use crate::chunks::{ChunkPlan, MAP_BYTES, MemoryEstimate, MinChunk, leave};
use crate::copying::{MapNulls, RowMap, gather_column};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::{Exec, RetryableError, with_retry_in_room, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::filling::fill::fill;
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, RowWidth, Storage, Value};
use std::cell::Cell;

/// A column that runs are sorted by.
#[derive(Clone, Copy, Debug)]
pub struct MergeKey<'a> {
    /// Its label, the same in all runs.
    pub label: &'a str,
    /// The direction of its values.
    pub order: Order,
    /// Where its nulls are.
    pub nulls: NullOrder,
}

/// The rows of all runs in the order of `keys`, by which each run is sorted already. Rows that are equal in all keys
/// come in the order of the runs, and within a run as they are.
///
/// What the runs take together may be more than the device has: a sample of each run tells which rows come next, at
/// most as many as fit the budget are brought together and sorted, and the result is put together in a lower tier.
/// Many equal rows are no special case, because rows are cut by run and position where their keys do not part them.
///
/// # Shapes and units
/// runs: at least one, of the same labels and dtypes → as many rows as all have.
///
/// # Errors
/// [`Error::InvalidArgument`] without runs or keys; [`Error::ColumnNotFound`]; [`Error::DTypeMismatch`];
/// [`Error::Memory`].
///
/// # Device
/// Each row is sorted twice at most; one synchronisation for each part of the result.
///
/// # Source
/// cudf/merge.hpp `merge`.
pub fn merge_sorted(runs: Vec<ColumnAccessor>, keys: &[MergeKey<'_>], exec: &Exec) -> Result<ColumnAccessor> {
    let rows = runs.iter().map(ColumnAccessor::rows).sum();
    let needs = || -> Result<MemoryEstimate> {
        let operands: usize = runs.iter().map(ColumnAccessor::row_bytes).sum::<Result<_>>()?;
        // Beside the runs' rows the same gathered; put together is one column at a time.
        Ok(MemoryEstimate { operands, others: operands + MAP_BYTES * rows, fixed_overhead: 0 })
    };
    let plan = ChunkPlan::of(rows, exec, needs)?;
    merge_sorted_by(runs, keys, plan.len, &exec.for_work_of(plan.bytes()))
}

/// [`merge_sorted`] of about `at_a_time` rows at a time.
fn merge_sorted_by(
    mut runs: Vec<ColumnAccessor>,
    keys: &[MergeKey<'_>],
    at_a_time: usize,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    if runs.is_empty() || keys.is_empty() {
        let reason = format!("{} runs and {} keys; at least one of both", runs.len(), keys.len());
        return Err(Error::InvalidArgument { name: "runs", reason });
    }
    // A column that comes again orders nothing more.
    let keys: Vec<MergeKey<'_>> = keys
        .iter()
        .enumerate()
        .filter(|(at, key)| keys[..*at].iter().all(|before| before.label != key.label))
        .map(|(_, key)| *key)
        .collect();
    let keys = &keys[..];
    // An empty run is kept where there is no other: it has the columns.
    let kept = runs.iter().position(|run| run.rows() > 0).unwrap_or(0);
    let mut position = 0;
    runs.retain(|run| {
        position += 1;
        position == kept + 1 || run.rows() > 0
    });
    if runs.len() == 1 {
        return Ok(runs.swap_remove(0));
    }
    let fan_in = (at_a_time / 64).max(2);
    if runs.len() > fan_in && runs.iter().map(ColumnAccessor::rows).sum::<usize>() > at_a_time {
        // Of so many runs hardly some rows of each would be at home, each of which is moved by itself: neighbours are
        // merged first.
        let mut merged = Vec::with_capacity(runs.len().div_ceil(fan_in));
        let mut rest = runs.into_iter().peekable();
        while rest.peek().is_some() {
            merged.push(merge_sorted_by(rest.by_ref().take(fan_in).collect(), keys, at_a_time, exec)?);
        }
        return merge_sorted_by(merged, keys, at_a_time, exec);
    }
    let samples = Samples::take(&runs, keys, at_a_time, exec)?;
    let mut merged = Merged { taken: vec![0; runs.len()], samples: vec![0; runs.len()] };
    let ranges = samples.ranges(at_a_time, runs.len());
    let windows = Windows::default();
    let rows: usize = runs.iter().map(ColumnAccessor::rows).sum();
    let row_bytes = if exec.planned_budget().is_some() {
        let bytes: usize = runs.iter().map(ColumnAccessor::row_bytes).sum::<Result<_>>()?;
        2 * bytes / rows.max(1) + MAP_BYTES
    } else {
        0
    };
    let least = MinChunk::of(rows, rows.saturating_mul(row_bytes), exec);
    let asked = Cell::new(0);
    let halves = |range: &SampleRange| {
        let rows = (range.to - range.from).saturating_mul(samples.stride);
        range.halves().filter(|_| least.is_below(rows, asked.get()))
    };
    let bytes = |range: &SampleRange| {
        let rows = (range.to - range.from + runs.len()).saturating_mul(samples.stride);
        rows.saturating_mul(row_bytes).saturating_sub(windows.kept_bytes(range.from))
    };
    let parts = with_retry_in_room(exec, ranges.clone(), halves, bytes, |range, exec| {
        windows.enter(range.from);
        if let Some(next) = ranges.iter().find(|next| next.from == range.to && next.to > next.from) {
            let (from, to) = (merged.passed(&samples, *range), merged.passed(&samples, next.after(*range)));
            let ends = samples.ends(&runs, &to, next.last);
            let rows = from.iter().zip(&runs).map(|(passed, run)| (passed * samples.stride).min(run.rows()));
            windows.ask(next.from, &runs, rows.zip(ends).map(|(from, to)| from..to.max(from)), exec);
        }
        let (part, next) = merged
            .next_rows(&runs, keys, &samples, *range, &windows, exec)
            .inspect_err(|error| asked.set(error.out_of_memory().unwrap_or(0)))?;
        if ranges.len() > 1 {
            leave(&part)?;
        }
        merged = next;
        Ok::<_, Error>(part)
    })?;
    drop(windows);
    drop(runs);
    ColumnAccessor::assemble(parts, exec)
}

/// Every `stride`-th row of each run, in the order of the result.
struct Samples {
    stride: usize,
    /// The run of each sample; those of one run are in its order.
    runs: Vec<usize>,
}

/// Samples `from .. to` in their order, the rows up to the last of which are a part of the result; beyond the last
/// sample are the rows after it.
#[derive(Clone, Copy)]
struct SampleRange {
    from: usize,
    to: usize,
    /// Whether the rows after the last sample belong to it.
    last: bool,
}

impl SampleRange {
    /// This range together with the one before it.
    fn after(self, before: Self) -> Self {
        Self { from: before.from, ..self }
    }

    fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.from.midpoint(self.to);
        let middle = if middle == self.from { self.to } else { middle };
        let parts = middle < self.to || (self.last && middle > self.from);
        parts.then_some([Self { to: middle, last: false, ..*self }, Self { from: middle, ..*self }])
    }
}

impl Samples {
    fn take(runs: &[ColumnAccessor], keys: &[MergeKey<'_>], at_a_time: usize, exec: &Exec) -> Result<Self> {
        let rows: usize = runs.iter().map(ColumnAccessor::rows).sum();
        if at_a_time >= rows {
            return Ok(Self { stride: rows, runs: Vec::new() });
        }
        // Of each run a stride more than needed is looked at, before and after: together a quarter of the rows at a
        // time. Less than every other row is sampled, so that samples of samples come to an end.
        let stride = (at_a_time / (8 * runs.len())).max(2);
        let block = (at_a_time / stride).max(1) * stride;
        let number = unused(&runs[0]);
        let mut sampled = Vec::with_capacity(runs.len());
        for (position, run) in (0..).zip(runs) {
            let key_columns = run.select(keys.iter().map(|key| key.label))?;
            let mut parts = Vec::with_capacity(run.rows().div_ceil(block));
            for start in (0..run.rows()).step_by(block) {
                let len = block.min(run.rows() - start);
                parts.push(with_retry_no_split(exec, |exec| -> Result<ColumnAccessor> {
                    let mut sample = every(stride, &key_columns.slice(start, len)?.isolate(exec)?, exec)?;
                    let numbers = fill(Value::I64(position), sample.rows(), exec)?;
                    sample.insert(
                        number.clone(),
                        Column::from_data(DType::Int64, ColumnData::Fixed(numbers))?,
                    )?;
                    Ok(sample)
                })?);
            }
            sampled.push(ColumnAccessor::assemble(parts, exec)?);
        }
        let ordered = merge_sorted_by(sampled, keys, at_a_time, exec)?;
        let numbers = ordered.get(&number)?;
        let bytes = Storage::I64.bytes(numbers.size());
        let numbers = match numbers.data() {
            Some(data) => data.slice(Storage::I64.bytes(numbers.offset()), bytes).to_vec::<i64>(exec)?,
            None => Vec::new(),
        };
        let runs = numbers.into_iter().filter_map(|run| usize::try_from(run).ok()).collect();
        Ok(Self { stride, runs })
    }

    /// Where the rows end that may be in the result when so many samples of each run have been passed: the sample of a
    /// run after those is beyond the range, and so are the rows behind it.
    fn ends(&self, runs: &[ColumnAccessor], passed: &[usize], last: bool) -> Vec<usize> {
        runs.iter()
            .zip(passed)
            .map(|(run, passed)| {
                let sample = (passed + 1) * self.stride - 1;
                if last { run.rows() } else { sample.min(run.rows()) }
            })
            .collect()
    }

    fn ranges(&self, at_a_time: usize, runs: usize) -> Vec<SampleRange> {
        let len = (at_a_time / self.stride).saturating_sub(2 * runs).max(1);
        let ends = (len..self.runs.len()).step_by(len).chain([self.runs.len()]);
        let mut from = 0;
        let mut ranges: Vec<SampleRange> =
            ends.map(|to| SampleRange { from: std::mem::replace(&mut from, to), to, last: false }).collect();
        if let Some(range) = ranges.last_mut() {
            range.last = true;
        }
        ranges
    }
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
        keys: &[MergeKey<'_>],
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
        let key_slices = slices
            .iter()
            .map(|slice| slice.select(keys.iter().map(|key| key.label))?.isolate(exec))
            .collect::<Result<Vec<_>>>()?;
        let (sorted_keys, map) = sorted_rows(&key_slices, keys, exec)?;

        // How many rows of each run are not beyond the last sample of the range.
        let mut taken = self.taken.clone();
        let rows = if range.last {
            taken.copy_from_slice(&ends);
            map.len
        } else {
            let starts = starts(&key_slices);
            let run = samples.runs[range.to - 1];
            let last = starts[run] + passed[run] * samples.stride - 1 - self.taken[run];
            let mut rows = 0;
            for row in rows_of(&map, exec)? {
                taken[starts.partition_point(|&start| start <= row) - 1] += 1;
                rows += 1;
                if row == last {
                    break;
                }
            }
            rows
        };
        drop(key_slices);
        let map = map.head(rows);
        let mut part = ColumnAccessor::with_rows(rows);
        for label in slices[0].labels() {
            // Of what is not a key, one column at a time is at home.
            let column = if sorted_keys.contains(label) {
                gather_column(sorted_keys.get(label)?, &map, MapNulls::Never, exec)?
            } else {
                let columns =
                    slices.iter().map(|slice| slice.get(label)?.isolate(exec)).collect::<Result<Vec<_>>>()?;
                let column = Column::concat(&columns.iter().collect::<Vec<_>>(), exec)?;
                gather_column(&column, &map, MapNulls::Never, exec)?
            };
            part.insert(label.clone(), column)?;
        }
        Ok((part, Self { taken, samples: passed }))
    }
}

/// Where the rows of each part begin among all.
fn starts(parts: &[ColumnAccessor]) -> Vec<usize> {
    let mut end = 0;
    parts
        .iter()
        .map(|part| {
            end += part.rows();
            end - part.rows()
        })
        .collect()
}

/// The rows of all parts, and their order.
fn sorted_rows(
    parts: &[ColumnAccessor],
    keys: &[MergeKey<'_>],
    exec: &Exec,
) -> Result<(ColumnAccessor, RowMap)> {
    let mut rows = ColumnAccessor::with_rows(parts.iter().map(ColumnAccessor::rows).sum());
    for key in keys {
        let columns = parts.iter().map(|part| part.get(key.label)).collect::<Result<Vec<_>>>()?;
        rows.insert(key.label, Column::concat(&columns, exec)?)?;
    }
    let sort_keys = keys
        .iter()
        .map(|key| Ok(SortKey { column: rows.get(key.label)?, order: key.order, nulls: key.nulls }))
        .collect::<Result<Vec<_>>>()?;
    let map = argsort(&sort_keys, exec)?;
    Ok((rows, map))
}

/// A label that none of the columns has.
fn unused(columns: &ColumnAccessor) -> Label {
    let mut label = "run".to_owned();
    while columns.contains(label.as_str()) {
        label.push('\'');
    }
    label.into()
}

/// The last of every `stride` rows.
fn every(stride: usize, columns: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
    let count = columns.rows() / stride;
    let width = RowWidth::for_rows(columns.rows());
    let value = |row: usize| match width {
        RowWidth::U32 => Value::U32(u32::try_from(row).unwrap_or(u32::MAX)),
        RowWidth::U64 => Value::U64(row as u64),
    };
    let rows = sequence(value(stride - 1), value(stride), count, exec)?.data;
    let map = RowMap { rows, width, len: count };
    columns.map(count, |column| gather_column(column, &map, MapNulls::Never, exec))
}

/// The indices of a map without "no such row".
fn rows_of(map: &RowMap, exec: &Exec) -> Result<Vec<usize>> {
    let rows = map.to_vec(exec)?.into_iter().flatten();
    Ok(rows.filter_map(|row| usize::try_from(row).ok()).collect())
}
