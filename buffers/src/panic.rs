//! The message of a panic that was caught.

use std::any::Any;

/// The message of a panic, as [`std::panic::catch_unwind`] returns it: "no message" for a payload that is not a string.
///
/// ```
/// let panic = std::panic::catch_unwind(|| panic!("{} columns", 3)).unwrap_err();
/// assert_eq!(columnade_buffers::panic_message(&*panic), "3 columns");
/// ```
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
