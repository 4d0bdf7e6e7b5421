//! Names and prose use the terms of cuDF, Arrow, pandas, CUDA and RMM: the glossary of `CONTRIBUTING.md`.

use std::collections::BTreeSet;

use super::Finding;
use super::source::Source;

/// Where a word is refused.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    /// In identifiers, file names and prose.
    Everywhere,
    /// As a part of an identifier or a file name: the word has innocent meanings in prose.
    Names,
    /// As a whole identifier.
    Identifier,
    /// As the name of a file or folder.
    File,
    /// In prose.
    Prose,
}

use Scope::{Everywhere, File, Identifier, Names, Prose};

/// Words and phrases in lower case, and the terms to use instead. `#` stands for a number.
const WORDS: &[(Scope, &[&str], &str)] = &[
    (Everywhere, &["border", "borders"], "interchange, FFI, boundary"),
    (Everywhere, &["twin", "twins"], "host implementation, counterpart, reference implementation"),
    (Everywhere, &["home"], "resident, on the device, unspill"),
    (Everywhere, &["room", "rooms"], "reservation, slot (of a tier), space"),
    (Everywhere, &["piece", "pieces"], "chunk, part"),
    (Everywhere, &["lent", "lend", "lends", "lending"], "exported, export"),
    (Everywhere, &["habit", "habits"], "eviction policy"),
    (Everywhere, &["rhythm", "rhythms"], "reuse interval"),
    (Everywhere, &["quarantine", "quarantined"], "deferred free"),
    (Everywhere, &["strike", "strikes"], "failpoint"),
    (Everywhere, &["solo"], "exclusive retry"),
    (
        Everywhere,
        &["nobody", "somebody", "anybody", "everybody", "whoever"],
        "the caller, a thread, a stream, a consumer, or the passive voice",
    ),
    (
        Prose,
        &["whom", "who frees", "who holds", "who uses", "who waits", "who owns", "who reads", "who writes"],
        "the caller, a thread, a stream, a consumer, or the passive voice",
    ),
    (Names, &["turn", "turns"], "exclusive retry, round"),
    (Names, &["worth"], "min_worthwhile, benefit"),
    (Names, &["aside"], "reserved"),
    (Identifier, &["Cut"], "ChunkPlan"),
    (Identifier, &["Needs"], "MemoryEstimate"),
    (Identifier, &["Least"], "min_chunk"),
    (Identifier, &["Text"], "String, or Utf8 for Arrow's type"),
    (File, &["walk"], "array"),
    (File, &["ends"], "offsets"),
    (File, &["known"], "dictionary_cache"),
    (File, &["apply_mask"], "filter"),
    (Prose, &["set aside", "sets aside", "setting aside"], "reserve"),
    (Prose, &["point in time", "points in time"], "timestamp"),
    (Prose, &["float of #", "floats of #"], "float16, float32, float64"),
    (Prose, &["times told"], "host and device implementations"),
    (Prose, &["# % below"], "p99, or less than"),
    (Prose, &["finds its things in"], "main modules"),
    (Prose, &["the interpreter"], "Miri"),
];

/// Where a word may stand for once, and why: a file, a folder that ends with `/`, or an identifier.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("border", "python/columnade/_columnade.pyi", "the attribute of tables in HTML"),
    ("border", "python/columnade/_pandas_printing.py", "the attribute of tables in HTML"),
    ("border", "python/tests/test_pandas_display.py", "the attribute of tables in HTML"),
    ("border", "python/tests/test_pandas_exports.py", "the attribute of tables in HTML"),
    ("home", "CUDA_HOME", "the environment variable of the CUDA toolkit"),
    ("home", "xtask/src/tidy/files.rs", "the folder that paths of one machine begin with"),
    ("strike", "kernels/src/expression/aggregate/mod.rs", "the title of a paper"),
    ("strike", "kernels/src/keys/group_table.rs", "the title of a paper"),
];

/// Files with the words of others, beside licences: recorded figures, generated data, and this list.
const FOREIGN: [&str; 5] = [
    "Cargo.lock",
    "benches/records/",
    "columns/fuzz/corpus/",
    "engine/fuzz/corpus/",
    "xtask/src/tidy/words.rs",
];

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let is_foreign = |source: &Source| source.name() == "LICENSE" || is_in(&FOREIGN, &source.path);
    let own = sources.iter().filter(|source| !is_foreign(source));
    let found: BTreeSet<_> = own.flat_map(|source| [in_names(source), in_prose(source)].concat()).collect();
    found.into_iter().collect()
}

fn is_in(places: &[&str], path: &str) -> bool {
    places.iter().any(|place| path == *place || (place.ends_with('/') && path.starts_with(place)))
}

fn is_excepted(word: &str, path: &str, identifier: &str) -> bool {
    EXCEPTIONS
        .iter()
        .any(|(excepted, place, _)| *excepted == word && (is_in(&[place], path) || *place == identifier))
}

fn finding(path: &str, line: usize, word: &str, instead: &str) -> Finding {
    Finding::new(path, line, format!("{word:?} is not a term of this project; write {instead}"))
}

/// Parts of identifiers, whole identifiers, and the path.
fn in_names(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let stem = source.name().split('.').next().unwrap_or_default();
    let folder = source.folder().rsplit('/').next().unwrap_or_default();
    for (scope, words, instead) in WORDS {
        let named = |word: &&&str| match scope {
            File => stem == **word || folder == **word,
            Everywhere | Names => parts(stem).chain(parts(folder)).any(|part| part == **word),
            Identifier | Prose => false,
        };
        findings.extend(words.iter().filter(named).map(|word| finding(&source.path, 0, word, instead)));
    }
    // Documents and scripts are all prose.
    for (number, line) in source.code_lines().filter(|_| source.is_program()) {
        for identifier in identifiers(line) {
            let parts: Vec<_> = parts(identifier).collect();
            for (scope, words, instead) in WORDS {
                let used = |word: &&&str| match scope {
                    Everywhere | Names => parts.iter().any(|part| part == **word),
                    Identifier => identifier == **word,
                    File | Prose => false,
                };
                let used = words.iter().filter(used);
                let refused = used.filter(|word| !is_excepted(word, &source.path, identifier));
                findings.extend(refused.map(|word| finding(&source.path, number, word, instead)));
            }
        }
    }
    findings
}

fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|part| !part.is_empty())
}

/// The words of an identifier in snake case, camel case or capitals, in lower case.
fn parts(identifier: &str) -> impl Iterator<Item = String> {
    identifier.split('_').flat_map(|part| {
        let mut words: Vec<String> = Vec::new();
        let mut before_upper = true;
        let mut characters = part.chars().peekable();
        while let Some(character) = characters.next() {
            let ends_acronym = before_upper && characters.peek().is_some_and(|next| next.is_lowercase());
            if words.is_empty() || (character.is_uppercase() && (!before_upper || ends_acronym)) {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
            before_upper = character.is_uppercase();
        }
        words
    })
}

/// Words of comments, texts and documents; a phrase may go on in the next line.
fn in_prose(source: &Source) -> Vec<Finding> {
    let words = prose(source);
    let mut findings = Vec::new();
    for (scope, phrases, instead) in WORDS {
        if !matches!(scope, Everywhere | Prose) {
            continue;
        }
        for phrase in *phrases {
            let wanted: Vec<_> = phrase.split(' ').collect();
            for window in words.windows(wanted.len()) {
                let is_there = wanted.iter().zip(window).all(|(wanted, (_, word))| {
                    wanted == word || (*wanted == "#" && word.chars().all(|digit| digit.is_ascii_digit()))
                });
                if is_there && !is_excepted(phrase, &source.path, "") {
                    findings.push(finding(&source.path, window[0].0, phrase, instead));
                }
            }
        }
    }
    findings
}

/// What is no code, as words in lower case with their lines.
fn prose(source: &Source) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (number, (text, code)) in (1..).zip(source.text.lines().zip(source.code.lines())) {
        let mut word = String::new();
        let mut code = code.chars();
        for character in text.chars().chain([' ']) {
            // A character of code differs from the blank that stands for a character of a comment.
            let is_prose = !source.is_program() || code.next().is_none_or(|blank| blank == ' ');
            if is_prose && (character.is_alphanumeric() || matches!(character, '_' | '\'' | '%')) {
                word.extend(character.to_lowercase());
            } else if !word.is_empty() {
                let whole = std::mem::take(&mut word);
                let bare = whole.trim_matches('\'');
                words.push((number, bare.strip_suffix("'s").unwrap_or(bare).to_owned()));
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        let what =
            |finding: Finding| (finding.line, finding.what.split('"').nth(1).unwrap_or_default().to_owned());
        check(&[Source::new(path, text.to_owned())]).into_iter().map(what).collect()
    }

    fn line(number: usize, word: &str) -> (usize, String) {
        (number, word.to_owned())
    }

    #[test]
    fn identifiers_are_split_into_words() {
        let split = |identifier| parts(identifier).collect::<Vec<_>>();
        assert_eq!(split("has_room_for"), ["has", "room", "for"]);
        assert_eq!(split("SpillRoom"), ["spill", "room"]);
        assert_eq!(split("LEAST_ROOM"), ["least", "room"]);
        assert_eq!(split("ABIRoom2"), ["abi", "room2"]);
        assert_eq!(split("kRoom"), ["k", "room"]);
    }

    #[test]
    fn words_in_identifiers_are_refused() {
        let text = "fn has_room() {}\nstruct SpillHabit;\nlet mushroom = roomy;\nenum Text {}\nlet text = 1;";
        let expected = [line(1, "room"), line(2, "habit"), line(4, "Text")];
        assert_eq!(found("buffers/src/a.rs", text), expected);
    }

    #[test]
    fn words_with_innocent_meanings_are_refused_in_names_only() {
        assert_eq!(found("ops/src/a.rs", "// It is our turn.\nlet turn = 1;"), [line(2, "turn")]);
    }

    #[test]
    fn words_in_comments_and_strings_are_refused() {
        let text = "/// Nobody's wait.\nfn f() { panic!(\"at home\") } // two rooms\n/* lent */";
        let expected = [line(1, "nobody"), line(2, "home"), line(2, "rooms"), line(3, "lent")];
        assert_eq!(found("columns/src/a.rs", text), expected);
        assert_eq!(found("kernels/src/a/a.cu", "// a twin\nint twins;"), [line(1, "twin"), line(2, "twins")]);
    }

    #[test]
    fn phrases_over_two_lines_are_refused() {
        let text = "/// Of two points\n/// in time.\nfn f() {}\n// floats of 16\n// bits";
        let expected = [line(1, "points in time"), line(4, "floats of #")];
        assert_eq!(found("ops/src/a.rs", text), expected);
        assert!(found("ops/src/a.rs", "// points\nfn f() {}\n// in space").is_empty());
    }

    #[test]
    fn words_in_documents_and_scripts_are_refused() {
        assert_eq!(
            found("docs/a.md", "What is set aside\nfor 99 % below."),
            [line(1, "set aside"), line(2, "# % below")]
        );
        assert_eq!(found(".ci/run", "# the borders"), [line(1, "borders")]);
    }

    #[test]
    fn words_in_file_names_are_refused() {
        assert_eq!(found("buffers/src/habit.rs", ""), [line(0, "habit")]);
        assert_eq!(found("columns/src/arrow/walk.rs", "fn walk() {}"), [line(0, "walk")]);
        assert_eq!(found("ops/src/pieces/mod.rs", ""), [line(0, "pieces")]);
    }

    #[test]
    fn exceptions_and_foreign_files_pass() {
        assert!(found("xtask/src/a.rs", "env(CUDA_HOME);").is_empty());
        assert!(found("xtask/src/tidy/files.rs", "// \"/home/\"").is_empty());
        assert!(found("LICENSE", "nobody").is_empty());
    }
}
