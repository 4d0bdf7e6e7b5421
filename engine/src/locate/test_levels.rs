//! Rows by labels of levels, and slices of labels with a step: results of pandas 3.1.1.

use columnade_columns::{DType, ErrorKind, TimeUnit, TimeZone};

use super::{LabelRows, LabelSlice};
use crate::dataframe::DataFrame;
use crate::date_range::{date_range, date_range_periods};
use crate::df;
use crate::error::Error;
use crate::index::Index;
use crate::series::Series;
use crate::testing::on_every_device;

fn frame() -> DataFrame {
    let frame = df! {
        "k" => ["a", "a", "a", "b", "b", "c", "c"],
        "n" => [1, 1, 2, 1, 3, 2, 2],
        "z" => ["x", "y", "x", "x", "y", "x", "y"],
        "v" => [0, 1, 2, 3, 4, 5, 6],
    };
    frame.and_then(|frame| frame.set_index(["k", "n", "z"])).expect("levels")
}

/// The values of the rows, and the names of the levels that are left.
fn found(frame: &DataFrame, rows: impl Into<LabelRows>) -> (Vec<i32>, String) {
    let found = frame.loc(rows).expect("labels that are there");
    let names: Vec<&str> = found.index().names().iter().filter_map(|name| name.as_text()).collect();
    (found.column("v").and_then(|v| v.to_vec()).expect("values"), names.join(" "))
}

fn texts(rows: &[i32], names: &str) -> (Vec<i32>, String) {
    (rows.to_vec(), names.to_owned())
}

#[test]
fn labels_of_levels_select_as_in_pandas() {
    on_every_device(|_| {
        let sorted = frame();
        assert_eq!(found(&sorted, (.., [2, 1])), texts(&[2, 5, 6, 0, 1, 3], "k n z"));
        assert_eq!(found(&sorted, ("a", [2, 1])), texts(&[2, 0, 1], "n z"));
        assert_eq!(found(&sorted, ("a", 1..=2)), texts(&[0, 1, 2], "k n z"));
        assert_eq!(found(&sorted, (["c", "a"],)), texts(&[5, 6, 0, 1, 2], "k n z"));
        let three = (["c", "a"], [2, 1], ["y", "x"]);
        assert_eq!(found(&sorted, three), texts(&[6, 5, 2, 1, 0], "k n z"));
        assert_eq!(found(&sorted, ("a"..="b", 1)), texts(&[0, 1, 3], "k n z"));
        assert_eq!(found(&sorted, (.., 1, "x")), texts(&[0, 3], "k n z"));
        assert_eq!(found(&sorted, ("b", 2..=9)), texts(&[4], "k n z"));
        assert_eq!(found(&sorted, ("b", 7..=9)), texts(&[], "k n z"));
        assert_eq!(found(&sorted, (.., 2..)), texts(&[2, 4, 5, 6], "k n z"));
        assert_eq!(found(&sorted, (.., ..=1)), texts(&[0, 1, 3], "k n z"));
        assert_eq!(found(&sorted, (["a", "b"], 1)), texts(&[0, 1, 3], "k z"));
        assert_eq!(found(&sorted, (Vec::<&str>::new(), 1)), texts(&[], "k z"));
        assert_eq!(found(&sorted, (["a", "a"], [1, 1])), texts(&[0, 1], "k n z"));
        assert_eq!(found(&sorted, ("a", 1, ["x"])), texts(&[0], "z"));
        assert_eq!(found(&sorted, ("b".., .., "x")), texts(&[3, 5], "k n z"));
        assert_eq!(found(&sorted, (.., ..)), texts(&[0, 1, 2, 3, 4, 5, 6], "k n z"));
        // Labels alone are as they were.
        assert_eq!(found(&sorted, ("a", 1)), texts(&[0, 1], "z"));
        assert_eq!(found(&sorted, ("a", 2, "x")), texts(&[2], "k n z"));
        let series = sorted.column("v").and_then(|v| v.loc((.., 3))).expect("labels");
        assert_eq!(series.to_vec::<i32>().expect("values"), [4]);
    });
}

#[test]
fn labels_of_levels_in_no_order_select_as_in_pandas() {
    on_every_device(|_| {
        let rows = frame().iloc([3, 0, 6, 2, 1, 5, 4]).expect("rows");
        assert_eq!(found(&rows, (.., [2, 1])), texts(&[6, 2, 5, 3, 0, 1], "k n z"));
        assert_eq!(found(&rows, ("a", [2, 1])), texts(&[2, 0, 1], "n z"));
        assert_eq!(found(&rows, (["c", "a"],)), texts(&[6, 5, 0, 2, 1], "k n z"));
        assert_eq!(found(&rows, (["c", "a"], [2, 1], ["y", "x"])), texts(&[6, 5, 2, 1, 0], "k n z"));
        assert_eq!(found(&rows, (.., 1, "x")), texts(&[3, 0], "k n z"));
        // pandas leaves rows in place where a list ascends.
        assert_eq!(found(&rows, (["a", "b"], 1)), texts(&[0, 1, 3], "k z"));
        assert!(matches!(rows.loc(("a", 1..=2)), Err(Error::UnsortedIndex { .. })));
        assert!(matches!(rows.loc(("a"..="b", 1)), Err(Error::UnsortedIndex { .. })));
    });
}

#[test]
fn labels_of_levels_that_are_not_there_are_named() {
    on_every_device(|_| {
        let frame = frame();
        let missing = |rows: LabelRows| match frame.loc(rows) {
            Err(error @ Error::MissingLabels { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert!(missing((.., [1, 9]).into()).contains('9'));
        assert!(missing((["q"], [1]).into()).contains('q'));
        assert!(missing(("q", [1]).into()).contains('q'));
        assert!(missing((.., 9).into()).contains('9'));
        assert!(missing(("a", [3]).into()).contains('3'));
        let many = frame.loc(("a", 1, "x", ..)).expect_err("there are three levels");
        assert!(many.to_string().contains("labels of 4 levels for 3"), "{many}");
        let kind = frame.loc((.., ["a"])).expect_err("no integer").kind();
        assert_eq!(kind, ErrorKind::Type);
    });
}

#[test]
fn values_are_set_by_labels_of_levels() {
    on_every_device(|_| {
        let made = frame().set_loc((.., [2, 3]), "v", 9).expect("labels");
        let values = made.column("v").and_then(|v| v.to_vec::<i32>()).expect("values");
        assert_eq!(values, [0, 1, 9, 3, 9, 9, 9]);
        let made = frame().set_loc(("c", [2], ["y", "x"]), "v", [7, 8]).expect("labels");
        let values = made.column("v").and_then(|v| v.to_vec::<i32>()).expect("values");
        assert_eq!(values, [0, 1, 2, 3, 4, 8, 7]);
    });
}

#[test]
fn texts_select_times_of_levels() {
    on_every_device(|_| {
        let unit = DType::Timestamp(TimeUnit::Second);
        let days = date_range_periods(&unit, "2024-01-30 00:00:00", 4, "D").expect("days");
        let levels = [("c", Series::new(["b", "o"]).expect("texts")), ("d", days)];
        let index = Index::from_product(levels).expect("levels");
        let frame = df! { "v" => [0, 1, 2, 3, 4, 5, 6, 7] }.and_then(|frame| frame.with_index(&index));
        let frame = frame.expect("rows");
        assert_eq!(found(&frame, ("o", "2024-01-31"..="2024-02-01")), texts(&[5, 6], "c d"));
        assert_eq!(found(&frame, ("o", "2024-02"..="2024-02")), texts(&[6, 7], "c d"));
        assert_eq!(found(&frame, ("o", "2024-02")), texts(&[6, 7], "d"));
        assert_eq!(found(&frame, (.., "2024-01")), texts(&[0, 1, 4, 5], "c d"));
        assert_eq!(found(&frame, (.., ["2024-01-31"])), texts(&[1, 5], "c d"));
        assert!(matches!(frame.loc(("o", "2025")), Err(Error::MissingLabels { .. })));
    });
}

#[test]
fn texts_select_times_of_a_zone_by_its_clocks() {
    on_every_device(|_| {
        // On 2024-03-31 the clocks of Berlin skip an hour: the day has 23.
        let zone = TimeZone::new("Europe/Berlin").expect("a zone");
        let dtype = DType::TimestampTz(TimeUnit::Second, zone);
        let times = date_range(&dtype, "2024-03-30 00:00:00", "2024-04-02 00:00:00", "h").expect("hours");
        let hours: Vec<i64> = (0..).take(times.len()).collect();
        let index = Index::from_series(&times).expect("labels");
        let series = Series::new(hours).and_then(|hours| hours.with_index(&index)).expect("rows");
        let rows = |rows: &str| series.loc(rows).and_then(|found| found.to_vec::<i64>()).expect("times");
        assert_eq!(rows("2024-03-31"), (24..47).collect::<Vec<_>>());
        assert_eq!(rows("2024-03-30 02"), [2]);
        assert_eq!(rows("2024-04").len(), 25);
        let slice = series.loc("2024-03-31 01"..="2024-03-31 03").and_then(|found| found.to_vec::<i64>());
        assert_eq!(slice.expect("times"), [25, 26]);
    });
}

#[test]
fn slices_of_labels_have_steps() {
    on_every_device(|_| {
        let labels = Index::new(["a", "b", "c", "d", "e", "f"]).expect("labels");
        let series = Series::new([0, 1, 2, 3, 4, 5]).and_then(|x| x.with_index(&labels)).expect("rows");
        let rows = |slice: LabelSlice| series.loc(slice).and_then(|found| found.to_vec::<i32>());
        let of = |slice: LabelSlice| rows(slice).expect("labels that are there");
        assert_eq!(of(LabelSlice::from("b"..="e").every(2)), [1, 3]);
        assert_eq!(of(LabelSlice::from("e"..="b").every(-1)), [4, 3, 2, 1]);
        assert_eq!(of(LabelSlice::from("e"..="b").every(-2)), [4, 2]);
        assert_eq!(of(LabelSlice::from(..).every(-2)), [5, 3, 1]);
        assert_eq!(of(LabelSlice::from("b"..).every(2)), [1, 3, 5]);
        assert_eq!(of(LabelSlice::from(..="d").every(2)), [0, 2]);
        assert_eq!(of(LabelSlice::from("x"..="z").every(-3)), [0; 0]);
        assert!(rows(LabelSlice::from(..).every(0)).is_err());
        let set = series.rename("v").to_frame().set_loc(LabelSlice::from("b"..).every(2), "v", [7, 8, 9]);
        let values = set.and_then(|frame| frame.column("v")).and_then(|v| v.to_vec::<i32>());
        assert_eq!(values.expect("values"), [0, 7, 2, 8, 4, 9]);
    });
}
