//! The properties of all characters, for devices.

use super::host::{is_decimal, is_letter};
use crate::strings::transform::case::is_cased;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Of 256 characters each.
const PAGES: u32 = 0x1100;

/// `Property` of `predicate.cu`.
pub(super) const LETTER: u8 = 1;
pub(super) const NUMERIC: u8 = 2;
pub(super) const DECIMAL: u8 = 4;
pub(super) const LOWERCASE: u8 = 8;
pub(super) const UPPERCASE: u8 = 16;
pub(super) const CASED: u8 = 32;

/// For each page a number of two bytes, and the pages with these numbers: the properties of each character. Pages with the
/// same properties are one.
pub(super) static TABLES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut known: HashMap<Vec<u8>, u16> = HashMap::new();
    let (mut numbers, mut pages) = (Vec::new(), Vec::new());
    for page in 0..PAGES {
        let characters = 256 * page..256 * (page + 1);
        let page: Vec<u8> = characters.map(|code| char::from_u32(code).map_or(0, properties)).collect();
        let next = known.len() as u16;
        let number = *known.entry(page).or_insert_with_key(|page| {
            pages.extend_from_slice(page);
            next
        });
        numbers.extend(number.to_ne_bytes());
    }
    numbers.extend(pages);
    numbers
});

fn properties(character: char) -> u8 {
    [
        (LETTER, is_letter(character)),
        (NUMERIC, character.is_numeric()),
        (DECIMAL, is_decimal(character)),
        (LOWERCASE, character.is_lowercase()),
        (UPPERCASE, character.is_uppercase()),
        (CASED, is_cased(character)),
    ]
    .into_iter()
    .fold(0, |all, (property, holds)| if holds { all | property } else { all })
}
