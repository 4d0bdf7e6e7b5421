//! Tests of `concat` on every device of the build.

use super::concat;
use crate::test_columns::{KINDS, Kind, Row, TestColumn, has_mask, rows};
use crate::{Error, OffsetWidth, Storage};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng};

#[test]
fn concat_of_every_width_null_pattern_and_offset_matches_reference() {
    let shapes: [&[usize]; 8] =
        [&[0], &[1], &[0, 0], &[5, 0, 3, 1], &[64, 64], &[63, 1, 65], &[1023, 257, 7], &[3; 40]];
    let patterns: [&[Nulls]; 4] =
        [&[Nulls::NoMask], &[Nulls::Some], &[Nulls::NoMask, Nulls::Some], &[Nulls::All, Nulls::NoNulls]];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        for kind in KINDS {
            for (sizes, nulls) in shapes.iter().flat_map(|s| patterns.map(|p| (s, p))) {
                let column = |(k, &n): (usize, &usize)| {
                    TestColumn::random(kind, n, [0, 3, 9][k % 3], nulls[k % nulls.len()], &mut rng, &exec)
                };
                let columns: Vec<_> = sizes.iter().enumerate().map(column).collect();
                let views: Vec<_> = columns.iter().map(TestColumn::view).collect();
                let out = concat(&views, &exec).unwrap();
                let expected: Vec<Row> = columns.iter().flat_map(|column| column.rows.clone()).collect();
                assert_eq!(rows(&out, &exec), expected, "{kind:?} {sizes:?} {nulls:?} {device}");
                let masked = views.iter().any(|view| view.validity_bits().is_some());
                assert_eq!(has_mask(&out), masked, "{kind:?} {sizes:?} {nulls:?} {device}");
            }
        }
    }
}

#[test]
fn concat_of_many_morsels_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(8);
    let n = crate::tuning::HOST_MORSEL_ROWS + 3;
    for kind in KINDS {
        let columns = [n, 17, n].map(|n| TestColumn::random(kind, n, 1, Nulls::Some, &mut rng, &exec));
        let out = concat(&columns.each_ref().map(TestColumn::view), &exec).unwrap();
        let expected: Vec<Row> = columns.iter().flat_map(|column| column.rows.clone()).collect();
        assert!(rows(&out, &exec) == expected, "{kind:?}");
    }
}

#[test]
fn concat_mixes_offset_widths_and_refuses_mixed_types() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(9);
        let mut column = |kind| TestColumn::random(kind, 20, 2, Nulls::NoMask, &mut rng, &exec);
        let narrow = column(Kind::String(OffsetWidth::I32));
        let wide = column(Kind::String(OffsetWidth::I64));
        let ints = column(Kind::Fixed(Storage::I32));
        let out = concat(&[narrow.view(), wide.view()], &exec).unwrap();
        assert_eq!(rows(&out, &exec), [narrow.rows.clone(), wide.rows.clone()].concat());
        let mixed = concat(&[ints.view(), narrow.view()], &exec).unwrap_err();
        assert_eq!(mixed, Error::TypeMismatch);
        assert!(matches!(concat(&[], &exec), Err(Error::InvalidArgument { .. })));
    }
}
