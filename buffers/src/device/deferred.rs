//! Errors that occur where none can be returned.
//!
//! A drop never panics and cannot return an error. Its error is stored here, and the next call on that device
//! returns it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::sync::global::{AtomicBool, Mutex, Ordering};
use crate::{Device, Error, Result, panic_message};

static ANY: AtomicBool = AtomicBool::new(false);
static ERRORS: Mutex<Vec<(Device, Error)>> = Mutex::new(Vec::new());

/// Stores `error` for the next call on `device`. If one is stored already, that one is kept.
#[cold]
pub(crate) fn defer(device: Device, error: Error) {
    let mut errors = ERRORS.lock();
    if !errors.iter().any(|(other, _)| *other == device) {
        errors.push((device, error));
    }
    ANY.store(true, Ordering::Release);
}

/// Runs foreign code, `call`, in a drop on `device`. If it panics, returns `None` and stores the panic as an
/// error: unwinding would abort the process in a release callback of a C program, or during another panic.
pub(crate) fn in_drop<T>(device: Device, call: &'static str, work: impl FnOnce() -> T) -> Option<T> {
    // State that the panic left inconsistent is visible to that foreign code alone.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| defer_panic(device, call, &*panic)).ok()
}

#[cold]
fn defer_panic(device: Device, call: &'static str, panic: &(dyn Any + Send)) {
    let text = panic_message(panic);
    defer(device, Error::Device { device, call, code: 0, text: format!("it panicked: {text}") });
}

/// Returns the error that an earlier drop on `device` stored, once.
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
