//! Floating-point arithmetic, rounded to nearest where the form does not say otherwise.
//!
//! Approximate forms are computed exactly, to the precision of their formats: code that corrects an approximation also accepts the exact result.

use super::lanes::{map1, map2, map3};
use super::{Form, floats};

/// Operations whose NaN has no payload: single precision gives the canonical one.
trait Float: Copy {
    fn canonical(self) -> Self;
    fn smaller(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;
}

macro_rules! float {
    ($T:ty, $nan:expr) => {
        impl Float for $T {
            // On the bits: the compiler may take any NaN for any other.
            #[inline(always)]
            fn canonical(self) -> Self {
                let bits = self.to_bits();
                let magnitude = bits << 1 >> 1;
                Self::from_bits(if magnitude > <$T>::INFINITY.to_bits() { $nan } else { bits })
            }
            /// −0 is below +0, and of a NaN and a number the result is the number.
            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                let pick = self < other || other.is_nan() || (self == other && self.is_sign_negative());
                (if pick { self } else { other }).canonical()
            }
            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                let pick = self > other || other.is_nan() || (self == other && self.is_sign_positive());
                (if pick { self } else { other }).canonical()
            }
        }
    };
}
float!(f32, 0x7fff_ffff);
float!(f64, 0x7ff8_0000_0000_0000);

/// Double precision keeps the payload of an operand.
fn result<T: Float>(value: T) -> T {
    if size_of::<T>() == 4 { value.canonical() } else { value }
}

pub(super) fn lookup(base: &str, modifiers: &[&str]) -> Option<Form> {
    match (base, modifiers) {
        ("add", [ty] | ["rn", ty]) => floats!(*ty, T => map2(|a: T, b: T| result(a + b))),
        ("sub", [ty] | ["rn", ty]) => floats!(*ty, T => map2(|a: T, b: T| result(a - b))),
        ("mul", [ty] | ["rn", ty]) => floats!(*ty, T => map2(|a: T, b: T| result(a * b))),
        ("div", ["rn", ty]) => floats!(*ty, T => map2(|a: T, b: T| result(a / b))),
        ("div", ["approx" | "full", "f32"]) => Some(map2(|a: f32, b: f32| result(a / b))),
        ("fma", ["rn", ty]) => floats!(*ty, T => map3(|a: T, b: T, c: T| result(a.mul_add(b, c)))),
        ("fma", ["rz", "f32"]) => Some(map3(fma_toward_zero)),
        ("rcp", ["rn", ty]) => floats!(*ty, T => map1(|a: T| result(1.0 / a))),
        ("rcp", ["approx", "f32"]) => Some(map1(|a: f32| result(1.0 / a))),
        ("rcp", ["approx", "ftz", "f32"]) => Some(map1(|a: f32| result(flush(1.0 / flush(a))))),
        ("rcp", ["approx", "ftz", "f64"]) => Some(map1(|a: f64| gross(a, |a| 1.0 / a))),
        ("rsqrt", ["approx", "ftz", "f64"]) => Some(map1(|a: f64| gross(a, |a| 1.0 / a.sqrt()))),
        ("ex2", ["approx", "ftz", "f32"]) => {
            Some(map1(|a: f32| result(flush(f64::from(flush(a)).exp2() as f32))))
        }
        ("lg2", ["approx", "ftz", "f32"]) => {
            Some(map1(|a: f32| result(flush(f64::from(flush(a)).log2() as f32))))
        }
        ("sqrt", ["rn", ty]) => floats!(*ty, T => map1(|a: T| result(a.sqrt()))),
        ("neg", [ty]) => floats!(*ty, T => map1(|a: T| -a)),
        ("abs", [ty]) => floats!(*ty, T => map1(|a: T| a.abs())),
        ("copysign", [ty]) => floats!(*ty, T => map2(|sign: T, a: T| a.copysign(sign))),
        ("min", [ty]) => floats!(*ty, T => map2(|a: T, b: T| a.smaller(b))),
        ("max", [ty]) => floats!(*ty, T => map2(|a: T, b: T| a.larger(b))),
        _ => None,
    }
}

/// Subnormal numbers become zeros of their sign.
fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

/// Approximations of double precision see and give 20 bits of mantissa, the high half of the number; subnormal
/// numbers are zeros of their sign.
fn gross(a: f64, function: impl Fn(f64) -> f64) -> f64 {
    let high = |value: f64| {
        let value = if value.is_subnormal() { 0f64.copysign(value) } else { value };
        f64::from_bits(value.to_bits() >> 32 << 32)
    };
    if a.is_nan() { f64::NAN } else { high(function(high(a))) }
}

/// The product is exact in double precision; the sum's rounding error says on which side of it the result
/// lies.
fn fma_toward_zero(a: f32, b: f32, c: f32) -> f32 {
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    let back = sum - product;
    let error = (product - (sum - back)) + (addend - back);
    let rounded = sum as f32;
    let excess = if f64::from(rounded) == sum { -error } else { f64::from(rounded) - sum };
    if sum.is_finite() && rounded.is_infinite() {
        return f32::MAX.copysign(rounded);
    }
    let is_away = rounded.is_finite() && excess != 0.0 && (excess > 0.0) == (rounded > 0.0);
    let is_away = is_away && rounded != 0.0;
    result(if is_away { f32::from_bits(rounded.to_bits() - 1) } else { rounded })
}
