//! Structs as frames.

use super::super::abi::ArrowArray;
use super::super::path::Path;
use super::super::schema::FrameSchema;
use super::array::{Importer, enough};
use super::node::Node;
use crate::column::superimpose::OuterNulls;
use crate::{ColumnAccessor, Result};

impl Importer<'_> {
    /// An array of structs as columns: its offset and its nulls become theirs.
    pub(super) fn frame(&self, array: &ArrowArray, schema: &FrameSchema) -> Result<ColumnAccessor> {
        const PATH: &Path<'_> = &Path::ROOT;
        let node = Node::of_struct(array, schema.fields.len(), PATH)?;
        let nulls = self.rows(&node, PATH)?;
        let nulls = if nulls.null_count(self.exec)? == 0 {
            None
        } else {
            self.needs_copy("rows that are null as a whole become null in every column", PATH)?;
            OuterNulls::of(&nulls, self.exec)?
        };
        let mut columns = Vec::with_capacity(schema.fields.len());
        for (at, (path, field)) in schema.fields().enumerate() {
            let mut column = self.column(node.child(at, &path)?, field, &path)?;
            enough(&column, node.end(), &path)?;
            if (node.offset, node.length) != (0, column.size()) {
                column = column.slice(node.offset, node.length)?;
            }
            if let Some(nulls) = &nulls {
                column = nulls.superimpose(&column, self.exec)?;
            }
            columns.push(column);
        }
        schema.header.over(columns, node.length)
    }
}
