//! A file as text, and as code with comments and literals blanked out.

/// A text file of the workspace.
pub(super) struct Source {
    /// From the workspace's folder, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    /// The text with a blank in place of every character of a comment, a string or a character literal; lines
    /// keep their places. Equal to the text for files that are neither Rust nor C++.
    pub(super) code: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    Rust,
    Cpp,
}

impl Source {
    pub(super) fn new(path: &str, text: String) -> Self {
        let code = language(path).map_or_else(|| text.clone(), |language| blank(&text, language));
        Self { path: path.to_owned(), text, code }
    }

    pub(super) fn extension(&self) -> &str {
        extension(&self.path)
    }

    pub(super) fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    /// Whether [`code`](Self::code) has no comments and literals.
    pub(super) fn is_program(&self) -> bool {
        language(&self.path).is_some()
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The path without its last part.
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether the file is only compiled for tests, benchmarks or examples.
    pub(super) fn is_test(&self) -> bool {
        self.name() == "tests.rs"
            || self.name().starts_with("test_")
            || self.path.split('/').any(|part| matches!(part, "tests" | "benches" | "examples"))
    }

    /// Lines of code, counted from 1.
    pub(super) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.code.lines())
    }
}

/// Whether `word` stands in `line` with no letter, digit or underscore on either side; where, if so.
pub(super) fn find_word(line: &str, word: &str) -> Option<usize> {
    let part_of_word = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    })
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn language(path: &str) -> Option<Language> {
    match extension(path) {
        "rs" => Some(Language::Rust),
        "c" | "cu" | "cuh" | "h" | "cpp" | "inc" => Some(Language::Cpp),
        _ => None,
    }
}

/// Replaces what is no code by blanks.
fn blank(text: &str, language: Language) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut after_word = false;
    while let Some(first) = rest.chars().next() {
        let skipped = literal(rest, language, after_word);
        let taken = skipped.unwrap_or(first.len_utf8());
        let (taken_text, tail) = rest.split_at(taken.min(rest.len()));
        if skipped.is_some() {
            code.extend(taken_text.chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
        } else {
            code.push_str(taken_text);
        }
        after_word = skipped.is_none() && (first.is_alphanumeric() || first == '_');
        rest = tail;
    }
    code
}

/// The length of the comment or literal that `rest` begins with.
fn literal(rest: &str, language: Language, after_word: bool) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest, language));
    }
    if rest.starts_with('"') {
        return Some(quoted(rest, '"'));
    }
    if after_word {
        return None;
    }
    if language == Language::Rust
        && let Some(hashed) = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))
    {
        let hashes = hashed.len() - hashed.trim_start_matches('#').len();
        if hashed[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let open = rest.len() - hashed.len() + hashes + 1;
            return Some(rest[open..].find(&end).map_or(rest.len(), |at| open + at + end.len()));
        }
    }
    if language == Language::Rust
        && let Some(byte) = rest.strip_prefix('b').filter(|byte| byte.starts_with('\''))
    {
        return Some(1 + quoted(byte, '\''));
    }
    if let Some(inside) = rest.strip_prefix('\'') {
        // A lifetime has no second quote after one character.
        let mut characters = inside.chars();
        let escaped = characters.next() == Some('\\');
        return (escaped || characters.next() == Some('\'') || language == Language::Cpp)
            .then(|| quoted(rest, '\''));
    }
    None
}

/// The length of a block comment; Rust's nest.
fn block_comment(rest: &str, language: Language) -> usize {
    let mut depth = 1_usize;
    let mut at = 2;
    while depth > 0 {
        let tail = &rest[at..];
        let Some(close) = tail.find("*/") else { return rest.len() };
        match tail.find("/*") {
            Some(open) if open < close && language == Language::Rust => {
                depth += 1;
                at += open + 2;
            }
            _ => {
                depth -= 1;
                at += close + 2;
            }
        }
    }
    at
}

/// The length of a literal between two `quote`s, with `\` as escape.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        if !escaped && character == quote {
            return at + quote.len_utf8();
        }
        escaped = !escaped && character == '\\';
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked() {
        let rust = |text: &str| blank(text, Language::Rust);
        assert_eq!(rust("a // b\nc"), "a     \nc");
        assert_eq!(rust("a /* b /* c */ d */ e"), "a                   e");
        assert_eq!(rust(r#"f("x\"y", 1)"#), "f(      , 1)");
        assert_eq!(rust(r##"f(r#"x"y"#)"##), "f(        )");
        assert_eq!(rust("b'\\'' + 'x' + <'a>"), "      +     + <'a>");
        assert_eq!(rust("for r in x"), "for r in x");
        assert_eq!(rust("\"é\nz\" ok"), "  \n   ok");
    }

    #[test]
    fn c_comments_do_not_nest() {
        assert_eq!(blank("/* /* */ a", Language::Cpp), "         a");
        assert_eq!(blank("1'000'000 + 'x'", Language::Cpp), "1'000'000 +    ");
    }

    #[test]
    fn find_word_matches_whole_words() {
        assert_eq!(find_word("unsafe_code unsafe", "unsafe"), Some(12));
        assert_eq!(find_word("not_unsafe", "unsafe"), None);
    }
}
