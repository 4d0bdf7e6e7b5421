//! Tests of `scatter` on every device of the build.

use super::{permute, scatter};
use crate::test_columns::{KINDS, Kind, TestColumn, has_mask, rows};
use crate::{Error, RowMap, RowWidth, Storage};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn row_map(map: &[Option<u64>], width: RowWidth, exec: &Exec) -> RowMap {
    match width {
        RowWidth::U32 => {
            let map: Vec<_> = map.iter().map(|row| row.map_or(u32::MAX, |row| row as u32)).collect();
            RowMap::from_u32(&map, exec).unwrap()
        }
        RowWidth::U64 => {
            let map: Vec<_> = map.iter().map(|row| row.unwrap_or(u64::MAX)).collect();
            RowMap::from_u64(&map, exec).unwrap()
        }
    }
}

#[test]
fn scatter_of_every_width_and_null_pattern_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(13);
        for (n, kind) in SIZES.into_iter().flat_map(|n| KINDS.map(|kind| (n, kind))) {
            for (k, nulls) in Nulls::ALL.into_iter().enumerate() {
                let target = TestColumn::random(kind, n, k, nulls, &mut rng, &exec);
                // No rows, few, or so many that several source rows have one target row.
                for m in [0, n / 10, if n == 0 { 3 } else { 2 * n }] {
                    let source = TestColumn::random(kind, m, 3, Nulls::ALL[(k + m) % 4], &mut rng, &exec);
                    let mut index = || (n > 0 && rng.below(5) > 0).then(|| rng.below(n.max(1) as u64));
                    let map: Vec<Option<u64>> = (0..m).map(|_| index()).collect();
                    let width = if k % 2 == 0 { RowWidth::U32 } else { RowWidth::U64 };
                    let map_buffer = row_map(&map, width, &exec);
                    let out = scatter(&source.view(), &map_buffer, &target.view(), &exec).unwrap();
                    let mut expected = target.rows.clone();
                    for (row, index) in source.rows.iter().zip(&map) {
                        if let Some(index) = index {
                            expected[*index as usize].clone_from(row);
                        }
                    }
                    assert_eq!(rows(&out, &exec), expected, "{kind:?} n={n} m={m} {nulls:?} {device}");
                    let masked = [&source, &target].iter().any(|c| c.view().validity_bits().is_some());
                    assert_eq!(has_mask(&out), masked, "{kind:?} n={n} m={m} {nulls:?} {device}");
                }
            }
        }
    }
}

#[test]
fn permutation_of_every_width_and_null_pattern_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(15);
        for (n, kind) in SIZES.into_iter().flat_map(|n| KINDS.map(|kind| (n, kind))) {
            for (k, nulls) in Nulls::ALL.into_iter().enumerate() {
                let source = TestColumn::random(kind, n, k, nulls, &mut rng, &exec);
                let mut order: Vec<u64> = (0..n as u64).collect();
                for last in (1..n).rev() {
                    order.swap(last, rng.below(last as u64 + 1) as usize);
                }
                let map: Vec<Option<u64>> = order.iter().copied().map(Some).collect();
                let width = if k % 2 == 0 { RowWidth::U64 } else { RowWidth::U32 };
                let out = permute(&source.view(), &row_map(&map, width, &exec), &exec).unwrap();
                let mut expected = source.rows.clone();
                for (row, &at) in source.rows.iter().zip(&order) {
                    expected[at as usize].clone_from(row);
                }
                assert_eq!(rows(&out, &exec), expected, "{kind:?} n={n} {nulls:?} {device}");
                let masked = source.view().validity_bits().is_some();
                assert_eq!(has_mask(&out), masked, "{kind:?} n={n} {nulls:?} {device}");
            }
        }
    }
}

#[test]
fn scatter_of_mismatched_inputs_is_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(14);
        let mut column =
            |storage, n| TestColumn::random(Kind::Fixed(storage), n, 0, Nulls::NoMask, &mut rng, &exec);
        let (ints, longs) = (column(Storage::I32, 4), column(Storage::I64, 4));
        let short = RowMap::from_u32(&[0, 1, 2], &exec).unwrap();
        let error = scatter(&ints.view(), &short, &ints.view(), &exec).unwrap_err();
        assert_eq!(error, Error::LengthMismatch { left: 4, right: 3 });
        let error = permute(&ints.view(), &short, &exec).unwrap_err();
        assert_eq!(error, Error::LengthMismatch { left: 4, right: 3 });
        let map = RowMap::from_u32(&[0, 1, 2, 3], &exec).unwrap();
        let error = scatter(&ints.view(), &map, &longs.view(), &exec).unwrap_err();
        assert_eq!(error, Error::TypeMismatch);
    }
}
