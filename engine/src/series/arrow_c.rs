//! Series in Arrow's C interfaces.

use std::num::NonZero;

use columnade_columns::arrow::c::{ExportOptions, ImportOptions, Owned, OwnedSchema};
use columnade_columns::{Column, Error as ColumnError, Label};

use super::Series;
use crate::arrow_c::sealed::{Chunks, ReadColumn};
use crate::arrow_c::{ArrayStruct, StreamStruct};
use crate::error::{InOperation, Result};

impl Series {
    /// Exports the values as an array through Arrow's C data interface (`ArrowArray`, on the host) or its C device data
    /// interface (`ArrowDeviceArray`, on the device of the values), with the name in its schema (the empty string if there is
    /// none). Row labels are dropped.
    ///
    /// Memory is shared; for the host, values of another device are copied. The event of a device array covers all work that
    /// fills it.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::arrow::{ArrowArray, ExportOptions, ImportOptions};
    ///
    /// let series = Series::new([Some("a"), None])?.rename("letters");
    /// let (schema, mut array) = series.to_arrow_c::<ArrowArray>(&ExportOptions::default())?;
    /// let back = Series::from_arrow_c(&schema, &mut array, &ImportOptions::default())?;
    /// assert_eq!(back.name(), "letters");
    /// assert!(back.equals(&series)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a name that is not a string or that C cannot write, for offsets
    /// that do not fit the width asked for, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::to_ffi`; cudf/interop.hpp `to_arrow_device`; pyarrow `Array._export_to_c` and
    /// `_export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c<A: ArrayStruct>(&self, options: &ExportOptions) -> Result<(OwnedSchema, Owned<A>)> {
        const OPERATION: &str = "to_arrow_c";
        A::export_column(self.values(), self.text_name(OPERATION)?, *options, self.exec())
            .operation(OPERATION)
    }

    /// Exports the values as a stream of arrays of `rows` rows each; the last may have fewer. An empty series gives one array
    /// without rows. The arrays are on the host (`ArrowArrayStream`) or on the device of the values
    /// (`ArrowDeviceArrayStream`).
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::arrow::{ArrowArrayStream, ExportOptions, ImportOptions};
    /// use std::num::NonZero;
    ///
    /// let series = Series::new([1, 2, 3])?.rename("n");
    /// let (row, options) = (NonZero::<usize>::MIN, ExportOptions::default());
    /// let mut stream = series.to_arrow_c_stream::<ArrowArrayStream>(row, &options)?;
    /// let back = Series::from_arrow_c_stream(&mut stream, &ImportOptions::default())?;
    /// assert!(back.name() == series.name() && back.equals(&series)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`to_arrow_c`](Self::to_arrow_c); errors of later arrays are reported to the consumer.
    ///
    /// # Source
    /// pyarrow `ChunkedArray.__arrow_c_stream__`; polars `Series.__arrow_c_stream__`.
    #[track_caller]
    pub fn to_arrow_c_stream<S: StreamStruct>(
        &self,
        rows: NonZero<usize>,
        options: &ExportOptions,
    ) -> Result<Owned<S>> {
        const OPERATION: &str = "to_arrow_c_stream";
        let name = self.text_name(OPERATION)?;
        S::export_column(name, self.chunks(rows), *options, self.exec()).operation(OPERATION)
    }

    /// The rows in chunks of `rows`; one chunk without rows if there are none.
    fn chunks(&self, rows: NonZero<usize>) -> Chunks {
        let (column, rows) = (self.values().clone(), rows.get());
        let count = column.size().div_ceil(rows).max(1);
        Box::new((0..count).map(move |chunk| {
            let start = chunk * rows;
            column.slice(start, rows.min(column.size() - start))
        }))
    }

    /// Imports an array, with the name from the schema (none if that is empty): of the host to the thread's default device,
    /// of a device to that device. Memory is shared where the array already is if the options allow it. The context of a
    /// device is the thread's default one if it is on that device, else a new one. The array is moved out of `array`; on an
    /// error it stays there.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an array that does not match its schema, for a type without a dtype,
    /// for a copy that the options forbid, for a device that this build or machine does not have, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::from_ffi`; cudf/interop.hpp `from_arrow_device_column`; pyarrow `Array._import_from_c` and
    /// `_import_from_c_device`.
    pub fn from_arrow_c<A: ArrayStruct>(
        schema: &OwnedSchema,
        array: &mut Owned<A>,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c";
        let exec = A::target(OPERATION, array)?;
        let name = label_of(schema.name().operation(OPERATION)?);
        let column = A::import_column(schema, array, *options, &exec).operation(OPERATION)?;
        Self::from_column(OPERATION, name, column, exec)
    }

    /// Imports all arrays of a stream, of any type, as one series: the chunks of one column. It is on the thread's default
    /// device, or on that of the stream's arrays. Struct arrays become a series of structs;
    /// [`DataFrame::from_arrow_c_stream`](crate::DataFrame::from_arrow_c_stream) makes columns of their fields.
    ///
    /// # Errors
    /// Same as [`from_arrow_c`](Self::from_arrow_c), and when the producer fails. The stream is moved out of `stream` once
    /// its schema is accepted.
    ///
    /// # Source
    /// pyarrow `ChunkedArray._import_from_c_capsule`.
    pub fn from_arrow_c_stream<S: StreamStruct>(
        stream: &mut Owned<S>,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c_stream";
        let ReadColumn { name, none, chunks, exec } = S::read_column(OPERATION, stream, *options)?;
        let column = match chunks.operation(OPERATION)?.as_slice() {
            [] => Ok(none),
            [only] => Ok(only.clone()),
            several => Column::concat(&several.iter().collect::<Vec<_>>(), &exec),
        };
        Self::from_column(OPERATION, label_of(name), column.operation(OPERATION)?, exec)
    }

    /// The name as a schema can have it: of a series without one the empty string.
    fn text_name(&self, operation: &'static str) -> Result<&str> {
        if self.is_unnamed() {
            return Ok("");
        }
        let refuse = |label: &Label| ColumnError::UnsupportedLabel { label: label.clone() };
        self.name().as_text().ok_or_else(|| refuse(self.name())).operation(operation)
    }
}

/// The name in a schema: none if it is empty.
fn label_of(name: impl Into<Label>) -> Label {
    let name = name.into();
    if name == "" { Label::NULL } else { name }
}
