//! Parts and patterns of strings in expressions, plain and in dictionaries, on every device.

use super::{Expr, col, evaluate, evaluate_mask};
use crate::groupby::{GroupOptions, aggregate};
use crate::test_frames::{frame, lines};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, Error};
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
