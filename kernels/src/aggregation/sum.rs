//! Sums.

use super::accumulator::{Accumulator, LANES, Overflow};
use super::input::BLOCK_ROWS;
use super::select::SumOutput;
use crate::bits::BitSlice;
use columnade_buffers::Pod;

/// A sum that a mean can be made of.
pub(crate) trait Sum: Accumulator<Output: SumOutput> {
    /// The state that stands for a number of values, beside the state of their sum.
    fn of_count(count: i64) -> Self::State;
    /// The state of a number of values as that number.
    fn count(state: Self::State) -> i64;
    /// The sum, rounded once.
    fn to_f64(state: Self::State) -> Result<f64, Overflow>;
}

/// The sum of integers of up to 64 bits modulo 2⁶⁴: exact while it fits, and the same bits with or without a sign.
#[derive(Clone)]
pub(crate) struct SumI64;

impl Accumulator for SumI64 {
    type Input = i64;
    type State = i64;
    type Partial = i64;
    type Output = i64;
    const EMPTY: i64 = 0;
    const EMPTY_PARTIAL: i64 = 0;

    #[inline]
    fn add(&self, state: &mut i64, value: i64) {
        *state = state.wrapping_add(value);
    }

    fn merge(&self, state: &mut i64, later: i64) {
        *state = state.wrapping_add(later);
    }

    fn finish(&self, state: i64) -> Result<Option<i64>, Overflow> {
        Ok(Some(state))
    }

    #[inline]
    fn add_partial(&self, partial: &mut i64, value: i64) {
        *partial = partial.wrapping_add(value);
    }

    fn merge_partials(&self, state: &mut i64, partials: &[i64; LANES]) {
        *state = partials.iter().fold(*state, |sum, &partial| sum.wrapping_add(partial));
    }

    fn add_rows(&self, state: &mut i64, values: &[i64], valid: Option<BitSlice<'_>>) {
        *state = state.wrapping_add(sum_integers(values, valid));
    }
}

impl Sum for SumI64 {
    fn of_count(count: i64) -> i64 {
        count
    }

    fn count(state: i64) -> i64 {
        state
    }

    fn to_f64(state: i64) -> Result<f64, Overflow> {
        Ok(state as f64)
    }
}

/// An integer that is summed in more than 64 bits.
pub(crate) trait Wide: Pod + Send + Sync {
    /// The low 64 bits.
    fn low(self) -> i64;
    /// Whether the sum of these values, at most a block of them, surely fits 64 bits.
    fn sum_fits(values: &[Self]) -> bool;
}

/// Bits of a value, with its sign, of which a block sums up to no more than 64.
const FITTING_BITS: u32 = 63 - BLOCK_ROWS.ilog2();

impl Wide for i64 {
    #[inline]
    fn low(self) -> i64 {
        self
    }

    fn sum_fits(values: &[Self]) -> bool {
        // Half the range makes every fitting value a positive one of FITTING_BITS bits.
        const HALF: i64 = 1 << (FITTING_BITS - 1);
        values.iter().fold(0, |bits, &value| bits | value.wrapping_add(HALF).cast_unsigned()) >> FITTING_BITS
            == 0
    }
}

impl Wide for i128 {
    #[inline]
    fn low(self) -> i64 {
        self as i64
    }

    fn sum_fits(values: &[Self]) -> bool {
        const HALF: i128 = 1 << (FITTING_BITS - 1);
        values.iter().fold(0, |bits, &value| bits | value.wrapping_add(HALF).cast_unsigned()) >> FITTING_BITS
            == 0
    }
}

/// The sum of integers of up to 64 bits in 128 bits, which hold that of as many rows as memory does. Partial sums of a block
/// take 64 bits, where its values are small enough.
#[derive(Clone)]
pub(crate) struct SumI128;

impl Accumulator for SumI128 {
    type Input = i64;
    type State = i128;
    type Partial = i64;
    type Output = i128;
    const EMPTY: i128 = 0;
    const EMPTY_PARTIAL: i64 = 0;

    #[inline]
    fn add(&self, state: &mut i128, value: i64) {
        *state = state.wrapping_add(value.into());
    }

    fn merge(&self, state: &mut i128, later: i128) {
        *state = state.wrapping_add(later);
    }

    fn finish(&self, state: i128) -> Result<Option<i128>, Overflow> {
        Ok(Some(state))
    }

    fn fits_partials(&self, values: &[i64]) -> bool {
        i64::sum_fits(values)
    }

    #[inline]
    fn add_partial(&self, partial: &mut i64, value: i64) {
        *partial = partial.wrapping_add(value);
    }

    fn merge_partials(&self, state: &mut i128, partials: &[i64; LANES]) {
        *state = state.wrapping_add(partials.iter().map(|&partial| i128::from(partial)).sum());
    }
}

impl Sum for SumI128 {
    fn of_count(count: i64) -> i128 {
        count.into()
    }

    fn count(state: i128) -> i64 {
        state as i64
    }

    fn to_f64(state: i128) -> Result<f64, Overflow> {
        Ok(state as f64)
    }
}

/// The sum of floats.
#[derive(Clone)]
pub(crate) struct SumF64;

impl Accumulator for SumF64 {
    type Input = f64;
    type State = f64;
    type Partial = f64;
    type Output = f64;
    // The identity of addition is −0.0: a sum of negative zeros does not depend on how rows are divided.
    const EMPTY: f64 = -0.0;
    const EMPTY_PARTIAL: f64 = -0.0;

    #[inline]
    fn add(&self, state: &mut f64, value: f64) {
        *state += value;
    }

    fn merge(&self, state: &mut f64, later: f64) {
        *state += later;
    }

    fn finish(&self, state: f64) -> Result<Option<f64>, Overflow> {
        // A sum of no values is 0, not the −0.0 that it starts from.
        Ok(Some(state + 0.0))
    }

    #[inline]
    fn add_partial(&self, partial: &mut f64, value: f64) {
        *partial += value;
    }

    fn merge_partials(&self, state: &mut f64, partials: &[f64; LANES]) {
        *state += (partials[0] + partials[1]) + (partials[2] + partials[3]);
    }

    fn add_rows(&self, state: &mut f64, values: &[f64], valid: Option<BitSlice<'_>>) {
        *state += sum_floats(values, valid);
    }
}

impl Sum for SumF64 {
    fn of_count(count: i64) -> f64 {
        count as f64
    }

    fn count(state: f64) -> i64 {
        state as i64
    }

    fn to_f64(state: f64) -> Result<f64, Overflow> {
        Ok(state + 0.0)
    }
}

/// The 64 rows of each word of a mask: `full` takes rows that are all valid, `masked` the others with their bits.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the loops must take on the features of their caller")]
pub(super) fn for_words<T>(
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

vectorised! {
    fn sum_integers[](values: &[i64], valid: Option<BitSlice<'_>>) -> i64 {
        let (mut all, mut some) = (0_i64, 0_i64);
        for_words(
            values,
            valid,
            |values| all = values.iter().fold(all, |sum, &value| sum.wrapping_add(value)),
            |values, word| {
                for (k, &value) in values.iter().enumerate() {
                    some = some.wrapping_add(value & (word >> k & 1).cast_signed().wrapping_neg());
                }
            },
        );
        all.wrapping_add(some)
    }

    // Row i is added to sum i % 16, whatever the mask and the width of the registers, and the sums in a fixed order.
    fn sum_floats[](values: &[f64], valid: Option<BitSlice<'_>>) -> f64 {
        let sums = std::cell::Cell::new([-0.0; 16]);
        for_words(
            values,
            valid,
            |values| {
                let mut lanes = sums.get();
                let (chunks, rest) = values.as_chunks::<16>();
                for chunk in chunks {
                    for (sum, &value) in lanes.iter_mut().zip(chunk) {
                        *sum += value;
                    }
                }
                for (sum, &value) in lanes.iter_mut().zip(rest) {
                    *sum += value;
                }
                sums.set(lanes);
            },
            |values, word| {
                let mut lanes = sums.get();
                for (chunk, values) in values.chunks(16).enumerate() {
                    for (k, (sum, &value)) in lanes.iter_mut().zip(values).enumerate() {
                        *sum += if word >> (chunk * 16 + k) & 1 == 1 { value } else { -0.0 };
                    }
                }
                sums.set(lanes);
            },
        );
        sums.get().iter().sum()
    }
}
