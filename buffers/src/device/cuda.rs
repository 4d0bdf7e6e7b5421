//! GPUs, through the CUDA driver.

use super::Backend;
use crate::sync::Arc;
use crate::{Device, Error, MemoryResource, Result};

/// How many GPUs there are; none without a driver.
pub(crate) fn count() -> Result<u32> {
    Ok(0)
}

/// The GPU of this ordinal.
pub(crate) fn backend(ordinal: u32) -> Result<&'static dyn Backend> {
    Err(missing(ordinal))
}

/// The resource that a GPU's memory comes from unless another is set.
pub(crate) fn first_resource(ordinal: u32) -> Result<Arc<dyn MemoryResource>> {
    Err(missing(ordinal))
}

fn missing(ordinal: u32) -> Error {
    Error::NoDevice { device: Device::Cuda(ordinal), reason: "GPUs are not supported yet".to_owned() }
}
