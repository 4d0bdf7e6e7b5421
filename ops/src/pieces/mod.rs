//! How operators whose working set does not fit the budget are cut into pieces.
//!
//! An operator estimates the bytes that it needs at a time. While they fit the [budget](Exec::budget) it runs on all
//! rows; else, or when memory runs out all the same, on pieces of them, which come back as parts of the result. The rows
//! of a piece are taken [isolated](ColumnAccessor::isolate), so that spilled columns are not brought back whole, and
//! within the attempt, so that between two attempts nothing is pinned.

mod keyed;

pub(crate) use keyed::{KeyedRows, label};

use columnade_buffers::{Exec, with_retry};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, Value};

/// Rows are cut at a multiple of this, while pieces are larger: there all buffers keep their alignment.
pub(crate) const PIECE_ROWS: usize = 512;
/// Bytes a row of maps and tables of rows, which sorting, grouping and joining keep beside the columns.
pub(crate) const MAP_BYTES: usize = 32;

/// Rows `start .. start + len` of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Piece {
    /// All of `rows` rows, in pieces of `len`; without rows one piece all the same.
    pub(crate) fn all(rows: usize, len: usize) -> Vec<Self> {
        let len = len.max(1);
        let piece = |start: usize| Self { start, len: len.min(rows - start) };
        if rows == 0 { vec![Self { start: 0, len: 0 }] } else { (0..rows).step_by(len).map(piece).collect() }
    }

    /// The two halves; `None` of one row.
    pub(crate) fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.len / 2;
        let first = if middle < PIECE_ROWS { middle } else { middle / PIECE_ROWS * PIECE_ROWS };
        let rest = self.len - first;
        (first > 0).then_some([
            Self { start: self.start, len: first },
            Self { start: self.start + first, len: rest },
        ])
    }

    /// These rows of `columns`: all of them as they are, some of them isolated.
    pub(crate) fn of(self, columns: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        if self.len == columns.rows() {
            return Ok(columns.clone());
        }
        columns.slice(self.start, self.len)?.isolate(exec)
    }

    /// These rows of a column.
    pub(crate) fn of_column(self, column: &Column, exec: &Exec) -> Result<Column> {
        if self.len == column.size() {
            return Ok(column.clone());
        }
        column.slice(self.start, self.len)?.isolate(exec)
    }
}

/// Rows of a piece so that `bytes` bytes for `rows` rows come to fit the budget of `exec`; all rows when they do at
/// once, or when there is no budget. `bytes` is asked for only where there is one.
pub(crate) fn piece_rows(rows: usize, exec: &Exec, bytes: impl FnOnce() -> Result<usize>) -> Result<usize> {
    let Some(budget) = exec.budget() else { return Ok(rows) };
    let bytes = bytes()?;
    if bytes <= budget {
        return Ok(rows);
    }
    Ok(rows_of_share(rows, bytes, budget))
}

/// Rows that take `room` bytes, when `rows` rows take `bytes`; at least one.
pub(crate) fn rows_of_share(rows: usize, bytes: usize, room: usize) -> usize {
    let share = rows.div_ceil(bytes.div_ceil(room.max(1)).max(1)).max(1);
    if share < PIECE_ROWS { share } else { share / PIECE_ROWS * PIECE_ROWS }
}

/// `start`, `start + 1`, … for `rows` rows.
pub(crate) fn row_numbers(start: usize, rows: usize, exec: &Exec) -> Result<Column> {
    let len = piece_rows(rows, exec, || Ok(2 * size_of::<i64>() * rows))?;
    let parts = with_retry(exec, Piece::all(rows, len), Piece::halves, |piece, exec| -> Result<Column> {
        let first = i64::try_from(start + piece.start)
            .map_err(|_| Error::Overflow { op: "row numbers", dtype: DType::Int64 })?;
        let numbers = sequence(Value::I64(first), Value::I64(1), piece.len, exec)?;
        Column::from_data(DType::Int64, ColumnData::Fixed(numbers))
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

/// The rows that `body` makes of all rows of `columns`, which it is given whole or in pieces, one after the other. It
/// needs `bytes` bytes for them at a time.
pub(crate) fn by_rows(
    columns: &ColumnAccessor,
    exec: &Exec,
    bytes: impl FnOnce() -> Result<usize>,
    mut body: impl FnMut(&ColumnAccessor, &Exec) -> Result<ColumnAccessor>,
) -> Result<ColumnAccessor> {
    let len = piece_rows(columns.rows(), exec, bytes)?;
    let parts = with_retry(exec, Piece::all(columns.rows(), len), Piece::halves, |piece, exec| {
        body(&piece.of(columns, exec)?, exec)
    })?;
    ColumnAccessor::assemble(parts, exec)
}
