//! Tests of `utf8` on every device of the build, against the standard library.

use super::utf8;
use crate::test_columns::{Kind, TestColumn, rows};
use crate::{ColumnData, OffsetWidth, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// Well-formed and ill-formed sequences: the ends of every range, overlong forms, surrogates, characters that are cut.
const SEQUENCES: [&[u8]; 24] = [
    b"",
    b"a",
    b"plain text of more than sixteen bytes",
    b"\x7f",
    b"\xc2\x80",
    b"\xdf\xbf",
    b"\xe0\xa0\x80",
    b"\xed\x9f\xbf",
    b"\xee\x80\x80",
    b"\xef\xbf\xbf",
    b"\xf0\x90\x80\x80",
    b"\xf4\x8f\xbf\xbf",
    b"x\xf0\x9f\x98\x80y",
    b"\x80",
    b"\xc1\xbf",
    b"\xc3",
    b"\xc3\x28",
    b"\xe0\x9f\xbf",
    b"\xed\xa0\x80",
    b"\xe2\x82",
    b"\xf0\x8f\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"\xff",
];

fn check(values: &[Vec<u8>], mask: Option<&[bool]>, offset: usize, width: OffsetWidth, exec: &Exec) {
    let column = TestColumn::new(Kind::String(width), values, mask, offset, exec);
    let View::String(view) = column.view() else { panic!("strings") };
    let found = utf8(&view, exec).unwrap();
    let is_text = |row: &[u8]| std::str::from_utf8(row).is_ok();
    let failed = column.rows.iter().position(|row| row.as_ref().is_some_and(|row| !is_text(row)));
    assert_eq!(found.failed, failed, "{}", exec.device());
    let expected: Vec<_> = column.rows.iter().map(|row| row.clone().filter(|row| is_text(row))).collect();
    match found.strings {
        Some(strings) => {
            assert!(values[offset..].iter().any(|row| !is_text(row)), "strings are shared");
            let chars = strings.chars.to_vec::<u8>(exec).unwrap();
            assert!(std::str::from_utf8(&chars).is_ok(), "no other bytes are left");
            assert_eq!(rows(&ColumnData::String(strings), exec), expected, "{}", exec.device());
        }
        None => assert!(values[offset..].iter().all(|row| is_text(row)), "{}", exec.device()),
    }
}

#[test]
fn bytes_are_strings_where_they_are_well_formed() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for sequence in SEQUENCES {
            check(&[sequence.to_vec()], None, 0, OffsetWidth::I32, &exec);
            check(&[b"a".to_vec(), sequence.to_vec(), b"\xbf".to_vec()], None, 0, OffsetWidth::I64, &exec);
            check(&[sequence.to_vec(), b"b".to_vec()], Some(&[false, true]), 0, OffsetWidth::I32, &exec);
        }
        // Characters that are cut into rows are text together and not each.
        check(&[b"\xc3".to_vec(), b"\xa9".to_vec()], None, 0, OffsetWidth::I32, &exec);
        check(&[[b"x".repeat(5000), b"\xff".to_vec()].concat()], None, 0, OffsetWidth::I32, &exec);
        let mut rng = Rng::new(12);
        for (i, n) in SIZES.into_iter().enumerate() {
            // Only well-formed rows, some of each kind, or mostly one.
            let sequences = if i % 3 == 0 { 13 } else { SEQUENCES.len() as u64 };
            let values: Vec<Vec<u8>> =
                (0..n + i % 5).map(|_| SEQUENCES[rng.below(sequences) as usize].to_vec()).collect();
            let mask = Nulls::ALL[i % 4].mask(n + i % 5, &mut rng);
            let width = if i % 2 == 0 { OffsetWidth::I32 } else { OffsetWidth::I64 };
            check(&values, mask.as_deref(), i % 5, width, &exec);
        }
    }
}
