//! The one way into the library.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use columnade::files::silence_decoder_panics;
use columnade::internal::{CallSite, CallersContext, panic_message};

use crate::error::{Failure, Result, keep};

/// Functions of the interface. The types of the arguments are [`Argument`](crate::argument::Argument)s: C passes what
/// they say, and the body has what they make of it. A body that ends without an error returns 0.
macro_rules! entry {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$attribute])*
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(
                $($argument: <$ty as $crate::argument::Argument>::C),*
            ) -> std::ffi::c_int {
                $crate::entry::enter(stringify!($name), || {
                    $(
                        // SAFETY: the caller's promise: the argument is what the header says.
                        let $argument = unsafe {
                            <$ty as $crate::argument::Argument>::from_c(stringify!($argument), $argument)?
                        };
                    )*
                    $body
                    Ok(())
                })
            }
        )*
    };
}
pub(crate) use entry;

/// Functions that give a handle back; null is allowed.
macro_rules! destroy {
    ($($name:ident($handle:ident: $ty:ty);)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($handle: *mut $ty) {
                $crate::entry::enter(stringify!($name), || {
                    if !$handle.is_null() {
                        // SAFETY: the caller's promise: a handle of this library, destroyed once.
                        drop(unsafe { Box::from_raw($handle) });
                    }
                    Ok(())
                });
            }
        )*
    };
}
pub(crate) use destroy;

/// Does the work of `function`: 0, or a code, with its message kept for this thread. What the work had begun when it panicked is
/// dropped; handles do not change, so that those that exist are as they were.
pub(crate) fn enter(function: &'static str, work: impl FnOnce() -> Result<()>) -> c_int {
    // This library has a panic hook of its own.
    silence_decoder_panics();
    let _context = CallersContext::keep();
    let _site = CallSite::outside();
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return 0,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::Internal(format!("the library panicked: {}", panic_message(&*panic))),
    };
    keep(format!("{function}: {failure}"));
    failure.code()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_in_entry_becomes_error_code() {
        assert_eq!(enter("columnade_f", || panic!("{} things", 3)), libc::ENOTRECOVERABLE);
        assert_eq!(enter("columnade_f", || Ok(())), 0);
    }
}
