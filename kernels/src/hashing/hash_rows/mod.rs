//! Hashes of rows by published functions, for data that other programs hash too.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, FixedData, Result, Storage, View};
use columnade_buffers::{Device, Exec};

/// A hash function, with its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HashFunction {
    /// `MurmurHash3_x86_32`: 32 bits.
    Murmur3(u32),
    /// `XXH64`: 64 bits.
    XxHash64(u64),
}

impl HashFunction {
    /// The storage type of the hashes.
    pub const fn storage(self) -> Storage {
        match self {
            HashFunction::Murmur3(_) => Storage::U32,
            HashFunction::XxHash64(_) => Storage::U64,
        }
    }
}

/// Row `i` of the result is the hash of row `i` of the columns.
///
/// The bytes of the first column's value are hashed with the seed, those of each further one with the hash so far as the seed;
/// a null leaves it. The bytes of a number are its little-endian storage, with one bit pattern for all NaNs and zeros of
/// both signs; those of a boolean are one byte, 0 or 1; those of a string its UTF-8.
///
/// # Shapes and units
/// columns: one or more of n rows → n rows of the function's storage, without nulls.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// One launch a column. Deterministic: the same on every device.
///
/// # Source
/// Austin Appleby, `SMHasher`; Yann Collet, `xxhash_spec.md`; cudf/hashing.hpp `murmurhash3_x86_32`, `xxhash_64`. Columns are
/// chained as by Spark's `hash` and `xxhash64`.
pub fn hash_rows(function: HashFunction, columns: &[View<'_>], exec: &Exec) -> Result<FixedData> {
    let Some(first) = columns.first() else {
        return Err(Error::InvalidArgument { name: "columns", reason: "there are none" });
    };
    let len = first.len();
    if let Some(other) = columns.iter().find(|column| column.len() != len) {
        return Err(Error::LengthMismatch { left: len, right: other.len() });
    }
    let data = match exec.device() {
        Device::Host => host::hash_rows(function, columns, len, exec)?,
        _ => cuda::hash_rows(function, columns, len, exec)?,
    };
    Ok(FixedData { storage: function.storage(), len, data, validity: None })
}
