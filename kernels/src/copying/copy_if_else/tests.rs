//! Tests of `copy_if_else` on every device of the build.

use super::copy_if_else;
use crate::test_columns::{KINDS, Kind, Row, TestColumn, has_mask, rows};
use crate::{Error, Storage};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

const BITS: Kind = Kind::Fixed(Storage::Bit);

fn expected(cond: &[Row], then: &[Row], otherwise: &[Row]) -> Vec<Row> {
    let chosen = |row: usize| if cond[row] == Some(vec![1]) { &then[row] } else { &otherwise[row] };
    (0..cond.len()).map(|row| chosen(row).clone()).collect()
}

#[test]
fn copy_if_else_of_every_width_and_null_pattern_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(10);
        for (n, kind) in SIZES.into_iter().flat_map(|n| KINDS.map(|kind| (n, kind))) {
            for (k, nulls) in Nulls::ALL.into_iter().enumerate() {
                let cond = TestColumn::random(BITS, n, 3, nulls, &mut rng, &exec);
                let then = TestColumn::random(kind, n, k, Nulls::ALL[(k + 1) % 4], &mut rng, &exec);
                let otherwise = TestColumn::random(kind, n, 9, Nulls::ALL[(k + 2) % 4], &mut rng, &exec);
                let bits = cond.view().as_fixed().unwrap();
                let out = copy_if_else(&bits, &then.view(), &otherwise.view(), &exec).unwrap();
                let expected = expected(&cond.rows, &then.rows, &otherwise.rows);
                assert_eq!(rows(&out, &exec), expected, "{kind:?} n={n} {nulls:?} {device}");
                let masked = [&then, &otherwise].iter().any(|column| column.view().validity_bits().is_some());
                assert_eq!(has_mask(&out), masked, "{kind:?} n={n} {nulls:?} {device}");
            }
        }
    }
}

#[test]
fn copy_if_else_of_many_morsels_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(11);
    let n = 2 * crate::tuning::HOST_MORSEL_ROWS + 70;
    for kind in KINDS {
        let [cond, then, otherwise] =
            [BITS, kind, kind].map(|kind| TestColumn::random(kind, n, 1, Nulls::Some, &mut rng, &exec));
        let bits = cond.view().as_fixed().unwrap();
        let out = copy_if_else(&bits, &then.view(), &otherwise.view(), &exec).unwrap();
        assert!(rows(&out, &exec) == expected(&cond.rows, &then.rows, &otherwise.rows), "{kind:?}");
    }
}

#[test]
fn copy_if_else_of_mismatched_inputs_is_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        let mut column = |kind, n| TestColumn::random(kind, n, 0, Nulls::NoMask, &mut rng, &exec);
        let (bits, ints) = (column(BITS, 4), column(Kind::Fixed(Storage::I32), 4));
        let (longs, more) = (column(Kind::Fixed(Storage::I64), 4), column(Kind::Fixed(Storage::I32), 5));
        let run = |cond: &TestColumn, a: &TestColumn, b: &TestColumn| {
            copy_if_else(&cond.view().as_fixed().unwrap(), &a.view(), &b.view(), &exec).unwrap_err()
        };
        assert_eq!(run(&ints, &ints, &ints), Error::UnsupportedStorage { storage: Storage::I32 });
        assert_eq!(run(&bits, &ints, &more), Error::LengthMismatch { left: 4, right: 5 });
        assert_eq!(run(&bits, &ints, &longs), Error::TypeMismatch);
    }
}
