//! Examples and errors in the documentation of expressions.

use super::Finding;
use super::source::Source;

/// Where the methods of expressions are.
const EXPRESSIONS: &str = "ops/src/expression/";

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let expressions = sources
        .iter()
        .filter(|source| source.path.starts_with(EXPRESSIONS) && source.is_rust() && !source.is_test());
    expressions.flat_map(undocumented).collect()
}

/// What the documentation of a method has.
#[derive(Clone, Copy, Default)]
struct Docs {
    example: bool,
    errors: bool,
}

/// Methods that make an expression of `self`, and entries of macros that define such methods, without an example. Methods
/// without a section of errors; macros add one to their methods.
fn undocumented(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines: Vec<&str> = source.text.lines().collect();
    let mut docs: Option<Docs> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("    ///") {
            let docs = docs.get_or_insert_default();
            docs.example |= line.contains("```");
            docs.errors |= line.contains("# Errors");
            continue;
        }
        if line.starts_with("    #[") {
            continue;
        }
        let Some(docs) = docs.take() else { continue };
        let mut lacks = |name: &str, what: &str| {
            let what = format!("{name} has no {what} in its documentation");
            findings.push(Finding::new(&source.path, at + 1, what));
        };
        let method = method(&lines[at..]);
        if !docs.example
            && let Some(name) = method.or_else(|| entry(line))
        {
            lacks(name, "example");
        }
        if !docs.errors
            && let Some(name) = method
        {
            lacks(name, "section of errors");
        }
    }
    findings
}

/// The name of the method that begins here, if it makes an expression of `self`.
fn method<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let name = lines.first()?.strip_prefix("    pub fn ")?.split(['(', '<']).next()?;
    let mut signature = String::new();
    for line in lines {
        signature.push_str(line);
        if line.ends_with('{') {
            break;
        }
    }
    (signature.contains("self") && signature.contains("-> Expr ")).then_some(name)
}

/// The name of a method that a macro defines: `name => Variant;` or `name Variant;`.
fn entry(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix("    ")?.strip_suffix(';')?.split_once(' ')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !matches!(name, "pub" | "fn" | "const" | "type" | "let");
    let starts = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    (is_name && starts(rest.trim_start_matches("=> "))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[Source::new(path, text.to_owned())]).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn methods_and_entries_without_example_are_found() {
        let text = "impl Expr {\n    /// The sum.\n    /// # Errors\n    #[inline]\n    pub fn sum(self) -> Expr {\n    }\n\n    \
                    /// ```\n    /// ```\n    /// # Errors\n    pub fn mean(self) -> Expr {\n    }\n}\nparts! {\n    /// The year.\n    \
                    year => Year;\n    /// The month.\n    month Month;\n    /// ```\n    day Day;\n}";
        assert_eq!(lines("ops/src/expression/statistic.rs", text), [5, 16, 18]);
        assert!(lines("ops/src/sort/mod.rs", text).is_empty());
    }

    #[test]
    fn methods_without_errors_are_found() {
        let text = "impl Expr {\n    /// The sum.\n    /// ```\n    pub fn sum(self) -> Expr {\n    }\n}\nparts! {\n    \
                    /// ```\n    day Day;\n}";
        assert_eq!(lines("ops/src/expression/statistic.rs", text), [4]);
    }

    #[test]
    fn other_items_need_no_example() {
        let text = "    /// The namespace.\n    pub fn dt(self) -> DatetimeExpr {\n    /// A column.\n    pub fn new(\n        \
                    name: &str,\n    ) -> Expr {\n    /// A field.\n    pub rows: usize,\n    /// A type.\n    type Output = Expr;";
        assert!(lines("ops/src/expression/datetime.rs", text).is_empty());
    }
}
