//! Frames in Arrow's C interfaces.

#[cfg(test)]
mod tests;

use std::num::NonZero;

use columnade_buffers::Exec;
use columnade_columns::arrow::c::{
    self, DeviceStreamReader, ExportOptions, ImportOptions, OwnedArray, OwnedDeviceArray, OwnedDeviceStream,
    OwnedSchema, OwnedStream, StreamReader,
};
use columnade_columns::{ColumnAccessor, DType, Error as ColumnError};

use super::DataFrame;
use super::reshape::concat_as;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::options::{default_exec_for, exec_on};

/// The sequence of frames of a stream.
type Frames = Box<dyn Iterator<Item = Result<ColumnAccessor, ColumnError>> + Send>;

impl DataFrame {
    /// Exports the columns as a struct array on the host, through Arrow's C data interface. Shares memory of the host; columns
    /// on another device are copied. Row labels are dropped.
    ///
    /// ```
    /// use columnade::DataFrame;
    /// use columnade::arrow::{ExportOptions, ImportOptions};
    ///
    /// let frame = DataFrame::new([("id", vec![1_i64, 2, 3])])?;
    /// let (schema, mut array) = frame.to_arrow_c(&ExportOptions::default())?;
    /// let back = DataFrame::from_arrow_c(&schema, &mut array, &ImportOptions::default())?;
    /// assert_eq!(back.column("id")?.to_scalars()?, frame.column("id")?.to_scalars()?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels that are not strings or that C cannot write, for offsets that do not fit the
    /// width asked for, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::to_ffi`; pyarrow `RecordBatch._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        self.frame().accessor().to_arrow_c(options).operation("to_arrow_c")
    }

    /// Exports the columns as a struct array on their device, through Arrow's C device data interface, sharing memory. The event
    /// of the array covers all work that fills it.
    ///
    /// # Errors
    /// Same as [`to_arrow_c`](Self::to_arrow_c).
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `RecordBatch._export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c_device(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        self.frame().accessor().to_arrow_c_device(options, self.exec()).operation("to_arrow_c_device")
    }

    /// Imports a struct array of the host to the thread's default device. On the host, memory is shared if the options allow
    /// it. The array is moved out of `array`; on an error it stays there.
    ///
    /// # Errors
    /// [`Error::Operation`] for an array that does not match its schema, for a type without a dtype, for a repeated name,
    /// for a copy that the options forbid, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::from_ffi`; pyarrow `RecordBatch._import_from_c`.
    pub fn from_arrow_c(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c";
        let exec = default_exec_for(OPERATION)?;
        let columns = ColumnAccessor::from_arrow_c_to_device(schema, array, options, &exec);
        Ok(Self::from_frame(Frame::new(columns.operation(OPERATION)?, exec)))
    }

    /// Imports a struct array of any device to a frame on that device. Memory is shared if the options allow it. The context is
    /// the thread's default one if it is on that device, else a new one.
    ///
    /// # Errors
    /// Same as [`from_arrow_c`](Self::from_arrow_c), and for a device that this build or machine does not have.
    ///
    /// # Source
    /// cudf/interop.hpp `from_arrow_device`; pyarrow `RecordBatch._import_from_c_device`.
    pub fn from_arrow_c_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c_device";
        let exec = exec_on(OPERATION, array.device().operation(OPERATION)?)?;
        let columns =
            ColumnAccessor::from_arrow_c_device(schema, array, options, &exec).operation(OPERATION)?;
        Ok(Self::from_frame(Frame::new(columns, exec)))
    }

    /// Exports the columns as a stream of arrays on the host of `rows` rows each; the last may have fewer.
    ///
    /// # Errors
    /// Same as [`to_arrow_c`](Self::to_arrow_c); errors of later arrays are reported to the consumer.
    ///
    /// # Source
    /// pyarrow `Table.to_reader(max_chunksize)._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c_stream(&self, rows: NonZero<usize>, options: &ExportOptions) -> Result<OwnedStream> {
        c::export_stream(self.chunks(rows), options).operation("to_arrow_c_stream")
    }

    /// Like [`to_arrow_c_stream`](Self::to_arrow_c_stream), with arrays on the device of the columns.
    ///
    /// # Errors
    /// Same as [`to_arrow_c_stream`](Self::to_arrow_c_stream).
    #[track_caller]
    pub fn to_arrow_c_device_stream(
        &self,
        rows: NonZero<usize>,
        options: &ExportOptions,
    ) -> Result<OwnedDeviceStream> {
        c::export_device_stream(self.chunks(rows), options, self.exec()).operation("to_arrow_c_device_stream")
    }

    /// Imports all arrays of a host stream as one frame on the thread's default device. [`ArrowStreamFrames`] gives one frame per
    /// array.
    ///
    /// # Errors
    /// Same as [`from_arrow_c`](Self::from_arrow_c), and when the producer fails.
    pub fn from_arrow_c_stream(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        ArrowStreamFrames::open("from_arrow_c_stream", stream, *options)?.concat()
    }

    /// Imports all arrays of a device stream as one frame on that device.
    ///
    /// # Errors
    /// Same as [`from_arrow_c_device`](Self::from_arrow_c_device), and when the producer fails.
    pub fn from_arrow_c_device_stream(
        stream: &mut OwnedDeviceStream,
        options: &ImportOptions,
    ) -> Result<Self> {
        ArrowStreamFrames::open_device("from_arrow_c_device_stream", stream, *options)?.concat()
    }

    /// The rows in chunks of `rows`; one chunk without rows if there are none.
    fn chunks(&self, rows: NonZero<usize>) -> Frames {
        let (columns, rows) = (self.frame().accessor().clone(), rows.get());
        let count = columns.rows().div_ceil(rows).max(1);
        Box::new((0..count).map(move |chunk| {
            let start = chunk * rows;
            columns.slice(start, rows.min(columns.rows() - start))
        }))
    }
}

/// Exports frames as a stream of arrays on the host. Each frame is produced when the consumer requests it. The first, which
/// may have no rows, determines the columns.
///
/// # Errors
/// [`Error::Operation`] without frames; as [`DataFrame::to_arrow_c`] of the first. Later errors are reported to the consumer.
///
/// # Source
/// pyarrow `RecordBatchReader._export_to_c`.
#[track_caller]
pub fn export_arrow_stream<I>(frames: I, options: &ExportOptions) -> Result<OwnedStream>
where
    I: IntoIterator<Item = Result<DataFrame>>,
    I::IntoIter: Send + 'static,
{
    c::export_stream(accessors(frames), options).operation("export_arrow_stream")
}

/// Like [`export_arrow_stream`], of arrays on the device of `exec`, which is that of the frames.
///
/// # Errors
/// Same as [`export_arrow_stream`].
#[track_caller]
pub fn export_arrow_device_stream<I>(
    frames: I,
    options: &ExportOptions,
    exec: &Exec,
) -> Result<OwnedDeviceStream>
where
    I: IntoIterator<Item = Result<DataFrame>>,
    I::IntoIter: Send + 'static,
{
    c::export_device_stream(accessors(frames), options, exec).operation("export_arrow_device_stream")
}

fn accessors<I>(frames: I) -> Frames
where
    I: IntoIterator<Item = Result<DataFrame>>,
    I::IntoIter: Send + 'static,
{
    let columns = |frame: Result<DataFrame>| match frame {
        Ok(frame) => Ok(frame.frame().accessor().clone()),
        Err(Error::Operation { source, .. } | Error::Value(source)) => Err(source),
        Err(Error::Device(error)) => Err(error.into()),
        Err(other) => Err(ColumnError::InvalidArgument { name: "frames", reason: other.to_string() }),
    };
    Box::new(frames.into_iter().map(columns))
}

/// The arrays of a stream as frames. The iterator ends after an error.
///
/// # Source
/// arrow-rs `arrow_array::ffi_stream::RecordBatchStreamReader`.
#[derive(Debug)]
pub struct ArrowStreamFrames {
    /// The method that errors name.
    operation: &'static str,
    reader: Reader,
    /// Where the arrays are.
    source: Exec,
    /// Where the frames go.
    target: Exec,
}

#[derive(Debug)]
enum Reader {
    Host(StreamReader),
    Device(DeviceStreamReader),
}

impl ArrowStreamFrames {
    /// The frames of a host stream, on the thread's default device. The stream is moved out of `stream`; on an error it stays
    /// there.
    ///
    /// # Errors
    /// [`Error::Operation`] when the producer fails, and for a schema with types without a dtype.
    pub fn new(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        Self::open("ArrowStreamFrames", stream, *options)
    }

    fn open(operation: &'static str, stream: &mut OwnedStream, options: ImportOptions) -> Result<Self> {
        let target = default_exec_for(operation)?;
        options.require_reach(target.device()).operation(operation)?;
        let reader = StreamReader::new(stream, &options).operation(operation)?;
        Ok(Self { operation, reader: Reader::Host(reader), source: Exec::host(), target })
    }

    /// The frames of a device stream, on that device. Of several GPUs it is the one of the thread's default context, else the
    /// first.
    ///
    /// # Errors
    /// Same as [`new`](Self::new), and for a device that this build or machine does not have.
    pub fn of_device(stream: &mut OwnedDeviceStream, options: &ImportOptions) -> Result<Self> {
        Self::open_device("ArrowStreamFrames", stream, *options)
    }

    fn open_device(
        operation: &'static str,
        stream: &mut OwnedDeviceStream,
        options: ImportOptions,
    ) -> Result<Self> {
        let default = default_exec_for(operation)?;
        let exec = exec_on(operation, stream.device(default.device()).operation(operation)?)?;
        let reader = DeviceStreamReader::new(stream, &options, &exec).operation(operation)?;
        Ok(Self { operation, reader: Reader::Device(reader), source: exec.clone(), target: exec })
    }

    /// The dtypes of the columns, by name.
    ///
    /// # Errors
    /// None: the schema was understood.
    pub fn dtype(&self) -> Result<DType> {
        match &self.reader {
            Reader::Host(reader) => reader.dtype(),
            Reader::Device(reader) => reader.dtype(),
        }
        .operation(self.operation)
    }

    /// The rows of all frames that are left.
    fn concat(mut self) -> Result<DataFrame> {
        let frames = self.by_ref().collect::<Result<Vec<_>>>()?;
        if !frames.is_empty() {
            return concat_as(self.operation, &frames);
        }
        let columns = match &self.reader {
            Reader::Host(reader) => reader.no_rows(&self.target),
            Reader::Device(reader) => reader.no_rows(&self.target),
        };
        Ok(DataFrame::from_frame(Frame::new(columns.operation(self.operation)?, self.target)))
    }
}

impl Iterator for ArrowStreamFrames {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        let columns = match &mut self.reader {
            Reader::Host(reader) => reader.next()?,
            Reader::Device(reader) => reader.next()?,
        };
        let frame = columns
            .operation(self.operation)
            .and_then(|columns| {
                Frame::new(columns, self.source.clone()).to_device(self.operation, &self.target)
            })
            .map(DataFrame::from_frame);
        Some(frame)
    }
}
