//! Files part by part, as iterators and as streams of Arrow.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use columnade::arrow::{ArrowArrayStream, OffsetLayout, export_arrow_stream};
use columnade::errors::ColumnError;
use columnade::files::FrameScan;
use columnade::internal::panic_message;
use columnade::parquet::ParquetScan;
use columnade::{DataFrame as Inner, Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{Exported, STREAM, capsule, options};
use crate::files::warn_of_skipped;
use crate::frame::DataFrame;
use crate::progress::Progress;
use crate::requested::Asked;
use crate::work::{argument, exception, internal, work};

/// Frames of files.
pub(crate) trait Frames: Iterator<Item = Result<Inner, Error>> {
    /// The rows of text that were left out so far.
    fn rows_skipped(&self) -> u64;
    /// A frame of the columns without rows.
    fn no_rows(&self) -> Result<Inner, Error>;
}

impl Frames for FrameScan<'_> {
    fn rows_skipped(&self) -> u64 {
        self.text_statistics().map_or(0, |statistics| statistics.rows_skipped)
    }
    fn no_rows(&self) -> Result<Inner, Error> {
        self.no_rows()
    }
}

impl Frames for ParquetScan<'_> {
    fn rows_skipped(&self) -> u64 {
        0
    }
    fn no_rows(&self) -> Result<Inner, Error> {
        self.no_rows()
    }
}

/// What the thread that reads says.
enum Message {
    Opened,
    /// With the bytes that are done, and all of them.
    Frame(Box<Inner>, (u64, u64)),
    Failed(Error),
    Panicked(String),
    /// With a frame without rows, the rows of text that were skipped, and bytes as of a frame.
    End(Inner, u64, (u64, u64)),
}

/// The bytes that are done and all of them, as the thread that reads knows them.
#[derive(Clone, Default)]
pub(crate) struct Bytes(Arc<Mutex<(u64, u64)>>);

impl Bytes {
    pub(crate) fn at(&self, done: u64, all: u64) {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have reported more already.
        if done >= bytes.0 {
            *bytes = (done, all);
        }
    }

    fn now(&self) -> (u64, u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Frames of the rows of files, one after the other. A thread decodes the next frame while one is used, and ends with the
/// iterator. Arrow's streams of a scan have the frames that are left.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Scan(Arc<Source>);

/// What a scan and its streams take frames from.
struct Source {
    state: Mutex<State>,
    /// The process that the thread is in.
    process: u32,
    operation: &'static str,
    progress: Option<Progress>,
}

struct State {
    /// None once there are no more frames.
    messages: Option<Receiver<Message>>,
    /// A frame that was looked at, and is the next.
    ahead: Option<(Box<Inner>, (u64, u64))>,
    /// A frame without rows, once there are no more.
    no_rows: Option<Inner>,
    /// What is called once there are no more.
    then: Option<Py<PyAny>>,
}

/// How often a wait looks for an interrupt.
const WAIT: Duration = Duration::from_millis(50);

/// Why there is no next frame.
enum Failure {
    Error(Error),
    Panicked(String),
    Forked,
}

impl Failure {
    const FORKED: &str = "the thread that reads is not in this process: scan again after a fork";

    fn into_exception(self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Error(error) => exception(py, &error),
            Failure::Panicked(text) => internal(py, &text),
            Failure::Forked => argument(py, ErrorKind::Value, "scan", Self::FORKED),
        }
    }

    fn into_error(self) -> Error {
        match self {
            Failure::Error(error) => error,
            Failure::Panicked(text) => frames_error(ErrorKind::Internal, text),
            Failure::Forked => frames_error(ErrorKind::Value, format!("scan: {}", Self::FORKED)),
        }
    }
}

fn frames_error(kind: ErrorKind, reason: String) -> Error {
    Error::Value(ColumnError::Frames { kind, reason })
}

/// What comes next.
enum Next {
    Frame(Box<Inner>, (u64, u64)),
    /// With the rows of text that were skipped, and bytes as of a frame: the first time.
    End(Option<(u64, (u64, u64))>),
}

impl Source {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits a while for what comes next. A frame that is only looked at stays the next.
    fn receive(&self, looks: bool) -> Result<Option<Next>, Failure> {
        if std::process::id() != self.process {
            return Err(Failure::Forked);
        }
        let mut state = self.state();
        let next = match (state.ahead.take(), &state.messages) {
            (Some((frame, bytes)), _) => Next::Frame(frame, bytes),
            (None, None) => Next::End(None),
            (None, Some(messages)) => match messages.recv_timeout(WAIT) {
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Ok(Message::Frame(frame, bytes)) => Next::Frame(frame, bytes),
                Ok(Message::End(no_rows, skipped, bytes)) => {
                    (state.messages, state.no_rows) = (None, Some(no_rows));
                    Next::End(Some((skipped, bytes)))
                }
                other => {
                    state.messages = None;
                    return Err(match other {
                        Ok(Message::Failed(error)) => Failure::Error(error),
                        Ok(Message::Panicked(text)) => Failure::Panicked(text),
                        Ok(_) => Failure::Panicked("messages of a scan are out of order".to_owned()),
                        Err(_) => Failure::Panicked("the thread that reads ended early".to_owned()),
                    });
                }
            },
        };
        if let (true, Next::Frame(frame, bytes)) = (looks, &next) {
            state.ahead = Some((frame.clone(), *bytes));
        }
        Ok(Some(next))
    }

    /// Waits for what comes next, without Python's lock.
    fn wait(&self, py: Python<'_>, looks: bool) -> PyResult<Next> {
        loop {
            match py.detach(|| self.receive(looks)) {
                Ok(Some(next)) => return Ok(next),
                Ok(None) => py.check_signals()?,
                Err(failure) => {
                    self.closed(py)?;
                    return Err(failure.into_exception(py));
                }
            }
        }
    }

    /// Tells what Python is told of a frame that is taken, or of the end.
    fn tell(&self, py: Python<'_>, next: &Next) -> PyResult<()> {
        let bytes = match next {
            Next::Frame(_, bytes) | Next::End(Some((_, bytes))) => *bytes,
            Next::End(None) => return Ok(()),
        };
        if let Some(progress) = &self.progress {
            progress.told(py, bytes)?;
        }
        if let Next::End(Some((skipped, _))) = next {
            self.closed(py)?;
            warn_of_skipped(py, self.operation, *skipped)?;
        }
        Ok(())
    }

    /// Ends the line of progress, and calls what is to be called once there are no more frames.
    fn closed(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(progress) = &self.progress {
            progress.finish(py)?;
        }
        let then = self.state().then.take();
        then.map_or(Ok(()), |then| then.call0(py).map(drop))
    }

    /// A frame without rows that has the columns of the frames that are left.
    fn no_rows(&self, py: Python<'_>) -> PyResult<Inner> {
        let next = self.wait(py, true)?;
        if let Next::End(_) = next {
            self.tell(py, &next)?;
        }
        let frame = match next {
            Next::Frame(frame, _) => Some(*frame),
            Next::End(_) => self.state().no_rows.clone(),
        };
        let Some(frame) = frame else {
            let reason = "there are no frames after an error: scan again";
            return Err(argument(py, ErrorKind::Value, self.operation, reason));
        };
        work(py, || frame.head(0))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // Of a scan that was not read to its end.
        if let Some(progress) = &self.progress {
            let _ = Python::try_attach(|py| progress.finish(py));
        }
    }
}

/// What a stream asks for, on any thread.
struct Stream(Arc<Source>);

impl Stream {
    fn next(&self) -> Result<Option<Inner>, Error> {
        let next = loop {
            match self.0.receive(false) {
                Ok(Some(next)) => break Ok(next),
                Ok(None) => {}
                Err(failure) => break Err(failure),
            }
        };
        let source = &self.0;
        let told = |told: PyResult<()>, py: Python<'_>| {
            told.map_err(|error| frames_error(ErrorKind::Value, python_error(py, &error)))
        };
        match next {
            Err(failure) => {
                Python::attach(|py| told(source.closed(py), py))?;
                Err(failure.into_error())
            }
            Ok(next) => {
                if source.progress.is_some() || matches!(next, Next::End(Some(_))) {
                    Python::attach(|py| told(source.tell(py, &next), py))?;
                }
                Ok(match next {
                    Next::Frame(frame, _) => Some(*frame),
                    Next::End(_) => None,
                })
            }
        }
    }
}

/// An exception as text, for consumers that know no exceptions.
fn python_error(py: Python<'_>, error: &PyErr) -> String {
    let class = error.get_type(py);
    let name = class.name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    format!("{name}: {}", error.value(py))
}

impl Scan {
    /// Opens files on a thread, and waits until they are open.
    pub(crate) fn start<I: Frames>(
        py: Python<'_>,
        operation: &'static str,
        progress: Option<&Bound<'_, PyAny>>,
        open: impl FnOnce(Option<Bytes>) -> Result<I, Error> + Send + 'static,
    ) -> PyResult<Self> {
        let progress = Progress::of(operation, progress)?;
        let bytes = Bytes::default();
        let counted = progress.is_some().then(|| bytes.clone());
        let (sender, mut receiver) = sync_channel(0);
        let thread = thread::Builder::new().name("columnade-scan".to_owned());
        thread
            .spawn(move || {
                if let Err(panic) =
                    catch_unwind(AssertUnwindSafe(|| run(move || open(counted), &bytes, &sender)))
                {
                    let _ = sender.send(Message::Panicked(panic_message(&*panic).to_owned()));
                }
            })
            .map_err(|error| internal(py, &format!("no thread starts: {error}")))?;
        let opened = loop {
            let waiting = &mut receiver;
            match py.detach(move || waiting.recv_timeout(WAIT)) {
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                opened => break opened,
            }
        };
        let failure = match opened {
            Ok(Message::Opened) => {
                let state = State { messages: Some(receiver), ahead: None, no_rows: None, then: None };
                let process = std::process::id();
                return Ok(Self(Arc::new(Source { state: Mutex::new(state), process, operation, progress })));
            }
            Ok(Message::Failed(error)) => Failure::Error(error),
            Ok(Message::Panicked(text)) => Failure::Panicked(text),
            Ok(_) => Failure::Panicked("messages of a scan are out of order".to_owned()),
            Err(_) => Failure::Panicked("the thread that reads ended early".to_owned()),
        };
        Err(failure.into_exception(py))
    }
}

/// Sends frames until there are no more, or the iterator is gone.
fn run<I: Frames>(open: impl FnOnce() -> Result<I, Error>, bytes: &Bytes, sender: &SyncSender<Message>) {
    let mut frames = match open() {
        Ok(frames) => frames,
        Err(error) => return drop(sender.send(Message::Failed(error))),
    };
    if sender.send(Message::Opened).is_err() {
        return;
    }
    for frame in &mut frames {
        let is_last = frame.is_err();
        let message =
            frame.map_or_else(Message::Failed, |frame| Message::Frame(Box::new(frame), bytes.now()));
        if sender.send(message).is_err() || is_last {
            return;
        }
    }
    let end = frames.no_rows().map(|none| Message::End(none, frames.rows_skipped(), bytes.now()));
    let _ = sender.send(end.unwrap_or_else(Message::Failed));
}

#[pymethods]
impl Scan {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<DataFrame>> {
        let next = self.0.wait(py, false)?;
        self.0.tell(py, &next)?;
        Ok(match next {
            Next::Frame(frame, _) => Some(DataFrame(*frame)),
            Next::End(_) => None,
        })
    }

    /// The schema of the frames that are left.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Exported::Frame(self.0.no_rows(py)?).schema(py)
    }

    /// The frames that are left as a stream of arrays on the host, each of which is read when it is asked for.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        const OPERATION: &str = "__arrow_c_stream__";
        let first = self.0.no_rows(py)?;
        let asked = Asked::of(OPERATION, requested_schema)?;
        if let Some(asked) = &asked {
            asked.check_frame(py, &first)?;
        }
        let offsets = asked.as_ref().map_or(OffsetLayout::AsStored, |asked| asked.offsets);
        let source = Stream(Arc::clone(&self.0));
        let frames = std::iter::once(Ok(first)).chain(std::iter::from_fn(move || source.next().transpose()));
        let frames = frames.map(move |frame| match &asked {
            Some(asked) => frame.and_then(|frame| asked.frame(frame)),
            None => frame,
        });
        let stream = work(py, || export_arrow_stream::<ArrowArrayStream, _>(frames, &options(offsets)))?;
        capsule(py, stream, STREAM)
    }

    /// Calls a function once there are no more frames.
    fn _then(&self, function: Py<PyAny>) {
        self.0.state().then = Some(function);
    }
}
