//! Which accumulator computes an aggregation of a storage type.

use super::Aggregation;
use super::accumulator::{Accumulator, Count};
use super::extreme::{End, Extreme, ExtremeString, Key, Maximum, Minimum};
use super::input::{Reader, bits, in_place, nothing, row_numbers};
use super::mean::Mean;
use super::output::{Writer, write_as};
use super::sum::{Sum, SumF64, SumI64, SumI128};
use super::sum_exact::SumExact;
use crate::{Error, Result, Storage};
use columnade_buffers::Pod;

/// An accumulator, how it reads the values of a storage type, and how its results are written.
pub(crate) struct Selected<A: Accumulator> {
    pub(crate) accumulator: A,
    pub(crate) read: Reader<A::Input>,
    pub(crate) write: Writer<A::Output>,
}

/// What to do with the accumulator of an aggregation.
pub(crate) trait Visitor {
    type Output;
    fn visit<A: Accumulator + 'static>(self, selected: Selected<A>) -> Self::Output;
}

/// What to do with an accumulator of means, of whose states sums and counts can be had as well.
pub(crate) trait MeanVisitor {
    type Output;
    fn visit_mean<S: Sum + 'static>(self, selected: Selected<Mean<S>>) -> Self::Output
    where
        [S::State; 2]: Pod;
}

impl<V: Visitor> MeanVisitor for V {
    type Output = V::Output;
    fn visit_mean<S: Sum + 'static>(self, selected: Selected<Mean<S>>) -> V::Output
    where
        [S::State; 2]: Pod,
    {
        self.visit(selected)
    }
}

/// How values of one storage type are read, and written where they are results.
enum Values {
    /// Bits and integers of up to 32 bits: sums of as many as memory holds fit 64 bits.
    Small {
        read: Reader<i64>,
        write: Writer<i64>,
    },
    I64,
    U64,
    I128,
    Float {
        read: Reader<f64>,
        /// Keys for minima, in which NaN is the greatest.
        read_keys: Reader<i64>,
        /// Keys for maxima, in which NaN is the least.
        read_greatest_keys: Reader<i64>,
        write_keys: Writer<i64>,
    },
}

/// Reads values of a type, widened.
macro_rules! widened {
    ($t:ty, |$value:ident| $widen:expr) => {
        |block, scratch| block.widen(scratch, |$value: $t| $widen)
    };
}

/// Writes values narrowed to a type.
macro_rules! narrowed {
    ($t:ty, |$value:ident| $narrow:expr) => {
        Writer::new::<$t>(|values, out| write_as::<_, $t>(values, out, |$value| $narrow))
    };
}

impl Values {
    const fn of(storage: Storage) -> Self {
        macro_rules! small {
            ($t:ty) => {
                Values::Small {
                    read: widened!($t, |value| i64::from(value)),
                    write: narrowed!($t, |value| value as $t),
                }
            };
        }
        match storage {
            Storage::Bit => Values::Small { read: bits, write: Writer::BITS },
            Storage::I8 => small!(i8),
            Storage::I16 => small!(i16),
            Storage::I32 => small!(i32),
            Storage::U8 => small!(u8),
            Storage::U16 => small!(u16),
            Storage::U32 => small!(u32),
            Storage::I64 => Values::I64,
            Storage::U64 => Values::U64,
            Storage::I128 => Values::I128,
            Storage::F32 => Values::Float {
                read: widened!(f32, |value| f64::from(value)),
                read_keys: widened!(f32, |value| float_key(f64::from(value))),
                read_greatest_keys: widened!(f32, |value| nan_least_key(f64::from(value))),
                write_keys: narrowed!(f32, |key| float_of_key(key) as f32),
            },
            Storage::F64 => Values::Float {
                read: in_place::<f64>,
                read_keys: widened!(f64, |value| float_key(value)),
                read_greatest_keys: widened!(f64, |value| nan_least_key(value)),
                write_keys: narrowed!(f64, |key| float_of_key(key)),
            },
        }
    }
}

/// An integer that orders like a float: NaN, whatever its bits, above infinity, and −0.0 below 0.0. A minimum of such keys
/// is NaN only of NaNs.
#[inline]
fn float_key(value: f64) -> i64 {
    // With the sign bit set, a greater magnitude is a lesser value: all other bits are inverted.
    let bits = if value.is_nan() { f64::NAN } else { value }.to_bits().cast_signed();
    bits ^ ((bits >> 63) & i64::MAX)
}

/// A [`float_key`] with NaN below all numbers: a maximum of such keys is NaN only of NaNs.
#[inline]
fn nan_least_key(value: f64) -> i64 {
    if value.is_nan() { i64::MIN } else { float_key(value) }
}

#[inline]
fn float_of_key(key: i64) -> f64 {
    let value = f64::from_bits((key ^ ((key >> 63) & i64::MAX)).cast_unsigned());
    // The bits of a NaN are the same from either key.
    if value.is_nan() { f64::NAN } else { value }
}

const READ_U64_WRAPPED: Reader<i64> = widened!(u64, |value| value.cast_signed());
const READ_U64_WIDE: Reader<i128> = widened!(u64, |value| i128::from(value));
const READ_LOW: Reader<i128> = widened!(i128, |value| i128::from(value as u64));
const READ_HIGH: Reader<i64> = widened!(i128, |value| (value >> 64) as i64);
const READ_U64_KEYS: Reader<i64> = widened!(u64, |value| value.cast_signed() ^ i64::MIN);
const WRITE_U64_KEYS: Writer<i64> = narrowed!(u64, |key| (key ^ i64::MIN).cast_unsigned());
const WRITE_I32: Writer<i32> = narrowed!(i32, |value| value);
const WRITE_I64: Writer<i64> = narrowed!(i64, |value| value);
const WRITE_I128: Writer<i128> = narrowed!(i128, |value| value);
const WRITE_F64: Writer<f64> = narrowed!(f64, |value| value);

/// How a sum is written as another storage type.
pub(crate) trait SumOutput: Sized {
    fn writer(storage: Storage) -> Writer<Self>;
}

impl SumOutput for i64 {
    fn writer(storage: Storage) -> Writer<i64> {
        match storage {
            Storage::I128 => narrowed!(i128, |value| value.into()),
            Storage::U64 => narrowed!(u64, |value| value.cast_unsigned()),
            _ => WRITE_I64,
        }
    }
}

impl SumOutput for i128 {
    fn writer(storage: Storage) -> Writer<i128> {
        match storage {
            Storage::I128 => WRITE_I128,
            Storage::U64 => narrowed!(u64, |value| value as u64),
            _ => narrowed!(i64, |value| value as i64),
        }
    }
}

impl SumOutput for f64 {
    fn writer(storage: Storage) -> Writer<f64> {
        match storage {
            Storage::F32 => narrowed!(f32, |value| value as f32),
            _ => WRITE_F64,
        }
    }
}

/// The accumulator that counts, values of any type.
pub(crate) fn count() -> Selected<Count> {
    Selected { accumulator: Count, read: nothing, write: WRITE_I64 }
}

/// An accumulator that chooses rows of strings.
pub(crate) fn rows_of_strings<E: End>(accumulator: ExtremeString<'_, E>) -> Selected<ExtremeString<'_, E>> {
    Selected { accumulator, read: row_numbers, write: narrowed!(u64, |row| row) }
}

/// Hands the accumulator for an aggregation of values of `storage` to `visitor`.
///
/// # Errors
/// [`Error::UnsupportedStorage`] when there is no such aggregation.
pub(crate) fn select<V: Visitor>(
    aggregation: Aggregation,
    storage: Storage,
    visitor: V,
) -> Result<V::Output> {
    let Some(output) = aggregation.output(storage) else {
        return Err(Error::UnsupportedStorage { storage });
    };
    let values = Values::of(storage);
    Ok(match aggregation {
        Aggregation::Count | Aggregation::Size => visitor.visit(count()),
        Aggregation::Sum | Aggregation::SumWide => {
            let wide = output == Storage::I128;
            match values {
                Values::Small { read, .. } if wide => sum(visitor, SumI128, read, output),
                Values::I64 if wide => sum(visitor, SumI128, in_place, output),
                Values::U64 if wide => sum(visitor, SumExact, READ_U64_WIDE, output),
                Values::I128 => sum(visitor, SumExact, in_place, output),
                Values::Small { read, .. } => sum(visitor, SumI64, read, output),
                Values::I64 => sum(visitor, SumI64, in_place, output),
                Values::U64 => sum(visitor, SumI64, READ_U64_WRAPPED, output),
                Values::Float { read, .. } => sum(visitor, SumF64, read, output),
            }
        }
        Aggregation::SumLow => sum(visitor, SumExact, READ_LOW, output),
        Aggregation::SumHigh => sum(visitor, SumI128, READ_HIGH, output),
        Aggregation::Mean => select_mean(storage, visitor),
        Aggregation::Min => extreme::<Minimum, V>(visitor, storage, &values),
        Aggregation::Max => extreme::<Maximum, V>(visitor, storage, &values),
    })
}

/// Hands the accumulator of means of values of `storage` to `visitor`.
pub(crate) fn select_mean<V: MeanVisitor>(storage: Storage, visitor: V) -> V::Output {
    match Values::of(storage) {
        Values::Small { read, .. } => mean(visitor, SumI64, read),
        Values::I64 => mean(visitor, SumI128, in_place),
        Values::U64 => mean(visitor, SumExact, READ_U64_WIDE),
        Values::I128 => mean(visitor, SumExact, in_place),
        Values::Float { read, .. } => mean(visitor, SumF64, read),
    }
}

fn sum<S: Sum + 'static, V: Visitor>(
    visitor: V,
    sum: S,
    read: Reader<S::Input>,
    output: Storage,
) -> V::Output {
    visitor.visit(Selected { accumulator: sum, read, write: S::Output::writer(output) })
}

fn mean<S: Sum + 'static, V: MeanVisitor>(visitor: V, sum: S, read: Reader<S::Input>) -> V::Output
where
    [S::State; 2]: Pod,
{
    visitor.visit_mean(Selected { accumulator: Mean(sum), read, write: WRITE_F64 })
}

fn extreme<E: End + 'static, V: Visitor>(visitor: V, storage: Storage, values: &Values) -> V::Output {
    let (read, write) = match *values {
        // Dates, and the most frequent integers: read in place, and half of the state.
        Values::Small { .. } if storage == Storage::I32 => {
            return keys::<i32, E, V>(visitor, in_place, WRITE_I32);
        }
        Values::I128 => return keys::<i128, E, V>(visitor, in_place, WRITE_I128),
        Values::Small { read, write } => (read, write),
        Values::I64 => (in_place as Reader<i64>, WRITE_I64),
        Values::U64 => (READ_U64_KEYS, WRITE_U64_KEYS),
        Values::Float { read_keys, read_greatest_keys, write_keys, .. } => {
            (if E::IS_LEAST { read_keys } else { read_greatest_keys }, write_keys)
        }
    };
    keys::<i64, E, V>(visitor, read, write)
}

fn keys<K: Key + 'static, E: End + 'static, V: Visitor>(
    visitor: V,
    read: Reader<K>,
    write: Writer<K>,
) -> V::Output
where
    [K; 2]: Pod,
{
    visitor.visit(Selected { accumulator: Extreme::<K, E>::NEW, read, write })
}
