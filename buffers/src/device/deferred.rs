//! Errors met where none can be returned.
//!
//! A drop never panics and cannot return: what fails there is kept here, and the next call on that
//! device reports it.

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
