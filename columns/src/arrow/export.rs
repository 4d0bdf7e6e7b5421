//! Arrow arrays from columns.

use super::schema::{code_type, data_type, field_of, interval_type, item_field};
use crate::{Column, Error, Result};
use arrow_array::{ArrayRef, make_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{DataType, Field};
use columnade_kernels::OffsetWidth;
use std::sync::Arc;

impl Column {
    /// The column as an Arrow array that shares its memory; nulls are counted. Bring a column of another device to
    /// the host first, with [`Column::to_device`].
    ///
    /// What others rely on is checked, in one pass: that strings are UTF-8 cut between characters (where it is so but under
    /// nulls, the strings are copied without those bytes), that lists are within
    /// their items, and that codes are rows of their dictionary. Numbers need no check.
    ///
    /// An interval is a struct of `left` and `right`; which of them are closed, and the order of a dictionary, is in
    /// [`Column::arrow_field`].
    ///
    /// # Errors
    /// [`Error::Memory`] when the column is not on the host; [`Error::Arrow`] when a check fails.
    pub fn to_arrow(&self) -> Result<ArrayRef> {
        Ok(make_array(self.to_array_data()?))
    }

    /// The Arrow type of [`Column::to_arrow`].
    pub fn arrow_type(&self) -> DataType {
        let large = self.offsets().is_some_and(|(_, width)| width == OffsetWidth::I64);
        match self {
            Column::String(_) if large => DataType::LargeUtf8,
            Column::Binary(_) if large => DataType::LargeBinary,
            Column::Categorical(column) => {
                let values = column.dictionary().arrow_type();
                DataType::Dictionary(Box::new(code_type(column.codes_storage())), Box::new(values))
            }
            Column::List(column) => {
                let item = Arc::new(item_field(&column.items.dtype(), column.items.arrow_type()));
                if large { DataType::LargeList(item) } else { DataType::List(item) }
            }
            Column::Struct(column) => {
                let fields = column.names.iter().zip(&column.children);
                DataType::Struct(fields.map(|(name, child)| child.arrow_field(name)).collect())
            }
            Column::Interval(column) => interval_type(&column.left.arrow_type()),
            Column::Numeric(_)
            | Column::Boolean(_)
            | Column::String(_)
            | Column::Binary(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Null(_) => data_type(&self.dtype()),
        }
    }

    /// A nullable Arrow field for [`Column::to_arrow`], with what the type has no place for: whether a dictionary is
    /// ordered, and which ends of intervals are closed, written as pandas does.
    pub fn arrow_field(&self, name: &str) -> Field {
        field_of(name, &self.dtype(), Some(self.arrow_type()))
    }

    fn to_array_data(&self) -> Result<ArrayData> {
        self.to_array_data_of(self.mask().is_some())
    }

    /// Like [`to_array_data`](Self::to_array_data) of a column whose nulls may hide invalid UTF-8.
    fn to_array_data_of(&self, hides_strings: bool) -> Result<ArrayData> {
        if let Column::Null(_) = self {
            return Ok(ArrayData::new_null(&DataType::Null, self.size()));
        }
        let mask = self.mask().map(columnade_buffers::Buffer::to_arrow).transpose()?;
        let nulls = mask.map(|mask| NullBuffer::new(BooleanBuffer::new(mask, self.offset(), self.size())));
        let mut array = ArrayDataBuilder::new(self.arrow_type())
            .len(self.size())
            .offset(self.offset())
            .nulls(nulls.filter(|nulls| nulls.null_count() > 0));
        for buffer in [self.offsets().map(|(offsets, _)| offsets), self.data()].into_iter().flatten() {
            array = array.add_buffer(buffer.to_arrow()?);
        }
        for child in self.children() {
            array = array.add_child_data(child.to_array_data()?);
        }
        match (array.build(), self) {
            (Ok(array), _) => Ok(array),
            // Arrow allows anything under a null, where arrow-rs requires UTF-8.
            (Err(_), Column::String(texts)) if hides_strings => {
                Column::String(texts.without_hidden_strings()?).to_array_data_of(false)
            }
            (Err(error), _) => Err(Error::Arrow { field: String::new(), reason: error.to_string() }),
        }
    }
}
