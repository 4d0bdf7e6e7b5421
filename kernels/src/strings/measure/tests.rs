//! Tests of `measure` on every device of the build.

use super::{Measure, measure};
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
