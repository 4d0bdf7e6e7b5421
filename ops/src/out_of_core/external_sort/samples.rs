//! Samples of sorted runs, which tell where the next rows of a merge end in each run.

use super::super::chunks::Split;
use super::{Driver, keys_of, merge_some_at_a_time, rows_of};
use crate::copying::{MapNulls, RowMap, gather_column};
use crate::sort::SortColumn;
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Result};
use columnade_kernels::filling::fill::fill;
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, RowWidth, Storage, Value};

/// The label of the numbers of the runs that samples are from; keys are labelled by position.
const RUN: &str = "run";

/// Every `stride`-th row of each run, in the order of the result.
pub(super) struct Samples {
    pub(super) stride: usize,
    /// The run of each sample; those of one run are in its order.
    pub(super) runs: Vec<usize>,
}

/// Samples `from .. to` in their order, the rows up to the last of which are a part of the result; beyond the last
/// sample are the rows after it.
#[derive(Clone, Copy)]
pub(super) struct SampleRange {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether the rows after the last sample belong to it.
    pub(super) last: bool,
    stride: usize,
}

impl SampleRange {
    /// This range together with the one before it.
    pub(super) fn after(self, before: Self) -> Self {
        Self { from: before.from, ..self }
    }
}

impl Split for SampleRange {
    fn rows(&self) -> usize {
        (self.to - self.from).saturating_mul(self.stride)
    }

    fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.from.midpoint(self.to);
        let middle = if middle == self.from { self.to } else { middle };
        let parts = middle < self.to || (self.last && middle > self.from);
        parts.then_some([Self { to: middle, last: false, ..*self }, Self { from: middle, ..*self }])
    }
}

impl Samples {
    pub(super) fn take(
        runs: &[ColumnAccessor],
        keys: &[SortColumn],
        at_a_time: usize,
        driver: Driver<'_>,
    ) -> Result<Self> {
        if at_a_time >= rows_of(runs) {
            return Ok(Self { stride: rows_of(runs), runs: Vec::new() });
        }
        // Of each run a stride more than needed is looked at, before and after: together a quarter of the rows at a
        // time. Less than every other row is sampled, so that samples of samples come to an end.
        let stride = (at_a_time / (8 * runs.len())).max(2);
        let block = (at_a_time / stride).max(1) * stride;
        let mut sampled = Vec::with_capacity(runs.len());
        for (number, run) in (0..).zip(runs) {
            let key_columns = keys_of(run, keys)?;
            let mut parts = Vec::with_capacity(run.rows().div_ceil(block));
            for start in (0..run.rows()).step_by(block) {
                let len = block.min(run.rows() - start);
                parts.push(with_retry_no_split(driver.exec, |exec| -> Result<ColumnAccessor> {
                    let mut sample = every(stride, &key_columns.slice(start, len)?.isolate(exec)?, exec)?;
                    let numbers = ColumnData::Fixed(fill(Value::I64(number), sample.rows(), exec)?);
                    sample.insert(RUN, Column::from_data(DType::Int64, numbers)?)?;
                    Ok(sample)
                })?);
            }
            sampled.push(ColumnAccessor::assemble(parts, driver.exec)?);
        }
        let positions = keys.iter().enumerate();
        let keys: Vec<SortColumn> =
            positions.map(|(position, key)| SortColumn { position, ..*key }).collect();
        let ordered = merge_some_at_a_time(sampled, &keys, at_a_time, driver)?;
        let numbers = ordered.get(RUN)?;
        let bytes = Storage::I64.bytes(numbers.size());
        let numbers = match numbers.data() {
            Some(data) => {
                data.slice(Storage::I64.bytes(numbers.offset()), bytes).to_vec::<i64>(driver.exec)?
            }
            None => Vec::new(),
        };
        let runs = numbers.into_iter().filter_map(|run| usize::try_from(run).ok()).collect();
        Ok(Self { stride, runs })
    }

    /// Where the rows end that may be in the result when so many samples of each run have been passed: the sample of a
    /// run after those is beyond the range, and so are the rows behind it.
    pub(super) fn ends(&self, runs: &[ColumnAccessor], passed: &[usize], last: bool) -> Vec<usize> {
        runs.iter()
            .zip(passed)
            .map(|(run, passed)| {
                let sample = (passed + 1) * self.stride - 1;
                if last { run.rows() } else { sample.min(run.rows()) }
            })
            .collect()
    }

    pub(super) fn ranges(&self, at_a_time: usize, runs: usize) -> Vec<SampleRange> {
        let len = (at_a_time / self.stride).saturating_sub(2 * runs).max(1);
        let ends = (len..self.runs.len()).step_by(len).chain([self.runs.len()]);
        let mut from = 0;
        let range =
            |to| SampleRange { from: std::mem::replace(&mut from, to), to, last: false, stride: self.stride };
        let mut ranges: Vec<SampleRange> = ends.map(range).collect();
        if let Some(range) = ranges.last_mut() {
            range.last = true;
        }
        ranges
    }
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
