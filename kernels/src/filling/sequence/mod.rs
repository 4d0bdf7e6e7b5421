//! Arithmetic sequences.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::limits::require_memory;
use crate::{Error, FixedData, Result, Storage, Value};
use columnade_buffers::{Device, Exec};

/// `start + i * step` for each row `i` less than `len`. Integers wrap; floats are computed in `f64` and
/// rounded once.
///
/// # Errors
/// [`Error::TypeMismatch`] if `start` and `step` have different storage types; [`Error::UnsupportedStorage`]
/// for bits; [`Error::Memory`].
///
/// # Device
/// One launch.
///
/// # Source
/// `cudf/filling.hpp` `sequence`.
pub fn sequence(start: Value, step: Value, len: usize, exec: &Exec) -> Result<FixedData> {
    let storage = start.storage();
    if storage != step.storage() {
        return Err(Error::TypeMismatch);
    }
    if storage == Storage::Bit {
        return Err(Error::UnsupportedStorage { storage });
    }
    require_memory(storage.bytes(len), exec)?;
    let data = match exec.device() {
        Device::Host => host::sequence(start, step, len, exec)?,
        _ => cuda::sequence(start, step, len, exec)?,
    };
    Ok(FixedData { storage, len, data, validity: None })
}
