//! Concatenation of columns.

use super::offsets::Offsets;
use super::rows::Rows;
use super::{CategoricalColumn, Column, IntervalColumn, ListColumn, NullColumn, StructColumn};
use crate::{DType, Error, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::copying::concat::concat;
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{ColumnData, Fixed, OffsetWidth, Storage, Value, View};
use smallvec::SmallVec;
use std::sync::Arc;

impl Column {
    /// The rows of all columns, one column after the other. Dictionaries are unified; the only column is returned as
    /// it is. Offsets have 64 bits if those of any column have, or if 32 do not suffice.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] unless the columns have one dtype; [`Error::InvalidArgument`] without columns;
    /// [`Error::Memory`].
    ///
    /// # Device
    /// One copy a column; dictionaries that differ go through the host. Lists take one synchronisation a column, for
    /// what it spans, and a launch or two for its offsets.
    ///
    /// # Source
    /// cudf/concatenate.hpp `concatenate`.
    pub fn concat(columns: &[&Column], exec: &Exec) -> Result<Column> {
        let [first, rest @ ..] = columns else {
            let reason = "there are none, so there is no dtype".to_owned();
            return Err(Error::InvalidArgument { name: "columns", reason });
        };
        if rest.is_empty() {
            return Ok((*first).clone());
        }
        let same = |column: &Column| column.dtype().logical().same_values(first.dtype().logical());
        if let Some(other) = rest.iter().find(|column| !same(column)) {
            return Err(Error::DTypeMismatch { left: first.dtype(), right: other.dtype() });
        }
        copied(columns, exec)
    }

    /// The same rows in memory of their own on `exec`'s device. Dictionaries, which never change, are shared.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Device
    /// Same as [`concat`](Self::concat).
    pub fn deep_copy(&self, exec: &Exec) -> Result<Column> {
        copied(&[self], exec)
    }
}

/// The rows of all columns, at least one, in new memory.
fn copied(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let joined = match columns[0] {
        Column::Categorical(_) => joined_categories(columns, exec)?,
        Column::Interval(_) => joined_intervals(columns, exec)?,
        Column::List(_) => joined_lists(columns, exec)?,
        Column::Struct(_) => joined_structs(columns, exec)?,
        Column::Null(_) => {
            let size = columns.iter().map(|column| column.size()).sum();
            return Ok(Column::Null(NullColumn::new(size, exec.device())));
        }
        Column::Numeric(_)
        | Column::Boolean(_)
        | Column::String(_)
        | Column::Binary(_)
        | Column::Datetime(_)
        | Column::Timedelta(_)
        | Column::Decimal(_) => joined(columns, exec)?,
    };
    let no_nulls = columns.iter().all(|column| column.known_null_count() == Some(0));
    Ok(if no_nulls { joined.without_mask() } else { joined })
}

/// Only columns of the first one's kind.
fn of_kind<'a, T>(columns: &[&'a Column], kind: impl Fn(&'a Column) -> Option<&'a T>) -> Result<Vec<&'a T>> {
    columns
        .iter()
        .map(|column| {
            let mismatch = || Error::DTypeMismatch { left: columns[0].dtype(), right: column.dtype() };
            kind(column).ok_or_else(mismatch)
        })
        .collect()
}

fn joined(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let views = columns.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    if let Some(other) = columns.iter().find(|column| matches!(column, Column::Categorical(_))) {
        return Err(Error::DTypeMismatch { left: columns[0].dtype(), right: other.dtype() });
    }
    Column::widest(columns).unwrap_or(columns[0]).with_data(concat(&views, exec)?, exec)
}

fn joined_categories(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let categorical =
        of_kind(
            columns,
            |column| if let Column::Categorical(column) = column { Some(column) } else { None },
        )?;
    let unified: Vec<Column> =
        CategoricalColumn::unify(&categorical, exec)?.into_iter().map(Column::Categorical).collect();
    let views = unified.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    unified[0].with_data(concat(&views, exec)?, exec)
}

fn joined_intervals(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let intervals =
        of_kind(columns, |column| if let Column::Interval(column) = column { Some(column) } else { None })?;
    let ends = |end: fn(&IntervalColumn) -> Result<Column>| -> Result<Arc<Column>> {
        let parts = intervals.iter().map(|interval| end(interval)).collect::<Result<Vec<_>>>()?;
        copied(&parts.iter().collect::<Vec<_>>(), exec).map(Arc::new)
    };
    let rows = joined_rows(columns, exec)?;
    let (left, right) = (ends(IntervalColumn::left)?, ends(IntervalColumn::right)?);
    IntervalColumn::from_parts(left, right, intervals[0].closed, rows).map(Column::Interval)
}

fn joined_structs(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let structs =
        of_kind(columns, |column| if let Column::Struct(column) = column { Some(column) } else { None })?;
    let parts = structs.iter().map(|column| column.fields()).collect::<Result<Vec<_>>>()?;
    let children = (0..structs[0].names.len())
        .map(|field| {
            let column: Vec<&Column> = parts.iter().map(|fields| &fields[field]).collect();
            copied(&column, exec).map(Arc::new)
        })
        .collect::<Result<SmallVec<_>>>()?;
    let rows = joined_rows(columns, exec)?;
    StructColumn::from_parts(Arc::clone(&structs[0].names), children, rows, exec.device()).map(Column::Struct)
}

fn joined_lists(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let lists =
        of_kind(columns, |column| if let Column::List(column) = column { Some(column) } else { None })?;
    let spans = lists.iter().map(|list| list.span()).collect::<Result<Vec<_>>>()?;
    let parts = lists.iter().zip(&spans).map(|(list, span)| list.items.slice(span.start, span.len()));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let items = copied(&parts.iter().collect::<Vec<_>>(), exec)?;

    let mut base = 0_usize;
    let mut moved = Vec::with_capacity(lists.len() + 1);
    for (list, span) in lists.iter().zip(&spans) {
        let by = Value::I64(signed(base)?.wrapping_sub(signed(span.start)?));
        let starts = list.offsets.starts(&list.rows);
        let wide = cast(&starts, Storage::I64, CastMode::Wrap, exec)?;
        moved.push(binary(BinaryOp::Add, Operand::Column(wide.view()), Operand::Value(by), exec)?);
        base += span.len();
    }
    moved.push(columnade_kernels::filling::fill::fill(Value::I64(signed(base)?), 1, exec)?);
    let views: Vec<View<'_>> = moved.iter().map(|data| View::Fixed(data.view())).collect();
    let wide = lists.iter().any(|list| list.offsets.width == OffsetWidth::I64);
    let width = if wide { OffsetWidth::I64 } else { OffsetWidth::for_bytes(base) };
    let offsets = Offsets::from_wide(concat(&views, exec)?, width, exec)?;
    Ok(Column::List(ListColumn { offsets, items: Arc::new(items), rows: joined_rows(columns, exec)? }))
}

fn signed(position: usize) -> Result<i64> {
    i64::try_from(position).map_err(|_| Error::Overflow { dtype: DType::Int64 })
}

impl Offsets {
    /// Where each row starts, as numbers.
    pub(crate) fn starts(&self, rows: &Rows) -> Fixed<'_> {
        let storage = match self.width {
            OffsetWidth::I32 => Storage::I32,
            OffsetWidth::I64 => Storage::I64,
        };
        Fixed { storage, data: &self.buffer, validity: None, offset: rows.offset, len: rows.size }
    }

    /// Offsets of 64 bits, narrowed where 32 are asked for, which they fit.
    pub(crate) fn from_wide(data: ColumnData, width: OffsetWidth, exec: &Exec) -> Result<Self> {
        let wide = match data {
            ColumnData::Fixed(wide) if wide.storage == Storage::I64 => wide,
            ColumnData::Fixed(_) | ColumnData::String(_) => {
                return Err(columnade_kernels::Error::TypeMismatch.into());
            }
        };
        let buffer = match width {
            OffsetWidth::I64 => wide.data,
            OffsetWidth::I32 => cast(&wide.view(), Storage::I32, CastMode::Wrap, exec)?.data,
        };
        Ok(Self { buffer, width })
    }
}

/// The concatenated masks of the columns; none where none has one.
fn joined_rows(columns: &[&Column], exec: &Exec) -> Result<Rows> {
    let size = columns.iter().map(|column| column.size()).sum();
    if columns.iter().all(|column| column.mask().is_none()) {
        return Ok(Rows::without_mask(0, size));
    }
    // The masks as those of columns of bits, whose values do not matter.
    let blank =
        Buffer::zeroed(columns.iter().map(|column| column.size()).max().unwrap_or(0).div_ceil(8), exec)?;
    let views: Vec<View<'_>> = columns
        .iter()
        .map(|column| {
            let rows = column.rows();
            let (data, offset) = rows.mask.as_ref().map_or((&blank, 0), |mask| (mask, rows.offset));
            let (validity, len) = (rows.mask.as_ref(), rows.size);
            View::Fixed(Fixed { storage: Storage::Bit, data, validity, offset, len })
        })
        .collect();
    let mask = match concat(&views, exec)? {
        ColumnData::Fixed(joined) => joined.validity,
        ColumnData::String(joined) => joined.validity,
    };
    Rows::new(mask, 0, size, exec.device())
}
