//! What partial results are, and how those of neighbouring rows are merged.

use super::WindowAggregation;
use crate::Element;
use std::marker::PhantomData;

/// The smallest number of 39 digits.
const LIMIT: u128 = 10_u128.pow(38);

/// A result that has more than 38 digits.
pub(super) struct Overflow;

/// Partial results of the rows of an aggregation.
pub(super) trait Monoid: Send + Sync {
    /// A value, and the result.
    type Value: Element + Default;
    /// The partial result of some rows, of which at least one has a value.
    type Partial: Copy + Send + Sync;

    /// The partial result of one value.
    fn of(value: Self::Value) -> Self::Partial;

    /// That of `counts[0]` values and the `counts[1]` values after them.
    fn merge(a: Self::Partial, b: Self::Partial, counts: [u64; 2]) -> Self::Partial;

    /// Whether values with this partial result have a result.
    fn has_result(_: Self::Partial) -> bool {
        true
    }

    /// The result of `count` values.
    fn finish(partial: Self::Partial, count: u64, ddof: u32) -> Result<Self::Value, Overflow>;

    /// The result of no values.
    fn of_none() -> Self::Value {
        Self::Value::default()
    }
}

/// Values that are added and multiplied: integers wrap around.
pub(super) trait Ring: Element + Default {
    const ONE: Self;
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
}

macro_rules! ring {
    ($ty:ty, $one:expr, |$a:ident, $b:ident| $sum:expr, $product:expr) => {
        impl Ring for $ty {
            const ONE: Self = $one;
            fn sum(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $sum
            }
            fn product(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $product
            }
        }
    };
}

ring!(i64, 1, |a, b| a.wrapping_add(b), a.wrapping_mul(b));
ring!(u64, 1, |a, b| a.wrapping_add(b), a.wrapping_mul(b));
ring!(f64, 1.0, |a, b| a + b, a * b);

pub(super) struct Sum<T>(PhantomData<T>);

impl<T: Ring + Send + Sync> Monoid for Sum<T> {
    type Value = T;
    type Partial = T;
    fn of(value: T) -> T {
        value
    }
    fn merge(a: T, b: T, _: [u64; 2]) -> T {
        a.sum(b)
    }
    fn finish(partial: T, _: u64, _: u32) -> Result<T, Overflow> {
        Ok(partial)
    }
}

pub(super) struct Product<T>(PhantomData<T>);

impl<T: Ring + Send + Sync> Monoid for Product<T> {
    type Value = T;
    type Partial = T;
    fn of(value: T) -> T {
        value
    }
    fn merge(a: T, b: T, _: [u64; 2]) -> T {
        a.product(b)
    }
    fn finish(partial: T, _: u64, _: u32) -> Result<T, Overflow> {
        Ok(partial)
    }
    fn of_none() -> T {
        T::ONE
    }
}

/// The exact sum of decimals: a high and a low half of 19 digits, which hold the sum of any number of rows.
pub(super) struct ExactSum;

const HALF: i128 = 10_i128.pow(19);

impl Monoid for ExactSum {
    type Value = i128;
    type Partial = [i128; 2];
    fn of(value: i128) -> [i128; 2] {
        [value / HALF, value % HALF]
    }
    fn merge(a: [i128; 2], b: [i128; 2], _: [u64; 2]) -> [i128; 2] {
        [a[0] + b[0], a[1] + b[1]]
    }
    fn finish([high, low]: [i128; 2], _: u64, _: u32) -> Result<i128, Overflow> {
        let total = (high + low / HALF).checked_mul(HALF).and_then(|high| high.checked_add(low % HALF));
        total.filter(|total| total.unsigned_abs() < LIMIT).ok_or(Overflow)
    }
}

/// The exact product of decimals; `None` for more than 38 digits. A zero makes up for an overflow: it depends on the values
/// alone and not on their order.
pub(super) struct ExactProduct;

impl Monoid for ExactProduct {
    type Value = i128;
    type Partial = Option<i128>;
    fn of(value: i128) -> Option<i128> {
        Some(value)
    }
    fn merge(a: Option<i128>, b: Option<i128>, _: [u64; 2]) -> Option<i128> {
        match (a, b) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(a), Some(b)) => a.checked_mul(b).filter(|product| product.unsigned_abs() < LIMIT),
            _ => None,
        }
    }
    fn finish(partial: Option<i128>, _: u64, _: u32) -> Result<i128, Overflow> {
        partial.filter(|product| product.unsigned_abs() < LIMIT).ok_or(Overflow)
    }
    fn of_none() -> i128 {
        1
    }
}

/// Values with an order; NaN is beyond all numbers at either end.
pub(super) trait Ordered: Element + Default {
    fn lesser(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
}

macro_rules! ordered_integers {
    ($($ty:ty)*) => {
        $(impl Ordered for $ty {
            fn lesser(self, other: Self) -> Self {
                self.min(other)
            }
            fn greater(self, other: Self) -> Self {
                self.max(other)
            }
        })*
    };
}

ordered_integers!(i64 u64 i128);

/// −0.0 is below 0.0.
fn is_below(a: f64, b: f64) -> bool {
    !a.is_nan() && !b.is_nan() && a.total_cmp(&b).is_lt()
}

impl Ordered for f64 {
    fn lesser(self, other: f64) -> f64 {
        if other.is_nan() || is_below(self, other) { self } else { other }
    }
    fn greater(self, other: f64) -> f64 {
        if other.is_nan() || is_below(other, self) { self } else { other }
    }
}

pub(super) struct Min<T>(PhantomData<T>);

impl<T: Ordered + Send + Sync> Monoid for Min<T> {
    type Value = T;
    type Partial = T;
    fn of(value: T) -> T {
        value
    }
    fn merge(a: T, b: T, _: [u64; 2]) -> T {
        a.lesser(b)
    }
    fn finish(partial: T, _: u64, _: u32) -> Result<T, Overflow> {
        Ok(partial)
    }
}

pub(super) struct Max<T>(PhantomData<T>);

impl<T: Ordered + Send + Sync> Monoid for Max<T> {
    type Value = T;
    type Partial = T;
    fn of(value: T) -> T {
        value
    }
    fn merge(a: T, b: T, _: [u64; 2]) -> T {
        a.greater(b)
    }
    fn finish(partial: T, _: u64, _: u32) -> Result<T, Overflow> {
        Ok(partial)
    }
}

pub(super) struct Mean;

impl Monoid for Mean {
    type Value = f64;
    type Partial = f64;
    fn of(value: f64) -> f64 {
        value
    }
    fn merge(a: f64, b: f64, _: [u64; 2]) -> f64 {
        a + b
    }
    fn finish(partial: f64, count: u64, _: u32) -> Result<f64, Overflow> {
        Ok(partial / count as f64)
    }
}

/// The mean and the sum of squared deviations from it, merged as in T. F. Chan, G. H. Golub and R. J. `LeVeque`, "Updating
/// formulae and a pairwise algorithm for computing sample variances" (1979).
pub(super) struct Variance;

impl Monoid for Variance {
    type Value = f64;
    type Partial = [f64; 2];
    fn of(value: f64) -> [f64; 2] {
        // The deviation of an infinite number is NaN.
        [value, value * 0.0 * 0.0]
    }
    fn merge(a: [f64; 2], b: [f64; 2], counts: [u64; 2]) -> [f64; 2] {
        let [left, right] = counts.map(|count| count as f64);
        let (all, delta) = (left + right, b[0] - a[0]);
        [a[0] + delta * (right / all), a[1] + b[1] + delta * delta * (left * right / all)]
    }
    fn finish(partial: [f64; 2], count: u64, ddof: u32) -> Result<f64, Overflow> {
        Ok(partial[1] / (count as f64 - f64::from(ddof)))
    }
}

/// The mean and the sums of the second, third and fourth powers of the deviations from it, merged as in P. Pébay, "Formulas
/// for robust, one-pass parallel computation of covariances and arbitrary-order statistical moments" (2008).
///
/// Estimators: G₁ and G₂ of D. N. Joanes and C. A. Gill, "Comparing measures of sample skewness and kurtosis" (1998).
#[derive(Clone, Copy)]
pub(super) struct Powers {
    mean: f64,
    second: f64,
    third: f64,
    fourth: f64,
}

impl Powers {
    fn of(value: f64) -> Self {
        // The deviation of an infinite number is NaN.
        let none = value * 0.0 * 0.0;
        Self { mean: value, second: none, third: none, fourth: none }
    }

    fn merge(a: Self, b: Self, counts: [u64; 2]) -> Self {
        let [left, right] = counts.map(|count| count as f64);
        let share = 1.0 / (left + right);
        let (before, after) = (left * share, right * share);
        let delta = b.mean - a.mean;
        let square = delta * delta;
        let spread = square * (left * after);
        let second = before * b.second - after * a.second;
        let seconds = before * before * b.second + after * after * a.second;
        Self {
            mean: a.mean + delta * after,
            second: a.second + b.second + spread,
            third: a.third + b.third + spread * delta * (before - after) + 3.0 * delta * second,
            fourth: a.fourth
                + b.fourth
                + spread * square * (before * before - before * after + after * after)
                + 6.0 * square * seconds
                + 4.0 * delta * (before * b.third - after * a.third),
        }
    }
}

pub(super) struct Skewness;

impl Monoid for Skewness {
    type Value = f64;
    type Partial = Powers;
    fn of(value: f64) -> Powers {
        Powers::of(value)
    }
    fn merge(a: Powers, b: Powers, counts: [u64; 2]) -> Powers {
        Powers::merge(a, b, counts)
    }
    fn has_result(partial: Powers) -> bool {
        partial.second != 0.0
    }
    fn finish(partial: Powers, count: u64, _: u32) -> Result<f64, Overflow> {
        let n = count as f64;
        let shape = partial.third / partial.second / partial.second.sqrt();
        Ok(n * (n - 1.0).sqrt() / (n - 2.0) * shape)
    }
}

pub(super) struct Kurtosis;

impl Monoid for Kurtosis {
    type Value = f64;
    type Partial = Powers;
    fn of(value: f64) -> Powers {
        Powers::of(value)
    }
    fn merge(a: Powers, b: Powers, counts: [u64; 2]) -> Powers {
        Powers::merge(a, b, counts)
    }
    fn has_result(partial: Powers) -> bool {
        partial.second != 0.0
    }
    fn finish(partial: Powers, count: u64, _: u32) -> Result<f64, Overflow> {
        let n = count as f64;
        let shape = partial.fourth / partial.second / partial.second;
        let scale = (n - 1.0) / ((n - 2.0) * (n - 3.0));
        Ok(scale * (n * (n + 1.0) * shape - 3.0 * (n - 1.0)))
    }
}

/// What to do with the monoid of an aggregation.
pub(super) trait Visitor {
    type Output;
    fn visit<M: Monoid>(self) -> Self::Output;
}

/// Hands the monoid of an aggregation of values of `storage` to `visitor`; `None` if there is none.
pub(super) fn select<V: Visitor>(
    aggregation: WindowAggregation,
    storage: crate::Storage,
    visitor: V,
) -> Option<V::Output> {
    use crate::Storage::{F64, I64, I128, U64};
    use WindowAggregation as A;
    Some(match (aggregation, storage) {
        (A::Sum, I64) => visitor.visit::<Sum<i64>>(),
        (A::Sum, U64) => visitor.visit::<Sum<u64>>(),
        (A::Sum, F64) => visitor.visit::<Sum<f64>>(),
        (A::Sum, I128) => visitor.visit::<ExactSum>(),
        (A::Product, I64) => visitor.visit::<Product<i64>>(),
        (A::Product, U64) => visitor.visit::<Product<u64>>(),
        (A::Product, F64) => visitor.visit::<Product<f64>>(),
        (A::Product, I128) => visitor.visit::<ExactProduct>(),
        (A::Min, I64) => visitor.visit::<Min<i64>>(),
        (A::Min, U64) => visitor.visit::<Min<u64>>(),
        (A::Min, F64) => visitor.visit::<Min<f64>>(),
        (A::Min, I128) => visitor.visit::<Min<i128>>(),
        (A::Max, I64) => visitor.visit::<Max<i64>>(),
        (A::Max, U64) => visitor.visit::<Max<u64>>(),
        (A::Max, F64) => visitor.visit::<Max<f64>>(),
        (A::Max, I128) => visitor.visit::<Max<i128>>(),
        (A::Mean, F64) => visitor.visit::<Mean>(),
        (A::Variance { .. }, F64) => visitor.visit::<Variance>(),
        (A::Skewness, F64) => visitor.visit::<Skewness>(),
        (A::Kurtosis, F64) => visitor.visit::<Kurtosis>(),
        _ => return None,
    })
}
