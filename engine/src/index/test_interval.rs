//! Labels that are intervals, against a naive version.

use columnade_columns::{Closed, DType, ErrorKind, IntervalScalar, Scalar};

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
