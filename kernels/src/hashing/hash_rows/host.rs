//! Host implementation of `hash_rows`.

use super::HashFunction;
use crate::{Result, Storage, View, ViewGuard, access, morsel};
use columnade_buffers::{Buffer, Exec};

/// `MurmurHash3_x86_32`.
pub(super) fn murmur3(bytes: &[u8], seed: u32) -> u32 {
    let scrambled = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut hash = blocks.iter().fold(seed, |hash, block| {
        let mixed = hash ^ scrambled(u32::from_le_bytes(*block));
        mixed.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    if !tail.is_empty() {
        hash ^= scrambled(tail.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
    }
    hash ^= bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

const fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
}

/// `XXH64`.
pub(super) fn xxhash64(bytes: &[u8], seed: u64) -> u64 {
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut hash = if stripes.is_empty() {
        seed.wrapping_add(PRIMES[4])
    } else {
        let mut lanes = [
            seed.wrapping_add(PRIMES[0]).wrapping_add(PRIMES[1]),
            seed.wrapping_add(PRIMES[1]),
            seed,
            seed.wrapping_sub(PRIMES[0]),
        ];
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
                *lane = round(*lane, u64::from_le_bytes(*word));
            }
        }
        let sum = lanes.iter().zip([1, 7, 12, 18]);
        let sum = sum.fold(0_u64, |sum, (lane, by)| sum.wrapping_add(lane.rotate_left(by)));
        lanes
            .iter()
            .fold(sum, |hash, &lane| (hash ^ round(0, lane)).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]))
    };
    hash = hash.wrapping_add(bytes.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash ^= round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(PRIMES[0]).wrapping_add(PRIMES[3]);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIMES[0]);
        hash = hash.rotate_left(23).wrapping_mul(PRIMES[1]).wrapping_add(PRIMES[2]);
    }
    for &byte in rest {
        hash = (hash ^ u64::from(byte).wrapping_mul(PRIMES[4])).rotate_left(11).wrapping_mul(PRIMES[0]);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(PRIMES[1]);
    hash = (hash ^ hash >> 29).wrapping_mul(PRIMES[2]);
    hash ^ hash >> 32
}

/// Calls `hash` with each row's bytes that are not null.
fn for_each_row(
    guard: &ViewGuard<'_>,
    view: &View<'_>,
    rows: std::ops::Range<usize>,
    hash: &mut dyn FnMut(usize, &[u8]),
) {
    let valid = guard.validity();
    let is_valid = |row: usize| valid.is_none_or(|valid| valid.get(row));
    let View::Fixed(fixed) = view else {
        let strings = guard.strings();
        return rows.filter(|&row| is_valid(row)).for_each(|row| hash(row, strings.get(row)));
    };
    match fixed.storage {
        Storage::Bit => {
            let bits = guard.value_bits();
            rows.filter(|&row| is_valid(row)).for_each(|row| hash(row, &[u8::from(bits.get(row))]));
        }
        Storage::F32 => {
            let values = guard.values::<f32>();
            rows.filter(|&row| is_valid(row)).for_each(|row| {
                let value = if values[row].is_nan() { f32::NAN } else { values[row] + 0.0 };
                hash(row, &value.to_bits().to_le_bytes());
            });
        }
        Storage::F64 => {
            let values = guard.values::<f64>();
            rows.filter(|&row| is_valid(row)).for_each(|row| {
                let value = if values[row].is_nan() { f64::NAN } else { values[row] + 0.0 };
                hash(row, &value.to_bits().to_le_bytes());
            });
        }
        storage => dispatch_width!(storage, T => {
            let values = guard.values::<T>();
            rows.filter(|&row| is_valid(row)).for_each(|row| hash(row, bytemuck::bytes_of(&values[row])));
        }, bit => {}),
    }
}

pub(super) fn hash_rows(
    function: HashFunction,
    columns: &[View<'_>],
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let guards = access(columns, exec)?;
    let columns: Vec<_> = guards.iter().zip(columns).collect();
    match function {
        HashFunction::Murmur3(seed) => morsel::build_values(len, exec, |rows, out: &mut [u32]| {
            out.fill(seed);
            let first = rows.start;
            for (guard, view) in &columns {
                for_each_row(guard, view, rows.clone(), &mut |row, bytes| {
                    out[row - first] = murmur3(bytes, out[row - first]);
                });
            }
        }),
        HashFunction::XxHash64(seed) => morsel::build_values(len, exec, |rows, out: &mut [u64]| {
            out.fill(seed);
            let first = rows.start;
            for (guard, view) in &columns {
                for_each_row(guard, view, rows.clone(), &mut |row, bytes| {
                    out[row - first] = xxhash64(bytes, out[row - first]);
                });
            }
        }),
    }
}
