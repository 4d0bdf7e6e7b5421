//! Streams as sequences of frames or columns.

use super::super::abi::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowSchema,
};
use super::super::import::{
    DictionaryCache, column_from_device, column_from_host, frame_from_device, frame_from_host,
};
use super::super::options::ImportOptions;
use super::super::owned::{
    Owned, OwnedArray, OwnedDeviceArray, OwnedDeviceStream, OwnedSchema, OwnedStream, Struct,
};
use super::super::path::Path;
use super::super::schema::{self, FrameSchema};
use super::super::violation::Violation;
use crate::arrow::field_dtype;
use crate::column::rows::same_device;
use crate::{Column, ColumnAccessor, DType, Result};
use arrow_schema::Field;
use columnade_buffers::Exec;
use std::ffi::{CStr, c_char, c_int};
use std::fmt::Debug;

/// The frames of a stream of arrays on the host. The iterator ends after an error.
///
/// # Source
/// arrow-rs `arrow_array::ffi_stream::RecordBatchStreamReader`.
#[derive(Debug)]
pub struct StreamReader(Reader<ArrowArrayStream, ColumnAccessor>);

/// The frames of a stream of arrays on a device. The iterator ends after an error.
#[derive(Debug)]
pub struct DeviceStreamReader(Reader<ArrowDeviceArrayStream, ColumnAccessor>);

/// The arrays of a stream on the host as columns, of any type: the chunks of one column. The iterator ends after an error.
///
/// # Source
/// pyarrow `ChunkedArray._import_from_c_capsule`; polars `Series` of an `__arrow_c_stream__`.
#[derive(Debug)]
pub struct ColumnStreamReader(Reader<ArrowArrayStream, Column>);

/// Like [`ColumnStreamReader`], for arrays on a device.
#[derive(Debug)]
pub struct DeviceColumnStreamReader(Reader<ArrowDeviceArrayStream, Column>);

impl StreamReader {
    /// Reads the schema of a stream, which is moved out of `stream`. On an error it stays there.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`](crate::Error::ArrowInterface) for a stream that is released or lacks a callback, when
    /// the producer fails, and for a schema that is no struct of types that have dtypes here: see
    /// [`ColumnStreamReader`].
    pub fn new(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        Reader::new(stream, *options, Exec::host()).map(Self)
    }

    /// The dtype of the frames: a struct.
    ///
    /// # Errors
    /// None: the schema was accepted.
    pub fn dtype(&self) -> Result<DType> {
        self.0.schema.dtype()
    }

    /// A frame without rows, with offsets as wide as the schema says: what a stream without arrays stands for.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn no_rows(&self, exec: &Exec) -> Result<ColumnAccessor> {
        self.0.schema.no_rows(exec)
    }
}

impl DeviceStreamReader {
    /// Like [`StreamReader::new`]; `exec` is of the device of the stream's arrays.
    ///
    /// # Errors
    /// Same as [`StreamReader::new`], and for a device that cannot be used; [`Error::Memory`](crate::Error::Memory) when
    /// `exec` is of another kind of device.
    pub fn new(stream: &mut OwnedDeviceStream, options: &ImportOptions, exec: &Exec) -> Result<Self> {
        Reader::of_device(stream, *options, exec).map(Self)
    }

    /// The dtype of the frames: a struct.
    ///
    /// # Errors
    /// None: the schema was accepted.
    pub fn dtype(&self) -> Result<DType> {
        self.0.schema.dtype()
    }

    /// A frame without rows, with offsets as wide as the schema says: what a stream without arrays stands for.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn no_rows(&self, exec: &Exec) -> Result<ColumnAccessor> {
        self.0.schema.no_rows(exec)
    }
}

impl ColumnStreamReader {
    /// Like [`StreamReader::new`].
    ///
    /// # Errors
    /// Same as [`StreamReader::new`], of a schema of any type that has a dtype here.
    pub fn new(stream: &mut OwnedStream, options: &ImportOptions) -> Result<Self> {
        Reader::new(stream, *options, Exec::host()).map(Self)
    }

    /// The name of the column in the schema; usually the empty string.
    pub fn name(&self) -> &str {
        self.0.schema.name()
    }

    /// The dtype of the columns.
    ///
    /// # Errors
    /// None: the schema was accepted.
    pub fn dtype(&self) -> Result<DType> {
        field_dtype(&self.0.schema)
    }

    /// A column without rows, with offsets as wide as the schema says: what a stream without arrays stands for.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn no_rows(&self, exec: &Exec) -> Result<Column> {
        schema::no_rows(&self.0.schema, exec)
    }
}

impl DeviceColumnStreamReader {
    /// Like [`DeviceStreamReader::new`].
    ///
    /// # Errors
    /// Same as [`DeviceStreamReader::new`], of a schema of any type that has a dtype here.
    pub fn new(stream: &mut OwnedDeviceStream, options: &ImportOptions, exec: &Exec) -> Result<Self> {
        Reader::of_device(stream, *options, exec).map(Self)
    }

    /// The name of the column in the schema; usually the empty string.
    pub fn name(&self) -> &str {
        self.0.schema.name()
    }

    /// The dtype of the columns.
    ///
    /// # Errors
    /// None: the schema was accepted.
    pub fn dtype(&self) -> Result<DType> {
        field_dtype(&self.0.schema)
    }

    /// A column without rows, with offsets as wide as the schema says: what a stream without arrays stands for.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn no_rows(&self, exec: &Exec) -> Result<Column> {
        schema::no_rows(&self.0.schema, exec)
    }
}

macro_rules! iterates {
    ($($reader:ty: $item:ty),*) => {$(
        impl Iterator for $reader {
            type Item = Result<$item>;

            fn next(&mut self) -> Option<Self::Item> {
                self.0.next()
            }
        }
    )*};
}
iterates!(
    StreamReader: ColumnAccessor,
    DeviceStreamReader: ColumnAccessor,
    ColumnStreamReader: Column,
    DeviceColumnStreamReader: Column
);

/// What the arrays of a stream are read as.
trait Imported: Sized {
    type Schema: Debug;

    fn schema(schema: &OwnedSchema) -> Result<Self::Schema>;
    fn from_host(
        schema: &Self::Schema,
        array: &mut OwnedArray,
        options: ImportOptions,
        dictionaries: &DictionaryCache,
    ) -> Result<Self>;
    fn from_device(
        schema: &Self::Schema,
        array: &mut OwnedDeviceArray,
        options: ImportOptions,
        exec: &Exec,
        dictionaries: &DictionaryCache,
    ) -> Result<Self>;
}

impl Imported for ColumnAccessor {
    type Schema = FrameSchema;

    fn schema(schema: &OwnedSchema) -> Result<FrameSchema> {
        FrameSchema::import(schema)
    }
    fn from_host(
        schema: &FrameSchema,
        array: &mut OwnedArray,
        options: ImportOptions,
        dictionaries: &DictionaryCache,
    ) -> Result<Self> {
        frame_from_host(schema, array, options, dictionaries)
    }
    fn from_device(
        schema: &FrameSchema,
        array: &mut OwnedDeviceArray,
        options: ImportOptions,
        exec: &Exec,
        dictionaries: &DictionaryCache,
    ) -> Result<Self> {
        frame_from_device(schema, array, options, exec, dictionaries)
    }
}

impl Imported for Column {
    type Schema = Field;

    fn schema(schema: &OwnedSchema) -> Result<Field> {
        schema::import(schema)
    }
    fn from_host(
        field: &Field,
        array: &mut OwnedArray,
        options: ImportOptions,
        dictionaries: &DictionaryCache,
    ) -> Result<Self> {
        column_from_host(field, array, options, dictionaries)
    }
    fn from_device(
        field: &Field,
        array: &mut OwnedDeviceArray,
        options: ImportOptions,
        exec: &Exec,
        dictionaries: &DictionaryCache,
    ) -> Result<Self> {
        column_from_device(field, array, options, exec, dictionaries)
    }
}

/// A stream being read.
#[derive(Debug)]
struct Reader<S: Stream, T: Imported> {
    /// Released after the last array.
    stream: Owned<S>,
    schema: T::Schema,
    options: ImportOptions,
    exec: Exec,
    /// What they keep of a failed array is not looked at again.
    dictionaries: DictionaryCache,
}

impl<T: Imported> Reader<ArrowDeviceArrayStream, T> {
    fn of_device(stream: &mut OwnedDeviceStream, options: ImportOptions, exec: &Exec) -> Result<Self> {
        if !stream.is_released() {
            same_device(stream.device(exec.device())?, exec.device())?;
        }
        Self::new(stream, options, exec.clone())
    }
}

impl<S: Stream, T: Imported> Reader<S, T> {
    fn new(stream: &mut Owned<S>, options: ImportOptions, exec: Exec) -> Result<Self> {
        if stream.is_released() {
            return Path::ROOT.fail(Violation::Released { what: "stream" });
        }
        let mut found = OwnedSchema::released();
        let Some(get_schema) = stream.as_raw().get_schema() else {
            return Path::ROOT.fail(Violation::Null { what: "callback get_schema" });
        };
        // SAFETY: the maker of the wrapper promised a stream as the interface says; the place is writable.
        let code = unsafe { get_schema(stream.as_mut_ptr(), found.as_mut_ptr()) };
        check(stream, code)?;
        let schema = T::schema(&found)?;
        Ok(Self { stream: stream.take(), schema, options, exec, dictionaries: DictionaryCache::default() })
    }

    fn next(&mut self) -> Option<Result<T>> {
        if self.stream.is_released() {
            return None;
        }
        let read = self.read().transpose();
        if !matches!(read, Some(Ok(_))) {
            self.stream = Owned::released();
            self.dictionaries = DictionaryCache::default();
        }
        read
    }

    fn read(&mut self) -> Result<Option<T>> {
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
        let read = S::import(&self.schema, &mut array, self.options, &self.exec, &self.dictionaries)?;
        self.dictionaries.next_array();
        Ok(Some(read))
    }
}

/// The producer's error, where it returned one.
fn check<S: Stream>(stream: &mut Owned<S>, code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: the maker of the wrapper promised a stream as the interface says, which is not released.
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
    fn import<T: Imported>(
        schema: &T::Schema,
        array: &mut Owned<Self::Array>,
        options: ImportOptions,
        exec: &Exec,
        dictionaries: &DictionaryCache,
    ) -> Result<T>;
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
    fn import<T: Imported>(
        schema: &T::Schema,
        array: &mut OwnedArray,
        options: ImportOptions,
        _exec: &Exec,
        dictionaries: &DictionaryCache,
    ) -> Result<T> {
        T::from_host(schema, array, options, dictionaries)
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
    fn import<T: Imported>(
        schema: &T::Schema,
        array: &mut OwnedDeviceArray,
        options: ImportOptions,
        exec: &Exec,
        dictionaries: &DictionaryCache,
    ) -> Result<T> {
        T::from_device(schema, array, options, exec, dictionaries)
    }
}
