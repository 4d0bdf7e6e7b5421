//! Maps with sequential numbers as keys, for which one multiplication is a sufficient hash.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Values by the number of an allocation or by an address.
pub(super) type ByNumber<T> = HashMap<u64, T, BuildHasherDefault<Spread>>;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        // The hash table uses bits of both ends.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
