//! Sums of 128-bit integers.

use super::accumulator::{Accumulator, LANES, Overflow};
use super::sum::{Sum, Wide};

/// The smallest number of 39 digits.
const LIMIT: u128 = 10_u128.pow(38);

/// The sum of 128-bit integers as three words, lowest first. They hold the sum of any number of rows, so that an overflow
/// depends on the total alone and not on the order of the rows.
type Words = [u64; 3];

/// The exact sum of 128-bit integers; an overflow if it has more than 38 digits. Partial sums of a block take 64 bits,
/// where its values are small enough.
#[derive(Clone)]
pub(crate) struct SumExact;

/// Adds the value whose bits above 128 are `high`.
#[inline]
fn add(state: &mut Words, value: i128, high: u64) {
    let (sum, carry) = low(*state).overflowing_add(value.cast_unsigned());
    *state = [sum as u64, (sum >> 64) as u64, state[2].wrapping_add(high).wrapping_add(carry.into())];
}

/// The low 128 bits.
#[inline]
fn low(state: Words) -> u128 {
    u128::from(state[0]) | u128::from(state[1]) << 64
}

/// The bits of a value above 128.
#[inline]
fn sign(value: i128) -> u64 {
    (value >> 127) as u64
}

fn total(state: Words) -> Result<i128, Overflow> {
    let value = low(state).cast_signed();
    if state[2] == sign(value) && value.unsigned_abs() < LIMIT { Ok(value) } else { Err(Overflow) }
}

impl Accumulator for SumExact {
    type Input = i128;
    type State = Words;
    type Partial = i64;
    type Output = i128;
    const EMPTY: Words = [0; 3];
    const EMPTY_PARTIAL: i64 = 0;

    #[inline]
    fn add(&self, state: &mut Words, value: i128) {
        add(state, value, sign(value));
    }

    fn merge(&self, state: &mut Words, later: Words) {
        add(state, low(later).cast_signed(), later[2]);
    }

    fn finish(&self, state: Words) -> Result<Option<i128>, Overflow> {
        total(state).map(Some)
    }

    fn fits_partials(&self, values: &[i128]) -> bool {
        i128::sum_fits(values)
    }

    #[inline]
    fn add_partial(&self, partial: &mut i64, value: i128) {
        *partial = partial.wrapping_add(value.low());
    }

    fn merge_partials(&self, state: &mut Words, partials: &[i64; LANES]) {
        let sum = partials.iter().map(|&partial| i128::from(partial)).sum();
        add(state, sum, sign(sum));
    }
}

impl Sum for SumExact {
    fn of_count(count: i64) -> Words {
        [count.cast_unsigned(), 0, 0]
    }

    fn count(state: Words) -> i64 {
        state[0].cast_signed()
    }

    fn to_f64(state: Words) -> Result<f64, Overflow> {
        total(state).map(|sum| sum as f64)
    }
}
