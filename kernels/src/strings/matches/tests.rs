//! Tests of `matches` on every device of the build.

use super::{MatchOp, matches};
use crate::test_columns::{Kind, TestColumn};
use crate::test_values::{assert_rows, rows_of};
use crate::{OffsetWidth, StringsView, Value, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// The reference implementation.
fn expected(op: MatchOp, text: &str, pattern: &str) -> bool {
    match op {
        MatchOp::Prefix => text.starts_with(pattern),
        MatchOp::Suffix => text.ends_with(pattern),
        MatchOp::Contains => text.contains(pattern),
        MatchOp::Like => {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            like(&chars(text), &chars(pattern))
        }
        MatchOp::LikeEscape(_) => panic!("a test of its own has the answers"),
    }
}

/// LIKE by definition.
fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|taken| like(&text[taken..], rest)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest),
        [first, rest @ ..] => text.first() == Some(first) && like(&text[1..], rest),
    }
}

#[test]
fn matches_of_every_operation_pattern_null_pattern_and_offset_matches_reference() {
    let patterns = [
        "", "a", "ab", "é", "🦀", "bc", "%", "_", "a%", "%a", "%a%b%", "a_c", "_é%", "%_", "__%b", "a%b%c",
        "ba%ab",
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(22);
        for op in [MatchOp::Prefix, MatchOp::Suffix, MatchOp::Contains, MatchOp::Like] {
            for (i, pattern) in patterns.into_iter().enumerate() {
                for n in [SIZES[i % SIZES.len()], 300] {
                    let width = [OffsetWidth::I32, OffsetWidth::I64][i % 2];
                    let column =
                        TestColumn::random(Kind::String(width), n, i, Nulls::ALL[i % 4], &mut rng, &exec);
                    let bit = |row: &Option<Vec<u8>>| {
                        let text = std::str::from_utf8(row.as_deref()?).unwrap();
                        Some(Value::Bit(expected(op, text, pattern)))
                    };
                    let expected: Vec<_> = column.rows.iter().map(bit).collect();
                    let result = matches(op, &strings(&column), pattern, &exec).unwrap();
                    assert_rows(
                        &rows_of(&result, &exec),
                        &expected,
                        &format!("{op:?} {pattern:?} n={n} {device}"),
                    );
                }
            }
        }
    }
}

#[test]
fn needle_across_two_rows_is_not_a_match() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = ["xa", "b", "ab", "", "aab", "a"].map(|row| row.as_bytes().to_vec());
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &rows, None, 0, &exec);
        for (op, pattern, bits) in [
            (MatchOp::Contains, "ab", [false, false, true, false, true, false]),
            (MatchOp::Suffix, "ab", [false, false, true, false, true, false]),
            (MatchOp::Suffix, "a", [true, false, false, false, false, true]),
            (MatchOp::Like, "%a%b", [false, false, true, false, true, false]),
        ] {
            let result = matches(op, &strings(&column), pattern, &exec).unwrap();
            let expected = bits.map(|bit| Some(Value::Bit(bit)));
            assert_rows(&rows_of(&result, &exec), &expected, &format!("{op:?} {pattern} {device}"));
        }
    }
}

#[test]
fn escaped_characters_stand_for_themselves() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let texts = ["50%", "50x", "a_b", "axb", "!", "50%!", "", "é%"];
        let rows = texts.map(|row| row.as_bytes().to_vec());
        let column = TestColumn::new(Kind::String(OffsetWidth::I64), &rows, None, 0, &exec);
        for (escape, pattern, found) in [
            ('!', "50!%", &["50%"][..]),
            ('!', "%!%%", &["50%", "50%!", "é%"]),
            ('!', "a!_b", &["a_b"]),
            ('!', "!!", &["!"]),
            ('!', "%!!", &["!", "50%!"]),
            ('!', "_!%", &["é%"]),
            ('é', "é%", &[]),
            ('%', "%%", &[]),
            ('%', "50%%", &["50%"]),
            ('_', "a__b", &["a_b"]),
        ] {
            let result = matches(MatchOp::LikeEscape(escape), &strings(&column), pattern, &exec).unwrap();
            let expected = texts.map(|text| Some(Value::Bit(found.contains(&text))));
            assert_rows(&rows_of(&result, &exec), &expected, &format!("{pattern:?} {escape} {device}"));
        }
    }
}
