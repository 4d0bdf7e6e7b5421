//! Lookups of labels: results of pandas 3.1.1, and searches of lists of labels.

use std::ops::Range;

use columnade_columns::{Closed, Scalar, TimeUnit, categories, timestamps};

use super::{Index, IndexerMethod, RangeIndex};
use crate::error::{Error, Result};
use crate::locate::{LabelSlice, RowKey};
use crate::series::Series;
use crate::testing::on_every_device;

fn numbers(series: &Series) -> Vec<i64> {
    series.to_vec().expect("integers")
}

#[test]
fn get_indexer_of_unique_labels_returns_positions() {
    on_every_device(|_| {
        let labels = Index::new(["a", "b", "c"]).expect("strings");
        let target = Index::new(["c", "x", "a", "c"]).expect("strings");
        assert_eq!(numbers(&labels.get_indexer(&target).expect("positions")), [2, -1, 0, 2]);
        let floats = Index::new([Some(f64::NAN), None, Some(0.0)]).expect("floats");
        let target = Index::new([None, Some(-0.0), Some(f64::NAN), Some(1.0)]).expect("floats");
        assert_eq!(numbers(&floats.get_indexer(&target).expect("positions")), [1, 2, 0, -1]);
        let range = RangeIndex::new(10, -7, 5).map(Index::from).expect("labels fit");
        let target = Index::new([3, 4, -18]).expect("numbers");
        assert_eq!(numbers(&range.get_indexer(&target).expect("positions")), [1, -1, 4]);
        let twice = Index::new(["a", "b", "a"]).expect("strings");
        let error = twice.get_indexer(&target).expect_err("not unique");
        assert!(matches!(error, Error::DuplicateLabels { label, .. } if label == [Scalar::from("a")]));
    });
}

#[test]
fn get_indexer_of_many_labels_equals_search_of_list() {
    on_every_device(|_| {
        for rows in [0, 1, 31, 32, 33, 63, 64, 65, 700] {
            let all: Vec<i64> = (0..rows + 5).map(|row| row * 37 % 1009).collect();
            let labels = Index::new(all.clone()).and_then(|labels| labels.slice(3, all.len() - 5));
            let all = &all[3..all.len() - 2];
            let target: Vec<i64> = (0..rows).map(|row| row * 13 % 1009).collect();
            let expected: Vec<i64> = target
                .iter()
                .map(|label| all.iter().position(|other| other == label))
                .map(|found| found.map_or(-1, |row| i64::try_from(row).expect("small")))
                .collect();
            let target = Index::new(target).expect("numbers");
            let found = labels.and_then(|labels| labels.get_indexer(&target)).expect("positions");
            assert_eq!(numbers(&found), expected);
        }
    });
}

#[test]
fn get_indexer_non_unique_repeats_positions_and_lists_missing() {
    on_every_device(|_| {
        let labels = Index::new(["a", "b", "a"]).expect("strings");
        let target = Index::new(["b", "x", "a"]).expect("strings");
        let (found, missing) = labels.get_indexer_non_unique(&target).expect("positions");
        assert_eq!((numbers(&found), numbers(&missing)), (vec![1, -1, 0, 2], vec![1]));
    });
}

#[test]
fn get_indexer_with_method_takes_labels_of_pandas() {
    use IndexerMethod::{Backfill, Nearest, Pad};
    on_every_device(|_| {
        let target = || Index::new([5, 10, 15, 19, 26, 30, 31]).expect("numbers");
        let of = |labels: &Index, target: &Index, method| {
            numbers(&labels.get_indexer_with(target, method).expect("positions"))
        };
        let (up, down) = (Index::new([10, 20, 30]), Index::new([30, 20, 10]));
        let (up, down) = (up.expect("numbers"), down.expect("numbers"));
        assert_eq!(of(&up, &target(), Pad), [-1, 0, 0, 0, 1, 2, 2]);
        assert_eq!(of(&down, &target(), Pad), [2, 2, 1, 1, 0, 0, -1]);
        assert_eq!(of(&down, &target(), Backfill), [-1, 2, 2, 2, 1, 0, 0]);
        assert_eq!(of(&up, &target(), Backfill), [0, 0, 1, 1, 2, 2, -1]);
        assert_eq!(of(&up, &target(), Nearest), [0, 0, 1, 1, 2, 2, 2]);
        assert_eq!(of(&down, &target(), Nearest), [2, 2, 1, 1, 0, 0, 0]);
        let floats = Index::new([1.0, 2.5]).expect("floats");
        let target = Index::new([0.5, 1.75, f64::NAN, 9.0]).expect("floats");
        assert_eq!(of(&floats, &target, Pad), [-1, 0, -1, 1]);
        assert_eq!(of(&floats, &target, Backfill), [0, 1, -1, -1]);
        let seconds = |values: Vec<i64>| Index::new(timestamps(values, TimeUnit::Second)).expect("times");
        let (days, hour) = (seconds(vec![0, 172_800]), 3_600);
        let target = seconds(vec![86_400, 86_400 + hour, -9, 999_999]);
        assert_eq!(of(&days, &target, Pad), [0, 0, -1, 1]);
        assert_eq!(of(&days, &target, Backfill), [1, 1, 0, -1]);
        assert_eq!(of(&days, &target, Nearest), [1, 1, 0, 1]);
        let unsorted = Index::new([3, 1, 2]).expect("numbers");
        assert!(unsorted.get_indexer_with(&days, Pad).expect_err("unsorted").to_string().contains("sorted"));
    });
}

/// Bounds and rows, an empty one where pandas ends before it starts.
type Slices = &'static [(Option<i32>, Option<i32>, Range<usize>)];

fn slice(start: Option<i32>, end: Option<i32>) -> LabelSlice {
    LabelSlice { start: start.map(RowKey::from), end: end.map(RowKey::from), step: 1 }
}

#[test]
fn slice_locs_of_sorted_labels_equals_pandas() {
    const SLICES: &[(&[i32], Slices)] = &[
        (
            &[1, 3, 5],
            &[
                (Some(2), Some(4), 1..2),
                (Some(4), Some(2), 2..2),
                (Some(1), Some(5), 0..3),
                (Some(3), Some(3), 1..2),
                (Some(8), Some(4), 3..3),
                (Some(4), Some(8), 2..3),
                (None, Some(3), 0..2),
                (Some(3), None, 1..3),
                (Some(0), Some(100), 0..3),
            ],
        ),
        (
            &[1, 3, 3, 5],
            &[
                (Some(2), Some(4), 1..3),
                (Some(3), Some(3), 1..3),
                (None, Some(3), 0..3),
                (Some(3), None, 1..4),
            ],
        ),
        (
            &[9, 7, 5, 3],
            &[
                (Some(8), Some(4), 1..3),
                (Some(4), Some(8), 3..3),
                (Some(4), Some(2), 3..4),
                (Some(3), Some(3), 3..4),
                (None, Some(3), 0..4),
                (Some(100), Some(0), 0..4),
            ],
        ),
        (
            &[10, 3, -4, -11, -18],
            &[
                (Some(10), Some(-4), 0..3),
                (Some(9), Some(-4), 1..3),
                (Some(4), Some(-5), 1..3),
                (Some(-100), Some(100), 5..5),
                (Some(100), Some(-100), 0..5),
                (Some(3), Some(3), 1..2),
                (Some(2), Some(4), 2..2),
            ],
        ),
    ];
    on_every_device(|_| {
        for (labels, slices) in SLICES {
            let index = Index::new(*labels).expect("numbers");
            let step = i64::from(labels[1]) - i64::from(labels[0]);
            let range = RangeIndex::new(labels[0].into(), step, labels.len()).map(Index::from);
            let range = range.filter(|range| range.equals(&index).expect("compares"));
            for (start, end, rows) in *slices {
                for index in std::iter::once(&index).chain(&range) {
                    let found = index.slice_locs(slice(*start, *end)).expect("rows");
                    assert_eq!(found, *rows, "{labels:?} {start:?} {end:?}");
                }
            }
        }
    });
}

#[test]
fn slice_locs_of_unsorted_labels_needs_bounds_that_are_labels() {
    on_every_device(|_| {
        let of = |labels: Vec<i32>, start, end| {
            Index::new(labels).expect("numbers").slice_locs(slice(Some(start), Some(end)))
        };
        assert_eq!(of(vec![3, 1, 2], 1, 2).expect("labels"), 1..3);
        assert_eq!(of(vec![3, 1, 1, 2], 1, 2).expect("side by side"), 1..4);
        assert_eq!(of(vec![1, 3, 1, 2], 3, 2).expect("labels"), 1..4);
        for (labels, start) in [(vec![3, 1, 2], 0), (vec![1, 3, 1, 2], 1)] {
            let error = of(labels, start, 2).expect_err("no bound");
            assert!(matches!(&error, Error::UnsortedIndex { label, .. } if *label == [Scalar::Int32(start)]));
        }
        let words = Index::new(categories(["b", "a", "c"])).expect("categories");
        assert_eq!(words.slice_locs("a"..="c").expect("labels"), 1..3);
    });
}

#[test]
fn get_loc_names_missing_and_repeated_labels() {
    on_every_device(|_| {
        let labels = Index::new(["b", "ß", "b", "c"]).expect("strings");
        assert_eq!(labels.get_loc("ß").expect("one"), 1);
        let missing = labels.get_loc("x").expect_err("none");
        assert!(
            matches!(&missing, Error::MissingLabels { missing, .. } if *missing == [[Scalar::from("x")]])
        );
        assert!(matches!(labels.get_loc("b").expect_err("two"), Error::DuplicateLabels { .. }));
        assert_eq!(numbers(&labels.get_locs("b").expect("two")), [0, 2]);
        assert!(labels.contains("c").expect("searches") && !labels.contains("d").expect("searches"));
        let sorted = Index::new([1.0, 1.0, 2.0]).expect("floats");
        assert_eq!(numbers(&sorted.get_locs(1).expect("two")), [0, 1]);
        assert_eq!(sorted.get_loc(2.0).expect("one"), 2);
        let range = RangeIndex::new(10, -7, 5).map(Index::from).expect("labels fit");
        assert_eq!(range.get_loc(-11).expect("one"), 3);
        assert!(!range.contains(11).expect("arithmetic") && range.contains(-4.0).expect("searches"));
        assert!(labels.get_loc(7).is_err(), "a number is no string");
    });
}

#[test]
fn is_in_looks_labels_up() {
    on_every_device(|_| {
        let labels = Index::new([Some("a"), None, Some("b")]).expect("strings");
        let among = Index::new([None, Some("b"), Some("z")]).expect("strings");
        assert_eq!(
            labels.is_in(&among).and_then(|found| found.to_vec::<bool>()).expect("found"),
            [false, true, true]
        );
    });
}

#[test]
fn multi_lookups_take_first_levels() {
    on_every_device(|_| {
        let levels = |k: [&str; 5], n: [i64; 5]| {
            Index::from_arrays([("k", Series::new(k).expect("k")), ("n", Series::new(n).expect("n"))])
        };
        let sorted = levels(["a", "a", "b", "b", "c"], [1, 2, 1, 3, 2]).expect("levels");
        let unsorted = levels(["b", "a", "c", "a", "b"], [1, 1, 2, 2, 3]).expect("levels");
        assert_eq!(numbers(&sorted.get_locs("a").expect("rows")), [0, 1]);
        assert_eq!(numbers(&unsorted.get_locs("a").expect("rows")), [1, 3]);
        assert_eq!(unsorted.get_loc(("b", 3)).expect("one"), 4);
        assert!(sorted.contains("b").expect("found") && !sorted.contains(("a", 9)).expect("searches"));
        assert_eq!(sorted.slice_locs("a"..="b").expect("rows"), 0..4);
        assert_eq!(sorted.slice_locs(("a", 2)..=("b", 9)).expect("rows"), 1..4);
        assert_eq!(sorted.slice_locs(("a", 2)..=("b", 1)).expect("rows"), 1..3);
        assert!(matches!(unsorted.slice_locs("a"..="b"), Err(Error::UnsortedIndex { .. })));
        assert_eq!(numbers(&sorted.get_indexer(&unsorted).expect("positions")), [2, 0, 4, 1, 3]);
        assert!(sorted.get_loc("a").expect_err("one level").to_string().contains("2 levels"));
        assert!(sorted.get_locs(("a", 1, 2)).expect_err("three levels").to_string().contains("3 values"));
    });
}

#[test]
fn text_stands_for_period_of_times() {
    on_every_device(|_| {
        let times = |order: &[usize]| {
            let seconds = [1_705_276_800, 1_706_659_200, 1_706_745_599, 1_706_745_600, 1_709_634_600_i64];
            let seconds = order.iter().map(|&row| seconds[row] * 1_000).collect::<Vec<_>>();
            Index::new(timestamps(seconds, TimeUnit::Milli)).expect("times")
        };
        let (up, down) = (times(&[0, 1, 2, 3, 4]), times(&[4, 3, 2, 1, 0]));
        for (text, rows) in [
            ("2024-01", vec![0, 1, 2]),
            ("2024-01-31", vec![1, 2]),
            ("2024", vec![0, 1, 2, 3, 4]),
            ("2024-02-10", vec![]),
            ("2024-03-05 10:30", vec![4]),
            ("2024-03-05 10", vec![4]),
            ("2024-01-31T23:59:59", vec![2]),
        ] {
            assert_eq!(numbers(&up.get_locs(text).expect("rows")), rows, "{text}");
            let reversed: Vec<i64> = rows.iter().rev().map(|row| 4 - row).collect();
            assert_eq!(numbers(&down.get_locs(text).expect("rows")), reversed, "{text}");
        }
        for text in ["2023", "2025"] {
            assert!(matches!(up.get_locs(text), Err(Error::MissingLabels { .. })), "{text}");
        }
        assert_eq!(up.slice_locs("2024-01-31"..="2024-01-31").expect("rows"), 1..3);
        assert_eq!(up.slice_locs("2024-01-20"..="2024-02").expect("rows"), 1..4);
        assert_eq!(up.slice_locs("2024-02"..).expect("rows"), 3..5);
        assert_eq!(down.slice_locs("2024-02"..="2024-01-31").expect("rows"), 1..4);
        assert_eq!(numbers(&times(&[2, 0, 4, 1, 3]).get_locs("2024-01").expect("rows")), [0, 1, 3]);
        for text in ["2024-13", "24-01-01", "2024-01-01 24", "2024-02-30", "noon"] {
            assert!(up.get_locs(text).expect_err("no time").to_string().contains(text), "{text}");
        }
    });
}

#[test]
fn slices_by_first_levels_need_only_these_in_order() {
    on_every_device(|_| {
        let levels = |k: [i64; 4], n: [&str; 4]| {
            Index::from_arrays([("k", Series::new(k).expect("k")), ("n", Series::new(n).expect("n"))])
        };
        // pandas: its `_lexsort_depth` is 1.
        let index = levels([0, 0, 1, 1], ["b", "a", "c", "a"]).expect("levels");
        assert_eq!(index.slice_locs(0..=0).expect("rows"), 0..2);
        assert_eq!(index.slice_locs(1..=5).expect("rows"), 2..4);
        assert!(matches!(index.slice_locs((0, "b")..=(1, "c")), Err(Error::UnsortedIndex { .. })));
        // Descending as a whole, and ascending in the first level.
        let index = levels([3, 3, 3, 3], ["d", "c", "b", "a"]).expect("levels");
        assert_eq!(index.slice_locs(3..=4).expect("rows"), 0..4);
        assert_eq!(index.slice_locs((3, "c")..=(3, "b")).expect("rows"), 1..3);
        let index = levels([2, 1, 1, 0], ["a", "d", "b", "a"]).expect("levels");
        assert_eq!(index.slice_locs(slice(Some(1), Some(0))).expect("rows"), 1..4);
    });
}

#[test]
fn slices_by_categories_go_by_their_order() {
    on_every_device(|_| {
        let labels_of = |values: &[Option<&str>]| {
            let labels = Series::new(categories(values.to_vec()));
            let labels = labels.and_then(|labels| labels.cat().set_categories(["c", "a", "b", "z"]));
            labels.and_then(|labels| Index::from_series(&labels)).expect("categories")
        };
        let up = labels_of(&[Some("c"), Some("c"), Some("a"), Some("b")]);
        assert_eq!(up.slice_locs("c"..="a").expect("rows"), 0..3);
        assert_eq!(up.slice_locs("a"..="z").expect("no label, but a category"), 2..4);
        assert!(matches!(up.slice_locs("q"..="z"), Err(Error::UnsortedIndex { .. })));
        let down = labels_of(&[Some("z"), Some("a"), Some("a"), Some("c")]);
        assert_eq!(down.slice_locs("b"..="a").expect("rows"), 1..3);
        let mixed = labels_of(&[Some("c"), Some("b"), Some("c")]);
        assert_eq!(mixed.slice_locs("b"..="b").expect("rows"), 1..2);
        assert!(matches!(mixed.slice_locs("c"..="b"), Err(Error::UnsortedIndex { .. })));
        let with_null = labels_of(&[Some("c"), None, Some("b")]);
        assert_eq!(with_null.slice_locs("c"..="b").expect("rows"), 0..3);
    });
}

#[test]
fn lookups_in_ranges_equal_those_of_their_labels() {
    let methods = [IndexerMethod::Pad, IndexerMethod::Backfill, IndexerMethod::Nearest];
    on_every_device(|_| {
        for (start, step, len) in [(0, 1, 7), (5, 3, 4), (-4, -3, 5), (9, -1, 1), (i64::MAX - 6, 2, 4)] {
            let range = Index::Range(RangeIndex::new(start, step, len).expect("64 bits"));
            let labels: Vec<i64> =
                (0..len).map(|row| start + i64::try_from(row).expect("few") * step).collect();
            let listed = Index::new(labels.clone()).expect("labels");
            let mut wanted: Vec<Option<i64>> =
                labels.iter().flat_map(|label| [label.wrapping_sub(1), *label]).map(Some).collect();
            wanted.extend([
                None,
                Some(i64::MIN),
                Some(i64::MAX),
                Some(0),
                Some(start.wrapping_sub(step * 2)),
            ]);
            let wanted = Index::new(wanted).expect("labels");
            let exact = range.get_indexer(&wanted).expect("positions");
            assert_eq!(
                numbers(&exact),
                numbers(&listed.get_indexer(&wanted).expect("positions")),
                "{range:?}"
            );
            for method in methods {
                let found = range.get_indexer_with(&wanted, method).expect("positions");
                let expected = listed.get_indexer_with(&wanted, method).expect("positions");
                assert_eq!(numbers(&found), numbers(&expected), "{method:?} of {range:?}");
            }
        }
        // As large as no memory is.
        let large = Index::Range(RangeIndex::new(-10, 3, 1 << 50).expect("64 bits"));
        let wanted = Index::new([2_i32, 3, -10, -13]).expect("labels");
        assert_eq!(numbers(&large.get_indexer(&wanted).expect("positions")), [4, -1, 0, -1]);
        let (found, missing) = large.get_indexer_non_unique(&wanted).expect("positions");
        assert_eq!((numbers(&found), numbers(&missing)), (vec![4, -1, 0, -1], vec![1, 3]));
        assert_eq!(
            numbers(&large.get_indexer_with(&wanted, IndexerMethod::Nearest).expect("positions")),
            [4, 4, 0, 0]
        );
    });
}

#[test]
fn labels_of_several_levels_are_padded() {
    on_every_device(|_| {
        let levels = |k: Vec<i64>, n: Vec<Option<&str>>| {
            Index::from_arrays([("k", Series::new(k).expect("k")), ("n", Series::new(n).expect("n"))])
        };
        let labels = levels(vec![1, 1, 3], vec![Some("b"), Some("d"), Some("a")]).expect("levels");
        let wanted =
            levels(vec![1, 1, 2, 3, 4, 1], vec![Some("a"), Some("c"), Some("z"), Some("a"), Some("a"), None]);
        let wanted = wanted.expect("levels");
        // pandas `get_indexer(target, method)`, but for the null, which is before all labels there.
        let found = |method| numbers(&labels.get_indexer_with(&wanted, method).expect("positions"));
        assert_eq!(found(IndexerMethod::Pad), [-1, 0, 1, 2, 2, -1]);
        assert_eq!(found(IndexerMethod::Backfill), [0, 1, 2, 2, -1, -1]);
        let error = labels.get_indexer_with(&wanted, IndexerMethod::Nearest).expect_err("no distance");
        assert!(error.to_string().contains("nearest labels of several levels"), "{error}");
    });
}

#[test]
fn truths_are_no_numbers_as_labels() {
    let is_mismatch = |result: Result<()>| {
        let text = result.expect_err("another kind").to_string();
        assert!(text.contains("column \"row labels\": ") && text.contains("bool"), "{text}");
    };
    on_every_device(|_| {
        let truths = Index::new([true, false]).expect("labels");
        for numbers in [Index::of_rows(2), Index::new([1_i64, 0]).unwrap(), Index::new([0.0, 1.0]).unwrap()] {
            is_mismatch(numbers.get_loc(true).map(drop));
            is_mismatch(numbers.contains(true).map(drop));
            let series = Series::new([1, 2]).and_then(|series| series.with_index(&numbers)).unwrap();
            is_mismatch(series.loc(true).map(drop));
            is_mismatch(series.loc(false..=true).map(drop));
            is_mismatch(series.reindex([true]).map(drop));
        }
        is_mismatch(truths.get_loc(1).map(drop));
        is_mismatch(truths.get_loc(0.0).map(drop));
        assert_eq!(truths.get_loc(false).unwrap(), 1);
    });
}

#[test]
fn value_in_several_intervals_is_said_to_be_in_them() {
    let index =
        Index::new([0_i64, 1, 2, 3]).and_then(|ends| ends.intervals(Closed::Both)).expect("intervals");
    let text = index.get_loc(1).expect_err("two intervals").to_string();
    assert_eq!(text, "get_loc: label: 1 is in 2 intervals");
}
