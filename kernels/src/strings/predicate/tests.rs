//! Tests of `test` on every device of the build.

use super::{Characters, Predicate, test};
use crate::strings::regex::Pattern;
use crate::test_columns::{Kind, TestColumn};
use crate::test_values::{assert_rows, rows_of};
use crate::{Error, OffsetWidth, StringsView, Value, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::cell::RefCell;
use std::collections::HashMap;

const ALL: [Characters; 9] = [
    Characters::Alpha,
    Characters::Numeric,
    Characters::Decimal,
    Characters::Alnum,
    Characters::Space,
    Characters::Lower,
    Characters::Upper,
    Characters::Title,
    Characters::Ascii,
];

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// Whether the crate `regex` finds a pattern.
fn finds(pattern: &'static str, text: &str) -> bool {
    thread_local! {
        static KNOWN: RefCell<HashMap<&'static str, regex::Regex>> = RefCell::new(HashMap::new());
    }
    KNOWN.with_borrow_mut(|known| {
        known.entry(pattern).or_insert_with(|| regex::Regex::new(pattern).unwrap()).is_match(text)
    })
}

/// The words of a text: runs of characters that have a case, by Unicode's categories.
fn words(text: &str) -> Vec<Vec<char>> {
    let is_cased =
        |character: char| finds(r"^[\p{Lowercase}\p{Uppercase}\p{Lt}]$", character.encode_utf8(&mut [0; 4]));
    let characters: Vec<char> = text.chars().collect();
    characters.split(|c| !is_cased(*c)).filter(|word| !word.is_empty()).map(<[char]>::to_vec).collect()
}

/// The reference implementation: regular expressions over the whole string for all but titles.
fn expected(characters: Characters, text: &str) -> bool {
    let of = |pattern: &'static str| finds(pattern, text);
    match characters {
        Characters::Alpha => of(r"\A\p{L}+\z"),
        Characters::Numeric => of(r"\A\p{N}+\z"),
        Characters::Decimal => of(r"\A\p{Nd}+\z"),
        Characters::Alnum => of(r"\A[\p{L}\p{N}]+\z"),
        Characters::Space => of(r"\A\p{White_Space}+\z"),
        Characters::Lower => of(r"\p{Lowercase}") && !of(r"[\p{Uppercase}\p{Lt}]"),
        Characters::Upper => of(r"\p{Uppercase}") && !of(r"[\p{Lowercase}\p{Lt}]"),
        Characters::Title => {
            let words = words(text);
            let is_title = |word: &Vec<char>| {
                !word[0].is_lowercase() && word[1..].iter().all(|character| character.is_lowercase())
            };
            !words.is_empty() && words.iter().all(is_title)
        }
        Characters::Ascii => text.bytes().all(|byte| byte < 128),
    }
}

#[test]
fn tests_of_every_null_pattern_and_offset_match_reference() {
    let parts =
        ["a", "B", "7", " ", "-", "é", "É", "ß", "٣", "²", "Ⅷ", "ǅ", "\u{3000}", "中", "\u{1f980}", "𝟘"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        for (i, characters) in ALL.into_iter().enumerate() {
            for (j, n) in SIZES.into_iter().chain([300]).enumerate() {
                if device != Device::Host && (i + j) % 3 != 0 {
                    continue;
                }
                let (offset, nulls) = ((i + j) % 9, Nulls::ALL[(i + j) % 4]);
                // Some columns of ASCII alone; rows of one kind of character are common.
                let kinds = if j % 2 == 0 { 5 } else { parts.len() as u64 };
                let text = |rng: &mut Rng| -> String {
                    let (longest, few) = (if rng.below(30) == 0 { 200 } else { 5 }, rng.below(kinds));
                    let kinds = if rng.below(2) == 0 { 1 } else { kinds };
                    let part =
                        |rng: &mut Rng| parts[((few + rng.below(kinds)) % parts.len() as u64) as usize];
                    (0..rng.below(longest)).map(|_| part(rng)).collect()
                };
                let values: Vec<Vec<u8>> = (0..offset + n).map(|_| text(&mut rng).into_bytes()).collect();
                let mask = nulls.mask(offset + n, &mut rng);
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
                let column = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
                let row = |row: &Option<Vec<u8>>| {
                    Some(Value::Bit(expected(characters, std::str::from_utf8(row.as_deref()?).unwrap())))
                };
                let expected: Vec<_> = column.rows.iter().map(row).collect();
                let result = test(&Predicate::Characters(characters), &strings(&column), &exec).unwrap();
                let context = format!("{characters:?} n={n} {device}");
                assert_rows(&rows_of(&result, &exec), &expected, &context);
            }
        }
    }
}

#[test]
fn letters_are_those_of_python() {
    // `str.isalpha` and `str.isalnum` of CPython 3.11: letter numbers and marks are no letters.
    let texts = [
        ("ª", true, true),
        ("ǅʰ中", true, true),
        ("é𐐀ß", true, true),
        ("Ⅷ", false, true),
        ("का", false, false),
        ("\u{345}", false, false),
        ("a\u{301}", false, false),
        ("ⓐ", false, false),
        ("a²", false, true),
    ];
    let values: Vec<Vec<u8>> = texts.iter().map(|(text, ..)| text.as_bytes().to_vec()).collect();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
        let found = [Characters::Alpha, Characters::Alnum].map(|characters| {
            rows_of(&test(&Predicate::Characters(characters), &strings(&column), &exec).unwrap(), &exec)
        });
        for (row, (text, is_alpha, is_alnum)) in texts.into_iter().enumerate() {
            assert_eq!(found[0][row], Some(Value::Bit(is_alpha)), "{text} {device}");
            assert_eq!(found[1][row], Some(Value::Bit(is_alnum)), "{text} {device}");
        }
    }
}

/// A property of a character in the standard library.
type Is = fn(char) -> bool;

/// Alone, after a capital and before a letter.
#[test]
fn characters_of_all_planes_are_those_of_standard_library() {
    let codes = (0..0x3100_u32)
        .chain(0xa000..0xac00)
        .chain(0xf900..0x1_0000)
        .chain((0x3100..0x2_0000).step_by(7))
        .chain((0x2_0000..0x11_0000).step_by(977));
    let characters: Vec<char> = codes.filter_map(char::from_u32).collect();
    let single: [(Characters, Is); 4] = [
        (Characters::Numeric, char::is_numeric),
        (Characters::Space, char::is_whitespace),
        (Characters::Lower, char::is_lowercase),
        (Characters::Upper, char::is_uppercase),
    ];
    let host = Exec::host();
    let titles = characters.iter().map(|c| format!("A{c}b{c}").into_bytes());
    let values: Vec<Vec<u8>> = characters.iter().map(|c| c.to_string().into_bytes()).chain(titles).collect();
    let kind = Kind::String(OffsetWidth::I32);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(kind, &values, None, 0, &exec);
        let found = |characters: Characters, exec: &Exec, column: &TestColumn| {
            rows_of(&test(&Predicate::Characters(characters), &strings(column), exec).unwrap(), exec)
        };
        for (predicate, is) in single {
            let found = found(predicate, &exec, &column);
            for (character, found) in characters.iter().zip(found) {
                assert_eq!(found, Some(Value::Bit(is(*character))), "{predicate:?} {character:?} {device}");
            }
        }
        let on_host = TestColumn::new(kind, &values, None, 0, &host);
        for predicate in [Characters::Decimal, Characters::Lower, Characters::Title] {
            assert!(
                found(predicate, &exec, &column) == found(predicate, &host, &on_host),
                "{predicate:?} {device}"
            );
        }
    }
}

#[test]
fn null_that_is_no_text_passes_and_other_rows_are_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let bytes = [b"a".to_vec(), vec![0xc3], b"B".to_vec()];
        let kind = Kind::String(OffsetWidth::I32);
        let pattern = Pattern::new("[a-z]").unwrap();
        for predicate in [Predicate::Characters(Characters::Lower), Predicate::Contains(&pattern)] {
            let column = TestColumn::new(kind, &bytes, Some(&[true, false, true]), 0, &exec);
            let found = rows_of(&test(&predicate, &strings(&column), &exec).unwrap(), &exec);
            assert_eq!(
                found,
                [Some(Value::Bit(true)), None, Some(Value::Bit(false))],
                "{predicate:?} {device}"
            );
            let column = TestColumn::new(kind, &bytes, None, 0, &exec);
            let error = test(&predicate, &strings(&column), &exec).unwrap_err();
            let reason = "a row is not UTF-8";
            assert_eq!(error, Error::InvalidArgument { name: "strings", reason }, "{predicate:?} {device}");
        }
    }
}

#[test]
fn regular_expressions_match_where_crate_regex_finds_them() {
    // Anchors, lines, words of ASCII, Unicode classes, empty matches also within characters, and long ones.
    let patterns = [
        "",
        "a",
        "ab|b",
        "^a",
        "a$",
        r"\Aab\z",
        r"(?m)^b",
        r"(?m)a$",
        r"\d+",
        r"\w\W",
        r"\p{Lu}",
        "[^a]",
        "é+",
        "(?i)É",
        ".",
        "^$",
        r"(?-u:\b)a",
        r"a(?-u:\B)",
        r"(?-u:\B)",
        r"\z",
        "a{3,5}b",
        "(a|é)*c",
        r"(?s)a.*b",
        "[[:alpha:]]{2}",
        r"\s\S",
        "(?:)",
    ];
    let parts = ["a", "b", "é", "É", "\n", "7", " ", "\u{1f980}", "ab", "c"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(42);
        for (i, pattern) in patterns.into_iter().enumerate() {
            for (j, n) in [0, 1, 33, 257, 1000].into_iter().enumerate() {
                let (offset, nulls) = ((i + j) % 9, Nulls::ALL[(i + j) % 4]);
                let text = |rng: &mut Rng| -> String {
                    let longest = if rng.below(40) == 0 { 400 } else { 7 };
                    (0..rng.below(longest)).map(|_| parts[rng.below(parts.len() as u64) as usize]).collect()
                };
                let values: Vec<Vec<u8>> = (0..offset + n).map(|_| text(&mut rng).into_bytes()).collect();
                let mask = nulls.mask(offset + n, &mut rng);
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][(i + j) % 2]);
                let column = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
                let regex = regex::Regex::new(pattern).unwrap();
                let row = |row: &Option<Vec<u8>>| {
                    Some(Value::Bit(regex.is_match(std::str::from_utf8(row.as_deref()?).unwrap())))
                };
                let expected: Vec<_> = column.rows.iter().map(row).collect();
                let compiled = Pattern::new(pattern).unwrap();
                let result = test(&Predicate::Contains(&compiled), &strings(&column), &exec).unwrap();
                let context = format!("{pattern:?} n={n} {device}");
                assert_rows(&rows_of(&result, &exec), &expected, &context);
            }
        }
    }
}

#[test]
fn patterns_without_automaton_are_not_implemented_on_devices_by_reason() {
    for (pattern, reason) in [
        (r"\bword\b", "str.contains_regex with a Unicode word boundary on this device"),
        (r"[ab]*a[ab]{20}", "str.contains_regex with an automaton of more than 1 MiB on this device"),
    ] {
        let pattern = Pattern::new(pattern).unwrap();
        for device in Device::available() {
            let exec = Exec::new(device).unwrap();
            let column =
                TestColumn::new(Kind::String(OffsetWidth::I32), &[b"a word".to_vec()], None, 0, &exec);
            let found = test(&Predicate::Contains(&pattern), &strings(&column), &exec);
            if device == Device::Host {
                assert!(found.is_ok());
            } else {
                assert_eq!(found.unwrap_err(), Error::NotImplemented { feature: reason }, "{device}");
            }
        }
    }
}

/// A table too large for shared memory, and rows that take more blocks than are launched at once.
#[test]
fn large_automata_and_many_rows_match_crate_regex() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (pattern, n) in [(r"\p{L}{2}\p{N}", 3000), ("ab", 140_000)] {
            let mut rng = Rng::new(43);
            let parts = ["a", "b", "é", "7", "中"];
            let text = |rng: &mut Rng| -> String {
                (0..rng.below(5)).map(|_| parts[rng.below(5) as usize]).collect()
            };
            let texts: Vec<String> = (0..n).map(|_| text(&mut rng)).collect();
            let values: Vec<Vec<u8>> = texts.iter().map(|text| text.clone().into_bytes()).collect();
            let column = TestColumn::new(Kind::String(OffsetWidth::I32), &values, None, 0, &exec);
            let regex = regex::Regex::new(pattern).unwrap();
            let expected: Vec<_> = texts.iter().map(|text| Some(Value::Bit(regex.is_match(text)))).collect();
            let compiled = Pattern::new(pattern).unwrap();
            let result = test(&Predicate::Contains(&compiled), &strings(&column), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &expected, &format!("{pattern} {device}"));
        }
    }
}

#[test]
fn tables_are_as_small_as_documented() {
    let bytes = super::tables::TABLES.len();
    assert!((40_000..60_000).contains(&bytes), "{bytes}");
}
