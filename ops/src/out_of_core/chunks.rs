//! Rows that are processed chunk by chunk.

use super::estimate::CHUNK_ROWS;
use super::{MemoryEstimate, resident_bytes, touch};
use columnade_buffers::{Exec, RetryPolicy, RetryableError, with_retry};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, Value};
use std::cell::{Cell, RefCell};

/// Rows `start .. start + len` of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) start: usize,
    pub(super) len: usize,
}

/// Work that can be split in two.
pub(super) trait Split: Sized {
    /// The rows of it.
    fn rows(&self) -> usize;

    /// The two halves; `None` for what is not split further.
    fn halves(&self) -> Option<[Self; 2]>;
}

impl Split for Chunk {
    fn rows(&self) -> usize {
        self.len
    }

    fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.len / 2;
        let first = if middle < CHUNK_ROWS { middle } else { middle / CHUNK_ROWS * CHUNK_ROWS };
        let rest = self.len - first;
        (first > 0).then_some([
            Self { start: self.start, len: first },
            Self { start: self.start + first, len: rest },
        ])
    }
}

impl Chunk {
    /// All of `rows` rows, in chunks of `len`; without rows one chunk all the same.
    pub(super) fn all(rows: usize, len: usize) -> Vec<Self> {
        let len = len.max(1);
        let chunk = |start: usize| Self { start, len: len.min(rows - start) };
        if rows == 0 { vec![Self { start: 0, len: 0 }] } else { (0..rows).step_by(len).map(chunk).collect() }
    }

    /// These rows of `rows`: all of them as they are, some of them isolated.
    fn of(self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        if self.len == rows.rows() {
            return Ok(rows.clone());
        }
        rows.slice(self.start, self.len)?.isolate(exec)
    }
}

/// How rows are split into chunks, and what they take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkPlan {
    /// Rows of a chunk.
    pub(super) len: usize,
    /// All rows.
    pub(super) rows: usize,
    /// What all rows take.
    pub(super) estimate: MemoryEstimate,
    /// The smallest chunk that is worth its moves.
    pub(super) min_bytes: usize,
    pub(super) min_rows: usize,
}

impl ChunkPlan {
    /// Chunks of `len` rows, for which nothing is reserved.
    pub(crate) fn of_len(len: usize) -> Self {
        Self { len, rows: 0, estimate: MemoryEstimate::default(), min_bytes: 0, min_rows: 0 }
    }

    /// Rows of a chunk.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes that all rows take at a time; 0: not known.
    pub(super) fn bytes(&self) -> usize {
        self.bytes_of(self.rows)
    }

    /// Bytes that `len` of the rows take at a time.
    pub(super) fn bytes_of(&self, len: usize) -> usize {
        let MemoryEstimate { input, output, fixed_overhead } = self.estimate;
        if self.rows == 0 {
            0
        } else {
            share(input.saturating_add(output), len, self.rows).saturating_add(fixed_overhead)
        }
    }

    /// Runs `body` on each of `chunks`, with `reserve` bytes reserved. When memory runs out, a chunk is split while it is
    /// larger than the smallest one, or took far more than was estimated.
    pub(super) fn retry<C: Split, T>(
        &self,
        chunks: Vec<C>,
        reserve: impl Fn(&C) -> usize,
        exec: &Exec,
        mut body: impl FnMut(&C, &Exec) -> Result<T>,
    ) -> Result<Vec<T>> {
        let requested = Cell::new(0);
        let halves = |chunk: &C| {
            let is_large = chunk.rows() > self.min_rows || requested.get() > self.min_bytes;
            chunk.halves().filter(|_| is_large)
        };
        let policy = RetryPolicy::split(halves).reserve(reserve).min_chunk(self.min_bytes);
        with_retry(exec, chunks, policy, |chunk, exec| {
            body(chunk, exec).inspect_err(|error| requested.set(error.out_of_memory().unwrap_or(0)))
        })
    }
}

/// `len` of `rows` parts of `bytes`.
fn share(bytes: usize, len: usize, rows: usize) -> usize {
    let share = bytes as u128 * len as u128 / rows.max(1) as u128;
    usize::try_from(share).unwrap_or(usize::MAX)
}

/// What `body` makes of `rows`, whole or in chunks as planned, in their order, given the number of the first row of each
/// chunk. `shared` is used with each chunk.
pub(crate) fn run_chunks<T>(
    rows: &ColumnAccessor,
    shared: Option<&ColumnAccessor>,
    plan: ChunkPlan,
    exec: &Exec,
    mut body: impl FnMut(&ColumnAccessor, usize, &Exec) -> Result<T>,
) -> Result<Vec<T>> {
    let prefetched = Prefetched { rows, len: plan.len, chunks: RefCell::default() };
    let reserve = |chunk: &Chunk| {
        let bytes = plan.bytes_of(chunk.len);
        // Not known: nothing is reserved.
        if bytes == 0 {
            return 0;
        }
        let shared = resident_bytes(shared.into_iter().flat_map(ColumnAccessor::columns));
        let resident = match prefetched.found(*chunk) {
            Some(rows) => resident_bytes(rows.columns()),
            None => share(resident_bytes(rows.columns()), chunk.len, rows.rows()),
        };
        bytes.saturating_sub(shared + resident)
    };
    plan.retry(Chunk::all(rows.rows(), plan.len), reserve, exec, |chunk, exec| {
        let rows = prefetched.take(*chunk, exec)?;
        prefetched.prefetch_after(*chunk, exec);
        touch(&rows);
        body(&rows, chunk.start, exec)
    })
}

/// Calls `body` with chunks of `len` of the rows, in their order, each once: memory that runs out is its error.
pub(crate) fn each_chunk(
    rows: &ColumnAccessor,
    len: usize,
    exec: &Exec,
    mut body: impl FnMut(&ColumnAccessor) -> Result<()>,
) -> Result<()> {
    let prefetched = Prefetched { rows, len, chunks: RefCell::default() };
    for chunk in Chunk::all(rows.rows(), len) {
        let rows = prefetched.take(chunk, exec)?;
        prefetched.prefetch_after(chunk, exec);
        touch(&rows);
        body(&rows)?;
    }
    Ok(())
}

/// The rows of the chunk at hand and of the next one.
struct Prefetched<'a> {
    rows: &'a ColumnAccessor,
    /// Rows of a chunk that is not split further.
    len: usize,
    chunks: RefCell<Vec<(Chunk, ColumnAccessor)>>,
}

impl Prefetched<'_> {
    fn found(&self, chunk: Chunk) -> Option<ColumnAccessor> {
        self.chunks.borrow().iter().find(|(other, _)| *other == chunk).map(|(_, rows)| rows.clone())
    }

    /// The rows of a chunk, which are kept for another attempt; those of earlier chunks are dropped.
    fn take(&self, chunk: Chunk, exec: &Exec) -> Result<ColumnAccessor> {
        let rows = self.found(chunk).map_or_else(|| chunk.of(self.rows, exec), Ok)?;
        *self.chunks.borrow_mut() = vec![(chunk, rows.clone())];
        Ok(rows)
    }

    /// Unspills the rows of the chunk after this one in the background. A failure is left to the chunk's own attempt.
    fn prefetch_after(&self, chunk: Chunk, exec: &Exec) {
        let (start, rows) = (chunk.start + chunk.len, self.rows.rows());
        if start < rows && start.is_multiple_of(self.len.max(1)) {
            let next = Chunk { start, len: self.len.min(rows - start) };
            if let Ok(rows) = next.of(self.rows, exec) {
                rows.will_need();
                self.chunks.borrow_mut().push((next, rows));
            }
        }
    }
}

/// `start`, `start + 1`, … for `rows` rows, in 32 bits where those hold the numbers below `all`.
pub(crate) fn row_numbers(start: usize, rows: usize, all: usize, exec: &Exec) -> Result<Column> {
    let (dtype, first, step) = if let (Ok(_), Ok(start)) = (u32::try_from(all), u32::try_from(start)) {
        (DType::UInt32, Value::U32(start), Value::U32(1))
    } else {
        let start = i64::try_from(start).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
        (DType::Int64, Value::I64(start), Value::I64(1))
    };
    Column::from_data(dtype, ColumnData::Fixed(sequence(first, step, rows, exec)?))
}
