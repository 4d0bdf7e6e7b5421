//! Merging runs, a few rows at a time.

use crate::out_of_core::Driver;
use crate::out_of_core::external_sort::{merge_some_at_a_time, merge_sorted};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use crate::test_frames::{KEYS, ascending, assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, ErrorKind};
use columnade_tests::{Nulls, Rng};

const ORDERS: [(Order, NullOrder); 3] = [
    (Order::Ascending, NullOrder::Last),
    (Order::Descending, NullOrder::First),
    (Order::Descending, NullOrder::Last),
];

/// Runs of these lengths, each sorted.
fn runs(rows: &ColumnAccessor, lengths: &[usize], keys: &[SortColumn], exec: &Exec) -> Vec<ColumnAccessor> {
    let mut start = 0;
    lengths
        .iter()
        .map(|&len| {
            start += len;
            sort_by(&rows.slice(start - len, len).unwrap(), keys, exec).unwrap()
        })
        .collect()
}

#[test]
fn merge_of_every_kind_of_key_equals_sort() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        let lengths = [300, 0, 1, 700, 64, 257];
        let n = lengths.iter().sum();
        for (k, label) in KEYS.into_iter().enumerate() {
            let (order, nulls) = ORDERS[k % 3];
            let distinct = [1, 5, 1 << 20][k / 3];
            let rows = frame(n, distinct, Nulls::ALL[k % 4], &mut rng, &exec);
            let keys = [SortColumn { position: rows.position(label).unwrap(), order, nulls }];
            // Stable: the runs follow each other in the frame, so that sorting it as a whole is the same.
            let expected = lines(&sort_by(&rows, &keys, &exec).unwrap());
            for at_a_time in [1 << 20, 500, 60] {
                let runs = runs(&rows, &lengths, &keys, &exec);
                let merged = merge_some_at_a_time(runs, &keys, at_a_time, Driver::new(&exec)).unwrap();
                let what = format!("{label} {at_a_time} rows at a time on {device}");
                assert_lines(&lines(&merged), &expected, &what);
                assert_eq!(merged.labels(), rows.labels());
            }
        }
    }
}

#[test]
fn merge_by_two_keys_equals_sort() {
    let exec = Exec::host();
    let mut rng = Rng::new(42);
    let rows = frame(90, 3, Nulls::Some, &mut rng, &exec);
    let key = |label| SortColumn { nulls: NullOrder::First, ..ascending(&rows, label) };
    // The third orders nothing more.
    let keys = [key("text"), key("i8"), key("text")];
    let expected = lines(&sort_by(&rows, &keys, &exec).unwrap());
    for at_a_time in [1, 2, 7, 30] {
        let runs = runs(&rows, &[30, 7, 53], &keys, &exec);
        let merged = merge_some_at_a_time(runs, &keys, at_a_time, Driver::new(&exec)).unwrap();
        assert_lines(&lines(&merged), &expected, &format!("{at_a_time} rows at a time"));
    }
}

#[test]
fn merge_of_runs_larger_than_device_stays_within_limit() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(43);
        let rows = frame(6_000, 200, Nulls::Some, &mut rng, &exec);
        let keys = [ascending(&rows, "i64")];
        let expected = lines(&sort_by(&rows, &keys, &exec).unwrap());
        let bytes = rows.row_bytes().unwrap();
        let limit = share_of(bytes, 4, device);
        let (manager, tight) = limited(&exec, limit);
        let runs = (0..8)
            .map(|k| moved(&sort_by(&rows.slice(k * 750, 750).unwrap(), &keys, &exec).unwrap(), &tight))
            .collect();
        let (peak, merged) = peak_of(&manager, || merge_sorted(runs, &keys, &tight).unwrap());
        assert!(peak <= limit, "{peak} of {limit}");
        assert_lines(&lines(&merged), &expected, &device.to_string());
    }
}

#[test]
fn merge_without_runs_or_keys_returns_error() {
    let exec = Exec::host();
    let run = ColumnAccessor::from_columns([("a", Column::from_vec(vec![1_i64]))]).unwrap();
    let key = ascending(&run, "a");
    let other = ColumnAccessor::from_columns([("b", Column::from_vec(vec![1_i64]))]).unwrap();
    assert_eq!(merge_sorted(vec![], &[key], &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(merge_sorted(vec![run.clone()], &[], &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(merge_sorted(vec![run.clone(), other], &[key], &exec).unwrap_err().kind(), ErrorKind::Key);
    let beyond = SortColumn { position: 1, ..key };
    assert_eq!(merge_sorted(vec![run.clone()], &[beyond], &exec).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(merge_sorted(vec![run], &[key], &exec).unwrap().rows(), 1);
}
