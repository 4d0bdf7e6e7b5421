//! Host implementation of `test`.

use super::{Characters, Predicate};
use crate::strings::fault::Rows;
use crate::strings::transform::case::is_cased;
use crate::strings_view::Texts;
use crate::{Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use regex_syntax::hir::{Class, HirKind};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

fn all(text: &str, is: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(is)
}

/// Whether cased characters begin words, and only they are in upper or title case.
fn is_title(text: &str) -> bool {
    let (mut in_word, mut any) = (false, false);
    for character in text.chars() {
        let cased = is_cased(character);
        if cased && character.is_lowercase() != in_word {
            return false;
        }
        any |= cased;
        in_word = cased;
    }
    any
}

pub(super) fn test(predicate: &Predicate<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let not_utf8 = AtomicBool::new(false);
    let build = |rows: Range<usize>, words: &mut [u64], is: &dyn Fn(&str) -> bool| {
        let texts = Texts::new(strings, valid, &rows);
        words.fill(0);
        for (at, row) in rows.enumerate() {
            let text = texts.get(row).unwrap_or_else(|| {
                not_utf8.store(true, Ordering::Relaxed);
                ""
            });
            words[at / 64] |= u64::from(is(text)) << (at % 64);
        }
    };
    let bits = match predicate {
        Predicate::Contains(pattern) => morsel::build_bits(input.len, exec, |rows, words| {
            pattern.with(|regex| build(rows, words, &|text| regex.is_match(text)));
        }),
        Predicate::Characters(characters) => {
            let is: &(dyn Fn(&str) -> bool + Sync) = match characters {
                Characters::Alpha => &|text| all(text, is_letter),
                Characters::Numeric => &|text| all(text, char::is_numeric),
                Characters::Decimal => &|text| all(text, is_decimal),
                Characters::Alnum => &|text| all(text, |c| c.is_numeric() || is_letter(c)),
                Characters::Space => &|text| all(text, char::is_whitespace),
                Characters::Lower => &|text| {
                    text.chars().any(char::is_lowercase)
                        && !text.chars().any(|character| is_cased(character) && !character.is_lowercase())
                },
                Characters::Upper => &|text| {
                    text.chars().any(char::is_uppercase)
                        && !text.chars().any(|character| is_cased(character) && !character.is_uppercase())
                },
                Characters::Title => &is_title,
                Characters::Ascii => &str::is_ascii,
            };
            morsel::build_bits(input.len, exec, |rows, words| build(rows, words, is))
        }
    }?;
    Rows::Utf8.check(not_utf8.into_inner())?;
    Ok(bits)
}

/// Unicode's category `L`, which the standard library knows only together with letter numbers and marks.
pub(super) fn is_letter(character: char) -> bool {
    use std::sync::LazyLock;
    static LETTERS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| match regex_syntax::parse(r"\p{L}") {
        Ok(hir) => match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => class.iter().map(|it| (it.start(), it.end())).collect(),
            _ => Vec::new(),
        },
        Err(_) => Vec::new(),
    });
    if character.is_ascii() {
        return character.is_ascii_alphabetic();
    }
    character.is_alphabetic() && {
        let after = LETTERS.partition_point(|&(first, _)| first <= character);
        after > 0 && character <= LETTERS[after - 1].1
    }
}

/// Unicode's category `Nd`: ten digits in a row each, which the standard library knows only of ASCII.
pub(super) fn is_decimal(character: char) -> bool {
    character.is_ascii_digit()
        || (!character.is_ascii() && character.is_numeric() && is_decimal_digit(character))
}

fn is_decimal_digit(character: char) -> bool {
    use std::sync::LazyLock;
    static DIGIT: LazyLock<Option<regex::Regex>> = LazyLock::new(|| regex::Regex::new(r"^\d$").ok());
    let mut buffer = [0; 4];
    DIGIT.as_ref().is_some_and(|digit| digit.is_match(character.encode_utf8(&mut buffer)))
}
