//! Tests of `slice` on every device of the build.

use super::{CharRange, slice};
use crate::test_columns::{Kind, TestColumn, has_mask, rows};
use crate::{ColumnData, OffsetWidth, StringsView, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// The reference implementation: each character is looked at by its position.
fn expected(text: &[u8], range: CharRange) -> Vec<u8> {
    let text: Vec<char> = std::str::from_utf8(text).unwrap().chars().collect();
    let first = i128::from(range.offset) + if range.offset < 0 { text.len() as i128 } else { 0 };
    let end = first + range.length.map_or(i128::from(u64::MAX), i128::from);
    let taken = text.iter().enumerate().filter(|&(at, _)| (first..end).contains(&(at as i128)));
    taken.map(|(_, character)| *character).collect::<String>().into_bytes()
}

#[test]
fn slice_of_every_range_null_pattern_and_offset_matches_reference() {
    let offsets = [0, 1, 2, 5, 100, i64::MAX, -1, -2, -4, -100, i64::MIN];
    let lengths = [Some(0), Some(1), Some(2), Some(3), Some(101), Some(u64::MAX), None];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for (i, offset) in offsets.into_iter().enumerate() {
            for (j, length) in lengths.into_iter().enumerate() {
                let range = CharRange { offset, length };
                let n = SIZES[(i * lengths.len() + j) % SIZES.len()];
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][j % 2]);
                let nulls = Nulls::ALL[(i + j) % 4];
                let column = TestColumn::random(kind, n, (i + j) % 11, nulls, &mut rng, &exec);
                let parts: Vec<_> =
                    column.rows.iter().map(|row| row.as_ref().map(|text| expected(text, range))).collect();
                let result = ColumnData::String(slice(&strings(&column), range, &exec).unwrap());
                assert_eq!(rows(&result, &exec), parts, "{range:?} n={n} {device}");
                let masked = column.view().validity_bits().is_some();
                assert_eq!(has_mask(&result), masked, "{range:?} n={n} {device}");
            }
        }
    }
}

#[test]
fn slice_of_ascii_matches_reference() {
    let exec = Exec::host();
    let texts = ["", "a", "ab", "abc", "hello world"].map(|text| text.as_bytes().to_vec());
    let column = TestColumn::new(Kind::String(OffsetWidth::I32), &texts, None, 0, &exec);
    for offset in [0, 1, 2, 3, 11, i64::MAX, -1, -2, -3, -12, i64::MIN] {
        for length in [Some(0), Some(1), Some(4), Some(13), Some(u64::MAX), None] {
            let range = CharRange { offset, length };
            let parts: Vec<_> = texts.iter().map(|text| Some(expected(text, range))).collect();
            let result = ColumnData::String(slice(&strings(&column), range, &exec).unwrap());
            assert_eq!(rows(&result, &exec), parts, "{range:?}");
        }
    }
}

#[test]
fn slice_counts_characters_and_clips_ranges() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let texts = ["13-702", "é🦀中x", "", "a"].map(|text| text.as_bytes().to_vec());
        let column = TestColumn::new(Kind::String(OffsetWidth::I32), &texts, None, 0, &exec);
        for (offset, length, expected) in [
            (0, Some(2), ["13", "é🦀", "", "a"]),
            (1, Some(2), ["3-", "🦀中", "", ""]),
            (-1, None, ["2", "x", "", "a"]),
            // From two before the first of four characters: one is left of three.
            (-6, Some(3), ["13-", "é", "", ""]),
        ] {
            let range = CharRange { offset, length };
            let result = ColumnData::String(slice(&strings(&column), range, &exec).unwrap());
            let expected = expected.map(|text| Some(text.as_bytes().to_vec()));
            assert_eq!(rows(&result, &exec), expected, "{range:?} {device}");
        }
    }
}
