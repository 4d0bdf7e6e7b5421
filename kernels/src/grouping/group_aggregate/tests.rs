//! One suite for `group_aggregate` on every device.

use super::group_aggregate;
use crate::aggregation::Aggregation;
use crate::grouping::aggregate::tests::{Cell, Values, expected, read, same};
use crate::grouping::group_ids::NullKeys;
use crate::keys::test_columns::{Kind, TestColumn};
use crate::{ColumnData, Error, Fixed, Storage, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::collections::HashMap;

/// All aggregations of each column.
fn every_request(columns: &[Values], storages: &[Storage]) -> Vec<(Aggregation, usize)> {
    let of = |(column, storage): (usize, &Storage)| {
        let storage = *storage;
        let all = Aggregation::ALL.into_iter().filter(move |one| one.output(storage).is_some());
        all.map(move |aggregation| (aggregation, column)).collect::<Vec<_>>()
    };
    assert_eq!(columns.len(), storages.len());
    storages.iter().enumerate().flat_map(of).collect()
}

/// Compares with groups of rows that a map collects.
fn check<K: std::hash::Hash + Eq + Clone>(
    keys: &[View<'_>],
    rows: &[Option<K>],
    values: &[Values],
    storages: &[Storage],
    requests: &[(Aggregation, usize)],
    what: &str,
    exec: &Exec,
) {
    let nulls = if what.contains("null keys") { NullKeys::Group } else { NullKeys::Drop };
    let (mut first_rows, mut members) = (Vec::new(), Vec::new());
    let mut groups = HashMap::new();
    for (row, key) in rows.iter().enumerate() {
        let Some(key) = key else { continue };
        let group = *groups.entry(key.clone()).or_insert_with(|| {
            first_rows.push(Some(row as u64));
            members.push(Vec::new());
            members.len() - 1
        });
        members[group].push(row);
    }
    let of = |&(aggregation, column): &(Aggregation, usize)| (aggregation, values[column].view());
    let requested: Vec<_> = requests.iter().map(of).collect();
    let found = group_aggregate(keys, nulls, &requested, exec).unwrap();
    let what = format!("{what} on {}", exec.device());
    assert_eq!(found.first_rows.to_vec(exec).unwrap(), first_rows, "first rows, {what}");
    for (&(aggregation, column), result) in requests.iter().zip(&found.values) {
        let ColumnData::Fixed(result) = result else { panic!("numbers give numbers") };
        let storage = storages[column];
        assert_eq!(
            (Some(result.storage), result.len),
            (aggregation.output(storage), members.len()),
            "{what}"
        );
        let masked = aggregation.is_null_without_values() && requested[0].1.validity_bits().is_some();
        if values.len() == 1 {
            assert_eq!(result.validity.is_some(), masked, "mask of {aggregation:?}, {what}");
        }
        for (group, (got, members)) in read(result, exec).into_iter().zip(&members).enumerate() {
            let cells: Vec<Option<Cell>> = members.iter().map(|&row| values[column].rows[row]).collect();
            let expected = expected(aggregation, storage, &cells);
            assert!(
                same(got, expected),
                "{aggregation:?} of {storage}, {what}: group {group} is {got:?}, not {expected:?}"
            );
        }
    }
}

#[test]
fn every_type_size_null_pattern_and_aggregation_equals_map_of_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for (s, storage) in Storage::ALL.into_iter().enumerate() {
            for (k, &n) in SIZES.iter().enumerate() {
                let kind = Kind::Fixed([Storage::I32, Storage::I64, Storage::F64, Storage::Bit][(s + k) % 4]);
                let key =
                    TestColumn::random(kind, n, [3, 0][k % 2], Nulls::ALL[(s + k) % 4], 9, &mut rng, &exec);
                let values = [Values::random(storage, n, [0, 3][k % 2], Nulls::ALL[k % 4], &mut rng, &exec)];
                let requests = every_request(&values, &[storage]);
                let what = format!("n={n} of {kind:?}");
                check(&[key.view()], &key.rows, &values, &[storage], &requests, &what, &exec);
            }
        }
    }
}

/// Compares groups of several keys, with a column of `I32` as values.
fn check_keys(keys: &[TestColumn], nulls: NullKeys, rng: &mut Rng, name: &str, exec: &Exec) {
    let n = keys[0].rows.len();
    let is_key = |key: &Option<Vec<u8>>| key.is_some() || nulls == NullKeys::Group;
    let rows: Vec<_> = (0..n)
        .map(|row| {
            let key: Vec<_> = keys.iter().map(|key| key.rows[row].clone()).collect();
            key.iter().all(is_key).then_some(key)
        })
        .collect();
    let values = [Values::random(Storage::I32, n, 0, Nulls::Some, rng, exec)];
    let requests = every_request(&values, &[Storage::I32]);
    let what = if nulls == NullKeys::Group { "null keys" } else { "no null" };
    let views: Vec<View<'_>> = keys.iter().map(TestColumn::view).collect();
    check(&views, &rows, &values, &[Storage::I32], &requests, &format!("{what} {name}"), exec);
}

#[test]
fn several_keys_with_nulls_as_keys_equal_map_of_rows() {
    let pairs = [
        [Kind::Fixed(Storage::I32), Kind::Fixed(Storage::I16)],
        [Kind::Fixed(Storage::F32), Kind::Fixed(Storage::Bit)],
        [Kind::ShortString, Kind::Fixed(Storage::U8)],
        [Kind::Bytes(3), Kind::Bytes(3)],
        // These need other kernels.
        [Kind::Fixed(Storage::I64), Kind::Fixed(Storage::I64)],
        [Kind::Bytes(8), Kind::Fixed(Storage::U8)],
        [Kind::LongString, Kind::Fixed(Storage::Bit)],
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(32);
        for kinds in pairs {
            for (nulls, n) in [(NullKeys::Drop, 900), (NullKeys::Group, 901)] {
                let keys = kinds.map(|kind| TestColumn::random(kind, n, 5, Nulls::Some, 6, &mut rng, &exec));
                check_keys(&keys, nulls, &mut rng, &format!("{kinds:?}"), &exec);
            }
        }
    }
}

#[test]
fn keys_of_integers_of_any_range_equal_map_of_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(33);
        for null_rows in Nulls::ALL {
            for (nulls, n) in [(NullKeys::Drop, 700), (NullKeys::Group, 701), (NullKeys::Group, 1)] {
                for (name, keys) in TestColumn::of_ranges(n, null_rows, &mut rng, &exec) {
                    check_keys(&keys, nulls, &mut rng, &format!("{name} n={n} {null_rows:?}"), &exec);
                }
            }
        }
    }
}

/// The key of a row, of its number and a random one.
type KeyOfRow = fn(usize, u64) -> i64;

#[test]
fn several_columns_over_several_ranges_up_to_and_beyond_most_groups_equal_map_of_rows() {
    use Aggregation::{Count, Max, Mean, Min, Size, Sum, SumWide};
    let storages = [Storage::I64, Storage::F64, Storage::U8];
    let three = [(Sum, 0), (Max, 0), (Size, 0)];
    let many = [
        (Sum, 1),
        (Mean, 0),
        (Min, 2),
        (Count, 1),
        (SumWide, 0),
        (Mean, 1),
        (Max, 1),
        (Size, 0),
        (Sum, 2),
        (Min, 0),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(33);
        // Two ranges of a device.
        let n = 20_001;
        let values = [Nulls::NoMask, Nulls::Some, Nulls::Some]
            .into_iter()
            .zip(storages)
            .map(|(nulls, storage)| Values::random(storage, n, 1, nulls, &mut rng, &exec))
            .collect::<Vec<_>>();
        // The most groups of a block with three words, the most of all blocks, and one more of each; one key of nine rows
        // in ten; groups of one range only; and the key that marks an empty slot.
        let keys: [(&str, KeyOfRow); 8] = [
            ("10 groups", |_, random| random as i64 % 10 - 1),
            ("1000 groups", |_, random| (random % 1000) as i64 * 0x1_0000_0001),
            ("1280 groups", |row, _| row as i64 % 1280),
            ("1281 groups", |row, _| row as i64 % 1281),
            ("2048 groups of two ranges", |row, _| {
                if row < 16384 { row as i64 % 1024 } else { 1024 + row as i64 % 1024 }
            }),
            ("2049 groups of two ranges", |row, _| {
                if row < 16384 { row as i64 % 1024 } else { 1024 + row as i64 % 1025 }
            }),
            ("skewed groups", |_, random| if random % 10 < 9 { -1 } else { (random / 16 % 700) as i64 }),
            ("rows of their own", |row, _| -(row as i64)),
        ];
        for (what, key) in keys {
            let rows: Vec<Option<i64>> = (0..n).map(|row| Some(key(row, rng.next() >> 8))).collect();
            let data: Vec<i64> = rows.iter().flatten().copied().collect();
            let data = Buffer::from_slice(&data, &exec).unwrap();
            let view =
                View::Fixed(Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: n });
            let requests = if what.contains("1000") || what.contains("skewed") { &many[..] } else { &three };
            check(&[view], &rows, &values, &storages, requests, what, &exec);
        }
    }
}

#[test]
fn more_requests_and_columns_than_one_pass_takes_equal_map_of_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(34);
        let key = TestColumn::random(Kind::Fixed(Storage::U8), 300, 0, Nulls::Some, 20, &mut rng, &exec);
        let storages = [Storage::I16; 9];
        let values = storages.map(|storage| Values::random(storage, 300, 0, Nulls::Some, &mut rng, &exec));
        let sums: Vec<_> = (0..9).map(|column| (Aggregation::Sum, column)).collect();
        let repeated = vec![(Aggregation::Max, 0); 17];
        for requests in [&sums[..8], &sums, &repeated[..16], &repeated, &[]] {
            let what = format!("{} requests", requests.len());
            check(&[key.view()], &key.rows, &values, &storages, requests, &what, &exec);
        }
    }
}

#[test]
fn lengths_that_differ_and_no_keys_are_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(35);
        let key = TestColumn::random(Kind::Fixed(Storage::I64), 3, 0, Nulls::NoMask, 3, &mut rng, &exec);
        let values = Values::random(Storage::I64, 4, 0, Nulls::NoMask, &mut rng, &exec);
        let request = (Aggregation::Sum, values.view());
        let error = group_aggregate(&[key.view()], NullKeys::Drop, &[request], &exec).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 3, right: 4 }), "{error:?}");
        let error = group_aggregate(&[], NullKeys::Drop, &[], &exec).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument { name: "keys", .. }), "{error:?}");
    }
}
