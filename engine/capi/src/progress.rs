//! Functions of the caller that are told how far a read is.

use std::ffi::c_void;

/// The type `ColumnadeProgress` of the header.
type Report = unsafe extern "C" fn(context: *mut c_void, bytes_done: i64, bytes: i64);

/// The members of options.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawProgress {
    report: Option<Report>,
    context: *mut c_void,
}

/// A function of the caller, with the context that it gave.
pub(crate) struct Progress {
    report: Report,
    context: *mut c_void,
}

// SAFETY: the header says that any thread calls the function.
unsafe impl Send for Progress {}
// SAFETY: as above.
unsafe impl Sync for Progress {}

impl Progress {
    pub(crate) fn of(raw: RawProgress) -> Option<Self> {
        raw.report.map(|report| Self { report, context: raw.context })
    }

    pub(crate) fn at(&self, bytes_done: u64, bytes: u64) {
        let count = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        // SAFETY: the caller's promise: the function takes this context until the read, or the scan, has ended.
        unsafe { (self.report)(self.context, count(bytes_done), count(bytes)) };
    }
}
