//! Title case, which Rust's library does not have.

/// A character in title case.
///
/// Differs from the upper case of the first letter of what upper case makes: of digraphs, of letters with an iota
/// below, and of Georgian, which has no title case.
///
/// # Source
/// Unicode, `UnicodeData.txt` and `SpecialCasing.txt`.
pub(super) fn title(character: char, out: &mut impl FnMut(char)) {
    match character {
        '\u{1c4}'..='\u{1c6}' => return out('\u{1c5}'),
        '\u{1c7}'..='\u{1c9}' => return out('\u{1c8}'),
        '\u{1ca}'..='\u{1cc}' => return out('\u{1cb}'),
        '\u{1f1}'..='\u{1f3}' => return out('\u{1f2}'),
        '\u{10d0}'..='\u{10ff}' => return out(character),
        '\u{1fb3}' | '\u{1fbc}' => return out('\u{1fbc}'),
        '\u{1fc3}' | '\u{1fcc}' => return out('\u{1fcc}'),
        '\u{1ff3}' | '\u{1ffc}' => return out('\u{1ffc}'),
        '\u{1f80}'..='\u{1faf}' => {
            return out(char::from_u32(u32::from(character) | 8).unwrap_or(character));
        }
        // An apostrophe before the letter.
        '\u{149}' => return character.to_uppercase().for_each(out),
        _ => {}
    }
    let mut upper = character.to_uppercase();
    upper.next().into_iter().for_each(&mut *out);
    let has_iota = matches!(character, '\u{1f80}'..='\u{1fff}');
    for other in upper.flat_map(char::to_lowercase) {
        out(if has_iota && other == 'ι' { '\u{345}' } else { other });
    }
}

/// Whether a character has a case: what words of [`Title`](super::Transform::Title) consist of.
pub(in crate::strings) fn is_cased(character: char) -> bool {
    let is_title = matches!(
        character,
        '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}' | '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}'
    ) || matches!(character, '\u{1f80}'..='\u{1faf}' if u32::from(character) & 8 != 0);
    is_title || character.is_lowercase() || character.is_uppercase()
}
