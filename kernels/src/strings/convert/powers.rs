//! Powers of ten for `float_text.cuh`.

use std::sync::LazyLock;

/// The powers between two of the table.
const STEP: usize = 27;
/// The exponent of the first.
const FIRST: i32 = -351;
const STEPS: usize = 26;
/// Bits of a power.
const BITS: usize = 192;

/// `Powers` of `float_text.cuh`: the highest 192 bits of 10^(27 i − 351) for i below 26, in words with the lowest first, and
/// 5^i for i below 27, shifted to the highest bit.
pub(super) static POWERS: LazyLock<[u64; 3 * STEPS + STEP]> = LazyLock::new(|| {
    let mut table = [0; 3 * STEPS + STEP];
    let (coarse, fine) = table.split_at_mut(3 * STEPS);
    for (words, step) in coarse.chunks_mut(3).zip(0..) {
        words.copy_from_slice(&highest_bits(FIRST + step * STEP as i32));
    }
    for (power, word) in (0..).zip(fine) {
        let five = 5_u64.pow(power);
        *word = five << five.leading_zeros();
    }
    table
});

/// An integer, the lowest word first, without zeros above.
type Big = Vec<u32>;

fn times(number: &mut Big, factor: u32) {
    let mut carry = 0;
    for word in number.iter_mut() {
        carry += u64::from(*word) * u64::from(factor);
        *word = carry as u32;
        carry >>= 32;
    }
    if carry > 0 {
        number.push(carry as u32);
    }
}

fn bits(number: &Big) -> usize {
    number.last().map_or(0, |top| 32 * number.len() - top.leading_zeros() as usize)
}

fn bit(number: &Big, at: usize) -> bool {
    number[at / 32] >> (at % 32) & 1 == 1
}

/// `number` − `other` if that is not negative.
fn less(number: &Big, other: &Big) -> Option<Big> {
    let mut borrow = false;
    let mut rest: Big = (0..number.len().max(other.len()))
        .map(|at| {
            let word = |number: &Big| number.get(at).copied().unwrap_or(0);
            let (difference, first) = word(number).overflowing_sub(word(other));
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            borrow = first || second;
            difference
        })
        .collect();
    while rest.last() == Some(&0) {
        rest.pop();
    }
    (!borrow).then_some(rest)
}

/// The highest 192 bits of 10^`exponent`, rounded down: those of 5^`exponent`, or of a quotient by a power of five.
fn highest_bits(exponent: i32) -> [u64; 3] {
    let mut five = vec![1];
    for _ in 0..exponent.unsigned_abs() {
        times(&mut five, 5);
    }
    let mut digits: Vec<bool> = Vec::with_capacity(BITS);
    if exponent >= 0 {
        let top = bits(&five);
        digits.extend((0..BITS).map(|at| at < top && bit(&five, top - 1 - at)));
    } else {
        // A long division of a power of two, from the first bit of the quotient on.
        let mut rest = vec![1];
        while digits.len() < BITS {
            times(&mut rest, 2);
            let left = less(&rest, &five);
            if left.is_some() || !digits.is_empty() {
                digits.push(left.is_some());
            }
            rest = left.unwrap_or(rest);
        }
    }
    let word = |from: usize| digits[from..from + 64].iter().fold(0, |word, &bit| word << 1 | u64::from(bit));
    [word(128), word(64), word(0)]
}

#[cfg(test)]
mod tests {
    use super::{FIRST, POWERS, STEP, STEPS, highest_bits};

    /// `Powers::at` of `float_text.cuh`.
    fn composed(exponent: i32) -> u128 {
        let (coarse, fine) = POWERS.split_at(3 * STEPS);
        let from_first = (exponent - FIRST) as usize;
        let words = &coarse[3 * (from_first / STEP)..][..3];
        let factor = u128::from(fine[from_first % STEP]);
        let low = u128::from(words[0]) * factor;
        let middle = u128::from(words[1]) * factor + (low >> 64);
        let high = u128::from(words[2]) * factor + (middle >> 64);
        if high >> 127 == 1 { high } else { high << 1 | u128::from(middle as u64 >> 63) }
    }

    #[test]
    fn every_power_that_floats_need_is_rounded_down() {
        for exponent in -343..=324 {
            let [_, low, high] = highest_bits(exponent);
            assert_eq!(composed(exponent), u128::from(high) << 64 | u128::from(low), "10^{exponent}");
        }
        assert_eq!(composed(0), 1 << 127);
        assert_eq!(composed(3) >> 118, 1000);
    }
}
