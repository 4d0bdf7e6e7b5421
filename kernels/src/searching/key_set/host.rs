//! Host implementation of key sets.

use super::KeySet;
use crate::elementwise::lane::{Lane, map_bits};
use crate::scratch::Scratch;
use crate::{Element, Fixed, Result, Storage, View, ViewGuard, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::Ordering::Relaxed;

/// An integer that fits in an `i64`.
pub(crate) trait Key: Element {
    /// The same integer.
    fn key(self) -> i64;
}

macro_rules! keys {
    ($($ty:ty),*) => {
        $(impl Key for $ty {
            #[inline]
            fn key(self) -> i64 {
                i64::from(self)
            }
        })*
    };
}

keys!(i8, i16, i32, i64, u8, u16, u32);

/// Calls the body with the type of keys of a storage type; the others have an arm of their own.
macro_rules! dispatch_key {
    ($storage:expr, $t:ident => $body:expr, other => $other:expr) => {
        match $storage {
            Storage::I8 => {
                type $t = i8;
                $body
            }
            Storage::I16 => {
                type $t = i16;
                $body
            }
            Storage::I32 => {
                type $t = i32;
                $body
            }
            Storage::I64 => {
                type $t = i64;
                $body
            }
            Storage::U8 => {
                type $t = u8;
                $body
            }
            Storage::U16 => {
                type $t = u16;
                $body
            }
            Storage::U32 => {
                type $t = u32;
                $body
            }
            _ => $other,
        }
    };
}
pub(crate) use dispatch_key;

/// The key that one value's bytes are.
pub(super) fn key_of_bytes(storage: Storage, bytes: &[u8]) -> Option<i64> {
    dispatch_key!(storage, T => {
        let bytes = bytes.get(..size_of::<T>())?;
        Some(bytemuck::pod_read_unaligned::<T>(bytes).key())
    }, other => None)
}

/// The smallest and the largest valid key; `None` if there is none.
pub(super) fn range(keys: &Fixed<'_>, exec: &Exec) -> Result<Option<(i64, i64)>> {
    let guard = View::Fixed(*keys).read(exec)?;
    Ok(dispatch_key!(keys.storage, T => range_of::<T>(&guard, keys.len), other => None))
}

fn range_of<T: Key>(guard: &ViewGuard<'_>, rows: usize) -> Option<(i64, i64)> {
    let values = guard.values::<T>();
    let ranges = morsel::map(rows, |rows| {
        let keys = rows.clone().zip(&values[rows]);
        let valid = |row: usize| guard.validity().is_none_or(|valid| valid.get(row));
        keys.fold(None, |range: Option<(i64, i64)>, (row, &value)| {
            if !valid(row) {
                return range;
            }
            let key = value.key();
            Some(range.map_or((key, key), |(low, high)| (low.min(key), high.max(key))))
        })
    });
    ranges.into_iter().flatten().reduce(|(low, high), (first, last)| (low.min(first), high.max(last)))
}

/// The bits of the valid keys, from the key `first` on.
pub(super) fn bits(keys: &Fixed<'_>, first: i64, words: usize, exec: &Exec) -> Result<Scratch<u64>> {
    let guard = View::Fixed(*keys).read(exec)?;
    let mut bits = Scratch::filled(words, 0, exec)?;
    dispatch_key!(keys.storage, T => set_bits::<T>(&guard, keys.len, first, &mut bits), other => {});
    Ok(bits)
}

fn set_bits<T: Key>(guard: &ViewGuard<'_>, rows: usize, first: i64, bits: &mut Scratch<u64>) {
    let values = guard.values::<T>();
    let words = bits.as_atomics();
    morsel::map(rows, |rows| {
        for (row, &value) in rows.clone().zip(&values[rows]) {
            if guard.validity().is_none_or(|valid| valid.get(row)) {
                let at = value.key().wrapping_sub(first).cast_unsigned() as usize;
                // Keys of one word often follow each other, and most are set already in a column with duplicates.
                let (word, bit) = (&words[at / 64], 1 << (at % 64));
                if word.load(Relaxed) & bit == 0 {
                    word.fetch_or(bit, Relaxed);
                }
            }
        }
    });
}

/// Bit `i` of `out` is whether `values[i]` is in the set.
pub(crate) fn apply<T: Key>(set: &KeySet, values: Lane<'_, T>, rows: usize, out: &mut [u64]) {
    let (first, len, words) = (set.first, set.len, set.words());
    let is_in = |value: T| {
        let at = value.key().wrapping_sub(first).cast_unsigned();
        // Without a branch: whether a key is in the range is as hard to predict as whether it is in the set.
        let inside = at < len;
        let at = if inside { at as usize } else { 0 };
        words[at / 64] >> (at % 64) & u64::from(inside) == 1
    };
    match values {
        Lane::Slice(values) => map_bits(&values[..rows], out, is_in),
        Lane::Scalar(value) => out.fill(if is_in(value) { u64::MAX } else { 0 }),
    }
}

pub(super) fn contains(set: &KeySet, values: &Fixed<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::Fixed(*values).read(exec)?;
    morsel::build_bits(values.len, exec, |rows, out| {
        dispatch_key!(values.storage, T => {
            apply(set, Lane::Slice(&guard.values::<T>()[rows.clone()]), rows.len(), out);
        }, other => {});
    })
}
