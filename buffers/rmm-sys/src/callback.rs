//! Rust functions that RMM calls. None of them unwinds into C++.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::abort;
use std::ptr::NonNull;

use crate::Stream;

/// A Rust allocator for RMM: see [`Resource::callback`](crate::Resource::callback).
pub trait Memory: Send + Sync {
    /// Allocates `bytes` bytes, aligned to [`ALIGNMENT`](crate::ALIGNMENT), for use on `stream`; `None` if
    /// out of memory.
    fn allocate(&self, bytes: usize, stream: Stream) -> Option<NonNull<u8>>;

    /// Frees an allocation of [`allocate`](Self::allocate) after the earlier work on `stream`.
    ///
    /// # Safety
    /// `memory` came from `allocate` of this object with the same `bytes`, and was not freed before.
    unsafe fn deallocate(&self, memory: NonNull<u8>, bytes: usize, stream: Stream);
}

/// Called when memory runs out, with the requested bytes; returns whether to retry.
pub(crate) type OnFailure = Box<dyn Fn(usize) -> bool + Send + Sync>;

/// Boxes a value as the state of a callback. [`drop_state`] of the same type frees it.
pub(crate) fn into_state<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Frees the state made by [`into_state`] of the same type.
pub(crate) unsafe extern "C" fn drop_state<T>(state: *mut c_void) {
    // SAFETY: the shim passes the state on as it got it from `into_state`, and calls this once.
    let value = unsafe { Box::from_raw(state.cast::<T>()) };
    // The panic of a destructor cannot be reported here; what it guards is leaked.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
}

/// Calls an [`OnFailure`]. A panic counts as `false`.
pub(crate) unsafe extern "C" fn on_failure(bytes: usize, state: *mut c_void) -> i32 {
    // SAFETY: the state of a failure-callback resource is an `OnFailure`, alive as long as the resource.
    let failure = unsafe { &*state.cast::<OnFailure>() };
    catch_unwind(AssertUnwindSafe(|| i32::from(failure(bytes)))).unwrap_or(0)
}

/// Calls [`Memory::allocate`]. A panic counts as out of memory.
pub(crate) unsafe extern "C" fn on_allocate(bytes: usize, stream: Stream, state: *mut c_void) -> *mut c_void {
    // SAFETY: the state of a callback resource is a boxed `Memory`, alive as long as the resource.
    let memory = unsafe { &*state.cast::<Box<dyn Memory>>() };
    let given = catch_unwind(AssertUnwindSafe(|| memory.allocate(bytes, stream))).unwrap_or(None);
    given.map_or(std::ptr::null_mut(), |pointer| pointer.as_ptr().cast())
}

/// Calls [`Memory::deallocate`]. A panic ends the process: the memory is neither freed nor usable.
pub(crate) unsafe extern "C" fn on_deallocate(
    pointer: *mut c_void,
    bytes: usize,
    stream: Stream,
    state: *mut c_void,
) {
    // SAFETY: the state of a callback resource is a boxed `Memory`, alive as long as the resource.
    let memory = unsafe { &*state.cast::<Box<dyn Memory>>() };
    let Some(pointer) = NonNull::new(pointer.cast::<u8>()) else { return };
    // SAFETY: RMM frees each allocation once, with the size that it was made with.
    let freed = catch_unwind(AssertUnwindSafe(|| unsafe { memory.deallocate(pointer, bytes, stream) }));
    if freed.is_err() {
        abort();
    }
}
