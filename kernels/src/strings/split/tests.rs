//! Tests of `split` on every device of the build.

use super::{Split, split};
use crate::strings::regex::Pattern;
use crate::test_columns::{Kind, Row, TestColumn, rows};
use crate::{ColumnData, Error, OffsetWidth, StringsView, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// The lists of a column.
fn lists(how: &Split<'_>, column: &TestColumn, exec: &Exec) -> Vec<Vec<Row>> {
    let found = split(how, &strings(column), exec).unwrap();
    let offsets: Vec<i64> = match found.offset_width {
        OffsetWidth::I32 => found.offsets.to_vec::<i32>(exec).unwrap().into_iter().map(i64::from).collect(),
        OffsetWidth::I64 => found.offsets.to_vec(exec).unwrap(),
    };
    assert_eq!(offsets.len(), column.rows.len() + 1);
    assert_eq!(offsets[0], 0);
    let parts = rows(&ColumnData::String(found.parts), exec);
    assert_eq!(*offsets.last().unwrap(), parts.len() as i64);
    offsets.windows(2).map(|pair| parts[pair[0] as usize..pair[1] as usize].to_vec()).collect()
}

/// The reference implementation, over the standard library.
fn expected(separator: Option<&str>, limit: Option<usize>, from_end: bool, text: &str) -> Vec<String> {
    let parts: Vec<&str> = match (separator, limit, from_end) {
        (None, None, _) => text.split_whitespace().collect(),
        (None, Some(limit), false) => {
            let (mut parts, mut rest) = (Vec::new(), text.trim_start());
            while !rest.is_empty() && parts.len() < limit {
                let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                parts.push(word);
                rest = after.trim_start();
            }
            parts.extend((!rest.is_empty()).then_some(rest));
            parts
        }
        (None, Some(limit), true) => {
            let (mut parts, mut rest) = (Vec::new(), text.trim_end());
            while !rest.is_empty() && parts.len() < limit {
                let (before, word) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
                parts.push(word);
                rest = before.trim_end();
            }
            parts.extend((!rest.is_empty()).then_some(rest));
            parts.reverse();
            parts
        }
        (Some(""), limit, from_end) => {
            let characters: Vec<&str> = text.split("").filter(|part| !part.is_empty()).collect();
            let used = limit.unwrap_or(usize::MAX).min(characters.len().saturating_sub(1));
            let whole = characters.len() - used;
            let (first, rest) = characters.split_at(if from_end { whole } else { used });
            let (first, rest): (Vec<&str>, Vec<&str>) = (first.to_vec(), rest.to_vec());
            return if from_end {
                std::iter::once(first.concat()).chain(rest.into_iter().map(str::to_owned)).collect()
            } else {
                first.into_iter().map(str::to_owned).chain([rest.concat()]).collect()
            };
        }
        (Some(separator), None, false) => text.split(separator).collect(),
        (Some(separator), Some(limit), false) => text.splitn(limit + 1, separator).collect(),
        (Some(separator), limit, true) => {
            let limit = limit.map_or(usize::MAX, |limit| limit + 1);
            let mut parts: Vec<&str> = text.rsplitn(limit, separator).collect();
            parts.reverse();
            parts
        }
    };
    parts.into_iter().map(str::to_owned).collect()
}

const PARTS: [&str; 9] = ["a", "b", "-", "--", "é", " ", "\u{3000}", "\t ", "\u{1f980}"];

/// `n` texts after `offset` others; some are long.
fn texts(n: usize, rng: &mut Rng) -> Vec<Vec<u8>> {
    let text = |rng: &mut Rng| -> String {
        let longest = if rng.below(50) == 0 { 300 } else { 8 };
        (0..rng.below(longest)).map(|_| PARTS[rng.below(PARTS.len() as u64) as usize]).collect()
    };
    (0..n).map(|_| text(rng).into_bytes()).collect()
}

fn as_rows(lists: Vec<Vec<String>>) -> Vec<Vec<Row>> {
    lists.into_iter().map(|list| list.into_iter().map(|part| Some(part.into_bytes())).collect()).collect()
}

#[test]
fn splits_of_every_separator_limit_null_pattern_and_offset_match_reference() {
    // One of more bytes than travel with a launch.
    let long = "a-b é".repeat(12);
    let separators = [Some("-"), Some("--"), Some("é"), Some("a-a"), Some(""), None, Some(long.as_str())];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(44);
        for (i, separator) in separators.into_iter().enumerate() {
            for (j, limit) in [None, Some(0), Some(1), Some(2), Some(usize::MAX - 1)].into_iter().enumerate()
            {
                for from_end in [false, true] {
                    let n = SIZES[(i * 5 + j * 3 + usize::from(from_end)) % SIZES.len()];
                    let (offset, nulls) = ((i + j) % 9, Nulls::ALL[(i + j) % 4]);
                    let mut values = texts(offset + n, &mut rng);
                    for row in (2..values.len()).step_by(97) {
                        values[row] = format!("b{long}--{long}").into_bytes();
                    }
                    let mask = nulls.mask(offset + n, &mut rng);
                    let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
                    let column = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
                    let of_row = |row: &Row| {
                        let text = row.as_deref().map(|text| std::str::from_utf8(text).unwrap());
                        text.map_or(Vec::new(), |text| expected(separator, limit, from_end, text))
                    };
                    let expected: Vec<_> = column.rows.iter().map(of_row).collect();
                    let found = lists(&Split::Literal { separator, limit, from_end }, &column, &exec);
                    let context = format!("{separator:?} {limit:?} {from_end} n={n} {device}");
                    assert!(found == as_rows(expected), "{context}");
                }
            }
        }
    }
}

/// Also where matches are empty, within characters or beside each other.
#[test]
fn splits_by_patterns_and_matches_are_those_of_crate_regex() {
    let patterns =
        ["-", "-+", "a*", r"\s", r"[^-]*", "", r"(?-u:\B)", "é|a", r"^|-$", r"\p{Zs}{2}", r"(a)|(b)-", "-??"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(45);
        for (i, pattern) in patterns.into_iter().enumerate() {
            let regex = regex::Regex::new(pattern).unwrap();
            let compiled = Pattern::new(pattern).unwrap();
            for (j, limit) in [None, Some(0), Some(1), Some(3)].into_iter().enumerate() {
                let n = SIZES[(i * 4 + j) % (SIZES.len() - 1)];
                let (offset, nulls) = ((i + j) % 9, Nulls::ALL[(i + j) % 4]);
                let values = texts(offset + n, &mut rng);
                let mask = nulls.mask(offset + n, &mut rng);
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
                let column = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
                let of_rows = |of: &dyn Fn(&str) -> Vec<String>| {
                    let of_row = |row: &Row| {
                        row.as_deref().map_or(Vec::new(), |text| of(std::str::from_utf8(text).unwrap()))
                    };
                    as_rows(column.rows.iter().map(of_row).collect())
                };
                let between = of_rows(&|text| match limit {
                    None => regex.split(text).map(str::to_owned).collect(),
                    Some(limit) => regex.splitn(text, limit + 1).map(str::to_owned).collect(),
                });
                let context = format!("{pattern:?} {limit:?} n={n} {device}");
                assert!(lists(&Split::Regex(&compiled, limit), &column, &exec) == between, "{context}");
                let matches =
                    of_rows(&|text| regex.find_iter(text).map(|found| found.as_str().to_owned()).collect());
                assert!(lists(&Split::Matches(&compiled, 0), &column, &exec) == matches, "{context}");
            }
        }
    }
}

#[test]
fn null_that_is_no_text_has_no_parts_and_other_rows_are_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let bytes = [b"a-b".to_vec(), vec![0xff], b"".to_vec()];
        let kind = Kind::String(OffsetWidth::I32);
        let pattern = Pattern::new("-").unwrap();
        for how in [
            Split::Literal { separator: Some("-"), limit: None, from_end: false },
            Split::Regex(&pattern, None),
        ] {
            let column = TestColumn::new(kind, &bytes, Some(&[true, false, true]), 0, &exec);
            let part = |text: &str| Some(text.as_bytes().to_vec());
            let expected = [vec![part("a"), part("b")], vec![], vec![part("")]];
            assert_eq!(lists(&how, &column, &exec), expected, "{how:?} {device}");
            let column = TestColumn::new(kind, &bytes, None, 0, &exec);
            let error = split(&how, &strings(&column), &exec).unwrap_err();
            assert!(matches!(error, Error::InvalidArgument { name: "strings", .. }), "{device}: {error}");
        }
        let column = TestColumn::new(kind, &bytes[..1], None, 0, &exec);
        let group = Pattern::new("(a)").unwrap();
        let found = split(&Split::Matches(&group, 1), &strings(&column), &exec);
        if device == Device::Host {
            assert_eq!(found.unwrap().parts.len, 1);
        } else {
            let feature = "str.extract_all of a group on this device";
            assert_eq!(found.unwrap_err(), Error::NotImplemented { feature }, "{device}");
        }
    }
}
