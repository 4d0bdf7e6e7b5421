//! A producer of tensors that says what it is told to.

use crate::dlpack::{
    DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, ManagedTensor,
    RawTensor,
};
use columnade_buffers::{Buffer, Exec, Lease};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the tensor says of the numbers 0 to 99 in 64 bits. What is `None` is what it should be.
#[derive(Clone, Debug)]
pub(super) struct Producer<'a> {
    pub(super) shape: &'a [i64],
    pub(super) strides: Option<&'a [i64]>,
    pub(super) byte_offset: u64,
    pub(super) lanes: u16,
    pub(super) element: Option<DLDataType>,
    pub(super) device: Option<DLDevice>,
    pub(super) ndim: Option<i32>,
    /// `None`: the form from before 1.0.
    pub(super) version: Option<DLPackVersion>,
    pub(super) is_without_shape: bool,
    pub(super) is_without_data: bool,
    pub(super) is_without_deleter: bool,
    /// How often a deleter was called.
    pub(super) deleted: Arc<AtomicUsize>,
}

impl Default for Producer<'_> {
    fn default() -> Self {
        Self {
            shape: &[100],
            strides: None,
            byte_offset: 0,
            lanes: 1,
            element: None,
            device: None,
            ndim: None,
            version: Some(DLPackVersion::CURRENT),
            is_without_shape: false,
            is_without_data: false,
            is_without_deleter: false,
            deleted: Arc::default(),
        }
    }
}

/// What a tensor's context keeps.
struct Context {
    shape: Vec<i64>,
    strides: Vec<i64>,
    _memory: Lease,
    deleted: Arc<AtomicUsize>,
    legacy: Option<DLManagedTensor>,
    versioned: Option<DLManagedTensorVersioned>,
}

impl Producer<'_> {
    pub(super) fn tensor(&self, exec: &Exec) -> ManagedTensor {
        let memory = Buffer::from_slice(&super::numbers(100), exec).unwrap().lease().unwrap();
        let data = if self.is_without_data { ptr::null_mut() } else { memory.as_ptr().cast_mut().cast() };
        let context = Box::into_raw(Box::new(Context {
            shape: self.shape.to_vec(),
            strides: self.strides.unwrap_or_default().to_vec(),
            _memory: memory,
            deleted: Arc::clone(&self.deleted),
            legacy: None,
            versioned: None,
        }));
        // SAFETY: the box was made above; what is made of it here is what deletes it.
        unsafe {
            let shape = (*context).shape.as_mut_ptr();
            let strides = (*context).strides.as_mut_ptr();
            let dl_tensor = DLTensor {
                data,
                device: self.device.unwrap_or(DLDevice::of(exec.device())),
                ndim: self.ndim.unwrap_or(i32::try_from(self.shape.len()).unwrap()),
                dtype: self.element.unwrap_or(DLDataType { code: 0, bits: 64, lanes: self.lanes }),
                shape: if self.is_without_shape { ptr::null_mut() } else { shape },
                strides: if self.strides.is_none() { ptr::null_mut() } else { strides },
                byte_offset: self.byte_offset,
            };
            let manager_ctx = context.cast();
            ManagedTensor::from_raw(match self.version {
                None => {
                    let deleter = (!self.is_without_deleter).then_some(delete_legacy as _);
                    let tensor =
                        (*context).legacy.insert(DLManagedTensor { dl_tensor, manager_ctx, deleter });
                    RawTensor::Legacy(NonNull::from(tensor))
                }
                Some(version) => {
                    let deleter = (!self.is_without_deleter).then_some(delete_versioned as _);
                    let tensor =
                        DLManagedTensorVersioned { version, manager_ctx, deleter, flags: 1 << 40, dl_tensor };
                    RawTensor::Versioned(NonNull::from((*context).versioned.insert(tensor)))
                }
            })
        }
    }
}

unsafe extern "C" fn delete_legacy(tensor: *mut DLManagedTensor) {
    // SAFETY: called once with what `tensor` made.
    unsafe { delete((*tensor).manager_ctx.cast()) };
}

unsafe extern "C" fn delete_versioned(tensor: *mut DLManagedTensorVersioned) {
    // SAFETY: as above.
    unsafe { delete((*tensor).manager_ctx.cast()) };
}

/// # Safety
/// As the deleters.
unsafe fn delete(context: *mut Context) {
    // SAFETY: the caller's promise.
    let context = unsafe { Box::from_raw(context) };
    context.deleted.fetch_add(1, Ordering::SeqCst);
}
