//! Partitions of frames.

use super::{hash_partition, partition_count, partition_parts};
use crate::test_frames::{KEYS, assert_lines, frame, limited, lines, moved};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorKind, Scalar};
use columnade_tests::{Nulls, Rng};
use std::cell::Cell;
use std::collections::HashMap;

#[test]
fn equal_rows_lie_together_in_their_order() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(51);
        for (k, label) in KEYS.into_iter().enumerate() {
            let rows = frame([0, 1, 700][k % 3], 12, Nulls::ALL[k % 4], &mut rng, &exec);
            let (parted, offsets) = hash_partition(&rows, &[rows.get(label).unwrap()], 5, 1, &exec).unwrap();
            assert_eq!((offsets.len(), offsets[5]), (6, rows.rows()));
            let keys = parted.get(label).unwrap().to_scalars().unwrap();
            let numbers = lines(&parted.select(["row"]).unwrap());
            let mut homes = HashMap::new();
            for (part, ends) in offsets.windows(2).enumerate() {
                let numbers: Vec<usize> =
                    numbers[ends[0]..ends[1]].iter().map(|row| row.parse().unwrap()).collect();
                assert!(numbers.is_sorted(), "{label} on {device}");
                for key in &keys[ends[0]..ends[1]] {
                    let text = key.to_string().replace("-0.0", "0.0");
                    assert_eq!(*homes.entry(text).or_insert(part), part, "{label} {key} on {device}");
                }
            }
            let mut all = lines(&parted);
            all.sort_by_key(|line| line.rsplit('|').next().map(|row| row.parse::<usize>().unwrap()));
            assert_eq!(all, lines(&rows), "{label} on {device}");
        }
    }
}

#[test]
fn values_and_codes_of_one_value_go_together() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(52);
        let rows = frame(300, 1 << 10, Nulls::Some, &mut rng, &exec);
        let word = rows.get("word").unwrap();
        let texts: Vec<_> = word.to_scalars().unwrap();
        let Column::Categorical(coded) = word else { panic!("words are coded") };
        let plain = Column::from_scalars(&coded.dictionary().dtype(), &texts, &exec).unwrap();
        let [(coded, _), (plain, _)] =
            [word, &plain].map(|key| hash_partition(&rows, &[key], 16, 3, &exec).unwrap());
        assert_eq!(lines(&coded), lines(&plain), "{device}");
    }
}

#[test]
fn parts_are_partitioned_as_one() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(53);
        let rows = frame(900, 40, Nulls::Some, &mut rng, &exec);
        let key = |rows: &ColumnAccessor| rows.get("text").cloned();
        let (whole, offsets) = hash_partition(&rows, &[&key(&rows).unwrap()], 8, 0, &exec).unwrap();
        let parts: Vec<ColumnAccessor> =
            [(0, 0), (0, 100), (100, 513), (613, 287)].map(|(at, len)| rows.slice(at, len).unwrap()).into();
        let parted = partition_parts(&parts, 8, 0, &exec, |rows| Ok(vec![rows.get("text")?])).unwrap();
        for (part, ends) in parted.into_iter().zip(offsets.windows(2)) {
            let together = ColumnAccessor::assemble(part, &exec).unwrap();
            let expected = whole.slice(ends[0], ends[1] - ends[0]).unwrap();
            assert_eq!(lines(&together), lines(&expected), "{device}");
        }
    }
}

/// Many small parts are brought together: pieces do not get smaller from one partitioning to the next.
#[test]
fn small_parts_are_partitioned_together() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(2_000, 40, Nulls::Some, &mut Rng::new(54), &exec);
        let all = lines(&rows);
        for (limit, most) in [(None, 1), (Some(1 << 20), 6), (Some(0), 60)] {
            let tight = limit.map_or_else(|| exec.clone(), |limit| limited(&exec, limit).1);
            let source = moved(&rows, &tight);
            let parts: Vec<ColumnAccessor> = (0..200).map(|at| source.slice(10 * at, 10).unwrap()).collect();
            let chunks = Cell::new(0);
            let parted = partition_parts(&parts, 4, 0, &tight, |rows| {
                chunks.set(chunks.get() + 1);
                Ok(vec![rows.get("i64")?])
            });
            let what = format!("a limit of {limit:?} on {device}");
            assert!(limit.is_none() || chunks.get() <= most, "{} pieces: {what}", chunks.get());
            let parts = parted.unwrap().into_iter().flatten().collect();
            let mut found = lines(&ColumnAccessor::assemble(parts, &exec).unwrap());
            found.sort_by_key(|line| line.rsplit('|').next().map(|row| row.parse::<usize>().unwrap()));
            assert_lines(&found, &all, &what);
        }
    }
}

#[test]
fn partitions_are_as_many_as_the_room_asks_for() {
    let room = 1 << 20;
    let counts = |room| [0, 1, 4, 16, 1 << 20].map(|reservations| partition_count(reservations * room, room));
    assert_eq!(counts(room), [2, 2, 8, 32, 64]);
    // In a small room there are few, for their parts would be small.
    assert_eq!(counts(32 << 10), [2, 2, 8, 8, 8]);
    assert_eq!(counts(100), [2, 2, 4, 4, 4]);
}

#[test]
fn what_cannot_be_partitioned_is_refused() {
    let exec = Exec::host();
    let rows = ColumnAccessor::from_columns([("a", Column::from_vec(vec![1_i64, 2]))]).unwrap();
    let one = Column::from_vec(vec![1_i64]);
    let refused = |keys: &[&Column], count| hash_partition(&rows, keys, count, 0, &exec).unwrap_err();
    assert_eq!(refused(&[], 2).kind(), ErrorKind::Value);
    assert_eq!(refused(&[&one], 2), Error::LengthMismatch { expected: 2, found: 1 });
    assert_eq!(refused(&[rows.get("a").unwrap()], 0).kind(), ErrorKind::NotImplemented);
}

/// Both sides of a join may hold their keys in decimals of other widths.
#[test]
fn equal_decimals_have_one_partition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let parts = DecimalStorage::ALL.map(|storage| {
            let dtype = DType::decimal_stored(7, 2, storage).unwrap();
            let value = |value| Scalar::Decimal { value, precision: 7, scale: 2 };
            let values: Vec<Scalar> = (-50..50).map(|row| value(row * 99_991)).collect();
            let key = Column::from_scalars(&dtype, &values, &exec).unwrap();
            let rows =
                ColumnAccessor::from_columns([("row", Column::from_values(0..100_i64, &exec).unwrap())])
                    .unwrap();
            let (rows, offsets) = hash_partition(&rows, &[&key], 8, 5, &exec).unwrap();
            (rows.get("row").unwrap().to_scalars().unwrap(), offsets)
        });
        assert!(parts[1] == parts[0] && parts[1] == parts[2], "{device}");
    }
}
