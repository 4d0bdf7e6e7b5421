//! Series in Arrow's C interfaces.

use std::num::NonZero;

use columnade_buffers::Exec;
use columnade_columns::arrow::c::{
    self, ColumnStreamReader, DeviceColumnStreamReader, ExportOptions, ImportOptions, OwnedArray,
    OwnedDeviceArray, OwnedDeviceStream, OwnedSchema, OwnedStream,
};
use columnade_columns::{Column, Error as ColumnError, Label};

use super::Series;
use crate::error::{InOperation, Result};
use crate::options::{default_exec_for, exec_on};

impl Series {
    /// Exports the values as an array on the host, with the name in its schema. Shares memory of the host; values on another
    /// device are copied. Row labels are dropped.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::arrow::{ExportOptions, ImportOptions};
    ///
    /// let series = Series::new([Some("a"), None])?.rename("letters");
    /// let (schema, mut array) = series.to_arrow_c(&ExportOptions::default())?;
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
    /// arrow-rs `arrow_array::ffi::to_ffi`; pyarrow `Array._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        const OPERATION: &str = "to_arrow_c";
        self.values().to_arrow_c(self.text_name(OPERATION)?, options).operation(OPERATION)
    }

    /// Exports the values as an array on their device, sharing memory. The event of the array covers all work that fills it.
    ///
    /// # Errors
    /// Same as [`to_arrow_c`](Self::to_arrow_c).
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `Array._export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c_device(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        const OPERATION: &str = "to_arrow_c_device";
        let name = self.text_name(OPERATION)?;
        self.values().to_arrow_c_device(name, options, self.exec()).operation(OPERATION)
    }

    /// Exports the values as a stream of arrays on the host of `rows` rows each; the last may have fewer. An empty series
    /// gives one array without rows.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::arrow::{ExportOptions, ImportOptions};
    /// use std::num::NonZero;
    ///
    /// let series = Series::new([1, 2, 3])?.rename("n");
    /// let mut stream = series.to_arrow_c_stream(NonZero::<usize>::MIN, &ExportOptions::default())?;
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
    pub fn to_arrow_c_stream(&self, rows: NonZero<usize>, options: &ExportOptions) -> Result<OwnedStream> {
        const OPERATION: &str = "to_arrow_c_stream";
        let name = self.text_name(OPERATION)?;
        c::export_column_stream(name, self.chunks(rows), options).operation(OPERATION)
    }

    /// Like [`to_arrow_c_stream`](Self::to_arrow_c_stream), with arrays on the device of the values.
    ///
    /// # Errors
    /// Same as [`to_arrow_c_stream`](Self::to_arrow_c_stream).
    #[track_caller]
    pub fn to_arrow_c_device_stream(
        &self,
        rows: NonZero<usize>,
        options: &ExportOptions,
    ) -> Result<OwnedDeviceStream> {
        const OPERATION: &str = "to_arrow_c_device_stream";
        let name = self.text_name(OPERATION)?;
        c::export_column_device_stream(name, self.chunks(rows), options, self.exec()).operation(OPERATION)
    }

    /// The rows in chunks of `rows`; one chunk without rows if there are none.
    fn chunks(
        &self,
        rows: NonZero<usize>,
    ) -> impl Iterator<Item = columnade_columns::Result<Column>> + Send + use<> {
        let (column, rows) = (self.values().clone(), rows.get());
        let count = column.size().div_ceil(rows).max(1);
        (0..count).map(move |chunk| {
            let start = chunk * rows;
            column.slice(start, rows.min(column.size() - start))
        })
    }

    /// Imports an array of the host to the thread's default device, with the name from the schema. On the host, memory is
    /// shared if the options allow it. The array is moved out of `array`; on an error it stays there.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an array that does not match its schema, for a type
    /// without a dtype, for a copy that the options forbid, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::from_ffi`; pyarrow `Array._import_from_c`.
    pub fn from_arrow_c(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c";
        let exec = default_exec_for(OPERATION)?;
        let name = schema.name().operation(OPERATION)?;
        let column = Column::from_arrow_c_to_device(schema, array, options, &exec).operation(OPERATION)?;
        Self::from_column(OPERATION, name, column, exec)
    }

    /// Imports an array of any device to a series on that device, with the name from the schema. Memory is shared if the
    /// options allow it. The context is the thread's default one if it is on that device, else a new one.
    ///
    /// # Errors
    /// Same as [`from_arrow_c`](Self::from_arrow_c), and for a device that this build or machine does not have.
    ///
    /// # Source
    /// cudf/interop.hpp `from_arrow_device_column`; pyarrow `Array._import_from_c_device`.
    pub fn from_arrow_c_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c_device";
        let exec = exec_on(OPERATION, array.device().operation(OPERATION)?)?;
        let name = schema.name().operation(OPERATION)?;
        let column = Column::from_arrow_c_device(schema, array, options, &exec).operation(OPERATION)?;
        Self::from_column(OPERATION, name, column, exec)
    }

    /// Imports all arrays of a host stream, of any type, as one series on the thread's default device: the chunks of one
    /// column. Struct arrays become a series of structs;
    /// [`DataFrame::from_arrow_c_stream`](crate::DataFrame::from_arrow_c_stream) makes columns of their fields.
    ///
    /// # Errors
    /// Same as [`from_arrow_c`](Self::from_arrow_c), and when the producer fails. The stream is moved out of `stream` once
    /// its schema is accepted.
    ///
    /// # Source
    /// pyarrow `ChunkedArray._import_from_c_capsule`.
    pub fn from_arrow_c_stream(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c_stream";
        let exec = default_exec_for(OPERATION)?;
        options.require_reach(exec.device()).operation(OPERATION)?;
        let reader = ColumnStreamReader::new(stream, options).operation(OPERATION)?;
        let (name, none) = (Label::from(reader.name()), reader.no_rows(&exec).operation(OPERATION)?);
        let chunks = reader.map(|chunk| chunk?.to_device(&exec)).collect();
        Self::of_chunks(OPERATION, name, none, chunks, exec)
    }

    /// Imports all arrays of a device stream as one series on that device: see [`from_arrow_c_stream`](Self::from_arrow_c_stream).
    ///
    /// # Errors
    /// Same as [`from_arrow_c_device`](Self::from_arrow_c_device), and when the producer fails.
    pub fn from_arrow_c_device_stream(
        stream: &mut OwnedDeviceStream,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c_device_stream";
        let exec =
            exec_on(OPERATION, stream.device(default_exec_for(OPERATION)?.device()).operation(OPERATION)?)?;
        let reader = DeviceColumnStreamReader::new(stream, options, &exec).operation(OPERATION)?;
        let (name, none) = (Label::from(reader.name()), reader.no_rows(&exec).operation(OPERATION)?);
        Self::of_chunks(OPERATION, name, none, reader.collect(), exec)
    }

    /// The rows of all chunks, which are on the device of `exec`; `none` if there are no chunks.
    fn of_chunks(
        operation: &'static str,
        name: Label,
        none: Column,
        chunks: columnade_columns::Result<Vec<Column>>,
        exec: Exec,
    ) -> Result<Self> {
        let column = match chunks.operation(operation)?.as_slice() {
            [] => Ok(none),
            [only] => Ok(only.clone()),
            several => Column::concat(&several.iter().collect::<Vec<_>>(), &exec),
        };
        Self::from_column(operation, name, column.operation(operation)?, exec)
    }

    /// The name as a schema can have it.
    fn text_name(&self, operation: &'static str) -> Result<&str> {
        let refuse = |label: &Label| ColumnError::UnsupportedLabel { label: label.clone() };
        self.name().as_text().ok_or_else(|| refuse(self.name())).operation(operation)
    }
}
