//! How operators whose working set does not fit the budget are cut into pieces.
//!
//! An operator estimates the bytes that it [needs](Needs) at a time. While they fit the [budget](Exec::planned_budget) it runs
//! on all rows; else, or when memory runs out all the same, on pieces of them, which come back as parts of the result.
//! The rows of a piece are taken [isolated](ColumnAccessor::isolate), so that spilled columns are not brought back
//! whole, and within the attempt, so that between two attempts nothing is pinned.
//!
//! What an attempt needs beyond what is at home already is [set aside](with_retry_in_room) before it begins. While a
//! piece is worked on the next one's rows come home in the background, and what was made of earlier ones is the first to
//! leave.

mod keyed;
#[cfg(test)]
mod tests;

pub(crate) use keyed::{KeyedRows, label};

use columnade_buffers::{Exec, RetryableError, attempt_twice_in_room, with_retry_in_room};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, Value};
use std::cell::{Cell, RefCell};

/// Rows are cut at a multiple of this, while pieces are larger: there all buffers keep their alignment.
pub(crate) const CHUNK_ROWS: usize = 512;
/// Bytes a row of maps and tables of rows, which sorting, grouping and joining keep beside the columns.
pub(crate) const MAP_BYTES: usize = 32;

/// Rows `start .. start + len` of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Chunk {
    /// All of `rows` rows, in pieces of `len`; without rows one piece all the same.
    pub(crate) fn all(rows: usize, len: usize) -> Vec<Self> {
        let len = len.max(1);
        let chunk = |start: usize| Self { start, len: len.min(rows - start) };
        if rows == 0 { vec![Self { start: 0, len: 0 }] } else { (0..rows).step_by(len).map(chunk).collect() }
    }

    /// The two halves; `None` of one row.
    pub(crate) fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.len / 2;
        let first = if middle < CHUNK_ROWS { middle } else { middle / CHUNK_ROWS * CHUNK_ROWS };
        let rest = self.len - first;
        (first > 0).then_some([
            Self { start: self.start, len: first },
            Self { start: self.start + first, len: rest },
        ])
    }

    /// These rows of `columns`: all of them as they are, some of them isolated.
    fn of(self, columns: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        if self.len == columns.rows() {
            return Ok(columns.clone());
        }
        columns.slice(self.start, self.len)?.isolate(exec)
    }
}

/// Bytes that an operator takes at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryEstimate {
    /// Of the rows that are cut into pieces.
    pub(crate) operands: usize,
    /// What is made of them: scratch and results.
    pub(crate) others: usize,
    /// Beside each piece, whatever its size.
    pub(crate) fixed_overhead: usize,
}

impl MemoryEstimate {
    /// All of it.
    pub(crate) fn bytes(&self) -> usize {
        self.operands.saturating_add(self.others).saturating_add(self.fixed_overhead)
    }
}

/// How rows are cut into pieces, and what they take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkPlan {
    /// Rows of a piece.
    pub(crate) len: usize,
    rows: usize,
    /// What all rows would take.
    needs: MemoryEstimate,
    /// What a piece that memory does not suffice for is not cut further below.
    least: MinChunk,
}

/// The least piece that is worth its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MinChunk {
    /// Rows of it.
    pub(crate) rows: usize,
    /// Bytes of it.
    pub(crate) bytes: usize,
}

impl MinChunk {
    /// Of `rows` rows, which take `bytes` bytes together.
    pub(crate) fn of(rows: usize, bytes: usize, exec: &Exec) -> Self {
        match exec.min_chunk_bytes() {
            0 => Self::default(),
            least => Self { rows: rows_of_share(rows, bytes, least), bytes: least },
        }
    }

    /// Whether a piece of `rows` rows is to be cut, for which `asked` bytes could not be had at last: a piece that makes
    /// far more than was thought is.
    pub(crate) fn is_below(&self, rows: usize, asked: usize) -> bool {
        rows > self.rows || asked > self.bytes
    }
}

impl ChunkPlan {
    /// Pieces of `len` rows, for which nothing is set aside.
    pub(crate) fn at(len: usize) -> Self {
        Self { len, rows: 0, needs: MemoryEstimate::default(), least: MinChunk::default() }
    }

    /// Pieces of `rows` rows that fit the budget of `exec`: all at once where they do, else as many at a time as fit
    /// beside the operands of the next piece. `needs` is asked for only where there is a budget.
    pub(crate) fn of(
        rows: usize,
        exec: &Exec,
        needs: impl FnOnce() -> Result<MemoryEstimate>,
    ) -> Result<Self> {
        if exec.planned_budget().is_none() {
            return Ok(Self::at(rows));
        }
        let needs = needs()?;
        let exec = &exec.for_work_of(needs.bytes());
        let least = MinChunk::of(rows, needs.bytes(), exec);
        let whole = Self { len: rows, rows, needs, least };
        let Some(budget) = exec.planned_budget().filter(|&budget| needs.bytes() > budget) else {
            return Ok(whole);
        };
        // What stands beside every piece passes the budget alone: a piece is worth it where it takes about as much.
        let room = budget.checked_sub(needs.fixed_overhead).unwrap_or(needs.fixed_overhead).max(least.bytes);
        let len = rows_of_share(rows, needs.operands.saturating_mul(2).saturating_add(needs.others), room);
        Ok(Self { len, ..whole })
    }

    /// Bytes that all rows take at a time; 0: not known.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_of(self.rows)
    }

    /// Bytes that `len` of the rows take at a time.
    fn bytes_of(&self, len: usize) -> usize {
        let MemoryEstimate { operands, others, fixed_overhead } = self.needs;
        if self.rows == 0 {
            0
        } else {
            share(operands.saturating_add(others), len, self.rows).saturating_add(fixed_overhead)
        }
    }
}

/// `len` of `rows` parts of `bytes`.
fn share(bytes: usize, len: usize, rows: usize) -> usize {
    let share = bytes as u128 * len as u128 / rows.max(1) as u128;
    usize::try_from(share).unwrap_or(usize::MAX)
}

/// What an operator reads.
pub(crate) trait Operand {
    /// Bytes of it that are at home, which is used next, so that room is not made of it.
    fn kept_bytes(&self) -> usize;
}

impl Operand for Column {
    fn kept_bytes(&self) -> usize {
        self.touch();
        self.home_bytes()
    }
}

impl Operand for ColumnAccessor {
    fn kept_bytes(&self) -> usize {
        self.columns().iter().map(Operand::kept_bytes).sum()
    }
}

/// Counts rows as used just now, after others were asked for ahead: those come home in the place of what was not used
/// since.
pub(crate) fn at_work(rows: &ColumnAccessor) {
    rows.columns().iter().for_each(Column::touch);
}

/// Bytes to be set aside for who takes `bytes` at a time, some of them for operands that are at home.
fn missing(bytes: usize, operands: &[&impl Operand]) -> usize {
    let home: usize = operands.iter().map(|operand| operand.kept_bytes()).sum();
    bytes.saturating_sub(home)
}

/// What `body` makes of all of `operands`, in two attempts for which `bytes` bytes are set aside, operands included;
/// `None` when memory suffices for neither.
pub(crate) fn at_once<T>(
    operands: &[&impl Operand],
    bytes: usize,
    exec: &Exec,
    body: impl FnMut(&Exec) -> Result<T>,
) -> Result<Option<T>> {
    attempt_twice_in_room(exec, || missing(bytes, operands), body)
}

/// What `body` makes of the rows of `columns`, whole or in pieces, one after the other.
pub(crate) fn in_chunks<T>(
    columns: &ColumnAccessor,
    plan: ChunkPlan,
    exec: &Exec,
    body: impl FnMut(&ColumnAccessor, &Exec) -> Result<T>,
) -> Result<Vec<T>> {
    in_chunks_beside(columns, &[], plan, exec, body)
}

/// As [`in_chunks`], of one column.
pub(crate) fn column_in_chunks<T>(
    column: &Column,
    plan: ChunkPlan,
    exec: &Exec,
    mut body: impl FnMut(&Column, &Exec) -> Result<T>,
) -> Result<Vec<T>> {
    let rows = ColumnAccessor::from_columns([("column", column.clone())])?;
    in_chunks(&rows, plan, exec, |rows, exec| body(&rows.columns()[0], exec))
}

/// As [`in_chunks`], with rows that are needed for each piece.
pub(crate) fn in_chunks_beside<T>(
    columns: &ColumnAccessor,
    fixed_overhead: &[&ColumnAccessor],
    plan: ChunkPlan,
    exec: &Exec,
    mut body: impl FnMut(&ColumnAccessor, &Exec) -> Result<T>,
) -> Result<Vec<T>> {
    let rows = columns.rows();
    let ahead = Ahead { columns, len: plan.len, taken: RefCell::default() };
    let bytes = |chunk: &Chunk| match (plan.bytes_of(chunk.len), ahead.found(*chunk)) {
        // Not known: nothing is set aside.
        (0, _) => 0,
        (bytes, Some(rows)) => missing(missing(bytes, fixed_overhead), &[&rows]),
        (bytes, None) => {
            missing(bytes, fixed_overhead).saturating_sub(share(columns.kept_bytes(), chunk.len, rows))
        }
    };
    let asked = Cell::new(0);
    let halves = |chunk: &Chunk| chunk.halves().filter(|_| plan.least.is_below(chunk.len, asked.get()));
    with_retry_in_room(exec, Chunk::all(rows, plan.len), halves, bytes, |chunk, exec| {
        let mut attempt = || {
            let rows = ahead.rows(*chunk, exec)?;
            ahead.look_beyond(*chunk, exec);
            at_work(&rows);
            body(&rows, exec)
        };
        attempt().inspect_err(|error| asked.set(error.out_of_memory().unwrap_or(0)))
    })
}

/// The rows of the pieces at hand and next.
struct Ahead<'a> {
    columns: &'a ColumnAccessor,
    /// Rows of a piece that is not cut further.
    len: usize,
    taken: RefCell<Vec<(Chunk, ColumnAccessor)>>,
}

impl Ahead<'_> {
    fn found(&self, chunk: Chunk) -> Option<ColumnAccessor> {
        self.taken.borrow().iter().find(|(other, _)| *other == chunk).map(|(_, rows)| rows.clone())
    }

    /// The rows of a piece, which are kept for another attempt, and none of earlier ones.
    fn rows(&self, chunk: Chunk, exec: &Exec) -> Result<ColumnAccessor> {
        let rows = self.found(chunk).map_or_else(|| chunk.of(self.columns, exec), Ok)?;
        *self.taken.borrow_mut() = vec![(chunk, rows.clone())];
        Ok(rows)
    }

    /// Has the rows of the piece after this one brought home in the background. What cannot be is brought when it is
    /// wanted.
    fn look_beyond(&self, chunk: Chunk, exec: &Exec) {
        let (start, rows) = (chunk.start + chunk.len, self.columns.rows());
        if start < rows && start.is_multiple_of(self.len.max(1)) {
            let next = Chunk { start, len: self.len.min(rows - start) };
            if let Ok(rows) = next.of(self.columns, exec) {
                rows.will_need();
                self.taken.borrow_mut().push((next, rows));
            }
        }
    }
}

/// Rows that take `room` bytes, when `rows` rows take `bytes`; at least one.
pub(crate) fn rows_of_share(rows: usize, bytes: usize, room: usize) -> usize {
    let share = rows.div_ceil(bytes.div_ceil(room.max(1)).max(1)).max(1);
    if share < CHUNK_ROWS { share } else { share / CHUNK_ROWS * CHUNK_ROWS }
}

/// `start`, `start + 1`, … for `rows` rows.
pub(crate) fn row_numbers(start: usize, rows: usize, exec: &Exec) -> Result<Column> {
    let others = size_of::<i64>() * rows;
    let plan = ChunkPlan::of(rows, exec, || Ok(MemoryEstimate { operands: 0, others, fixed_overhead: 0 }))?;
    let nothing = ColumnAccessor::with_rows(rows);
    let mut first = start;
    let parts = in_chunks(&nothing, plan, exec, |chunk, exec| {
        let number = i64::try_from(first).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
        let numbers = sequence(Value::I64(number), Value::I64(1), chunk.rows(), exec)?;
        let numbers = Column::from_data(DType::Int64, ColumnData::Fixed(numbers))?;
        // After all that may fail, for then these rows come again.
        first += chunk.rows();
        Ok(numbers)
    })?;
    Column::assemble(&parts, exec)
}

/// The rows of all parts at home, one part after the other.
pub(crate) fn concat_rows(parts: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
    let Some(first) = parts.first() else { return Ok(ColumnAccessor::new()) };
    let mut rows = ColumnAccessor::with_rows(parts.iter().map(ColumnAccessor::rows).sum());
    for label in first.labels() {
        let columns = parts.iter().map(|part| part.get(label)?.isolate(exec)).collect::<Result<Vec<_>>>()?;
        rows.insert(label.clone(), Column::concat(&columns.iter().collect::<Vec<_>>(), exec)?)?;
    }
    Ok(rows)
}

/// The rows that `body` makes of all rows of `columns`, which it is given whole or in pieces, one after the other.
pub(crate) fn by_rows(
    columns: &ColumnAccessor,
    exec: &Exec,
    needs: impl FnOnce() -> Result<MemoryEstimate>,
    body: impl FnMut(&ColumnAccessor, &Exec) -> Result<ColumnAccessor>,
) -> Result<ColumnAccessor> {
    let plan = ChunkPlan::of(columns.rows(), exec, needs)?;
    ColumnAccessor::assemble(parts_of(columns, plan, exec, body)?, exec)
}

/// As [`in_chunks`], of what makes rows: those of a piece are the first to be spilled when there are others to come.
pub(crate) fn parts_of(
    columns: &ColumnAccessor,
    plan: ChunkPlan,
    exec: &Exec,
    body: impl FnMut(&ColumnAccessor, &Exec) -> Result<ColumnAccessor>,
) -> Result<Vec<ColumnAccessor>> {
    parts_beside(columns, &[], plan, exec, body)
}

/// As [`parts_of`], with rows that are needed for each piece.
pub(crate) fn parts_beside(
    columns: &ColumnAccessor,
    fixed_overhead: &[&ColumnAccessor],
    plan: ChunkPlan,
    exec: &Exec,
    mut body: impl FnMut(&ColumnAccessor, &Exec) -> Result<ColumnAccessor>,
) -> Result<Vec<ColumnAccessor>> {
    in_chunks_beside(columns, fixed_overhead, plan, exec, |rows, exec| {
        let part = body(rows, exec)?;
        if rows.rows() < columns.rows() {
            leave(&part)?;
        }
        Ok(part)
    })
}

/// Lets rows go that are not wanted for long. Where they begin and end is looked up while they are at home.
pub(crate) fn leave(rows: &ColumnAccessor) -> Result<()> {
    rows.row_bytes()?;
    rows.done_with();
    Ok(())
}
