//! Frames put together by label: results of pandas 3.1.1.

use columnade_columns::{DType, Label, Scalar};

use super::{Concat, FrameOperand, Join, LabelJoin, Reindex, concat_with};
use crate::dataframe::{DataFrame, Merge};
use crate::df;
use crate::error::{Error, Result};
use crate::index::{Index, IndexerMethod};
use crate::series::Series;
use crate::testing::on_every_device;

fn words(labels: &[&str]) -> Index {
    Index::new(labels.to_vec()).expect("strings")
}

fn series(values: &[Option<i64>], labels: &[&str]) -> Series {
    Series::new(values.to_vec()).and_then(|series| series.with_index(&words(labels))).expect("a label each")
}

fn frame(columns: &[(&str, &[i64])], labels: &[&str]) -> DataFrame {
    let columns = columns.iter().map(|(label, values)| (*label, values.to_vec()));
    DataFrame::new(columns).and_then(|frame| frame.with_index(&words(labels))).expect("a label each")
}

fn numbers(series: Result<Series>) -> Vec<Option<i64>> {
    series.and_then(|series| series.to_options()).expect("numbers")
}

fn labels(index: &Index) -> Vec<Scalar> {
    index.to_scalars().expect("labels").swap_remove(0)
}

fn check(found: &DataFrame, rows: &[&str], columns: &[(&str, &[Option<i64>])]) {
    let expected: Vec<Scalar> = rows.iter().map(|label| (*label).into()).collect();
    assert_eq!(labels(found.index()), expected);
    assert_eq!(found.columns(), columns.iter().map(|(label, _)| *label).collect::<Vec<_>>());
    for (label, values) in columns {
        assert_eq!(numbers(found.column(*label)), *values, "{label}");
    }
}

#[test]
fn concat_of_columns_goes_by_label() {
    on_every_device(|_| {
        let a = frame(&[("b", &[1, 2]), ("a", &[3, 4])], &["x", "y"]);
        let c = frame(&[("c", &[5, 6])], &["z", "x"]);
        let (none, wide) = (None, concat_with([&a, &c], &Concat::columns()).expect("labels"));
        let columns: [(&str, &[_]); 3] = [
            ("b", &[Some(1), Some(2), none]),
            ("a", &[Some(3), Some(4), none]),
            ("c", &[Some(6), none, Some(5)]),
        ];
        check(&wide, &["x", "y", "z"], &columns);
        let both = concat_with([&a, &c], &Concat::columns().inner()).expect("labels");
        check(&both, &["x"], &[("b", &[Some(1)]), ("a", &[Some(3)]), ("c", &[Some(6)])]);
        let c_first = concat_with([&c, &a], &Concat::columns().sort(true)).expect("labels");
        assert_eq!(labels(c_first.index()), ["x", "y", "z"].map(Scalar::from));
        let keys = concat_with([&a, &c], &Concat::columns().keys(["p", "q"]).names(["k"])).expect("labels");
        assert_eq!(keys.columns(), [("p", "b"), ("p", "a"), ("q", "c")]);
        assert_eq!(keys.levels().names(), [Some(Label::from("k")), None]);
        let ignored = concat_with([&a, &c], &Concat::columns().ignore_index(true)).expect("labels");
        assert_eq!(ignored.columns(), [0, 1, 2]);
        let d = frame(&[("d", &[5, 6])], &["x", "x"]);
        let error = concat_with([&a, &d], &Concat::columns()).expect_err("twice");
        assert!(matches!(error, Error::DuplicateLabels { label, .. } if label == [Scalar::from("x")]));
        let same = concat_with([&d, &d.rename([("d", "e")]).expect("a label")], &Concat::columns());
        check(
            &same.expect("equal labels"),
            &["x", "x"],
            &[("d", &[Some(5), Some(6)]), ("e", &[Some(5), Some(6)])],
        );
        assert!(
            concat_with([&a, &a], &Concat::columns()).expect_err("one label").to_string().contains("\"b\"")
        );
        let (j, k) = (a.rename_axis("j").expect("one"), c.rename_axis("k").expect("one"));
        let named = concat_with([&j, &k], &Concat::columns()).expect("labels");
        assert_eq!(named.index().name(), &Label::NULL);
    });
}

#[test]
fn concat_of_rows_takes_columns_of_any() {
    on_every_device(|_| {
        let a = frame(&[("b", &[1, 2]), ("a", &[3, 4])], &["x", "y"]);
        let c = frame(&[("c", &[5, 6]), ("b", &[7, 8])], &["z", "x"]);
        let long = concat_with([&a, &c], &Concat::rows()).expect("labels");
        let columns: [(&str, &[_]); 3] = [
            ("b", &[Some(1), Some(2), Some(7), Some(8)]),
            ("a", &[Some(3), Some(4), None, None]),
            ("c", &[None, None, Some(5), Some(6)]),
        ];
        check(&long, &["x", "y", "z", "x"], &columns);
        let both = concat_with([&a, &c], &Concat::rows().inner()).expect("labels");
        check(&both, &["x", "y", "z", "x"], &[("b", &[Some(1), Some(2), Some(7), Some(8)])]);
        let sorted = concat_with([&a, &c], &Concat::rows().sort(true)).expect("labels");
        assert_eq!(sorted.columns(), ["a", "b", "c"]);
        let error = concat_with([&a, &c], &Concat::rows().verify_integrity(true)).expect_err("x twice");
        assert!(matches!(error, Error::DuplicateLabels { operation: "concat_with", .. }));
        let keys = Concat::rows().keys([10, 20]).names(["k"]);
        let keyed = concat_with([&a, &c], &keys).expect("labels");
        assert_eq!(keyed.index().names(), [Label::from("k"), Label::NULL]);
        assert_eq!(labels(keyed.index()), [10, 10, 20, 20].map(Scalar::Int64));
        assert_eq!(keyed.loc(20_i64).expect("a key").len(), 2);
        assert!(concat_with([&a, &c], &Concat::rows().keys(["p"])).is_err());
        assert!(concat_with([], &Concat::rows()).is_err());
        let none =
            concat_with([&a, &frame(&[("z", &[1])], &["w"])], &Concat::rows().inner()).expect("labels");
        assert_eq!(none.shape(), (3, 0));
    });
}

#[test]
fn combine_first_and_update_take_what_is_there() {
    on_every_device(|_| {
        let (a, b) = (
            series(&[Some(1), None, Some(3)], &["a", "b", "c"]),
            series(&[Some(10), Some(20), Some(30)], &["b", "x", "a"]),
        );
        let both = a.combine_first(&b).expect("numbers");
        assert_eq!(labels(both.index()), ["a", "b", "c", "x"].map(Scalar::from));
        assert_eq!(numbers(Ok(both)), [Some(1), Some(10), Some(3), Some(20)]);
        assert_eq!(numbers(a.update(&b)), [Some(30), Some(10), Some(3)]);
        let twice = series(&[Some(1), Some(2)], &["a", "a"]);
        assert!(matches!(a.combine_first(&twice), Err(Error::DuplicateLabels { .. })));
        assert!(matches!(a.update(&twice), Err(Error::DuplicateLabels { operation: "update", .. })));
        let f = frame(&[("b", &[1, 2]), ("a", &[3, 4])], &["x", "y"]);
        let g = frame(&[("a", &[10, 20]), ("c", &[5, 6])], &["y", "z"]);
        let columns: [(&str, &[_]); 3] = [
            ("b", &[Some(1), Some(2), None]),
            ("a", &[Some(3), Some(4), Some(20)]),
            ("c", &[None, Some(5), Some(6)]),
        ];
        check(&f.combine_first(&g).expect("numbers"), &["x", "y", "z"], &columns);
        check(
            &f.update(&g).expect("numbers"),
            &["x", "y"],
            &[("b", &[Some(1), Some(2)]), ("a", &[Some(3), Some(10)])],
        );
        let small = df! { "n" => [1_i8, 2] }.expect("numbers");
        let found = small.update(&df! { "n" => [7_i64] }.expect("numbers")).expect("fits");
        assert_eq!(found.dtypes(), [DType::Int8]);
        assert!(small.update(&df! { "n" => [700_i64] }.expect("numbers")).is_err());
        assert!(small.update(&df! { "n" => ["x"] }.expect("texts")).is_err());
    });
}

#[test]
fn where_and_mask_go_by_label() {
    on_every_device(|_| {
        let s = series(&[Some(1), Some(2), Some(3)], &["a", "b", "c"]);
        let of = |values: [Option<bool>; 2]| {
            Series::new(values).and_then(|mask| mask.with_index(&words(&["c", "a"]))).expect("a label each")
        };
        let mask = of([Some(true), Some(false)]);
        assert_eq!(numbers(s.where_(&mask, 9)), [Some(9), Some(9), Some(3)]);
        assert_eq!(numbers(s.mask(&mask, 9)), [Some(1), Some(9), Some(9)]);
        assert_eq!(numbers(s.where_(&of([None, Some(true)]), 9)), [Some(1), Some(9), Some(9)]);
        assert_eq!(numbers(s.mask(&of([None, Some(false)]), 9)), [Some(1), Some(9), Some(9)]);
        let other = series(&[Some(7), Some(8)], &["b", "z"]);
        assert_eq!(numbers(s.where_(&mask, &other)), [None, Some(7), Some(3)]);
        assert!(s.where_(&s, 1).expect_err("numbers").to_string().starts_with("where_: "));
        let f = df! { "a" => [1_i64, 2], "b" => [3_i64, 4] }.expect("numbers");
        let condition = df! { "a" => [true, false] }.expect("booleans");
        let found = f.where_(&condition, 0).expect("numbers");
        assert_eq!(numbers(found.column("a")), [Some(1), Some(0)]);
        assert_eq!(numbers(found.column("b")), [Some(0), Some(0)]);
        assert_eq!(numbers(f.mask(&condition, 0).and_then(|f| f.column("a"))), [Some(0), Some(2)]);
        let by_column = series(&[Some(50)], &["b"]);
        let found = f.where_(&condition, &by_column).expect("numbers");
        assert_eq!(numbers(found.column("b")), [Some(50), Some(50)]);
        assert_eq!(numbers(found.column("a")), [Some(1), None]);
        let rows = Series::new([Some(false), None]).expect("booleans");
        let found =
            f.mask(&rows, FrameOperand::Rows(&Series::new([70_i64, 80]).expect("numbers"))).expect("numbers");
        assert_eq!(numbers(found.column("b")), [Some(3), Some(80)]);
        assert_eq!(numbers(f.where_(&rows, &f).and_then(|f| f.column("b"))), [Some(3), Some(4)]);
    });
}

#[test]
fn columns_of_series_go_to_rows_of_their_labels() {
    on_every_device(|_| {
        let f = frame(&[("a", &[1, 2])], &["x", "y"]);
        let n = series(&[Some(5), Some(6)], &["y", "q"]);
        assert_eq!(numbers(f.with_column("n", &n).and_then(|f| f.column("n"))), [None, Some(5)]);
        let f = f.insert(0, "n", n.clone()).expect("labels");
        assert_eq!((f.columns().len(), numbers(f.column("n"))), (2, vec![None, Some(5)]));
        assert!(f.insert(0, "n", [1, 2]).is_err());
        assert!(f.insert(7, "m", [1, 2]).is_err());
        let twice = series(&[Some(5), Some(6)], &["y", "y"]);
        assert!(matches!(
            f.with_column("m", twice),
            Err(Error::DuplicateLabels { operation: "with_column", .. })
        ));
        let (popped, rest) = f.pop("n").expect("a column");
        assert_eq!(
            (numbers(Ok(popped.clone())), rest.columns()),
            (vec![None, Some(5)], f.select(["a"]).expect("a").columns())
        );
        assert_eq!(labels(popped.index()), ["x", "y"].map(Scalar::from));
        assert!(matches!(rest.pop("n"), Err(Error::MissingColumns { operation: "pop", .. })));
        let first = DataFrame::empty().and_then(|none| none.with_column("n", &n)).expect("a frame");
        assert_eq!(labels(first.index()), ["y", "q"].map(Scalar::from));
        let turned = f.reorder("a").expect("columns");
        assert_eq!(turned.columns(), ["a", "n"]);
        assert!(f.reorder(["a", "a"]).is_err());
    });
}

/// The kind, the keys, the labels with −1 for null, and the values of the right side.
type Joined<'a> = (LabelJoin, &'a str, &'a [i64], &'a [Option<i64>]);

#[test]
fn join_goes_by_labels_or_columns() {
    on_every_device(|_| {
        let at = |rows: &[i64]| Index::new(rows.to_vec()).expect("numbers");
        let a = df! { "k" => ["x", "y", "x", "q"], "n" => [1_i64, 2, 3, 4] }.expect("columns");
        let a = a.with_index(&at(&[10, 11, 12, 13])).expect("a label each");
        let b = frame(&[("v", &[5, 6, 7])], &["y", "z", "x"]);
        let keys = |frame: &DataFrame| {
            let keys = frame.column("k").and_then(|keys| keys.to_options::<String>()).expect("texts");
            keys.into_iter().map(|key| key.unwrap_or_else(|| "-".to_owned())).collect::<String>()
        };
        let index = |frame: &DataFrame| {
            let labels = labels(frame.index());
            labels
                .iter()
                .map(|label| if let Scalar::Int64(row) = label { *row } else { -1 })
                .collect::<Vec<_>>()
        };
        let cases: [Joined<'_>; 4] = [
            (LabelJoin::Left, "xyxq", &[10, 11, 12, 13], &[Some(7), Some(5), Some(7), None]),
            (LabelJoin::Inner, "xyx", &[10, 11, 12], &[Some(7), Some(5), Some(7)]),
            (LabelJoin::Right, "yzxx", &[11, -1, 10, 12], &[Some(5), Some(6), Some(7), Some(7)]),
            (LabelJoin::Outer, "qxxyz", &[13, 10, 12, 11, -1], &[None, Some(7), Some(7), Some(5), Some(6)]),
        ];
        for (how, expected, rows, values) in cases {
            let joined = a.join(&b, Join::new(how).on("k")).expect("texts");
            assert_eq!((keys(&joined).as_str(), index(&joined).as_slice()), (expected, rows), "{how:?}");
            assert_eq!(numbers(joined.column("v")), values);
        }
        let c = df! { "n" => [5_i64, 6, 7] }.and_then(|c| c.with_index(&at(&[12, 12, 99]))).expect("labels");
        let both = Join::new(LabelJoin::Outer).suffixes("_l", "_r");
        let joined = a.join(&c, both).expect("numbers");
        assert_eq!(joined.columns(), ["k", "n_l", "n_r"]);
        assert_eq!(index(&joined), [10, 11, 12, 12, 13, 99]);
        assert_eq!(numbers(joined.column("n_r")), [None, None, Some(5), Some(6), None, Some(7)]);
        assert!(a.join(&c, LabelJoin::Left).expect_err("n twice").to_string().contains("\"n\""));
        assert!(matches!(a.join(&c, Join::new(LabelJoin::Left).on("z")), Err(Error::MissingColumns { .. })));
    });
}

#[test]
fn merge_takes_levels_as_keys() {
    on_every_device(|_| {
        let a = df! { "k" => ["x", "y", "x"], "j" => [1, 2, 3], "n" => [4_i64, 5, 6] }.expect("columns");
        let b = df! { "k" => ["x", "z"], "m" => [7_i64, 8] }.expect("columns");
        for merge in [Merge::inner().on("k"), Merge::left().on("k"), Merge::outer().on("k")] {
            let expected = a.select(["k", "n"]).and_then(|a| a.merge(&b, &merge)).expect("texts");
            let (by_a, by_b) =
                (a.set_index(["j", "k"]).expect("columns"), b.set_index("k").expect("a column"));
            for (left, right) in [(&by_a, &b), (&by_a, &by_b)] {
                let found = left.merge(right, &merge).expect("texts");
                assert_eq!(found.columns(), ["k", "n", "m"]);
                assert!(found.equals(&expected).expect("columns"), "{found} {expected}");
            }
            let found = a.merge(&by_b, &merge).expect("texts");
            assert_eq!(numbers(found.column("m")), numbers(expected.column("m")));
        }
        let unnamed = b.set_index("k").and_then(|b| b.rename_axis("other")).expect("a column");
        assert!(matches!(a.merge(&unnamed, &Merge::inner().on("k")), Err(Error::MissingColumns { .. })));
    });
}

/// Those of pandas 3.1.1: `Index([10, 20, 30]).get_indexer(target, method="nearest", limit=limit)`.
#[test]
fn limit_of_nearest_labels_is_that_of_either_side() {
    on_every_device(|_| {
        let labels =
            Index::new([0_i64, 10, 20, 30, 99]).and_then(|labels| labels.slice(1, 3)).expect("labels");
        let series = Series::new([0_i64, 1, 2]).and_then(|rows| rows.with_index(&labels)).expect("rows");
        let many = vec![9_i64, 10, 11, 12, 13, 19, 21, 22, 28, 29, 31, 32];
        for (target, limit, expected) in [
            (many.clone(), 1, vec![0, 0, 0, -1, -1, 1, 1, -1, -1, 2, 2, -1]),
            (many.clone(), 2, vec![0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]),
            (many, 9, vec![0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]),
            (vec![1, 2, 3], 1, vec![-1, -1, 0]),
            (vec![11, 12, 13, 14, 15, 16], 1, vec![0, -1, -1, -1, -1, 1]),
            (vec![11, 12, 13, 14, 15, 16], 2, vec![0, 0, -1, -1, 1, 1]),
            (vec![31, 32, 33, 34], 2, vec![2, 2, -1, -1]),
            (vec![], 1, vec![]),
        ] {
            let expected: Vec<Option<i64>> =
                expected.into_iter().map(|row| (row >= 0).then_some(row)).collect();
            let options = Reindex::new().method(IndexerMethod::Nearest).limit(limit);
            let found = series.reindex_with(target.clone(), options).expect("rows");
            assert_eq!(found.to_options::<i64>().expect("rows"), expected, "{target:?}, limit {limit}");
        }
    });
}
