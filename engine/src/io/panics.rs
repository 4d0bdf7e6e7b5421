//! Panics of decoders, which are errors of the files that brought them about.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;

use columnade_buffers::panic_message;
use columnade_kernels::interrupt::Interrupted;

thread_local! {
    /// Whether a panic of this thread becomes an error.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Makes panics that readers and writers of files turn into errors silent: what a decoder says of a damaged file is in the error,
/// and not on `stderr` as well. Other panics go to the panic hook that was set before.
///
/// This sets the panic hook of the program, once, so that it is left to programs. Call it after a hook of your own is set. The
/// libraries for C and Python, which have a hook of their own, call it.
///
/// ```
/// columnade::files::silence_decoder_panics();
/// ```
pub fn silence_decoder_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CAUGHT.get() {
                before(panic);
            }
        }));
    });
}

/// The message of a panic of a library.
pub(super) struct Panicked(pub(super) String);

/// What `work` with a library comes to, which some bytes make panic. What was being made is dropped.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let before = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    done.map_err(|panic: Box<dyn Any + Send>| {
        if panic.is::<Interrupted>() {
            resume_unwind(panic);
        }
        Panicked(panic_message(&*panic).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_its_message() {
        let message = caught(|| panic!("{} rows", 3)).map_err(|Panicked(message)| message);
        assert_eq!(message, Err::<(), _>("3 rows".to_owned()));
        assert!(!IS_CAUGHT.get());
        // One within another does not end it.
        let inner = caught(|| (caught(|| panic!("rows")).is_err(), IS_CAUGHT.get()));
        assert!(matches!(inner, Ok((true, true))) && !IS_CAUGHT.get());
    }
}
