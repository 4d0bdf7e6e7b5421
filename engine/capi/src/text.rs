//! Strings for C.

use std::ffi::{CString, c_char};

/// The version, ended as C ends text.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// Readable text, with signs in place of the zero bytes that C would end it at.
pub(crate) fn printable(text: String) -> CString {
    CString::new(text).unwrap_or_else(|error| {
        let text = String::from_utf8_lossy(&error.into_vec()).replace('\0', "\u{2400}");
        CString::new(text).unwrap_or_default()
    })
}

#[unsafe(no_mangle)]
extern "C" fn columnade_version() -> *const c_char {
    VERSION.as_ptr().cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn columnade_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise: a string that a function returned, released once.
        drop(unsafe { CString::from_raw(text) });
    }
}
