//! Conversions. Narrow sources are taken from the low bits of their registers; conversions from floating
//! point to integers saturate.

use super::Form;
use super::lanes::map1;

pub(super) fn lookup(modifiers: &[&str]) -> Option<Form> {
    let (rounding, to, from) = match modifiers {
        [to, from] => ("", *to, *from),
        [rounding, to, from] => (*rounding, *to, *from),
        _ => return None,
    };
    match (rounding, to, from) {
        (_, "f32" | "f64", "f32" | "f64") => between_floats(rounding, to, from),
        ("rzi" | "rni" | "rmi" | "rpi", _, "f32") => to_integer_f32(rounding, to),
        ("rzi" | "rni" | "rmi" | "rpi", _, "f64") => to_integer_f64(rounding, to),
        // A conversion to floats names its rounding, another has none.
        ("rn" | "", _, _) if (rounding == "rn") == matches!(to, "f32" | "f64") => from_integer(to, from),
        _ => None,
    }
}

fn from_integer(to: &str, from: &str) -> Option<Form> {
    macro_rules! from {
        ($S:ty) => {
            match to {
                "u8" => map1(|a: $S| a as u8),
                "s8" => map1(|a: $S| a as i8),
                "u16" => map1(|a: $S| a as u16),
                "s16" => map1(|a: $S| a as i16),
                "u32" => map1(|a: $S| a as u32),
                "s32" => map1(|a: $S| a as i32),
                "u64" => map1(|a: $S| a as u64),
                "s64" => map1(|a: $S| a as i64),
                "f32" => map1(|a: $S| a as f32),
                "f64" => map1(|a: $S| a as f64),
                _ => return None,
            }
        };
    }
    Some(match from {
        "u8" => from!(u8),
        "s8" => from!(i8),
        "u16" => from!(u16),
        "s16" => from!(i16),
        "u32" => from!(u32),
        "s32" => from!(i32),
        "u64" => from!(u64),
        "s64" => from!(i64),
        _ => return None,
    })
}

fn between_floats(rounding: &str, to: &str, from: &str) -> Option<Form> {
    Some(match (rounding, to, from) {
        ("", "f64", "f32") => map1(|a: f32| f64::from(a)),
        ("rn", "f32", "f64") => map1(|a: f64| a as f32),
        ("rzi", "f32", "f32") => map1(f32::trunc),
        ("rni", "f32", "f32") => map1(f32::round_ties_even),
        ("rmi", "f32", "f32") => map1(f32::floor),
        ("rpi", "f32", "f32") => map1(f32::ceil),
        ("rzi", "f64", "f64") => map1(f64::trunc),
        ("rni", "f64", "f64") => map1(f64::round_ties_even),
        ("rmi", "f64", "f64") => map1(f64::floor),
        ("rpi", "f64", "f64") => map1(f64::ceil),
        _ => return None,
    })
}

/// Rounds, then converts. A NaN becomes zero, but with 64 bits on either side the value with only its highest
/// bit set.
macro_rules! to_integer {
    ($name:ident, $S:ty) => {
        fn $name(rounding: &str, to: &str) -> Option<Form> {
            macro_rules! to {
                ($T:ty) => {{
                    const NAN: $T =
                        if size_of::<$S>() == 8 || size_of::<$T>() == 8 { 1 << (<$T>::BITS - 1) } else { 0 };
                    fn pick(a: $S, rounded: $S) -> $T {
                        if a.is_nan() { NAN } else { rounded as $T }
                    }
                    match rounding {
                        "rzi" => map1(|a: $S| pick(a, a)),
                        "rni" => map1(|a: $S| pick(a, a.round_ties_even())),
                        "rmi" => map1(|a: $S| pick(a, a.floor())),
                        "rpi" => map1(|a: $S| pick(a, a.ceil())),
                        _ => return None,
                    }
                }};
            }
            Some(match to {
                "u16" => to!(u16),
                "s16" => to!(i16),
                "u32" => to!(u32),
                "s32" => to!(i32),
                "u64" => to!(u64),
                "s64" => to!(i64),
                _ => return None,
            })
        }
    };
}
to_integer!(to_integer_f32, f32);
to_integer!(to_integer_f64, f64);
