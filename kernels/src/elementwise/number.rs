//! Arithmetic of the storage types, the same on every device.

use crate::Element;

/// A storage type with arithmetic. Integers wrap. Division by zero gives 0 for integers (the caller makes the
/// row null) and IEEE 754 results for floats.
pub(crate) trait Number: Element {
    /// Zero.
    const ZERO: Self;

    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn sub(self, other: Self) -> Self;
    /// The product.
    fn mul(self, other: Self) -> Self;
    /// The quotient, truncated for integers.
    fn div(self, other: Self) -> Self;
    /// The quotient rounded down.
    fn floor_div(self, other: Self) -> Self;
    /// The remainder of [`Number::floor_div`], with the sign of the divisor.
    fn modulo(self, other: Self) -> Self;
    /// The smaller; of a NaN and a number, the number.
    fn lesser(self, other: Self) -> Self;
    /// The larger; of a NaN and a number, the number.
    fn greater(self, other: Self) -> Self;
    /// The negative.
    fn neg(self) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;
}

/// An integer storage type.
pub(crate) trait Integer: Number + Ord {
    /// Bitwise and.
    fn bit_and(self, other: Self) -> Self;
    /// Bitwise or.
    fn bit_or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn bit_xor(self, other: Self) -> Self;
    /// Every bit inverted.
    fn bit_not(self) -> Self;
    /// The power, which wraps around. The bits of the exponent are an unsigned number.
    fn power(self, exponent: Self) -> Self;
    /// Shifted to larger values. The bits of the number of places are an unsigned number; from the width on, none is left.
    fn shift_left(self, places: Self) -> Self;
    /// Shifted to smaller values, with copies of the sign; see [`Integer::shift_left`].
    fn shift_right(self, places: Self) -> Self;
    /// The sum, and whether it wrapped.
    fn overflowing_add(self, other: Self) -> (Self, bool);
    /// The difference, and whether it wrapped.
    fn overflowing_sub(self, other: Self) -> (Self, bool);
    /// The product, and whether it wrapped.
    fn overflowing_mul(self, other: Self) -> (Self, bool);
    /// The value in this type; `None` if it does not fit.
    fn from_i128(value: i128) -> Option<Self>;
    /// Whether the magnitude is `limit` or more.
    #[inline]
    fn reaches(self, limit: Self) -> bool {
        self >= limit || self < Self::ZERO && self <= limit.neg()
    }
}

macro_rules! integer {
    ($ty:ty as $bits:ty, $is_negative:expr, $abs:expr) => {
        impl Number for $ty {
            const ZERO: Self = 0;
            #[inline]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline]
            fn div(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline]
            fn floor_div(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let negative: fn($ty) -> bool = $is_negative;
                let (quotient, rest) = (self.wrapping_div(other), self.wrapping_rem(other));
                if rest != 0 && negative(rest) != negative(other) {
                    quotient.wrapping_sub(1)
                } else {
                    quotient
                }
            }
            #[inline]
            fn modulo(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let negative: fn($ty) -> bool = $is_negative;
                let rest = self.wrapping_rem(other);
                if rest != 0 && negative(rest) != negative(other) { rest.wrapping_add(other) } else { rest }
            }
            #[inline]
            fn lesser(self, other: Self) -> Self {
                self.min(other)
            }
            #[inline]
            fn greater(self, other: Self) -> Self {
                self.max(other)
            }
            #[inline]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            #[inline]
            fn abs(self) -> Self {
                let abs: fn($ty) -> $ty = $abs;
                abs(self)
            }
        }

        impl Integer for $ty {
            #[inline]
            fn bit_and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn bit_or(self, other: Self) -> Self {
                self | other
            }
            #[inline]
            fn bit_xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline]
            fn bit_not(self) -> Self {
                !self
            }
            #[inline]
            fn power(self, exponent: Self) -> Self {
                let (mut base, mut left, mut result): ($ty, $bits, $ty) = (self, exponent as $bits, 1);
                while left != 0 {
                    if left & 1 == 1 {
                        result = result.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    left >>= 1;
                }
                result
            }
            #[inline]
            fn shift_left(self, places: Self) -> Self {
                let places = places as $bits;
                if places >= <$ty>::BITS as $bits { 0 } else { self << places }
            }
            #[inline]
            fn shift_right(self, places: Self) -> Self {
                let places = places as $bits;
                // In two steps, since a shift by the width is none.
                if places >= <$ty>::BITS as $bits {
                    self >> (<$ty>::BITS / 2) >> (<$ty>::BITS - <$ty>::BITS / 2 - 1) >> 1
                } else {
                    self >> places
                }
            }
            #[inline]
            fn overflowing_add(self, other: Self) -> (Self, bool) {
                self.overflowing_add(other)
            }
            #[inline]
            fn overflowing_sub(self, other: Self) -> (Self, bool) {
                self.overflowing_sub(other)
            }
            #[inline]
            fn overflowing_mul(self, other: Self) -> (Self, bool) {
                self.overflowing_mul(other)
            }
            #[inline]
            fn from_i128(value: i128) -> Option<Self> {
                value.try_into().ok()
            }
        }
    };
}

integer!(i8 as u8, |v| v < 0, i8::wrapping_abs);
integer!(i16 as u16, |v| v < 0, i16::wrapping_abs);
integer!(i32 as u32, |v| v < 0, i32::wrapping_abs);
integer!(i64 as u64, |v| v < 0, i64::wrapping_abs);
integer!(i128 as u128, |v| v < 0, i128::wrapping_abs);
integer!(u8 as u8, |_| false, |v| v);
integer!(u16 as u16, |_| false, |v| v);
integer!(u32 as u32, |_| false, |v| v);
integer!(u64 as u64, |_| false, |v| v);

macro_rules! float {
    ($ty:ty) => {
        impl Number for $ty {
            const ZERO: Self = 0.0;
            #[inline]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline]
            fn div(self, other: Self) -> Self {
                self / other
            }
            // The steps of Python's `float.__divmod__`, like NumPy and pandas.
            #[inline]
            fn floor_div(self, other: Self) -> Self {
                if other == 0.0 {
                    return self / other;
                }
                let rest = self % other;
                let mut quotient = (self - rest) / other;
                if rest != 0.0 && (rest < 0.0) != (other < 0.0) {
                    quotient -= 1.0;
                }
                if quotient == 0.0 {
                    return (0.0 as $ty).copysign(self / other);
                }
                let floor = quotient.floor();
                if quotient - floor > 0.5 { floor + 1.0 } else { floor }
            }
            #[inline]
            fn modulo(self, other: Self) -> Self {
                let rest = self % other;
                if rest == 0.0 {
                    rest.copysign(other)
                } else if (rest < 0.0) != (other < 0.0) {
                    rest + other
                } else {
                    rest
                }
            }
            #[inline]
            fn lesser(self, other: Self) -> Self {
                if self < other || other.is_nan() { self } else { other }
            }
            #[inline]
            fn greater(self, other: Self) -> Self {
                if self > other || other.is_nan() { self } else { other }
            }
            #[inline]
            fn neg(self) -> Self {
                -self
            }
            #[inline]
            fn abs(self) -> Self {
                <$ty>::abs(self)
            }
        }
    };
}

float!(f32);
float!(f64);
