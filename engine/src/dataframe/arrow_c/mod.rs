//! Frames in Arrow's C interfaces.

#[cfg(test)]
mod tests;

use std::num::NonZero;

use columnade_buffers::Exec;
use columnade_columns::arrow::c::{ExportOptions, ImportOptions, Owned, OwnedSchema};
use columnade_columns::{DType, Error as ColumnError};

use super::DataFrame;
use super::reshape::concat_as;
use crate::arrow_c::sealed::{Frames, OpenStream};
use crate::arrow_c::{ArrayStruct, StreamStruct};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;

impl DataFrame {
    /// Exports the columns as a struct array through Arrow's C data interface (`ArrowArray`, on the host) or its C device data
    /// interface (`ArrowDeviceArray`, on the device of the columns). Row labels are dropped.
    ///
    /// Memory is shared; for the host, columns of another device are copied. The event of a device array covers all work that
    /// fills it.
    ///
    /// ```
    /// use columnade::DataFrame;
    /// use columnade::arrow::{ArrowArray, ArrowDeviceArray, ExportOptions, ImportOptions};
    ///
    /// let frame = DataFrame::new([("id", vec![1_i64, 2, 3])])?;
    /// let (schema, mut array) = frame.to_arrow_c::<ArrowArray>(&ExportOptions::default())?;
    /// let back = DataFrame::from_arrow_c(&schema, &mut array, &ImportOptions::default())?;
    /// assert!(back.equals(&frame)?);
    ///
    /// let (schema, mut array) = frame.to_arrow_c::<ArrowDeviceArray>(&ExportOptions::default())?;
    /// assert!(DataFrame::from_arrow_c(&schema, &mut array, &ImportOptions::default())?.equals(&frame)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels that are not strings or that C cannot write, for offsets that do not fit the
    /// width asked for, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::to_ffi`; cudf/interop.hpp `to_arrow_device`; pyarrow `RecordBatch._export_to_c` and
    /// `_export_to_c_device`.
    #[track_caller]
    pub fn to_arrow_c<A: ArrayStruct>(&self, options: &ExportOptions) -> Result<(OwnedSchema, Owned<A>)> {
        A::export(self.frame().accessor(), *options, self.exec()).operation("to_arrow_c")
    }

    /// Imports a struct array: of the host to the thread's default device, of a device to that device. Memory is shared where
    /// the array already is if the options allow it. The context of a device is the thread's default one if it is on that
    /// device, else a new one. The array is moved out of `array`; on an error it stays there.
    ///
    /// # Errors
    /// [`Error::Operation`] for an array that does not match its schema, for a type without a dtype, for a repeated name,
    /// for a copy that the options forbid, for a device that this build or machine does not have, and when memory runs out.
    ///
    /// # Source
    /// arrow-rs `arrow_array::ffi::from_ffi`; cudf/interop.hpp `from_arrow_device`; pyarrow `RecordBatch._import_from_c` and
    /// `_import_from_c_device`.
    pub fn from_arrow_c<A: ArrayStruct>(
        schema: &OwnedSchema,
        array: &mut Owned<A>,
        options: &ImportOptions,
    ) -> Result<Self> {
        const OPERATION: &str = "from_arrow_c";
        let exec = A::target(OPERATION, array)?;
        let columns = A::import(schema, array, *options, &exec).operation(OPERATION)?;
        Ok(Self::from_frame(Frame::new(columns, exec)))
    }

    /// Exports the columns as a stream of arrays of `rows` rows each; the last may have fewer. The arrays are on the host
    /// (`ArrowArrayStream`) or on the device of the columns (`ArrowDeviceArrayStream`).
    ///
    /// # Errors
    /// Same as [`to_arrow_c`](Self::to_arrow_c); errors of later arrays are reported to the consumer.
    ///
    /// # Source
    /// pyarrow `Table.to_reader(max_chunksize)._export_to_c`.
    #[track_caller]
    pub fn to_arrow_c_stream<S: StreamStruct>(
        &self,
        rows: NonZero<usize>,
        options: &ExportOptions,
    ) -> Result<Owned<S>> {
        S::export(self.chunks(rows), *options, self.exec()).operation("to_arrow_c_stream")
    }

    /// Imports all arrays of a stream as one frame: on the thread's default device, or on that of the stream's arrays.
    /// [`ArrowStreamFrames`] gives one frame per array.
    ///
    /// # Errors
    /// Same as [`from_arrow_c`](Self::from_arrow_c), and when the producer fails.
    pub fn from_arrow_c_stream<S: StreamStruct>(
        stream: &mut Owned<S>,
        options: &ImportOptions,
    ) -> Result<Self> {
        ArrowStreamFrames::open("from_arrow_c_stream", stream, *options)?.concat()
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

/// Exports frames as a stream of arrays on the host (`ArrowArrayStream`) or on the device of the first frame
/// (`ArrowDeviceArrayStream`). Each frame is produced when the consumer requests it. The first determines the columns, and is
/// produced at once; without rows it is exported only if there are no others.
///
/// # Errors
/// [`Error::Operation`] without frames; as [`DataFrame::to_arrow_c`] of the first. Later errors are reported to the consumer.
///
/// # Source
/// pyarrow `RecordBatchReader._export_to_c`.
#[track_caller]
pub fn export_arrow_stream<S, I>(frames: I, options: &ExportOptions) -> Result<Owned<S>>
where
    S: StreamStruct,
    I: IntoIterator<Item = Result<DataFrame>>,
    I::IntoIter: Send + 'static,
{
    let mut frames = frames.into_iter();
    let first = frames.next();
    let exec = match &first {
        Some(Ok(frame)) => frame.exec().clone(),
        Some(Err(_)) | None => Exec::host(),
    };
    let columns = |frame: Result<DataFrame>| match frame {
        Ok(frame) => Ok(frame.frame().accessor().clone()),
        Err(Error::Operation { source, .. } | Error::Value(source)) => Err(source),
        Err(Error::Device(error)) => Err(error.into()),
        Err(other) => Err(ColumnError::Frames { kind: other.kind(), reason: other.to_string() }),
    };
    let all = first.into_iter().chain(frames).map(columns);
    S::export(Box::new(all), *options, &exec).operation("export_arrow_stream")
}

/// The arrays of a stream as frames. The iterator ends after an error.
///
/// # Source
/// arrow-rs `arrow_array::ffi_stream::RecordBatchStreamReader`.
#[derive(Debug)]
pub struct ArrowStreamFrames {
    /// The method that errors name.
    operation: &'static str,
    stream: OpenStream,
}

impl ArrowStreamFrames {
    /// The frames of a stream of the host, on the thread's default device, or of a device stream, on that device: of several
    /// GPUs the one of the thread's default context, else the first. The stream is moved out of `stream`; on an error it stays
    /// there.
    ///
    /// # Errors
    /// [`Error::Operation`] when the producer fails, for a schema with types without a dtype, and for a device that this build
    /// or machine does not have.
    pub fn new<S: StreamStruct>(stream: &mut Owned<S>, options: &ImportOptions) -> Result<Self> {
        Self::open("ArrowStreamFrames", stream, *options)
    }

    fn open<S: StreamStruct>(
        operation: &'static str,
        stream: &mut Owned<S>,
        options: ImportOptions,
    ) -> Result<Self> {
        Ok(Self { operation, stream: S::open(operation, stream, options)? })
    }

    /// The dtypes of the columns, by name.
    ///
    /// # Errors
    /// None: the schema was understood.
    pub fn dtype(&self) -> Result<DType> {
        self.stream.reader.dtype().operation(self.operation)
    }

    /// The rows of all frames that are left.
    fn concat(mut self) -> Result<DataFrame> {
        let frames = self.by_ref().collect::<Result<Vec<_>>>()?;
        if !frames.is_empty() {
            return concat_as(self.operation, &frames);
        }
        let OpenStream { reader, target, .. } = self.stream;
        let columns = reader.no_rows(&target).operation(self.operation)?;
        Ok(DataFrame::from_frame(Frame::new(columns, target)))
    }
}

impl Iterator for ArrowStreamFrames {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        let OpenStream { reader, source, target } = &mut self.stream;
        let columns = reader.next()?;
        let frame = columns
            .operation(self.operation)
            .and_then(|columns| Frame::new(columns, source.clone()).to_device(self.operation, target))
            .map(DataFrame::from_frame);
        Some(frame)
    }
}
