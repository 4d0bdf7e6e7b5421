//! Sides whose labels share some levels: results of pandas 3.1.1.

use super::{Join, LabelJoin};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Error;
use crate::index::Index;
use crate::series::Series;
use crate::testing::on_every_device;

const KINDS: [LabelJoin; 4] = [LabelJoin::Outer, LabelJoin::Inner, LabelJoin::Left, LabelJoin::Right];

/// Rows that are written with their levels and values: `a 2: 1 20`, `-` for null.
fn rows(left: &Series, right: &Series) -> Vec<String> {
    let text =
        |value: &columnade_columns::Scalar| if value.is_null() { "-".to_owned() } else { value.to_string() };
    let levels = left.index().to_scalars().expect("labels");
    let sides = [left, right].map(|side| side.to_scalars().expect("values"));
    let row = |row: usize| {
        let label: Vec<String> = levels.iter().map(|level| text(&level[row])).collect();
        format!("{}: {} {}", label.join(" "), text(&sides[0][row]), text(&sides[1][row]))
    };
    (0..left.len()).map(row).collect()
}

fn aligned(left: &Series, right: &Series, how: LabelJoin) -> (Vec<String>, String) {
    let (left, right) = left.align(right, how).expect("labels of one kind");
    assert!(left.index().identical(right.index()).expect("labels"), "one index");
    let names: Vec<String> = left.index().names().iter().map(|name| format!("{name:?}")).collect();
    (rows(&left, &right), names.join(" ").replace('"', ""))
}

/// Values 1, 2, … under levels of texts and integers.
fn series(names: [&str; 2], labels: &[(&str, i64)], by: i64) -> Series {
    let index = Index::from_tuples(labels.to_vec(), names).expect("tuples");
    let values: Vec<i64> = (1..).take(labels.len()).map(|value| value * by).collect();
    Series::new(values).expect("values").with_index(&index).expect("a label each")
}

fn sales() -> Series {
    series(["k", "n"], &[("a", 2), ("a", 1), ("b", 2), ("c", 9), ("b", 1)], 1)
}

fn prices() -> Series {
    let index = Index::new(["b", "a", "z"]).and_then(|index| index.rename("k")).expect("labels");
    Series::new([10_i64, 20, 30]).expect("values").with_index(&index).expect("a label each")
}

#[test]
fn one_level_is_looked_up_by_each_row_of_several() {
    on_every_device(|device| {
        let (all, found) = (
            ["a 2: 1 20", "a 1: 2 20", "b 2: 3 10", "c 9: 4 -", "b 1: 5 10"].as_slice(),
            ["a 2: 1 20", "a 1: 2 20", "b 2: 3 10", "b 1: 5 10"].as_slice(),
        );
        for (how, expected, of_swapped) in [
            (LabelJoin::Outer, all, all),
            (LabelJoin::Inner, found, found),
            (LabelJoin::Left, all, found),
            (LabelJoin::Right, found, all),
        ] {
            let (rows, names) = aligned(&sales(), &prices(), how);
            assert_eq!(
                (rows.as_slice(), names.as_str()),
                (as_strings(expected).as_slice(), "k n"),
                "{how:?}"
            );
            let (left, right) = prices().align(&sales(), how).expect("labels of one kind");
            assert_eq!(self::rows(&right, &left), as_strings(of_swapped), "{how:?} on {device}");
        }
        let sum = (&sales() + &prices()).expect("labels of one kind");
        assert_eq!(sum.to_options::<i64>().expect("sums"), [Some(21), Some(22), Some(13), None, Some(15)]);
        // Rows that were picked, and an index whose labels ascend.
        let picked = sales().iloc([4, 0, 3]).expect("rows");
        let sorted = prices().sort_index(..).expect("labels");
        assert_eq!(aligned(&picked, &sorted, LabelJoin::Outer).0, ["b 1: 5 10", "a 2: 1 20", "c 9: 4 -"]);
        let none = prices().head(0).expect("no rows");
        assert_eq!(aligned(&picked, &none, LabelJoin::Inner).0, [""; 0]);
        assert_eq!(aligned(&none, &picked, LabelJoin::Inner).0, [""; 0]);
    });
}

fn as_strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn several_levels_are_joined_by_those_of_one_name() {
    on_every_device(|_| {
        let other = series(["k", "m"], &[("a", 7), ("b", 8), ("a", 6), ("q", 5)], 100);
        let both = ["a 2 7: 1 100", "a 2 6: 1 300", "a 1 7: 2 100", "a 1 6: 2 300"];
        let outer =
            [both.as_slice(), &["b 2 8: 3 200", "b 1 8: 5 200", "c 9 -: 4 -", "q - 5: - 400"]].concat();
        let inner = [both.as_slice(), &["b 2 8: 3 200", "b 1 8: 5 200"]].concat();
        let left = [both.as_slice(), &["b 2 8: 3 200", "c 9 -: 4 -", "b 1 8: 5 200"]].concat();
        let right = [
            "a 7 2: 1 100",
            "a 7 1: 2 100",
            "b 8 2: 3 200",
            "b 8 1: 5 200",
            "a 6 2: 1 300",
            "a 6 1: 2 300",
            "q 5 -: - 400",
        ];
        for (how, expected, levels) in [
            (LabelJoin::Outer, &outer[..], "k n m"),
            (LabelJoin::Inner, &inner[..], "k n m"),
            (LabelJoin::Left, &left[..], "k n m"),
            (LabelJoin::Right, &right[..], "k m n"),
        ] {
            let (rows, names) = aligned(&sales(), &other, how);
            assert_eq!((rows, names.as_str()), (as_strings(expected), levels), "{how:?}");
        }
    });
}

#[test]
fn levels_in_another_order_are_joined_by_name() {
    on_every_device(|_| {
        let swapped = sales().iloc([4, 3, 2, 1]).expect("rows");
        let index = swapped.index().swaplevel("k", "n").expect("levels");
        let swapped = swapped.with_index(&index).expect("a label each");
        for (how, expected, levels) in [
            (LabelJoin::Outer, &["a 1: 2 2", "a 2: 1 -", "b 1: 5 5", "b 2: 3 3", "c 9: 4 4"][..], "k n"),
            (LabelJoin::Inner, &["a 1: 2 2", "b 2: 3 3", "c 9: 4 4", "b 1: 5 5"][..], "k n"),
            (LabelJoin::Left, &["a 2: 1 -", "a 1: 2 2", "b 2: 3 3", "c 9: 4 4", "b 1: 5 5"][..], "k n"),
            (LabelJoin::Right, &["1 b: 5 5", "9 c: 4 4", "2 b: 3 3", "1 a: 2 2"][..], "n k"),
        ] {
            let (rows, names) = aligned(&sales(), &swapped, how);
            assert_eq!((rows, names.as_str()), (as_strings(expected), levels), "{how:?}");
        }
    });
}

#[test]
fn two_of_three_levels_are_joined() {
    on_every_device(|_| {
        let labels = [("a", 2_i64, "x"), ("b", 1, "y"), ("a", 2, "w"), ("d", 1, "v")];
        let index = Index::from_tuples(labels, ["k", "n", "z"]).expect("tuples");
        let three = Series::new([1_i64, 2, 3, 4]).and_then(|values| values.with_index(&index)).expect("rows");
        for (how, expected) in [
            (
                LabelJoin::Outer,
                &[
                    "a 1 -: 2 -",
                    "a 2 x: 1 1",
                    "a 2 w: 1 3",
                    "b 1 y: 5 2",
                    "b 2 -: 3 -",
                    "c 9 -: 4 -",
                    "d 1 v: - 4",
                ][..],
            ),
            (LabelJoin::Inner, &["a 2 x: 1 1", "a 2 w: 1 3", "b 1 y: 5 2"][..]),
            (
                LabelJoin::Left,
                &["a 2 x: 1 1", "a 2 w: 1 3", "a 1 -: 2 -", "b 2 -: 3 -", "c 9 -: 4 -", "b 1 y: 5 2"][..],
            ),
            (LabelJoin::Right, &["a 2 x: 1 1", "b 1 y: 5 2", "a 2 w: 1 3", "d 1 v: - 4"][..]),
        ] {
            let (rows, names) = aligned(&sales(), &three, how);
            assert_eq!((rows, names.as_str()), (as_strings(expected), "k n z"), "{how:?}");
        }
    });
}

#[test]
fn frames_are_joined_by_shared_levels() {
    on_every_device(|_| {
        let sold = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3], "v" => [5, 6, 7] };
        let sold = sold.and_then(|frame| frame.set_index(["k", "n"])).expect("levels");
        let price = prices().rename("p").to_frame();
        for how in KINDS {
            let found = sold.join(&price, Join::new(how)).expect("labels of one kind");
            assert_eq!(found.index().names(), ["k", "n"], "{how:?}");
            let prices = found.column("p").and_then(|p| p.to_vec::<i64>()).expect("a price each");
            assert_eq!(prices, [20, 10, 20], "{how:?}");
        }
        let sum: DataFrame = sold.mul(crate::expressions::FrameOperand::Rows(&prices())).expect("products");
        assert_eq!(sum.column("v").and_then(|v| v.to_vec::<i64>()).expect("products"), [100, 60, 140]);
    });
}

#[test]
fn labels_without_a_shared_level_and_repeated_ones_are_refused() {
    on_every_device(|_| {
        let unnamed = prices().with_index(&Index::new(["a", "b", "c"]).expect("labels")).expect("rows");
        let error = sales().add(&unnamed).expect_err("no level of one name");
        assert!(error.to_string().contains("has the name of one of"), "{error}");
        let other = series(["x", "y"], &[("a", 1)], 1);
        assert!(sales().align(&other, LabelJoin::Outer).is_err());
        let repeated = Index::new(["a", "a", "b"]).and_then(|index| index.rename("k")).expect("labels");
        let repeated = prices().with_index(&repeated).expect("rows");
        let error = sales().add(&repeated).expect_err("labels come twice");
        assert!(matches!(error, Error::DuplicateLabels { .. }), "{error}");
    });
}
