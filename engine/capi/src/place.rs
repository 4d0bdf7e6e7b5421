//! Where results go.

use std::ffi::{CString, c_char};
use std::ptr::NonNull;

use columnade::arrow::{Owned, Struct};

use crate::argument::Argument;
use crate::error::{Failure, Result};
use crate::text::printable;

/// A place of the caller's for one value, whatever is there before.
pub(crate) struct Place<T>(NonNull<T>);

impl<T> Argument for Place<T> {
    type C = *mut T;

    unsafe fn from_c(name: &'static str, value: *mut T) -> Result<Self> {
        NonNull::new(value).map(Self).ok_or_else(|| Failure::argument(name, "is null"))
    }
}

/// A place that the caller need not have.
impl<T> Argument for Option<Place<T>> {
    type C = *mut T;

    unsafe fn from_c(_: &'static str, value: *mut T) -> Result<Self> {
        Ok(NonNull::new(value).map(Place))
    }
}

impl<T> Place<T> {
    pub(crate) fn put(self, value: T) {
        // SAFETY: the caller of `from_c` promised a place that can be written.
        unsafe { self.0.write(value) };
    }
}

impl<T: Struct> Place<T> {
    /// Gives a struct of Arrow's to the caller.
    pub(crate) fn put_struct(self, value: Owned<T>) {
        // SAFETY: as in `put`.
        unsafe { value.move_to(self.0.as_ptr()) };
    }
}

impl<T> Place<*mut T> {
    /// Gives a handle to the caller.
    pub(crate) fn put_handle(self, value: T) {
        self.put(Box::into_raw(Box::new(value)));
    }
}

impl Place<i64> {
    pub(crate) fn put_count(self, count: usize) {
        self.put(i64::try_from(count).unwrap_or(i64::MAX));
    }
}

impl Place<*mut c_char> {
    /// Gives a name to the caller.
    pub(crate) fn put_name(self, name: &impl ToString) -> Result<()> {
        let text = CString::new(name.to_string())
            .map_err(|_| Failure::argument("name", "has a zero byte, which C ends text at"))?;
        self.put(text.into_raw());
        Ok(())
    }

    /// Gives a readable text to the caller.
    pub(crate) fn put_text(self, text: &impl ToString) {
        self.put(printable(text.to_string()).into_raw());
    }
}
