//! Sorting frames of typed columns.

use super::sort_by::SortBy;
use super::{NullOrder, Order, SortColumn, SortKey, argsort, sort_by};
use crate::out_of_core::{ChunkPlan, Driver};
use crate::test_frames::{KEYS, ascending, assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Buffer, Device, Exec, retry_statistics};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, ErrorKind, NumericColumn, Scalar};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

fn key(column: &Column, order: Order, nulls: NullOrder) -> SortKey<'_> {
    SortKey { column, order, nulls }
}

#[test]
fn sort_of_dictionaries_orders_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let data = Buffer::from_slice(&[0_i32, 1, 2, 1, 0, 2], &exec).unwrap();
        let mask = Buffer::from_slice(&[0b10_1111_u8], &exec).unwrap();
        let codes = Column::Numeric(NumericColumn::new(DType::Int32, data, Some(mask), 0, 6).unwrap());
        let dictionary = Arc::new(Column::from_values(["m", "z", "a"], &exec).unwrap());
        let word = Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap());
        let row = Column::from_slice(&[0_i64, 1, 2, 3, 4, 5], &exec).unwrap();
        let columns = ColumnAccessor::from_columns([("word", word.clone()), ("row", row)]).unwrap();
        for (order, nulls, expected) in [
            (Order::Ascending, NullOrder::Last, [2_i64, 5, 0, 1, 3, 4]),
            (Order::Ascending, NullOrder::First, [4, 2, 5, 0, 1, 3]),
            (Order::Descending, NullOrder::Last, [1, 3, 0, 2, 5, 4]),
        ] {
            let sorted = sort_by(&columns, &[SortColumn { position: 0, order, nulls }], &exec).unwrap();
            let rows = sorted.get("row").unwrap().to_scalars().unwrap();
            assert_eq!(rows, expected.map(Scalar::Int64), "{order:?} {nulls:?} {device}");
            assert_eq!(sorted.get("word").unwrap().dtype(), word.dtype());
        }
        let by_word = ascending(&columns, "word");
        let keys = [by_word, SortColumn { order: Order::Descending, ..ascending(&columns, "row") }];
        let sorted = sort_by(&columns, &keys, &exec).unwrap();
        let rows = sorted.get("row").unwrap().to_scalars().unwrap();
        assert_eq!(rows, [5_i64, 2, 0, 3, 1, 4].map(Scalar::Int64));
    }
}

#[test]
fn argsort_by_several_keys_equals_sort_of_tuples() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(5);
        let n = 3000;
        let first: Vec<i16> = (0..n).map(|_| i16::try_from(rng.below(20)).unwrap() - 10).collect();
        let second: Vec<String> = (0..n).map(|_| rng.text(2)).collect();
        let mut expected: Vec<usize> = (0..n).collect();
        expected.sort_by_key(|&row| (first[row], std::cmp::Reverse(second[row].clone())));
        let first = Column::from_slice(&first, &exec).unwrap();
        let second = Column::from_values(second, &exec).unwrap();
        let keys = [
            key(&first, Order::Ascending, NullOrder::Last),
            key(&second, Order::Descending, NullOrder::Last),
        ];
        let map = argsort(&keys, &exec).unwrap();
        let rows: Vec<usize> = map
            .to_vec(&exec)
            .unwrap()
            .into_iter()
            .flatten()
            .map(|row| usize::try_from(row).unwrap())
            .collect();
        assert_eq!(rows, expected, "{device}");
    }
}

#[test]
fn sort_by_bad_keys_returns_error() {
    let exec = Exec::host();
    let two = Column::from_vec(vec![1_i64, 2]);
    let one = Column::from_vec(vec![1_i64]);
    let columns = ColumnAccessor::from_columns([("a", two.clone())]).unwrap();
    let [two, one] = [&two, &one].map(|column| key(column, Order::Ascending, NullOrder::Last));
    assert_eq!(argsort(&[], &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(argsort(&[two, one], &exec).unwrap_err().kind(), ErrorKind::Value);
    let beyond = SortColumn { position: 1, ..ascending(&columns, "a") };
    assert_eq!(sort_by(&columns, &[beyond], &exec).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(sort_by(&columns, &[], &exec).unwrap_err().kind(), ErrorKind::Value);
}

#[test]
fn sort_in_chunks_equals_sort_of_whole() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(21);
        for (k, label) in KEYS.into_iter().enumerate() {
            let n = [0, 1, 511, 512, 513, 2049][k % 6];
            let rows = frame(n, [1, 4, 1 << 30][k % 3], Nulls::ALL[k % 4], &mut rng, &exec);
            let by = |label| ascending(&rows, label);
            let first = SortColumn { order: Order::Descending, nulls: NullOrder::First, ..by(label) };
            let keys = [first, by("u16")];
            let expected = lines(&sort_by(&rows, &keys, &exec).unwrap());
            for len in [1, 512, 1000] {
                let plan = ChunkPlan::of_len(len.max(n / 9));
                let sorted = Driver::new(&exec).run_planned(&SortBy { keys: &keys }, &rows, plan).unwrap();
                let what = format!("{n} rows by {label}, {len} at a time on {device}");
                assert_lines(&lines(&sorted), &expected, &what);
            }
        }
    }
}

#[test]
fn sort_of_frame_larger_than_budget_stays_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(22);
        let rows = frame(8_000, 1 << 20, Nulls::Some, &mut rng, &exec);
        let bytes = rows.row_bytes().unwrap();
        for (label, share) in [("i64", 1), ("text", 2), ("f64", 4), ("bool", 8), ("word", 8)] {
            let by = |rows: &ColumnAccessor, exec: &Exec| sort_by(rows, &[ascending(rows, label)], exec);
            let expected = lines(&by(&rows, &exec).unwrap());
            let limit = share_of(bytes, share, device);
            let (manager, tight) = limited(&exec, limit);
            let source = moved(&rows, &tight);
            let before = retry_statistics();
            let (peak, sorted) = peak_of(&manager, || by(&source, &tight).unwrap());
            assert!(peak <= limit, "{peak} of {limit} by {label} on {device}");
            let failures = retry_statistics().failures - before.failures;
            assert!(failures < 1000, "{failures} attempts failed by {label} on {device}");
            assert_lines(&lines(&sorted), &expected, &format!("1/{share} by {label} on {device}"));
            assert_lines(&lines(&source), &lines(&rows), "the source is as it was");
        }
    }
}
