//! Files part by part, as iterators.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use columnade::files::FrameScan;
use columnade::internal::panic_message;
use columnade::parquet::ParquetScan;
use columnade::{DataFrame as Inner, Error, ErrorKind};
use pyo3::prelude::*;

use crate::files::warn_of_skipped;
use crate::frame::DataFrame;
use crate::work::{argument, exception, internal};

/// Frames of files.
pub(crate) trait Frames: Iterator<Item = Result<Inner, Error>> {
    /// The rows of text that were left out so far.
    fn rows_skipped(&self) -> u64;
}

impl Frames for FrameScan<'_> {
    fn rows_skipped(&self) -> u64 {
        self.text_statistics().map_or(0, |statistics| statistics.rows_skipped)
    }
}

impl Frames for ParquetScan<'_> {
    fn rows_skipped(&self) -> u64 {
        0
    }
}

/// What the thread that reads says.
enum Message {
    Opened,
    Frame(Inner),
    Failed(Error),
    Panicked(String),
    /// With the rows of text that were skipped.
    End(u64),
}

/// Frames of the rows of files, one after the other. A thread decodes the next frame while one is used, and ends with the
/// iterator.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Scan {
    /// None once there are no more frames.
    messages: Mutex<Option<Receiver<Message>>>,
    /// The process that the thread is in.
    process: u32,
    operation: &'static str,
}

/// How often a wait looks for an interrupt.
const WAIT: Duration = Duration::from_millis(50);

impl Scan {
    /// Opens files on a thread, and waits until they are open.
    pub(crate) fn start<I: Frames>(
        py: Python<'_>,
        operation: &'static str,
        open: impl FnOnce() -> Result<I, Error> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, receiver) = sync_channel(0);
        let thread = thread::Builder::new().name("columnade-scan".to_owned());
        thread
            .spawn(move || {
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(open, &sender))) {
                    let _ = sender.send(Message::Panicked(panic_message(&*panic).to_owned()));
                }
            })
            .map_err(|error| internal(py, &format!("no thread starts: {error}")))?;
        let scan = Self { messages: Mutex::new(Some(receiver)), process: std::process::id(), operation };
        match scan.message(py)? {
            Message::Opened => Ok(scan),
            other => Err(failure(py, other)),
        }
    }

    fn message(&self, py: Python<'_>) -> PyResult<Message> {
        if std::process::id() != self.process {
            let reason = "the thread that reads is not in this process: scan again after a fork";
            return Err(argument(py, ErrorKind::Value, "scan", reason));
        }
        loop {
            let next = py.detach(|| {
                let messages = self.messages.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                messages.as_ref().map_or(Ok(Message::End(0)), |messages| messages.recv_timeout(WAIT))
            });
            match next {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(internal(py, "the thread that reads ended early"));
                }
            }
        }
    }

    fn close(&self) {
        *self.messages.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }
}

/// Sends frames until there are no more, or the iterator is gone.
fn run<I: Frames>(open: impl FnOnce() -> Result<I, Error>, sender: &SyncSender<Message>) {
    let mut frames = match open() {
        Ok(frames) => frames,
        Err(error) => return drop(sender.send(Message::Failed(error))),
    };
    if sender.send(Message::Opened).is_err() {
        return;
    }
    for frame in &mut frames {
        let is_last = frame.is_err();
        if sender.send(frame.map_or_else(Message::Failed, Message::Frame)).is_err() || is_last {
            return;
        }
    }
    let _ = sender.send(Message::End(frames.rows_skipped()));
}

fn failure(py: Python<'_>, message: Message) -> PyErr {
    match message {
        Message::Failed(error) => exception(py, &error),
        Message::Panicked(text) => internal(py, &text),
        Message::Opened | Message::Frame(_) | Message::End(_) => {
            internal(py, "messages of a scan are out of order")
        }
    }
}

#[pymethods]
impl Scan {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<DataFrame>> {
        match self.message(py)? {
            Message::Frame(frame) => Ok(Some(DataFrame(frame))),
            Message::End(skipped) => {
                self.close();
                warn_of_skipped(py, self.operation, skipped)?;
                Ok(None)
            }
            other => {
                self.close();
                Err(failure(py, other))
            }
        }
    }
}
