//! Columns of one repeated value, and of nulls.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::filling::sequence::sequence;
use crate::limits::require_memory;
use crate::{FixedData, OffsetWidth, Result, Storage, StringData, Value};
use columnade_buffers::{Buffer, Device, Exec};

/// `len` rows of `value`, without a mask.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// One launch, or a memset if all bytes of the value are equal.
///
/// # Source
/// `cudf/filling.hpp` `fill`, `cudf/column/column_factories.hpp` `make_column_from_scalar`.
pub fn fill(value: Value, len: usize, exec: &Exec) -> Result<FixedData> {
    require_memory(value.storage().bytes(len), exec)?;
    let data = if value.to_bytes() == [0; 16] {
        Buffer::zeroed(value.storage().bytes(len), exec)?
    } else {
        match exec.device() {
            Device::Host => host::fill(value, len, exec)?,
            _ => cuda::fill(value, len, exec)?,
        }
    };
    Ok(FixedData { storage: value.storage(), len, data, validity: None })
}

/// `len` null rows. Their values are zero.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// Two memsets.
pub fn nulls(storage: Storage, len: usize, exec: &Exec) -> Result<FixedData> {
    let data = Buffer::zeroed(storage.bytes(len), exec)?;
    Ok(FixedData { storage, len, data, validity: Some(Buffer::zeroed(len.div_ceil(8), exec)?) })
}

/// `len` rows of one string, or of nulls for `None`.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// One launch for the offsets and one for the characters.
pub fn fill_string(value: Option<&str>, len: usize, exec: &Exec) -> Result<StringData> {
    let text = value.unwrap_or_default().as_bytes();
    let bytes = text.len().saturating_mul(len);
    require_memory(bytes, exec)?;
    let offset_width = OffsetWidth::for_bytes(bytes);
    let (start, step) = match offset_width {
        OffsetWidth::I32 => (Value::I32(0), Value::I32(text.len() as i32)),
        OffsetWidth::I64 => (Value::I64(0), Value::I64(text.len() as i64)),
    };
    let offsets = sequence(start, step, len.saturating_add(1), exec)?.data;
    let chars = match exec.device() {
        _ if bytes == 0 => Buffer::uninit(0, exec)?,
        Device::Host => host::repeat(text, len, exec)?,
        _ => cuda::repeat(text, len, exec)?,
    };
    let validity = if value.is_none() { Some(Buffer::zeroed(len.div_ceil(8), exec)?) } else { None };
    Ok(StringData { len, offsets, offset_width, chars, validity })
}
