//! Logic, shifts, fields and counts of bits.

use super::lanes::{map1, map2, map3, map4};
use super::{Form, bit_types, integers};

pub(super) fn lookup(base: &str, modifiers: &[&str]) -> Option<Form> {
    match (base, modifiers) {
        ("and", [ty]) => bit_types!(*ty, T => map2(|a: T, b: T| a & b)),
        ("or", [ty]) => bit_types!(*ty, T => map2(|a: T, b: T| a | b)),
        ("xor", [ty]) => bit_types!(*ty, T => map2(|a: T, b: T| a ^ b)),
        ("not", [ty]) => bit_types!(*ty, T => map1(|a: T| !a)),
        ("shl" | "shr" | "shf", _) => shift(base, modifiers),
        ("popc", ["b32"]) => Some(map1(u32::count_ones)),
        ("popc", ["b64"]) => Some(map1(u64::count_ones)),
        ("clz", ["b32"]) => Some(map1(u32::leading_zeros)),
        ("clz", ["b64"]) => Some(map1(u64::leading_zeros)),
        ("brev", ["b32"]) => Some(map1(u32::reverse_bits)),
        ("brev", ["b64"]) => Some(map1(u64::reverse_bits)),
        ("bfind", ["u32"]) => Some(map1(|a: u32| 31u32.wrapping_sub(a.leading_zeros()))),
        ("bfind", ["u64"]) => Some(map1(|a: u64| 63u32.wrapping_sub(a.leading_zeros()))),
        // How far to shift the highest bit to the top.
        ("bfind", ["shiftamt", "u32"]) => Some(map1(|a: u32| if a == 0 { !0 } else { a.leading_zeros() })),
        ("bfind", ["shiftamt", "u64"]) => Some(map1(|a: u64| if a == 0 { !0 } else { a.leading_zeros() })),
        ("bmsk", ["clamp", "b32"]) => {
            Some(map2(|first: u32, length: u32| ones(length.min(32)).checked_shl(first).unwrap_or(0)))
        }
        ("bfi", ["b32"]) => Some(map4(|field: u32, into: u32, first, length| {
            insert(field.into(), into.into(), first, length, 32) as u32
        })),
        ("bfi", ["b64"]) => Some(map4(|field, into, first, length| insert(field, into, first, length, 64))),
        ("bfe", ["u32"]) => {
            Some(map3(|a: u32, first: u32, length: u32| extract(a.into(), first, length) as u32))
        }
        ("bfe", ["u64"]) => Some(map3(extract)),
        ("lop3", ["b32"]) => Some(map4(|a: u32, b: u32, c, table| logic(a, b, c, table))),
        ("prmt", ["b32"]) => Some(map3(permute)),
        _ => None,
    }
}

/// Shifts that are too long give zeros, or copies of the sign.
fn shift(base: &str, modifiers: &[&str]) -> Option<Form> {
    match (base, modifiers) {
        ("shl", ["b16"]) => Some(map2(|a: u16, by: u32| a.checked_shl(by).unwrap_or(0))),
        ("shl", ["b32"]) => Some(map2(|a: u32, by: u32| a.checked_shl(by).unwrap_or(0))),
        ("shl", ["b64"]) => Some(map2(|a: u64, by: u32| a.checked_shl(by).unwrap_or(0))),
        ("shr", ["s16"]) => Some(map2(|a: i16, by: u32| a >> by.min(15))),
        ("shr", ["s32"]) => Some(map2(|a: i32, by: u32| a >> by.min(31))),
        ("shr", ["s64"]) => Some(map2(|a: i64, by: u32| a >> by.min(63))),
        ("shr", ["b16"]) => shift("shr", &["u16"]),
        ("shr", ["b32"]) => shift("shr", &["u32"]),
        ("shr", ["b64"]) => shift("shr", &["u64"]),
        ("shr", [ty]) => integers!(*ty, T => map2(|a: T, by: u32| a.checked_shr(by).unwrap_or(0))),
        ("shf", ["l", "wrap", "b32"]) => {
            Some(map3(|low: u32, high: u32, by: u32| ((pair(low, high) << (by & 31)) >> 32) as u32))
        }
        ("shf", ["l", "clamp", "b32"]) => {
            Some(map3(|low: u32, high: u32, by: u32| ((pair(low, high) << by.min(32)) >> 32) as u32))
        }
        ("shf", ["r", "wrap", "b32"]) => {
            Some(map3(|low: u32, high: u32, by: u32| (pair(low, high) >> (by & 31)) as u32))
        }
        ("shf", ["r", "clamp", "b32"]) => {
            Some(map3(|low: u32, high: u32, by: u32| (pair(low, high) >> by.min(32)) as u32))
        }
        _ => None,
    }
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn ones(count: u32) -> u32 {
    ((1u64 << count) - 1) as u32
}

/// `into` with the low `length` bits of `field` from bit `first` on.
fn insert(field: u64, into: u64, first: u32, length: u32, bits: u32) -> u64 {
    let (first, length) = (first & 255, length & 255);
    if first >= bits || length == 0 {
        return into;
    }
    let mask = (if length >= 64 { u64::MAX } else { (1 << length) - 1 }) << first;
    into & !mask | field << first & mask
}

/// `length` bits from bit `first` on.
fn extract(value: u64, first: u32, length: u32) -> u64 {
    let (first, length) = (first & 255, length & 255);
    let mask = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    value.checked_shr(first).unwrap_or(0) & mask
}

/// Any function of three bits: bit `4a + 2b + c` of the table.
fn logic(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..8u32).filter(|row| table >> row & 1 != 0).fold(0, |all, row| {
        let pick = |value: u32, bit: u32| if row >> bit & 1 != 0 { value } else { !value };
        all | pick(a, 2) & pick(b, 1) & pick(c, 0)
    })
}

/// Four bytes out of eight; bit 3 of a choice repeats the byte's sign.
fn permute(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = pair(a, b).to_le_bytes();
    u32::from_le_bytes(std::array::from_fn(|k| {
        let choice = selector >> (4 * k) & 15;
        let byte = bytes[choice as usize & 7];
        if choice & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte }
    }))
}
