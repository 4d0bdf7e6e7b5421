//! Arrow arrays from columns.

use super::schema::data_type;
use crate::{Column, Error, Result};
use arrow_array::{ArrayRef, make_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::DataType;
use columnade_kernels::OffsetWidth;

impl Column {
    /// The column as an Arrow array that shares its memory; nulls are counted. Bring a column of another device to
    /// the host first, with [`Column::to_device`].
    ///
    /// What others rely on is checked, in one pass: that text is UTF-8 cut between characters, and that codes are rows
    /// of their dictionary. Numbers need no check.
    ///
    /// # Errors
    /// [`Error::Memory`] when the column is not on the host; [`Error::Arrow`] when a check fails.
    pub fn to_arrow(&self) -> Result<ArrayRef> {
        Ok(make_array(self.to_array_data()?))
    }

    /// The Arrow type of [`Column::to_arrow`].
    pub fn arrow_type(&self) -> DataType {
        match self {
            Column::String(column) if column.offset_width() == OffsetWidth::I64 => DataType::LargeUtf8,
            Column::Categorical(column) => match data_type(&self.dtype()) {
                DataType::Dictionary(codes, _) => {
                    DataType::Dictionary(codes, Box::new(column.dictionary().arrow_type()))
                }
                other => other,
            },
            _ => data_type(&self.dtype()),
        }
    }

    fn to_array_data(&self) -> Result<ArrayData> {
        let mask = self.mask().map(columnade_buffers::Buffer::to_arrow).transpose()?;
        let nulls = mask.map(|mask| NullBuffer::new(BooleanBuffer::new(mask, self.offset(), self.size())));
        let mut array = ArrayDataBuilder::new(self.arrow_type())
            .len(self.size())
            .offset(self.offset())
            .nulls(nulls.filter(|nulls| nulls.null_count() > 0));
        if let Column::String(column) = self {
            array = array.add_buffer(column.offsets().to_arrow()?);
        }
        array = array.add_buffer(self.data().to_arrow()?);
        for child in self.children() {
            array = array.add_child_data(child.to_array_data()?);
        }
        array.build().map_err(|error| Error::Arrow { field: String::new(), reason: error.to_string() })
    }
}
