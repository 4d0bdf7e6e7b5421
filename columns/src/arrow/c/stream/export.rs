//! Sequences of frames, or chunks of a column, as a stream.

use super::super::abi::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowSchema,
};
use super::super::device::name_of;
use super::super::export::{
    column_of_device, column_of_host, exported_fields, frame_of_device, frame_of_host,
};
use super::super::options::ExportOptions;
use super::super::owned::{Owned, OwnedDeviceStream, OwnedSchema, OwnedStream, Struct};
use super::super::path::Path;
use super::super::schema;
use super::super::violation::Violation;
use super::{EINVAL, EIO, ENOMEM, ENOSYS, EOVERFLOW};
use crate::{Column, ColumnAccessor, DType, Error, ErrorKind, ErrorSubject, Label, Result};
use arrow_schema::Field;
use columnade_buffers::{CallSite, CallersContext, Exec, panic_message};
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::ptr;

/// Exports frames as a stream of arrays on the host. Each frame is produced when the consumer requests it; frames of a device
/// are copied to the host then.
///
/// The first frame is requested at once and determines the columns and the width of their offsets. Without rows it is
/// exported only if there are no others.
/// Operations keep the width of offsets, so all parts of one frame have the same schema. A later frame whose offsets do not
/// fit 32 bits is exported as several arrays of a stream that began with these. The consumer may run the iterator on another
/// thread.
///
/// # Errors
/// [`Error::InvalidArgument`] without frames; the error of the first frame; [`Error::UnsupportedLabel`] for
/// labels that are not strings. Later errors are reported to the consumer.
///
/// # Source
/// pyarrow `RecordBatchReader._export_to_c`.
#[track_caller]
pub fn export_stream<I>(frames: I, options: &ExportOptions) -> Result<OwnedStream>
where
    I: IntoIterator<Item = Result<ColumnAccessor>>,
    I::IntoIter: Send + 'static,
{
    StreamState::new(Box::new(frames.into_iter()), Shape::Frames, *options, Exec::host()).map(of_host)
}

/// Exports the chunks of a column named `name` as a stream of arrays on the host, of the type of the column and not structs:
/// see [`export_stream`].
///
/// # Errors
/// [`Error::InvalidArgument`] without chunks; the error of the first chunk; [`Error::ArrowInterface`] for a name
/// that C cannot write. Later errors are reported to the consumer.
///
/// # Source
/// pyarrow `ChunkedArray.__arrow_c_stream__`.
#[track_caller]
pub fn export_column_stream<I>(name: &str, chunks: I, options: &ExportOptions) -> Result<OwnedStream>
where
    I: IntoIterator<Item = Result<Column>>,
    I::IntoIter: Send + 'static,
{
    StreamState::new(frames_of(name, chunks), Shape::Chunks, *options, Exec::host()).map(of_host)
}

/// Like [`export_column_stream`], with arrays on the device of `exec`, which must be that of the chunks.
///
/// # Errors
/// Same as [`export_column_stream`]. A chunk on another device is an error for the consumer.
#[track_caller]
pub fn export_column_device_stream<I>(
    name: &str,
    chunks: I,
    options: &ExportOptions,
    exec: &Exec,
) -> Result<OwnedDeviceStream>
where
    I: IntoIterator<Item = Result<Column>>,
    I::IntoIter: Send + 'static,
{
    StreamState::new(frames_of(name, chunks), Shape::Chunks, *options, exec.clone()).map(of_device)
}

/// Like [`export_stream`], with arrays on the device of `exec`, which must be that of the frames.
///
/// # Errors
/// Same as [`export_stream`]. A frame on another device is an error for the consumer.
///
/// # Source
/// The device stream interface; Arrow C++ `ExportDeviceRecordBatchReader`.
#[track_caller]
pub fn export_device_stream<I>(frames: I, options: &ExportOptions, exec: &Exec) -> Result<OwnedDeviceStream>
where
    I: IntoIterator<Item = Result<ColumnAccessor>>,
    I::IntoIter: Send + 'static,
{
    StreamState::new(Box::new(frames.into_iter()), Shape::Frames, *options, exec.clone()).map(of_device)
}

fn of_host(state: StreamState) -> OwnedStream {
    let stream = ArrowArrayStream {
        get_schema: Some(get_schema::<ArrowArrayStream>),
        get_next: Some(get_next::<ArrowArrayStream>),
        get_last_error: Some(get_last_error::<ArrowArrayStream>),
        release: Some(release::<ArrowArrayStream>),
        private_data: Box::into_raw(Box::new(state)).cast(),
    };
    // SAFETY: filled as the interface says.
    unsafe { Owned::from_raw(stream) }
}

fn of_device(state: StreamState) -> OwnedDeviceStream {
    let stream = ArrowDeviceArrayStream {
        device_type: name_of(state.exec.device()).0,
        get_schema: Some(get_schema::<ArrowDeviceArrayStream>),
        get_next: Some(get_next::<ArrowDeviceArrayStream>),
        get_last_error: Some(get_last_error::<ArrowDeviceArrayStream>),
        release: Some(release::<ArrowDeviceArrayStream>),
        private_data: Box::into_raw(Box::new(state)).cast(),
    };
    // SAFETY: filled as the interface says.
    unsafe { Owned::from_raw(stream) }
}

type Frames = Box<dyn Iterator<Item = Result<ColumnAccessor>> + Send>;

/// The chunks as frames of one column.
fn frames_of<I>(name: &str, chunks: I) -> Frames
where
    I: IntoIterator<Item = Result<Column>>,
    I::IntoIter: Send + 'static,
{
    let label = Label::from(name);
    let frame = move |chunk: Result<Column>| ColumnAccessor::from_columns([(label.clone(), chunk?)]);
    Box::new(chunks.into_iter().map(frame))
}

/// What the arrays of a stream are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A struct each.
    Frames,
    /// The one column of each frame.
    Chunks,
}

/// What a stream owns.
struct StreamState {
    shape: Shape,
    /// Frames that are exported before those of `rest`, the last of them first: the very first frame until it is asked for,
    /// then what is left of one that is exported in parts.
    next: Vec<ColumnAccessor>,
    /// The others; `None` after the last, and after an error.
    rest: Option<Frames>,
    /// What the first frame has, and all others.
    labels: Vec<Label>,
    dtypes: Vec<DType>,
    fields: Vec<Field>,
    options: ExportOptions,
    exec: Exec,
    /// Whose leases the arrays' are.
    site: Option<&'static Location<'static>>,
    last_error: Option<CString>,
}

impl StreamState {
    #[track_caller]
    fn new(mut frames: Frames, shape: Shape, options: ExportOptions, exec: Exec) -> Result<Self> {
        let Some(first) = frames.next().transpose()? else {
            let name = if shape == Shape::Frames { "frames" } else { "chunks" };
            let reason = "there are none, so there is no schema; give one without rows".to_owned();
            return Err(Error::InvalidArgument { name, reason });
        };
        let state = Self {
            shape,
            labels: first.labels().to_vec(),
            dtypes: first.columns().iter().map(Column::dtype).collect(),
            fields: exported_fields(&first, options),
            next: vec![first],
            rest: Some(frames),
            options,
            exec,
            site: CallSite::here().location(),
            last_error: None,
        };
        // Labels that are not strings are found now.
        state.schema().map(|_| state)
    }

    fn schema(&self) -> Result<OwnedSchema> {
        match (self.shape, self.labels.first(), self.fields.first()) {
            (Shape::Chunks, Some(name), Some(field)) => {
                schema::export(name.as_text().unwrap_or_default(), field)
            }
            _ => schema::export_frame(&self.labels, &self.fields),
        }
    }

    /// The next frame, which has the columns of the first.
    fn next(&mut self) -> Result<Option<ColumnAccessor>> {
        let first = self.next.pop();
        if first.as_ref().is_some_and(|frame| frame.rows() > 0) {
            return Ok(first);
        }
        let Some(frame) = self.rest.as_mut().and_then(Iterator::next).transpose()? else {
            self.rest = None;
            return Ok(first);
        };
        if frame.len() != self.dtypes.len() {
            let (expected, found) = (count(self.dtypes.len()), count(frame.len()));
            return Path::ROOT.fail(Violation::Count { what: "columns of a later frame", expected, found });
        }
        // Widths may differ: of offsets the export makes them the same, of decimals and dictionary codes this does.
        let expected = self.labels.iter().zip(&self.dtypes);
        let mut others = false;
        for ((label, dtype), (found, column)) in expected.zip(frame.iter()) {
            let found_dtype = column.dtype();
            others |= *dtype != found_dtype;
            if label != found || !dtype.same_values(&found_dtype) {
                let reason = match self.shape {
                    Shape::Frames => format!(
                        "the stream began with {label} of {dtype}, and a later frame has {found} of {found_dtype}"
                    ),
                    Shape::Chunks => {
                        format!("the stream began with {dtype}, and a later chunk is {found_dtype}")
                    }
                };
                let path = Path::ROOT.child(label.as_text().unwrap_or_default());
                return path.fail(Violation::Inexpressible { reason });
            }
        }
        if !others {
            return Ok(Some(frame));
        }
        let mut dtypes = self.dtypes.iter();
        let laid_out = |column: &Column| match dtypes.next() {
            Some(dtype) => column.to_layout(dtype, &Exec::new(column.device())?),
            None => Ok(column.clone()),
        };
        frame.map(frame.rows(), laid_out).map(Some)
    }

    /// The frame as an array, or the first rows of it that fit the offsets of the stream.
    fn exported<S: Stream>(&mut self, mut frame: ColumnAccessor) -> Result<Owned<S::Array>> {
        loop {
            match S::export(self, &frame) {
                Err(error) if frame.rows() > 1 && offsets_overflow(&error) => {
                    let half = frame.rows() / 2;
                    self.next.push(frame.slice(half, frame.rows() - half)?);
                    frame = frame.slice(0, half)?;
                }
                array => return array,
            }
        }
    }

    /// Does one callback's work: 0, or an errno value with a message kept for the consumer.
    fn answer(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> c_int {
        // A panic of the iterator must not cross C; the stream ends with it.
        let _context = CallersContext::keep();
        let answer = catch_unwind(AssertUnwindSafe(|| work(self)));
        let (code, message) = match answer {
            Ok(Ok(())) => {
                self.last_error = None;
                return 0;
            }
            Ok(Err(error)) => (code_of(&error), error.to_string()),
            Err(panic) => (EIO, format!("the stream panicked: {}", panic_message(&*panic))),
        };
        (self.next, self.rest) = (Vec::new(), None);
        self.last_error = CString::new(message.replace('\0', " ")).ok();
        code
    }
}

/// Whether offsets do not fit the 32 bits of the stream.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn offsets_overflow(error: &Error) -> bool {
    match error {
        Error::Context { subject: ErrorSubject::Offsets, source } => {
            matches!(**source, Error::Overflow { .. })
        }
        Error::Context { source, .. } => offsets_overflow(source),
        _ => false,
    }
}

fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn code_of(error: &Error) -> c_int {
    match error.kind() {
        ErrorKind::Memory => ENOMEM,
        ErrorKind::NotImplemented => ENOSYS,
        ErrorKind::Io | ErrorKind::Device => EIO,
        ErrorKind::Overflow => EOVERFLOW,
        ErrorKind::Key | ErrorKind::Type | ErrorKind::Value | ErrorKind::Index | ErrorKind::Internal => {
            EINVAL
        }
    }
}

/// A struct that is a stream.
trait Stream: Struct {
    type Array: Struct;

    fn private_data(&self) -> *mut StreamState;
    fn export(state: &StreamState, frame: &ColumnAccessor) -> Result<Owned<Self::Array>>;
}

impl Stream for ArrowArrayStream {
    type Array = ArrowArray;

    fn private_data(&self) -> *mut StreamState {
        self.private_data.cast()
    }
    fn export(state: &StreamState, frame: &ColumnAccessor) -> Result<Owned<ArrowArray>> {
        match (state.shape, frame.columns(), state.fields.as_slice()) {
            (Shape::Chunks, [column], [field]) => column_of_host(column, field, state.options),
            _ => frame_of_host(frame, &state.fields, state.options),
        }
    }
}

impl Stream for ArrowDeviceArrayStream {
    type Array = ArrowDeviceArray;

    fn private_data(&self) -> *mut StreamState {
        self.private_data.cast()
    }
    fn export(state: &StreamState, frame: &ColumnAccessor) -> Result<Owned<ArrowDeviceArray>> {
        match (state.shape, frame.columns(), state.fields.as_slice()) {
            (Shape::Chunks, [column], [field]) => column_of_device(column, field, state.options, &state.exec),
            _ => frame_of_device(frame, &state.fields, state.options, &state.exec),
        }
    }
}

/// The state of a stream.
///
/// # Safety
/// `stream` points to a stream of this module that is not released, and nothing else uses it meanwhile.
unsafe fn state<'a, S: Stream>(stream: *mut S) -> &'a mut StreamState {
    // SAFETY: the caller's promise; the box is the stream's until it is released.
    unsafe { &mut *(*stream).private_data() }
}

/// # Safety
/// Same as [`state`]; `out` is writable for a schema.
unsafe extern "C" fn get_schema<S: Stream>(stream: *mut S, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller's promise.
    let state = unsafe { state(stream) };
    state.answer(|state| {
        let schema = state.schema()?;
        // SAFETY: the caller's promise.
        unsafe { schema.move_to(out) };
        Ok(())
    })
}

/// # Safety
/// Same as [`state`]; `out` is writable for an array.
unsafe extern "C" fn get_next<S: Stream>(stream: *mut S, out: *mut S::Array) -> c_int {
    // SAFETY: the caller's promise.
    let state = unsafe { state(stream) };
    state.answer(|state| {
        let array = match state.next()? {
            Some(frame) => {
                let _site = CallSite::at(state.site);
                state.exported::<S>(frame)?
            }
            None => Owned::released(),
        };
        // SAFETY: the caller's promise.
        unsafe { array.move_to(out) };
        Ok(())
    })
}

/// # Safety
/// Same as [`state`].
unsafe extern "C" fn get_last_error<S: Stream>(stream: *mut S) -> *const c_char {
    // SAFETY: the caller's promise.
    let state = unsafe { state(stream) };
    state.last_error.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

/// # Safety
/// Same as [`state`].
unsafe extern "C" fn release<S: Stream>(stream: *mut S) {
    let _context = CallersContext::keep();
    // SAFETY: the caller's promise; the box is taken back once.
    let state = unsafe {
        (*stream).forget();
        Box::from_raw((*stream).private_data())
    };
    // The iterator is foreign code too; what it holds is leaked if it panics.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(state)));
}
