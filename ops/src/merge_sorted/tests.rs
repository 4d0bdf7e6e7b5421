//! Merging runs, a few rows at a time.

use super::{MergeKey, merge_sorted, merge_sorted_by};
use crate::sort::{NullOrder, Order, SortKey, sort_by};
use crate::test_frames::{KEYS, assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, ErrorKind};
use columnade_tests::{Nulls, Rng};

const ORDERS: [(Order, NullOrder); 3] = [
    (Order::Ascending, NullOrder::Last),
    (Order::Descending, NullOrder::First),
    (Order::Descending, NullOrder::Last),
];

fn sorted(rows: &ColumnAccessor, keys: &[MergeKey<'_>], exec: &Exec) -> ColumnAccessor {
    let keys: Vec<SortKey<'_>> = keys
        .iter()
        .map(|key| SortKey { column: rows.get(key.label).unwrap(), order: key.order, nulls: key.nulls })
        .collect();
    sort_by(rows, &keys, exec).unwrap()
}

/// Runs of these lengths, each sorted.
fn runs(rows: &ColumnAccessor, lengths: &[usize], keys: &[MergeKey<'_>], exec: &Exec) -> Vec<ColumnAccessor> {
    let mut start = 0;
    lengths
        .iter()
        .map(|&len| {
            start += len;
            sorted(&rows.slice(start - len, len).unwrap(), keys, exec)
        })
        .collect()
}

#[test]
fn runs_of_every_kind_of_key_are_merged_a_few_rows_at_a_time() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        let lengths = [300, 0, 1, 700, 64, 257];
        let n = lengths.iter().sum();
        for (k, label) in KEYS.into_iter().enumerate() {
            let (order, nulls) = ORDERS[k % 3];
            let distinct = [1, 5, 1 << 20][k / 3];
            let rows = frame(n, distinct, Nulls::ALL[k % 4], &mut rng, &exec);
            let keys = [MergeKey { label, order, nulls }];
            // Stable: the runs follow each other in the frame, so that sorting it as a whole is the same.
            let expected = lines(&sorted(&rows, &keys, &exec));
            for at_a_time in [1 << 20, 500, 60] {
                let runs = runs(&rows, &lengths, &keys, &exec);
                let merged = merge_sorted_by(runs, &keys, at_a_time, &exec).unwrap();
                let what = format!("{label} {at_a_time} rows at a time on {device}");
                assert_lines(&lines(&merged), &expected, &what);
                assert_eq!(merged.labels(), rows.labels());
            }
        }
    }
}

#[test]
fn one_row_at_a_time_by_two_keys() {
    let exec = Exec::host();
    let mut rng = Rng::new(42);
    let rows = frame(90, 3, Nulls::Some, &mut rng, &exec);
    let key = |label| MergeKey { label, order: Order::Ascending, nulls: NullOrder::First };
    // The third orders nothing more.
    let keys = [key("text"), key("i8"), key("text")];
    let expected = lines(&sorted(&rows, &keys, &exec));
    for at_a_time in [1, 2, 7, 30] {
        let merged =
            merge_sorted_by(runs(&rows, &[30, 7, 53], &keys, &exec), &keys, at_a_time, &exec).unwrap();
        assert_lines(&lines(&merged), &expected, &format!("{at_a_time} rows at a time"));
    }
}

#[test]
fn runs_that_are_larger_together_than_the_device() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(43);
        let keys = [MergeKey { label: "i64", order: Order::Ascending, nulls: NullOrder::Last }];
        let rows = frame(6_000, 200, Nulls::Some, &mut rng, &exec);
        let expected = lines(&sorted(&rows, &keys, &exec));
        let bytes = rows.row_bytes().unwrap();
        let limit = share_of(bytes, 4, device);
        let (manager, tight) = limited(&exec, limit);
        let runs = (0..8)
            .map(|k| moved(&sorted(&rows.slice(k * 750, 750).unwrap(), &keys, &exec), &tight))
            .collect();
        let (peak, merged) = peak_of(&manager, || merge_sorted(runs, &keys, &tight).unwrap());
        assert!(peak <= limit, "{peak} of {limit}");
        assert_lines(&lines(&merged), &expected, &device.to_string());
    }
}

#[test]
fn what_is_no_run_is_refused() {
    let exec = Exec::host();
    let key = MergeKey { label: "a", order: Order::Ascending, nulls: NullOrder::Last };
    let run = ColumnAccessor::from_columns([("a", Column::from_vec(vec![1_i64]))]).unwrap();
    let other = ColumnAccessor::from_columns([("b", Column::from_vec(vec![1_i64]))]).unwrap();
    assert_eq!(merge_sorted(vec![], &[key], &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(merge_sorted(vec![run.clone()], &[], &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(merge_sorted(vec![run.clone(), other], &[key], &exec).unwrap_err().kind(), ErrorKind::Key);
    assert_eq!(merge_sorted(vec![run], &[key], &exec).unwrap().rows(), 1);
}
