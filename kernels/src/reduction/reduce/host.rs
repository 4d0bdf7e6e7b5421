//! Host twin of `reduce`, and its loops.

use super::Reduction;
use crate::bits::BitSlice;
use crate::elementwise::number::Number;
use crate::{Element, Fixed, FixedData, Result, Storage, Value, View, ViewGuard, morsel};
use columnade_buffers::{Buffer, Exec};

/// A storage type that can be summed.
pub(crate) trait Summable: Number {
    /// What sums of a morsel are, exact for integers.
    type Total: Copy + Send;

    /// The sum of the valid rows; a morsel at most, so that no integer of up to 64 bits overflows.
    fn sum(values: &[Self], valid: Option<BitSlice<'_>>) -> Self::Total;

    /// The sum of sums.
    fn merge(totals: &[Self::Total]) -> Total;
}

/// The sum of all rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Total {
    /// Of integers.
    Integer(i128),
    /// Of floats.
    Float(f64),
}

impl Total {
    fn mean(self, count: usize) -> f64 {
        match self {
            Total::Integer(total) => total as f64 / count as f64,
            Total::Float(total) => total / count as f64,
        }
    }

    fn value(self, storage: Storage) -> Value {
        match (self, storage) {
            (Total::Integer(total), Storage::I128) => Value::I128(total),
            (Total::Integer(total), Storage::U64) => Value::U64(total as u64),
            (Total::Integer(total), _) => Value::I64(total as i64),
            (Total::Float(total), Storage::F32) => Value::F32(total as f32),
            (Total::Float(total), _) => Value::F64(total),
        }
    }
}

/// The 64 rows of each word of a mask: `full` takes rows that are all valid, `masked` the others with their bits.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the loops must take on the features of their caller")]
fn for_words<T>(
    values: &[T],
    valid: Option<BitSlice<'_>>,
    mut full: impl FnMut(&[T]),
    mut masked: impl FnMut(&[T], u64),
) {
    let Some(valid) = valid else { return full(values) };
    for (values, word) in values.chunks(64).zip(valid.words()) {
        match word {
            u64::MAX => full(values),
            0 => {}
            word => masked(values, word),
        }
    }
}

macro_rules! sum_narrow {
    ($($ty:ty),*) => {$(
        impl Summable for $ty {
            type Total = i64;

            fn sum(values: &[Self], valid: Option<BitSlice<'_>>) -> i64 {
                narrow(values, valid, |value| value as i64)
            }

            fn merge(totals: &[i64]) -> Total {
                Total::Integer(totals.iter().map(|&total| i128::from(total)).sum())
            }
        }
    )*};
}
sum_narrow!(i8, i16, i32, u8, u16, u32);

macro_rules! sum_wide {
    ($($ty:ty),*) => {$(
        impl Summable for $ty {
            type Total = i128;

            fn sum(values: &[Self], valid: Option<BitSlice<'_>>) -> i128 {
                // Two 64-bit sums, of the low halves and of the high ones, are vectorised; one of 128 bits is not.
                let low = narrow(values, valid, |value| (value & 0xffff_ffff) as i64);
                let high = narrow(values, valid, |value| (value >> 32) as i64);
                (i128::from(high) << 32) + i128::from(low)
            }

            fn merge(totals: &[i128]) -> Total {
                Total::Integer(totals.iter().fold(0, |sum, &total| sum.wrapping_add(total)))
            }
        }
    )*};
}
sum_wide!(i64, u64);

impl Summable for i128 {
    type Total = i128;

    fn sum(values: &[Self], valid: Option<BitSlice<'_>>) -> i128 {
        let mut sum = 0_i128;
        let words = valid.iter().flat_map(BitSlice::words).chain(std::iter::repeat(u64::MAX));
        for (values, word) in values.chunks(64).zip(words) {
            for (k, &value) in values.iter().enumerate() {
                sum = sum.wrapping_add(if word >> k & 1 == 1 { value } else { 0 });
            }
        }
        sum
    }

    fn merge(totals: &[i128]) -> Total {
        Total::Integer(totals.iter().fold(0, |sum, &total| sum.wrapping_add(total)))
    }
}

macro_rules! sum_float {
    ($($ty:ty),*) => {$(
        impl Summable for $ty {
            type Total = f64;

            fn sum(values: &[Self], valid: Option<BitSlice<'_>>) -> f64 {
                floating(values, valid, |value| f64::from(value))
            }

            fn merge(totals: &[f64]) -> Total {
                Total::Float(totals.iter().fold(0.0, |sum, total| sum + total))
            }
        }
    )*};
}
sum_float!(f32, f64);

vectorised! {
    fn narrow[T: Number, F: Fn(T) -> i64](values: &[T], valid: Option<BitSlice<'_>>, widen: F) -> i64 {
        let (mut all, mut some) = (0_i64, 0_i64);
        for_words(
            values,
            valid,
            |values| {
                for &value in values {
                    all += widen(value);
                }
            },
            |values, word| {
                for (k, &value) in values.iter().enumerate() {
                    some += widen(value) & (word >> k & 1).cast_signed().wrapping_neg();
                }
            },
        );
        all + some
    }

    // Row i is added to sum i % 16, whatever the mask and the width of the registers, and the sums in a fixed order.
    fn floating[T: Number, F: Fn(T) -> f64](values: &[T], valid: Option<BitSlice<'_>>, widen: F) -> f64 {
        let sums = std::cell::Cell::new([0.0; 16]);
        for_words(
            values,
            valid,
            |values| {
                let mut lanes = sums.get();
                let (chunks, rest) = values.as_chunks::<16>();
                for chunk in chunks {
                    for (sum, &value) in lanes.iter_mut().zip(chunk) {
                        *sum += widen(value);
                    }
                }
                for (sum, &value) in lanes.iter_mut().zip(rest) {
                    *sum += widen(value);
                }
                sums.set(lanes);
            },
            |values, word| {
                let mut lanes = sums.get();
                for (chunk, values) in values.chunks(16).enumerate() {
                    for (k, (sum, &value)) in lanes.iter_mut().zip(values).enumerate() {
                        *sum += if word >> (chunk * 16 + k) & 1 == 1 { widen(value) } else { 0.0 };
                    }
                }
                sums.set(lanes);
            },
        );
        sums.get().iter().sum()
    }

    fn extreme_key[T: Extreme, F: Fn(T::Key, T::Key) -> T::Key](
        values: &[T],
        valid: Option<BitSlice<'_>>,
        worst: T::Key,
        better: F,
    ) -> T::Key {
        let best = std::cell::Cell::new(worst);
        for_words(
            values,
            valid,
            |values| best.set(values.iter().fold(best.get(), |best, &value| better(best, value.key(worst)))),
            |values, word| {
                let key = |k: usize, value: T| if word >> k & 1 == 1 { value.key(worst) } else { worst };
                best.set(values.iter().enumerate().fold(best.get(), |best, (k, &value)| better(best, key(k, value))));
            },
        );
        best.get()
    }
}

/// A storage type with a least and a greatest value.
pub(crate) trait Extreme: Number {
    /// An integer that orders like the value.
    type Key: Copy + Ord + Send + Sync;
    /// Below or equal to every key.
    const LEAST: Self::Key;
    /// Above or equal to every key.
    const GREATEST: Self::Key;

    /// The key of a value; `nan` for a NaN.
    fn key(self, nan: Self::Key) -> Self::Key;
    /// The value of a key; a NaN for the least and the greatest key of a float.
    fn from_key(key: Self::Key) -> Self;
}

macro_rules! extreme {
    (integer: $($integer:ty),*; float: $($float:ty => $key:ty),*) => {
        $(impl Extreme for $integer {
            type Key = $integer;
            const LEAST: Self = <$integer>::MIN;
            const GREATEST: Self = <$integer>::MAX;

            #[inline]
            fn key(self, _: Self) -> Self {
                self
            }
            #[inline]
            fn from_key(key: Self) -> Self {
                key
            }
        })*
        $(impl Extreme for $float {
            type Key = $key;
            const LEAST: $key = <$key>::MIN;
            const GREATEST: $key = <$key>::MAX;

            // With the sign bit set, a greater magnitude is a lesser value: all other bits are inverted.
            #[inline]
            fn key(self, nan: $key) -> $key {
                let bits = self.to_bits().cast_signed();
                if self.is_nan() { nan } else { bits ^ ((bits >> (<$key>::BITS - 1)) & <$key>::MAX) }
            }
            #[inline]
            fn from_key(key: $key) -> Self {
                <$float>::from_bits((key ^ ((key >> (<$key>::BITS - 1)) & <$key>::MAX)).cast_unsigned())
            }
        })*
    };
}
extreme!(integer: i8, i16, i32, i64, i128, u8, u16, u32, u64; float: f32 => i32, f64 => i64);

/// The key of the least valid value; [`Extreme::GREATEST`] when there is none.
pub(crate) fn least<T: Extreme>(values: &[T], valid: Option<BitSlice<'_>>) -> T::Key {
    extreme_key(values, valid, T::GREATEST, std::cmp::min)
}

/// The key of the greatest valid value; [`Extreme::LEAST`] when there is none.
pub(crate) fn greatest<T: Extreme>(values: &[T], valid: Option<BitSlice<'_>>) -> T::Key {
    extreme_key(values, valid, T::LEAST, std::cmp::max)
}

pub(super) fn reduce(
    reduction: Reduction,
    input: &Fixed<'_>,
    storage: Storage,
    exec: &Exec,
) -> Result<FixedData> {
    let guard = View::Fixed(*input).read(exec)?;
    let valid = guard.validity();
    let count = match valid {
        Some(valid) => {
            morsel::map(input.len, |rows| valid.slice(rows.start, rows.len()).count_ones()).iter().sum()
        }
        None => input.len,
    };
    let value = match reduction {
        Reduction::Min | Reduction::Max => dispatch!(input.storage,
        T => extreme(reduction, guard.values::<T>(), valid).into_value(),
        bit => {
            let ones = ones(&guard);
            Value::Bit(if reduction == Reduction::Min { ones == count } else { ones > 0 })
        }),
        Reduction::Sum | Reduction::SumWide | Reduction::Count | Reduction::Mean => {
            let total = dispatch!(input.storage,
                T => {
                    let values = guard.values::<T>();
                    T::merge(&morsel::map(input.len, |rows| T::sum(&values[rows.clone()], slice(valid, rows))))
                },
                bit => Total::Integer(ones(&guard) as i128));
            if reduction == Reduction::Mean { Value::F64(total.mean(count)) } else { total.value(storage) }
        }
    };
    let data = Buffer::from_slice(&value.to_bytes()[..storage.bytes(1)], exec)?;
    let validity =
        if reduction.nulls_empty() { Some(Buffer::from_slice(&[u8::from(count > 0)], exec)?) } else { None };
    Ok(FixedData { storage, len: 1, data, validity })
}

fn extreme<T: Extreme>(reduction: Reduction, values: &[T], valid: Option<BitSlice<'_>>) -> T {
    let key = if reduction == Reduction::Min {
        morsel::map(values.len(), |rows| least(&values[rows.clone()], slice(valid, rows))).into_iter().min()
    } else {
        morsel::map(values.len(), |rows| greatest(&values[rows.clone()], slice(valid, rows)))
            .into_iter()
            .max()
    };
    key.map_or(T::ZERO, T::from_key)
}

/// The valid rows of a bit column that are set.
fn ones(guard: &ViewGuard<'_>) -> usize {
    let (bits, valid) = (guard.value_bits(), guard.validity());
    let valid = |word: usize| valid.map_or(u64::MAX, |valid| valid.word(word));
    let count = |rows: std::ops::Range<usize>| {
        let words = rows.start / 64..rows.end.div_ceil(64);
        words.map(|word| (bits.word(word) & valid(word)).count_ones() as usize).sum::<usize>()
    };
    morsel::map(guard.len(), count).into_iter().sum()
}

fn slice(valid: Option<BitSlice<'_>>, rows: std::ops::Range<usize>) -> Option<BitSlice<'_>> {
    valid.map(|valid| valid.slice(rows.start, rows.len()))
}
