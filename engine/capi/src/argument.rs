//! Arguments of C as values of Rust.

use std::ffi::{CStr, c_char, c_void};

use columnade::{DataFrame, Device, Exec, Series};

use crate::error::{Failure, Result};
use crate::expression::Expression;
use crate::files::{Scan, Writer};
use crate::stream::{Mark, Memory};

/// A value that C passes as something else.
pub(crate) trait Argument: Sized {
    /// What C passes.
    type C;

    /// The argument called `name`, or what is wrong with it.
    ///
    /// # Safety
    /// `value` is what the header says of the argument, or null.
    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self>;
}

/// What a pointer points to, which must be something.
///
/// # Safety
/// The pointer is null or may be read for as long as the reference lives.
pub(crate) unsafe fn reference<'a, T>(name: &'static str, pointer: *const T) -> Result<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::argument(name, "is null"))
}

/// A handle that stays its owner's.
macro_rules! handles {
    ($($ty:ty),*) => {
        $(
            impl Argument for &$ty {
                type C = *const $ty;

                unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
                    // SAFETY: the caller's promise.
                    unsafe { reference(name, value) }
                }
            }
        )*
    };
}
handles!(DataFrame, Series, Exec, Mark, Memory, Expression, Scan, Writer);

/// An expression that may be left out.
impl Argument for Option<&Expression> {
    type C = *const Expression;

    unsafe fn from_c(_: &'static str, value: Self::C) -> Result<Self> {
        // SAFETY: the caller's promise.
        Ok(unsafe { value.as_ref() })
    }
}

/// Numbers that are what C passes.
macro_rules! numbers {
    ($($ty:ty),*) => {
        $(
            impl Argument for $ty {
                type C = $ty;

                unsafe fn from_c(_: &'static str, value: $ty) -> Result<Self> {
                    Ok(value)
                }
            }
        )*
    };
}
numbers!(i32, i64, u64, f64);

/// A position or a number of rows or columns.
impl Argument for usize {
    type C = i64;

    unsafe fn from_c(name: &'static str, value: i64) -> Result<Self> {
        usize::try_from(value).map_err(|_| Failure::argument(name, format!("is {value}, which is negative")))
    }
}

impl Argument for &str {
    type C = *const c_char;

    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
        // SAFETY: the caller's promise.
        let first = unsafe { reference(name, value) }?;
        // SAFETY: the caller's promise: text that a zero byte ends.
        let text = unsafe { CStr::from_ptr(first) };
        text.to_str().map_err(|_| Failure::argument(name, "is not UTF-8"))
    }
}

impl Argument for Device {
    type C = *const c_char;

    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
        // SAFETY: the caller's promise.
        let device = unsafe { <&str>::from_c(name, value) }?;
        Ok(device.parse::<Device>()?)
    }
}

/// An address that the caller knows what to do with, null where it says so.
impl Argument for *mut c_void {
    type C = Self;

    unsafe fn from_c(_: &'static str, value: Self) -> Result<Self> {
        Ok(value)
    }
}

impl Argument for *const c_void {
    type C = Self;

    unsafe fn from_c(_: &'static str, value: Self) -> Result<Self> {
        Ok(value)
    }
}

/// An array of pointers; how many there are is another argument.
#[derive(Clone, Copy)]
pub(crate) struct Pointers<T> {
    name: &'static str,
    first: *const *const T,
}

impl<T> Argument for Pointers<T> {
    type C = *const *const T;

    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
        Ok(Self { name, first: value })
    }
}

impl<T> Pointers<T> {
    /// The array of a member of an options struct.
    pub(crate) fn of(name: &'static str, first: *const *const T) -> Self {
        Self { name, first }
    }

    /// Whether there is an array.
    pub(crate) fn is_null(&self) -> bool {
        self.first.is_null()
    }

    /// What the first `count` of them point to, each made into an argument.
    ///
    /// # Safety
    /// The caller of C promised so many.
    pub(crate) unsafe fn read<A: Argument<C = *const T>>(self, count: usize) -> Result<Vec<A>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        if count > isize::MAX.unsigned_abs() / size_of::<*const T>() {
            return Err(Failure::argument(self.name, format!("cannot be {count}: no memory has so many")));
        }
        // SAFETY: the caller's promise.
        unsafe {
            reference(self.name, self.first)?;
            let pointers = std::slice::from_raw_parts(self.first, count);
            pointers.iter().map(|&pointer| A::from_c(self.name, pointer)).collect()
        }
    }
}
