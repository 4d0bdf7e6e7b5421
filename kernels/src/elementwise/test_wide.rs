//! Products and quotients beyond 128 bits against naive ones.

use super::wide::{divide_decimal, product, quotient};
use columnade_tests::Rng;

/// Little-endian bits of a product, by adding one factor for each bit of the other.
fn bits_of_product(a: u128, b: u128) -> Vec<bool> {
    let mut sum = vec![false; 256];
    for shift in (0..128).filter(|shift| a >> shift & 1 == 1) {
        let mut carry = false;
        for (k, sum) in sum.iter_mut().enumerate().skip(shift) {
            let bit = k - shift < 128 && b >> (k - shift) & 1 == 1;
            let ones = u8::from(*sum) + u8::from(bit) + u8::from(carry);
            (*sum, carry) = (ones % 2 == 1, ones > 1);
        }
    }
    sum
}

fn random(rng: &mut Rng) -> u128 {
    let value = u128::from(rng.next()) << 64 | u128::from(rng.next());
    match rng.below(4) {
        0 => u128::MAX << rng.below(128),
        1 => u128::MAX >> rng.below(128),
        _ => value >> rng.below(128),
    }
}

#[test]
fn product_and_quotient_match_bitwise_reference() {
    let mut rng = Rng::new(90);
    for _ in 0..3000 {
        let (a, b) = (random(&mut rng), random(&mut rng));
        let (high, low) = product(a, b);
        let bits = bits_of_product(a, b);
        assert!((0..256).all(|k| bits[k] == (if k < 128 { low >> k } else { high >> (k - 128) } & 1 == 1)));
        // (a · b + rest) / b = a.
        let rest = if b == 0 { continue } else { random(&mut rng) % b };
        let (sum, carry) = low.overflowing_add(rest);
        assert_eq!(quotient((high + u128::from(carry), sum), b), (a, rest), "{a} · {b} + {rest}");
    }
}

/// Long division of digits as people write it.
fn expected(lhs: i128, rhs: i128, power: i32) -> Option<i128> {
    let mut digits = lhs.unsigned_abs().to_string();
    digits.push_str(&"0".repeat(power.max(0) as usize));
    // The divisor times ten per digit that the power takes away, as a string of digits would have it.
    let (divisor, cut) = (rhs.unsigned_abs(), (-power).max(0) as usize);
    // Twice the quotient before the cut: digit by digit.
    let (mut quotient, mut rest) = (String::new(), 0_u128);
    for digit in digits.bytes() {
        // rest < divisor ≤ 10^38, so that ten times as much fits.
        let next = Wide10::new(rest, u128::from(digit - b'0'));
        let (q, r) = next.divide(divisor);
        quotient.push(char::from(b'0' + q));
        rest = r;
    }
    let quotient = quotient.trim_start_matches('0');
    let padded = format!("{quotient:0>width$}", width = cut + 1);
    let (kept, dropped) = padded.split_at(padded.len() - cut);
    let half_or_more =
        if cut == 0 { rest >= divisor - rest && rest > 0 } else { dropped.as_bytes()[0] >= b'5' };
    if kept.trim_start_matches('0').len() > 38 {
        return None;
    }
    let magnitude = kept.parse::<u128>().unwrap() + u128::from(half_or_more);
    let value = magnitude.cast_signed();
    (magnitude < 10_u128.pow(38)).then_some(if (lhs < 0) == (rhs < 0) { value } else { -value })
}

/// 10 · rest + digit, divided by repeated subtraction.
struct Wide10 {
    tens: [u128; 10],
    digit: u128,
}

impl Wide10 {
    fn new(rest: u128, digit: u128) -> Self {
        Self { tens: [rest; 10], digit }
    }

    fn divide(&self, divisor: u128) -> (u8, u128) {
        // Ten additions of a number below the divisor: at most ten subtractions in all.
        let (mut quotient, mut rest) = (0, 0_u128);
        for &addend in self.tens.iter().chain([&self.digit]) {
            let (whole, part) = (addend / divisor, addend % divisor);
            quotient += whole as u8;
            if rest >= divisor - part {
                quotient += 1;
                rest = rest.wrapping_sub(divisor).wrapping_add(part);
            } else {
                rest += part;
            }
        }
        (quotient, rest)
    }
}

#[test]
fn quotient_of_decimals_matches_written_division() {
    let mut rng = Rng::new(91);
    let mut overflowed = 0;
    for _ in 0..20_000 {
        let value = |rng: &mut Rng| {
            let magnitude = (random(rng) % 10_u128.pow(38)).cast_signed();
            let magnitude = magnitude / 10_i128.pow(rng.below(38) as u32);
            if rng.below(2) == 0 { magnitude } else { -magnitude }
        };
        let (lhs, rhs, power) = (value(&mut rng), value(&mut rng), rng.below(180) as i32 - 80);
        if rhs == 0 {
            continue;
        }
        let expected = expected(lhs, rhs, power);
        overflowed += usize::from(expected.is_none());
        assert_eq!(divide_decimal(lhs, rhs, power), expected, "{lhs} · 10^{power} / {rhs}");
    }
    assert!((1000..15_000).contains(&overflowed), "{overflowed}");
    assert_eq!(divide_decimal(5, 0, 3), Some(0));
    assert_eq!(divide_decimal(1, 2, 0), Some(1));
    assert_eq!(divide_decimal(-1, 2, 0), Some(-1));
    assert_eq!(divide_decimal(10_i128.pow(35), 10_i128.pow(30), 7), Some(10_i128.pow(12)));
}
