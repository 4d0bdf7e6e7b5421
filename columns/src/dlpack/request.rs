//! Requests of DLPack consumers.

use super::DLPACK;
use super::abi::{DLDevice, DLPackVersion};
use crate::Result;
use crate::arrow::c::CopyPolicy;
use crate::tensor::TensorFault;
use columnade_buffers::{Device, Exec};
use std::ffi::c_void;
use std::ptr::NonNull;

/// The request of a consumer: the arguments of `__dlpack__`.
///
/// # Source
/// Python array API standard, `array.__dlpack__`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorRequest {
    /// The stream on which the consumer will use the memory.
    pub stream: ConsumerStream,
    /// The newest version that the consumer supports. `None`, or a major version of 0: the form before 1.0, without flags.
    /// Default: the [current](DLPackVersion::CURRENT) version.
    pub max_version: Option<DLPackVersion>,
    /// The device of the tensor: the device of the column, or the host. `None`: the device of the column.
    pub dl_device: Option<DLDevice>,
    /// Whether memory is copied.
    pub copy: CopyPolicy,
}

impl Default for TensorRequest {
    fn default() -> Self {
        Self {
            stream: ConsumerStream::default(),
            max_version: Some(DLPackVersion::CURRENT),
            dl_device: None,
            copy: CopyPolicy::default(),
        }
    }
}

/// The stream on which a consumer will use memory: the producer makes it wait until the memory is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConsumerStream {
    /// Unspecified. On the host there is none; on a GPU the legacy default stream is meant; on the simulator, which has no
    /// default streams, the producer waits itself.
    #[default]
    Unspecified,
    /// No synchronisation: the consumer orders the work itself.
    NoSynchronisation,
    /// The legacy default stream.
    LegacyDefault,
    /// The default stream of the thread.
    PerThreadDefault,
    /// A stream of the driver's.
    Handle(StreamHandle),
}

/// A stream of a driver, by its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamHandle(NonNull<c_void>);

// SAFETY: a handle is a name that the driver understands on every thread.
unsafe impl Send for StreamHandle {}
// SAFETY: as for `Send`.
unsafe impl Sync for StreamHandle {}

impl StreamHandle {
    /// The stream of that handle.
    ///
    /// # Safety
    /// It is a live stream of the device that the memory is on, while this is in use.
    pub unsafe fn new(handle: NonNull<c_void>) -> Self {
        Self(handle)
    }

    pub(super) fn as_raw(self) -> *mut c_void {
        self.0.as_ptr()
    }
}

impl ConsumerStream {
    /// The stream of a number as the array API writes it: `None`, −1 for no synchronisation, 1 for the legacy default
    /// stream, 2 for the thread's, any larger one for a handle.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor) for 0, which could be either default stream, and numbers below −1.
    ///
    /// # Safety
    /// A number above 2 is as [`StreamHandle::new`] asks.
    pub unsafe fn from_number(number: Option<i64>) -> Result<Self> {
        let fail = |number, reason| DLPACK.fail("stream", TensorFault::Stream { number, reason });
        Ok(match number {
            None => Self::Unspecified,
            Some(-1) => Self::NoSynchronisation,
            Some(1) => Self::LegacyDefault,
            Some(2) => Self::PerThreadDefault,
            Some(0) => return fail(0, "it could be either default stream"),
            Some(number) => {
                let address =
                    usize::try_from(number).ok().and_then(|number| NonNull::new(number as *mut c_void));
                match address {
                    // SAFETY: the caller's promise.
                    Some(handle) => Self::Handle(unsafe { StreamHandle::new(handle) }),
                    None => return fail(number, "no stream has this number"),
                }
            }
        })
    }

    /// The stream of `exec`, for a consumer here that asks a producer elsewhere: what is imported afterwards is in order
    /// on it.
    pub fn of(exec: &Exec) -> Self {
        match NonNull::new(exec.stream().as_raw()) {
            Some(handle) => Self::Handle(StreamHandle(handle)),
            None if exec.device() == Device::Host => Self::Unspecified,
            None => Self::LegacyDefault,
        }
    }

    /// The number as the array API writes it.
    pub fn number(self) -> Option<i64> {
        match self {
            Self::Unspecified => None,
            Self::NoSynchronisation => Some(-1),
            Self::LegacyDefault => Some(1),
            Self::PerThreadDefault => Some(2),
            Self::Handle(handle) => Some(handle.as_raw().expose_provenance().cast_signed() as i64),
        }
    }

    /// An error unless it is unspecified.
    pub(super) fn require_none(self, reason: &'static str) -> Result<()> {
        match self.number() {
            None => Ok(()),
            Some(number) => DLPACK.fail("stream", TensorFault::Stream { number, reason }),
        }
    }
}
