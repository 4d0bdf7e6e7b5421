//! Integer arithmetic. It wraps.

use super::lanes::{map1, map2, map3};
use super::{Form, integers};

pub(super) fn lookup(base: &str, modifiers: &[&str]) -> Option<Form> {
    match (base, modifiers) {
        ("add", [ty]) => integers!(*ty, T => map2(|a: T, b: T| a.wrapping_add(b))),
        ("sub", [ty]) => integers!(*ty, T => map2(|a: T, b: T| a.wrapping_sub(b))),
        ("mul", ["lo", ty]) => integers!(*ty, T => map2(|a: T, b: T| a.wrapping_mul(b))),
        ("mad", ["lo", ty]) => {
            integers!(*ty, T => map3(|a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c)))
        }
        ("mul", ["hi", ty]) => multiply_high(ty),
        ("mad", ["hi", ty]) => multiply_high_add(ty),
        ("mul", ["wide", ty]) => multiply_wide(ty),
        ("mad", ["wide", ty]) => multiply_wide_add(ty),
        // What division by zero gives is unspecified; the hardware gives all ones, and the dividend.
        ("div", [ty]) => integers!(*ty, T => map2(|a: T, b: T| if b == 0 { !0 } else { a.wrapping_div(b) })),
        ("rem", [ty]) => integers!(*ty, T => map2(|a: T, b: T| if b == 0 { a } else { a.wrapping_rem(b) })),
        ("min", [ty]) => integers!(*ty, T => map2(|a: T, b: T| a.min(b))),
        ("max", [ty]) => integers!(*ty, T => map2(|a: T, b: T| a.max(b))),
        ("neg", ["s16"]) => Some(map1(i16::wrapping_neg)),
        ("neg", ["s32"]) => Some(map1(i32::wrapping_neg)),
        ("neg", ["s64"]) => Some(map1(i64::wrapping_neg)),
        ("abs", ["s16"]) => Some(map1(i16::wrapping_abs)),
        ("abs", ["s32"]) => Some(map1(i32::wrapping_abs)),
        ("abs", ["s64"]) => Some(map1(i64::wrapping_abs)),
        _ => None,
    }
}

/// The upper half of the product.
fn multiply_high(ty: &str) -> Option<Form> {
    Some(match ty {
        "u16" => map2(high_u16),
        "s16" => map2(high_s16),
        "u32" => map2(high_u32),
        "s32" => map2(high_s32),
        "u64" => map2(high_u64),
        "s64" => map2(high_s64),
        _ => return None,
    })
}

fn multiply_high_add(ty: &str) -> Option<Form> {
    Some(match ty {
        "u32" => map3(|a, b, c| high_u32(a, b).wrapping_add(c)),
        "s32" => map3(|a, b, c| high_s32(a, b).wrapping_add(c)),
        "u64" => map3(|a, b, c| high_u64(a, b).wrapping_add(c)),
        "s64" => map3(|a, b, c| high_s64(a, b).wrapping_add(c)),
        _ => return None,
    })
}

fn high_u16(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}
fn high_s16(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}
pub(super) fn high_u32(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}
fn high_s32(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b)) >> 32) as i32
}
fn high_u64(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}
fn high_s64(a: i64, b: i64) -> i64 {
    ((i128::from(a) * i128::from(b)) >> 64) as i64
}

/// The whole product, of twice the width.
fn multiply_wide(ty: &str) -> Option<Form> {
    Some(match ty {
        "u16" => map2(|a: u16, b: u16| u32::from(a) * u32::from(b)),
        "s16" => map2(|a: i16, b: i16| i32::from(a) * i32::from(b)),
        "u32" => map2(|a: u32, b: u32| u64::from(a) * u64::from(b)),
        "s32" => map2(|a: i32, b: i32| i64::from(a) * i64::from(b)),
        _ => return None,
    })
}

fn multiply_wide_add(ty: &str) -> Option<Form> {
    Some(match ty {
        "u16" => map3(|a: u16, b: u16, c: u32| (u32::from(a) * u32::from(b)).wrapping_add(c)),
        "s16" => map3(|a: i16, b: i16, c: i32| (i32::from(a) * i32::from(b)).wrapping_add(c)),
        "u32" => map3(|a: u32, b: u32, c: u64| (u64::from(a) * u64::from(b)).wrapping_add(c)),
        "s32" => map3(|a: i32, b: i32, c: i64| (i64::from(a) * i64::from(b)).wrapping_add(c)),
        _ => return None,
    })
}
