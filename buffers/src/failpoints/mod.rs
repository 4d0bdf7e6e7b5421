//! Fault injection: makes chosen steps of the memory layer, and file operations above it, fail.
//!
//! A test arms steps of the process, runs an operation and checks that a failure loses nothing. Only with the feature
//! `failpoints`: without it, [`failpoint`] is false and compiled to nothing.

#[cfg(any(test, feature = "failpoints"))]
mod armed;

#[cfg(any(test, feature = "failpoints"))]
pub use crate::resource::FailAt;
#[cfg(any(test, feature = "failpoints"))]
pub use armed::{Armed, Pattern, arm, arm_pattern, arm_this_thread};

/// The kinds of steps that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An allocation or a reservation of device memory.
    Allocate,
    /// An allocation in a lower tier: pinned memory, pageable memory, disk space.
    Reserve,
    /// The queueing of a copy or a fill.
    Copy,
    /// Opening, finding or creating a file or a folder.
    Open,
    /// Writing a file, as when the file system is full.
    Write,
    /// Reading a file.
    Read,
    /// Renaming a file over another one.
    Rename,
    /// Recording an event after all work of a device, as for the deferred free of exported memory.
    Mark,
}

/// Whether this step must fail; every step that can fail calls it first.
#[inline]
pub fn failpoint(step: Step) -> bool {
    #[cfg(any(test, feature = "failpoints"))]
    return armed::fails(step);
    #[cfg(not(any(test, feature = "failpoints")))]
    {
        let _ = step;
        false
    }
}
