//! Merges of sorted rows whose keys are dictionaries, against the order of numbers.

use super::{NullOrder, Order, SortColumn, merge_sorted};
use crate::test_frames::{limited, moved, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, Error, IntoColumn, categories};
use columnade_kernels::Storage;
use columnade_tests::Rng;

/// Keys are less than this.
const KEYS: i64 = 50;

fn run(keys: &[i64], key: impl IntoColumn, exec: &Exec) -> ColumnAccessor {
    let (key, number) = (key.into_column(exec).unwrap(), Column::from_slice(keys, exec).unwrap());
    ColumnAccessor::from_columns([("key", key), ("number", number)]).unwrap()
}

fn by_key(order: Order) -> [SortColumn; 1] {
    [SortColumn { position: 0, order, nulls: NullOrder::Last }]
}

/// Texts in the order of the numbers, and in the opposite one.
fn word(number: i64) -> String {
    format!("{number:02}")
}

fn reversed(number: i64) -> String {
    word(KEYS - 1 - number)
}

#[test]
fn merge_of_dictionaries_is_in_order_of_values_or_of_categories() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(44);
        for order in [Order::Ascending, Order::Descending] {
            for is_ordered in [false, true] {
                let mut runs = Vec::new();
                let mut expected = Vec::new();
                for codes in [Storage::I8, Storage::I16, Storage::I32, Storage::I64] {
                    let mut keys: Vec<i64> =
                        (0..2_000).map(|_| i64::try_from(rng.below(KEYS.unsigned_abs())).unwrap()).collect();
                    keys.sort_unstable();
                    if order == Order::Descending {
                        keys.reverse();
                    }
                    let name = if is_ordered { reversed } else { word };
                    let names: Vec<String> = keys.iter().map(|&key| name(key)).collect();
                    // Of ordered dictionaries the same categories, and others by first appearance in runs of other keys.
                    let names = categories(names).codes(codes);
                    runs.push(if is_ordered {
                        run(&keys, names.among((0..KEYS).map(name).collect::<Vec<_>>()).ordered(), &exec)
                    } else {
                        run(&keys, names, &exec)
                    });
                    expected.extend(keys);
                }
                expected.sort_unstable();
                if order == Order::Descending {
                    expected.reverse();
                }
                let bytes: usize = runs.iter().map(|run| run.row_bytes().unwrap()).sum();
                let (_, tight) = limited(&exec, share_of(bytes, 4, device));
                let spilled = runs.iter().map(|run| moved(run, &tight)).collect();
                for (runs, exec) in [(runs.clone(), &exec), (spilled, &tight)] {
                    let merged = merge_sorted(runs, &by_key(order), exec).unwrap();
                    let numbers = merged.get("number").unwrap().to_vec::<i64>().unwrap();
                    assert!(numbers == expected, "{order:?}, ordered: {is_ordered} on {device}");
                    let name = if is_ordered { reversed } else { word };
                    let names: Vec<String> = expected.iter().map(|&key| name(key)).collect();
                    let found = merged.get("key").unwrap().to_scalars().unwrap();
                    assert!(found.iter().map(ToString::to_string).eq(names), "{order:?} on {device}");
                }
            }
        }
    }
}

#[test]
fn merge_of_dictionaries_without_a_common_order_names_column() {
    let exec = Exec::host();
    let frame = |key: Column| run(&[1], key, &exec);
    let merged = |a: &ColumnAccessor, b: &ColumnAccessor| {
        merge_sorted(vec![a.clone(), b.clone()], &by_key(Order::Ascending), &exec).unwrap_err()
    };
    let sizes = |order: [&'static str; 2]| {
        frame(categories(["low"]).among(order).ordered().into_column(&exec).unwrap())
    };
    let ordered = sizes(["low", "high"]);
    let error = merged(&ordered, &sizes(["high", "low"]));
    assert!(error.to_string().starts_with("column \"key\": dictionaries: "), "{error}");
    let unordered = frame(categories(["low"]).into_column(&exec).unwrap());
    let text = frame(["low"].into_column(&exec).unwrap());
    for (a, b) in [(&ordered, &unordered), (&unordered, &ordered), (&ordered, &text), (&text, &ordered)] {
        let error = merged(a, b);
        assert!(matches!(error.clone().without_context(), Error::DTypeMismatch { .. }), "{error}");
        assert!(error.to_string().starts_with("column \"key\": "), "{error}");
    }
}
