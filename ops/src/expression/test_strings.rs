//! Parts and patterns of strings in expressions, plain and in dictionaries, on every device.

use super::{Expr, col, evaluate, evaluate_mask, lit};
use crate::groupby::{GroupOptions, aggregate};
use crate::test_frames::{frame, lines};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, Scalar};
use columnade_tests::{Nulls, Rng};

/// The strings of `text`, as such and as a dictionary `word` of all of them.
fn both(texts: &[Option<&str>], exec: &Exec) -> ColumnAccessor {
    let host = Exec::host();
    let mut values: Vec<&str> = texts.iter().copied().flatten().collect();
    values.sort_unstable();
    values.dedup();
    let code = |text: &str| i16::try_from(values.binary_search(&text).unwrap()).unwrap();
    let codes = Column::from_options(texts.iter().map(|text| text.map(code)), &host).unwrap();
    let dictionary = Column::from_values(values.iter().copied(), &host).unwrap();
    let word = Column::Categorical(CategoricalColumn::new(&codes, dictionary.into()).unwrap());
    ColumnAccessor::from_columns([
        ("text", Column::from_options(texts.iter().copied(), exec).unwrap()),
        ("word", word.to_device(exec).unwrap()),
    ])
    .unwrap()
}

fn texts(expr: &Expr, rows: &ColumnAccessor, exec: &Exec) -> Vec<String> {
    let (_, column) = evaluate(std::slice::from_ref(expr), rows, exec).unwrap().swap_remove(0);
    let column = column.to_device(&Exec::host()).unwrap();
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

const PHONES: [Option<&str>; 7] =
    [Some("13-702"), None, Some("31-1"), Some("1"), Some(""), Some("é🦀x"), Some("13-9")];

#[test]
fn slice_is_a_column_that_other_expressions_use() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = both(&PHONES, &exec);
        for label in ["text", "word"] {
            let part = col(label).str().slice(0, 2);
            for (expr, expected) in [
                (part.clone(), "13|<NA>|31|1||é🦀|13"),
                (col(label).str().slice(-2, None), "02|<NA>|-1|1||🦀x|-9"),
                (part.clone().str().slice(1, 1), "3|<NA>|1|||🦀|3"),
                (part.clone().eq("13"), "true|<NA>|false|false|false|false|true"),
                (part.clone().is_in(["13", "31"]), "true|<NA>|true|false|false|false|true"),
                (part.clone().str().starts_with("1"), "true|<NA>|false|true|false|false|true"),
                (part.clone().is_null(), "false|true|false|false|false|false|false"),
                (part.clone().lt(col(label)), "true|<NA>|true|false|false|true|true"),
                (col("word").eq(col("text")), "true|<NA>|true|true|true|true|true"),
                (col("word").gt(col("word").str().slice(0, 1)), "true|<NA>|true|false|false|true|true"),
            ] {
                assert_eq!(texts(&expr, &rows, &exec).join("|"), expected, "{expr} on {device}");
            }
            let (_, column) = evaluate(std::slice::from_ref(&part), &rows, &exec).unwrap().swap_remove(0);
            assert_eq!(column.dtype(), rows.get(label).unwrap().dtype(), "{label}");
            assert_eq!(part.label(), label);
            let counted = aggregate(
                &rows,
                Some(&part.clone().ne("31")),
                &[part.clone().alias("part")],
                &[super::len(), col(label).str().slice(0, 1).min().alias("least")],
                GroupOptions::default(),
                &exec,
            );
            assert_eq!(lines(&counted.unwrap()), lines(&counts(&exec)), "{label} on {device}");
        }
    }
}

/// The groups of the first two characters of [`PHONES`] but for 31.
fn counts(exec: &Exec) -> ColumnAccessor {
    ColumnAccessor::from_columns([
        ("part", Column::from_values(["13", "1", "", "é🦀"], exec).unwrap()),
        ("len", Column::from_slice(&[2_i64, 1, 1, 1], exec).unwrap()),
        ("least", Column::from_values(["1", "1", "", "é"], exec).unwrap()),
    ])
    .unwrap()
}

#[test]
fn slice_of_random_strings_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(9);
        for (n, nulls) in [(0, Nulls::NoMask), (31, Nulls::Some), (65, Nulls::All), (257, Nulls::Some)] {
            let rows = frame(n, 60, nulls, &mut rng, &exec);
            for label in ["text", "word"] {
                let whole = texts(&col(label), &rows, &exec);
                let expected: Vec<String> =
                    whole
                        .iter()
                        .map(|text| {
                            if text == "<NA>" { text.clone() } else { text.chars().skip(1).take(2).collect() }
                        })
                        .collect();
                assert_eq!(
                    texts(&col(label).str().slice(1, 2), &rows, &exec),
                    expected,
                    "{label} {n} {device}"
                );
            }
        }
    }
}

/// Each row's string is searched for that of another column, whose dtype and device's width may differ.
#[test]
fn strings_that_have_those_of_another_column_match_the_standard_library() {
    const PARTS: [Option<&str>; 7] =
        [Some("13"), Some("x"), Some("31-1"), Some("12"), Some(""), Some("🦀"), None];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut columns = both(&PHONES, &exec);
        for (label, column) in [("text part", "text"), ("word part", "word")] {
            let part = both(&PARTS, &exec).get(column).unwrap().clone();
            columns.insert(label, part).unwrap();
        }
        let rows = columns.slice(1, 6).unwrap();
        let expected = |test: fn(&str, &str) -> bool, parts: &[Option<&str>]| {
            let pairs = PHONES[1..].iter().zip(parts);
            pairs.map(|(a, b)| a.zip(*b).map_or("<NA>".to_owned(), |(a, b)| test(a, b).to_string())).collect()
        };
        let same = [Some("1"); 6];
        for (strings, part, parts) in [
            ("text", col("text part"), &PARTS[1..]),
            ("text", col("word part"), &PARTS[1..]),
            ("word", col("text part"), &PARTS[1..]),
            ("word", col("word part").str().lower(), &PARTS[1..]),
            ("word", lit("1"), &same),
        ] {
            let strings = || col(strings).str();
            for (expr, test) in [
                (strings().starts_with(part.clone()), (|a, b| a.starts_with(b)) as fn(&str, &str) -> bool),
                (strings().ends_with(&part), |a, b| a.ends_with(b)),
                (strings().contains(part.clone()), |a, b| a.contains(b)),
            ] {
                let expected: Vec<String> = expected(test, parts);
                assert_eq!(texts(&expr, &rows, &exec), expected, "{expr} on {device}");
            }
        }
        let constant = lit("a-13").str().ends_with(col("text part"));
        assert_eq!(texts(&constant, &rows, &exec).join("|"), "false|false|false|true|false|<NA>");
        let mut numbers = rows.clone();
        numbers.insert("n", Column::from_values(0..6_i64, &exec).unwrap()).unwrap();
        let refused = evaluate(&[col("text").str().contains(col("n"))], &numbers, &exec).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "expression text.str().contains(n): dtype int64 is not supported",
            "{device}"
        );
    }
}

#[test]
fn patterns_with_escapes_match_or_name_the_position() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = both(&[Some("50%"), None, Some("50x"), Some("a_b"), Some("!")], &exec);
        for label in ["text", "word"] {
            for (expr, expected) in [
                (col(label).str().like_escape("%!%", '!'), "true <NA> false false false"),
                (col(label).str().like_escape("_!__", '!'), "false <NA> false true false"),
                (col(label).str().like_escape("!!", '!'), "false <NA> false false true"),
                (col(label).str().not_like("50_"), "false <NA> false true true"),
                (col(label).str().ilike_escape("50!%", '!'), "true <NA> false false false"),
                (col(label).str().ilike_escape("_!__", '!'), "false <NA> false true false"),
                (col(label).str().ilike_escape("!!", '!'), "false <NA> false false true"),
            ] {
                assert_eq!(texts(&expr, &rows, &exec).join(" "), expected, "{expr} on {device}");
            }
        }
        for (pattern, position, reason) in
            [("é!", 1, "nothing follows the escape"), ("!%!x", 2, "the escape is not before %, _ or itself")]
        {
            let expr = col("text").str().like_escape(pattern, '!');
            let error =
                Error::InvalidPattern { pattern: pattern.to_owned(), position, reason: reason.into() };
            let refused = evaluate_mask(&expr, &rows, &exec).unwrap_err();
            assert_eq!(refused, error.in_expression(&expr), "{device}");
        }
    }
}

/// Whether `text` matches a pattern in whatever case, character by character: the naive meaning.
fn matches_in_any_case(text: &[char], pattern: &[char], escape: char) -> bool {
    let is_same = |a: char, b: char| a.to_lowercase().eq(b.to_lowercase());
    match (pattern, text) {
        ([], _) => text.is_empty(),
        ([sign, literal, rest @ ..], _) if *sign == escape => {
            text.first().is_some_and(|&first| is_same(first, *literal))
                && matches_in_any_case(&text[1..], rest, escape)
        }
        (['%', rest @ ..], _) => (0..=text.len()).any(|at| matches_in_any_case(&text[at..], rest, escape)),
        (['_', rest @ ..], [_, others @ ..]) => matches_in_any_case(others, rest, escape),
        ([literal, rest @ ..], [first, others @ ..]) => {
            is_same(*first, *literal) && matches_in_any_case(others, rest, escape)
        }
        (_, []) => false,
    }
}

#[test]
fn ilike_with_an_escape_compares_in_lower_case_but_for_the_escape() {
    let values = ["50%", "Ab_C", "aB\\c", "É%", "é", "x", "X", "", "a\\%", "100%\\_", "abxc"];
    let patterns = [
        ("50!%", '!'),
        ("%!%", '!'),
        ("AB!_c", '!'),
        ("ab\\c", '!'),
        ("é!%", '!'),
        ("É", '!'),
        ("%!!%", '!'),
        ("", '!'),
        // An escape that is a letter, a backslash, or a letter that others are in lower case.
        ("xxX", 'x'),
        ("Xx%", 'x'),
        ("XX", 'X'),
        ("xXX", 'X'),
        ("a\\\\\\%", '\\'),
        ("%\\\\\\_", '\\'),
        ("ab%C", '!'),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for size in [0, 1, 33, 300] {
            let rows: Vec<Option<&str>> = (0..size)
                .map(|row| if row % 7 == 3 { None } else { Some(values[row % values.len()]) })
                .collect();
            let frame = both(&rows, &exec);
            for (pattern, escape) in patterns {
                let characters: Vec<char> = pattern.chars().collect();
                let expected: Vec<String> = rows
                    .iter()
                    .map(|text| {
                        text.map_or("<NA>".to_owned(), |text| {
                            let text: Vec<char> = text.chars().collect();
                            matches_in_any_case(&text, &characters, escape).to_string()
                        })
                    })
                    .collect();
                for label in ["text", "word"] {
                    let expr = col(label).str().ilike_escape(pattern, escape);
                    assert_eq!(texts(&expr, &frame, &exec), expected, "{expr} on {device}");
                }
            }
            for (pattern, position) in [("É!", 1), ("!%!x", 2)] {
                let refused = evaluate_mask(&col("text").str().ilike_escape(pattern, '!'), &frame, &exec);
                let refused = refused.unwrap_err().without_context();
                let found = matches!(&refused, Error::InvalidPattern { pattern: p, position: at, .. }
                    if p == pattern && *at == position);
                assert!(found, "{refused}");
            }
        }
    }
}

#[test]
fn columns_that_are_split_from_the_end_are_those_of_the_standard_library() {
    let values = ["a-b-c", "d", "", "-", "é-🦀--x", "a--b", "--", "no separator", "a-"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for size in [0, 1, 31, 257] {
            let rows: Vec<Option<&str>> = (0..size)
                .map(|row| if row % 5 == 2 { None } else { Some(values[row % values.len()]) })
                .collect();
            let whole = both(&rows, &exec);
            let skipped = size.min(2);
            let sliced = whole.columns().iter().map(|column| column.slice(skipped, size - skipped).unwrap());
            let sliced = ColumnAccessor::from_columns(["text", "word"].into_iter().zip(sliced)).unwrap();
            for (separator, n) in [("-", 1), ("-", 2), ("-", 3), ("--", 2), ("é", 2)] {
                for (frame, rows) in [(&whole, &rows[..]), (&sliced, &rows[skipped..])] {
                    for label in ["text", "word"] {
                        let made = col(label).str().rsplit_columns(separator, n);
                        assert_eq!(made.len(), n);
                        for (position, expr) in made.iter().enumerate() {
                            assert_eq!(expr.label(), format!("{label}_{position}"));
                            let expected: Vec<String> = rows
                                .iter()
                                .map(|text| {
                                    let mut parts: Vec<&str> =
                                        text.iter().flat_map(|text| text.rsplitn(n, separator)).collect();
                                    parts.reverse();
                                    parts.get(position).map_or("<NA>", |part| *part).to_owned()
                                })
                                .collect();
                            assert_eq!(texts(expr, frame, &exec), expected, "{expr} on {device}");
                        }
                    }
                }
            }
        }
        let refused = evaluate(&col("text").str().rsplit_columns("", 2), &both(&[Some("a")], &exec), &exec);
        assert!(refused.unwrap_err().to_string().contains("separator"), "{device}");
    }
}

#[test]
fn bytes_are_compared_with_constants_that_are_no_text() {
    let values: [&[u8]; 6] = [b"", b"a", b"a\xff", b"\xff", b"\x00", "é".as_bytes()];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for size in [0, 1, 33, 257] {
            let rows: Vec<Scalar> = (0..=size)
                .map(|row| {
                    if row % 5 == 2 {
                        Scalar::Null(DType::Binary)
                    } else {
                        Scalar::Binary(values[row % 6].to_vec())
                    }
                })
                .collect();
            let column = Column::from_scalars(&DType::Binary, &rows, &exec).unwrap().slice(1, size).unwrap();
            let frame = ColumnAccessor::from_columns([("b", column)]).unwrap();
            for constant in values {
                let of = || lit(Scalar::Binary(constant.to_vec()));
                let expected = |holds: fn(&[u8], &[u8]) -> bool| -> Vec<String> {
                    let shown = |row: &Scalar| match row {
                        Scalar::Binary(value) => holds(value, constant).to_string(),
                        _ => "<NA>".to_owned(),
                    };
                    rows[1..].iter().map(shown).collect()
                };
                assert_eq!(texts(&col("b").eq(of()), &frame, &exec), expected(|a, b| a == b), "{device}");
                assert_eq!(texts(&col("b").lt(of()), &frame, &exec), expected(|a, b| a < b), "{device}");
                assert_eq!(texts(&of().le(col("b")), &frame, &exec), expected(|a, b| a >= b), "{device}");
            }
        }
    }
}
