//! Values as integers of the same order.

use crate::bits::BitSlice;
use crate::{Element, Storage, ViewGuard};

/// The sign bit.
const SIGN: u64 = 1 << 63;

/// A value with a key: values are ordered as their keys are.
trait OrderKey: Element {
    fn key(self) -> u64;
    fn of_key(key: u64) -> Self;
    /// Whether it equals a value with other bits, or no value at all.
    fn is_ambiguous(self) -> bool;
}

macro_rules! order_keys {
    ($wide:ty: $($ty:ty),*; $key:expr, $of_key:expr, $ambiguous:expr) => {$(
        impl OrderKey for $ty {
            #[inline]
            fn key(self) -> u64 {
                let key: fn($wide) -> u64 = $key;
                key(self.into())
            }
            #[inline]
            fn of_key(key: u64) -> Self {
                let of_key: fn(u64) -> $wide = $of_key;
                of_key(key) as $ty
            }
            #[inline]
            fn is_ambiguous(self) -> bool {
                let is_ambiguous: fn($wide) -> bool = $ambiguous;
                is_ambiguous(self.into())
            }
        }
    )*};
}

order_keys!(i64: i8, i16, i32, i64; |v| v.cast_unsigned() ^ SIGN, |key| (key ^ SIGN).cast_signed(), |_| false);
order_keys!(u64: u8, u16, u32, u64; |v| v, |key| key, |_| false);
order_keys!(f64: f32, f64; float_key, float_of_key, |v| v.is_nan() || v.to_bits() == SIGN);

fn float_key(value: f64) -> u64 {
    let bits = value.to_bits();
    // Of negative numbers the greater magnitude is less.
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn float_of_key(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
}

vectorised! {
    /// [`keys`] of one type.
    fn fill[T: OrderKey](values: &[T], validity: Option<BitSlice<'_>>, first: usize, out: &mut [u64]) -> bool {
        let mut ambiguous = 0;
        for (out, &value) in out.iter_mut().zip(&values[first..]) {
            *out = value.key();
            ambiguous |= u64::from(value.is_ambiguous());
        }
        let is_valid = |row: usize| validity.is_none_or(|bits| bits.get(first + row));
        // The values of nulls are arbitrary.
        ambiguous != 0 && (0..out.len()).any(|row| values[first + row].is_ambiguous() && is_valid(row))
    }
}

/// Writes the keys of the rows from `first`, as many as `out` has; whether a valid one is NaN or −0.0. The storage type is
/// neither bits nor 128-bit integers, whose keys are 0.
pub(super) fn keys(
    guard: &ViewGuard<'_>,
    storage: Storage,
    validity: Option<BitSlice<'_>>,
    first: usize,
    out: &mut [u64],
) -> bool {
    match storage {
        Storage::I8 => fill(guard.values::<i8>(), validity, first, out),
        Storage::I16 => fill(guard.values::<i16>(), validity, first, out),
        Storage::I32 => fill(guard.values::<i32>(), validity, first, out),
        Storage::I64 => fill(guard.values::<i64>(), validity, first, out),
        Storage::U8 => fill(guard.values::<u8>(), validity, first, out),
        Storage::U16 => fill(guard.values::<u16>(), validity, first, out),
        Storage::U32 => fill(guard.values::<u32>(), validity, first, out),
        Storage::U64 => fill(guard.values::<u64>(), validity, first, out),
        Storage::F32 => fill(guard.values::<f32>(), validity, first, out),
        Storage::F64 => fill(guard.values::<f64>(), validity, first, out),
        Storage::Bit | Storage::I128 => {
            out.fill(0);
            true
        }
    }
}

/// Writes the values of keys as bytes.
pub(super) fn values(storage: Storage, keys: &[u64], out: &mut [u8]) {
    fn fill<T: OrderKey>(keys: &[u64], out: &mut [u8]) {
        for (out, &key) in bytemuck::cast_slice_mut::<u8, T>(out).iter_mut().zip(keys) {
            *out = T::of_key(key);
        }
    }
    match storage {
        Storage::I8 => fill::<i8>(keys, out),
        Storage::I16 => fill::<i16>(keys, out),
        Storage::I32 => fill::<i32>(keys, out),
        Storage::I64 => fill::<i64>(keys, out),
        Storage::U8 => fill::<u8>(keys, out),
        Storage::U16 => fill::<u16>(keys, out),
        Storage::U32 => fill::<u32>(keys, out),
        Storage::U64 => fill::<u64>(keys, out),
        Storage::F32 => fill::<f32>(keys, out),
        Storage::F64 => fill::<f64>(keys, out),
        Storage::Bit | Storage::I128 => {}
    }
}
