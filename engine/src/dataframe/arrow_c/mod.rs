//! Frames across Arrow's C interfaces.

#[cfg(test)]
mod tests;

use std::num::NonZero;

use columnade_buffers::Exec;
use columnade_columns::arrow::c::{
    self, DeviceStreamReader, ExportOptions, ImportOptions, OwnedArray, OwnedDeviceArray, OwnedDeviceStream,
    OwnedSchema, OwnedStream, StreamReader,
};
use columnade_columns::{Column, ColumnAccessor, DType, Error as ColumnError};

use super::{DataFrame, concat};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::options::{default_exec, exec_on};

/// Frames that a stream is made of, one after the other.
type Frames = Box<dyn Iterator<Item = Result<ColumnAccessor, ColumnError>> + Send>;

impl DataFrame {
    /// The columns as an array of structs on the host, for any consumer of Arrow's C data interface. On the host memory
    /// is shared; from another device it is copied. Row labels are left behind.
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
    /// [`Error::Operation`] for labels that are not text or that C cannot write, for offsets that do not fit the
    /// width asked for, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::to_ffi`; pyarrow `RecordBatch._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedArray)> {
        self.frame().columns().to_arrow_c(options).operation("to_arrow_c")
    }

    /// The columns as an array of structs where they are, for any consumer of Arrow's C device data interface. Memory is
    /// shared; the array's event covers all work that fills it.
    ///
    /// # Errors
    /// As [`to_arrow_c`](Self::to_arrow_c).
    ///
    /// # Source
    /// cudf/interop.hpp `to_arrow_device`; pyarrow `RecordBatch._export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c_device(&self, options: &ExportOptions) -> Result<(OwnedSchema, OwnedDeviceArray)> {
        self.frame().columns().to_arrow_c_device(options, self.exec()).operation("to_arrow_c_device")
    }

    /// An array of structs on the host as a frame on the thread's default device; on the host memory is shared as the
    /// options allow. The array is moved out of `array`, or left there on an error.
    ///
    /// # Errors
    /// [`Error::Operation`] for an array that is not what the schema says, for a type that frames do not have, a name
    /// that comes twice, memory that must be copied and may not, or when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::from_ffi`; pyarrow `RecordBatch._import_from_c`.
    pub fn from_arrow_c(
        schema: &OwnedSchema,
        array: &mut OwnedArray,
        options: &ImportOptions,
    ) -> Result<Self> {
        let exec = default_exec()?;
        let columns = ColumnAccessor::from_arrow_c_to_device(schema, array, options, &exec);
        Ok(Self::from_frame(Frame::new(columns.operation("from_arrow_c")?, exec)))
    }

    /// An array of structs of any device as a frame on that device; memory is shared as the options allow. The frame is
    /// worked on in the thread's default context where that is of the device, else in a new one.
    ///
    /// # Errors
    /// As [`from_arrow_c`](Self::from_arrow_c), and for a device that this build or machine does not have.
    ///
    /// # Source
    /// cudf/interop.hpp `from_arrow_device`; pyarrow `RecordBatch._import_from_c_device`.
    pub fn from_arrow_c_device(
        schema: &OwnedSchema,
        array: &mut OwnedDeviceArray,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c_device";
        let exec = exec_on(array.device().operation(OPERATION)?)?;
        let columns =
            ColumnAccessor::from_arrow_c_device(schema, array, options, &exec).operation(OPERATION)?;
        Ok(Self::from_frame(Frame::new(columns, exec)))
    }

    /// The columns as a stream of arrays on the host, `rows` rows each, the last one less.
    ///
    /// # Errors
    /// As [`to_arrow_c`](Self::to_arrow_c); what later arrays meet goes to the consumer.
    ///
    /// # Source
    /// pyarrow `Table.to_reader(max_chunksize)._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c_stream(&self, rows: NonZero<usize>, options: &ExportOptions) -> Result<OwnedStream> {
        c::export_stream(self.chunks(rows), options).operation("to_arrow_c_stream")
    }

    /// As [`to_arrow_c_stream`](Self::to_arrow_c_stream), of arrays where the columns are.
    ///
    /// # Errors
    /// As [`to_arrow_c_stream`](Self::to_arrow_c_stream).
    #[track_caller]
    pub fn to_arrow_c_device_stream(
        &self,
        rows: NonZero<usize>,
        options: &ExportOptions,
    ) -> Result<OwnedDeviceStream> {
        c::export_device_stream(self.chunks(rows), options, self.exec()).operation("to_arrow_c_device_stream")
    }

    /// All arrays of a stream of the host as one frame on the thread's default device. See [`ArrowStreamFrames`] for one
    /// frame an array.
    ///
    /// # Errors
    /// As [`from_arrow_c`](Self::from_arrow_c), and when the producer fails.
    pub fn from_arrow_c_stream(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        ArrowStreamFrames::new(stream, options)?.concat()
    }

    /// All arrays of a stream of some device as one frame there.
    ///
    /// # Errors
    /// As [`from_arrow_c_device`](Self::from_arrow_c_device), and when the producer fails.
    pub fn from_arrow_c_device_stream(
        stream: &mut OwnedDeviceStream,
        options: &ImportOptions,
    ) -> Result<Self> {
        ArrowStreamFrames::of_device(stream, options)?.concat()
    }

    /// The rows in chunks of `rows`; one chunk without rows if there are none.
    fn chunks(&self, rows: NonZero<usize>) -> Frames {
        let (columns, rows) = (self.frame().columns().clone(), rows.get());
        let count = columns.rows().div_ceil(rows).max(1);
        Box::new((0..count).map(move |chunk| {
            let start = chunk * rows;
            columns.slice(start, rows.min(columns.rows() - start))
        }))
    }
}

/// Frames as a stream of arrays on the host; a frame is asked for when the consumer asks for it. The first, which may
/// have no rows, says which columns there are.
///
/// # Errors
/// [`Error::Operation`] without frames; as [`DataFrame::to_arrow_c`] of the first. Later errors go to the consumer.
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

/// As [`export_arrow_stream`], of arrays on the device of `exec`, which is that of the frames.
///
/// # Errors
/// As [`export_arrow_stream`].
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
        Ok(frame) => Ok(frame.frame().columns().clone()),
        Err(Error::Operation { source, .. } | Error::Value(source)) => Err(source),
        Err(Error::Device(error)) => Err(error.into()),
        Err(other) => Err(ColumnError::InvalidArgument { name: "frames", reason: other.to_string() }),
    };
    Box::new(frames.into_iter().map(columns))
}

/// The arrays of a stream, a frame each. After an error there are no more.
///
/// # Source
/// arrow-rs `arrow_array::ffi_stream::RecordBatchStreamReader`.
#[derive(Debug)]
pub struct ArrowStreamFrames {
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
    /// The frames of a stream of the host, on the thread's default device. The stream is moved out of `stream`, or left
    /// there on an error.
    ///
    /// # Errors
    /// [`Error::Operation`] when the producer fails, and for a schema of types that frames do not have.
    pub fn new(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        let target = default_exec()?;
        options.require_reach(target.device()).operation(STREAM)?;
        let reader = StreamReader::new(stream, options).operation(STREAM)?;
        Ok(Self { reader: Reader::Host(reader), source: Exec::host(), target })
    }

    /// The frames of a stream of some device, on that device: of several GPUs on the one of the thread's default
    /// context, else the first.
    ///
    /// # Errors
    /// As [`new`](Self::new), and for a device that this build or machine does not have.
    pub fn of_device(stream: &mut OwnedDeviceStream, options: &ImportOptions) -> Result<Self> {
        let default = default_exec()?;
        let exec = exec_on(stream.device(default.device()).operation(STREAM)?)?;
        let reader = DeviceStreamReader::new(stream, options, &exec).operation(STREAM)?;
        Ok(Self { reader: Reader::Device(reader), source: exec.clone(), target: exec })
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
        .operation(STREAM)
    }

    /// The rows of all frames that are left.
    fn concat(mut self) -> Result<DataFrame> {
        let dtype = self.dtype()?;
        let frames = self.by_ref().collect::<Result<Vec<_>>>()?;
        if !frames.is_empty() {
            return concat(&frames);
        }
        let mut columns = ColumnAccessor::new();
        if let DType::Struct(fields) = &dtype {
            for field in fields.iter() {
                let column = Column::full_null(&field.dtype, 0, &self.target).operation(STREAM)?;
                columns.insert(&*field.name, column.without_mask()).operation(STREAM)?;
            }
        }
        Ok(DataFrame::from_frame(Frame::new(columns, self.target)))
    }
}

const STREAM: &str = "from_arrow_c_stream";

impl Iterator for ArrowStreamFrames {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        let columns = match &mut self.reader {
            Reader::Host(reader) => reader.next()?,
            Reader::Device(reader) => reader.next()?,
        };
        let frame = columns
            .operation(STREAM)
            .map(|columns| DataFrame::from_frame(Frame::new(columns, self.source.clone())));
        Some(frame.and_then(|frame| frame.to_exec(&self.target)))
    }
}
