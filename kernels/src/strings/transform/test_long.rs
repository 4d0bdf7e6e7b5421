//! Tests of rows that devices write in words: long ones that are parts of other strings.

use super::{JoinNulls, Side, Transform, join, transform};
use crate::strings::slice::CharRange;
use crate::test_columns::{Kind, Row, TestColumn, rows};
use crate::{ColumnData, OffsetWidth, StringsView, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng};

/// Bytes of texts: around words of 16, around what a warp and a block write, and of more than a block's share.
const LENGTHS: [usize; 16] = [0, 200, 1, 15, 310, 16, 17, 95, 31, 32, 1000, 33, 64, 257, 48, 700];

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// A text of so many bytes, or of up to three fewer.
fn text(bytes: usize, characters: &[char], rng: &mut Rng) -> String {
    let mut text = String::new();
    while text.len() + 4 <= bytes || (text.len() < bytes && characters.iter().all(char::is_ascii)) {
        text.push(characters[rng.below(characters.len() as u64) as usize]);
    }
    text
}

fn is_capital(before: Option<char>, rest: bool) -> bool {
    if rest { before.is_none() } else { !before.is_some_and(|before| before.is_ascii_alphabetic()) }
}

/// The first letter of all, or of each word, in upper case.
fn capitalized(text: &str, only_first: bool) -> String {
    let mut before = None;
    let mut made = String::new();
    for letter in text.chars() {
        let capital = is_capital(before, only_first);
        made.push(if capital { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() });
        before = Some(letter);
    }
    made
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}

fn padded(text: &str, width: usize, fill: char, side: Side) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let left = match side {
        Side::Left => missing,
        Side::Right => 0,
        Side::Both => missing / 2 + (missing & width & 1),
    };
    let fill = |count: usize| fill.to_string().repeat(count);
    fill(left) + text + &fill(missing - left)
}

/// What the standard library makes of a text; cases only of ASCII.
fn expected(transform: &Transform, text: &str) -> String {
    match transform {
        Transform::Lower => text.to_ascii_lowercase(),
        Transform::Upper => text.to_ascii_uppercase(),
        Transform::Capitalize => capitalized(text, true),
        Transform::Title => capitalized(text, false),
        Transform::SwapCase => text.chars().map(swapped).collect(),
        Transform::Strip(side, characters) => {
            let is_stripped = |letter: char| match characters {
                Some(characters) => characters.contains(&letter),
                None => letter.is_whitespace(),
            };
            let text = if *side == Side::Right { text } else { text.trim_start_matches(is_stripped) };
            (if *side == Side::Left { text } else { text.trim_end_matches(is_stripped) }).to_owned()
        }
        Transform::Pad { width, fill, side } => padded(text, *width, *fill, *side),
        Transform::ZFill(width) => {
            let (sign, digits) = text.split_at(usize::from(text.starts_with(['+', '-'])));
            format!("{sign}{}", padded(digits, width.saturating_sub(sign.len()), '0', Side::Left))
        }
        Transform::Repeat(count) => text.repeat(*count),
        Transform::SliceReplace(range, with) => {
            let letters: Vec<char> = text.chars().collect();
            let within = |position: i64| position.clamp(0, letters.len() as i64) as usize;
            let start = range.offset + if range.offset < 0 { letters.len() as i64 } else { 0 };
            let end = within(range.length.map_or(i64::MAX, |length| start + length as i64));
            let start = within(start);
            letters[..start].iter().chain(&with.chars().collect::<Vec<_>>()).chain(&letters[end..]).collect()
        }
        Transform::RemovePrefix(part) => text.strip_prefix(&**part).unwrap_or(text).to_owned(),
        Transform::RemoveSuffix(part) => text.strip_suffix(&**part).unwrap_or(text).to_owned(),
        Transform::Replace { from, to, limit } => text.replacen(&**from, to, limit.unwrap_or(usize::MAX)),
        Transform::Reverse | Transform::Translate(_) => unreachable!(),
    }
}

const CASES: [Transform; 5] =
    [Transform::Lower, Transform::Upper, Transform::Capitalize, Transform::Title, Transform::SwapCase];

fn others() -> Vec<Transform> {
    let range = |offset, length| CharRange { offset, length };
    let characters = |characters: &str| Some(characters.chars().collect());
    vec![
        Transform::Strip(Side::Both, None),
        Transform::Strip(Side::Left, None),
        Transform::Strip(Side::Right, None),
        Transform::Strip(Side::Both, characters("ab é")),
        Transform::Strip(Side::Left, characters("+a-z \u{1f980}")),
        Transform::Pad { width: 230, fill: '*', side: Side::Left },
        Transform::Pad { width: 313, fill: 'é', side: Side::Both },
        Transform::Pad { width: 120, fill: '€', side: Side::Right },
        Transform::Pad { width: 94, fill: '\u{1f980}', side: Side::Both },
        Transform::ZFill(260),
        Transform::Repeat(1),
        Transform::Repeat(7),
        Transform::SliceReplace(range(3, Some(40)), "<->".into()),
        Transform::SliceReplace(
            range(-20, Some(5)),
            "é, and more than travels with a launch. ".repeat(3).into(),
        ),
        Transform::SliceReplace(range(17, None), "".into()),
        Transform::RemovePrefix("a".into()),
        Transform::RemoveSuffix(" ".into()),
    ]
}

/// Of one byte and of more than travel with a launch, which overlap themselves or are nowhere, by nothing, by as many bytes,
/// by fewer and by more.
fn replacements(letters: [&str; 2]) -> Vec<Transform> {
    let [a, b] = letters;
    let many = format!("{a}{b}").repeat(40);
    let pairs = [
        (a.to_owned(), String::new()),
        (a.to_owned(), b.to_owned()),
        (a.repeat(2), a.to_owned()),
        (format!("{a}{b}{a}"), "<\u{1f980}>".to_owned()),
        (b.repeat(3), many.clone()),
        (many, a.to_owned()),
        ("~".to_owned(), b.to_owned()),
        (String::new(), "+".to_owned()),
    ];
    let replace = |((from, to), limit): ((String, String), usize)| Transform::Replace {
        from: from.into(),
        to: to.into(),
        limit: (limit < 5).then_some(limit),
    };
    pairs.into_iter().zip([9, 3, 9, 9, 2, 9, 1, 4]).map(replace).collect()
}

/// `n` texts of `LENGTHS`, some of them null.
fn column(n: usize, seed: usize, characters: &[char], exec: &Exec) -> TestColumn {
    let mut rng = Rng::new(100 + seed as u64);
    let offset = seed % 9;
    let bytes = |row: usize| LENGTHS[(row * 5 + seed) % LENGTHS.len()];
    let mut values: Vec<Vec<u8>> =
        (0..offset + n).map(|row| text(bytes(row), characters, &mut rng).into_bytes()).collect();
    let mask = Nulls::ALL[seed % 4].mask(offset + n, &mut rng);
    // Bytes of nulls are not looked at.
    for (row, value) in values.iter_mut().enumerate().filter(|(row, _)| row % 3 == 0) {
        if mask.as_ref().is_some_and(|mask| !mask[row]) {
            *value = vec![0xff; 40];
        }
    }
    let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][seed % 2]);
    TestColumn::new(kind, &values, mask.as_deref(), offset, exec)
}

fn check(transforms: &[Transform], characters: &[char]) {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (i, op) in transforms.iter().enumerate() {
            for (j, n) in [1, 2, 16, 31, 33, 64, 65, 257].into_iter().enumerate() {
                if device != Device::Host && (i + j) % 3 != 0 {
                    continue;
                }
                let column = column(n, i + j, characters, &exec);
                let of_row = |row: &Row| {
                    row.as_ref().map(|row| expected(op, std::str::from_utf8(row).unwrap()).into_bytes())
                };
                let expected: Vec<Row> = column.rows.iter().map(of_row).collect();
                let made = transform(op, &strings(&column), &exec).unwrap();
                assert!(rows(&ColumnData::String(made), &exec) == expected, "{op:?} n={n} {device}");
            }
        }
    }
}

#[test]
fn cases_of_long_ascii_match_reference() {
    // The letters at the ends of the alphabet, and what stands beside them.
    let beside: Vec<char> = "azAZ@[`{ .\u{0}\u{7f}mM".chars().collect();
    check(&CASES, &beside);
}

#[test]
fn parts_of_long_ascii_match_reference() {
    check(&others(), &['a', 'b', ' ', '+', '-', 'z', '\t']);
}

#[test]
fn parts_of_long_unicode_match_reference() {
    check(&others(), &['a', 'é', ' ', '\u{3000}', '€', '\u{1f980}', '-']);
}

#[test]
fn replacements_in_long_rows_match_reference() {
    // Half of the characters are matches of one, or few.
    check(&replacements(["a", "b"]), &['a', 'b']);
    check(&replacements(["a", "b"]), &['a', 'b', ' ', 'é', '-', 'z', '\u{1f980}', '\t']);
    check(&replacements(["é", "\u{1f980}"]), &['é', '\u{1f980}', 'a']);
}

/// A string of more than a block writes, and one of more than a warp looks at in a step.
#[test]
fn rows_of_many_words_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        let values: Vec<Vec<u8>> =
            [40_001, 0, 3, 20_000].map(|bytes| text(bytes, &['a', 'B', ' '], &mut rng).into_bytes()).to_vec();
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 1, &exec);
        let whole = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
        for column in [column, whole] {
            let replace = Transform::Replace { from: "a".into(), to: "long".into(), limit: None };
            for op in [Transform::Upper, Transform::Title, Transform::Repeat(3), replace] {
                let of_row = |row: &Row| {
                    row.as_ref().map(|row| expected(&op, std::str::from_utf8(row).unwrap()).into_bytes())
                };
                let expected: Vec<Row> = column.rows.iter().map(of_row).collect();
                let made = transform(&op, &strings(&column), &exec).unwrap();
                assert!(rows(&ColumnData::String(made), &exec) == expected, "{op:?} {device}");
            }
        }
    }
}

/// One byte that is not ASCII, wherever it is, is seen.
#[test]
fn malformed_byte_of_long_rows_is_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (row, at) in [(0, 0), (0, 199), (7, 100), (31, 199), (32, 0), (39, 199)] {
            let mut values = vec![vec![b'a'; 200]; 40];
            values[row][at] = 0x80;
            let column = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
            for op in [Transform::Upper, Transform::Repeat(2)] {
                let error = transform(&op, &strings(&column), &exec).unwrap_err();
                let reason = "a row is not UTF-8";
                let expected = crate::Error::InvalidArgument { name: "strings", reason };
                assert_eq!(error, expected, "{device} {op:?} row {row} byte {at}");
            }
        }
    }
}

#[test]
fn joins_of_long_rows_match_reference() {
    let long = "\u{1f980}, ".repeat(17);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (i, separator) in ["", "-", "é, ", &long].into_iter().enumerate() {
            // More columns than are written in words, too.
            for (j, count) in [1, 2, 3, 8, 9].into_iter().enumerate() {
                for (k, n) in [1, 33, 70, 257].into_iter().enumerate() {
                    if device != Device::Host && (i + j + k) % 3 != 0 {
                        continue;
                    }
                    let columns: Vec<TestColumn> =
                        (0..count).map(|at| column(n, i + j + at, &['a', 'é', ' '], &exec)).collect();
                    let views: Vec<_> = columns.iter().map(strings).collect();
                    let parts = |row: usize| columns.iter().map(move |column| column.rows[row].clone());
                    for nulls in [JoinNulls::Propagate, JoinNulls::Ignore] {
                        let of_row = |row: usize| match nulls {
                            JoinNulls::Propagate => {
                                let parts: Option<Vec<_>> = parts(row).collect();
                                parts.map(|parts| parts.join(separator.as_bytes()))
                            }
                            JoinNulls::Ignore => {
                                Some(parts(row).flatten().collect::<Vec<_>>().join(separator.as_bytes()))
                            }
                        };
                        let expected: Vec<Row> = (0..n).map(of_row).collect();
                        let joined = join(&views, separator, nulls, &exec).unwrap();
                        let joined = rows(&ColumnData::String(joined), &exec);
                        let context = format!("{count} columns, n={n} {separator:?} {nulls:?} {device}");
                        assert!(joined == expected, "{context}");
                    }
                }
            }
        }
    }
}
