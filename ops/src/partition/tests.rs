//! Partitions of frames.

use super::hash_partition;
use crate::test_frames::{KEYS, frame, lines};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorKind, Scalar};
use columnade_tests::{Nulls, Rng};
use std::collections::HashMap;

#[test]
fn hash_partition_keeps_equal_rows_together_in_order() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(51);
        for (k, label) in KEYS.into_iter().enumerate() {
            let rows = frame([0, 1, 700][k % 3], 12, Nulls::ALL[k % 4], &mut rng, &exec);
            let (parted, offsets) = hash_partition(&rows, &[rows.get(label).unwrap()], 5, 1, &exec).unwrap();
            assert_eq!((offsets.len(), offsets[5]), (6, rows.rows()));
            let keys = parted.get(label).unwrap().to_scalars().unwrap();
            let numbers = lines(&parted.select(["row"]).unwrap());
            let mut partitions = HashMap::new();
            for (part, ends) in offsets.windows(2).enumerate() {
                let numbers: Vec<usize> =
                    numbers[ends[0]..ends[1]].iter().map(|row| row.parse().unwrap()).collect();
                assert!(numbers.is_sorted(), "{label} on {device}");
                for key in &keys[ends[0]..ends[1]] {
                    let text = key.to_string().replace("-0.0", "0.0");
                    assert_eq!(*partitions.entry(text).or_insert(part), part, "{label} {key} on {device}");
                }
            }
            let mut all = lines(&parted);
            all.sort_by_key(|line| line.rsplit('|').next().map(|row| row.parse::<usize>().unwrap()));
            assert_eq!(all, lines(&rows), "{label} on {device}");
        }
    }
}

#[test]
fn hash_partition_of_codes_agrees_with_values() {
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
fn hash_partition_without_keys_or_partitions_returns_error() {
    let exec = Exec::host();
    let rows = ColumnAccessor::from_columns([("a", Column::from_vec(vec![1_i64, 2]))]).unwrap();
    let one = Column::from_vec(vec![1_i64]);
    let refused = |keys: &[&Column], count| hash_partition(&rows, keys, count, 0, &exec).unwrap_err();
    assert_eq!(refused(&[], 2).kind(), ErrorKind::Value);
    assert_eq!(refused(&[&one], 2), Error::LengthMismatch { expected: 2, found: 1 });
    assert_eq!(refused(&[rows.get("a").unwrap()], 0).kind(), ErrorKind::Value);
}

/// Both sides of a join may hold their keys in decimals of other widths.
#[test]
fn hash_partition_of_decimals_ignores_width() {
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
