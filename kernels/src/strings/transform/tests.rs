//! Tests of `transform` and `join` against what Python makes of the same strings.

use super::{JoinNulls, Side, Transform, join, transform};
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

/// Strings, and what Python 3 (and so pandas) makes of them.
const STRINGS: [&str; 20] = [
    "",
    "a",
    "Ab cD",
    "straße",
    "ΑΣ ΟΔΥΣΣΕΥΣ",
    "ǆungla ǅ",
    "they're BILL's",
    "ﬁn ŉ",
    "  x\t",
    "\u{3000}é ",
    "-5",
    "+12",
    "1",
    "ab-ab",
    "aaaa",
    "é🦀é",
    "ᾳ ᾲ",
    "ა აბ",
    "ªb 1st",
    "I İ ı",
];
#[expect(clippy::too_many_lines, reason = "a table of answers")]
fn answers() -> Vec<(Transform, [&'static str; 20])> {
    vec![
        (
            Transform::Lower,
            [
                "",
                "a",
                "ab cd",
                "straße",
                "ας οδυσσευς",
                "ǆungla ǆ",
                "they're bill's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "i i\u{307} ı",
            ],
        ),
        (
            Transform::Upper,
            [
                "",
                "A",
                "AB CD",
                "STRASSE",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǄUNGLA Ǆ",
                "THEY'RE BILL'S",
                "FIN ʼN",
                "  X\t",
                "\u{3000}É ",
                "-5",
                "+12",
                "1",
                "AB-AB",
                "AAAA",
                "É🦀É",
                "ΑΙ ᾺΙ",
                "Ა ᲐᲑ",
                "ªB 1ST",
                "I İ I",
            ],
        ),
        (
            Transform::Capitalize,
            [
                "",
                "A",
                "Ab cd",
                "Straße",
                "Ας οδυσσευς",
                "ǅungla ǆ",
                "They're bill's",
                "Fin ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "Ab-ab",
                "Aaaa",
                "É🦀é",
                "ᾼ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I i\u{307} ı",
            ],
        ),
        (
            Transform::Title,
            [
                "",
                "A",
                "Ab Cd",
                "Straße",
                "Ας Οδυσσευς",
                "ǅungla ǅ",
                "They'Re Bill'S",
                "Fin ʼN",
                "  X\t",
                "\u{3000}É ",
                "-5",
                "+12",
                "1",
                "Ab-Ab",
                "Aaaa",
                "É🦀É",
                "ᾼ Ὰ\u{345}",
                "ა აბ",
                "ªb 1St",
                "I İ I",
            ],
        ),
        (
            Transform::Strip(Side::Both, None),
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "x",
                "é",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Strip(Side::Left, None),
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "x\t",
                "é ",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Strip(Side::Right, None),
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x",
                "\u{3000}é",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Strip(Side::Both, Some(['a', 'é', '-'].into())),
            [
                "",
                "",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "5",
                "+12",
                "1",
                "b-ab",
                "",
                "🦀",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Strip(Side::Left, Some(['a', 'é', '-'].into())),
            [
                "",
                "",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "5",
                "+12",
                "1",
                "b-ab",
                "",
                "🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Strip(Side::Right, Some(['a', 'é', '-'].into())),
            [
                "",
                "",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "",
                "é🦀",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Pad { width: 6, fill: '·', side: Side::Left },
            [
                "······",
                "·····a",
                "·Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "··ﬁn ŉ",
                "··  x\t",
                "···\u{3000}é ",
                "····-5",
                "···+12",
                "·····1",
                "·ab-ab",
                "··aaaa",
                "···é🦀é",
                "···ᾳ ᾲ",
                "··ა აბ",
                "ªb 1st",
                "·I İ ı",
            ],
        ),
        (
            Transform::Pad { width: 6, fill: '·', side: Side::Right },
            [
                "······",
                "a·····",
                "Ab cD·",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ··",
                "  x\t··",
                "\u{3000}é ···",
                "-5····",
                "+12···",
                "1·····",
                "ab-ab·",
                "aaaa··",
                "é🦀é···",
                "ᾳ ᾲ···",
                "ა აბ··",
                "ªb 1st",
                "I İ ı·",
            ],
        ),
        (
            Transform::Pad { width: 6, fill: '·', side: Side::Both },
            [
                "······",
                "··a···",
                "Ab cD·",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "·ﬁn ŉ·",
                "·  x\t·",
                "·\u{3000}é ··",
                "··-5··",
                "·+12··",
                "··1···",
                "ab-ab·",
                "·aaaa·",
                "·é🦀é··",
                "·ᾳ ᾲ··",
                "·ა აბ·",
                "ªb 1st",
                "I İ ı·",
            ],
        ),
        (
            Transform::Pad { width: 5, fill: ' ', side: Side::Both },
            [
                "     ",
                "  a  ",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                " ﬁn ŉ",
                "   x\t",
                " \u{3000}é  ",
                "  -5 ",
                " +12 ",
                "  1  ",
                "ab-ab",
                " aaaa",
                " é🦀é ",
                " ᾳ ᾲ ",
                " ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::ZFill(4),
            [
                "0000",
                "000a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "0\u{3000}é ",
                "-005",
                "+012",
                "0001",
                "ab-ab",
                "aaaa",
                "0é🦀é",
                "0ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Repeat(0),
            ["", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""],
        ),
        (
            Transform::Repeat(3),
            [
                "",
                "aaa",
                "Ab cDAb cDAb cD",
                "straßestraßestraße",
                "ΑΣ ΟΔΥΣΣΕΥΣΑΣ ΟΔΥΣΣΕΥΣΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅǆungla ǅǆungla ǅ",
                "they're BILL'sthey're BILL'sthey're BILL's",
                "ﬁn ŉﬁn ŉﬁn ŉ",
                "  x\t  x\t  x\t",
                "\u{3000}é \u{3000}é \u{3000}é ",
                "-5-5-5",
                "+12+12+12",
                "111",
                "ab-abab-abab-ab",
                "aaaaaaaaaaaa",
                "é🦀éé🦀éé🦀é",
                "ᾳ ᾲᾳ ᾲᾳ ᾲ",
                "ა აბა აბა აბ",
                "ªb 1stªb 1stªb 1st",
                "I İ ıI İ ıI İ ı",
            ],
        ),
        (
            Transform::Reverse,
            [
                "",
                "a",
                "Dc bA",
                "eßarts",
                "ΣΥΕΣΣΥΔΟ ΣΑ",
                "ǅ algnuǆ",
                "s'LLIB er'yeht",
                "ŉ nﬁ",
                "\tx  ",
                " é\u{3000}",
                "5-",
                "21+",
                "1",
                "ba-ba",
                "aaaa",
                "é🦀é",
                "ᾲ ᾳ",
                "ბა ა",
                "ts1 bª",
                "ı İ I",
            ],
        ),
        (
            Transform::Replace { from: "a".into(), to: "éé".into(), limit: None },
            [
                "",
                "éé",
                "Ab cD",
                "strééße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungléé ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ééb-ééb",
                "éééééééé",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Replace { from: "a".into(), to: "éé".into(), limit: Some(1) },
            [
                "",
                "éé",
                "Ab cD",
                "strééße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungléé ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ééb-ab",
                "ééaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Replace { from: "aa".into(), to: "".into(), limit: None },
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Replace { from: "é".into(), to: "e".into(), limit: Some(0) },
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ab-ab",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::Replace { from: "".into(), to: "-".into(), limit: None },
            [
                "-",
                "-a-",
                "-A-b- -c-D-",
                "-s-t-r-a-ß-e-",
                "-Α-Σ- -Ο-Δ-Υ-Σ-Σ-Ε-Υ-Σ-",
                "-ǆ-u-n-g-l-a- -ǅ-",
                "-t-h-e-y-'-r-e- -B-I-L-L-'-s-",
                "-ﬁ-n- -ŉ-",
                "- - -x-\t-",
                "-\u{3000}-é- -",
                "---5-",
                "-+-1-2-",
                "-1-",
                "-a-b---a-b-",
                "-a-a-a-a-",
                "-é-🦀-é-",
                "-ᾳ- -ᾲ-",
                "-ა- -ა-ბ-",
                "-ª-b- -1-s-t-",
                "-I- -İ- -ı-",
            ],
        ),
        (
            Transform::Replace { from: "".into(), to: "-".into(), limit: Some(2) },
            [
                "-",
                "-a-",
                "-A-b cD",
                "-s-traße",
                "-Α-Σ ΟΔΥΣΣΕΥΣ",
                "-ǆ-ungla ǅ",
                "-t-hey're BILL's",
                "-ﬁ-n ŉ",
                "- - x\t",
                "-\u{3000}-é ",
                "---5",
                "-+-12",
                "-1-",
                "-a-b-ab",
                "-a-aaa",
                "-é-🦀é",
                "-ᾳ- ᾲ",
                "-ა- აბ",
                "-ª-b 1st",
                "-I- İ ı",
            ],
        ),
        (
            Transform::RemovePrefix("ab".into()),
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "-ab",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
        (
            Transform::RemoveSuffix("ab".into()),
            [
                "",
                "a",
                "Ab cD",
                "straße",
                "ΑΣ ΟΔΥΣΣΕΥΣ",
                "ǆungla ǅ",
                "they're BILL's",
                "ﬁn ŉ",
                "  x\t",
                "\u{3000}é ",
                "-5",
                "+12",
                "1",
                "ab-",
                "aaaa",
                "é🦀é",
                "ᾳ ᾲ",
                "ა აბ",
                "ªb 1st",
                "I İ ı",
            ],
        ),
    ]
}

#[test]
fn transforms_of_every_null_pattern_and_offset_are_those_of_python() {
    let exec = Exec::host();
    let mut rng = Rng::new(24);
    for (i, (op, answers)) in answers().into_iter().enumerate() {
        for (j, n) in SIZES.into_iter().chain([2500]).enumerate() {
            let (offset, nulls) = ((i + j) % 9, Nulls::ALL[(i + j) % 4]);
            let picks: Vec<usize> = (0..offset + n).map(|row| (row + i) % STRINGS.len()).collect();
            let values: Vec<_> = picks.iter().map(|&at| STRINGS[at].as_bytes().to_vec()).collect();
            let mask = nulls.mask(offset + n, &mut rng);
            let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
            let column = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
            let expected: Vec<Row> = (offset..offset + n)
                .map(|row| {
                    let answer = answers[picks[row]].as_bytes().to_vec();
                    mask.as_ref().is_none_or(|mask| mask[row]).then_some(answer)
                })
                .collect();
            let result = ColumnData::String(transform(&op, &strings(&column), &exec).unwrap());
            assert_eq!(rows(&result, &exec), expected, "{op:?} n={n}");
            assert_eq!(has_mask(&result), column.view().validity_bits().is_some(), "{op:?} n={n}");
        }
    }
}

#[test]
fn titles_of_all_letters_are_their_own_titles() {
    // A second time gives the same. Not so of the letter with an apostrophe before it, which becomes two.
    let exec = Exec::host();
    // Nor of three whose capitals came with Unicode 16, which not every Python has.
    let is_left_out = |letter: &char| matches!(letter, '\u{149}' | '\u{19b}' | '\u{264}' | '\u{1c8a}');
    let letters = (0..0x3000).filter_map(char::from_u32).filter(|letter| !is_left_out(letter));
    let letters: Vec<Vec<u8>> = letters.map(|letter| letter.to_string().into_bytes()).collect();
    let column = TestColumn::new(Kind::String(OffsetWidth::I32), &letters, None, 0, &exec);
    let once = transform(&Transform::Capitalize, &strings(&column), &exec).unwrap();
    let rows_once = rows(&ColumnData::String(once.clone()), &exec);
    let changed =
        rows_once.iter().zip(&letters).filter(|(row, letter)| row.as_ref() != Some(*letter)).count();
    // As many as Python changes below U+3000.
    assert_eq!(changed, 962);
    let twice = transform(&Transform::Capitalize, &once.view(), &exec).unwrap();
    assert_eq!(rows(&ColumnData::String(twice), &exec), rows_once);
}

#[test]
fn join_of_columns_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(25);
    for (i, n) in SIZES.into_iter().enumerate() {
        for separator in ["", ", ", "é"] {
            for count in 1..=3 {
                let mut column = |at: usize| {
                    let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][(i + at) % 2]);
                    TestColumn::random(kind, n, (i + at) % 5, Nulls::ALL[(i + at) % 4], &mut rng, &exec)
                };
                let columns: Vec<TestColumn> = (0..count).map(&mut column).collect();
                let views: Vec<_> = columns.iter().map(strings).collect();
                let parts = |row: usize| columns.iter().map(move |column| column.rows[row].clone());
                for nulls in [JoinNulls::Propagate, JoinNulls::Ignore] {
                    let expected: Vec<Row> = (0..n)
                        .map(|row| match nulls {
                            JoinNulls::Propagate => {
                                let parts: Option<Vec<_>> = parts(row).collect();
                                parts.map(|parts| parts.join(separator.as_bytes()))
                            }
                            JoinNulls::Ignore => {
                                Some(parts(row).flatten().collect::<Vec<_>>().join(separator.as_bytes()))
                            }
                        })
                        .collect();
                    let joined = join(&views, separator, nulls, &exec).unwrap();
                    let joined = rows(&ColumnData::String(joined), &exec);
                    assert_eq!(joined, expected, "n={n} {separator:?} {nulls:?}");
                }
            }
        }
    }
}

#[test]
fn invalid_strings_and_sizes_are_typed_errors() {
    let exec = Exec::host();
    let bytes = [vec![0xff], b"a".to_vec()];
    let column = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, &exec);
    let error = transform(&Transform::Lower, &strings(&column), &exec).unwrap_err();
    assert!(matches!(error, Error::InvalidArgument { name: "strings", .. }), "{error}");
    // A null has no bytes that count.
    let column = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, Some(&[false, true]), 0, &exec);
    let result = transform(&Transform::Upper, &strings(&column), &exec).unwrap();
    assert_eq!(rows(&ColumnData::String(result), &exec), [None, Some(b"A".to_vec())]);
    let column = TestColumn::new(Kind::String(OffsetWidth::I32), &[b"ab".to_vec()], None, 0, &exec);
    let text = strings(&column);
    let error = transform(&Transform::Repeat(usize::MAX), &text, &exec).unwrap_err();
    assert!(error.to_string().contains("larger than any memory"), "{error}");
    assert!(matches!(join(&[], ",", JoinNulls::Ignore, &exec), Err(Error::InvalidArgument { .. })));
    let other = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, &exec);
    let error = join(&[text, strings(&other)], ",", JoinNulls::Ignore, &exec).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { left: 1, right: 2 }), "{error}");
}

#[test]
fn transforms_on_devices_are_not_implemented_by_name() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &[b"a".to_vec()], None, 0, &exec);
        for (op, _) in answers() {
            let error = transform(&op, &strings(&column), &exec).unwrap_err().to_string();
            assert!(
                error.starts_with("str.") && error.ends_with("on this device is not implemented"),
                "{error}"
            );
        }
        let error = join(&[strings(&column)], ",", JoinNulls::Ignore, &exec).unwrap_err();
        assert_eq!(error.to_string(), "str.concat on this device is not implemented");
    }
}
