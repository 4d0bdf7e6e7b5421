//! Tests of `hash_partition` on every device of the build.

use super::{MAX_PARTITIONS, hash_partition};
use crate::keys::test_columns::{Kind, TestColumn};
use crate::{Error, Storage, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::collections::{HashMap, HashSet};

/// The rows of each partition; checks what holds for any hash.
fn partitions(columns: &[TestColumn], count: usize, seed: u64, exec: &Exec, what: &str) -> Vec<Vec<u64>> {
    let views: Vec<View<'_>> = columns.iter().map(TestColumn::view).collect();
    let split = hash_partition(&views, count, seed, exec).unwrap();
    let rows: Vec<u64> = split.rows.to_vec(exec).unwrap().into_iter().flatten().collect();
    let n = columns[0].rows.len();
    assert_eq!((split.len(), rows.len(), split.offsets.last()), (count, n, Some(&n)), "{what}");
    let mut homes = HashMap::new();
    let mut seen = vec![false; n];
    let parts: Vec<Vec<u64>> = split.ranges().map(|range| rows[range].to_vec()).collect();
    for (part, rows) in parts.iter().enumerate() {
        assert!(rows.is_sorted(), "{what}: rows of partition {part} keep their order");
        for &row in rows {
            assert!(!std::mem::replace(&mut seen[row as usize], true), "{what}: row {row} twice");
            let key: Vec<_> = columns.iter().map(|column| column.rows[row as usize].clone()).collect();
            assert_eq!(*homes.entry(key).or_insert(part), part, "{what}: equal rows part");
        }
    }
    assert!(seen.into_iter().all(|seen| seen), "{what}: every row is somewhere");
    parts
}

fn kinds() -> impl Iterator<Item = Kind> {
    Storage::ALL.into_iter().map(Kind::Fixed).chain([Kind::ShortString, Kind::LongString])
}

#[test]
fn hash_partition_is_equal_on_every_device() {
    for kind in kinds() {
        for (k, &n) in SIZES.iter().enumerate() {
            let (nulls, offset) = (Nulls::ALL[k % 4], [0, 3][k % 2]);
            let mut first = None;
            for device in Device::available() {
                let exec = Exec::new(device).unwrap();
                // A separate column on each device, with the same values.
                let column = TestColumn::random(kind, n, offset, nulls, 30, &mut Rng::new(k as u64), &exec);
                let what = format!("{kind:?} n={n} {nulls:?} on {device}");
                let parts = partitions(&[column], [1, 2, 7, 300][k % 4], 5, &exec, &what);
                assert_eq!(first.get_or_insert_with(|| parts.clone()), &parts, "{what}");
            }
        }
    }
}

#[test]
fn hash_partition_of_several_keys_with_nulls_separates_no_equal_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        let columns = [Kind::Fixed(Storage::I32), Kind::LongString, Kind::Fixed(Storage::F64)]
            .map(|kind| TestColumn::random(kind, 900, 5, Nulls::Some, 4, &mut rng, &exec));
        partitions(&columns, 16, 0, &exec, &format!("three keys on {device}"));
    }
}

/// More keys than the arguments of a launch hold.
#[test]
fn hash_partition_of_many_keys_is_equal_on_every_device() {
    for count in [16, 17, 32, 35] {
        let mut first = None;
        for device in Device::available() {
            let exec = Exec::new(device).unwrap();
            let mut rng = Rng::new(16);
            let columns: Vec<_> = (0..count)
                .map(|k| {
                    let kind =
                        [Kind::Fixed(Storage::I64), Kind::ShortString, Kind::Fixed(Storage::I128)][k % 3];
                    TestColumn::random(
                        kind,
                        500,
                        k % 4,
                        Nulls::Some,
                        1 + u64::from(k % 6 == 0),
                        &mut rng,
                        &exec,
                    )
                })
                .collect();
            let what = format!("{count} keys on {device}");
            let parts = partitions(&columns, 9, 3, &exec, &what);
            assert_eq!(first.get_or_insert_with(|| parts.clone()), &parts, "{what}");
        }
    }
}

#[test]
fn hash_partition_of_many_rows_keeps_row_order() {
    let exec = Exec::host();
    let mut rng = Rng::new(14);
    let column =
        TestColumn::random(Kind::Fixed(Storage::I64), 300_000, 1, Nulls::Some, 1 << 40, &mut rng, &exec);
    let parts = partitions(&[column], 64, 0, &exec, "many rows");
    let mean = 300_000 / 64;
    // One partition also has the nulls.
    assert!(parts.iter().all(|rows| rows.len() > mean / 2), "even");
}

#[test]
fn hash_partition_with_other_seed_separates_colliding_keys() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(15);
        let column =
            TestColumn::random(Kind::Fixed(Storage::U32), 4000, 0, Nulls::NoMask, 1 << 31, &mut rng, &exec);
        let [first, second] =
            [0, 1].map(|seed| partitions(std::slice::from_ref(&column), 8, seed, &exec, "seeds"));
        for rows in first {
            let rows: HashSet<u64> = rows.into_iter().collect();
            let again: Vec<usize> =
                second.iter().map(|other| other.iter().filter(|row| rows.contains(row)).count()).collect();
            assert!(again.iter().all(|&count| count > 20), "{again:?} on {device}");
        }
    }
}

/// Both sides of a join may have the same integers in other widths.
#[test]
fn hash_partition_of_integers_ignores_width_and_sign() {
    let values: [i128; 13] = [
        0,
        1,
        -1,
        100,
        127,
        -128,
        200,
        i128::from(i16::MIN),
        i128::from(u32::MAX),
        i128::from(i64::MIN),
        i128::from(i64::MAX),
        i128::from(i64::MAX) + 1,
        i128::from(u64::MAX),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let partition_of = |storage: Storage, value: i128| {
            let width = storage.width().unwrap();
            // The row after the first is at an odd offset.
            let data = [[0; 16], value.to_le_bytes()].map(|bytes| bytes[..width].to_vec()).concat();
            let data = columnade_buffers::Buffer::from_slice(&data, &exec).unwrap();
            let key = View::Fixed(crate::Fixed { storage, data: &data, validity: None, offset: 1, len: 1 });
            let parts = hash_partition(&[key], 1 << 16, 3, &exec).unwrap();
            parts.offsets.iter().position(|&end| end == 1).unwrap()
        };
        for value in values {
            let wide = partition_of(Storage::I128, value);
            for (storage, fits) in [
                (Storage::I8, i8::try_from(value).is_ok()),
                (Storage::I16, i16::try_from(value).is_ok()),
                (Storage::I32, i32::try_from(value).is_ok()),
                (Storage::I64, i64::try_from(value).is_ok()),
                (Storage::U8, u8::try_from(value).is_ok()),
                (Storage::U16, u16::try_from(value).is_ok()),
                (Storage::U32, u32::try_from(value).is_ok()),
                (Storage::U64, u64::try_from(value).is_ok()),
            ] {
                if fits {
                    assert_eq!(partition_of(storage, value), wide, "{value} as {storage:?} on {device}");
                }
            }
        }
    }
}

#[test]
fn hash_partition_of_invalid_arguments_is_an_error() {
    let exec = Exec::host();
    let mut rng = Rng::new(15);
    let [a, b] =
        [3, 4].map(|n| TestColumn::random(Kind::ShortString, n, 0, Nulls::NoMask, 2, &mut rng, &exec));
    assert!(matches!(
        hash_partition(&[a.view(), b.view()], 2, 0, &exec),
        Err(Error::LengthMismatch { left: 3, right: 4, .. })
    ));
    for (keys, count) in [(&[][..], 2), (&[a.view()][..], 0), (&[a.view()][..], MAX_PARTITIONS + 1)] {
        assert!(matches!(hash_partition(keys, count, 0, &exec), Err(Error::InvalidArgument { .. })));
    }
}
