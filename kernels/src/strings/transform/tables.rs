//! The case of all characters, for devices.

use super::case;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Properties and the lengths of three mappings, and the mappings: to lower, upper and title case. A mapping of no
/// characters is to the character itself. `transform.cu` has the same layout.
const RECORD: usize = 10;
/// Of 256 characters each.
const PAGES: usize = 0x1100;

const IN_WORD: u32 = 1;
const CASED: u32 = 2;
const IGNORABLE: u32 = 4;
const UPPERCASE: u32 = 8;
const LOWERCASE: u32 = 16;

/// The tables: for each page the position of its characters, for each of those the position of a record, and the records.
pub(super) static TABLES: LazyLock<Vec<u32>> = LazyLock::new(tables);

/// The planes that have characters with a case, or that may stand between such.
pub(super) const PLANES: [std::ops::Range<u32>; 2] = [0..0x2_0000, 0xe_0000..0xe_0200];

fn tables() -> Vec<u32> {
    let mut records = vec![[0; RECORD]];
    let mut known = HashMap::from([([0; RECORD], 0)]);
    let mut pages = vec![[0; 256]];
    let mut page_of = vec![0; PAGES];
    for page in PLANES.into_iter().flat_map(|plane| plane.step_by(256)) {
        let mut characters = [0; 256];
        for (code, at) in (page..).zip(&mut characters) {
            let Some(character) = char::from_u32(code) else { continue };
            let record = record(character);
            *at = *known.entry(record).or_insert_with(|| {
                records.push(record);
                records.len() - 1
            });
        }
        if characters.iter().any(|record| *record != 0) {
            page_of[(page / 256) as usize] = pages.len();
            pages.push(characters);
        }
    }
    let first_record = PAGES + 256 * pages.len();
    let page_of = page_of.into_iter().map(|page| PAGES + 256 * page);
    let pages = pages.into_iter().flatten().map(|record| first_record + RECORD * record);
    page_of.chain(pages).map(|at| at as u32).chain(records.into_iter().flatten()).collect()
}

fn record(character: char) -> [u32; RECORD] {
    let mut record = [0; RECORD];
    let mut title: Vec<char> = Vec::new();
    case::title(character, &mut |part| title.push(part));
    let mappings = [character.to_lowercase().collect(), character.to_uppercase().collect(), title];
    for (at, mapping) in mappings.into_iter().enumerate() {
        if mapping != [character] {
            record[0] |= (mapping.len() as u32) << (8 + 2 * at);
            for (word, part) in record[1 + 3 * at..].iter_mut().zip(mapping) {
                *word = u32::from(part);
            }
        }
    }
    let is_cased = keeps_sigma(&['a', 'Σ', character]);
    for (property, holds) in [
        (IN_WORD, case::is_cased(character)),
        (CASED, is_cased),
        // Of what stands before a cased character, only this does not hide it.
        (IGNORABLE, !is_cased && keeps_sigma(&['a', 'Σ', character, 'a'])),
        (UPPERCASE, character.is_uppercase()),
        (LOWERCASE, character.is_lowercase()),
    ] {
        record[0] |= if holds { property } else { 0 };
    }
    record
}

/// Whether the sigma of a text is not the last letter of a word, as the standard library has it: this is how to ask it for
/// the properties Cased and `Case_Ignorable`.
fn keeps_sigma(text: &[char]) -> bool {
    text.iter().collect::<String>().to_lowercase().contains('σ')
}

#[cfg(test)]
mod tests {
    use super::{PLANES, record};

    #[test]
    fn no_other_plane_has_characters_with_case() {
        let others =
            (0..=u32::from(char::MAX)).filter(|code| PLANES.iter().all(|plane| !plane.contains(code)));
        // Every seventh: that the standard library has no table beyond is what the planes of Unicode promise.
        for character in others.step_by(7).filter_map(char::from_u32) {
            assert_eq!(record(character), [0; super::RECORD], "{character:?}");
        }
    }
}
