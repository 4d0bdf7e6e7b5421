//! Structs of producers, which stay theirs until an import has moved them.

use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use columnade::arrow::{ArrowSchema, Owned, OwnedSchema, Struct};
use columnade::dlpack::{DLManagedTensor, DLManagedTensorVersioned, ManagedTensor, RawTensor};

use crate::argument::Argument;
use crate::error::{Failure, Result};

/// A schema that is read only.
impl Argument for &OwnedSchema {
    type C = *const ArrowSchema;

    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
        // SAFETY: the caller's promise: a producer filled the struct, or it is released. Others may look at it meanwhile,
        // but do not move or release it.
        unsafe { Owned::view_of(value) }.ok_or_else(|| Failure::argument(name, "is null"))
    }
}

/// An array or a stream that an import moves out, and leaves as it is on an error.
impl<T: Struct> Argument for &mut Owned<T> {
    type C = *mut T;

    unsafe fn from_c(name: &'static str, value: Self::C) -> Result<Self> {
        // SAFETY: the caller's promise: a producer filled the struct, or it is released, and nothing else uses it now.
        unsafe { Owned::borrow_from(value) }.ok_or_else(|| Failure::argument(name, "is null"))
    }
}

/// A tensor that an import moves out. Unless that happens the deleter is not called, in a panic neither.
pub(crate) struct ForeignTensor<T> {
    tensor: ManuallyDrop<ManagedTensor>,
    form: std::marker::PhantomData<T>,
}

impl<T> ForeignTensor<T> {
    pub(crate) fn import<R>(mut self, import: impl FnOnce(&mut ManagedTensor) -> R) -> R {
        import(&mut self.tensor)
    }
}

/// One of the two forms of a tensor.
pub(crate) trait Form: Sized {
    fn raw(pointer: NonNull<Self>) -> RawTensor;
    /// The pointer of a tensor of this form.
    fn pointer(raw: RawTensor) -> Option<*mut Self>;
}

impl Form for DLManagedTensor {
    fn raw(pointer: NonNull<Self>) -> RawTensor {
        RawTensor::Legacy(pointer)
    }
    fn pointer(raw: RawTensor) -> Option<*mut Self> {
        match raw {
            RawTensor::Legacy(tensor) => Some(tensor.as_ptr()),
            RawTensor::Versioned(_) => None,
        }
    }
}

impl Form for DLManagedTensorVersioned {
    fn raw(pointer: NonNull<Self>) -> RawTensor {
        RawTensor::Versioned(pointer)
    }
    fn pointer(raw: RawTensor) -> Option<*mut Self> {
        match raw {
            RawTensor::Versioned(tensor) => Some(tensor.as_ptr()),
            RawTensor::Legacy(_) => None,
        }
    }
}

impl<T: Form> Argument for ForeignTensor<T> {
    type C = *mut T;

    unsafe fn from_c(name: &'static str, value: *mut T) -> Result<Self> {
        let pointer = NonNull::new(value).ok_or_else(|| Failure::argument(name, "is null"))?;
        // SAFETY: the caller's promise: a producer made the tensor, and nothing else uses it now.
        let tensor = unsafe { ManagedTensor::from_raw(T::raw(pointer)) };
        Ok(Self { tensor: ManuallyDrop::new(tensor), form: std::marker::PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two calls may read one schema at a time, each by its own reference.
    #[test]
    fn schema_argument_is_shared_and_not_null() {
        let schema = OwnedSchema::released().into_raw();
        let pointer = &raw const schema;
        // SAFETY: a released struct, which never changes.
        let [first, second] = [(); 2].map(|()| unsafe { <&OwnedSchema>::from_c("schema", pointer) });
        let (first, second) = (first.map(OwnedSchema::as_raw), second.map(OwnedSchema::as_raw));
        assert!(first.is_ok_and(|first| second.is_ok_and(|second| std::ptr::eq(first, second))));
        // SAFETY: null is allowed.
        assert!(unsafe { <&OwnedSchema>::from_c("schema", std::ptr::null()) }.is_err());
    }
}
