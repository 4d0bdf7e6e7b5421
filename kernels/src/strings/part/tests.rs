//! Tests of `part` on every device of the build.

use super::{Part, part};
use crate::strings::regex::Pattern;
use crate::test_columns::{Kind, Row, TestColumn, has_mask, rows};
use crate::{ColumnData, Error, OffsetWidth, StringsView, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

fn at<T: Clone>(all: &[T], position: i64) -> Option<T> {
    let position = i128::from(position) + if position < 0 { all.len() as i128 } else { 0 };
    all.get(usize::try_from(position).ok()?).cloned()
}

/// The reference implementation, over the standard library and the crate `regex`.
fn expected(how: &Part<'_>, pattern: &str, text: &str) -> Option<String> {
    match *how {
        Part::Character(position) => {
            at(&text.chars().collect::<Vec<_>>(), position).map(|character| character.to_string())
        }
        Part::Between { separator, position, limit, from_end } => {
            let most = limit.map_or(usize::MAX, |limit| limit + 1);
            let fields: Vec<&str> = match (separator, from_end) {
                (None, _) => {
                    assert!(limit.is_none(), "those with a limit are tests of splits");
                    text.split_whitespace().collect()
                }
                (Some(separator), false) => text.splitn(most, separator).collect(),
                (Some(separator), true) => {
                    let mut fields: Vec<&str> = text.rsplitn(most, separator).collect();
                    fields.reverse();
                    fields
                }
            };
            at(&fields, position).map(str::to_owned)
        }
        Part::Partition { separator, field, from_end } => {
            let found = if from_end { text.rsplit_once(separator) } else { text.split_once(separator) };
            let fields = match found {
                Some((before, after)) => [before, separator, after],
                None if from_end => ["", "", text],
                None => [text, "", ""],
            };
            Some(fields[field].to_owned())
        }
        Part::Group(_, group) => {
            let regex = regex::Regex::new(pattern).unwrap();
            Some(regex.captures(text)?.get(group)?.as_str().to_owned())
        }
    }
}

/// A column of random texts, some of which are long.
fn column(n: usize, seed: usize, exec: &Exec) -> TestColumn {
    let parts = ["a", "b", "-", "--", "é", " ", "\u{3000}", "\t ", "\u{1f980}"];
    let mut rng = Rng::new(seed as u64);
    let text = |rng: &mut Rng| -> String {
        let longest = if rng.below(50) == 0 { 300 } else { 8 };
        (0..rng.below(longest)).map(|_| parts[rng.below(parts.len() as u64) as usize]).collect()
    };
    let offset = seed % 9;
    let values: Vec<Vec<u8>> = (0..offset + n).map(|_| text(&mut rng).into_bytes()).collect();
    let mask = Nulls::ALL[seed % 4].mask(offset + n, &mut rng);
    let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][seed % 2]);
    TestColumn::new(kind, &values, mask.as_deref(), offset, exec)
}

fn assert_parts(how: &Part<'_>, pattern: &str, column: &TestColumn, exec: &Exec) {
    let of_row = |row: &Row| {
        let text = std::str::from_utf8(row.as_deref()?).unwrap();
        expected(how, pattern, text).map(String::into_bytes)
    };
    let expected: Vec<Row> = column.rows.iter().map(of_row).collect();
    let found = ColumnData::String(part(how, &strings(column), exec).unwrap());
    let context = format!("{how:?} n={} {}", column.rows.len(), exec.device());
    assert!(rows(&found, exec) == expected, "{context}");
    let masked = column.view().validity_bits().is_some() || expected.contains(&None);
    assert_eq!(has_mask(&found), masked, "{context}");
}

#[test]
fn parts_of_every_position_null_pattern_and_offset_match_reference() {
    let positions = [0, 1, 2, 5, i64::MAX, -1, -2, -4, i64::MIN];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut seed = 100;
        let mut check = |how: &Part<'_>| {
            seed += 1;
            assert_parts(how, "", &column(SIZES[seed % SIZES.len()], seed, &exec), &exec);
        };
        for position in positions {
            check(&Part::Character(position));
            check(&Part::Between { separator: None, position, limit: None, from_end: false });
            for separator in ["-", "--", "é"] {
                for limit in [None, Some(0), Some(1), Some(2)] {
                    for from_end in [false, true] {
                        let separator = Some(separator);
                        check(&Part::Between { separator, position, limit, from_end });
                    }
                }
            }
        }
        let long = "a-b é".repeat(12);
        for separator in ["-", "--", "é", "b-a", &long] {
            for field in 0..3 {
                for from_end in [false, true] {
                    check(&Part::Partition { separator, field, from_end });
                }
            }
        }
    }
}

#[test]
fn first_matches_are_those_of_crate_regex() {
    let patterns =
        ["-", "-+|b", "a*", r"\s+", r"[^-]+", r"(?-u:\B)", "é(-|a)*", r"-$", "(a|ab)(-|b)?", "a+?"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (i, pattern) in patterns.into_iter().enumerate() {
            let compiled = Pattern::new(pattern).unwrap();
            for n in [SIZES[i], SIZES[i + 3]] {
                assert_parts(&Part::Group(&compiled, 0), pattern, &column(n, 200 + i, &exec), &exec);
            }
        }
        let group = Pattern::new("(a)b?").unwrap();
        let texts = column(40, 300, &exec);
        if device == Device::Host {
            assert_parts(&Part::Group(&group, 1), "(a)b?", &texts, &exec);
        } else {
            let error = part(&Part::Group(&group, 1), &strings(&texts), &exec).unwrap_err();
            let feature = "str.extract of a group on this device";
            assert_eq!(error, Error::NotImplemented { feature }, "{device}");
        }
    }
}

#[test]
fn null_that_is_no_text_has_no_part_and_other_rows_are_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let bytes = [b"a-b".to_vec(), vec![0xed, 0xa0, 0x80]];
        let kind = Kind::String(OffsetWidth::I32);
        let how = Part::Character(0);
        let column = TestColumn::new(kind, &bytes, Some(&[true, false]), 0, &exec);
        let found = part(&how, &strings(&column), &exec).unwrap();
        assert_eq!(rows(&ColumnData::String(found), &exec), [Some(b"a".to_vec()), None], "{device}");
        let column = TestColumn::new(kind, &bytes, None, 0, &exec);
        let error = part(&how, &strings(&column), &exec).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument { name: "strings", .. }), "{device}: {error}");
    }
}
