//! Tests of `measure` on every device of the build.

use super::{Measure, count_matches, measure};
use crate::strings::regex::Pattern;
use crate::test_columns::{Kind, TestColumn};
use crate::test_values::{assert_rows, rows_of};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{OffsetWidth, StringsView, Value, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// The reference implementation: every position is tried.
fn expected(op: &Measure, text: &str) -> i64 {
    let is_at = |part: &str| {
        let (text, part): (Vec<char>, Vec<char>) = (text.chars().collect(), part.chars().collect());
        (0..=text.len()).map(|at| text[at..].starts_with(&part)).collect::<Vec<_>>()
    };
    let found = match op {
        Measure::RFind(part) => is_at(part).iter().rposition(|found| *found),
        Measure::Count(part) => {
            let (mut count, mut free) = (0, 0);
            for (at, found) in is_at(part).into_iter().enumerate() {
                if found && at >= free {
                    (count, free) = (count + 1, at + part.chars().count());
                }
            }
            Some(count)
        }
        Measure::Characters => Some(text.chars().count()),
        Measure::Bytes => Some(text.len()),
        Measure::Find(part) => {
            let (text, part): (Vec<char>, Vec<char>) = (text.chars().collect(), part.chars().collect());
            (0..=text.len()).find(|&at| text[at..].starts_with(&part))
        }
    };
    found.map_or(-1, |found| i64::try_from(found).unwrap())
}

#[test]
fn measures_of_every_null_pattern_and_offset_match_reference() {
    let ops = ["", "a", "é", "🦀", "bc", "aé", "cab", "aa", "not there"]
        .map(|part| [Measure::Find(part.into()), Measure::RFind(part.into()), Measure::Count(part.into())]);
    let ops: Vec<_> = ops.into_iter().flatten().chain([Measure::Characters, Measure::Bytes]).collect();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(23);
        for (i, op) in ops.iter().enumerate() {
            for (j, n) in SIZES.into_iter().chain([300]).enumerate() {
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][(i + j) % 2]);
                let column =
                    TestColumn::random(kind, n, (i + j) % 9, Nulls::ALL[(i + j) % 4], &mut rng, &exec);
                let row = |row: &Option<Vec<u8>>| {
                    Some(Value::I64(expected(op, std::str::from_utf8(row.as_deref()?).unwrap())))
                };
                let expected: Vec<_> = column.rows.iter().map(row).collect();
                let result = measure(op, &strings(&column), &exec).unwrap();
                assert_rows(&rows_of(&result, &exec), &expected, &format!("{op:?} n={n} {device}"));
            }
        }
    }
}

#[test]
fn occurrence_at_end_and_across_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let texts = ["éab", "ab", "xa", "b", "", "aab"].map(|text| text.as_bytes().to_vec());
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &texts, None, 0, &exec);
        let found = measure(&Measure::Find("ab".into()), &strings(&column), &exec).unwrap();
        let expected = [1, 0, -1, -1, -1, 1].map(|at| Some(Value::I64(at)));
        assert_rows(&rows_of(&found, &exec), &expected, &device.to_string());
    }
}

/// Two morsels, of which the second has characters of more than one byte.
#[test]
fn measures_of_many_rows_match_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(5);
    let n = HOST_MORSEL_ROWS + 70;
    let mut texts: Vec<String> = (0..n)
        .map(|_| (0..rng.below(12)).map(|_| ["a", "b", "ab", " "][rng.below(4) as usize]).collect())
        .collect();
    texts[HOST_MORSEL_ROWS + 3] = "é🦀 aab, 中文, ab".to_owned();
    let values: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let column = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
    let ops = [Measure::Characters, Measure::Bytes, Measure::Find("ab".into()), Measure::Find("b".into())];
    for op in ops.into_iter().chain([Measure::Count("aa".into()), Measure::Count("a".into())]) {
        let result = rows_of(&measure(&op, &strings(&column), &exec).unwrap(), &exec);
        let expected: Vec<_> = texts.iter().map(|text| Some(Value::I64(expected(&op, text)))).collect();
        assert_rows(&result, &expected, &format!("{op:?}"));
    }
}

/// Also where matches are empty, within characters or beside each other.
#[test]
fn counts_of_matches_are_those_of_crate_regex() {
    let patterns = [
        "a",
        "a*",
        "",
        "ab|b",
        r"\w",
        "é+",
        r"(?-u:\B)",
        r"(?-u:\b)",
        r"^|$",
        r"(?m)$",
        "a??",
        r"\p{L}{2}",
        "(?i)É",
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(46);
        for (i, pattern) in patterns.into_iter().enumerate() {
            let regex = regex::Regex::new(pattern).unwrap();
            let compiled = Pattern::new(pattern).unwrap();
            for (j, n) in [SIZES[i], 300].into_iter().enumerate() {
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][(i + j) % 2]);
                let column =
                    TestColumn::random(kind, n, (i + j) % 9, Nulls::ALL[(i + j) % 4], &mut rng, &exec);
                let row = |row: &Option<Vec<u8>>| {
                    let text = std::str::from_utf8(row.as_deref()?).unwrap();
                    Some(Value::I64(regex.find_iter(text).count() as i64))
                };
                let expected: Vec<_> = column.rows.iter().map(row).collect();
                let found = count_matches(&compiled, &strings(&column), &exec).unwrap();
                assert_rows(&rows_of(&found, &exec), &expected, &format!("{pattern:?} n={n} {device}"));
            }
        }
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &[vec![0xff]], None, 0, &exec);
        let error = count_matches(&Pattern::new("a").unwrap(), &strings(&column), &exec).unwrap_err();
        assert!(error.to_string().contains("not UTF-8"), "{device}: {error}");
    }
}
