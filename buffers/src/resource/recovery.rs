//! Retries of failed allocations.

use crate::{Error, Result};

/// How often an allocation is retried at most.
pub(crate) const ATTEMPTS: u32 = 3;

/// Allocates. After each out-of-memory failure it calls `recover` with the number of failures so far, and retries if that
/// freed any bytes, at most [`ATTEMPTS`] times.
///
/// # Source
///
/// RMM `failure_callback_resource_adaptor`, whose retries are unlimited.
pub(crate) fn with_recovery<T>(
    mut allocate: impl FnMut() -> Result<T>,
    mut recover: impl FnMut(u32) -> usize,
) -> Result<T> {
    let mut attempt = 0;
    loop {
        let error = match allocate() {
            Err(error @ Error::OutOfMemory { .. }) if attempt < ATTEMPTS => error,
            done => return done,
        };
        attempt += 1;
        if recover(attempt) == 0 {
            return Err(error);
        }
    }
}
