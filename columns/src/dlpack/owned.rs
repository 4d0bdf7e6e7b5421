//! Tensors that are released when dropped.

use super::DLPACK;
use super::abi::{
    DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, FLAG_IS_COPIED, FLAG_READ_ONLY,
};
use crate::Result;
use crate::tensor::TensorFault;
use columnade_buffers::Device;
use std::fmt;
use std::ptr::NonNull;

/// A tensor that is released by its deleter when dropped, unless it was moved out before.
///
/// A null deleter does nothing: the producer leaks the memory or manages it in another way, as the interface allows.
/// Unknown flags are those of a later minor version, which change nothing that is
/// read here.
///
/// Wrapping a foreign tensor is unsafe: the caller promises what the interface requires, so that reading it is safe.
pub struct ManagedTensor(Option<RawTensor>);

/// A tensor as it is exchanged: its owner calls its deleter, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawTensor {
    /// As before version 1.0: the content of a capsule called `dltensor`.
    Legacy(NonNull<DLManagedTensor>),
    /// With a version and flags: the content of a capsule called `dltensor_versioned`.
    Versioned(NonNull<DLManagedTensorVersioned>),
}

// SAFETY: the interface lets a tensor be read, and its deleter be called, on any thread.
unsafe impl Send for ManagedTensor {}
// SAFETY: a shared reference only reads the structs, and they never change.
unsafe impl Sync for ManagedTensor {}

impl ManagedTensor {
    /// Takes ownership of a tensor.
    ///
    /// # Safety
    /// A producer made it as the interface requires: until the deleter is called, its memory is valid, and filled
    /// before work on the consumer's stream runs; no other code writes the memory meanwhile or calls the deleter.
    pub unsafe fn from_raw(raw: RawTensor) -> Self {
        Self(Some(raw))
    }

    /// The tensor, which its new owner must release; `None` when it was moved out before.
    pub fn into_raw(mut self) -> Option<RawTensor> {
        self.0.take()
    }

    /// Moves the tensor out; nothing is held afterwards.
    #[must_use]
    pub fn take(&mut self) -> Self {
        Self(self.0.take())
    }

    /// Whether the tensor was moved out.
    pub fn is_taken(&self) -> bool {
        self.0.is_none()
    }

    /// The version; `None` for the form from before 1.0 and when the tensor was moved out.
    pub fn version(&self) -> Option<DLPackVersion> {
        match self.0? {
            RawTensor::Legacy(_) => None,
            // SAFETY: readable, by the promise of the maker.
            RawTensor::Versioned(tensor) => Some(unsafe { (*tensor.as_ptr()).version }),
        }
    }

    /// The tensor's description.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor) when the tensor was moved out, or is of a version that cannot be read.
    pub fn tensor(&self) -> Result<&DLTensor> {
        match self.0 {
            None => DLPACK.fail("tensor", TensorFault::Taken),
            // SAFETY: readable as long as this lives, by the promise of the maker.
            Some(RawTensor::Legacy(tensor)) => Ok(unsafe { &(*tensor.as_ptr()).dl_tensor }),
            Some(RawTensor::Versioned(tensor)) => {
                self.require_version()?;
                // SAFETY: as above; of this version the field is where it is here.
                Ok(unsafe { &(*tensor.as_ptr()).dl_tensor })
            }
        }
    }

    fn require_version(&self) -> Result<()> {
        match self.version() {
            Some(DLPackVersion { major, minor }) if major != DLPackVersion::CURRENT.major => {
                let fault = TensorFault::Version { major: major.into(), minor: minor.into() };
                DLPACK.fail("version", fault)
            }
            _ => Ok(()),
        }
    }

    /// The flags; none for the form from before 1.0.
    ///
    /// # Errors
    /// Same as [`tensor`](Self::tensor).
    pub fn flags(&self) -> Result<u64> {
        self.tensor()?;
        match self.0 {
            // SAFETY: as in `tensor`, which has checked the version.
            Some(RawTensor::Versioned(tensor)) => Ok(unsafe { (*tensor.as_ptr()).flags }),
            Some(RawTensor::Legacy(_)) | None => Ok(0),
        }
    }

    /// Whether the consumer must not write the memory. The form from before 1.0 does not say.
    ///
    /// # Errors
    /// Same as [`tensor`](Self::tensor).
    pub fn is_read_only(&self) -> Result<bool> {
        Ok(self.flags()? & FLAG_READ_ONLY != 0)
    }

    /// Whether the memory is a copy made for the consumer. The form from before 1.0 does not say.
    ///
    /// # Errors
    /// Same as [`tensor`](Self::tensor).
    pub fn is_copied(&self) -> Result<bool> {
        Ok(self.flags()? & FLAG_IS_COPIED != 0)
    }

    /// The device on which the memory is used: the one that a context to import it must have.
    ///
    /// # Errors
    /// Same as [`tensor`](Self::tensor), and for a device that this build or machine cannot use.
    pub fn device(&self) -> Result<Device> {
        self.tensor()?.device.device()
    }
}

impl Drop for ManagedTensor {
    fn drop(&mut self) {
        match self.0.take() {
            None => {}
            Some(RawTensor::Legacy(tensor)) => {
                // SAFETY: the maker promised a tensor whose deleter no other code calls, and it cannot be used after the
                // drop.
                unsafe {
                    if let Some(delete) = (*tensor.as_ptr()).deleter {
                        delete(tensor.as_ptr());
                    }
                }
            }
            Some(RawTensor::Versioned(tensor)) => {
                // SAFETY: as above; the deleter is at this place in every version.
                unsafe {
                    if let Some(delete) = (*tensor.as_ptr()).deleter {
                        delete(tensor.as_ptr());
                    }
                }
            }
        }
    }
}

impl fmt::Debug for ManagedTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ManagedTensor");
        debug.field("version", &self.version());
        match self.tensor() {
            Ok(tensor) => debug.field("tensor", tensor).finish_non_exhaustive(),
            Err(_) => debug.finish_non_exhaustive(),
        }
    }
}
