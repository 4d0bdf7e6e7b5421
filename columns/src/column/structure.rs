//! Struct columns.

use super::Column;
use super::rows::{Rows, same_device};
use super::superimpose::OuterNulls;
use crate::{DType, Error, Field, Result};
use columnade_buffers::{Buffer, Device, Exec};
use smallvec::SmallVec;
use std::collections::HashSet;
use std::sync::Arc;

/// Structs: one column per field, each with at least `offset + size` rows.
///
/// Row `i` is row `offset + i` of every child, which may have an offset of its own. The mask of the
/// structs alone decides whether a row is null; the mask of a child applies to that child only.
#[derive(Clone, Debug)]
pub struct StructColumn {
    pub(crate) names: Arc<[String]>,
    pub(crate) children: SmallVec<[Arc<Column>; 2]>,
    pub(crate) rows: Rows,
    /// Where a struct without fields lives.
    pub(crate) device: Device,
}

/// The first name that is there already. Few are compared with each other, which needs no memory.
fn repeated(names: &[String]) -> Option<&String> {
    const FEW: usize = 16;
    if names.len() <= FEW {
        let before = |(position, name)| names[..position].contains(name);
        return names.iter().enumerate().find(|&at| before(at)).map(|(_, name)| name);
    }
    let mut seen = HashSet::with_capacity(names.len());
    names.iter().find(|name| !seen.insert(name.as_str()))
}

impl StructColumn {
    /// Rows `offset .. offset + size` of the fields, null where the bit of `mask` is 0. Without fields and mask the
    /// column lives on the host.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] when a field has fewer rows; [`Error::DuplicateLabel`] for two fields of one name;
    /// [`Error::InvalidArgument`] for a mask too short; [`Error::Memory`] when fields and mask are on different
    /// devices.
    pub fn new<N: Into<String>>(
        fields: impl IntoIterator<Item = (N, Column)>,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let (names, children): (Vec<String>, SmallVec<[Arc<Column>; 2]>) =
            fields.into_iter().map(|(name, column)| (name.into(), Arc::new(column))).unzip();
        let device = match (children.first(), &mask) {
            (Some(child), _) => child.device(),
            (None, Some(mask)) => mask.device(),
            (None, None) => Device::Host,
        };
        let rows = Rows::new(mask, offset, size, device)?;
        Self::from_parts(names.into(), children, rows, device)
    }

    pub(crate) fn from_parts(
        names: Arc<[String]>,
        children: SmallVec<[Arc<Column>; 2]>,
        rows: Rows,
        device: Device,
    ) -> Result<Self> {
        if let Some(name) = repeated(&names) {
            return Err(Error::DuplicateLabel { label: name.into() });
        }
        for child in &children {
            if child.size() < rows.offset + rows.size {
                let expected = rows.offset + rows.size;
                return Err(Error::LengthMismatch { expected, found: child.size() });
            }
            same_device(child.device(), device)?;
        }
        Ok(Self { names, children, rows, device })
    }

    /// The names of the fields, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rows of one field, null also where the struct is: see [`fields`](Self::fields) for what its children hold
    /// there. Only the mask is new, and not that either where the struct has none.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::Memory`].
    ///
    /// # Device
    /// Two copies of a mask and one launch where the struct has a mask, on `exec`'s device, which is the column's.
    ///
    /// # Source
    /// pandas `Series.struct.field`; `cudf/structs/structs_column_view.hpp` `get_sliced_child`, with
    /// `superimpose_nulls`.
    pub fn field(&self, name: &str, exec: &Exec) -> Result<Column> {
        let found = self.names.iter().zip(&self.children).find(|(other, _)| *other == name);
        let Some((_, child)) = found else {
            let available = self.names.iter().map(Into::into).collect();
            return Err(Error::ColumnNotFound { label: name.into(), available });
        };
        let rows = child.slice(self.rows.offset, self.rows.size)?;
        if self.rows.known_null_count() == Some(0) {
            return Ok(rows);
        }
        match OuterNulls::of(&self.rows, exec)? {
            None => Ok(rows),
            Some(nulls) => nulls.superimpose(&rows, exec),
        }
    }

    /// The rows of every field, in order, as the children hold them: whatever they say where the struct is null.
    ///
    /// # Errors
    /// None: the fields have these rows.
    pub fn fields(&self) -> Result<SmallVec<[Column; 2]>> {
        self.children.iter().map(|child| child.slice(self.rows.offset, self.rows.size)).collect()
    }

    /// The same fields by name, of other rows of the same device: `size` rows from row 0 of `fields`.
    ///
    /// # Errors
    /// Same as [`StructColumn::new`]; [`Error::InvalidArgument`] for another number of fields.
    pub fn with_fields(&self, fields: Vec<Column>, mask: Option<Buffer>, size: usize) -> Result<Self> {
        if fields.len() != self.names.len() {
            let reason = format!("{} where there are {} names", fields.len(), self.names.len());
            return Err(Error::InvalidArgument { name: "fields", reason });
        }
        let rows = Rows::new(mask, 0, size, self.device)?;
        let children = fields.into_iter().map(Arc::new).collect();
        Self::from_parts(Arc::clone(&self.names), children, rows, self.device)
    }

    pub(super) fn dtype(&self) -> DType {
        let field =
            |(name, child): (&String, &Arc<Column>)| Field { name: name.clone(), dtype: child.dtype() };
        DType::Struct(self.names.iter().zip(&self.children).map(field).collect())
    }

    pub(super) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        let (rows, children) = sliced(&self.children, &self.rows, offset, len)?;
        Ok(Self { names: Arc::clone(&self.names), children, rows, device: self.device })
    }

    pub(super) fn to_device(&self, exec: &Exec) -> Result<Self> {
        let children = self.children.iter().map(|child| child.to_device(exec).map(Arc::new));
        Ok(Self {
            names: Arc::clone(&self.names),
            children: children.collect::<Result<_>>()?,
            rows: self.rows.to_device(exec)?,
            device: exec.device(),
        })
    }
}

/// Rows `offset .. offset + len` of a parent: its children lose what its own buffers lose, so that one offset holds
/// for all of them.
pub(super) fn sliced(
    children: &[Arc<Column>],
    rows: &Rows,
    offset: usize,
    len: usize,
) -> Result<(Rows, SmallVec<[Arc<Column>; 2]>)> {
    let (rows, at) = rows.slice(offset, len)?;
    let children = children.iter().map(|child| child.slice(at.skipped, at.offset + len).map(Arc::new));
    Ok((rows, children.collect::<Result<_>>()?))
}
