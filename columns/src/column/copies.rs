//! Copies that share memory as far as the policy allows, memory that becomes a context's own, and values written in
//! place.

use super::bytes::BytesLayout;
use super::fixed::FixedLayout;
use super::rows::{Rows, same_device};
use super::{
    BinaryColumn, BooleanColumn, CategoricalColumn, Column, DatetimeColumn, DecimalColumn, IntervalColumn,
    ListColumn, NumericColumn, StringColumn, StructColumn, TimedeltaColumn,
};
use crate::{Error, Result};
use columnade_buffers::{Buffer, Exec, MappedFile, WriteGuard};
use std::sync::Arc;

impl Column {
    /// A copy that shares each buffer, masks and children included, until either column is written: see
    /// [`Buffer::shallow_copy`]. A buffer is copied at once if a consumer may write it, if it was ever exposed, or if
    /// copy-on-write is off. Dictionaries are immutable and always shared. The column must be on `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Device
    /// Nothing for shared memory, else a copy of the range of the column's buffers.
    ///
    /// # Source
    /// cuDF `ColumnBase.copy(deep=False)`.
    pub fn shallow_copy(&self, exec: &Exec) -> Result<Column> {
        same_device(self.device(), exec.device())?;
        let mut copy = self.clone();
        copy.change_buffers(Dictionaries::Keep, &mut |buffer| {
            *buffer = buffer.shallow_copy(exec)?;
            Ok(())
        })?;
        Ok(copy)
    }

    /// Moves the column, dictionaries included, to the device and into the budget of `exec`: see [`Buffer::adopt`]. On an
    /// error the values are unchanged, and some of the buffers have moved.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Device
    /// Nothing for memory of `exec`. On the host, nothing for memory that came from Arrow and has no other owner, except
    /// for bits. Else a copy.
    pub fn adopt(&mut self, exec: &Exec) -> Result<()> {
        if self.device() != exec.device() {
            *self = self.to_device(exec)?;
            return Ok(());
        }
        self.change_buffers(Dictionaries::Change, &mut |buffer| Ok(buffer.adopt(exec)?))
    }

    /// [`adopt`](Self::adopt) of all but what is a part of a mapped file, which stays there. To a device, all is copied.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Device
    /// As [`adopt`](Self::adopt); nothing for the memory of the file.
    pub fn adopt_beside(&mut self, file: &MappedFile, exec: &Exec) -> Result<()> {
        if self.device() != exec.device() {
            return self.adopt(exec);
        }
        self.change_buffers(Dictionaries::Change, &mut |buffer| {
            if file.contains(buffer) { Ok(()) } else { Ok(buffer.adopt(exec)?) }
        })
    }

    /// Write access to the [`data`](Self::data) of numbers, booleans, dates, timestamps, durations or decimals, for work on
    /// `exec`'s stream. Memory shared with other columns is separated first, so they do not change. The mask does not
    /// change.
    ///
    /// The guard covers the whole buffer: the first row of the column is row [`offset`](Self::offset) of it. The caller must
    /// not write decimals with more digits than their dtype has.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for strings, dictionaries and nested columns, which are not changed in place;
    /// [`Error::Memory`].
    ///
    /// # Source
    /// cuDF `Buffer.get_ptr(mode="write")`.
    pub fn write<'a>(&'a mut self, exec: &'a Exec) -> Result<WriteGuard<'a>> {
        let is_plain = !matches!(self, Column::Categorical(_)) && self.fixed_layout().is_some();
        let unsupported = Error::UnsupportedDType { dtype: self.dtype() };
        match self.fixed_layout_mut().filter(|_| is_plain) {
            Some(layout) => Ok(layout.data.write(exec)?),
            None => Err(unsupported),
        }
    }

    /// Gives every buffer to `change`.
    fn change_buffers(&mut self, dictionaries: Dictionaries, change: Change<'_>) -> Result<()> {
        match self {
            Column::String(StringColumn { layout }) | Column::Binary(BinaryColumn { layout }) => {
                layout.change_buffers(change)
            }
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Timedelta(TimedeltaColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. }) => layout.change_buffers(change),
            Column::Categorical(CategoricalColumn { codes, dictionary, .. }) => {
                codes.change_buffers(change)?;
                match dictionaries {
                    Dictionaries::Keep => Ok(()),
                    Dictionaries::Change => Arc::make_mut(dictionary).change_buffers(dictionaries, change),
                }
            }
            Column::Interval(IntervalColumn { left, right, rows, .. }) => {
                Arc::make_mut(left).change_buffers(dictionaries, change)?;
                Arc::make_mut(right).change_buffers(dictionaries, change)?;
                rows.change_mask(change)
            }
            Column::List(ListColumn { offsets, items, rows }) => {
                change(&mut offsets.buffer)?;
                Arc::make_mut(items).change_buffers(dictionaries, change)?;
                rows.change_mask(change)
            }
            Column::Struct(StructColumn { children, rows, .. }) => {
                for child in children {
                    Arc::make_mut(child).change_buffers(dictionaries, change)?;
                }
                rows.change_mask(change)
            }
            Column::Null(column) => column.rows.change_mask(change),
        }
    }
}

/// What is done to a buffer.
type Change<'a> = &'a mut dyn FnMut(&mut Buffer) -> Result<()>;

/// Whether dictionaries are changed too: another one is no longer the one that columns share.
#[derive(Clone, Copy)]
enum Dictionaries {
    Keep,
    Change,
}

impl FixedLayout {
    fn change_buffers(&mut self, change: Change<'_>) -> Result<()> {
        change(&mut self.data)?;
        self.rows.change_mask(change)
    }
}

impl BytesLayout {
    fn change_buffers(&mut self, change: Change<'_>) -> Result<()> {
        change(&mut self.offsets.buffer)?;
        change(&mut self.bytes)?;
        self.rows.change_mask(change)
    }
}

impl Rows {
    fn change_mask(&mut self, change: Change<'_>) -> Result<()> {
        self.mask.as_mut().map_or(Ok(()), change)
    }
}
