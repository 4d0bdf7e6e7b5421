//! Parts of strings, tests of their characters and regular expressions, against what Python's `str` and `re` give.

use super::{Expr, StringExpr, col, evaluate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error};

/// The words, and the same as a dictionary.
fn rows(exec: &Exec) -> ColumnAccessor {
    let words = Column::from_options(WORDS, &Exec::host()).unwrap();
    let kinds = Column::Categorical(CategoricalColumn::encode(&words).unwrap());
    ColumnAccessor::from_columns([
        ("word", words.to_device(exec).unwrap()),
        ("kind", kinds.to_device(exec).unwrap()),
    ])
    .unwrap()
}

fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

const WORDS: [Option<&str>; 13] = [
    Some("a-b-c"),
    None,
    Some(""),
    Some("-"),
    Some("é-ü"),
    Some("  two words  "),
    Some("--"),
    Some("no"),
    Some("ß1"),
    Some("١٢"),
    Some("Title Case"),
    Some("UP-x"),
    Some("a\u{3000}b"),
];

/// Each expression over the words, and its values.
#[expect(clippy::too_many_lines, reason = "a table")]
fn cases(word: &dyn Fn() -> StringExpr) -> Vec<(Expr, [&'static str; 13])> {
    vec![
        (word().rfind("-"), ["3", "<NA>", "-1", "0", "1", "-1", "1", "-1", "-1", "-1", "-1", "2", "-1"]),
        (word().rfind(""), ["5", "<NA>", "0", "1", "3", "13", "2", "2", "2", "2", "10", "4", "3"]),
        (word().find("ü"), ["-1", "<NA>", "-1", "-1", "2", "-1", "-1", "-1", "-1", "-1", "-1", "-1", "-1"]),
        (word().count("-"), ["2", "<NA>", "0", "1", "1", "0", "2", "0", "0", "0", "0", "1", "0"]),
        (word().count(""), ["6", "<NA>", "1", "2", "4", "14", "3", "3", "3", "3", "11", "5", "4"]),
        (
            word().split("-", None),
            [
                "[a, b, c]",
                "<NA>",
                "[]",
                "[, ]",
                "[é, ü]",
                "[  two words  ]",
                "[, , ]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title Case]",
                "[UP, x]",
                "[a\u{3000}b]",
            ],
        ),
        (
            word().split("-", 1),
            [
                "[a, b-c]",
                "<NA>",
                "[]",
                "[, ]",
                "[é, ü]",
                "[  two words  ]",
                "[, -]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title Case]",
                "[UP, x]",
                "[a\u{3000}b]",
            ],
        ),
        (
            word().rsplit("-", 1),
            [
                "[a-b, c]",
                "<NA>",
                "[]",
                "[, ]",
                "[é, ü]",
                "[  two words  ]",
                "[-, ]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title Case]",
                "[UP, x]",
                "[a\u{3000}b]",
            ],
        ),
        (
            word().rsplit("-", None),
            [
                "[a, b, c]",
                "<NA>",
                "[]",
                "[, ]",
                "[é, ü]",
                "[  two words  ]",
                "[, , ]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title Case]",
                "[UP, x]",
                "[a\u{3000}b]",
            ],
        ),
        (
            word().split(None, None),
            [
                "[a-b-c]",
                "<NA>",
                "[]",
                "[-]",
                "[é-ü]",
                "[two, words]",
                "[--]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title, Case]",
                "[UP-x]",
                "[a, b]",
            ],
        ),
        (
            word().split(None, 1),
            [
                "[a-b-c]",
                "<NA>",
                "[]",
                "[-]",
                "[é-ü]",
                "[two, words  ]",
                "[--]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title, Case]",
                "[UP-x]",
                "[a, b]",
            ],
        ),
        (
            word().rsplit(None, 1),
            [
                "[a-b-c]",
                "<NA>",
                "[]",
                "[-]",
                "[é-ü]",
                "[  two, words]",
                "[--]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title, Case]",
                "[UP-x]",
                "[a, b]",
            ],
        ),
        (
            word().partition("-")[0].clone(),
            [
                "a",
                "<NA>",
                "",
                "",
                "é",
                "  two words  ",
                "",
                "no",
                "ß1",
                "١٢",
                "Title Case",
                "UP",
                "a\u{3000}b",
            ],
        ),
        (word().rpartition("-")[0].clone(), ["a-b", "<NA>", "", "", "é", "", "-", "", "", "", "", "UP", ""]),
        (word().partition("-")[1].clone(), ["-", "<NA>", "", "-", "-", "", "-", "", "", "", "", "-", ""]),
        (word().rpartition("-")[1].clone(), ["-", "<NA>", "", "-", "-", "", "-", "", "", "", "", "-", ""]),
        (word().partition("-")[2].clone(), ["b-c", "<NA>", "", "", "ü", "", "-", "", "", "", "", "x", ""]),
        (
            word().rpartition("-")[2].clone(),
            [
                "c",
                "<NA>",
                "",
                "",
                "ü",
                "  two words  ",
                "",
                "no",
                "ß1",
                "١٢",
                "Title Case",
                "x",
                "a\u{3000}b",
            ],
        ),
        (
            word().split_part("-", 1),
            ["b", "<NA>", "<NA>", "", "ü", "<NA>", "", "<NA>", "<NA>", "<NA>", "<NA>", "x", "<NA>"],
        ),
        (
            word().split_part("-", -1),
            [
                "c",
                "<NA>",
                "",
                "",
                "ü",
                "  two words  ",
                "",
                "no",
                "ß1",
                "١٢",
                "Title Case",
                "x",
                "a\u{3000}b",
            ],
        ),
        (
            word().split_part("-", -3),
            ["a", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>"],
        ),
        (
            word().split_columns("-", 2)[1].clone(),
            ["b-c", "<NA>", "<NA>", "", "ü", "<NA>", "-", "<NA>", "<NA>", "<NA>", "<NA>", "x", "<NA>"],
        ),
        (word().get(1), ["-", "<NA>", "<NA>", "<NA>", "-", " ", "-", "o", "1", "٢", "i", "P", "\u{3000}"]),
        (word().get(-2), ["-", "<NA>", "<NA>", "<NA>", "-", " ", "-", "n", "ß", "١", "s", "-", "\u{3000}"]),
        (
            word().slice_replace(1, 1, "<>"),
            [
                "a<>b-c",
                "<NA>",
                "<>",
                "-<>",
                "é<>ü",
                " <>two words  ",
                "-<>",
                "n<>",
                "ß<>",
                "١<>",
                "T<>tle Case",
                "U<>-x",
                "a<>b",
            ],
        ),
        (
            word().slice_replace(-1, None, "<>"),
            [
                "a-b-<>",
                "<NA>",
                "<>",
                "<>",
                "é-<>",
                "  two words <>",
                "-<>",
                "n<>",
                "ß<>",
                "١<>",
                "Title Cas<>",
                "UP-<>",
                "a\u{3000}<>",
            ],
        ),
        (
            word().swapcase(),
            [
                "A-B-C",
                "<NA>",
                "",
                "-",
                "É-Ü",
                "  TWO WORDS  ",
                "--",
                "NO",
                "SS1",
                "١٢",
                "tITLE cASE",
                "up-X",
                "A\u{3000}B",
            ],
        ),
        (
            word().translate([('-', None), ('é', Some('e')), ('a', Some('ä'))]),
            [
                "äbc",
                "<NA>",
                "",
                "",
                "eü",
                "  two words  ",
                "",
                "no",
                "ß1",
                "١٢",
                "Title Cäse",
                "UPx",
                "ä\u{3000}b",
            ],
        ),
        (
            word().is_alpha(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "true", "false", "false",
                "false", "false", "false",
            ],
        ),
        (
            word().is_numeric(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "false", "false", "true",
                "false", "false", "false",
            ],
        ),
        (
            word().is_decimal(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "false", "false", "true",
                "false", "false", "false",
            ],
        ),
        (
            word().is_alnum(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "true", "true", "true",
                "false", "false", "false",
            ],
        ),
        (
            word().is_space(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "false", "false", "false",
                "false", "false", "false",
            ],
        ),
        (
            word().is_lower(),
            [
                "true", "<NA>", "false", "false", "true", "true", "false", "true", "true", "false", "false",
                "false", "true",
            ],
        ),
        (
            word().is_upper(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "false", "false", "false",
                "false", "false", "false",
            ],
        ),
        (
            word().is_title(),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "false", "false", "false",
                "true", "false", "false",
            ],
        ),
        (
            word().is_ascii(),
            [
                "true", "<NA>", "true", "true", "false", "true", "true", "true", "false", "false", "true",
                "true", "false",
            ],
        ),
        (
            word().ilike("%T%"),
            [
                "false", "<NA>", "false", "false", "false", "true", "false", "false", "false", "false",
                "true", "false", "false",
            ],
        ),
        (
            word().contains_regex(r"\w-\w"),
            [
                "true", "<NA>", "false", "false", "true", "false", "false", "false", "false", "false",
                "false", "true", "false",
            ],
        ),
        (
            word().contains_regex(r"\d"),
            [
                "false", "<NA>", "false", "false", "false", "false", "false", "false", "true", "true",
                "false", "false", "false",
            ],
        ),
        (
            word().match_regex(r"[a-z]|-$"),
            [
                "true", "<NA>", "false", "true", "false", "false", "false", "true", "false", "false",
                "false", "false", "true",
            ],
        ),
        (
            word().fullmatch_regex(r"\w+|-+"),
            [
                "false", "<NA>", "false", "true", "false", "false", "true", "true", "true", "true", "false",
                "false", "false",
            ],
        ),
        (word().count_regex(r"\w"), ["3", "<NA>", "0", "0", "2", "8", "0", "2", "2", "2", "9", "3", "2"]),
        (
            word().replace_regex(r"(\w)-(\w)", "$2+$1", None),
            [
                "b+a-c",
                "<NA>",
                "",
                "-",
                "ü+é",
                "  two words  ",
                "--",
                "no",
                "ß1",
                "١٢",
                "Title Case",
                "Ux+P",
                "a\u{3000}b",
            ],
        ),
        (
            word().replace_regex("-", "", 1),
            [
                "ab-c",
                "<NA>",
                "",
                "",
                "éü",
                "  two words  ",
                "-",
                "no",
                "ß1",
                "١٢",
                "Title Case",
                "UPx",
                "a\u{3000}b",
            ],
        ),
        (
            word().replace_regex("-", "", 0),
            [
                "a-b-c",
                "<NA>",
                "",
                "-",
                "é-ü",
                "  two words  ",
                "--",
                "no",
                "ß1",
                "١٢",
                "Title Case",
                "UP-x",
                "a\u{3000}b",
            ],
        ),
        (
            word().extract(r"(\w)-(\w)", 2),
            ["b", "<NA>", "<NA>", "<NA>", "ü", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "x", "<NA>"],
        ),
        (
            word().extract(r"(x)|-(.)", 1),
            [
                "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>", "<NA>",
                "<NA>", "<NA>",
            ],
        ),
        (
            word().extract(r"\w+", 0),
            ["a", "<NA>", "<NA>", "<NA>", "é", "two", "<NA>", "no", "ß1", "١٢", "Title", "UP", "a"],
        ),
        (
            word().extract_all(r"\w", 0),
            [
                "[a, b, c]",
                "<NA>",
                "[]",
                "[]",
                "[é, ü]",
                "[t, w, o, w, o, r, d, s]",
                "[]",
                "[n, o]",
                "[ß, 1]",
                "[١, ٢]",
                "[T, i, t, l, e, C, a, s, e]",
                "[U, P, x]",
                "[a, b]",
            ],
        ),
        (
            word().extract_all(r"(\w)-|(c)", 1),
            ["[a, b, ]", "<NA>", "[]", "[]", "[é]", "[]", "[]", "[]", "[]", "[]", "[]", "[P]", "[]"],
        ),
        (
            word().split_regex(r"-|\s", None),
            [
                "[a, b, c]",
                "<NA>",
                "[]",
                "[, ]",
                "[é, ü]",
                "[, , two, words, , ]",
                "[, , ]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title, Case]",
                "[UP, x]",
                "[a, b]",
            ],
        ),
        (
            word().split_regex(r"-|\s", 1),
            [
                "[a, b-c]",
                "<NA>",
                "[]",
                "[, ]",
                "[é, ü]",
                "[,  two words  ]",
                "[, -]",
                "[no]",
                "[ß1]",
                "[١٢]",
                "[Title, Case]",
                "[UP, x]",
                "[a, b]",
            ],
        ),
    ]
}

#[test]
fn functions_of_strings_and_dictionaries_are_those_of_python() {
    let exec = Exec::host();
    let all = rows(&exec);
    for name in ["word", "kind"] {
        for (expr, expected) in cases(&|| col(name).str()) {
            let (_, column) = evaluate(std::slice::from_ref(&expr), &all, &exec).unwrap().swap_remove(0);
            assert_eq!(texts(&column), expected, "{expr}");
            let is_dictionary = matches!(column.dtype(), DType::Dictionary(_));
            let is_text = *column.dtype().logical() == DType::Utf8;
            assert_eq!(
                is_dictionary,
                name == "kind" && is_text && !expr.to_string().contains("like"),
                "{expr}"
            );
            for (start, len) in [(1, 7), (3, 1), (5, 0)] {
                let some = all.slice(start, len).unwrap();
                let (_, column) = evaluate(std::slice::from_ref(&expr), &some, &exec).unwrap().swap_remove(0);
                assert_eq!(texts(&column), expected[start..start + len], "{expr}");
            }
        }
    }
}

#[test]
fn functions_are_the_same_on_every_device() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let mut missing = 0;
        for (expr, expected) in cases(&|| col("word").str()) {
            let found = evaluate(std::slice::from_ref(&expr), &rows(&exec), &exec);
            // Groups of regular expressions: `$1`, `(a)` by its number.
            let text = expr.to_string();
            let has_groups = text.contains("$2") || text.contains("extract") && !text.ends_with(", 0)");
            if has_groups {
                let error = found.unwrap_err().to_string();
                let is_group = error.contains("of a group") || error.contains("with groups");
                assert!(is_group && error.ends_with("on this device is not implemented"), "{expr}: {error}");
                missing += 1;
            } else {
                assert_eq!(texts(&found.unwrap()[0].1), expected, "{expr} on {device}");
            }
        }
        assert_eq!(missing, 4, "{device}");
    }
}

#[test]
fn bad_patterns_and_groups_are_errors_with_their_position() {
    let exec = Exec::host();
    let all = rows(&exec);
    for (pattern, position, reason) in [
        ("é(a", 1, "unclosed group"),
        ("a{2,1}", 1, "invalid repetition count range"),
        ("[z-a]", 1, "invalid character class range"),
        ("*", 0, "repetition operator missing"),
    ] {
        let word = || col("word").str();
        for expr in [
            word().contains_regex(pattern),
            word().fullmatch_regex(pattern),
            word().count_regex(pattern),
            word().replace_regex(pattern, "", None),
            word().extract(pattern, 0),
            word().extract_all(pattern, 0),
            word().split_regex(pattern, None),
        ] {
            let error = evaluate(std::slice::from_ref(&expr), &all, &exec).unwrap_err();
            let Error::Context { source, .. } = &error else { panic!("{error}") };
            let Error::InvalidPattern { position: found, reason: why, .. } = &**source else {
                panic!("{error}")
            };
            assert_eq!(*found, position, "{error}");
            assert!(why.contains(reason), "{error}");
        }
    }
    let error = evaluate(&[col("word").str().extract("(a)", 2)], &all, &exec).unwrap_err();
    assert!(error.to_string().contains("has 1 groups, not 2"), "{error}");
    for (pattern, to, unknown) in [
        ("(a)", "$2", "2"),
        ("(a)", "$1b", "1b"),
        ("(a)", "$$$1${zz}", "zz"),
        ("(a)", "${}", ""),
        ("a", "<$1>", "1"),
        ("(?P<x>a)", "$y", "y"),
    ] {
        let error = evaluate(&[col("word").str().replace_regex(pattern, to, None)], &all, &exec).unwrap_err();
        let groups = usize::from(pattern.contains('('));
        let expected = format!("to: {pattern:?} has {groups} groups, and no group {unknown:?}");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    for (pattern, to) in [("(?P<x>a)", "$x ${1}${x}b$0 $$2 $ ${ $-"), ("a", "100 $")] {
        evaluate(&[col("word").str().replace_regex(pattern, to, None)], &all, &exec).unwrap();
    }
    let error = evaluate(&[col("word").str().partition("")[0].clone()], &all, &exec).unwrap_err();
    assert!(error.to_string().contains("separator: it is empty"), "{error}");
}
