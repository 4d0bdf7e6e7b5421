//! Sets of integers as bits over their range.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::aggregation::Aggregation;
use crate::elementwise::validity;
use crate::reduction::reduce::reduce;
use crate::scratch::Scratch;
use crate::{Fixed, FixedData, Result, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use std::fmt;

/// A set takes at most this many bits for each key that it is made of: as much memory as a hash table of them.
const BITS_PER_KEY: u64 = 256;

/// A range of so many keys is cheap for any number of keys: 1 MiB.
const FEW_KEYS: u64 = 1 << 23;

/// The distinct values of an integer column: one bit for each integer from the smallest to the largest.
pub struct KeySet {
    /// The smallest key.
    first: i64,
    /// The number of integers in the range; 0 for an empty set.
    len: u64,
    bits: KeyBits,
}

/// The bits where kernels read them, at least one word.
enum KeyBits {
    Host(Scratch<u64>),
    Device(Buffer),
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySet").field("first", &self.first).field("len", &self.len).finish_non_exhaustive()
    }
}

impl KeySet {
    /// Whether keys of a storage type have sets: integers that fit in an `i64`.
    pub fn supports(storage: Storage) -> bool {
        storage.is_integer() && !matches!(storage, Storage::I128 | Storage::U64)
    }

    /// The set of the valid values of `keys`; `None` if they are too far apart, or of a storage type without sets.
    ///
    /// # Errors
    /// [`crate::Error::Memory`].
    ///
    /// # Device
    /// Two reductions and two synchronisations for the range, and one launch of a thread per key.
    ///
    /// # Source
    /// cudf/search.hpp `contains`, by address instead of by hash.
    pub fn new(keys: &Fixed<'_>, exec: &Exec) -> Result<Option<Self>> {
        if !Self::supports(keys.storage) {
            return Ok(None);
        }
        let range = match exec.device() {
            Device::Host => host::range(keys, exec)?,
            _ => device_range(keys, exec)?,
        };
        let len = |(first, last): (i64, i64)| last.abs_diff(first).saturating_add(1);
        let (first, len) = range.map_or((0, 0), |range| (range.0, len(range)));
        if len > FEW_KEYS.max(BITS_PER_KEY.saturating_mul(keys.len as u64)) {
            return Ok(None);
        }
        // A look-up outside of the range reads the first word.
        let words = (len.div_ceil(64) as usize).max(1);
        let bits = match exec.device() {
            Device::Host => KeyBits::Host(host::bits(keys, first, words, exec)?),
            _ => KeyBits::Device(cuda::bits(keys, first, words, exec)?),
        };
        Ok(Some(Self { first, len, bits }))
    }

    /// Whether each value is in the set; null where the value is null.
    ///
    /// # Shapes and units
    /// values: n rows of an integer storage type that [`KeySet::supports`] → n bits.
    ///
    /// # Errors
    /// [`crate::Error::UnsupportedStorage`]; [`crate::Error::Memory`].
    ///
    /// # Device
    /// One launch of a thread per row, and one for a mask. Does not synchronise.
    pub fn contains(&self, values: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
        if !Self::supports(values.storage) {
            return Err(crate::Error::UnsupportedStorage { storage: values.storage });
        }
        let data = match &self.bits {
            KeyBits::Host(_) => host::contains(self, values, exec)?,
            KeyBits::Device(bits) => cuda::contains(self.first, self.len, bits, values, exec)?,
        };
        let validity = validity::intersect(&[values.validity_bits()], exec)?;
        Ok(FixedData { storage: Storage::Bit, len: values.len, data, validity })
    }

    /// The words of a set on the host; empty for those of devices.
    pub(crate) fn words(&self) -> &[u64] {
        match &self.bits {
            KeyBits::Host(words) => words.as_slice(),
            KeyBits::Device(_) => &[],
        }
    }
}

/// The smallest and the largest valid key; `None` if there is none.
fn device_range(keys: &Fixed<'_>, exec: &Exec) -> Result<Option<(i64, i64)>> {
    if keys.len == 0 {
        return Ok(None);
    }
    let extreme = |aggregation| -> Result<Option<i64>> {
        let found = reduce(aggregation, keys, exec)?;
        let valid = match &found.validity {
            Some(mask) => mask.to_vec::<u8>(exec)?.first().is_some_and(|byte| byte & 1 == 1),
            None => true,
        };
        let bytes = found.data.to_vec::<u8>(exec)?;
        Ok(if valid { host::key_of_bytes(keys.storage, &bytes) } else { None })
    };
    Ok(extreme(Aggregation::Min)?.zip(extreme(Aggregation::Max)?))
}
