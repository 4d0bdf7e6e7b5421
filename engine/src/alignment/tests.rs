//! Alignment by label: results of pandas 3.1.1, and searches of lists of labels.

use columnade_columns::{Label, Scalar};

use super::{FrameOperand, LabelJoin, Reindex};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Error;
use crate::index::{Index, IndexerMethod, RangeIndex};
use crate::series::Series;
use crate::testing::{ints, on_every_device};

const KINDS: [LabelJoin; 4] = [LabelJoin::Outer, LabelJoin::Inner, LabelJoin::Left, LabelJoin::Right];

fn labelled(values: &[Option<i64>], labels: &Index) -> Series {
    let values = Series::new(values.to_vec()).expect("numbers");
    values.with_index(labels).expect("a label each")
}

fn numbered(labels: &Index) -> Series {
    let rows = i64::try_from(labels.len()).expect("few");
    labelled(&(0..rows).map(Some).collect::<Vec<_>>(), labels)
}

fn words(labels: &[&str]) -> Index {
    Index::new(labels.to_vec()).expect("strings")
}

fn numbers(series: &Series) -> Vec<Option<i64>> {
    series.to_options().expect("numbers")
}

fn labels(index: &Index) -> Vec<Scalar> {
    index.to_scalars().expect("labels").swap_remove(0)
}

fn range(start: i64, step: i64, len: usize) -> Index {
    RangeIndex::new(start, step, len).expect("labels fit").into()
}

/// What `align` returns: the labels, and the row of each side.
type Pairs = Vec<(Option<i64>, Option<i64>, Option<i64>)>;

fn pairs(left: &Index, right: &Index, how: LabelJoin) -> Pairs {
    let (a, b) = numbered(left).align(&numbered(right), how).expect("labels of one kind");
    assert!(a.index().equals(b.index()).expect("labels"), "one index");
    let labels = a.index().to_series().expect("labels").to_options::<i64>().expect("integers");
    let rows = numbers(&a).into_iter().zip(numbers(&b));
    labels.into_iter().zip(rows).map(|(label, (a, b))| (label, a, b)).collect()
}

/// The same by comparing every label with every other one.
fn expected(left: &[Option<i64>], right: &[Option<i64>], how: LabelJoin) -> Pairs {
    let row = |row: usize| Some(i64::try_from(row).expect("few"));
    if left == right {
        return left.iter().enumerate().map(|(at, label)| (*label, row(at), row(at))).collect();
    }
    if how == LabelJoin::Right {
        let swapped = expected(right, left, LabelJoin::Left);
        return swapped.into_iter().map(|(label, b, a)| (label, a, b)).collect();
    }
    let mut found = Vec::new();
    for (at, label) in left.iter().enumerate() {
        let before = found.len();
        let matches = right.iter().enumerate().filter(|(_, other)| *other == label);
        found.extend(matches.map(|(other, _)| (*label, row(at), row(other))));
        if found.len() == before && how != LabelJoin::Inner {
            found.push((*label, row(at), None));
        }
    }
    if how == LabelJoin::Outer {
        let alone = right.iter().enumerate().filter(|(_, label)| !left.contains(label));
        found.extend(alone.map(|(at, label)| (*label, None, row(at))));
        found.sort_by_key(|(label, _, _)| (label.is_none(), *label));
    }
    found
}

#[test]
fn align_of_labels_equals_search_of_lists() {
    on_every_device(|_| {
        for rows in [0_i64, 1, 31, 32, 33, 63, 64, 65, 300] {
            for distinct in [7_i64, 400] {
                let label = |row: i64, by: i64| (row % 11 != 5).then_some(row * by % distinct);
                let left: Vec<_> = (0..rows + 3).map(|row| label(row, 37)).collect();
                let right: Vec<_> = (0..rows / 2 + 5).map(|row| label(row, 13)).collect();
                let of = |labels: &[Option<i64>], offset: usize| {
                    let all = Index::new(labels.to_vec()).expect("numbers");
                    all.slice(offset, labels.len()).expect("fewer")
                };
                for how in KINDS {
                    let found = pairs(&of(&left, 3), &of(&right, 1), how);
                    assert_eq!(found, expected(&left[3..], &right[1..], how), "{rows} {distinct} {how:?}");
                }
                let picked = of(&left, 0).sort_values(..).expect("numbers");
                assert_eq!(pairs(&picked, &picked.clone(), LabelJoin::Outer).len(), left.len());
            }
        }
    });
}

#[test]
fn align_of_ranges_computes_what_lists_have() {
    on_every_device(|_| {
        let ranges =
            [(0, 1, 5), (3, 1, 4), (9, 1, 2), (-4, 1, 3), (2, 1, 0), (0, 2, 4), (1, 2, 3), (6, 2, 65)];
        let down = [(5, -1, 4), (7, -1, 3), (4, -1, 0), (1, -1, 3)];
        let ranges: Vec<_> = ranges.into_iter().chain(down).collect();
        for &(start, step, len) in &ranges {
            for &(other, by, count) in &ranges {
                let list = |start: i64, step: i64, len: usize| -> Vec<Option<i64>> {
                    (0..i64::try_from(len).expect("few")).map(|row| Some(start + row * step)).collect()
                };
                for how in KINDS {
                    let found = pairs(&range(start, step, len), &range(other, by, count), how);
                    let expected = expected(&list(start, step, len), &list(other, by, count), how);
                    assert_eq!(found, expected, "{start} {step} {len}, {other} {by} {count}, {how:?}");
                }
            }
        }
        let (a, _) =
            numbered(&range(0, 1, 5)).align(&numbered(&range(3, 1, 4)), LabelJoin::Outer).expect("ranges");
        assert!(matches!(a.index(), Index::Range(_)), "ranges that meet are a range");
    });
}

#[test]
fn align_keeps_names_of_the_left_side() {
    on_every_device(|_| {
        let named = |labels: &[&str], name: &str| numbered(&words(labels).rename(name).expect("one level"));
        let (a, _) = named(&["a", "b"], "k").align(&named(&["b"], "k"), LabelJoin::Inner).expect("strings");
        assert_eq!(a.index().name(), "k");
        let (a, _) = named(&["a", "b"], "k").align(&named(&["b"], "j"), LabelJoin::Outer).expect("strings");
        assert_eq!(a.index().name(), "k");
        let (a, _) = named(&["a"], "k").align(&named(&["a"], "j"), LabelJoin::Outer).expect("strings");
        assert_eq!(a.index().name(), "k");
    });
}

#[test]
fn align_compares_labels_of_several_dtypes_by_value() {
    on_every_device(|_| {
        let small = Index::new([1_i32, 2]).expect("numbers");
        let floats = Index::new([2.0, 2.5, f64::NAN]).expect("numbers");
        let (a, b) = numbered(&small).align(&numbered(&floats), LabelJoin::Outer).expect("numbers");
        assert_eq!(labels(a.index())[..3], [1.0, 2.0, 2.5].map(Scalar::Float64));
        assert_eq!(numbers(&a), [Some(0), Some(1), None, None]);
        assert_eq!(numbers(&b), [None, Some(0), Some(1), Some(2)]);
        let large = Index::new([(1_i64 << 53) + 1]).expect("numbers");
        let error = numbered(&large).align(&numbered(&floats), LabelJoin::Left).expect_err("no float has it");
        assert!(matches!(error, Error::Operation { operation: "align", .. }));
        let error = numbered(&small).align(&numbered(&words(&["a", "b"])), LabelJoin::Left);
        assert!(error.expect_err("texts").to_string().contains("utf8"));
        let levels = Index::from_arrays([("k", vec![1, 2]), ("j", vec![3, 4])]).expect("levels");
        assert!(numbered(&small).align(&numbered(&levels), LabelJoin::Left).is_err());
        let other = Index::from_arrays([("k", vec![2, 2]), ("j", vec![4, 0])]).expect("levels");
        let (a, b) = numbered(&levels).align(&numbered(&other), LabelJoin::Outer).expect("levels");
        let expected =
            [vec![1, 2, 2], vec![3, 0, 4]].map(|level| level.into_iter().map(Scalar::Int32).collect());
        assert_eq!(a.index().to_scalars().expect("labels"), expected.map(|level: Vec<_>| level));
        assert_eq!((numbers(&a), numbers(&b)), (vec![Some(0), None, Some(1)], vec![None, Some(1), Some(0)]));
    });
}

#[test]
fn arithmetic_pairs_labels_as_pandas() {
    on_every_device(|_| {
        let of = |values: [i64; 3], labels: &[&str]| labelled(&values.map(Some), &words(labels));
        let sum = (&of([1, 2, 3], &["a", "a", "b"]) + &of([10, 20, 30], &["a", "a", "c"])).expect("numbers");
        assert_eq!(numbers(&sum), [Some(11), Some(21), Some(12), Some(22), None, None]);
        assert_eq!(labels(sum.index()), ["a", "a", "a", "a", "b", "c"].map(Scalar::from));
        let sum = (&of([1, 2, 3], &["a", "a", "b"]) + &of([10, 20, 30], &["a", "a", "b"])).expect("numbers");
        assert_eq!(numbers(&sum), [Some(11), Some(22), Some(33)]);
        let sum = (&of([1, 2, 3], &["a", "b", "a"]) + &of([10, 20, 30], &["a", "a", "b"])).expect("numbers");
        assert_eq!(numbers(&sum), [Some(11), Some(21), Some(13), Some(23), Some(32)]);
        let less = of([1, 2, 3], &["a", "b", "c"]).lt(&of([2, 2, 2], &["c", "b", "d"])).expect("numbers");
        assert_eq!(less.to_options::<bool>().expect("booleans"), [None, Some(false), Some(false), None]);
        let (long, short) = (numbered(&Index::of_rows(4)), numbered(&Index::of_rows(2)));
        assert_eq!(numbers(&(&long - &short).expect("numbers")), [Some(0), Some(0), None, None]);
    });
}

#[test]
fn fill_value_stands_for_one_null() {
    on_every_device(|_| {
        let a = labelled(&[Some(1), None, None], &words(&["a", "b", "c"]));
        let b = labelled(&[Some(10), None, Some(30), Some(40)], &words(&["a", "c", "b", "x"]));
        let sums = a.add_with(&b, 100).expect("numbers");
        assert_eq!(numbers(&sums), [Some(11), Some(130), None, Some(140)]);
        let less = a.lt_with(&b, 35).expect("numbers");
        assert_eq!(less.to_options::<bool>().expect("booleans"), [Some(true), Some(false), None, Some(true)]);
    });
}

fn of_columns(frame: &DataFrame) -> Vec<(String, Vec<Option<i64>>)> {
    let values = |label| {
        numbers(
            &frame.column(label).expect("a column").cast(columnade_columns::DType::Int64).expect("numbers"),
        )
    };
    frame.columns().iter().map(|label| (label.to_string(), values(label))).collect()
}

#[test]
fn frames_pair_rows_and_columns() {
    on_every_device(|_| {
        let a = df! { "b" => [1_i64, 2], "a" => [3_i64, 4] }.expect("numbers");
        let b = df! { "a" => [10_i64, 20], "c" => [5_i64, 6] }.expect("numbers");
        let b = b.with_index(&range(1, 1, 2)).expect("a label each");
        let none = vec![None; 3];
        let expected = [("a", vec![None, Some(14), None]), ("b", none.clone()), ("c", none)];
        let text = |expected: &[(&str, Vec<Option<i64>>)]| -> Vec<(String, Vec<Option<i64>>)> {
            expected.iter().map(|(label, values)| ((*label).to_owned(), values.clone())).collect()
        };
        assert_eq!(of_columns(&(&a + &b).expect("numbers")), text(&expected));
        let filled = a.add_with(&b, 100).expect("numbers");
        let expected = [
            ("a", vec![Some(103), Some(14), Some(120)]),
            ("b", vec![Some(101), Some(102), None]),
            ("c", vec![None, Some(105), Some(106)]),
        ];
        assert_eq!(of_columns(&filled), text(&expected));
        let (left, right) = a.align(&b, LabelJoin::Right).expect("numbers");
        assert_eq!(of_columns(&left), text(&[("a", vec![Some(4), None]), ("c", vec![None, None])]));
        assert_eq!(
            of_columns(&right),
            text(&[("a", vec![Some(10), Some(20)]), ("c", vec![Some(5), Some(6)])])
        );
        let (left, _) = a.align(&b, LabelJoin::Inner).expect("numbers");
        assert_eq!(of_columns(&left), text(&[("a", vec![Some(4)])]));
        let (left, _) = a.align_rows(&b, LabelJoin::Inner).expect("numbers");
        assert_eq!(of_columns(&left), text(&[("b", vec![Some(2)]), ("a", vec![Some(4)])]));
        // Equal labels in another order keep that of the left side only where both are equal lists.
        let turned = a.select(["a", "b"]).expect("columns");
        assert_eq!((&a + &turned).expect("numbers").columns(), ["a", "b"]);
        assert_eq!((&a + &a).expect("numbers").columns(), ["b", "a"]);
        assert_eq!(
            of_columns(&a.mul(2).expect("numbers")),
            text(&[("b", vec![Some(2), Some(4)]), ("a", vec![Some(6), Some(8)])])
        );
    });
}

#[test]
fn series_goes_to_columns_or_rows_of_frame() {
    on_every_device(|_| {
        let frame = df! { "b" => [1_i64, 2], "a" => [3_i64, 4] }.expect("numbers");
        let series = labelled(&[Some(1), Some(2)], &words(&["a", "z"]));
        let sum = (&frame + &series).expect("numbers");
        assert_eq!(sum.columns(), ["a", "b", "z"]);
        assert_eq!(numbers(&sum.column("a").expect("a column")), [Some(4), Some(5)]);
        assert_eq!(sum.column("z").expect("a column").null_count().expect("nulls"), 2);
        assert_eq!(sum.column("b").expect("a column").null_count().expect("nulls"), 2);
        let filled = frame.add_with(&series, 50).expect("numbers");
        assert_eq!(numbers(&filled.column("z").expect("a column")), [Some(52), Some(52)]);
        let twice = labelled(&[Some(1), Some(2)], &words(&["a", "a"]));
        assert!(matches!(frame.add(&twice), Err(Error::DuplicateLabels { operation: "add", .. })));
        let rows = labelled(&[Some(7), Some(9)], &range(1, 1, 2));
        let product = frame.mul(FrameOperand::Rows(&rows)).expect("numbers");
        assert_eq!(numbers(&product.column("b").expect("a column")), [None, Some(14), None]);
        let error = df! { "n" => [1], "w" => ["x"] }.expect("columns").add(1).expect_err("a text");
        assert!(error.to_string().contains("utf8"), "{error}");
        let error = df! { "w" => ["x"] }.and_then(|words| words.mul(&words)).expect_err("texts");
        assert!(error.to_string().contains("\"w\""), "{error}");
    });
}

#[test]
fn reindex_takes_rows_of_labels() {
    on_every_device(|_| {
        let series = labelled(&[Some(1), Some(2), Some(3)], &words(&["c", "a", "b"]));
        let found = series.reindex(["a", "x", "a", "c"]).expect("strings");
        assert_eq!(numbers(&found), [Some(2), None, Some(2), Some(1)]);
        let found = series.reindex_with(["x", "b"], Reindex::new().fill_value(9)).expect("strings");
        assert_eq!(numbers(&found), [Some(9), Some(3)]);
        let twice = labelled(&[Some(1), Some(2)], &words(&["a", "a"]));
        assert!(matches!(twice.reindex(["a"]), Err(Error::DuplicateLabels { operation: "reindex", .. })));
        assert_eq!(numbers(&twice.reindex(["a", "a"]).expect("equal labels")), [Some(1), Some(2)]);
        let rows = numbered(&Index::of_rows(5));
        assert_eq!(numbers(&rows.reindex(&range(3, 1, 4)).expect("ranges")), [Some(3), Some(4), None, None]);
        assert_eq!(numbers(&rows.reindex([4, 9, 0]).expect("numbers")), [Some(4), None, Some(0)]);
        assert_eq!(
            rows.reindex([4, 9]).expect("numbers").index().dtypes(),
            [columnade_columns::DType::Int64]
        );
        let empty = rows.head(0).and_then(|none| none.reindex([1])).expect("numbers");
        assert_eq!(numbers(&empty), [None]);
        assert_eq!(
            numbers(&series.reindex_like(&twice.head(1).expect("a row")).expect("strings")),
            [Some(2)]
        );
        let frame = df! { "n" => [1, 2], "m" => ["é", "b"] }.expect("columns");
        let found = frame.reindex_columns(["m", "z", "n"]).expect("columns");
        assert_eq!((found.columns().len(), found.dtypes()[1].clone()), (3, columnade_columns::DType::Null));
        let found = frame.reindex_with([1, 5], Reindex::new().fill_value("-"));
        assert!(found.expect_err("n is a number").to_string().contains("\"n\""));
    });
}

#[test]
fn reindex_within_tolerance_matches_pandas() {
    use IndexerMethod::{Backfill, Nearest, Pad};
    on_every_device(|_| {
        let index = Index::new([0, 10, 20, 40]).expect("numbers");
        let series = labelled(&[Some(10), Some(20), Some(30), Some(40)], &index);
        // The values that pandas 3.1.1 finds for these labels, -1 for none.
        let asked = [-4_i64, 0, 3, 7, 15, 21, 33, 99];
        for (method, tolerance, expected) in [
            (Pad, 0, [-1, 10, -1, -1, -1, -1, -1, -1]),
            (Pad, 1, [-1, 10, -1, -1, -1, 30, -1, -1]),
            (Pad, 3, [-1, 10, 10, -1, -1, 30, -1, -1]),
            (Pad, 5, [-1, 10, 10, -1, 20, 30, -1, -1]),
            (Pad, 100, [-1, 10, 10, 10, 20, 30, 30, 40]),
            (Backfill, 0, [-1, 10, -1, -1, -1, -1, -1, -1]),
            (Backfill, 3, [-1, 10, -1, 20, -1, -1, -1, -1]),
            (Backfill, 5, [10, 10, -1, 20, 30, -1, -1, -1]),
            (Backfill, 100, [10, 10, 20, 20, 30, 40, 40, -1]),
            (Nearest, 0, [-1, 10, -1, -1, -1, -1, -1, -1]),
            (Nearest, 1, [-1, 10, -1, -1, -1, 30, -1, -1]),
            (Nearest, 3, [-1, 10, 10, 20, -1, 30, -1, -1]),
            (Nearest, 5, [10, 10, 10, 20, 30, 30, -1, -1]),
            (Nearest, 100, [10, 10, 10, 20, 30, 30, 40, 40]),
        ] {
            let options = Reindex::new().method(method).tolerance(tolerance);
            let found = series.reindex_with(asked, options).expect("sorted numbers");
            let expected: Vec<Option<i64>> =
                expected.iter().map(|&value| (value >= 0).then_some(value)).collect();
            assert_eq!(numbers(&found), expected, "{method:?} within {tolerance}");
        }
    });
}

#[test]
fn names_of_two_series_are_kept_if_equal() {
    on_every_device(|_| {
        let index = |labels: [&'static str; 3]| Index::new(labels).expect("texts");
        let a = labelled(&[Some(1), Some(5), Some(3)], &index(["a", "b", "c"])).rename("x");
        let b = labelled(&[Some(2), Some(2), Some(2)], &index(["b", "c", "d"]));
        assert_eq!(a.add(&b.rename("y")).expect("sums").name(), &Label::NULL);
        assert_eq!(a.add(&b.rename("x")).expect("sums").name(), "x");
        assert_eq!(a.gt(&b).expect("booleans").name(), &Label::NULL);
        assert_eq!(a.add(1).expect("sums").name(), "x");
        // Bounds keep the labels and the name of the left side.
        for (found, expected) in [
            (a.clip_max(&b), [None, Some(2), Some(2)]),
            (a.min_with(&b), [Some(1), Some(2), Some(2)]),
            (a.max_with(&b), [Some(1), Some(5), Some(3)]),
        ] {
            let found = found.expect("numbers");
            assert_eq!((found.name().to_string(), found.len()), ("x".to_owned(), 3));
            assert!(found.index().equals(a.index()).expect("texts"));
            assert_eq!(numbers(&found)[1..], expected[1..]);
        }
    });
}

/// Labels that are asked for, a method, a limit, and the values found.
type Filled = (Vec<i64>, IndexerMethod, Option<usize>, Vec<Option<i64>>);

#[test]
fn reindex_with_method_takes_other_labels() {
    on_every_device(|_| {
        let series = labelled(&[Some(1), Some(2), Some(3)], &Index::new([1, 3, 5]).expect("numbers"));
        let (one, two, three) = (Some(1), Some(2), Some(3));
        let cases: [Filled; 5] = [
            (vec![0, 2, 4, 6, 7], IndexerMethod::Pad, None, vec![None, one, two, three, three]),
            (vec![0, 2, 4, 5, 6, 7], IndexerMethod::Pad, Some(1), vec![None, one, two, three, three, None]),
            (
                vec![-2, -1, 0, 2, 4, 5, 6, 7],
                IndexerMethod::Backfill,
                Some(1),
                vec![None, None, one, two, three, three, None, None],
            ),
            (vec![-2, -1, 0, 1], IndexerMethod::Backfill, Some(2), vec![None, one, one, one]),
            (vec![4, 0, 9], IndexerMethod::Nearest, None, vec![three, one, three]),
        ];
        for (asked, method, limit, expected) in cases {
            let mut options = Reindex::new().method(method);
            if let Some(limit) = limit {
                options = options.limit(limit);
            }
            let found = series.reindex_with(asked.clone(), options.clone()).expect("sorted numbers");
            assert_eq!(numbers(&found), expected, "{asked:?} {options:?}");
        }
        let pad = Reindex::new().method(IndexerMethod::Pad);
        assert!(series.reindex_with([4, 2], pad.clone().limit(1)).is_err());
        assert!(series.reindex_with([4, 2], Reindex::new().limit(1)).is_err());
        let pad_within = |distance: i64| Reindex::new().method(IndexerMethod::Pad).tolerance(distance);
        assert!(series.reindex_with([4, 2], Reindex::new().tolerance(1)).is_err());
        assert!(series.reindex_with([4, 2], pad.clone().tolerance("x")).is_err());
        let found = series.reindex_with([1, 2, 3, 6, 7, 8], pad_within(2).limit(2)).expect("sorted numbers");
        assert_eq!(numbers(&found), [one, one, two, three, three, None]);
        let found = series.reindex_with([0, 2], pad.fill_value(7)).expect("sorted numbers");
        assert_eq!(found.to_scalars().expect("numbers"), ints(&[Some(7), Some(1)]));
    });
}
