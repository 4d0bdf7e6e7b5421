//! What errors say: each names the method that was called, the column and the dtype, exactly once.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

mod alignment;
mod bins;
mod columnwise;
mod coverage;
mod files;
mod frames;
mod functions;
mod indexes;
mod interchange;
mod labels;
mod nested;
mod series;
mod windows;

use std::sync::Arc;

use columnade::{DataFrame, Error, Exec, df, set_default_exec};
use columnade_buffers::Limiting;

/// A call that fails.
struct Case {
    /// The function, by its path in the sources.
    function: &'static str,
    /// What the error calls it.
    method: &'static str,
    /// What it names besides: columns in quotes, expressions, dtypes.
    names: Vec<&'static str>,
    /// `None` for a call that did not fail.
    error: Option<Error>,
}

/// A failed call of a function whose last part is the method's name.
fn case<T>(function: &'static str, names: &[&'static str], result: columnade::Result<T>) -> Case {
    let method = function.rsplit("::").next().unwrap_or(function);
    called(function, method, names, result)
}

/// A failed call of a function that errors call `method`.
fn called<T>(
    function: &'static str,
    method: &'static str,
    names: &[&'static str],
    result: columnade::Result<T>,
) -> Case {
    Case { function, method, names: names.to_vec(), error: result.err() }
}

/// A string, an integer, and a struct column.
fn frame() -> DataFrame {
    let frame = df! { "k" => ["a", "b"], "n" => [1_i64, 2] }.expect("columns of one length");
    let points = frame.to_struct().expect("a struct");
    frame.with_column("s", points).expect("a column of one length")
}

/// The same columns in a context that allocates nothing.
fn without_memory(frame: &DataFrame) -> DataFrame {
    let exec = Exec::host();
    let none = Arc::new(Limiting::new(Arc::clone(exec.resource()), 0));
    DataFrame::from_accessor(frame.frame().accessor().clone(), &exec.with_resource(none))
}

/// How often `part` stands in `text` as a whole word.
fn count(text: &str, part: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let part_is_word = |c: Option<char>| c.is_some_and(is_word);
    text.match_indices(part)
        .filter(|(at, _)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + part.len()..].chars().next();
            let starts = part_is_word(part.chars().next()) && part_is_word(before);
            let ends = part_is_word(part.chars().next_back()) && part_is_word(after);
            !starts && !ends
        })
        .count()
}

fn cases() -> Vec<Case> {
    set_default_exec(Exec::host());
    let suites = [
        frames::cases,
        frames::of_joins,
        frames::of_shapes,
        frames::of_memory,
        labels::cases,
        indexes::cases,
        indexes::of_times,
        alignment::cases,
        alignment::of_sets,
        bins::cases,
        columnwise::cases,
        series::cases,
        windows::cases,
        series::of_many_rows,
        series::of_strings,
        nested::cases,
        functions::cases,
        functions::of_parts,
        functions::of_times,
        interchange::cases,
        files::cases,
    ];
    suites.into_iter().flat_map(|suite| suite()).collect()
}

/// The texts of an error and of its sources, the outermost first.
fn chain(error: &dyn std::error::Error) -> Vec<String> {
    let sources = std::iter::successors(Some(error), |error| error.source());
    sources.map(ToString::to_string).collect()
}

/// Programs that print errors with their sources, or return them from `main`, show each text once.
#[test]
fn error_chain_says_each_thing_once() {
    let mut wrong = Vec::new();
    for Case { function, error, .. } in cases() {
        let Some(error) = error else { continue };
        let texts = chain(&error);
        for (at, text) in texts.iter().enumerate() {
            if texts[at + 1..].iter().any(|inner| text.contains(inner.as_str())) {
                wrong.push(format!("{function}: a source repeats what is said: {texts:?}"));
            }
        }
        if format!("{error:?}") != texts[0] {
            wrong.push(format!("{function}: Debug is not the text: {error:?}"));
        }
        let structure = format!("{:?}", error.structure());
        if !structure.contains(['{', '(']) || structure == texts[0] {
            wrong.push(format!("{function}: no structure: {structure}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What Rust prints of a value for programmers is not for readers of errors.
#[test]
fn error_text_has_no_rust_debug_form() {
    let mut wrong = Vec::new();
    for Case { function, method, error, .. } in cases() {
        let Some(text) = error.map(|error| error.to_string()) else { continue };
        // Methods are named as Rust does.
        let rest = text.strip_prefix(method).unwrap_or(&text);
        for form in ["{ ", "Some(", "None", "::", "Ok(", "Err(", "[]"] {
            if rest.contains(form) {
                wrong.push(format!("{function}: {form} in: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn error_names_method_column_and_dtype_once() {
    let mut wrong = Vec::new();
    for Case { function, method, names, error } in cases() {
        let Some(text) = error.map(|error| error.to_string()) else {
            wrong.push(format!("{function} did not fail: {names:?}"));
            continue;
        };
        let Some(rest) = text.strip_prefix(method).filter(|rest| rest.starts_with([':', ' '])) else {
            wrong.push(format!("{function}: does not begin with {method}: {text}"));
            continue;
        };
        if count(rest, &format!("{method}:")) > 0 {
            wrong.push(format!("{function}: names {method} again: {text}"));
        }
        for name in names {
            if count(rest, name) != 1 {
                wrong.push(format!("{function}: names {name} {} times: {text}", count(rest, name)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
