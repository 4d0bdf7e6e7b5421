//! What the host's aggregations keep for each group, and how a row enters it.

use crate::bits::BitSlice;
use crate::keys::StringCells;
use crate::row_map::RowIndex;
use crate::{Element, RowMap};
use columnade_buffers::Pod;
use std::marker::PhantomData;

/// An aggregation over rows, by an accumulator a group.
pub(super) trait Fold: Sync {
    /// What is kept for a group.
    type Acc: Pod + Send + Sync;
    /// A result.
    type Out: Element;
    /// The accumulator of no row.
    const EMPTY: Self::Acc;
    /// Takes a row in.
    fn add(&self, acc: &mut Self::Acc, row: usize);
    /// Takes in the rows of `later`, all of which come after those of `acc`.
    fn merge(&self, acc: &mut Self::Acc, later: &Self::Acc);
    /// The result; anything where the group has no value.
    fn finish(acc: Self::Acc) -> Self::Out;
}

/// A type that others are summed in.
pub(super) trait Total: Pod + Send + Sync {
    const ZERO: Self;
    fn plus(self, other: Self) -> Self;
    fn to_f64(self) -> f64;
}

macro_rules! totals {
    ($($ty:ty, $zero:expr, |$a:ident, $b:ident| $plus:expr;)*) => {$(
        impl Total for $ty {
            const ZERO: Self = $zero;
            #[inline]
            fn plus(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $plus
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}

totals! {
    i64, 0, |a, b| a.wrapping_add(b);
    u64, 0, |a, b| a.wrapping_add(b);
    i128, 0, |a, b| a.wrapping_add(b);
    f64, 0.0, |a, b| a + b;
}

/// A value that is summed in `A`, and whose sum is stored as `Sum`.
pub(super) trait Addend: Element {
    /// What values are summed in.
    type Total: Total;
    /// How a sum is stored.
    type Sum: Element;
    /// What values are summed in without any overflow.
    type Exact: Total;
    fn total(self) -> Self::Total;
    fn exact(self) -> Self::Exact;
    fn sum(total: Self::Total) -> Self::Sum;
}

macro_rules! addends {
    ($($ty:ty => $total:ty, $exact:ty, $sum:ty;)*) => {$(
        impl Addend for $ty {
            type Total = $total;
            type Sum = $sum;
            type Exact = $exact;
            #[inline]
            fn total(self) -> $total {
                self as $total
            }
            #[inline]
            fn exact(self) -> $exact {
                self as $exact
            }
            fn sum(total: $total) -> $sum {
                total as $sum
            }
        }
    )*};
}

addends! {
    i8 => i64, i64, i64;
    i16 => i64, i64, i64;
    i32 => i64, i64, i64;
    i64 => i64, i128, i64;
    i128 => i128, i128, i128;
    u8 => u64, i64, u64;
    u16 => u64, i64, u64;
    u32 => u64, i64, u64;
    u64 => u64, i128, u64;
    f32 => f64, f64, f32;
    f64 => f64, f64, f64;
}

/// Sums.
pub(super) struct Sum<'a, T>(pub(super) &'a [T]);

impl<T: Addend> Fold for Sum<'_, T> {
    type Acc = T::Total;
    type Out = T::Sum;
    const EMPTY: Self::Acc = T::Total::ZERO;
    #[inline]
    fn add(&self, acc: &mut Self::Acc, row: usize) {
        *acc = acc.plus(self.0[row].total());
    }
    fn merge(&self, acc: &mut Self::Acc, later: &Self::Acc) {
        *acc = acc.plus(*later);
    }
    fn finish(acc: Self::Acc) -> Self::Out {
        T::sum(acc)
    }
}

/// Sums of integers in 128 bits.
pub(super) struct SumWide<'a, T>(pub(super) &'a [T]);

/// An integer.
pub(super) trait Integer: Element {
    fn wide(self) -> i128;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Integer for $ty {
            #[inline]
            fn wide(self) -> i128 {
                self as i128
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl<T: Integer> Fold for SumWide<'_, T> {
    type Acc = i128;
    type Out = i128;
    const EMPTY: i128 = 0;
    #[inline]
    fn add(&self, acc: &mut i128, row: usize) {
        *acc = acc.wrapping_add(self.0[row].wide());
    }
    fn merge(&self, acc: &mut i128, later: &i128) {
        *acc = acc.wrapping_add(*later);
    }
    fn finish(acc: i128) -> i128 {
        acc
    }
}

/// Sums of bits.
pub(super) struct SumBits<'a>(pub(super) BitSlice<'a>);

impl Fold for SumBits<'_> {
    type Acc = i64;
    type Out = i64;
    const EMPTY: i64 = 0;
    #[inline]
    fn add(&self, acc: &mut i64, row: usize) {
        *acc += i64::from(self.0.get(row));
    }
    fn merge(&self, acc: &mut i64, later: &i64) {
        *acc += later;
    }
    fn finish(acc: i64) -> i64 {
        acc
    }
}

/// Numbers of rows.
pub(super) struct Count;

impl Fold for Count {
    type Acc = i64;
    type Out = i64;
    const EMPTY: i64 = 0;
    #[inline]
    fn add(&self, acc: &mut i64, _: usize) {
        *acc += 1;
    }
    fn merge(&self, acc: &mut i64, later: &i64) {
        *acc += later;
    }
    fn finish(acc: i64) -> i64 {
        acc
    }
}

/// Means: the exact sum and the number of values, which `f64` and `i64` count exactly.
pub(super) struct Mean<'a, T>(pub(super) &'a [T]);

impl<T: Addend> Fold for Mean<'_, T>
where
    [T::Exact; 2]: Pod,
    T::Exact: One,
{
    type Acc = [T::Exact; 2];
    type Out = f64;
    const EMPTY: Self::Acc = [T::Exact::ZERO; 2];
    #[inline]
    fn add(&self, acc: &mut Self::Acc, row: usize) {
        *acc = [acc[0].plus(self.0[row].exact()), acc[1].plus(T::Exact::ONE)];
    }
    fn merge(&self, acc: &mut Self::Acc, later: &Self::Acc) {
        *acc = [acc[0].plus(later[0]), acc[1].plus(later[1])];
    }
    fn finish(acc: Self::Acc) -> f64 {
        acc[0].to_f64() / acc[1].to_f64()
    }
}

/// A type with a one.
pub(super) trait One {
    const ONE: Self;
}

impl One for i64 {
    const ONE: Self = 1;
}

impl One for i128 {
    const ONE: Self = 1;
}

impl One for f64 {
    const ONE: Self = 1.0;
}

/// Means of bits.
pub(super) struct MeanBits<'a>(pub(super) BitSlice<'a>);

impl Fold for MeanBits<'_> {
    type Acc = [i64; 2];
    type Out = f64;
    const EMPTY: [i64; 2] = [0; 2];
    #[inline]
    fn add(&self, acc: &mut [i64; 2], row: usize) {
        *acc = [acc[0] + i64::from(self.0.get(row)), acc[1] + 1];
    }
    fn merge(&self, acc: &mut [i64; 2], later: &[i64; 2]) {
        *acc = [acc[0] + later[0], acc[1] + later[1]];
    }
    fn finish(acc: [i64; 2]) -> f64 {
        acc[0] as f64 / acc[1] as f64
    }
}

/// A type with a total order, NaN largest, and its ends.
pub(super) trait Ordered: Element {
    const SMALLEST: Self;
    const LARGEST: Self;
    fn less(self, other: Self) -> bool;
}

macro_rules! ordered {
    ($($ty:ty),*) => {$(
        impl Ordered for $ty {
            const SMALLEST: Self = <$ty>::MIN;
            const LARGEST: Self = <$ty>::MAX;
            #[inline]
            fn less(self, other: Self) -> bool {
                self < other
            }
        }
    )*};
}
ordered!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

macro_rules! ordered_floats {
    ($($ty:ty),*) => {$(
        impl Ordered for $ty {
            const SMALLEST: Self = <$ty>::NEG_INFINITY;
            const LARGEST: Self = <$ty>::NAN;
            #[inline]
            fn less(self, other: Self) -> bool {
                self < other || (other.is_nan() && !self.is_nan())
            }
        }
    )*};
}
ordered_floats!(f32, f64);

/// Which end of the order.
pub(super) trait End: Sync {
    const EMPTY_IS_LARGEST: bool;
}

/// The smallest.
pub(super) struct Smallest;
/// The largest.
pub(super) struct Largest;

impl End for Smallest {
    const EMPTY_IS_LARGEST: bool = true;
}

impl End for Largest {
    const EMPTY_IS_LARGEST: bool = false;
}

/// Smallest or largest values; of equal ones the first.
pub(super) struct Extreme<'a, T, E>(pub(super) &'a [T], pub(super) PhantomData<E>);

impl<T: Ordered, E: End> Extreme<'_, T, E> {
    #[inline]
    fn keep(acc: &mut T, value: T) {
        let better = if E::EMPTY_IS_LARGEST { value.less(*acc) } else { acc.less(value) };
        *acc = if better { value } else { *acc };
    }
}

impl<T: Ordered, E: End> Fold for Extreme<'_, T, E> {
    type Acc = T;
    type Out = T;
    const EMPTY: T = if E::EMPTY_IS_LARGEST { T::LARGEST } else { T::SMALLEST };
    #[inline]
    fn add(&self, acc: &mut T, row: usize) {
        Self::keep(acc, self.0[row]);
    }
    fn merge(&self, acc: &mut T, later: &T) {
        Self::keep(acc, *later);
    }
    fn finish(acc: T) -> T {
        acc
    }
}

/// Smallest or largest bits, as bytes of 0 or 1.
pub(super) struct ExtremeBits<'a, E>(pub(super) BitSlice<'a>, pub(super) PhantomData<E>);

impl<E: End> Fold for ExtremeBits<'_, E> {
    type Acc = u8;
    type Out = u8;
    const EMPTY: u8 = E::EMPTY_IS_LARGEST as u8;
    #[inline]
    fn add(&self, acc: &mut u8, row: usize) {
        self.merge(acc, &u8::from(self.0.get(row)));
    }
    #[inline]
    fn merge(&self, acc: &mut u8, later: &u8) {
        *acc = if E::EMPTY_IS_LARGEST { *acc & later } else { *acc | later };
    }
    fn finish(acc: u8) -> u8 {
        acc
    }
}

/// Rows of the smallest or largest texts by bytes, the first of equal ones; all ones without a value.
pub(super) struct ExtremeString<'a, E>(pub(super) StringCells<'a>, pub(super) PhantomData<E>);

impl<E: End> ExtremeString<'_, E> {
    fn keep(&self, acc: &mut u64, row: u64) {
        let better = *acc == RowMap::NONE_U64 || {
            let order = self.0.bytes(row.row()).cmp(self.0.bytes(acc.row()));
            if E::EMPTY_IS_LARGEST { order.is_lt() } else { order.is_gt() }
        };
        if better {
            *acc = row;
        }
    }
}

impl<E: End> Fold for ExtremeString<'_, E> {
    type Acc = u64;
    type Out = u64;
    const EMPTY: u64 = RowMap::NONE_U64;
    fn add(&self, acc: &mut u64, row: usize) {
        self.keep(acc, row as u64);
    }
    fn merge(&self, acc: &mut u64, later: &u64) {
        if *later != RowMap::NONE_U64 {
            self.keep(acc, *later);
        }
    }
    fn finish(acc: u64) -> u64 {
        acc
    }
}
