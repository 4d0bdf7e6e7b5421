//! The structs of the interface, as C lays them out.

use std::ffi::c_void;
use std::mem::offset_of;

/// The kind of a device. Open: a producer may write unknown numbers.
pub type DLDeviceType = i32;

/// A device.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDevice {
    /// Its kind.
    pub device_type: DLDeviceType,
    /// Which of its kind; 0 where there is one only.
    pub device_id: i32,
}

impl DLDevice {
    /// The kind of the host's memory.
    pub const TYPE_CPU: DLDeviceType = 1;
    /// The kind of a GPU's memory.
    pub const TYPE_CUDA: DLDeviceType = 2;
    /// The kind of page-locked memory of the host.
    pub const TYPE_CUDA_HOST: DLDeviceType = 3;
    /// The kind of devices without a kind: the simulator's.
    pub const TYPE_EXT_DEV: DLDeviceType = 12;
    /// The kind of memory that moves between the host and GPUs.
    pub const TYPE_CUDA_MANAGED: DLDeviceType = 13;

    /// The host.
    pub const CPU: Self = Self { device_type: Self::TYPE_CPU, device_id: 0 };
}

/// The type of an element.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DLDataType {
    /// Integer, float and so on.
    pub code: u8,
    /// Bits of one lane.
    pub bits: u8,
    /// Lanes of a vector; 1 for a number.
    pub lanes: u16,
}

impl DLDataType {
    /// The code of signed integers.
    pub const CODE_INT: u8 = 0;
    /// The code of integers without a sign.
    pub const CODE_UINT: u8 = 1;
    /// The code of IEEE 754 floats.
    pub const CODE_FLOAT: u8 = 2;
    /// The code of booleans.
    pub const CODE_BOOL: u8 = 6;
}

/// A version of the interface. Those of one `major` have one layout.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DLPackVersion {
    /// Changes when a layout does.
    pub major: u32,
    /// Changes when something is added.
    pub minor: u32,
}

impl DLPackVersion {
    /// What is written here.
    pub const CURRENT: Self = Self { major: 1, minor: 3 };
}

/// Elements of one type at regular distances in memory.
#[repr(C)]
#[derive(Debug)]
pub struct DLTensor {
    /// The address from which `byte_offset` counts; null when there are no elements.
    pub data: *mut c_void,
    /// Where the memory is.
    pub device: DLDevice,
    /// How many dimensions.
    pub ndim: i32,
    /// The type of an element.
    pub dtype: DLDataType,
    /// Elements in each dimension.
    pub shape: *mut i64,
    /// Elements from one to the next in each dimension; null: compact, the last dimension contiguous.
    pub strides: *mut i64,
    /// Bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// A tensor and its deleter, as before version 1.0.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// The producer's own.
    pub manager_ctx: *mut c_void,
    /// Gives everything back, this struct included.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// A tensor and its deleter.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    /// How to read the rest. Of another major version nothing but the deleter is where it is here.
    pub version: DLPackVersion,
    /// The producer's own.
    pub manager_ctx: *mut c_void,
    /// Gives everything back, this struct included.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// [`FLAG_READ_ONLY`] and others.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

/// The consumer must not write the memory.
pub const FLAG_READ_ONLY: u64 = 1;
/// The memory is a copy that the producer does not use.
pub const FLAG_IS_COPIED: u64 = 2;
/// Elements of less than a byte have a byte each.
pub const FLAG_IS_SUBBYTE_TYPE_PADDED: u64 = 4;

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<DLDevice>() == 8 && size_of::<DLDataType>() == 4 && size_of::<DLPackVersion>() == 8);
    assert!(align_of::<DLDataType>() == 2);
    assert!(size_of::<DLTensor>() == 48 && offset_of!(DLTensor, device) == 8);
    assert!(offset_of!(DLTensor, ndim) == 16 && offset_of!(DLTensor, dtype) == 20);
    assert!(offset_of!(DLTensor, shape) == 24 && offset_of!(DLTensor, strides) == 32);
    assert!(offset_of!(DLTensor, byte_offset) == 40);
    assert!(size_of::<DLManagedTensor>() == 64 && offset_of!(DLManagedTensor, deleter) == 56);
    assert!(size_of::<DLManagedTensorVersioned>() == 80);
    assert!(offset_of!(DLManagedTensorVersioned, manager_ctx) == 8);
    assert!(offset_of!(DLManagedTensorVersioned, deleter) == 16);
    assert!(offset_of!(DLManagedTensorVersioned, flags) == 24);
    assert!(offset_of!(DLManagedTensorVersioned, dl_tensor) == 32);
};
