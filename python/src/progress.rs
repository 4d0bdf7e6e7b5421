//! The progress of reads and writes: a line on `sys.stderr`, or calls of a function.

use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use columnade::ErrorKind;
use columnade::internal::Interrupted;
use pyo3::prelude::*;

use crate::work::argument;

/// Where a read or a write reports to.
pub(crate) struct Progress {
    operation: &'static str,
    /// What is counted: bytes or rows.
    unit: &'static str,
    /// What is called with the bytes, or rows, that are done and all of them; None writes a line.
    function: Option<Py<PyAny>>,
    state: Mutex<ProgressState>,
}

#[derive(Default)]
struct ProgressState {
    done: u64,
    /// What was told last of a scan: frames of rows that were decoded together tell it once.
    last: (u64, u64),
    /// When the line was last written.
    written: Option<Instant>,
    /// The first exception of the function.
    failed: Option<PyErr>,
}

/// How often the line is written.
const INTERVAL: Duration = Duration::from_millis(100);

impl Progress {
    /// What the argument `progress` asks for: nothing, a line or calls of a function.
    pub(crate) fn of(operation: &'static str, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Self>> {
        let Some(asked) = asked else { return Ok(None) };
        let function = match asked.extract::<bool>() {
            Ok(false) => return Ok(None),
            Ok(true) => None,
            Err(_) if asked.is_callable() => Some(asked.clone().unbind()),
            Err(_) => {
                let reason = "progress is True, False or a function of what is done and all there is to do";
                return Err(argument(asked.py(), ErrorKind::Type, operation, reason));
            }
        };
        Ok(Some(Self { operation, unit: "bytes", function, state: Mutex::default() }))
    }

    /// The same, with rows that are counted.
    pub(crate) fn of_rows(self) -> Self {
        Self { unit: "rows", ..self }
    }

    /// Reports that `done` of `all` are read, or written. Any thread may call this, without Python's lock.
    pub(crate) fn at(&self, done: u64, all: u64) {
        let mut state = self.state();
        // Another thread may have reported more already.
        if done < state.done || state.failed.is_some() {
            return;
        }
        state.done = done;
        let called = if let Some(function) = &self.function {
            Python::attach(|py| function.call1(py, (done, all)).map(drop))
        } else if done >= all || state.written.is_none_or(|written| written.elapsed() >= INTERVAL) {
            state.written = Some(Instant::now());
            let percent = if all == 0 { 100 } else { u128::from(done) * 100 / u128::from(all) };
            let line = format!("\r{}: {percent:3} % of {all} {}", self.operation, self.unit);
            Python::attach(|py| write(py, &line))
        } else {
            Ok(())
        };
        state.failed = called.err();
    }

    /// [`at`](Self::at) within the work that is reported. Once the function has raised an exception, the work ends as on Ctrl-C:
    /// readers and writers leave no file behind.
    pub(crate) fn reached(&self, done: u64, all: u64) {
        self.at(done, all);
        let has_failed = self.state().failed.is_some();
        if has_failed && !std::thread::panicking() {
            resume_unwind(Box::new(Interrupted));
        }
    }

    /// Reports what is done of a scan, on the thread that asks for frames. An exception of the function is raised.
    pub(crate) fn told(&self, py: Python<'_>, (done, all): (u64, u64)) -> PyResult<()> {
        // Another thread may hold the state and wait for Python's lock.
        let failed = py.detach(|| {
            if std::mem::replace(&mut self.state().last, (done, all)) != (done, all) {
                self.at(done, all);
            }
            self.state().failed.take()
        });
        failed.map_or(Ok(()), Err)
    }

    /// Ends the line. An exception of the function is raised.
    pub(crate) fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let (written, failed) = py.detach(|| {
            let mut state = self.state();
            (state.written.take(), state.failed.take())
        });
        if written.is_some() {
            write(py, "\n")?;
        }
        failed.map_or(Ok(()), Err)
    }

    fn state(&self) -> MutexGuard<'_, ProgressState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes to `sys.stderr`, which notebooks show too; it is None in programs without a console.
fn write(py: Python<'_>, text: &str) -> PyResult<()> {
    let stream = py.import("sys")?.getattr("stderr")?;
    if !stream.is_none() {
        stream.call_method1("write", (text,))?;
        stream.call_method0("flush")?;
    }
    Ok(())
}
