//! Tests of `transform` and `join` against what Python makes of the same strings.

use super::test_answers::{STRINGS, answers};
use super::{JoinNulls, Side, Transform, join, replace_regex, transform};
use crate::strings::regex::Pattern;
use crate::test_columns::{Kind, Row, TestColumn, has_mask, rows};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{ColumnData, Error, OffsetWidth, StringsView, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

#[test]
fn transforms_of_every_null_pattern_and_offset_are_those_of_python() {
    for device in Device::available() {
        transforms_are_those_of_python(&Exec::new(device).unwrap());
    }
}

fn transforms_are_those_of_python(exec: &Exec) {
    let mut rng = Rng::new(24);
    for (i, (op, answers)) in answers().into_iter().enumerate() {
        for (j, n) in SIZES.into_iter().chain([2500]).enumerate() {
            // Each size with some of the transforms.
            if exec.device() != Device::Host && (i + j) % 4 != 0 {
                continue;
            }
            let (offset, nulls) = ((i + j) % 9, Nulls::ALL[(i + j) % 4]);
            let picks: Vec<usize> = (0..offset + n).map(|row| (row + i) % STRINGS.len()).collect();
            let values: Vec<_> = picks.iter().map(|&at| STRINGS[at].as_bytes().to_vec()).collect();
            let mask = nulls.mask(offset + n, &mut rng);
            let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
            let column = TestColumn::new(kind, &values, mask.as_deref(), offset, exec);
            let expected: Vec<Row> = (offset..offset + n)
                .map(|row| {
                    let answer = answers[picks[row]].as_bytes().to_vec();
                    mask.as_ref().is_none_or(|mask| mask[row]).then_some(answer)
                })
                .collect();
            let result = ColumnData::String(transform(&op, &strings(&column), exec).unwrap());
            assert_eq!(rows(&result, exec), expected, "{op:?} n={n}");
            assert_eq!(has_mask(&result), column.view().validity_bits().is_some(), "{op:?} n={n}");
        }
    }
}

/// What the standard library makes of a text.
type Expected = fn(&str) -> String;

/// Rows of three morsels: ASCII alone, some other characters, and ASCII with a null that is not UTF-8.
#[test]
fn transforms_of_many_rows_match_standard_library() {
    let exec = Exec::host();
    let mut rng = Rng::new(77);
    let n = 2 * HOST_MORSEL_ROWS + 65;
    let mut texts: Vec<String> = (0..n)
        .map(|_| (0..rng.below(9)).map(|_| ["a", "B", "ab", " ", "-", "z"][rng.below(6) as usize]).collect())
        .collect();
    for row in [HOST_MORSEL_ROWS + 1, HOST_MORSEL_ROWS + 64, 2 * HOST_MORSEL_ROWS - 1] {
        texts[row] = "\u{3000}aßéB \u{a0}".to_owned();
    }
    let mut values: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let mut valid = vec![true; n];
    valid[7] = false;
    let last = n - 3;
    (values[last], valid[last]) = (vec![0xff, 0xfe], false);
    let cases: [(Transform, Expected); 9] = [
        (Transform::Lower, |text| text.to_lowercase()),
        (Transform::Upper, |text| text.to_uppercase()),
        (Transform::Reverse, |text| text.chars().rev().collect()),
        (Transform::Strip(Side::Both, None), |text| text.trim().to_owned()),
        (Transform::Strip(Side::Left, None), |text| text.trim_start().to_owned()),
        (Transform::Strip(Side::Right, Some(['a', 'é', 'b'].into())), |text| {
            text.trim_end_matches(['a', 'é', 'b']).to_owned()
        }),
        (Transform::RemoveSuffix("ab".into()), |text| text.strip_suffix("ab").unwrap_or(text).to_owned()),
        (Transform::Replace { from: "ab".into(), to: "ß".into(), limit: Some(2) }, |text| {
            text.replacen("ab", "ß", 2)
        }),
        (Transform::Replace { from: "a".into(), to: "a long replacement".into(), limit: None }, |text| {
            text.replace('a', "a long replacement")
        }),
    ];
    for width in [OffsetWidth::I32, OffsetWidth::I64] {
        let column = TestColumn::new(Kind::String(width), &values, Some(&valid), 0, &exec);
        for (op, expected) in &cases {
            let result = rows(&ColumnData::String(transform(op, &strings(&column), &exec).unwrap()), &exec);
            for (row, made) in result.into_iter().enumerate() {
                let expected = valid[row].then(|| expected(&texts[row]).into_bytes());
                assert_eq!(made, expected, "{op:?} row {row}");
            }
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
    for device in Device::available() {
        joins_match_reference(&Exec::new(device).unwrap());
    }
}

fn joins_match_reference(exec: &Exec) {
    let mut rng = Rng::new(25);
    let long = "\u{1f980}".repeat(17);
    for (i, n) in SIZES.into_iter().enumerate() {
        for (j, separator) in ["", ", ", "é", &long].into_iter().enumerate() {
            for count in 1..=3 {
                if exec.device() != Device::Host && (i + j) % 3 != 0 {
                    continue;
                }
                let mut column = |at: usize| {
                    let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][(i + at) % 2]);
                    TestColumn::random(kind, n, (i + at) % 5, Nulls::ALL[(i + at) % 4], &mut rng, exec)
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
                    let joined = join(&views, separator, nulls, exec).unwrap();
                    let joined = rows(&ColumnData::String(joined), exec);
                    assert_eq!(joined, expected, "n={n} {separator:?} {nulls:?}");
                }
            }
        }
    }
}

#[test]
fn invalid_strings_and_sizes_are_typed_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let bytes = [vec![0xff], b"a".to_vec()];
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, &exec);
        let error = transform(&Transform::Lower, &strings(&column), &exec).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument { name: "strings", .. }), "{device}: {error}");
        // A null has no bytes that count.
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, Some(&[false, true]), 0, &exec);
        let result = transform(&Transform::Upper, &strings(&column), &exec).unwrap();
        assert_eq!(rows(&ColumnData::String(result), &exec), [None, Some(b"A".to_vec())], "{device}");
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &[b"ab".to_vec()], None, 0, &exec);
        let text = strings(&column);
        let too_large = [
            Transform::Repeat(usize::MAX),
            Transform::ZFill(usize::MAX),
            Transform::Pad { width: usize::MAX, fill: '\u{1f980}', side: Side::Both },
        ];
        for op in too_large {
            let error = transform(&op, &text, &exec).unwrap_err();
            assert!(error.to_string().contains("larger than any memory"), "{device} {op:?}: {error}");
        }
        assert!(matches!(join(&[], ",", JoinNulls::Ignore, &exec), Err(Error::InvalidArgument { .. })));
        let other = TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, &exec);
        let error = join(&[text, strings(&other)], ",", JoinNulls::Ignore, &exec).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 1, right: 2 }), "{device}: {error}");
        let many = vec![text; 65];
        let joined = join(&many, "", JoinNulls::Ignore, &exec);
        if device == Device::Host {
            assert_eq!(
                rows(&ColumnData::String(joined.unwrap()), &exec),
                [Some("ab".repeat(65).into_bytes())]
            );
        } else {
            let feature = "str.concat of more than 64 columns on this device";
            assert_eq!(joined.unwrap_err(), Error::NotImplemented { feature });
        }
    }
}

#[test]
fn malformed_utf8_is_refused_on_every_device() {
    let cases: [&[u8]; 12] = [
        b"\x80",
        b"a\xc3",
        b"\xc3(",
        b"\xc0\x80",
        b"\xe0\x80\x80",
        b"\xed\xa0\x80",
        b"\xe2\x82",
        b"\xf0\x80\x80\x80",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xf0\x9f\xa6",
        b"\xff",
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for bytes in cases {
            let values = ["é\u{1f980}\u{d7ff}\u{e000}\u{10ffff}".as_bytes().to_vec(), bytes.to_vec()];
            let column = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
            let error = transform(&Transform::Repeat(2), &strings(&column), &exec).unwrap_err();
            let reason = "a row is not UTF-8";
            assert_eq!(error, Error::InvalidArgument { name: "strings", reason }, "{device} {bytes:?}");
        }
    }
}

/// What the host makes of all characters that have a case or stand in words, on every device: alone, after a cased letter,
/// and around a sigma.
#[test]
fn case_of_all_characters_on_devices_is_that_of_host() {
    let host = Exec::host();
    let planes =
        [0x80..0x1200_u32, 0x1c80..0x2200, 0x2c00..0x2e00, 0xa640..0xa800, 0xab30..0xac00, 0xfb00..0xff60];
    let astral = [0x1_0400..0x1_0600_u32, 0x1_0c80..0x1_0d00, 0x1_18a0..0x1_18e0, 0x1_e900..0x1_e950];
    let characters = planes.into_iter().chain(astral).flatten().filter_map(char::from_u32);
    let values: Vec<Vec<u8>> =
        characters.map(|c| format!("{c}a{c} aΣ{c}b {c}Σ{c} Σ{c}").into_bytes()).collect();
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let kind = Kind::String(OffsetWidth::I32);
        let [ours, theirs] = [&exec, &host].map(|exec| TestColumn::new(kind, &values, None, 0, exec));
        let cases = [
            Transform::Lower,
            Transform::Upper,
            Transform::Capitalize,
            Transform::Title,
            Transform::SwapCase,
        ];
        for op in cases {
            let found = transform(&op, &strings(&ours), &exec).unwrap();
            let expected = transform(&op, &strings(&theirs), &host).unwrap();
            assert!(
                rows(&ColumnData::String(found), &exec) == rows(&ColumnData::String(expected), &host),
                "{device} {op:?}"
            );
        }
    }
}

#[test]
fn cases_are_swapped_as_in_python() {
    // Letters of title case are not swapped, and a sigma at the end of a word has its own form.
    let pairs = [
        ("ǅ", "ǅ"),
        ("ǆǄ", "Ǆǆ"),
        ("aᾈB", "Aᾈb"),
        ("ßⅷⅧ", "SSⅧⅷ"),
        ("ΑΣ", "ας"),
        ("ΑΣ Σ ΣΑσΣς", "ας σ σαΣσΣ"),
        ("İΣ.Σ'", "i\u{307}σ.ς'"),
    ];
    let values: Vec<Vec<u8>> = pairs.iter().map(|(text, _)| text.as_bytes().to_vec()).collect();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let texts = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
        let found = transform(&Transform::SwapCase, &strings(&texts), &exec).unwrap();
        let expected: Vec<_> = pairs.iter().map(|(_, swapped)| Some(swapped.as_bytes().to_vec())).collect();
        assert_eq!(rows(&ColumnData::String(found), &exec), expected, "{device}");
    }
}

/// Rows longer than a warp stages, and literals longer than arguments hold.
#[test]
fn long_strings_and_literals_are_those_of_host() {
    let host = Exec::host();
    let values: Vec<Vec<u8>> =
        (0..70_usize).map(|row| "xay é,".repeat([0, 1, 900, 3, 100][row % 5] + row).into_bytes()).collect();
    let long = "é,xay ".repeat(20);
    let operations = [
        Transform::Upper,
        Transform::Reverse,
        Transform::Replace { from: "a".into(), to: long.as_str().into(), limit: Some(7) },
        Transform::Replace { from: long.as_str().into(), to: "-".into(), limit: None },
        Transform::Replace { from: "".into(), to: "é".into(), limit: Some(5) },
        Transform::Translate((0..20).map(|at| (char::from(b'a' + at), Some('é'))).collect()),
        Transform::Strip(
            Side::Both,
            Some((0..30).map(|at| char::from(b'a' + at % 26)).chain([',', ' ', 'é']).collect()),
        ),
        Transform::RemovePrefix("xay".into()),
        Transform::RemoveSuffix(" é,".into()),
    ];
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let mask: Vec<bool> = (0..70).map(|row| row % 7 != 3).collect();
        let kind = Kind::String(OffsetWidth::I32);
        let [ours, theirs] =
            [&exec, &host].map(|exec| TestColumn::new(kind, &values[..], Some(&mask), 3, exec));
        for op in &operations {
            let found = transform(op, &strings(&ours), &exec).unwrap();
            let expected = transform(op, &strings(&theirs), &host).unwrap();
            assert!(
                rows(&ColumnData::String(found), &exec) == rows(&ColumnData::String(expected), &host),
                "{device} {op:?}"
            );
        }
    }
}

/// Also with the match in its replacement, with groups that there are not, and with more bytes than travel with a launch.
#[test]
fn replaced_matches_are_those_of_crate_regex() {
    let long = "$0, é".repeat(20);
    let patterns = ["a", "a*", "", "é|b+", r"\s", r"(?-u:\B)", "^|$", r"[^a]+"];
    let replacements = ["", "-", "<$0>", "$$1", "${0}$2$x.", "$", &long];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(47);
        for (i, pattern) in patterns.into_iter().enumerate() {
            let regex = regex::Regex::new(pattern).unwrap();
            let compiled = Pattern::new(pattern).unwrap();
            for (j, to) in replacements.into_iter().enumerate() {
                let limit = [None, Some(0), Some(1), Some(2)][(i + j) % 4];
                let n = SIZES[(i * 7 + j) % (SIZES.len() - 1)];
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
                let column = TestColumn::random(kind, n, (i + j) % 9, Nulls::ALL[j % 4], &mut rng, &exec);
                let of_row = |row: &Row| {
                    let text = std::str::from_utf8(row.as_deref()?).unwrap();
                    let made = match limit {
                        None => regex.replace_all(text, to),
                        Some(0) => text.into(),
                        Some(limit) => regex.replacen(text, limit, to),
                    };
                    Some(made.as_bytes().to_vec())
                };
                let expected: Vec<Row> = column.rows.iter().map(of_row).collect();
                let made = replace_regex(&compiled, to, limit, &strings(&column), &exec).unwrap();
                let context = format!("{pattern:?} {to:?} {limit:?} n={n} {device}");
                assert!(rows(&ColumnData::String(made), &exec) == expected, "{context}");
            }
        }
        let column = TestColumn::random(Kind::String(OffsetWidth::I32), 5, 0, Nulls::ALL[0], &mut rng, &exec);
        let group = Pattern::new("(?<first>a)").unwrap();
        for to in ["$1", "${first}!"] {
            let made = replace_regex(&group, to, None, &strings(&column), &exec);
            if device == Device::Host {
                assert!(made.is_ok());
            } else {
                let feature = "str.replace_regex with groups on this device";
                assert_eq!(made.unwrap_err(), Error::NotImplemented { feature }, "{device} {to}");
            }
        }
    }
}
