//! Labels that are intervals, against a naive version.

use columnade_columns::{Closed, DType, ErrorKind, IntervalScalar, Scalar, TimeUnit};

use super::Index;
use crate::dataframe::DataFrame;
use crate::testing::on_every_device;

/// Whether an interval has a value.
fn has(left: i64, right: i64, closed: Closed, value: i64) -> bool {
    let starts = if matches!(closed, Closed::Left | Closed::Both) { left <= value } else { left < value };
    let ends = if matches!(closed, Closed::Right | Closed::Both) { value <= right } else { value < right };
    starts && ends
}

#[test]
fn values_are_in_intervals_by_their_ends() {
    on_every_device(|_| {
        for closed in Closed::ALL {
            let index = Index::interval_range(-4, 6, 2, closed).expect("intervals");
            let intervals = index.as_interval().expect("intervals");
            assert_eq!(intervals.closed(), closed);
            let lefts = [-4, -2, 0, 2, 4];
            for value in -6..9 {
                let expected: Vec<bool> =
                    lefts.iter().map(|left| has(*left, left + 2, closed, value)).collect();
                let found = intervals.contains(value).expect("booleans").to_vec::<bool>().expect("booleans");
                assert_eq!(found, expected, "{value} in {closed}");
                let rows: Vec<usize> = (0..5).filter(|row| expected[*row]).collect();
                match (index.get_loc(value), rows.as_slice()) {
                    (Ok(found), [row]) => assert_eq!(found, *row),
                    (Err(error), []) => assert_eq!(error.kind(), ErrorKind::Key, "{value} in {closed}"),
                    (Err(error), _) => assert_eq!(error.kind(), ErrorKind::Value, "{value} in {closed}"),
                    (found, rows) => panic!("{found:?} of {rows:?}"),
                }
            }
        }
    });
}

#[test]
fn intervals_overlap_where_they_share_a_point() {
    on_every_device(|_| {
        for closed in Closed::ALL {
            for other in Closed::ALL {
                let index = Index::interval_range(0, 12, 4, closed).expect("intervals");
                let wanted = IntervalScalar { left: 4_i64.into(), right: 8_i64.into(), closed: other };
                let found = index.as_interval().expect("intervals").overlaps(&wanted).expect("booleans");
                let shares =
                    |left: i64| (-1..14).any(|x| has(left, left + 4, closed, x) && has(4, 8, other, x));
                assert_eq!(
                    found.to_vec::<bool>().expect("booleans"),
                    [0, 4, 8].map(shares),
                    "{closed} {other}"
                );
            }
        }
    });
}

#[test]
fn ends_middles_and_lengths() {
    on_every_device(|_| {
        let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-07", "2D").expect("days");
        let index = days.intervals(Closed::Left).expect("intervals").rename("d").expect("a name");
        let intervals = index.as_interval().expect("intervals");
        assert!(intervals.left().expect("days").equals(&days.slice(0, 3).expect("days")).expect("days"));
        assert!(intervals.right().expect("days").equals(&days.slice(1, 3).expect("days")).expect("days"));
        assert_eq!(intervals.left().expect("days").name().as_text(), Some("d"));
        let mid = intervals.mid().expect("days");
        assert_eq!(mid.get(2).expect("a day").to_string(), "2024-01-06 00:00:00");
        assert_eq!(
            intervals.length().expect("durations").get(0).expect("one").to_string(),
            "2 days 00:00:00"
        );
        assert_eq!(index.get_loc("2024-01-04").expect("a row"), 1);
        let none = Index::interval_range(0, 0, 1, Closed::Right).expect("none");
        assert!(none.as_interval().expect("intervals").mid().expect("none").is_empty());
    });
}

#[test]
fn points_select_rows_of_intervals() {
    on_every_device(|_| {
        let index = Index::interval_range(0, 6, 2, Closed::Right).expect("intervals");
        let frame = DataFrame::new([("n", [10_i64, 20, 30])]).expect("a column");
        let frame = frame.with_index(&index).expect("three labels");
        assert_eq!(frame.at(3, "n").expect("a value"), Scalar::Int64(20));
        assert_eq!(frame.at(0, "n").map_err(|error| error.kind()), Err(ErrorKind::Key));
    });
}

fn interval(left: impl Into<Scalar>, right: impl Into<Scalar>, closed: Closed) -> Scalar {
    Scalar::Interval(Box::new(IntervalScalar { left: left.into(), right: right.into(), closed }))
}

#[test]
fn intervals_are_labels_of_their_index() {
    on_every_device(|_| {
        for closed in Closed::ALL {
            let index = Index::interval_range(0, 8, 2, closed).expect("intervals");
            for row in 0..4_usize {
                let label = index.get(row).expect("an interval");
                assert_eq!(index.get_loc(label.clone()).expect("a row"), row, "{label}");
                assert!(index.contains(label).expect("is there"));
            }
            assert_eq!(index.get_loc(interval(2.0, 4.0, closed)).expect("by value"), 1);
            let other = if closed == Closed::Left { Closed::Right } else { Closed::Left };
            for missing in [
                interval(2_i64, 4_i64, other),
                interval(2_i64, 6_i64, closed),
                interval(1_i64, 2_i64, closed),
                interval(2.5, 4.0, closed),
                Scalar::Null(DType::Null),
            ] {
                assert!(!index.contains(missing.clone()).expect("is not there"), "{missing} in {closed}");
                assert_eq!(index.get_loc(missing).expect_err("missing").kind(), ErrorKind::Key);
            }
            let turned = index.sort_values(crate::SortOrder::descending()).expect("sorts");
            assert_eq!(
                index.get_indexer(&turned).expect("rows").to_vec::<i64>().expect("rows"),
                [3, 2, 1, 0]
            );
            let rows = DataFrame::new([("n", [10_i64, 20, 30, 40])]).expect("a column");
            let rows = rows.with_index(&index).expect("four labels");
            let found = rows.loc([interval(6_i64, 8_i64, closed), interval(0_i64, 2_i64, closed)]);
            assert_eq!(found.expect("rows").column("n").expect("n").to_vec::<i64>().expect("n"), [40, 10]);
        }
    });
}

#[test]
fn lists_of_points_select_intervals() {
    on_every_device(|_| {
        let points: Vec<i64> = (-2..14).collect();
        for closed in Closed::ALL {
            // Overlapping, and in no order.
            let lefts = [4_i64, 0, 6, 1];
            let rights = [8_i64, 3, 6, 2];
            let made = columnade_columns::intervals(lefts.to_vec(), rights.to_vec(), closed);
            let index = Index::new(made).expect("intervals");
            let wanted = Index::new(points.clone()).expect("points");
            let (rows, missing) = index.get_indexer_non_unique(&wanted).expect("rows");
            let mut expected = Vec::new();
            let mut none = Vec::new();
            for (at, point) in (0_i64..).zip(&points) {
                let inside = lefts.iter().zip(rights).zip(0_i64..);
                let inside = inside.filter(|((left, right), _)| has(**left, *right, closed, *point));
                let inside: Vec<i64> = inside.map(|(_, row)| row).collect();
                if inside.is_empty() {
                    none.push(at);
                    expected.push(-1);
                }
                expected.extend(inside);
            }
            assert_eq!(rows.to_vec::<i64>().expect("rows"), expected, "{closed}");
            assert_eq!(missing.to_vec::<i64>().expect("points"), none, "{closed}");
        }
        let index = Index::interval_range(0, 6, 2, Closed::Right).expect("intervals");
        let found =
            index.get_indexer(&Index::new([Some(5), None, Some(0), Some(1), Some(6)]).expect("points"));
        assert_eq!(found.expect("rows").to_vec::<i64>().expect("rows"), [2, -1, -1, 0, 2]);
        let frame = DataFrame::new([("n", [10_i64, 20, 30])]).expect("a column");
        let frame = frame.with_index(&index).expect("three labels");
        let n = |frame: DataFrame| frame.column("n").expect("n").to_vec::<i64>().expect("n");
        assert_eq!(n(frame.loc([5, 1, 2, 5]).expect("rows")), [30, 10, 10, 30]);
        assert_eq!(frame.loc([5, 7]).expect_err("7 is in none").kind(), ErrorKind::Key);
        assert_eq!(frame.loc(Vec::<i64>::new()).expect("no rows").len(), 0);
        let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-07", "2D").expect("days");
        let days = days.intervals(Closed::Left).expect("intervals");
        let frame = frame.with_index(&days).expect("three labels");
        assert_eq!(n(frame.loc(["2024-01-06", "2024-01-01"]).expect("rows")), [30, 10]);
        let first = days.get(0).expect("an interval");
        assert_eq!(days.get_loc(first).expect("a row"), 0);
    });
}

#[test]
fn lengths_that_do_not_fit_are_overflows() {
    on_every_device(|_| {
        let of = |left: i64, right: i64| {
            let made = columnade_columns::intervals(vec![left, 0], vec![right, 1], Closed::Right);
            Index::new(made).expect("intervals")
        };
        let wide = of(i64::MIN, i64::MAX);
        let wide = wide.as_interval().expect("intervals");
        assert_eq!(wide.length().expect_err("does not fit").kind(), ErrorKind::Overflow);
        let mid = wide.mid().expect("floats").to_scalars().expect("floats");
        assert_eq!(mid, [[0.0, 0.5].map(Scalar::Float64)]);
        let most = of(0, i64::MAX);
        let most = most.as_interval().expect("intervals").length().expect("fits").get(0).expect("a length");
        assert_eq!(most, Scalar::Int64(i64::MAX));
        let floats = columnade_columns::intervals(vec![f64::MAX / 2.0], vec![f64::MAX], Closed::Both);
        let floats = Index::new(floats).expect("intervals");
        let mid = floats.as_interval().expect("intervals").mid().expect("a float").get(0).expect("one");
        assert_eq!(mid, Scalar::Float64(f64::MAX * 0.75));
        let times = Index::new([i64::MIN, i64::MAX]).and_then(|n| n.cast(DType::Timestamp(TimeUnit::Micro)));
        let times = times.expect("times").intervals(Closed::Left).expect("intervals");
        let length = times.as_interval().expect("intervals").length();
        assert_eq!(length.expect_err("does not fit").kind(), ErrorKind::Overflow);
    });
}
