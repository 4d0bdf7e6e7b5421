//! The first rows in an order, whether rows are in it, and searches in them, against the sort of all rows.

use super::{
    NullOrder, Order, SearchSide, SortColumn, SortKey, Ties, is_sorted, is_strictly_sorted, search_sorted,
    sort_by, top_k,
};
use crate::test_frames::{KEYS, assert_lines, frame, limited, lines, moved, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, ErrorKind};
use columnade_tests::{Nulls, Rng};

const ORDERS: [(Order, NullOrder); 4] = [
    (Order::Ascending, NullOrder::Last),
    (Order::Descending, NullOrder::Last),
    (Order::Ascending, NullOrder::First),
    (Order::Descending, NullOrder::First),
];

fn sorting(rows: &ColumnAccessor, labels: &[&str], at: usize) -> Vec<SortColumn> {
    let key = |(k, label): (usize, &&str)| {
        let (order, nulls) = ORDERS[(at + k) % 4];
        SortColumn { position: rows.position(*label).unwrap(), order, nulls }
    };
    labels.iter().enumerate().map(key).collect()
}

fn sort_keys<'a>(rows: &'a ColumnAccessor, keys: &[SortColumn]) -> Vec<SortKey<'a>> {
    let key = |key: &SortColumn| SortKey {
        column: &rows.columns()[key.position],
        order: key.order,
        nulls: key.nulls,
    };
    keys.iter().map(key).collect()
}

/// Rows of the sorted lines up to `k` by `ties`: equal rows have equal `texts` of their keys.
fn expected_top(sorted: &[String], texts: &[String], k: usize, ties: Ties) -> Vec<String> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for row in 0..sorted.len() {
        match runs.last_mut() {
            Some(run) if texts[run[0]] == texts[row] => run.push(row),
            _ => runs.push(vec![row]),
        }
    }
    if ties == Ties::Last {
        for run in &mut runs {
            run.reverse();
        }
    }
    let mut rows: Vec<usize> = Vec::new();
    for run in runs {
        if rows.len() >= k {
            break;
        }
        let left = if ties == Ties::All { run.len() } else { k - rows.len() };
        rows.extend(run.into_iter().take(left));
    }
    rows.into_iter().map(|row| sorted[row].clone()).collect()
}

fn key_texts(rows: &ColumnAccessor, keys: &[SortColumn]) -> Vec<String> {
    let keys = ColumnAccessor::from_columns(
        keys.iter().enumerate().map(|(k, key)| (k.to_string(), rows.columns()[key.position].clone())),
    );
    // The two zeros are one value.
    lines(&keys.unwrap()).iter().map(|line| line.replace("-0.0", "0.0")).collect()
}

fn assert_top(rows: &ColumnAccessor, keys: &[SortColumn], ks: &[usize], what: &str, exec: &Exec) {
    let sorted = sort_by(rows, keys, exec).unwrap();
    let (all, texts) = (lines(&sorted), key_texts(&sorted, keys));
    for &k in ks {
        for ties in [Ties::First, Ties::Last, Ties::All] {
            let found = top_k(rows, keys, k, ties, exec).unwrap();
            let expected = expected_top(&all, &texts, k, ties);
            assert_lines(&lines(&found), &expected, &format!("{what}, k {k}, {ties:?}"));
        }
    }
}

#[test]
fn top_k_equals_head_of_sort() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for (at, label) in KEYS.into_iter().enumerate() {
            for n in [0, 1, 33, 64, 257] {
                let nulls = Nulls::ALL[(at + n) % 4];
                let whole = frame(n + 3, [2, 40, 1 << 30][n % 3], nulls, &mut rng, &exec);
                let rows = whole.slice(3, n).unwrap();
                let keys = sorting(&rows, &[label, "u16"], at + n);
                let what = format!("{device}, {n} rows by {label}, {nulls:?}");
                assert_top(&rows, &keys, &[0, 1, 2, 33, n], &what, &exec);
            }
        }
    }
}

/// Enough rows for a sample, whose bound keeps some.
#[test]
fn top_k_of_many_rows_equals_head_of_sort() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(32);
        for (at, labels) in
            [&["f64"][..], &["i64", "text"], &["text", "f64"], &["day", "word"], &["price"], &["word", "i64"]]
                .into_iter()
                .enumerate()
        {
            for (order, (distinct, nulls)) in
                [(3, Nulls::Some), (1 << 30, Nulls::NoMask), (900, Nulls::Some), (1 << 30, Nulls::All)]
                    .into_iter()
                    .enumerate()
            {
                let whole = frame(5205, distinct, nulls, &mut rng, &exec);
                let rows = whole.slice(5, 5200).unwrap();
                let rows = rows.select(labels.iter().chain(&["row"])).unwrap();
                let keys = sorting(&rows, labels, at + order);
                let what = format!("{device} by {labels:?}, {distinct} values, {nulls:?}");
                assert_top(&rows, &keys, &[1, 7], &what, &exec);
            }
        }
    }
}

#[test]
fn top_k_under_limit_equals_whole() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(9000, 50, Nulls::Some, &mut Rng::new(33), &exec);
        let keys = sorting(&rows, &["word", "f64"], 1);
        let expected = lines(&top_k(&rows, &keys, 600, Ties::First, &exec).unwrap());
        let bytes: usize = rows.row_bytes().unwrap();
        let (_, tight) = limited(&exec, share_of(bytes, 2, device));
        let rows = moved(&rows, &tight);
        let found = top_k(&rows, &keys, 600, Ties::First, &tight).unwrap();
        assert_lines(&lines(&found), &expected, &device.to_string());
    }
}

#[test]
fn is_sorted_agrees_with_sort() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(34);
        for (at, label) in KEYS.into_iter().enumerate() {
            for n in [0, 1, 2, 33, 65, 300] {
                let nulls = Nulls::ALL[(at + n) % 4];
                let rows = frame(n, [2, 40, 1 << 30][(at + n) % 3], nulls, &mut rng, &exec);
                let keys = sorting(&rows, &[label, "f64"], at + n);
                let sorted = sort_by(&rows, &keys, &exec).unwrap();
                let what = format!("{device}, {n} rows by {label}, {nulls:?}");
                assert!(is_sorted(&sort_keys(&sorted, &keys), &exec).unwrap(), "{what}");
                let (found, texts) = (key_texts(&rows, &keys), key_texts(&sorted, &keys));
                let is = is_sorted(&sort_keys(&rows, &keys), &exec).unwrap();
                assert_eq!(is, found == texts, "{what}, not sorted");
                let is_distinct = texts.windows(2).all(|pair| pair[0] != pair[1]);
                match is_strictly_sorted(&sort_keys(&sorted, &keys), &exec) {
                    Ok(is) => assert_eq!(is, is_distinct, "{what}, strictly"),
                    Err(error) => assert_eq!(error.kind(), ErrorKind::Type, "{what}: {error}"),
                }
                // The last two rows exchanged, unless they are equal.
                if n > 1 && texts[n - 1] != texts[n - 2] {
                    let parts =
                        [(0, n - 2), (n - 1, 1), (n - 2, 1)].map(|(at, len)| sorted.slice(at, len).unwrap());
                    let columns = sorted.labels().iter().map(|label| {
                        let parts: Vec<_> = parts.iter().map(|part| part.get(label).unwrap()).collect();
                        (label.clone(), crate::copying::concat(&parts, &exec).unwrap())
                    });
                    let exchanged = ColumnAccessor::from_columns(columns.collect::<Vec<_>>()).unwrap();
                    assert!(!is_sorted(&sort_keys(&exchanged, &keys), &exec).unwrap(), "{what}, exchanged");
                }
            }
        }
    }
}

/// Rows that are inserted where they are found leave the rows sorted, and the place is the first or the last such.
#[test]
fn searches_count_rows_before_needles() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(35);
        for (at, labels) in [
            &["i8"][..],
            &["i64"],
            &["u16"],
            &["f64"],
            &["day"],
            &["price"],
            &["text"],
            &["bool"],
            &["word"],
            &["i8", "f64"],
            &["text", "day", "bool"],
        ]
        .into_iter()
        .enumerate()
        {
            for (n, m) in [(0, 3), (1, 0), (33, 65), (200, 40)] {
                let nulls = Nulls::ALL[(at + n) % 4];
                let both = frame(n + m + 1, [2, 40, 1 << 30][(at + n) % 3], nulls, &mut rng, &exec);
                let rows = both.slice(1, n).unwrap();
                for order in 0..4 {
                    let keys = sorting(&rows, labels, order);
                    let sorted = sort_by(&rows, &keys, &exec).unwrap();
                    // Where each row of both is among both, equal ones alike.
                    let everything = key_texts(&sort_by(&both, &keys, &exec).unwrap(), &keys);
                    let place = |text: &String| everything.iter().position(|other| other == text).unwrap();
                    let haystack: Vec<usize> = key_texts(&sorted, &keys).iter().map(place).collect();
                    let needles = both.slice(1 + n, m).unwrap();
                    let wanted: Vec<usize> = key_texts(&needles, &keys).iter().map(place).collect();
                    let columns: Vec<&Column> =
                        keys.iter().map(|key| &needles.columns()[key.position]).collect();
                    for side in [SearchSide::Left, SearchSide::Right] {
                        let found = search_sorted(&sort_keys(&sorted, &keys), &columns, side, &exec).unwrap();
                        let before = |place: &usize| {
                            let is_before = |other: &&usize| match side {
                                SearchSide::Left => *other < place,
                                SearchSide::Right => *other <= place,
                            };
                            i64::try_from(haystack.iter().filter(is_before).count()).unwrap()
                        };
                        let expected: Vec<i64> = wanted.iter().map(before).collect();
                        let what = format!("{device}, {m} in {n} rows by {labels:?}, {nulls:?}, {order}");
                        assert_eq!(found.to_vec::<i64>().unwrap(), expected, "{what}, {side:?}");
                    }
                }
            }
        }
    }
}

/// The ends of the range of `uint64` and floats, and needles of another dtype.
#[test]
fn searches_of_extreme_numbers_are_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let run = |values: Column, needles: Column, order, side| {
            let key = SortKey { column: &values, order, nulls: NullOrder::Last };
            search_sorted(&[key], &[&needles], side, &exec).unwrap().to_vec::<i64>().unwrap()
        };
        let column = |values: &[u64]| Column::from_slice(values, &exec).unwrap();
        let big = [0, 1 << 63, u64::MAX];
        assert_eq!(
            run(column(&big), column(&[1, u64::MAX, 1 << 63]), Order::Ascending, SearchSide::Left),
            [1, 2, 1]
        );
        let big = [u64::MAX, 1 << 63, 0];
        assert_eq!(
            run(column(&big), column(&[1, u64::MAX, 1 << 63]), Order::Descending, SearchSide::Right),
            [2, 1, 2]
        );
        let floats = |values: &[f64]| Column::from_slice(values, &exec).unwrap();
        let range =
            [f64::NEG_INFINITY, f64::MIN, -1e-308, -0.0, 0.0, 1e-308, f64::MAX, f64::INFINITY, f64::NAN];
        let needles = [-f64::NAN, 0.0, -0.0, f64::NEG_INFINITY, f64::INFINITY, 1.0];
        let (left, right) = ([8, 3, 3, 0, 7, 6], [9, 5, 5, 1, 8, 6]);
        assert_eq!(
            run(floats(&range), floats(&needles), Order::Ascending, SearchSide::Left),
            left,
            "{device}"
        );
        assert_eq!(
            run(floats(&range), floats(&needles), Order::Ascending, SearchSide::Right),
            right,
            "{device}"
        );
        let integers = Column::from_slice(&[1_i32, 3, 3], &exec).unwrap();
        assert_eq!(run(integers, floats(&[0.5, 3.0, 3.5]), Order::Ascending, SearchSide::Left), [0, 1, 3]);
    }
}

#[test]
fn bad_arguments_of_searches_are_refused() {
    let exec = Exec::host();
    let [one, two] = [vec![1_i64], vec![1, 2]].map(Column::from_vec);
    let texts = Column::from_values(["a"], &exec).unwrap();
    let key = SortKey { column: &two, order: Order::Ascending, nulls: NullOrder::Last };
    assert!(search_sorted(&[], &[], SearchSide::Left, &exec).is_err());
    assert!(search_sorted(&[key], &[&one, &one], SearchSide::Left, &exec).is_err());
    assert!(search_sorted(&[key, key], &[&one, &two], SearchSide::Left, &exec).is_err());
    assert!(search_sorted(&[key], &[&texts], SearchSide::Left, &exec).is_err());
    let rows = ColumnAccessor::from_columns([("a", two.clone())]).unwrap();
    let beyond = SortColumn { position: 1, order: Order::Ascending, nulls: NullOrder::Last };
    assert!(top_k(&rows, &[beyond], 1, Ties::First, &exec).is_err());
    assert!(top_k(&rows, &[], 1, Ties::First, &exec).is_err());
    assert!(is_sorted(&[], &exec).is_err());
}
