//! Indexes against labels written out, and results of pandas 3.1.1.

use super::{Index, RangeIndex};
use crate::dataframe::{DataFrame, SetIndex, SortOrder};
use crate::error::Error;
use crate::series::Series;
use crate::testing::on_every_device;
use columnade_columns::{
    DType, ErrorKind, Label, Scalar, TimeUnit, TimeZone, categories, intervals, timestamps,
};

fn labels(range: &RangeIndex) -> Vec<i64> {
    (0..range.len()).filter_map(|position| range.get(position)).collect()
}

#[test]
fn range_index_labels_follow_range() {
    for (start, step, len) in [(0, 1, 0), (0, 1, 5), (7, -3, 4), (i64::MAX, 1, 1), (5, 0, 3)] {
        let range = RangeIndex::new(start, step, len).expect("labels fit");
        let expected: Vec<i64> = (0..len).map(|k| start + step * i64::try_from(k).expect("small")).collect();
        assert_eq!(labels(&range), expected);
        for (offset, count) in [(0, len), (1, 2), (2, 100), (len, 3), (len + 9, 1)] {
            let cut = expected.iter().copied().skip(offset).take(count).collect::<Vec<_>>();
            assert_eq!(labels(&range.slice(offset, count)), cut);
        }
        for label in expected.iter().flat_map(|&label| [label, label.wrapping_add(1), label.wrapping_sub(1)])
        {
            let found = expected.iter().position(|&other| other == label);
            assert_eq!(range.position(label), found, "{label} in {expected:?}");
        }
    }
}

#[test]
fn range_index_refuses_overflowing_labels() {
    assert_eq!(RangeIndex::new(i64::MAX, 1, 2), None);
    assert_eq!(RangeIndex::new(0, i64::MIN, 3), None);
}

#[test]
fn range_index_position_of_extreme_labels_does_not_overflow() {
    let range = RangeIndex::new(i64::MIN, i64::MAX, 2).expect("labels fit");
    assert_eq!(range.get(1), Some(-1));
    let found = [i64::MIN, -1, i64::MAX, i64::MAX - 1, 0].map(|label| range.position(label));
    assert_eq!(found, [Some(0), Some(1), None, None, None]);
}

#[test]
fn index_of_rows_counts_from_zero() {
    let index = Index::of_rows(3);
    assert_eq!(index.get(2).expect("a label"), Scalar::Int64(2));
    assert_eq!(index.get(3).expect_err("beyond the end").kind(), ErrorKind::Index);
    assert_eq!(index.slice(1, 9).expect("a range").len(), 2);
}

#[test]
fn index_kind_follows_dtype() {
    on_every_device(|_| {
        let numbers = Index::new([3_i64, 4]).expect("numbers");
        assert!(matches!(numbers, Index::Single(_)), "evenly spaced numbers are no range");
        assert!(matches!(Index::new(["a"]).expect("strings"), Index::Single(_)));
        let days =
            Index::new(timestamps(vec![0_i64], TimeUnit::Milli).in_zone(TimeZone::utc())).expect("times");
        let days = days.as_datetime().expect("times");
        assert_eq!((days.unit(), days.zone()), (Some(TimeUnit::Milli), Some(&TimeZone::utc())));
        assert!(matches!(Index::new(categories(["a"])).expect("categories"), Index::Categorical(_)));
        let bins = Index::new(intervals([0], [1], columnade_columns::Closed::Left)).expect("intervals");
        assert!(matches!(bins, Index::Interval(_)));
        let times = Series::new([1_i64]).and_then(|n| n.cast(DType::Duration(TimeUnit::Second)));
        let times = Index::from_series(&times.expect("durations")).expect("durations");
        assert!(matches!(times, Index::Timedelta(_)));
        let levels = [("a", Series::new([1]).expect("numbers")), ("b", Series::new(["x"]).expect("strings"))];
        let levels = Index::from_arrays(levels).expect("levels");
        assert_eq!(levels.as_multi().expect("two levels").dtypes(), [DType::Int32, DType::Utf8]);
    });
}

#[test]
fn index_equals_compares_labels_and_identical_names_too() {
    on_every_device(|_| {
        let range = Index::of_rows(3);
        let same = Index::new([0_i64, 1, 2]).expect("numbers");
        let narrow = Index::new([0_i32, 1, 2]).expect("numbers");
        assert!(range.equals(&same).expect("compares") && same.equals(&range).expect("compares"));
        assert!(range.identical(&same).expect("compares"));
        assert!(narrow.equals(&same).expect("compares") && !narrow.identical(&same).expect("compares"));
        let named = same.rename("id").expect("one level");
        assert!(named.equals(&same).expect("compares") && !named.identical(&same).expect("compares"));
        let other = Index::new([0_i64, 2, 1]).expect("numbers");
        assert!(!range.equals(&other).expect("compares"));
        let words = Index::new(["0", "1", "2"]).expect("strings");
        assert!(!range.equals(&words).expect("compares"));
        let nan = || Index::new([Some(f64::NAN), None, Some(-0.0)]).expect("floats");
        assert!(nan().equals(&nan()).expect("compares"));
        assert!(!nan().equals(&Index::new([None, None, Some(0.0)]).expect("floats")).expect("compares"));
        // All empty ranges are equal, and a step does not matter where there is one label.
        let one = RangeIndex::new(5, 7, 1).map(Index::from).expect("one label");
        assert!(
            one.equals(&RangeIndex::new(5, 1, 1).map(Index::from).expect("one label")).expect("compares")
        );
        let none = RangeIndex::new(5, 7, 0).map(Index::from).expect("no label");
        assert!(none.equals(&Index::of_rows(0)).expect("compares"));
    });
}

#[test]
fn index_facts_match_labels() {
    on_every_device(|_| {
        let facts = |index: &Index| {
            let facts = [
                index.is_unique(),
                index.is_monotonic_increasing(),
                index.is_monotonic_decreasing(),
                index.has_nulls(),
            ];
            facts.map(|fact| fact.expect("a fact"))
        };
        let of = |values: Vec<Option<i64>>| facts(&Index::new(values).expect("numbers"));
        // pandas: is_unique, is_monotonic_increasing, is_monotonic_decreasing, isna().any().
        assert_eq!(of(vec![]), [true, true, true, false]);
        assert_eq!(of(vec![Some(1)]), [true, true, true, false]);
        assert_eq!(of(vec![Some(1), Some(1)]), [false, true, true, false]);
        assert_eq!(of(vec![Some(1), Some(2), Some(2)]), [false, true, false, false]);
        assert_eq!(of(vec![Some(3), Some(2), Some(0)]), [true, false, true, false]);
        assert_eq!(of(vec![Some(1), Some(3), Some(2)]), [true, false, false, false]);
        assert_eq!(of(vec![Some(1), None]), [true, false, false, true]);
        assert_eq!(of(vec![None, None]), [false, false, false, true]);
        assert_eq!(facts(&Index::new([1.0, f64::NAN]).expect("floats")), [true, false, false, false]);
        assert_eq!(facts(&Index::of_rows(4)), [true, true, false, false]);
        assert_eq!(
            facts(&RangeIndex::new(4, -1, 2).map(Index::from).expect("a range")),
            [true, false, true, false]
        );
        let levels = [
            ("a", Series::new([1, 1, 2]).expect("numbers")),
            ("b", Series::new([2, 3, 0]).expect("numbers")),
        ];
        assert_eq!(facts(&Index::from_arrays(levels).expect("levels")), [true, true, false, false]);
    });
}

/// Columns of several dtypes, with a null label.
fn frame() -> DataFrame {
    DataFrame::new([("city", [Some("Oslo"), Some("Rome"), None, Some("Oslo")])])
        .and_then(|frame| frame.with_column("year", [2004, 1998, 1998, 1998]))
        .and_then(|frame| frame.with_column("n", [1_i64, 2, 3, 4]))
        .expect("columns of one length")
}

fn numbers(frame: &DataFrame) -> Vec<i64> {
    frame.column("n").and_then(|n| n.to_vec()).expect("numbers")
}

#[test]
fn set_index_then_reset_index_gives_frame_back() {
    on_every_device(|_| {
        let frame = frame();
        for offset in 0..3 {
            let part = frame.slice(offset, 2).expect("rows").ignore_index();
            for labels in [vec!["city"], vec!["city", "year"], vec!["city", "year", "n"]] {
                let indexed = part.set_index(&labels).expect("columns");
                assert_eq!(indexed.shape(), (2, 3 - labels.len()));
                assert_eq!(indexed.index().names(), labels);
                assert!(indexed.reset_index().expect("columns").equals(&part).expect("compares"));
            }
            let last = part.set_index("n").expect("a column").reset_index().expect("a column");
            assert_eq!(last.columns(), ["n", "city", "year"]);
        }
        let range = frame.reset_index().expect("a range");
        assert_eq!(range.columns(), ["index", "city", "year", "n"]);
        assert_eq!(range.reset_index().expect("a range").columns()[0], "level_0");
        let kept = frame.set_index_with("city", SetIndex::new().drop(false)).expect("a column");
        assert_eq!(kept.columns().len(), 3);
        assert_eq!(kept.reset_index().expect_err("city is there").kind(), ErrorKind::Value);
        let levels = kept.set_index_with("year", SetIndex::new().append(true)).expect("a level");
        assert_eq!(levels.index().names(), ["city", "year"]);
        let reset = levels.reset_levels("year").expect("a level");
        assert_eq!(
            (reset.columns(), reset.index().names()),
            (&[label("year"), label("city"), label("n")][..], &[label("city")][..])
        );
        let unnamed = levels.rename_axis([Label::NULL, Label::NULL]).expect("two levels");
        assert_eq!(unnamed.reset_index().expect("columns").columns()[..2], ["level_0", "level_1"]);
    });
}

fn label(text: &str) -> Label {
    Label::from(text)
}

#[test]
fn set_index_verifies_integrity_when_asked() {
    on_every_device(|_| {
        let unique = SetIndex::new().verify_integrity(true);
        let Error::DuplicateLabels { label, .. } = frame().set_index_with("city", unique).expect_err("Oslo")
        else {
            panic!("another error");
        };
        assert_eq!(label, [Scalar::from("Oslo")]);
        assert_eq!(frame().set_index_with(["city", "year"], unique).expect("unique").len(), 4);
    });
}

#[test]
fn sort_index_orders_rows_with_their_labels() {
    on_every_device(|_| {
        let by_city = frame().set_index("city").expect("a column");
        // pandas: sort_index(kind="stable", na_position=…, ascending=…).
        assert_eq!(numbers(&by_city.sort_index(..).expect("sorts")), [1, 4, 2, 3]);
        assert_eq!(numbers(&by_city.sort_index(SortOrder::descending()).expect("sorts")), [2, 1, 4, 3]);
        let first = by_city.sort_index(SortOrder::ascending().nulls_first()).expect("sorts");
        assert_eq!(numbers(&first), [3, 1, 4, 2]);
        assert_eq!(first.index().get(3).expect("a label"), "Rome".into());
        let levels = frame().set_index(["city", "year"]).expect("columns");
        assert_eq!(numbers(&levels.sort_index(..).expect("sorts")), [4, 1, 2, 3]);
        // pandas: sort_index(level="year").
        assert_eq!(numbers(&levels.sort_levels("year", ..).expect("sorts")), [4, 2, 3, 1]);
        let missing = levels.sort_levels("month", ..).expect_err("no such level");
        assert!(missing.to_string().contains("\"month\""), "{missing}");
        let sorted = frame().sort_index(..).expect("a range is in order");
        assert!(matches!(sorted.index(), Index::Range(_)));
    });
}

#[test]
fn take_moves_rows_with_their_labels() {
    on_every_device(|_| {
        let frame = frame();
        let taken = frame.take([3, -4, 3]).expect("rows");
        assert_eq!(numbers(&taken), [4, 1, 4]);
        assert!(!taken.index().is_materialised());
        assert!(!taken.index().is_unique().expect("a fact"));
        assert_eq!(taken.index().to_scalars().expect("labels"), [[3, 0, 3].map(Scalar::Int64)]);
        assert_eq!(frame.take([4]).expect_err("four rows").kind(), ErrorKind::Index);
        assert_eq!(frame.take([-5]).expect_err("four rows").kind(), ErrorKind::Index);
        assert_eq!(frame.take([]).expect("no rows").len(), 0);
        let by_city = frame.set_index("city").expect("a column");
        let again = by_city.take([2, 0]).and_then(|rows| rows.take([1, 1, 0])).expect("rows");
        let labels = again.index().to_scalars().expect("labels").swap_remove(0);
        assert_eq!(labels, ["Oslo".into(), "Oslo".into(), Scalar::Null(DType::Utf8)]);
    });
}

#[test]
fn many_takes_are_folded_and_give_labels() {
    on_every_device(|_| {
        let rows: Vec<i64> = (0..40).collect();
        let mut frame = DataFrame::new([("n", rows)]).expect("numbers");
        for _ in 0..7 {
            let len = i64::try_from(frame.len()).expect("few");
            frame = frame.take((0..len).rev().filter(|row| row % 5 != 0)).expect("rows");
            frame = frame.slice(1, frame.len() - 1).expect("rows");
        }
        assert!(frame.len() > 1, "some rows are left");
        let labels = frame.index().to_scalars().expect("labels").swap_remove(0);
        let numbers: Vec<Scalar> = numbers(&frame).into_iter().map(Scalar::Int64).collect();
        assert_eq!(labels, numbers);
    });
}

#[test]
fn idxmin_gives_label_of_row() {
    on_every_device(|_| {
        let frame = frame().set_index("city").expect("a column");
        let n = frame.column("n").expect("numbers");
        assert_eq!(n.idxmax().expect("a label"), "Oslo".into());
        assert_eq!(
            frame.take([1, 2]).expect("rows").column("n").and_then(|n| n.idxmin()).expect("a label"),
            "Rome".into()
        );
        let all = frame.select("n").and_then(|n| n.idxmin()).expect("labels");
        assert_eq!(all.column("n").and_then(|n| n.get(0)).expect("a label"), "Oslo".into());
        let empty = frame.select("n").and_then(|n| n.head(0)?.idxmin()).expect("no labels");
        assert_eq!(empty.column("n").and_then(|n| n.get(0)).expect("a label"), Scalar::Null(DType::Utf8));
    });
}

#[test]
fn labels_follow_frame_to_another_device() {
    on_every_device(|device| {
        let frame = frame();
        let taken = frame.take([2, 1]).expect("rows");
        let moved = taken.to_device(columnade_buffers::Device::Host).expect("the host");
        assert!(!moved.index().is_materialised());
        assert_eq!(moved.index().to_scalars().expect("labels"), [[2, 1].map(Scalar::Int64)]);
        let back = moved.set_index("city").and_then(|moved| moved.to_device(device)).expect("the device");
        assert_eq!(back.index().get(1).expect("a label"), "Rome".into());
    });
}

#[test]
fn display_shows_labels_and_leaves_out_repeated_ones() {
    on_every_device(|_| {
        let frame = DataFrame::new([("city", ["Oslo", "Oslo", "Rome"])])
            .and_then(|frame| frame.with_column("year", [1998, 2004, 2004]))
            .and_then(|frame| frame.with_column("n", [1_i64, 2, 3]))
            .expect("columns");
        let text = frame.set_index(["city", "year"]).expect("columns").to_string();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(
            lines,
            [
                "city  year       n",
                "utf8  int32  int64",
                "Oslo  1998       1",
                "      2004       2",
                "Rome  2004       3",
                "[3 rows × 1 columns]",
            ]
        );
        let taken = frame.take([2, 0]).and_then(|rows| rows.select("n")).expect("rows").to_string();
        assert_eq!(taken.lines().nth(2).map(str::trim_end), Some("2      3"), "{taken}");
    });
}

#[test]
fn levels_are_reordered_and_dropped() {
    on_every_device(|_| {
        let index = frame().set_index(["city", "year", "n"]).expect("columns").index().clone();
        let names = |index: &Index| index.names().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&index.swaplevel("city", "n").expect("levels")), ["n", "year", "city"]);
        assert_eq!(names(&index.droplevel("year").expect("a level")), ["city", "n"]);
        let order = index.reorder_levels(["n", "city", "year"]).expect("levels");
        assert_eq!(names(&order), ["n", "city", "year"]);
        assert_eq!(order.get_level_values("n").expect("a level").get(2).expect("a label"), Scalar::Int64(3));
        assert_eq!(index.reorder_levels(["n", "city"]).expect_err("one is missing").kind(), ErrorKind::Value);
        assert_eq!(index.droplevel("month").expect_err("no such level").kind(), ErrorKind::Key);
        let Scalar::Struct(fields) = index.get(1).expect("a label") else { panic!("a struct") };
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(fields, ["city=Rome", "year=1998", "n=2"]);
        let columns = index.to_frame().expect("columns");
        assert_eq!(columns.columns(), ["city", "year", "n"]);
        assert!(columns.index().equals(&index).expect("compares"));
    });
}

#[test]
fn index_sort_values_and_argsort_agree() {
    on_every_device(|_| {
        let index = Index::new([Some(3), None, Some(1)]).expect("numbers");
        let sorted = index.sort_values(..).expect("sorts");
        assert_eq!(sorted.to_scalars().expect("labels")[0][0], Scalar::Int32(1));
        assert_eq!(index.argsort(..).and_then(|rows| rows.to_vec::<i64>()).expect("positions"), [2, 0, 1]);
        let series = index.to_series().expect("a series");
        assert!(series.index().equals(&index).expect("compares"));
        let other =
            Series::new([5, 6, 7]).and_then(|series| series.with_index(&index)).expect("three labels");
        assert_eq!(other.sort_index(..).and_then(|s| s.to_vec::<i32>()).expect("numbers"), [7, 5, 6]);
        assert_eq!(other.rename("v").reset_index().expect("columns").columns(), ["index", "v"]);
        assert_eq!(
            other.evaluate(|x| x + 1).expect("numbers").index().get(2).expect("a label"),
            Scalar::Int32(1)
        );
    });
}

#[test]
fn levels_are_named_by_their_numbers_too() {
    on_every_device(|_| {
        let index =
            Index::from_tuples([("a", 1, true), ("b", 2, false)], ["k", "n", "flag"]).expect("levels");
        assert_eq!(index.droplevel(0).expect("a level").names(), ["n", "flag"]);
        assert_eq!(index.droplevel(-1).expect("a level").names(), ["k", "n"]);
        assert_eq!(index.swaplevel(-2, "k").expect("levels").names(), ["n", "k", "flag"]);
        assert_eq!(index.reorder_levels([2, 0, 1]).expect("levels").names(), ["flag", "k", "n"]);
        for missing in [3_i64, -4, i64::MIN] {
            assert_eq!(index.droplevel(missing).expect_err("no level").kind(), ErrorKind::Key, "{missing}");
        }
        // A name is before a number.
        let named =
            Index::from_arrays([(Label::from(1), vec![5]), (Label::from(0), vec![6])]).expect("levels");
        assert_eq!(named.droplevel(0).expect("a level").get(0).expect("a label"), 5.into());
    });
}
