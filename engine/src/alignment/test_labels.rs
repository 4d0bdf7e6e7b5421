//! Functions of several series go by their labels, and keep them: results of pandas 3.1.1.

use columnade_columns::{DType, ErrorKind};
use columnade_ops::expression::{Literal, lit};
use columnade_ops::strings::JoinNulls;

use crate::alignment::{Concat, LabelJoin, concat_with};
use crate::dataframe::{Crosstab, Dummies, Merge, crosstab};
use crate::df;
use crate::index::Index;
use crate::series::CutOptions;
use crate::series::Series;
use crate::testing::on_every_device;

fn labelled(values: [&str; 3], labels: [&str; 3]) -> Series {
    let series = Series::new(values).expect("strings");
    series.with_index(&Index::new(labels).expect("labels")).expect("as many")
}

fn texts(series: &Series) -> Vec<Option<String>> {
    series.to_options::<String>().expect("strings")
}

#[test]
fn strings_are_joined_by_label() {
    on_every_device(|_| {
        let left = labelled(["x", "y", "z"], ["a", "b", "c"]);
        let right = labelled(["Z", "Y", "W"], ["c", "b", "d"]);
        let found = left.str().concat(&[&right, &left], "-", JoinNulls::Propagate).expect("joined");
        assert_eq!(texts(&found), [None, Some("y-Y-y".to_owned()), Some("z-Z-z".to_owned())]);
        assert!(found.index().identical(left.index()).expect("labels"));
        let found = left.str().concat(&[&right], "-", JoinNulls::Ignore).expect("joined");
        assert_eq!(found.to_vec::<String>().expect("strings"), ["x", "y-Y", "z-Z"]);
        // A label that comes twice has no one partner; the same labels in the same order do.
        let twice = labelled(["1", "2", "3"], ["a", "a", "b"]);
        let error = left.str().concat(&[&twice], "", JoinNulls::Propagate).expect_err("twice");
        assert_eq!(error.kind(), ErrorKind::Value, "{error}");
        let same = twice.str().concat(&[&twice], "", JoinNulls::Propagate).expect("joined");
        assert_eq!(same.to_vec::<String>().expect("strings"), ["11", "22", "33"]);
    });
}

#[test]
fn tables_of_two_series_count_rows_by_label() {
    on_every_device(|_| {
        let rows = labelled(["x", "y", "z"], ["a", "b", "c"]).rename("r");
        let columns = labelled(["Z", "Y", "W"], ["c", "b", "d"]).rename("c");
        let table = crosstab(&rows, &columns, Crosstab::new()).expect("a table");
        assert_eq!(table.columns(), ["r", "Y", "Z"]);
        let counts = |label: &str| table.column(label).expect("there").to_vec::<i64>().expect("counts");
        assert_eq!((counts("Y"), counts("Z")), (vec![1, 0], vec![0, 1]));
    });
}

#[test]
fn dummies_keep_the_labels_of_rows() {
    on_every_device(|_| {
        let frame = df! { "s" => ["a", "b"], "n" => [1, 2] }.expect("a frame");
        let frame = frame.with_index(&Index::new(["r1", "r2"]).expect("labels")).expect("as many");
        let dummies = frame.get_dummies(Dummies::new()).expect("dummies");
        assert_eq!(dummies.columns(), ["n", "s_a", "s_b"]);
        assert!(dummies.index().identical(frame.index()).expect("labels"));
    });
}

#[test]
fn quantiles_of_bins_leave_out_nan() {
    on_every_device(|_| {
        let series = Series::new([1.0, f64::NAN, 3.0, 5.0]).expect("floats");
        let bins = series.qcut(2).expect("bins");
        let expected = ["(0.999, 3.0]", "", "(0.999, 3.0]", "(3.0, 5.0]"];
        let zeros = Series::new([-0.0, 1.0, 2.0]).expect("floats").cut(CutOptions::edges([-0.0, 1.0, 2.0]));
        let zeros = zeros.and_then(|bins| bins.cat().categories()).expect("bins");
        assert_eq!(zeros.to_vec::<String>().expect("text")[0], "(0.0, 1.0]");
        let found: Vec<String> = texts(&bins.cast(columnade_columns::DType::Utf8).expect("text"))
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        assert_eq!(found, expected);
    });
}

#[test]
fn names_are_those_of_the_left_side_or_of_the_right_of_a_right_join() {
    on_every_device(|_| {
        let index = |labels: [i64; 2], name: &str| {
            Index::new(labels).and_then(|index| index.rename(name)).expect("labels")
        };
        let of = |index: &Index| Series::new([1_i64, 2]).and_then(|s| s.with_index(index)).expect("values");
        for (left, right) in [([1, 2], [2, 3]), ([3, 1], [1, 5]), ([1, 2], [7, 8])] {
            let (a, b) = (of(&index(left, "l")), of(&index(right, "r")));
            assert_eq!(a.add(&b).expect("sums").index().names(), ["l"]);
            for (how, name) in [
                (LabelJoin::Outer, "l"),
                (LabelJoin::Inner, "l"),
                (LabelJoin::Left, "l"),
                (LabelJoin::Right, "r"),
            ] {
                let joined = a.index().join(b.index(), how).expect("labels").0;
                assert_eq!(joined.names(), [name], "{how:?}");
            }
        }
        let range = |rows: usize, name: &str| Index::of_rows(rows).rename(name).expect("one level");
        let ranges = range(3, "l").join(&range(5, "r"), LabelJoin::Outer).expect("labels").0;
        assert_eq!(ranges.names(), ["l"]);
    });
}

#[test]
fn outer_joins_and_sorted_concatenation_sort_equal_labels() {
    on_every_device(|_| {
        let labels = Index::new([3_i64, 1, 2]).expect("labels");
        let frame = |name: &str| {
            let frame = df! { "v" => [30_i64, 10, 20] }.and_then(|frame| frame.with_index(&labels));
            frame.and_then(|frame| frame.rename([("v", name)])).expect("a frame")
        };
        let (a, b) = (frame("a"), frame("b"));
        let sorted = Index::new([1_i64, 2, 3]).expect("labels");
        let check = |found: &crate::DataFrame| {
            assert!(found.index().equals(&sorted).expect("labels"), "{found}");
            assert_eq!(found.column("a").and_then(|a| a.to_vec::<i64>()).expect("values"), [10, 20, 30]);
        };
        let joined = a.join(&b, LabelJoin::Outer).expect("both");
        check(&joined);
        assert_eq!(joined.column("b").and_then(|b| b.to_vec::<i64>()).expect("values"), [10, 20, 30]);
        let (found, left, right) = labels.join(&labels, LabelJoin::Outer).expect("labels");
        assert!(found.equals(&sorted).expect("labels"));
        assert_eq!(left.to_vec::<i64>().expect("rows"), [1, 2, 0]);
        assert_eq!(right.to_vec::<i64>().expect("rows"), [1, 2, 0]);
        check(&concat_with([&a, &b], &Concat::columns().sort(true)).expect("both"));
        check(&concat_with([&a], &Concat::columns().sort(true)).expect("one"));
        // As in pandas, `align`, an inner join and concatenation by default leave them.
        let inner = a.join(&b, LabelJoin::Inner).expect("both");
        assert!(inner.index().equals(&labels).expect("labels"));
        let beside = concat_with([&a, &b], &Concat::columns()).expect("both");
        assert!(beside.index().equals(&labels).expect("labels"));
    });
}

#[test]
fn labels_and_keys_without_a_dtype_go_with_all_others() {
    on_every_device(|_| {
        let nulls = df! { "v" => [1_i64, 2] }.and_then(|frame| frame.with_column("k", lit(Literal::Null)));
        let nulls = nulls.expect("a frame");
        assert_eq!(nulls["k"].dtype(), DType::Null);
        let others = df! { "k" => [Some("x"), None], "w" => [5_i64, 6] }.expect("a frame");
        let merge = |left: &crate::DataFrame, right: &crate::DataFrame, options: Merge| {
            let found = left.merge(right, &options.on("k").nulls_equal(true)).expect("rows");
            assert_eq!(found.column("k").expect("keys").dtype(), DType::Utf8);
            found.len()
        };
        // Each null of one side with that of the other, then `x` of the others.
        assert_eq!(merge(&nulls, &others, Merge::inner()), 2);
        assert_eq!(merge(&nulls, &others, Merge::left()), 2);
        assert_eq!(merge(&others, &nulls, Merge::left()), 3);
        assert_eq!(merge(&nulls, &others, Merge::outer()), 3);
        assert_eq!(merge(&others, &nulls, Merge::anti()), 1);
        let none = nulls.slice(0, 0).and_then(|frame| Index::from_series(&frame["k"])).expect("labels");
        let words = Index::new(["b", "a"]).expect("labels");
        for (left, right) in [(&none, &words), (&words, &none)] {
            let joined = left.join(right, LabelJoin::Outer).expect("labels").0;
            assert_eq!((joined.len(), joined.dtypes()), (2, vec![DType::Utf8]));
            assert_eq!(left.intersection(right).expect("labels").len(), 0);
        }
        let a = Series::new([1_i64, 2]).and_then(|s| s.with_index(&words)).expect("values");
        let b = Series::new([0_i64; 0]).and_then(|s| s.with_index(&none)).expect("values");
        assert_eq!(a.add(&b).expect("sums").to_options::<i64>().expect("nulls"), [None, None]);
        assert_eq!(a.reindex(&none).expect("no rows").len(), 0);
        assert_eq!(b.reindex(&words).expect("rows").to_options::<i64>().expect("nulls"), [None, None]);
    });
}
