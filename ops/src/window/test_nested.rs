//! Groups within groups: `over` within `over`, and within aggregates of groups, on every device, against a naive reference.

use crate::expression::{Expr, RollingWindow, col, evaluate, len, lit_decimal, minutes};
use crate::groupby::{GroupOptions, NullKeys, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, TimeUnit};
use columnade_tests::Rng;

const WITH_NULLS: GroupOptions = GroupOptions { null_keys: NullKeys::Group };

type Row = [Option<i64>; 3];

/// The keys `k` and `g` and the value `x` of rows, of few values each.
fn rows(n: usize, rng: &mut Rng) -> Vec<Row> {
    let mut value = |values| (rng.below(5) > 0).then(|| i64::try_from(rng.below(values)).unwrap());
    (0..n).map(|_| [value(3), value(3), value(4)]).collect()
}

fn frame(rows: &[Row], exec: &Exec) -> ColumnAccessor {
    let column = |at: usize| Column::from_options(rows.iter().map(move |row| row[at]), exec).unwrap();
    ColumnAccessor::from_columns([("k", column(0)), ("g", column(1)), ("x", column(2))]).unwrap()
}

fn sum(rows: &[Row], is_of: impl Fn(&Row) -> bool) -> i64 {
    rows.iter().filter(|row| is_of(row)).filter_map(|row| row[2]).sum()
}

/// An expression, and the value of each row.
type Case = (Expr, Box<dyn Fn(&[Row], &Row, usize) -> Option<i64>>);

fn cases() -> Vec<Case> {
    let same = |row: &Row, other: &Row, columns: &[usize]| columns.iter().all(|&at| row[at] == other[at]);
    let number = |expr: Expr| expr.cast(DType::Int64);
    vec![
        (
            number(col("x").is_duplicated()).over("k"),
            Box::new(move |rows, row, _| {
                row[0]?;
                Some(i64::from(rows.iter().filter(|other| same(row, other, &[0, 2])).count() > 1))
            }),
        ),
        (
            number(col("x").is_first_distinct()).over_with("k", WITH_NULLS),
            Box::new(move |rows, row, at| {
                Some(i64::from(!rows[..at].iter().any(|other| same(row, other, &[0, 2]))))
            }),
        ),
        (
            col("x").sum().over("g").over("k"),
            Box::new(move |rows, row, _| {
                row[0].and(row[1])?;
                Some(sum(rows, |other| same(row, other, &[0, 1])))
            }),
        ),
        (
            // Of rows without a `g` there is no sum, of those without a `k` there is.
            col("x").sum().over("g").over_with("k", WITH_NULLS),
            Box::new(move |rows, row, _| {
                row[1]?;
                Some(sum(rows, |other| same(row, other, &[0, 1])))
            }),
        ),
        (
            (col("x").sum() - col("x").sum().over_with("g", WITH_NULLS)).over("k"),
            Box::new(move |rows, row, _| {
                row[0]?;
                let [outer, inner] =
                    [&[0][..], &[0, 1]].map(|columns| sum(rows, |other| same(row, other, columns)));
                Some(outer - inner)
            }),
        ),
    ]
}

#[test]
fn groups_within_groups_match_reference() {
    let mut rng = Rng::new(77);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] = if device == Device::Host { &[0, 1, 31, 65, 400] } else { &[0, 70] };
        for &n in sizes {
            let all = rows(n + 5, &mut rng);
            let (frame, rows) = (frame(&all, &exec).slice(5, n).unwrap(), &all[5..]);
            for (expr, reference) in cases() {
                let found = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0).1;
                let expected: Vec<_> =
                    rows.iter().enumerate().map(|(at, row)| reference(rows, row, at)).collect();
                assert_eq!(found.to_options::<i64>().unwrap(), expected, "{device}: {expr} of {n} rows");
            }
        }
    }
}

#[test]
fn groups_within_aggregates_match_reference() {
    let mut rng = Rng::new(78);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = rows(if device == Device::Host { 300 } else { 70 }, &mut rng);
        let frame = frame(&rows, &exec);
        let aggregates = [
            col("x").is_unique().cast(DType::Int64).sum().alias("unique"),
            col("x").sum().over("g").max().alias("largest"),
            len().over(["g", "x"]).min().alias("fewest"),
        ];
        for null_keys in [NullKeys::Drop, NullKeys::Group] {
            let options = GroupOptions { null_keys };
            let found = aggregate(&frame, None, &[col("k")], &aggregates, options, &exec).unwrap();
            let column = |label: &str| found.get(label).unwrap().to_options::<i64>().unwrap();
            for (group, key) in column("k").into_iter().enumerate() {
                let rows: Vec<Row> = rows.iter().copied().filter(|row| row[0] == key).collect();
                let count = |of: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| of(row)).count();
                let unique = rows.iter().filter(|row| count(&|other| other[2] == row[2]) == 1).count();
                assert_eq!(column("unique")[group], Some(i64::try_from(unique).unwrap()), "{device} {key:?}");
                let of_g = |row: &Row| row[1].map(|_| sum(&rows, |other| other[1] == row[1]));
                assert_eq!(column("largest")[group], rows.iter().filter_map(of_g).max(), "{device} {key:?}");
                let there = rows.iter().filter(|row| row[1].is_some() && row[2].is_some());
                let fewest = there.map(|row| count(&|other| other[1..] == row[1..])).min();
                let fewest = fewest.map(|fewest| i64::try_from(fewest).unwrap());
                assert_eq!(column("fewest")[group], fewest, "{device} {key:?}");
            }
        }
    }
}

/// The times and values of rows without a group take no part.
#[test]
fn windows_of_time_leave_out_rows_without_a_group() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let times = |minutes: &[Option<i64>]| {
            let times = minutes.iter().map(|minute| minute.map(|minute| 60 * minute));
            Column::from_options(times, &exec)
                .unwrap()
                .reinterpret(&DType::Timestamp(TimeUnit::Second))
                .unwrap()
        };
        let frame = |minutes: &[Option<i64>]| {
            ColumnAccessor::from_columns([
                ("k", Column::from_options([Some(1_i64), None, Some(1)], &exec).unwrap()),
                ("x", Column::from_slice(&[1_i64, 2, 3], &exec).unwrap()),
                ("t", times(minutes)),
            ])
            .unwrap()
        };
        let sum = |x: Expr| x.rolling_sum(RollingWindow::time("t", minutes(30))).over("k");
        for there in [[Some(0), None, Some(2)], [Some(1), Some(0), Some(2)]] {
            let found = evaluate(&[sum(col("x"))], &frame(&there), &exec).unwrap().swap_remove(0).1;
            assert_eq!(found.to_options::<i64>().unwrap(), [Some(1), None, Some(4)], "{device}");
        }
        let error =
            |x: Expr, minutes: &[Option<i64>]| evaluate(&[sum(x)], &frame(minutes), &exec).unwrap_err();
        let descending = error(col("x"), &[Some(5), Some(1), Some(3)]).to_string();
        assert!(descending.contains("do not ascend"), "{device}: {descending}");
        let null = error(col("x"), &[None, Some(1), Some(3)]).to_string();
        assert!(null.contains("is null"), "{device}: {null}");
        // Of the sum, and not of the times.
        let large = lit_decimal(&format!("9{}", "0".repeat(37))).unwrap() + (col("x") - col("x"));
        let overflow = error(large, &[Some(0), Some(1), Some(2)]);
        assert_eq!(overflow.kind(), ErrorKind::Overflow, "{device}: {overflow}");
    }
}
