//! Structs as frames.

use super::super::abi::ArrowArray;
use super::super::path::Path;
use super::super::schema::FrameSchema;
use super::node::Node;
use super::walk::{Importer, enough};
use crate::column::rows::{Rows, SLICE_STEP_ROWS};
use crate::{Column, ColumnAccessor, Result};
use columnade_buffers::Buffer;
use columnade_kernels::{Bits, bits};

const OP: &str = "from_arrow_c";

impl Importer<'_> {
    /// An array of structs as columns: its offset and its nulls become theirs.
    pub(super) fn frame(&self, array: &ArrowArray, schema: &FrameSchema) -> Result<ColumnAccessor> {
        const PATH: &Path<'_> = &Path::ROOT;
        let node = Node::of_struct(array, schema.fields.len(), PATH)?;
        let nulls = self.rows(&node, PATH)?;
        let nulls = if nulls.null_count(self.exec)? == 0 { None } else { Some(self.leading(&nulls)?) };
        let mut columns = Vec::with_capacity(schema.fields.len());
        for (at, (path, field)) in schema.fields().enumerate() {
            let column = self.column(node.child(at, &path)?, field, &path)?;
            enough(&column, node.end(), &path)?;
            let column = if (node.offset, node.length) == (0, column.size()) {
                column
            } else {
                column.slice(node.offset, node.length)?
            };
            columns.push(match &nulls {
                None => column,
                Some(nulls) => self.nulled(&column, nulls, &path)?,
            });
        }
        schema.header.over(OP, columns, node.length)
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
