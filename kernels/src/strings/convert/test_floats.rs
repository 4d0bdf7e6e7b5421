//! Tests of floats as text and back on every device: against the crate `ryu` and the standard library.

use super::{Meaning, format, parse};
use crate::test_columns::{Kind, TestColumn, rows};
use crate::{ColumnData, OffsetWidth, Storage, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::Rng;

/// Doubles at the limits of the format and around powers of two and of ten, and random ones of every exponent.
fn doubles(rng: &mut Rng) -> Vec<f64> {
    let mut bits: Vec<u64> = Vec::new();
    for exponent in 0..2047_u64 {
        for fraction in [0, 1, (1 << 52) - 1, rng.below(1 << 52)] {
            bits.push(exponent << 52 | fraction);
        }
    }
    for power in -324..=308 {
        let value: f64 = format!("1e{power}").parse().unwrap();
        bits.extend([value.to_bits(), value.to_bits() + 1, value.to_bits().saturating_sub(1)]);
    }
    let mut values: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
    values.extend((0..3000).map(|_| (rng.below(1 << 40) as f64) / 1000.0));
    values.extend((0..2000).map(|_| (rng.below(1 << 62) >> rng.below(62)) as f64));
    values.extend([
        f64::INFINITY,
        f64::NAN,
        0.0,
        123_456.0,
        0.001,
        1e-5,
        1e16,
        1e15,
        9_007_199_254_740_993.0,
    ]);
    let negative: Vec<f64> = values.iter().step_by(3).map(|value| -value).collect();
    values.extend(negative);
    values
}

fn singles(rng: &mut Rng) -> Vec<f32> {
    let mut values = Vec::new();
    for exponent in 0..256_u32 {
        for fraction in [0, 1, (1 << 23) - 1, rng.below(1 << 23) as u32, rng.below(1 << 23) as u32] {
            values.push(f32::from_bits(exponent << 23 | fraction));
            values.push(-f32::from_bits(exponent << 23 | fraction));
        }
    }
    values.extend((0..3000).map(|_| rng.below(1 << 30) as f32 / 100.0));
    values
}

/// Each value is written as expected, and read back.
fn check_written(storage: Storage, values: &[Vec<u8>], expected: &[String]) {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Kind::Fixed(storage), values, None, 0, &exec);
        let View::Fixed(fixed) = column.view() else { panic!("fixed width") };
        let data = ColumnData::String(format(&fixed, Meaning::Float(storage), &exec).unwrap());
        let written = rows(&data, &exec);
        for ((row, expected), value) in written.iter().zip(expected).zip(values) {
            let text = std::str::from_utf8(row.as_ref().unwrap()).unwrap();
            assert_eq!(text, expected, "{value:x?} on {device}");
        }
        let View::String(view) = data.view() else { panic!("strings") };
        let parsed = parse(&view, Meaning::Float(storage), &exec).unwrap();
        assert_eq!(parsed.failed, None);
        for ((row, text), value) in
            rows(&ColumnData::Fixed(parsed.data), &exec).iter().zip(expected).zip(values)
        {
            assert!(text == "NaN" || row.as_ref() == Some(value), "{text} on {device}: {row:x?}");
        }
    }
}

#[test]
fn floats_are_written_as_by_ryu_and_read_back() {
    let mut rng = Rng::new(1);
    let values = doubles(&mut rng);
    let bytes: Vec<Vec<u8>> = values.iter().map(|value| value.to_le_bytes().to_vec()).collect();
    let expected: Vec<String> =
        values.iter().map(|&value| ryu::Buffer::new().format(value).to_owned()).collect();
    check_written(Storage::F64, &bytes, &expected);
    let values = singles(&mut rng);
    let bytes: Vec<Vec<u8>> = values.iter().map(|value| value.to_le_bytes().to_vec()).collect();
    let expected: Vec<String> =
        values.iter().map(|&value| ryu::Buffer::new().format(value).to_owned()).collect();
    check_written(Storage::F32, &bytes, &expected);
}

/// Each text is read as by the standard library, to the bit.
fn check_read(texts: &[String]) {
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, &exec);
        let View::String(view) = column.view() else { panic!("strings") };
        let shown = |text: &str| text.chars().take(80).collect::<String>();
        let parsed = parse(&view, Meaning::Float(Storage::F64), &exec).unwrap();
        assert_eq!(parsed.failed, texts.iter().position(|text| text.parse::<f64>().is_err()), "{device}");
        for (row, text) in rows(&ColumnData::Fixed(parsed.data), &exec).iter().zip(texts) {
            let expected = text.parse::<f64>().ok().map(|value| value.to_le_bytes().to_vec());
            assert_eq!(*row, expected, "{} on {device}", shown(text));
        }
        let parsed = parse(&view, Meaning::Float(Storage::F32), &exec).unwrap();
        for (row, text) in rows(&ColumnData::Fixed(parsed.data), &exec).iter().zip(texts) {
            let expected = text.parse::<f32>().ok().map(|value| value.to_le_bytes().to_vec());
            assert_eq!(*row, expected, "{} as float32 on {device}", shown(text));
        }
    }
}

#[test]
fn texts_of_every_form_are_read_as_by_the_standard_library() {
    let forms = [
        "1",
        "+1",
        "-1",
        "1.",
        ".5",
        "-.5",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "1.5e0005",
        "0",
        "-0",
        "0.0e99",
        "00012.500",
        "inf",
        "-inf",
        "+Infinity",
        "INFINITY",
        "nan",
        "-NaN",
        "1e400",
        "-1e400",
        "1e-400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0e99999999999999999999",
        "",
        "+",
        "-",
        ".",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e5.0",
        "1.2.3",
        "1 ",
        " 1",
        "1_0",
        "0x1",
        "infi",
        "infinit",
        "infinityx",
        "nano",
        "na",
        "inf\0",
        "--1",
        "+-1",
        "1f",
        "٣",
        "1e5x",
        "179769313486231570000000000000000000000e270",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "3.4028235677973366e38",
        "16777217",
        "16777217.000000000000000000000000001",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000000001",
        "9007199254740992.99999999999999999999999999999999999",
        "4503599627370497.5",
        "4503599627370496.5",
        "7e-46",
        "7.1e-46",
    ];
    check_read(&forms.map(str::to_owned));
}

#[test]
fn digits_between_two_floats_are_rounded_exactly() {
    let mut rng = Rng::new(3);
    let mut texts = Vec::new();
    for round in 0..400_u64 {
        let bits = match round % 4 {
            // Around the smallest numbers, whose neighbours have the most digits.
            0 => rng.below(1 << 53),
            1 => rng.below(2046) << 52,
            _ => rng.below(2046) << 52 | rng.below(1 << 52),
        };
        let (low, high) = (f64::from_bits(bits), f64::from_bits(bits + 1));
        // All digits of the number between two floats, in which a last digit decides.
        let exact = middle_digits(low, high);
        for text in
            [format!("{exact}1"), exact.clone(), below(&exact), format!("{exact}{}1", "0".repeat(900))]
        {
            texts.push(text);
        }
        // As many digits as rarely decide.
        let digits: String =
            (0..20 + rng.below(20)).map(|_| char::from(b'0' + rng.below(10) as u8)).collect();
        texts.push(format!("{digits}e{}", rng.below(640) as i64 - 350));
        texts.push(format!("{low:.25e}"));
    }
    check_read(&texts);
}

/// The digits of the mean of two neighbouring floats without a point, and an exponent: `digits` × 10^exponent is written as
/// `0.digits` with a place of its own, so that digits may be appended.
fn middle_digits(low: f64, high: f64) -> String {
    // The standard library writes all digits of a float, whose mean is a sum of decimals.
    let (low, high) = (format!("{low:.1100}"), format!("{high:.1100}"));
    let digits =
        |text: &str| text.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect::<Vec<_>>();
    let point = high.find('.').unwrap();
    let (mut low, high) = (digits(&low), digits(&high));
    while low.len() < high.len() {
        low.insert(0, 0);
    }
    let mut sum: Vec<u8> = low.iter().zip(&high).map(|(a, b)| a + b).collect();
    // Half of it: a remainder goes on to the next digit.
    let mut rest = 0;
    for digit in &mut sum {
        let value = rest * 10 + *digit;
        (*digit, rest) = (value / 2, value % 2);
    }
    // A digit of ten or more is carried.
    for at in (1..sum.len()).rev() {
        sum[at - 1] += sum[at] / 10;
        sum[at] %= 10;
    }
    let text: String = sum.iter().map(|digit| char::from(b'0' + digit)).collect();
    let fraction = text[point..].trim_end_matches('0');
    format!("{}.{fraction}", &text[..point])
}

/// The text with a last digit that is one less, and nines after it.
fn below(exact: &str) -> String {
    let mut bytes = exact.as_bytes().to_vec();
    let at = bytes.iter().rposition(|byte| (b'1'..=b'9').contains(byte)).unwrap();
    bytes[at] -= 1;
    for byte in &mut bytes[at + 1..] {
        if *byte == b'0' {
            *byte = b'9';
        }
    }
    let nines = if exact.contains('.') { "99" } else { "" };
    String::from_utf8(bytes).unwrap() + nines
}
