//! The C interface of the `.cu` files: declared once, in Rust.
//!
//! An [`abi!`] block in an operation's `cuda.rs` declares the arguments of its entry. Rust imports the entry
//! of each build (`cn_sim_<op>`, `cn_cuda_<op>`). The build script writes the same block as a C header, and
//! the `.cu` file must match it, layout included. A [`policy!`] block declares tuning numbers for both languages.

use std::ffi::c_void;

/// An entry of one build.
pub(crate) struct Entry<A> {
    /// Its name, for errors of the device.
    pub name: &'static str,
    /// Arguments and stream in, a CUDA error code out.
    pub function: unsafe extern "C" fn(*const A, *mut c_void) -> i32,
}

impl<A> Clone for Entry<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Entry<A> {}

/// The callback with which a running entry allocates device memory.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Alloc {
    /// Passed to `take`.
    pub context: *mut c_void,
    /// Allocates `bytes` bytes: scratch memory for slot [`Alloc::SCRATCH`], page-locked host memory for
    /// [`Alloc::PINNED`], otherwise the output of that number. With [`Alloc::UNPADDED`] added to it, kernels write the
    /// padding of the output. Null if out of memory.
    pub take: unsafe extern "C" fn(context: *mut c_void, slot: i32, bytes: usize) -> *mut c_void,
}

impl Alloc {
    /// Memory until the entry's work is done.
    pub(crate) const SCRATCH: i32 = -1;
    /// Host memory until the entry returns.
    pub(crate) const PINNED: i32 = -2;
    /// Not memory, but not null if tests ask for small limits.
    pub(crate) const LIMITS: i32 = -3;
    /// The word on the device that stays set once a kernel has found invalid data; null if there is none.
    pub(crate) const FAULT: i32 = -4;
    /// Added to the number of an output.
    pub(crate) const UNPADDED: i32 = 1 << 30;
}

/// A column as the `.cu` files see it, `struct ColumnDesc` of `column.cuh`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ColumnDesc {
    /// Values, or the bytes of a string column.
    pub data: *const c_void,
    /// Validity bits; null: no nulls.
    pub validity: *const c_void,
    /// Offsets of a string column; null otherwise.
    pub offsets: *const c_void,
    /// The first row within `data` (or `offsets`) and `validity`.
    pub offset: i64,
    /// The number of rows.
    pub rows: i64,
    /// A [`crate::Storage`], or [`ColumnDesc::STRING`].
    pub storage: i32,
    /// Bytes of an offset of a string column; 0 otherwise.
    pub offset_width: i32,
    /// The bytes behind `data` that may be read.
    pub data_bytes: i64,
}

impl ColumnDesc {
    /// The `storage` of a string column.
    pub(crate) const STRING: i32 = 100;

    /// No column: in place of an operand that is a single value.
    pub(crate) fn absent(storage: crate::Storage) -> Self {
        let null = std::ptr::null();
        let storage = storage as i32;
        Self {
            data: null,
            validity: null,
            offsets: null,
            offset: 0,
            rows: 0,
            storage,
            offset_width: 0,
            data_bytes: 0,
        }
    }
}

/// Declares argument structs, and the entries that take them.
macro_rules! abi {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $ty:ty),* $(,)? })*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub(crate) struct $name { $($(#[$field_meta])* pub(crate) $field: $ty),* })*
    };
    (
        $($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $ty:ty),* $(,)? })*
        $(entry $entry:ident($args:ident);)+
    ) => {
        abi! {
            $($(#[$meta])* pub struct $name { $($(#[$field_meta])* pub $field: $ty),* })*
        }

        #[cfg(feature = "sim")]
        mod sim {
            use super::*;
            unsafe extern "C" {
                $(#[cfg_attr(not(columnade_ptx), link_name = concat!("cn_sim_", stringify!($entry)))]
                #[cfg_attr(columnade_ptx, link_name = concat!("cn_cuda_", stringify!($entry)))]
                pub(super) fn $entry(args: *const $args, stream: *mut std::ffi::c_void) -> i32;)+
            }
        }
        #[cfg(feature = "cuda")]
        mod gpu {
            use super::*;
            unsafe extern "C" {
                $(#[link_name = concat!("cn_cuda_", stringify!($entry))]
                pub(super) fn $entry(args: *const $args, stream: *mut std::ffi::c_void) -> i32;)+
            }
        }
        /// The entries by device.
        mod entries {
            use super::*;
            $(
            pub(super) fn $entry(device: columnade_buffers::Device) -> $crate::Result<$crate::abi::Entry<$args>> {
                match device {
                    #[cfg(feature = "sim")]
                    columnade_buffers::Device::Sim => {
                        Ok($crate::abi::Entry { name: stringify!($entry), function: sim::$entry })
                    }
                    #[cfg(feature = "cuda")]
                    columnade_buffers::Device::Cuda(_) => {
                        Ok($crate::abi::Entry { name: stringify!($entry), function: gpu::$entry })
                    }
                    other => Err($crate::abi::missing(other)),
                }
            })+
        }
    };
}

/// Declares tuning numbers of kernels: Rust and C++ read the same ones.
macro_rules! policy {
    ($($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$constant_meta:meta])* pub const $constant:ident: $ty:ty = $value:literal;)+
    })+) => {
        $($(#[$meta])*
        #[allow(dead_code, reason = "most are for the kernels alone")]
        pub(crate) struct $name;
        #[allow(dead_code, reason = "most are for the kernels alone")]
        impl $name {
            $($(#[$constant_meta])* pub(crate) const $constant: $ty = $value;)+
        })+
    };
}

/// The error of an operation on a device whose kernels are not in this build.
pub(crate) fn missing(device: columnade_buffers::Device) -> crate::Error {
    let reason = match device.require() {
        Err(error) => return error.into(),
        Ok(()) => "this build has no kernels for it".to_owned(),
    };
    columnade_buffers::Error::NoDevice { device, reason }.into()
}
