//! Operators on rows that may take more memory than there is.
//!
//! An operator's own file says what it computes of rows that are in memory, and what that takes. This module decides how
//! the rows get there:
//!
//! | the operation | is written as | and runs |
//! | --- | --- | --- |
//! | computes rows, partial results are combined: filter, expressions, nulls, sort, aggregate, probing a join | [`OutOfCore`], [`Driver::row_by_row`] | chunk by chunk of its input |
//! | needs all rows of equal keys at a time: merging partial aggregates, both sides of a join | [`grace_hash::GraceHash`] | partition by partition of the hash of the keys |
//! | keeps states of all groups: aggregates of many groups (on the host) | [`each_chunk`] | chunk by chunk of the columns of each step |
//! | needs its keys to find which rows go together: sort, join | [`late_materialization`] | on the keys, then gathers each other column (on the host) |
//! | puts sorted rows in order | [`external_sort`] | by samples, a few rows of each run at a time |
//! | has another way where memory does not suffice: concat | [`whole_or`] | whole, or that way |
//!
//! An operator estimates the bytes that it takes at a time. While they fit the budget it runs on all rows at once. If
//! they do not, or memory runs out all the same, it runs on parts. For each attempt the [`Driver`] reserves what is not
//! resident yet ([`with_retry`]). Rows of a chunk are [isolated](ColumnAccessor::isolate), so that spilled columns are not
//! unspilled whole. While a chunk is processed, the rows of the next one are prefetched, and the results of earlier ones
//! are evicted first.

mod chunks;
mod estimate;
pub(crate) mod external_sort;
pub(crate) mod grace_hash;
pub(crate) mod late_materialization;
#[cfg(test)]
#[cfg(feature = "failpoints")]
mod tests;

pub(crate) use chunks::{ChunkPlan, each_chunk, row_numbers, run_chunks};
pub(crate) use estimate::{CHUNK_ROWS, Driver, MemoryEstimate, device_of};

use columnade_buffers::{Exec, RetryPolicy, RetryableError, with_retry};
use columnade_columns::{Column, ColumnAccessor, Result};

/// An operation on rows that can process them in chunks.
pub(crate) trait OutOfCore {
    /// The bytes that processing all of `rows` takes.
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate>;

    /// Rows that every chunk is processed with, counted in the fixed overhead of the estimate.
    fn shared_input(&self) -> Option<&ColumnAccessor> {
        None
    }

    /// The result for all rows. May run several times; see [`with_retry`].
    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor>;

    /// The partial result for some of the rows, where it is not that of [`run`](Self::run).
    fn run_chunk(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        self.run(rows, exec)
    }

    /// The result for all rows, of the partial results in the order of the rows. By default they follow each other.
    fn combine(&self, outputs: Vec<ColumnAccessor>, driver: Driver<'_>) -> Result<ColumnAccessor> {
        ColumnAccessor::assemble(outputs, driver.exec)
    }
}

/// An operation whose results for chunks follow each other.
struct RowByRow<'a> {
    estimate: &'a dyn Fn(&ColumnAccessor) -> Result<MemoryEstimate>,
    run: &'a dyn Fn(&ColumnAccessor, &Exec) -> Result<ColumnAccessor>,
}

impl OutOfCore for RowByRow<'_> {
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate> {
        (self.estimate)(rows)
    }

    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        (self.run)(rows, exec)
    }
}

/// What `whole` makes of `inputs` together, for which `estimate` bytes are reserved, those of the inputs included; where
/// memory does not suffice for that, what `otherwise` makes.
pub(crate) fn whole_or<T>(
    inputs: &[&Column],
    exec: &Exec,
    estimate: impl FnOnce() -> Result<MemoryEstimate>,
    whole: impl FnMut(&Exec) -> Result<T>,
    otherwise: impl FnOnce(Driver<'_>) -> Result<T>,
) -> Result<T> {
    let driver = Driver::new(exec);
    let bytes = if driver.budget().is_some() { estimate()?.bytes() } else { 0 };
    let driver = driver.for_work(bytes);
    match driver.attempt_whole(inputs, bytes, whole)? {
        Some(whole) => Ok(whole),
        None => otherwise(driver),
    }
}

/// Columns under their positions as labels, so that columns of several origins go together.
pub(crate) fn by_position<'a>(
    columns: impl IntoIterator<Item = &'a Column>,
    rows: usize,
) -> Result<ColumnAccessor> {
    let mut positioned = ColumnAccessor::with_rows(rows);
    for column in columns {
        positioned.insert(positioned.len().to_string(), column.clone())?;
    }
    Ok(positioned)
}

/// `columns`, of `rows` rows, under the labels of `like`.
pub(crate) fn with_labels_of(
    like: &ColumnAccessor,
    columns: &[Column],
    rows: usize,
) -> Result<ColumnAccessor> {
    let mut columns = columns.iter();
    like.map(rows, |column| Ok(columns.next().unwrap_or(column).clone()))
}

impl Driver<'_> {
    /// The result of `op` for all of `rows`, processed whole or in chunks.
    pub(crate) fn run(self, op: &dyn OutOfCore, rows: &ColumnAccessor) -> Result<ColumnAccessor> {
        let plan = self.plan(rows.rows(), || op.estimate(rows))?;
        self.run_planned(op, rows, plan)
    }

    /// Runs the operation in chunks as planned, or in smaller ones where memory runs out.
    pub(crate) fn run_planned(
        self,
        op: &dyn OutOfCore,
        rows: &ColumnAccessor,
        plan: ChunkPlan,
    ) -> Result<ColumnAccessor> {
        let mut outputs = self.outputs(op, rows, plan)?;
        match outputs.len() {
            // All rows in one chunk.
            1 => Ok(outputs.swap_remove(0)),
            _ => op.combine(outputs, self.for_work(plan.bytes())),
        }
    }

    /// The results of `op` for chunks of `rows`. Until the last one is processed they are the first to be spilled.
    fn outputs(
        self,
        op: &dyn OutOfCore,
        rows: &ColumnAccessor,
        plan: ChunkPlan,
    ) -> Result<Vec<ColumnAccessor>> {
        run_chunks(rows, op.shared_input(), plan, self.exec, |chunk, _, exec| {
            if chunk.rows() == rows.rows() {
                return op.run(chunk, exec);
            }
            let output = op.run_chunk(chunk, exec)?;
            evict(&output)?;
            Ok(output)
        })
    }

    /// What `run` makes of `rows`, where that of chunks follows each other. `estimate` is for all rows.
    pub(crate) fn row_by_row(
        self,
        rows: &ColumnAccessor,
        estimate: impl Fn(&ColumnAccessor) -> Result<MemoryEstimate>,
        run: impl Fn(&ColumnAccessor, &Exec) -> Result<ColumnAccessor>,
    ) -> Result<ColumnAccessor> {
        self.run(&RowByRow { estimate: &estimate, run: &run }, rows)
    }

    /// What `run` makes of chunks of one column, in their order.
    pub(crate) fn column_chunks(
        self,
        column: &Column,
        estimate: impl Fn(&ColumnAccessor) -> Result<MemoryEstimate>,
        run: impl Fn(&Column, &Exec) -> Result<Column>,
    ) -> Result<Vec<Column>> {
        let run =
            |rows: &ColumnAccessor, exec: &Exec| by_position([&run(&rows.columns()[0], exec)?], rows.rows());
        let op = RowByRow { estimate: &estimate, run: &run };
        let rows = by_position([column], column.size())?;
        let plan = self.plan(rows.rows(), || op.estimate(&rows))?;
        Ok(self.outputs(&op, &rows, plan)?.iter().map(|output| output.columns()[0].clone()).collect())
    }

    /// What `run` makes of `inputs` together, for which `bytes` bytes are reserved, those of the inputs included; `None`
    /// where they do not fit the budget, or memory ran out.
    pub(crate) fn attempt_whole<T>(
        self,
        inputs: &[&Column],
        bytes: usize,
        mut run: impl FnMut(&Exec) -> Result<T>,
    ) -> Result<Option<T>> {
        if self.budget().is_some_and(|budget| bytes > budget) {
            return Ok(None);
        }
        let policy = RetryPolicy::no_split()
            .reserve(|()| bytes.saturating_sub(resident_bytes(inputs.iter().copied())))
            .min_chunk(self.min_chunk())
            .with_fallback();
        match with_retry(self.exec, [()], policy, |(), exec| run(exec)) {
            Ok(mut whole) => Ok(whole.pop()),
            Err(error) if error.is_out_of_memory() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Makes rows the first to be spilled, for they are not used for long. Their size is computed while they are resident.
pub(crate) fn evict(rows: &ColumnAccessor) -> Result<()> {
    rows.row_bytes()?;
    rows.done_with();
    Ok(())
}

/// Bytes of `columns` that are on the device. They are used next, so they are counted as used just now and other data is
/// spilled before them.
fn resident_bytes<'a>(columns: impl IntoIterator<Item = &'a Column>) -> usize {
    let resident = |column: &Column| {
        column.touch();
        column.resident_bytes()
    };
    columns.into_iter().map(resident).sum()
}

/// Counts rows as used just now, so that prefetched rows do not evict them.
fn touch(rows: &ColumnAccessor) {
    rows.columns().iter().for_each(Column::touch);
}
