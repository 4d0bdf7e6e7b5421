//! The memory that operators take, and how much of it there is for them.

use super::chunks::ChunkPlan;
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, Result};

/// A smaller budget than this is no budget to plan with: the buffers of a few rows do not fit it.
const MIN_BUDGET: usize = 16 << 10;
/// Chunks of fewer bytes take longer to move than to process.
const MIN_CHUNK: usize = 64 << 10;
/// Work is split into at most this many chunks that are smaller than [`LARGE_CHUNK`].
const MAX_SMALL_CHUNKS: usize = 64;
/// Chunks of this many bytes are worth their moves, whatever their number.
const LARGE_CHUNK: usize = 1 << 20;

/// Bytes that an operator takes at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryEstimate {
    /// Of the rows that are split into chunks.
    pub(crate) input: usize,
    /// Of the scratch, the intermediate values and the results that are made of them.
    pub(crate) output: usize,
    /// In addition to each chunk, whatever its size.
    pub(crate) fixed_overhead: usize,
}

impl MemoryEstimate {
    pub(crate) fn new(input: usize, output: usize) -> Self {
        Self { input, output, fixed_overhead: 0 }
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> usize {
        self.input.saturating_add(self.output).saturating_add(self.fixed_overhead)
    }
}

/// The device of rows in parts; without columns the host.
pub(crate) fn device_of(parts: &[ColumnAccessor]) -> Device {
    parts.iter().find_map(|part| part.columns().first()).map_or(Device::Host, Column::device)
}

/// A context with what is known of the work that runs in it: decides how much is processed at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver<'a> {
    pub(crate) exec: &'a Exec,
    /// Bytes of a chunk that is worth its moves in this work; 0 for little work.
    min_worthwhile: usize,
    #[cfg(test)]
    budget: Option<usize>,
}

impl<'a> Driver<'a> {
    pub(crate) fn new(exec: &'a Exec) -> Self {
        Self {
            exec,
            min_worthwhile: 0,
            #[cfg(test)]
            budget: None,
        }
    }

    /// Plans as with a budget of `bytes`, whatever that of the context is.
    #[cfg(test)]
    pub(crate) fn with_budget(self, bytes: usize) -> Self {
        Self { budget: Some(bytes), ..self }
    }

    /// For an operation that takes `bytes` bytes in all: the more, the larger is the smallest chunk, also of the
    /// operations that it is made of.
    pub(crate) fn for_work(self, bytes: usize) -> Self {
        let min_worthwhile = (bytes / MAX_SMALL_CHUNKS).min(LARGE_CHUNK).max(self.min_worthwhile);
        Self { min_worthwhile, ..self }
    }

    /// The bytes to be taken at a time at most; `None`: any number.
    ///
    /// That is the [budget](Exec::budget) now, but no less than a [smallest chunk](Self::min_chunk); unless it will be
    /// passed anyway: where the chunk of a few rows does not fit it, and where it is used up and cannot be spilled.
    pub(crate) fn budget(self) -> Option<usize> {
        #[cfg(test)]
        if self.budget.is_some() {
            return self.budget;
        }
        let budget =
            self.exec.budget().filter(|&budget| budget >= MIN_BUDGET && !self.exec.is_exhausted())?;
        Some(budget.max(self.min_chunk()))
    }

    /// The bytes of the smallest chunk. Work that takes less is not split, and a smaller budget is passed: the time for
    /// ever more and smaller chunks would grow without bound. 0 where the budget cannot be passed.
    pub(crate) fn min_chunk(self) -> usize {
        if !self.exec.is_budget_soft() {
            return 0;
        }
        MIN_CHUNK.max(self.min_worthwhile).min(self.exec.device_limit().map_or(usize::MAX, |limit| limit / 2))
    }

    /// Chunks of `rows` rows that fit the budget: all at once where they do, else as many at a time as fit together
    /// with the input of the next chunk. `estimate` is asked only where there is a budget.
    pub(crate) fn plan(
        self,
        rows: usize,
        estimate: impl FnOnce() -> Result<MemoryEstimate>,
    ) -> Result<ChunkPlan> {
        if self.budget().is_none() {
            return Ok(ChunkPlan::of_len(rows));
        }
        let estimate = estimate()?;
        let driver = self.for_work(estimate.bytes());
        let min_bytes = driver.min_chunk();
        let min_rows = if min_bytes == 0 { 0 } else { rows_within(min_bytes, rows, estimate.bytes()) };
        let whole = ChunkPlan { len: rows, rows, estimate, min_bytes, min_rows };
        let Some(budget) = driver.budget().filter(|&budget| estimate.bytes() > budget) else {
            return Ok(whole);
        };
        let MemoryEstimate { input, output, fixed_overhead } = estimate;
        // A fixed overhead that passes the budget alone is worth it for chunks that take about as much.
        let left = budget.checked_sub(fixed_overhead).unwrap_or(fixed_overhead).max(min_bytes);
        let len = rows_within(left, rows, input.saturating_mul(2).saturating_add(output));
        Ok(ChunkPlan { len, ..whole })
    }
}

/// Rows are split at a multiple of this, while chunks are larger: there all buffers keep their alignment.
pub(crate) const CHUNK_ROWS: usize = 512;

/// How many of `rows` rows, which take `bytes` bytes, fit `limit` bytes; at least one.
pub(super) fn rows_within(limit: usize, rows: usize, bytes: usize) -> usize {
    let share = rows.div_ceil(bytes.div_ceil(limit.max(1)).max(1)).max(1);
    if share < CHUNK_ROWS { share } else { share / CHUNK_ROWS * CHUNK_ROWS }
}
