//! The width of Markdown, and the names of tests.

use super::Finding;
use super::source::{Source, find_word};

/// The most characters of a line of Markdown.
const COLUMNS: usize = 100;

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let markdown = sources.iter().filter(|source| source.extension() == "md").flat_map(wide);
    let tests = sources.iter().filter(|source| source.is_rust()).flat_map(riddles);
    markdown.chain(tests).collect()
}

/// Lines that could be wrapped: no code, table or heading, nor a single long word such as a link.
fn wide(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut in_code = false;
    for (number, line) in (1..).zip(source.text.lines()) {
        let text = line.trim_start();
        if text.starts_with("```") {
            in_code = !in_code;
        }
        let width = line.chars().count();
        let is_fixed = in_code || text.starts_with(['|', '#']) || text.split_whitespace().count() < 3;
        if width > COLUMNS && !is_fixed {
            let what = format!("{width} columns, {COLUMNS} allowed");
            findings.push(Finding::new(&source.path, number, what));
        }
    }
    findings
}

/// Names such as `what_is_below_stays`, which say neither subject nor condition.
fn riddles(source: &Source) -> Vec<Finding> {
    let named =
        |line: &str| find_word(line, "fn").is_some_and(|at| line[at + 2..].trim_start().starts_with("what_"));
    let lines = source.code_lines().filter(|(_, line)| named(line));
    let what = "a test is named for its subject, condition and result, not what_...";
    lines.map(|(number, _)| Finding::new(&source.path, number, what)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[Source::new(path, text.to_owned())]).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn wide_paragraphs_are_refused() {
        let wide = "word ".repeat(21);
        let text = format!(
            "{wide}\n| {wide}\n# {wide}\n```\n{wide}\n```\n- {wide}\n- [x](http://{})",
            "y".repeat(100)
        );
        assert_eq!(lines("docs/a.md", &text), [1, 7]);
        assert!(lines("a.txt", &text).is_empty());
    }

    #[test]
    fn tests_that_begin_with_what_are_refused() {
        let text =
            "#[test]\nfn what_is_null_stays() {}\n#[test]\nfn nulls_stay() {}\nfn whatever() {}\n// fn what_";
        assert_eq!(lines("ops/src/tests.rs", text), [2]);
    }
}
