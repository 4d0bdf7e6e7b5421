//! Columns of lists.

use super::Column;
use super::build::{MaskBuilder, OffsetsBuilder};
use super::offsets::Offsets;
use super::rows::{Rows, check_device};
use crate::{DType, Error, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::OffsetWidth;
use std::ops::Range;
use std::sync::Arc;

/// Lists: a column of all items, and the offsets at which the lists begin and end in it.
///
/// A slice narrows the offsets and shares the items. The width of the offsets is layout. A null list may span items,
/// which are ignored.
#[derive(Clone, Debug)]
pub struct ListColumn {
    pub(crate) offsets: Offsets,
    pub(crate) items: Arc<Column>,
    pub(crate) rows: Rows,
}

impl ListColumn {
    /// Row `i` is the items from `offsets[offset + i]` to `offsets[offset + i + 1]`, null where the bit of `mask` is
    /// 0. The caller guarantees that the offsets ascend within the items.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] when a buffer is too short; [`Error::Memory`] when offsets, mask and items are on
    /// different devices.
    pub fn new(
        offsets: Buffer,
        offset_width: OffsetWidth,
        items: Arc<Column>,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let offsets = Offsets::new(offsets, offset_width, offset + size)?;
        check_device(&offsets.buffer, items.device())?;
        let rows = Rows::new(mask, offset, size, offsets.device())?;
        Ok(Self { offsets, items, rows })
    }

    /// Lists of `lengths` consecutive items each, `None` for a null. Together they cover `items`.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, ListColumn};
    ///
    /// let items = Column::from_vec(vec![1_i64, 2, 3]);
    /// let lists = ListColumn::from_lengths(&items, [Some(2), None, Some(0), Some(1)], &Exec::host())?;
    /// assert_eq!(Column::List(lists).get(0)?.to_string(), "[1, 2]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless the lengths add up to the items; [`Error::Memory`].
    pub fn from_lengths(
        items: &Column,
        lengths: impl IntoIterator<Item = Option<usize>>,
        exec: &Exec,
    ) -> Result<Self> {
        let mut mask = MaskBuilder::default();
        let lengths = lengths.into_iter();
        let mut offsets = OffsetsBuilder::with_capacity(lengths.size_hint().0);
        let mut end = 0_usize;
        for length in lengths {
            mask.push(length.is_some());
            end = end.saturating_add(length.unwrap_or(0));
            offsets.push(end);
        }
        if end != items.size() {
            return Err(Error::LengthMismatch { expected: items.size(), found: end });
        }
        let offsets = offsets.finish(exec)?;
        Ok(Self { offsets, items: Arc::new(items.to_device(exec)?), rows: mask.finish(exec)? })
    }

    /// `size + 1` offsets into the items, from the column's offset.
    pub fn offsets(&self) -> &Buffer {
        &self.offsets.buffer
    }

    /// The width of the offsets.
    pub fn offset_width(&self) -> OffsetWidth {
        self.offsets.width
    }

    /// All items, including those of rows before and after a slice.
    pub fn items(&self) -> &Arc<Column> {
        &self.items
    }

    /// The items that the rows span, from the first of the first row to the last of the last one, those of null rows
    /// among them.
    ///
    /// # Errors
    /// [`Error::Overflow`] when the offsets are no positions; [`Error::Memory`].
    ///
    /// # Device
    /// Waits for the work that fills the offsets: two of them are brought to the host.
    pub fn span(&self) -> Result<Range<usize>> {
        self.offsets.span(&self.rows)
    }

    pub(super) fn dtype(&self) -> DType {
        DType::list(self.items.dtype())
    }

    pub(super) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        let (rows, at) = self.rows.slice(offset, len)?;
        Ok(Self { offsets: self.offsets.slice(at, len), items: Arc::clone(&self.items), rows })
    }

    /// Between host and device only the items that the rows span are copied.
    pub(super) fn to_device(&self, exec: &Exec) -> Result<Self> {
        if self.offsets.device() == exec.device() {
            return Ok(self.clone());
        }
        let (offsets, used) = self.offsets.to_device(&self.rows, exec)?;
        let items = self.items.slice(used.start, used.len())?.to_device(exec)?;
        Ok(Self { offsets, items: Arc::new(items), rows: self.rows.to_device(exec)? })
    }
}
