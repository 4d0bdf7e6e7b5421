//! Which rows of its input an operation keeps, in which order.

mod rows_at;
#[cfg(test)]
mod test_rows_at;
#[cfg(test)]
mod tests;

pub use rows_at::rows_at;

use crate::expression::{col, lit, when};
use crate::groupby::grouped_rows::{column_of, compute, row_map as row_map_of_column};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::copying::filter;
use columnade_kernels::copying::gather::{MapNulls, gather};
use columnade_kernels::filling::run_numbers::run_numbers;
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{ColumnData, FixedData, RowMap, RowWidth, Storage, Value, View};

/// The rows that an operation took of its input. A step owns what the operation computed anyway.
#[derive(Clone, Debug)]
pub enum Step {
    /// Rows `offset .. offset + len`.
    Slice {
        /// The first row.
        offset: usize,
        /// The number of rows.
        len: usize,
    },
    /// The rows for which `keep` is true, in order.
    Mask {
        /// A row of `bool` for each row of the input; null is false.
        keep: Column,
        /// How many are true.
        kept: usize,
    },
    /// The rows of a map, all of which exist.
    Rows {
        /// The row of the input for each row of the result.
        map: RowMap,
        /// Whether no row comes twice.
        distinct: bool,
        /// Whether the rows ascend.
        ordered: bool,
    },
    /// Each row as a run of rows, which may be empty.
    Repeat {
        /// `int64` without nulls: where the run of each row begins, ascending from 0.
        begins: Column,
        /// The number of rows of all runs.
        len: usize,
    },
}

/// Rows, and what they are of the rows of the input: the steps one after the other, none for all rows.
#[derive(Clone, Debug)]
pub struct Picked {
    /// The rows.
    pub columns: ColumnAccessor,
    /// How they were chosen.
    pub steps: Vec<Step>,
}

impl Step {
    /// The number of rows that are left.
    pub fn len(&self) -> usize {
        match self {
            Step::Slice { len, .. } | Step::Repeat { len, .. } => *len,
            Step::Mask { kept, .. } => *kept,
            Step::Rows { map, .. } => map.len,
        }
    }

    /// Whether no row is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no row comes twice.
    pub fn is_distinct(&self) -> bool {
        match self {
            Step::Slice { .. } | Step::Mask { .. } => true,
            Step::Rows { distinct, .. } => *distinct,
            Step::Repeat { .. } => false,
        }
    }

    /// Whether the rows are in the order of the input.
    pub fn is_ordered(&self) -> bool {
        match self {
            Step::Slice { .. } | Step::Mask { .. } | Step::Repeat { .. } => true,
            Step::Rows { ordered, .. } => *ordered,
        }
    }

    /// The step on the device of `exec`.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn to_device(&self, exec: &Exec) -> Result<Step> {
        Ok(match self {
            Step::Slice { offset, len } => Step::Slice { offset: *offset, len: *len },
            Step::Mask { keep, kept } => Step::Mask { keep: keep.to_device(exec)?, kept: *kept },
            Step::Rows { map, distinct, ordered } => {
                let dtype = if map.width == RowWidth::U32 { DType::UInt32 } else { DType::UInt64 };
                let rows = Column::from_data(dtype, ColumnData::Fixed(numbers_of(map)))?.to_device(exec)?;
                let data = rows.data().ok_or(Error::Internal { invariant: "numbers have data" })?;
                let data = data.slice(rows.offset() * map.width.bytes(), map.len * map.width.bytes());
                let map = RowMap { rows: data, ..map.clone() };
                Step::Rows { map, distinct: *distinct, ordered: *ordered }
            }
            Step::Repeat { begins, len } => Step::Repeat { begins: begins.to_device(exec)?, len: *len },
        })
    }
}

/// Several steps as a slice of the input and a map into that slice.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The first row and the number of rows; `None` for all.
    pub slice: Option<(usize, usize)>,
    /// The rows of the slice; `None` for all.
    pub map: Option<RowMap>,
}

/// The rows that `steps` leave, as one slice and one map.
///
/// # Errors
/// [`Error::Memory`].
///
/// # Device
/// One synchronisation for each mask, and a gather for each map but the first.
///
/// # Source
/// cuDF `GatherMap`; Polars and DuckDB keep such selections in their plans.
pub fn fold(steps: &[Step], exec: &Exec) -> Result<Folded> {
    let mut folded = Folded { slice: None, map: None };
    for step in steps {
        match (step, &folded.map) {
            (Step::Slice { offset, len }, None) => {
                let (start, _) = folded.slice.unwrap_or_default();
                folded.slice = Some((start + offset, *len));
            }
            (Step::Slice { offset, len }, Some(map)) => {
                let bytes = map.width.bytes();
                let rows = map.rows.slice(offset * bytes, len * bytes);
                folded.map = Some(RowMap { rows, width: map.width, len: *len });
            }
            (Step::Mask { keep, .. }, before) => {
                folded.map = Some(after(before.as_ref(), kept_rows(keep, exec)?, exec)?);
            }
            (Step::Rows { map, .. }, before) => {
                folded.map = Some(after(before.as_ref(), map.clone(), exec)?);
            }
            (Step::Repeat { begins, len }, before) => {
                folded.map = Some(after(before.as_ref(), repeated_rows(begins, *len, exec)?, exec)?);
            }
        }
    }
    Ok(folded)
}

/// The row of each of `len` rows in runs that begin at `begins`.
///
/// # Errors
/// [`Error::UnsupportedDType`] for begins of another dtype than `int64`; [`Error::Memory`].
pub fn repeated_rows(begins: &Column, len: usize, exec: &Exec) -> Result<RowMap> {
    let View::Fixed(begins) = begins.view()? else {
        return Err(Error::UnsupportedDType { dtype: begins.dtype() });
    };
    let width = RowWidth::for_rows(begins.len);
    let storage = if width == RowWidth::U32 { Storage::U32 } else { Storage::I64 };
    let rows = run_numbers(&begins, len, storage, exec)?;
    Ok(RowMap { rows: rows.data, width, len })
}

/// The rows `map` of the rows `before`.
fn after(before: Option<&RowMap>, map: RowMap, exec: &Exec) -> Result<RowMap> {
    match before {
        None => Ok(map),
        Some(before) => compose_maps(before, &map, exec),
    }
}

/// Row `i` of the result is row `map[i]` of the map `first`; no row of either map is no row of the result.
///
/// # Errors
/// [`Error::Memory`].
///
/// # Device
/// One gather of 4 or 8 bytes a row.
pub fn compose_maps(first: &RowMap, map: &RowMap, exec: &Exec) -> Result<RowMap> {
    if first.len == 0 {
        // No row of `map` exists.
        return Ok(RowMap::none(map.len, first.width, exec)?);
    }
    match gather(&View::Fixed(numbers_of(first).view()), map, MapNulls::Possible, exec)? {
        ColumnData::Fixed(data) => {
            let rows = RowMap { rows: data.data, width: first.width, len: map.len };
            match data.validity {
                None => Ok(rows),
                Some(validity) => none_where_null(&rows, validity, exec),
            }
        }
        ColumnData::String(_) => Err(Error::Internal { invariant: "row numbers have fixed width" }),
    }
}

/// A map whose rows do not exist where a bit of `validity` is not set, nor where those of `map` do not.
fn none_where_null(map: &RowMap, validity: columnade_buffers::Buffer, exec: &Exec) -> Result<RowMap> {
    let dtype = if map.width == RowWidth::U32 { DType::UInt32 } else { DType::UInt64 };
    let data = FixedData { validity: Some(validity), ..numbers_of(map) };
    let numbers = Column::from_data(dtype, ColumnData::Fixed(data))?;
    let rows = positions(map, exec)?;
    let rows = compute(
        &[("x", &numbers), ("row", &rows)],
        when(col("x").is_null()).then(lit(-1_i64)).otherwise(col("row")),
        exec,
    )?;
    row_map_of_column(&rows.without_mask(), exec)
}

fn numbers_of(map: &RowMap) -> FixedData {
    let storage = match map.width {
        RowWidth::U32 => Storage::U32,
        RowWidth::U64 => Storage::U64,
    };
    FixedData { storage, len: map.len, data: map.rows.clone(), validity: None }
}

/// The rows for which a column of booleans is true.
///
/// # Errors
/// [`Error::NotBoolean`]; [`Error::Memory`].
///
/// # Device
/// One synchronisation for their number.
pub fn kept_rows(keep: &Column, exec: &Exec) -> Result<RowMap> {
    let (DType::Bool, View::Fixed(bits)) = (keep.dtype(), keep.view()?) else {
        return Err(Error::NotBoolean { dtype: keep.dtype() });
    };
    Ok(filter::row_map(bits.data_bits(), bits.validity_bits(), exec)?)
}

/// `start`, `start + step`, … for `len` rows, `int64`.
///
/// # Errors
/// [`Error::Memory`].
pub fn range_labels(start: i64, step: i64, len: usize, exec: &Exec) -> Result<Column> {
    let labels = sequence(Value::I64(start), Value::I64(step), len, exec)?;
    Column::from_data(DType::Int64, ColumnData::Fixed(labels))
}

/// The labels of the rows of a map in `start`, `start + step`, …, `int64`.
///
/// # Errors
/// [`Error::Memory`].
pub fn affine_labels(map: &RowMap, start: i64, step: i64, exec: &Exec) -> Result<Column> {
    let rows = column_of(map, exec)?;
    if (start, step) == (0, 1) {
        return Ok(rows);
    }
    compute(&[("row", &rows)], col("row") * lit(step) + lit(start), exec)
}

/// The rows of a map, `int64`; −1 for no row.
///
/// # Errors
/// [`Error::Memory`].
pub fn positions(map: &RowMap, exec: &Exec) -> Result<Column> {
    let rows = column_of(map, exec)?;
    if map.width == RowWidth::U64 {
        return Ok(rows);
    }
    let none = col("row").eq(lit(i64::from(RowMap::NONE_U32)));
    Ok(compute(&[("row", &rows)], when(none).then(lit(-1_i64)).otherwise(col("row")), exec)?.without_mask())
}

/// The row map of numbers of rows, as [`row_numbers`](crate::out_of_core::row_numbers) makes them.
pub(crate) fn map_of_numbers(numbers: &Column, exec: &Exec) -> Result<RowMap> {
    if numbers.dtype() != DType::UInt32 {
        return map_of_positions(numbers, exec);
    }
    let data = numbers.data().ok_or(Error::Internal { invariant: "a column of row numbers has data" })?;
    let bytes = |rows: usize| rows * RowWidth::U32.bytes();
    let rows = data.slice(bytes(numbers.offset()), bytes(numbers.size()));
    Ok(RowMap { rows, width: RowWidth::U32, len: numbers.size() })
}

/// The row map of positions, `int64`; a null or −1 is no row.
///
/// # Errors
/// [`Error::UnsupportedDType`] for another dtype; [`Error::Memory`].
pub fn map_of_positions(positions: &Column, exec: &Exec) -> Result<RowMap> {
    if positions.dtype() != DType::Int64 {
        return Err(Error::UnsupportedDType { dtype: positions.dtype() });
    }
    row_map_of_column(positions, exec)
}
