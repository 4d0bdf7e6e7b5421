//! Copies of rows to their own allocations, so that a part of a spilled column can be unspilled without the rest.

use super::bytes::BytesLayout;
use super::fixed::FixedLayout;
use super::offsets::Offsets;
use super::rows::Rows;
use super::{BinaryColumn, Column, IntervalColumn, Layout, ListColumn, StringColumn, StructColumn};
use crate::{DType, Error, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Fixed, OffsetWidth, Storage, Value};
use std::ops::Range;
use std::sync::Arc;

impl Column {
    /// The same rows in buffers that hold little else, so that of a slice of a spilled column only the slice is unspilled.
    /// Resident buffers and dictionaries are shared.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Device
    /// Nothing for a fixed width. Offsets of strings, binary and lists are counted from the first that the rows span: they
    /// are brought back, two of them are read, and the others take one launch.
    pub fn isolate(&self, exec: &Exec) -> Result<Column> {
        let isolated = |child: &Arc<Column>| child.isolate(exec).map(Arc::new);
        Ok(match self {
            Column::String(column) => Column::String(StringColumn { layout: column.layout.isolate(exec)? }),
            Column::Binary(column) => Column::Binary(BinaryColumn { layout: column.layout.isolate(exec)? }),
            Column::Interval(column) => Column::Interval(IntervalColumn {
                left: isolated(&column.left)?,
                right: isolated(&column.right)?,
                rows: column.rows.isolate()?,
                ..column.clone()
            }),
            Column::List(column) => {
                let (offsets, span) = column.offsets.isolate(&column.rows, exec)?;
                let items = column.items.slice(span.start, span.len())?.isolate(exec)?;
                Column::List(ListColumn { offsets, items: Arc::new(items), rows: column.rows.isolate()? })
            }
            Column::Struct(column) => Column::Struct(StructColumn {
                children: column.children.iter().map(isolated).collect::<Result<_>>()?,
                rows: column.rows.isolate()?,
                ..column.clone()
            }),
            Column::Numeric(_)
            | Column::Boolean(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Categorical(_)
            | Column::Null(_) => match self.layout() {
                Layout::Fixed(fixed) => self.with_fixed(fixed.isolate()?)?,
                Layout::Bytes(_) | Layout::Nested { .. } => self.clone(),
            },
        })
    }

    /// Bytes that the rows themselves take, without what the buffers hold before and after them and without a
    /// dictionary.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Device
    /// Two offsets of strings, binary and lists are read.
    pub fn row_bytes(&self) -> Result<usize> {
        let mask = self.mask().map_or(0, |_| self.size().div_ceil(8));
        let offsets = self.offsets().map_or(0, |(_, width)| (self.size() + 1) * width.bytes());
        let values = match self.layout() {
            Layout::Fixed(fixed) => fixed.storage.bytes(self.size()),
            Layout::Bytes(bytes) => bytes.span()?.len(),
            Layout::Nested { .. } => match self {
                Column::List(column) => {
                    let span = column.span()?;
                    column.items.slice(span.start, span.len())?.row_bytes()?
                }
                Column::Struct(column) => {
                    column.fields()?.iter().map(Column::row_bytes).sum::<Result<_>>()?
                }
                Column::Interval(column) => column.left()?.row_bytes()? + column.right()?.row_bytes()?,
                Column::Numeric(_)
                | Column::Boolean(_)
                | Column::String(_)
                | Column::Binary(_)
                | Column::Datetime(_)
                | Column::Timedelta(_)
                | Column::Decimal(_)
                | Column::Categorical(_)
                | Column::Null(_) => 0,
            },
        };
        Ok(mask + offsets + values)
    }
}

impl FixedLayout {
    pub(super) fn isolate(&self) -> Result<Self> {
        Ok(Self { storage: self.storage, data: self.data.isolate()?, rows: self.rows.isolate()? })
    }
}

impl BytesLayout {
    fn isolate(&self, exec: &Exec) -> Result<Self> {
        let (offsets, span) = self.offsets.isolate(&self.rows, exec)?;
        let bytes = self.bytes.slice(span.start, span.len()).isolate()?;
        Ok(Self::of_parts(offsets, bytes, self.rows.isolate()?))
    }
}

impl Offsets {
    /// The offsets counted from what the first row starts with, and what the rows span.
    fn isolate(&self, rows: &Rows, exec: &Exec) -> Result<(Self, Range<usize>)> {
        // Offsets before the first row are never read and may become negative.
        let count = rows.offset + rows.size + 1;
        if rows.size == 0 {
            // The value of the only offset is unspecified once rows before it were removed.
            return Ok((
                Self { buffer: Buffer::zeroed(count * self.width.bytes(), exec)?, width: self.width },
                0..0,
            ));
        }
        // All of them are brought back at once, the two that tell the span among them.
        let own =
            Self { buffer: self.buffer.slice(0, count * self.width.bytes()).isolate()?, width: self.width };
        drop(own.buffer.read(exec)?);
        let span = own.span(rows)?;
        let buffer = own.shifted(0, count, self.width, -signed(span.start)?, exec)?;
        Ok((Self { buffer, width: self.width }, span))
    }

    /// `count` offsets from the one at `first` on, each moved by `by`, in offsets of `width`.
    pub(super) fn shifted(
        &self,
        first: usize,
        count: usize,
        width: OffsetWidth,
        by: i64,
        exec: &Exec,
    ) -> Result<Buffer> {
        let storage = |width| if width == OffsetWidth::I32 { Storage::I32 } else { Storage::I64 };
        let size = self.width.bytes();
        let buffer = self.buffer.slice(first * size, count * size).isolate()?;
        if by == 0 && self.width == width {
            return Ok(buffer);
        }
        let offsets =
            Fixed { storage: storage(self.width), data: &buffer, validity: None, offset: 0, len: count };
        if width == OffsetWidth::I32 && self.width == OffsetWidth::I32 {
            // What lies below zero in between is lost in wrapping, and comes back with it.
            let by = Value::I32(i32::try_from(by).map_err(|_| overflow())?);
            return Ok(binary(BinaryOp::Add, Operand::Column(offsets), Operand::Value(by), exec)?.data);
        }
        let wide = cast(&offsets, Storage::I64, CastMode::Wrap, exec)?;
        let by = Operand::Value(Value::I64(by));
        let moved = binary(BinaryOp::Add, Operand::Column(wide.view()), by, exec)?;
        Ok(cast(&moved.view(), storage(width), CastMode::Wrap, exec)?.data)
    }
}

/// A position as an offset.
pub(super) fn signed(position: usize) -> Result<i64> {
    i64::try_from(position).map_err(|_| overflow())
}

fn overflow() -> Error {
    Error::Overflow { dtype: DType::Int64 }
}
