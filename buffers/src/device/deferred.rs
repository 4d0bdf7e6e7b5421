//! Errors met where none can be returned.
//!
//! A drop never panics and cannot return: what fails there is kept here, and the next call on that
//! device reports it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::sync::global::{AtomicBool, Mutex, Ordering};
use crate::{Device, Error, Result};

static ANY: AtomicBool = AtomicBool::new(false);
static ERRORS: Mutex<Vec<(Device, Error)>> = Mutex::new(Vec::new());

/// Keeps `error` for the next call on `device`; the first of several is kept.
#[cold]
pub(crate) fn defer(device: Device, error: Error) {
    let mut errors = ERRORS.lock();
    if !errors.iter().any(|(other, _)| *other == device) {
        errors.push((device, error));
    }
    ANY.store(true, Ordering::Release);
}

/// Does what a drop on `device` has to do in somebody's code, `call`: `None` for a panic there, which is kept too. It would
/// end the process where a C program releases something, and where another panic is under way.
pub(crate) fn in_drop<T>(device: Device, call: &'static str, work: impl FnOnce() -> T) -> Option<T> {
    // What the work had begun is dropped, and nobody but that code sees what it left.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| defer_panic(device, call, &*panic)).ok()
}

#[cold]
fn defer_panic(device: Device, call: &'static str, panic: &(dyn Any + Send)) {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    defer(device, Error::Device { device, call, code: 0, text: format!("it panicked: {text}") });
}

/// Returns, once, an error that an earlier drop on `device` met.
#[inline]
pub(crate) fn report_deferred(device: Device) -> Result<()> {
    if ANY.load(Ordering::Acquire) { take(device) } else { Ok(()) }
}

#[cold]
fn take(device: Device) -> Result<()> {
    let mut errors = ERRORS.lock();
    let found = errors.iter().position(|(other, _)| *other == device).map(|at| errors.swap_remove(at).1);
    ANY.store(!errors.is_empty(), Ordering::Release);
    found.map_or(Ok(()), Err)
}
