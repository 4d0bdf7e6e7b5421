//! Integer types of packed keys.

use columnade_buffers::Pod;
use std::fmt::Debug;

/// A packed key.
pub(crate) trait PackedKey: Pod + Ord + Default + Debug + Send + Sync {
    /// The key of an excluded row, the greatest; no included row has it.
    const MISS: Self;
    /// The low bits of `value`.
    fn from_wide(value: u128) -> Self;
    /// The low bits of `value`.
    fn from_word(value: u64) -> Self;
    /// The low bits of the product.
    fn times(self, weight: Self) -> Self;
    /// The sum; [`PackedKey::MISS`] if one of both is.
    fn plus(self, other: Self) -> Self;
    /// The sum of two keys that are no misses.
    fn plus_hit(self, other: Self) -> Self;
    /// The low 32 bits: the whole key if its layout has no more; a miss stays a miss.
    fn narrow(self) -> u32;
    /// The value as an index; the largest index if it does not fit.
    fn index(self) -> usize;
    /// A hash with good high bits (slots of a table) and low bits (partitions).
    fn hash(self) -> u64;
}

/// An odd constant without a pattern: the fraction of the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const SEED: u64 = 0x2545_f491_4f6c_dd1d;

/// Multiplies and folds both halves of the product: each bit of the result depends on all bits of `a`.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Mixes one more word into a running hash.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    fold(hash ^ word ^ SEED, MULTIPLIER)
}

impl PackedKey for u32 {
    const MISS: Self = u32::MAX;
    #[inline]
    fn from_wide(value: u128) -> Self {
        value as u32
    }
    #[inline]
    fn from_word(value: u64) -> Self {
        value as u32
    }
    #[inline]
    fn times(self, weight: Self) -> Self {
        self.wrapping_mul(weight)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    #[inline]
    fn plus_hit(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline]
    fn narrow(self) -> u32 {
        self
    }
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
    #[inline]
    fn hash(self) -> u64 {
        fold(u64::from(self), MULTIPLIER)
    }
}

impl PackedKey for u64 {
    const MISS: Self = u64::MAX;
    #[inline]
    fn from_wide(value: u128) -> Self {
        value as u64
    }
    #[inline]
    fn from_word(value: u64) -> Self {
        value
    }
    #[inline]
    fn times(self, weight: Self) -> Self {
        self.wrapping_mul(weight)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    #[inline]
    fn plus_hit(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline]
    fn narrow(self) -> u32 {
        self as u32
    }
    #[inline]
    fn index(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
    #[inline]
    fn hash(self) -> u64 {
        fold(self, MULTIPLIER)
    }
}

impl PackedKey for u128 {
    const MISS: Self = u128::MAX;
    #[inline]
    fn from_wide(value: u128) -> Self {
        value
    }
    #[inline]
    fn from_word(value: u64) -> Self {
        u128::from(value)
    }
    #[inline]
    fn times(self, weight: Self) -> Self {
        self.wrapping_mul(weight)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    #[inline]
    fn plus_hit(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline]
    fn narrow(self) -> u32 {
        self as u32
    }
    #[inline]
    fn index(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
    #[inline]
    fn hash(self) -> u64 {
        fold(mix(0, self as u64) ^ (self >> 64) as u64, MULTIPLIER)
    }
}
