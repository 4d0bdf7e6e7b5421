//! Structs of the interface that are released when dropped.

use super::abi::{ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowSchema};
use std::fmt;
use std::ptr;

/// A struct of the interface, released when dropped unless it was moved out before.
///
/// The only way to make one that holds something is unsafe, and promises what the interface says of the struct:
/// so that everything that reads it is safe.
#[repr(transparent)]
pub struct Owned<T: Struct>(T);

/// A schema that is released when dropped.
pub type OwnedSchema = Owned<ArrowSchema>;
/// An array of the host that is released when dropped.
pub type OwnedArray = Owned<ArrowArray>;
/// An array of a device that is released when dropped.
pub type OwnedDeviceArray = Owned<ArrowDeviceArray>;
/// A stream of arrays of the host that is released when dropped.
pub type OwnedStream = Owned<ArrowArrayStream>;
/// A stream of arrays of a device that is released when dropped.
pub type OwnedDeviceStream = Owned<ArrowDeviceArrayStream>;

// SAFETY: the interface lets what a struct holds be read and released on any thread, one at a time.
unsafe impl<T: Struct> Send for Owned<T> {}
// SAFETY: a shared reference reads the struct and nothing else: schemas and arrays do not change, and the callbacks
// of streams take the struct mutably.
unsafe impl<T: Struct> Sync for Owned<T> {}

/// A struct of the interface that has a callback to release it.
pub trait Struct: sealed::Released {}

mod sealed {
    /// What releasing needs.
    pub trait Released: Sized {
        fn released() -> Self;
        fn is_released(&self) -> bool;
        /// Marks the struct as released without releasing what it holds.
        fn forget(&mut self);
        /// # Safety
        /// The struct is what its producer made, or released.
        unsafe fn release(&mut self);
    }
}
use sealed::Released;

impl<T: Struct> Owned<T> {
    /// A released struct: a place for a producer to write to, see [`as_mut_ptr`](Self::as_mut_ptr).
    pub fn released() -> Self {
        Self(T::released())
    }

    /// Whether the struct holds nothing: it was released or moved out.
    pub fn is_released(&self) -> bool {
        self.0.is_released()
    }

    /// Moves a struct out of foreign memory, which is marked as released.
    ///
    /// # Safety
    /// `source` points to a struct that a producer filled as the interface says, or to a released one; nothing else
    /// uses it meanwhile.
    pub unsafe fn move_from(source: *mut T) -> Self {
        // SAFETY: the caller's promise: a readable struct, which is a copy of plain words.
        let moved = unsafe { ptr::read(source) };
        // SAFETY: as above, and writable.
        unsafe { (*source).forget() };
        Self(moved)
    }

    /// A struct in foreign memory as if it were owned: importing from it moves it out, and on an error leaves it as
    /// it is. `None` for null.
    ///
    /// # Safety
    /// Same as [`move_from`](Self::move_from), for as long as the reference lives.
    pub unsafe fn borrow_from<'a>(source: *mut T) -> Option<&'a mut Self> {
        // SAFETY: the caller's promise; the wrapper is transparent.
        unsafe { source.cast::<Self>().as_mut() }
    }

    /// A struct in foreign memory for reading, by any number of threads at the same time. `None` for null.
    ///
    /// # Safety
    /// `source` is null, or points to a struct that is released or that a producer filled as the interface says, and that
    /// is not moved or released as long as the reference lives.
    pub unsafe fn view_of<'a>(source: *const T) -> Option<&'a Self> {
        // SAFETY: the caller's promise; the wrapper is transparent.
        unsafe { source.cast::<Self>().as_ref() }
    }

    /// Moves the struct to foreign memory, whose owner releases it.
    ///
    /// # Safety
    /// `target` is writable for one struct; what is there is overwritten and not released.
    pub unsafe fn move_to(self, target: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { target.write(self.into_raw()) };
    }

    /// The struct, whose owner releases it.
    pub fn into_raw(mut self) -> T {
        std::mem::replace(&mut self.0, T::released())
    }

    /// Takes over a struct to release.
    ///
    /// # Safety
    /// A producer filled it as the interface says, or it is released.
    pub unsafe fn from_raw(raw: T) -> Self {
        Self(raw)
    }

    /// The struct.
    pub fn as_raw(&self) -> &T {
        &self.0
    }

    /// The address of the struct, for a producer to fill or a consumer to move out of.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        &raw mut self.0
    }

    /// What is held, moved out; this is left as released.
    #[must_use]
    pub fn take(&mut self) -> Self {
        Self(std::mem::replace(&mut self.0, T::released()))
    }
}

impl<T: Struct> Drop for Owned<T> {
    fn drop(&mut self) {
        if !self.0.is_released() {
            // SAFETY: the maker promised that a producer filled it; it is released once, since it is marked.
            unsafe { self.0.release() };
        }
    }
}

impl<T: Struct + fmt::Debug> fmt::Debug for Owned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The part of [`Released`] that is one for every struct with a callback of its own.
macro_rules! release_by_callback {
    () => {
        fn is_released(&self) -> bool {
            self.release.is_none()
        }
        fn forget(&mut self) {
            self.release = None;
        }
        unsafe fn release(&mut self) {
            if let Some(release) = self.release {
                // SAFETY: the caller's promise.
                unsafe { release(self) };
                // A callback that forgets to mark the struct must not be called again.
                self.release = None;
            }
        }
    };
}

impl Struct for ArrowSchema {}
impl Released for ArrowSchema {
    fn released() -> Self {
        Self {
            format: ptr::null(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 0,
            n_children: 0,
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
    release_by_callback!();
}

impl Struct for ArrowArray {}
impl Released for ArrowArray {
    fn released() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
    release_by_callback!();
}

impl Struct for ArrowDeviceArray {}
impl Released for ArrowDeviceArray {
    fn released() -> Self {
        Self {
            array: ArrowArray::released(),
            device_id: 0,
            device_type: 0,
            sync_event: ptr::null_mut(),
            reserved: [0; 3],
        }
    }
    fn is_released(&self) -> bool {
        self.array.is_released()
    }
    fn forget(&mut self) {
        self.array.forget();
    }
    unsafe fn release(&mut self) {
        // SAFETY: the caller's promise; the callback is given the array alone, as the interface says.
        unsafe { self.array.release() };
    }
}

impl Struct for ArrowArrayStream {}
impl Released for ArrowArrayStream {
    fn released() -> Self {
        Self {
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: ptr::null_mut(),
        }
    }
    release_by_callback!();
}

impl Struct for ArrowDeviceArrayStream {}
impl Released for ArrowDeviceArrayStream {
    fn released() -> Self {
        Self {
            device_type: 0,
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: ptr::null_mut(),
        }
    }
    release_by_callback!();
}
