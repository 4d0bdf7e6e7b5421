//! The structs of the interface, as C has them.
//!
//! Pointers in them belong to the producer; the owned wrappers of [`Owned`](super::Owned) release what they hold.

use std::ffi::{c_char, c_int, c_void};

/// A dtype with its name: a node of a tree.
///
/// # Source
/// Arrow C data interface, `struct ArrowSchema`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    /// The type as a format string.
    pub format: *const c_char,
    /// The field's name; may be null.
    pub name: *const c_char,
    /// Keys and values, each with a 32-bit length before it, their number first; may be null.
    pub metadata: *const c_char,
    /// [`ARROW_FLAG_DICTIONARY_ORDERED`] and the like.
    pub flags: i64,
    /// How many children there are.
    pub n_children: i64,
    /// A pointer to each child.
    pub children: *mut *mut ArrowSchema,
    /// The type of the values of a dictionary; null for other types.
    pub dictionary: *mut ArrowSchema,
    /// Gives everything back; null when that was done.
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

/// The buffers of an array: a node of a tree.
///
/// # Source
/// Arrow C data interface, `struct ArrowArray`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    /// Rows.
    pub length: i64,
    /// Null rows, or −1 where the producer does not know.
    pub null_count: i64,
    /// The first row, counted from the start of the buffers.
    pub offset: i64,
    /// How many buffers there are.
    pub n_buffers: i64,
    /// How many children there are.
    pub n_children: i64,
    /// The address of each buffer, on the device.
    pub buffers: *mut *const c_void,
    /// A pointer to each child.
    pub children: *mut *mut ArrowArray,
    /// The values of a dictionary; null for other types.
    pub dictionary: *mut ArrowArray,
    /// Gives everything back; null when that was done.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

/// A sequence of arrays of one type on the host.
///
/// # Source
/// Arrow C stream interface, `struct ArrowArrayStream`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArrayStream {
    /// Writes the type of the arrays; 0, or an errno value.
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    /// Writes the next array, a released one after the last; 0, or an errno value.
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    /// What went wrong in the last call, valid until the next; may be null.
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    /// Gives everything back; null when that was done.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

/// An array whose buffers are on some device. Everything but the bytes of the buffers is on the host.
///
/// # Source
/// Arrow C device data interface, `struct ArrowDeviceArray`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowDeviceArray {
    /// The array.
    pub array: ArrowArray,
    /// Which device of this type; −1 where there is one only.
    pub device_id: i64,
    /// What kind of device: any number, see [`ARROW_DEVICE_CPU`] and its like.
    pub device_type: ArrowDeviceType,
    /// A pointer to the driver's event that is passed when the buffers may be read; null: now.
    pub sync_event: *mut c_void,
    /// Zeros.
    pub reserved: [i64; 3],
}

/// A sequence of arrays of one type on some device.
///
/// # Source
/// Arrow C device data interface, `struct ArrowDeviceArrayStream`.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowDeviceArrayStream {
    /// What kind of device all arrays are on.
    pub device_type: ArrowDeviceType,
    /// Writes the type of the arrays; 0, or an errno value.
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream, *mut ArrowSchema) -> c_int>,
    /// Writes the next array, a released one after the last; 0, or an errno value.
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream, *mut ArrowDeviceArray) -> c_int>,
    /// What went wrong in the last call, valid until the next; may be null.
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream) -> *const c_char>,
    /// Gives everything back; null when that was done.
    pub release: Option<unsafe extern "C" fn(*mut ArrowDeviceArrayStream)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

/// The kind of a device: a number, and no enum, for producers know kinds that this library does not.
pub type ArrowDeviceType = i32;

/// The host.
pub const ARROW_DEVICE_CPU: ArrowDeviceType = 1;
/// A CUDA GPU.
pub const ARROW_DEVICE_CUDA: ArrowDeviceType = 2;
/// Host memory that CUDA has page-locked.
pub const ARROW_DEVICE_CUDA_HOST: ArrowDeviceType = 3;
/// An extension; here the CUDA simulator, whose events are pointed to as CUDA's are.
pub const ARROW_DEVICE_EXT_DEV: ArrowDeviceType = 12;
/// CUDA's managed memory.
pub const ARROW_DEVICE_CUDA_MANAGED: ArrowDeviceType = 13;

/// The order of a dictionary is that of its values.
pub const ARROW_FLAG_DICTIONARY_ORDERED: i64 = 1;
/// There may be nulls.
pub const ARROW_FLAG_NULLABLE: i64 = 2;
/// The keys of a map are sorted.
pub const ARROW_FLAG_MAP_KEYS_SORTED: i64 = 4;

/// The layouts that every other producer and consumer has, on machines with addresses of 64 bits.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<ArrowSchema>() == 72 && offset_of!(ArrowSchema, release) == 56);
    assert!(size_of::<ArrowArray>() == 80 && offset_of!(ArrowArray, buffers) == 40);
    assert!(offset_of!(ArrowArray, release) == 64 && offset_of!(ArrowArray, private_data) == 72);
    assert!(size_of::<ArrowArrayStream>() == 40 && offset_of!(ArrowArrayStream, release) == 24);
    assert!(size_of::<ArrowDeviceArray>() == 128 && offset_of!(ArrowDeviceArray, device_id) == 80);
    assert!(offset_of!(ArrowDeviceArray, device_type) == 88);
    assert!(offset_of!(ArrowDeviceArray, sync_event) == 96 && offset_of!(ArrowDeviceArray, reserved) == 104);
    assert!(size_of::<ArrowDeviceArrayStream>() == 48);
    assert!(offset_of!(ArrowDeviceArrayStream, get_schema) == 8);
    assert!(offset_of!(ArrowDeviceArrayStream, release) == 32);
};
