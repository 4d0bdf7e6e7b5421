//! Streams as frames, one after the other.

use super::super::abi::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowSchema,
};
use super::super::import::{frame_from_device, frame_from_host};
use super::super::options::ImportOptions;
use super::super::owned::{Owned, OwnedDeviceStream, OwnedSchema, OwnedStream, Struct};
use super::super::path::Path;
use super::super::schema::FrameSchema;
use super::super::violation::Violation;
use crate::column::rows::same_device;
use crate::{ColumnAccessor, DType, Result};
use columnade_buffers::Exec;
use std::ffi::{CStr, c_char, c_int};

/// The frames of a stream of arrays of the host. After an error there are no more.
///
/// # Source
/// arrow-rs `arrow_array::ffi_stream::RecordBatchStreamReader`.
#[derive(Debug)]
pub struct StreamReader(Reader<ArrowArrayStream>);

/// The frames of a stream of arrays of some device. After an error there are no more.
#[derive(Debug)]
pub struct DeviceStreamReader(Reader<ArrowDeviceArrayStream>);

impl StreamReader {
    /// Asks a stream, which is moved out of `stream`, for its schema. On an error it is left there.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`](crate::Error::ArrowInterface) for a stream that is released or lacks a callback, when
    /// the producer fails, and for a schema that is no struct of types that have dtypes here.
    pub fn new(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        Reader::new(stream, options, Exec::host()).map(Self)
    }

    /// The dtype of the frames: a struct.
    ///
    /// # Errors
    /// None: the schema was understood.
    pub fn dtype(&self) -> Result<DType> {
        self.0.schema.dtype()
    }
}

impl DeviceStreamReader {
    /// As [`StreamReader::new`]; `exec` is of the device of the stream's arrays.
    ///
    /// # Errors
    /// As [`StreamReader::new`], and for a device that cannot be used; [`Error::Memory`](crate::Error::Memory) when
    /// `exec` is of another kind of device.
    pub fn new(stream: &mut OwnedDeviceStream, options: &ImportOptions, exec: &Exec) -> Result<Self> {
        if !stream.is_released() {
            same_device(stream.device(exec.device())?, exec.device())?;
        }
        Reader::new(stream, options, exec.clone()).map(Self)
    }

    /// The dtype of the frames: a struct.
    ///
    /// # Errors
    /// None: the schema was understood.
    pub fn dtype(&self) -> Result<DType> {
        self.0.schema.dtype()
    }
}

impl Iterator for StreamReader {
    type Item = Result<ColumnAccessor>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl Iterator for DeviceStreamReader {
    type Item = Result<ColumnAccessor>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// A stream being read.
#[derive(Debug)]
struct Reader<S: Stream> {
    /// Released after the last frame.
    stream: Owned<S>,
    schema: FrameSchema,
    options: ImportOptions,
    exec: Exec,
}

impl<S: Stream> Reader<S> {
    fn new(stream: &mut Owned<S>, options: &ImportOptions, exec: Exec) -> Result<Self> {
        if stream.is_released() {
            return Path::ROOT.fail(Violation::Released { what: "stream" });
        }
        let mut found = OwnedSchema::released();
        let Some(get_schema) = stream.as_raw().get_schema() else {
            return Path::ROOT.fail(Violation::Null { what: "callback get_schema" });
        };
        // SAFETY: whoever made the wrapper promised a stream as the interface says; the place is writable.
        let code = unsafe { get_schema(stream.as_mut_ptr(), found.as_mut_ptr()) };
        check(stream, code)?;
        let schema = FrameSchema::import(&found)?;
        Ok(Self { stream: stream.take(), schema, options: *options, exec })
    }

    fn next(&mut self) -> Option<Result<ColumnAccessor>> {
        if self.stream.is_released() {
            return None;
        }
        let frame = self.read().transpose();
        if !matches!(frame, Some(Ok(_))) {
            self.stream = Owned::released();
        }
        frame
    }

    fn read(&mut self) -> Result<Option<ColumnAccessor>> {
        let mut array = Owned::<S::Array>::released();
        let Some(get_next) = self.stream.as_raw().get_next() else {
            return Path::ROOT.fail(Violation::Null { what: "callback get_next" });
        };
        // SAFETY: as for the schema.
        let code = unsafe { get_next(self.stream.as_mut_ptr(), array.as_mut_ptr()) };
        check(&mut self.stream, code)?;
        if array.is_released() {
            return Ok(None);
        }
        S::import(&self.schema, &mut array, self.options, &self.exec).map(Some)
    }
}

/// The producer's error, where it returned one.
fn check<S: Stream>(stream: &mut Owned<S>, code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: whoever made the wrapper promised a stream as the interface says, which is not released.
    let text = stream.as_raw().get_last_error().map(|text| unsafe { text(stream.as_mut_ptr()) });
    let message = match text.filter(|text| !text.is_null()) {
        // SAFETY: text that C ends with a zero byte, valid until the stream's next call.
        Some(text) => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
        None => "it gives no reason".to_owned(),
    };
    Path::ROOT.fail(Violation::Producer { code, message })
}

/// A struct that is a stream of arrays.
trait Stream: Struct {
    type Array: Struct;

    fn get_schema(&self) -> Option<unsafe extern "C" fn(*mut Self, *mut ArrowSchema) -> c_int>;
    fn get_next(&self) -> Option<unsafe extern "C" fn(*mut Self, *mut Self::Array) -> c_int>;
    fn get_last_error(&self) -> Option<unsafe extern "C" fn(*mut Self) -> *const c_char>;
    fn import(
        schema: &FrameSchema,
        array: &mut Owned<Self::Array>,
        options: ImportOptions,
        exec: &Exec,
    ) -> Result<ColumnAccessor>;
}

impl Stream for ArrowArrayStream {
    type Array = ArrowArray;

    fn get_schema(&self) -> Option<unsafe extern "C" fn(*mut Self, *mut ArrowSchema) -> c_int> {
        self.get_schema
    }
    fn get_next(&self) -> Option<unsafe extern "C" fn(*mut Self, *mut ArrowArray) -> c_int> {
        self.get_next
    }
    fn get_last_error(&self) -> Option<unsafe extern "C" fn(*mut Self) -> *const c_char> {
        self.get_last_error
    }
    fn import(
        schema: &FrameSchema,
        array: &mut Owned<ArrowArray>,
        options: ImportOptions,
        _exec: &Exec,
    ) -> Result<ColumnAccessor> {
        frame_from_host(schema, array, options)
    }
}

impl Stream for ArrowDeviceArrayStream {
    type Array = ArrowDeviceArray;

    fn get_schema(&self) -> Option<unsafe extern "C" fn(*mut Self, *mut ArrowSchema) -> c_int> {
        self.get_schema
    }
    fn get_next(&self) -> Option<unsafe extern "C" fn(*mut Self, *mut ArrowDeviceArray) -> c_int> {
        self.get_next
    }
    fn get_last_error(&self) -> Option<unsafe extern "C" fn(*mut Self) -> *const c_char> {
        self.get_last_error
    }
    fn import(
        schema: &FrameSchema,
        array: &mut Owned<ArrowDeviceArray>,
        options: ImportOptions,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        frame_from_device(schema, array, options, exec)
    }
}
