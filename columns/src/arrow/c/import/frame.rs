//! Structs as frames.

use super::super::abi::ArrowArray;
use super::super::path::Path;
use super::super::violation::Violation;
use super::node::Node;
use super::walk::{Importer, enough};
use crate::column::rows::{Rows, SLICE_STEP_ROWS};
use crate::{Column, ColumnAccessor, Result};
use arrow_schema::{DataType, Field};
use columnade_buffers::Buffer;
use columnade_kernels::{Bits, bits};

impl Importer<'_> {
    /// An array of structs as columns: its offset and its nulls become theirs.
    pub(super) fn frame(&self, array: &ArrowArray, field: &Field) -> Result<ColumnAccessor> {
        const PATH: &Path<'_> = &Path::ROOT;
        let DataType::Struct(fields) = field.data_type() else {
            let reason = format!("{} is no struct, which a frame comes as", field.data_type());
            return PATH.fail(Violation::Inexpressible { reason });
        };
        let node = Node::new(array, field.data_type(), PATH)?;
        let nulls = self.rows(&node, PATH)?;
        let nulls = if nulls.null_count(self.exec)? == 0 { None } else { Some(self.leading(&nulls)?) };
        let mut columns = ColumnAccessor::with_rows(node.length);
        for (at, field) in fields.iter().enumerate() {
            let path = PATH.child(field.name());
            let column = self.column(node.child(at, &path)?, field, &path)?;
            enough(&column, node.end(), &path)?;
            let column = column.slice(node.offset, node.length)?;
            let column = match &nulls {
                None => column,
                Some(nulls) => self.nulled(&column, nulls, &path)?,
            };
            columns.insert(field.name(), column)?;
        }
        Ok(columns)
    }

    /// The validity of `rows` from bit [`SLICE_STEP_ROWS`] on, so that what precedes can be made any offset.
    fn leading(&self, rows: &Rows) -> Result<Buffer> {
        self.needs_copy("rows that are null as a whole become null in every column", &Path::ROOT)?;
        let lead = Buffer::zeroed(SLICE_STEP_ROWS / 8, self.exec)?;
        let Some(mask) = &rows.mask else { return Ok(lead) };
        let bits =
            bits::combine::copy(Bits { buffer: mask, offset: rows.offset, len: rows.size }, self.exec)?;
        Ok(Buffer::assemble(&[lead, bits], self.exec)?)
    }

    /// The column, null also where `nulls` is, see [`leading`](Self::leading).
    fn nulled(&self, column: &Column, nulls: &Buffer, path: &Path<'_>) -> Result<Column> {
        let (offset, size) = (column.offset(), column.size());
        debug_assert!(offset < SLICE_STEP_ROWS, "slices narrow their buffers");
        if size == 0 || matches!(column, Column::Null(_)) {
            return Ok(column.clone());
        }
        let len = offset + size;
        let outer = Bits { buffer: nulls, offset: SLICE_STEP_ROWS - offset, len };
        let mask = match column.mask() {
            None => bits::combine::copy(outer, self.exec)?,
            Some(mask) => bits::combine::and(Bits { buffer: mask, offset: 0, len }, outer, self.exec)?,
        };
        let rows =
            Rows::new(Some(mask), offset, size, self.exec.device()).map_err(|error| path.locate(error))?;
        Ok(column.with_rows(|_| rows))
    }
}
