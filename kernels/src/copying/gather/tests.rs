//! Tests of `gather` on every device of the build.

use super::packed_rows::Thresholds;
use super::{MapNulls, gather, host};
use crate::test_columns::{KINDS, Kind, Row, TestColumn, has_mask, rows};
use crate::{OffsetWidth, RowMap, RowWidth};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The reference implementation.
fn expected(rows: &[Row], map: &[Option<u64>]) -> Vec<Row> {
    map.iter().map(|index| index.and_then(|row| rows[row as usize].clone())).collect()
}

#[test]
fn gather_of_every_width_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1);
        for kind in KINDS {
            for (&n, nulls) in SIZES.iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
                for offset in [0, 3] {
                    check(kind, n, offset, nulls, &mut rng, &exec);
                }
            }
        }
    }
}

fn check(kind: Kind, n: usize, offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) {
    let source = TestColumn::random(kind, n, offset, nulls, rng, exec);
    for (map_nulls, width) in [(MapNulls::Never, RowWidth::U32), (MapNulls::Possible, RowWidth::U64)] {
        let m = if n == 0 && map_nulls == MapNulls::Never { 0 } else { n + 5 };
        let map: Vec<Option<u64>> = (0..m)
            .map(|_| {
                (n > 0 && (map_nulls == MapNulls::Never || rng.below(5) > 0))
                    .then(|| rng.below(n.max(1) as u64))
            })
            .collect();
        let row_map = match width {
            RowWidth::U32 => RowMap::from_u32(
                &map.iter().map(|r| r.map_or(u32::MAX, |r| r as u32)).collect::<Vec<_>>(),
                exec,
            ),
            RowWidth::U64 => {
                RowMap::from_u64(&map.iter().map(|r| r.unwrap_or(u64::MAX)).collect::<Vec<_>>(), exec)
            }
        };
        let out = gather(&source.view(), &row_map.unwrap(), map_nulls, exec).unwrap();
        let context = format!("{kind:?} n={n} offset={offset} {nulls:?} {}", exec.device());
        assert_eq!(rows(&out, exec), expected(&source.rows, &map), "{context}");
        assert_eq!(
            has_mask(&out),
            nulls != Nulls::NoMask || map_nulls == MapNulls::Possible,
            "mask of {context}"
        );
    }
}

/// Short rows with a long one now and then, rows of a hundred bytes, and rows longer than what a block assembles at a time;
/// more rows than a block has threads, whole blocks of them and some more.
#[test]
fn gather_of_short_and_long_strings_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(7);
        for (longest, every, long) in
            [(3, 100, 9000), (20, 50, 300), (60, 1, 60), (150, 20, 3000), (5000, 1, 5000)]
        {
            for n in [1, 255, 256, 257, 700] {
                let value = |rng: &mut Rng| {
                    let most = if rng.below(every) == 0 { long } else { longest };
                    let len = rng.below(most + 1) as usize;
                    letters(len, rng)
                };
                let values: Vec<Vec<u8>> = (0..n + 2).map(|_| value(&mut rng)).collect();
                let mask = Nulls::Some.mask(n + 2, &mut rng);
                let kind = Kind::String(OffsetWidth::I32);
                let source = TestColumn::new(kind, &values, mask.as_deref(), 2, &exec);
                let map: Vec<Option<u64>> = (0..n).map(|_| Some(rng.below(n as u64))).collect();
                let found = gather(&source.view(), &narrow(&map, &exec), MapNulls::Never, &exec).unwrap();
                let context = format!("{n} rows of up to {longest} and {long} bytes on {device}");
                assert!(rows(&found, &exec) == expected(&source.rows, &map), "{context}");
            }
        }
    }
}

/// Few strings that many rows refer to: of at most as many bytes as a table of them has on the host, and of one more.
#[test]
fn gather_of_few_short_strings_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(8);
        for (n, longest) in [(1, 16), (3, 0), (63, 15), (64, 16), (65, 17), (1000, 16)] {
            for (k, nulls) in Nulls::ALL.into_iter().enumerate() {
                let offset = 3 * (k % 2);
                let mut values: Vec<Vec<u8>> =
                    (0..offset + n).map(|_| letters(rng.below(longest + 1) as usize, &mut rng)).collect();
                values[offset] = letters(longest as usize, &mut rng);
                let mask = nulls.mask(offset + n, &mut rng);
                let kind = Kind::String([OffsetWidth::I32, OffsetWidth::I64][k % 2]);
                let source = TestColumn::new(kind, &values, mask.as_deref(), offset, &exec);
                for m in [8 * n - 1, 8 * n, 70_000] {
                    let mut map: Vec<Option<u64>> = (0..m).map(|_| Some(rng.below(n as u64))).collect();
                    map.iter_mut().step_by(5).for_each(|row| *row = None);
                    let found =
                        gather(&source.view(), &narrow(&map, &exec), MapNulls::Possible, &exec).unwrap();
                    let context = format!("{m} of {n} rows of {longest} bytes, {nulls:?}, {device}");
                    assert!(rows(&found, &exec) == expected(&source.rows, &map), "{context}");
                }
            }
        }
    }
}

fn letters(len: usize, rng: &mut Rng) -> Vec<u8> {
    rng.bytes(len).iter().map(|byte| b'a' + byte % 26).collect()
}

/// The map with rows next to each other, alone, missing and repeated.
fn map_of_runs(n: usize, m: usize, rng: &mut Rng) -> Vec<Option<u64>> {
    let mut map = Vec::new();
    while map.len() < m {
        let (first, len) = (rng.below(n as u64), 1 + rng.below(90));
        match rng.below(4) {
            0 => map.push(None),
            1 => map.extend([Some(first); 2]),
            _ => map.extend((first..(first + len).min(n as u64)).map(Some)),
        }
    }
    map.truncate(m);
    map
}

fn narrow(map: &[Option<u64>], exec: &Exec) -> RowMap {
    let rows: Vec<u32> = map.iter().map(|row| row.map_or(u32::MAX, |row| row as u32)).collect();
    RowMap::from_u32(&rows, exec).unwrap()
}

#[test]
fn gather_of_rows_that_follow_each_other_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(5);
        for kind in KINDS {
            for (n, offset, nulls) in
                [(1, 0, Nulls::NoMask), (200, 3, Nulls::Some), (70_000, 1, Nulls::NoMask)]
            {
                if n > 200 && !matches!(kind, Kind::String(_)) {
                    continue;
                }
                let source = TestColumn::random(kind, n, offset, nulls, &mut rng, &exec);
                let map = map_of_runs(n, n + n / 2 + 3, &mut rng);
                let out = gather(&source.view(), &narrow(&map, &exec), MapNulls::Possible, &exec).unwrap();
                assert_eq!(rows(&out, &exec), expected(&source.rows, &map), "{kind:?} n={n} {device}");
            }
        }
    }
}

#[test]
fn gather_of_packed_rows_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(6);
    let always = Thresholds { packed_bytes: 0, rows_per_index: usize::MAX, misses: 1 };
    // Kinds that fill rows of 32, 64 and 128 bytes, and more than fits.
    let sets: [&[usize]; 5] = [&[1, 2], &[0, 4, 6, 3], &[6, 7, 5, 4, 2], &[5, 5, 5, 5, 4, 3, 6], &[5; 9]];
    for (n, m) in [(1, 1), (63, 64), (64, 65), (65, 63), (1000, 300), (70_000, 66_000)] {
        for (k, set) in sets.into_iter().enumerate().filter(|(k, _)| n < 70_000 || *k == 2) {
            for (nulls, map_nulls) in [
                (Nulls::NoMask, MapNulls::Never),
                (Nulls::NoMask, MapNulls::Possible),
                (Nulls::Some, MapNulls::Never),
                (Nulls::Some, MapNulls::Possible),
            ] {
                let columns: Vec<TestColumn> = (set.iter().enumerate())
                    .map(|(at, &kind)| {
                        // Every other column has nulls.
                        let nulls = if at % 2 == 0 { nulls } else { Nulls::NoMask };
                        short(KINDS[kind], n, at, nulls, &mut rng, &exec)
                    })
                    .collect();
                let mut index = || Some(rng.below(n as u64));
                let mut map: Vec<Option<u64>> = (0..m).map(|_| index()).collect();
                if map_nulls == MapNulls::Possible {
                    map.iter_mut().step_by(3).for_each(|row| *row = None);
                }
                let views: Vec<_> = columns.iter().map(TestColumn::view).collect();
                let row_map = narrow(&map, &exec);
                let found = host::gather_packed(&views, &row_map, map_nulls, always, &exec).unwrap();
                let context = format!("set {k} n={n} m={m} {nulls:?} {map_nulls:?}");
                // Few rows are near each other, bits and what does not fit are not packed.
                if n >= 1000 && map_nulls == MapNulls::Never {
                    let packed = found.iter().filter(|column| column.is_some()).count();
                    assert_eq!(packed, [2, 3, 5, 7, 8][k].min(packed.max(7)), "{context}");
                }
                for ((column, found), at) in columns.iter().zip(found).zip(0..) {
                    let Some(found) = found else { continue };
                    assert_eq!(rows(&found, &exec), expected(&column.rows, &map), "column {at} of {context}");
                    let masked = (at % 2 == 0 && nulls != Nulls::NoMask) || map_nulls == MapNulls::Possible;
                    assert_eq!(has_mask(&found), masked, "mask of column {at} of {context}");
                }
            }
        }
    }
}

/// A column whose strings are of at most 15 bytes.
fn short(kind: Kind, n: usize, at: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> TestColumn {
    if !matches!(kind, Kind::String(_)) {
        return TestColumn::random(kind, n, at, nulls, rng, exec);
    }
    let longest = if at.is_multiple_of(2) { 7 } else { 15 };
    let values: Vec<Vec<u8>> = (0..at + n).map(|_| letters(rng.below(longest + 1) as usize, rng)).collect();
    let mask = nulls.mask(at + n, rng);
    TestColumn::new(kind, &values, mask.as_deref(), at, exec)
}
