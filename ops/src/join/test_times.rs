//! Joins of times of different units, some beyond the range of the finer unit, against nested loops over exact counts.

use super::asof_join::asof_join_with;
use super::join_rows::join_rows_with;
use super::{
    Asof, AsofStrategy, JoinKind, JoinSide, NullEquality, PairCondition, coalesce_keys, is_merged,
    key_of_one_side,
};
use crate::expression::{Expr, Literal, col, lit};
use crate::groupby::grouped_rows::compute;
use crate::out_of_core::Driver;
use crate::sort::{NullOrder, Order, SearchSide, SortKey, search_sorted};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Scalar, TimeUnit, TimeZone};
use std::cmp::Ordering;

/// Nanoseconds.
type Time = Option<i128>;
/// Whether a pair of times fulfils a condition.
type Holds = fn(&(i128, i128)) -> bool;

/// The nanoseconds of a step of a dtype.
fn step(dtype: &DType) -> i128 {
    dtype.unit().map_or(86_400_000_000_000, |unit| 1_000_000_000 / i128::from(unit.per_second()))
}

/// Counts of a dtype: of the whole range, around the end of that of nanoseconds, and small ones.
fn counts(dtype: &DType) -> Vec<Option<i64>> {
    let end = i64::try_from(i128::from(i64::MAX) / step(dtype)).unwrap();
    let (least, most) =
        if *dtype == DType::Date32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
    let near = [end.saturating_add(1).min(most), -end.saturating_add(1).min(most)];
    [Some(least), None, Some(-1), Some(0), Some(end), Some(1), Some(most), None, Some(-end), Some(0)]
        .into_iter()
        .chain(near.map(Some))
        .collect()
}

fn column(dtype: &DType, counts: &[Option<i64>], exec: &Exec) -> Column {
    let scalar = |count: &Option<i64>| match (count, dtype) {
        (None, _) => Scalar::Null(dtype.clone()),
        (Some(count), DType::Date32) => Scalar::Date32(i32::try_from(*count).unwrap()),
        (Some(count), DType::Timestamp(unit)) => Scalar::Timestamp(*count, *unit),
        (Some(count), DType::Duration(unit)) => Scalar::Duration(*count, *unit),
        (Some(count), DType::TimestampTz(unit, zone)) => Scalar::TimestampTz(*count, *unit, zone.clone()),
        (_, other) => panic!("{other}"),
    };
    let scalars: Vec<Scalar> = counts.iter().map(scalar).collect();
    Column::from_scalars(dtype, &scalars, &Exec::host()).unwrap().to_device(exec).unwrap()
}

/// The exact times of counts.
fn times(dtype: &DType, counts: &[Option<i64>]) -> Vec<Time> {
    counts.iter().map(|count| count.map(|count| i128::from(count) * step(dtype))).collect()
}

fn dtypes() -> Vec<(DType, DType)> {
    let zone = |unit, name: &str| DType::TimestampTz(unit, TimeZone::new(name).unwrap());
    let pairs = [
        (DType::Timestamp(TimeUnit::Second), DType::Timestamp(TimeUnit::Nano)),
        (DType::Timestamp(TimeUnit::Milli), DType::Timestamp(TimeUnit::Micro)),
        (DType::Date32, DType::Timestamp(TimeUnit::Nano)),
        (DType::Date32, DType::Timestamp(TimeUnit::Second)),
        (DType::Duration(TimeUnit::Milli), DType::Duration(TimeUnit::Nano)),
        (zone(TimeUnit::Second, "UTC"), zone(TimeUnit::Nano, "Europe/Berlin")),
    ];
    pairs.into_iter().flat_map(|(a, b)| [(a.clone(), b.clone()), (b, a)]).collect()
}

fn frame(key: Column, exec: &Exec) -> ColumnAccessor {
    let rows = Column::from_values((0_i64..).take(key.size()), exec).unwrap();
    ColumnAccessor::from_columns([("key", key), ("row", rows)]).unwrap()
}

fn rows(joined: &ColumnAccessor) -> Vec<Option<usize>> {
    let rows = joined.columns()[0].to_options::<i64>().unwrap();
    rows.into_iter().map(|row| row.map(|row| usize::try_from(row).unwrap())).collect()
}

/// The rows of a join by equal times, in order.
fn naive(left: &[Time], right: &[Time], kind: JoinKind, nulls: NullEquality) -> Vec<[Option<usize>; 2]> {
    let is_equal =
        |l: usize, r: usize| left[l] == right[r] && (nulls == NullEquality::Equal || left[l].is_some());
    let mut pairs = Vec::new();
    for l in 0..left.len() {
        let matches: Vec<usize> = (0..right.len()).filter(|&r| is_equal(l, r)).collect();
        match kind {
            JoinKind::Semi | JoinKind::Anti if matches.is_empty() == (kind == JoinKind::Anti) => {
                pairs.push([Some(l), None]);
            }
            JoinKind::Semi | JoinKind::Anti => {}
            _ if matches.is_empty() && kind.keeps_left() => pairs.push([Some(l), None]),
            _ => pairs.extend(matches.into_iter().map(|r| [Some(l), Some(r)])),
        }
    }
    if kind == JoinKind::Full {
        let is_alone = |r: &usize| (0..left.len()).all(|l| !is_equal(l, *r));
        pairs.extend((0..right.len()).filter(is_alone).map(|r| [None, Some(r)]));
    }
    pairs
}

#[test]
fn times_beyond_the_range_of_a_unit_equal_none_of_it() {
    let kinds = [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (left_dtype, right_dtype) in dtypes() {
            let (left, right) = (counts(&left_dtype), counts(&right_dtype));
            let frames = [(&left_dtype, &left), (&right_dtype, &right)]
                .map(|(dtype, counts)| frame(column(dtype, counts, &exec), &exec));
            let (left, right) = (times(&left_dtype, &left), times(&right_dtype, &right));
            for (kind, nulls, budget) in kinds.into_iter().flat_map(|kind| {
                [(NullEquality::Equal, 1_000), (NullEquality::Unequal, usize::MAX)]
                    .map(|(nulls, budget)| (kind, nulls, budget))
            }) {
                let side = |columns| JoinSide { columns, keys: &[0], output: &[1] };
                let driver = Driver::new(&exec).with_budget(budget);
                let joined =
                    join_rows_with(side(&frames[0]), side(&frames[1]), kind, nulls, None, driver).unwrap();
                let of_left = rows(&joined.left);
                let of_right = joined.right.as_ref().map_or_else(|| vec![None; of_left.len()], rows);
                let found: Vec<_> = of_left.into_iter().zip(of_right).map(<[_; 2]>::from).collect();
                let expected = naive(&left, &right, kind, nulls);
                let what = format!("{kind:?} of {left_dtype} and {right_dtype}, {nulls:?} on {device}");
                assert_eq!(found, expected, "{what}");
            }
        }
    }
}

#[test]
fn comparisons_and_members_of_times_of_other_units_are_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (left_dtype, right_dtype) in dtypes() {
            let (left, right) = (counts(&left_dtype), counts(&right_dtype));
            let (left_times, right_times) = (times(&left_dtype, &left), times(&right_dtype, &right));
            let what = format!("{left_dtype} and {right_dtype} on {device}");
            let (left, right) = (column(&left_dtype, &left, &exec), column(&right_dtype, &right, &exec));
            let found = compute(&[("x", &left)], col("x").is_in(&right), &exec).unwrap();
            let expected: Vec<_> =
                left_times.iter().map(|time| time.map(|_| right_times.contains(time))).collect();
            assert_eq!(found.to_options::<bool>().unwrap(), expected, "{what}");
            // Every pair.
            let n = left.size();
            for shift in 0..n {
                let order: Vec<usize> = (0..n).map(|row| (row + shift) % n).collect();
                let shifted = [right.slice(shift, n - shift).unwrap(), right.slice(0, shift).unwrap()];
                let shifted = crate::copying::concat(&shifted.each_ref(), &exec).unwrap();
                let columns = [("a", &left), ("b", &shifted)];
                let pair = |row: usize| left_times[row].zip(right_times[order[row]]);
                let is = |expr: Expr| compute(&columns, expr, &exec).unwrap().to_options::<bool>().unwrap();
                let expected = |holds: fn(i128, i128) -> bool| -> Vec<Option<bool>> {
                    (0..n).map(|row| pair(row).map(|(a, b)| holds(a, b))).collect()
                };
                assert_eq!(is(col("a").lt(col("b"))), expected(|a, b| a < b), "{what}");
                assert_eq!(is(col("a").ge(col("b"))), expected(|a, b| a >= b), "{what}");
                assert_eq!(is(col("a").eq(col("b"))), expected(|a, b| a == b), "{what}");
                let same = (0..n).map(|row| Some(left_times[row] == right_times[order[row]]));
                assert_eq!(is(col("a").eq_missing(col("b"))), same.collect::<Vec<_>>(), "{what}");
            }
        }
    }
}

/// Equal times of a condition are keys, and others are compared one by one.
#[test]
fn conditions_on_times_of_other_units_are_exact() {
    let exec = Exec::host();
    for (left_dtype, right_dtype) in dtypes() {
        let (left, right) = (counts(&left_dtype), counts(&right_dtype));
        let frames = [(&left_dtype, &left), (&right_dtype, &right)]
            .map(|(dtype, counts)| frame(column(dtype, counts, &exec), &exec));
        let (left, right) = (times(&left_dtype, &left), times(&right_dtype, &right));
        let conditions: [(Expr, Holds); 3] = [
            (col("a").eq(col("b")), |(a, b)| a == b),
            (col("a").lt(col("b")), |(a, b)| a < b),
            (col("b").le(col("a")), |(a, b)| b <= a),
        ];
        for (predicate, holds) in conditions {
            let what = format!("{predicate} of {left_dtype} and {right_dtype}");
            let columns = vec![("a".into(), 0, 0), ("b".into(), 1, 0)];
            let condition = PairCondition { predicate, columns };
            let side = |columns| JoinSide { columns, keys: &[], output: &[1] };
            let (nulls, driver) = (NullEquality::Equal, Driver::new(&exec));
            let (lefts, rights) = (side(&frames[0]), side(&frames[1]));
            let joined =
                join_rows_with(lefts, rights, JoinKind::Inner, nulls, Some(&condition), driver).unwrap();
            let found: Vec<_> =
                rows(&joined.left).into_iter().zip(rows(joined.right.as_ref().unwrap())).collect();
            let pairs = (0..left.len()).flat_map(|l| (0..right.len()).map(move |r| (l, r)));
            let is_match = |&(l, r): &(usize, usize)| left[l].zip(right[r]).as_ref().is_some_and(holds);
            let expected: Vec<_> = pairs.filter(is_match).map(|(l, r)| (Some(l), Some(r))).collect();
            assert_eq!(found, expected, "{what}");
        }
    }
}

#[test]
fn nearest_times_of_other_units_are_exact() {
    const SECOND: i128 = 1_000_000_000;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (left_dtype, right_dtype) in dtypes() {
            let left = counts(&left_dtype);
            let mut right: Vec<Option<i64>> = counts(&right_dtype).into_iter().flatten().map(Some).collect();
            right.sort_unstable();
            let frames = [(&left_dtype, &left), (&right_dtype, &right)]
                .map(|(dtype, counts)| frame(column(dtype, counts, &exec), &exec));
            let (left, right) = (times(&left_dtype, &left), times(&right_dtype, &right));
            // The second is beyond the range of nanoseconds, the last beyond every distance.
            let most = i128::from(i64::MAX) * SECOND;
            let tolerances = [
                (None, None),
                (Some(lit(Literal::Duration(86_400 * SECOND))), Some(86_400 * SECOND)),
                (
                    Some(lit(Scalar::Duration(20_000_000_000, TimeUnit::Second))),
                    Some(20_000_000_000 * SECOND),
                ),
                (Some(lit(Scalar::Duration(i64::MAX, TimeUnit::Second))), Some(most)),
                (Some(lit(Literal::Duration(-1))), Some(-1)),
            ];
            for (tolerance, within) in tolerances {
                for (strategy, allow_exact_matches) in [
                    (AsofStrategy::Backward, true),
                    (AsofStrategy::Forward, false),
                    (AsofStrategy::Nearest, true),
                ] {
                    let nearest = |time: &Time| {
                        let time = (*time)?;
                        let is_allowed = |other: i128| allow_exact_matches || other != time;
                        let is_before = |other: &Time| other.is_some_and(|o| o <= time && is_allowed(o));
                        let is_after = |other: &Time| other.is_some_and(|o| o >= time && is_allowed(o));
                        let (before, after) =
                            (right.iter().rposition(is_before), right.iter().position(is_after));
                        let distance = |row: usize| (right[row].unwrap() - time).abs();
                        let row = match strategy {
                            AsofStrategy::Backward => before,
                            AsofStrategy::Forward => after,
                            AsofStrategy::Nearest => match (before, after) {
                                (Some(b), Some(a)) => Some(if distance(b) <= distance(a) { b } else { a }),
                                (before, after) => before.or(after),
                            },
                        };
                        row.filter(|row| within.is_none_or(|within| distance(*row) <= within))
                    };
                    let asof = Asof { strategy, allow_exact_matches, tolerance: tolerance.clone() };
                    let side = |columns| JoinSide { columns, keys: &[0], output: &[1] };
                    let (lefts, rights) = (side(&frames[0]), side(&frames[1]));
                    let driver = Driver::new(&exec);
                    let joined = asof_join_with(lefts, rights, &asof, NullEquality::Equal, driver).unwrap();
                    let expected: Vec<_> = left.iter().map(nearest).collect();
                    let what = format!("{asof:?} of {left_dtype} and {right_dtype} on {device}");
                    assert_eq!(rows(joined.right.as_ref().unwrap()), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn searches_of_times_of_other_units_are_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (own, other) in dtypes() {
            let mut sorted: Vec<i64> = counts(&own).into_iter().flatten().collect();
            sorted.sort_unstable();
            let needles = counts(&other);
            for order in [Order::Ascending, Order::Descending] {
                let keys: Vec<Option<i64>> = sorted.iter().copied().map(Some).chain([None]).collect();
                let found = |side| {
                    let (key, needles) = (column(&own, &keys, &exec), column(&other, &needles, &exec));
                    let key = SortKey { column: &key, order, nulls: NullOrder::Last };
                    search_sorted(&[key], &[&needles], side, &exec).unwrap().to_options::<i64>().unwrap()
                };
                let expected = |is_before: fn(Ordering) -> bool| -> Vec<Option<i64>> {
                    let times = times(&own, &keys);
                    let of_needle = |needle: Time| match needle {
                        None => {
                            times.iter().filter(|time| time.is_some() || is_before(Ordering::Equal)).count()
                        }
                        Some(needle) => {
                            let compared = |time: i128| match order {
                                Order::Ascending => time.cmp(&needle),
                                Order::Descending => needle.cmp(&time),
                            };
                            times
                                .iter()
                                .filter(|time| time.is_some_and(|time| is_before(compared(time))))
                                .count()
                        }
                    };
                    let rows = self::times(&other, &needles).into_iter().map(of_needle);
                    rows.map(|row| i64::try_from(row).ok()).collect()
                };
                let what = format!("{other} in {own}, {order:?} on {device}");
                assert_eq!(found(SearchSide::Left), expected(Ordering::is_lt), "{what}");
                assert_eq!(found(SearchSide::Right), expected(Ordering::is_le), "{what}");
                sorted.reverse();
            }
        }
    }
}

/// Both sides are written in the finer unit.
#[test]
fn times_of_one_column_must_fit_the_finer_unit() {
    let exec = Exec::host();
    let (second, nano) = (DType::Timestamp(TimeUnit::Second), DType::Timestamp(TimeUnit::Nano));
    let near = column(&nano, &[None, Some(7)], &exec);
    let keys = coalesce_keys(&column(&second, &[Some(2), None], &exec), &near, &exec).unwrap();
    assert_eq!(
        keys.to_scalars().unwrap(),
        [2_000_000_000, 7].map(|count| Scalar::Timestamp(count, TimeUnit::Nano))
    );
    let error = coalesce_keys(&column(&second, &[Some(i64::MAX), None], &exec), &near, &exec).unwrap_err();
    assert!(
        matches!(error, Error::ValueOverflow { row: 0, .. }) && error.kind() == ErrorKind::Overflow,
        "{error}"
    );
    assert!(!is_merged(&second, &nano) && is_merged(&second, &second));
}

#[test]
fn times_of_one_side_keep_their_unit() {
    let zone = |unit, name: &str| DType::TimestampTz(unit, TimeZone::new(name).unwrap());
    let (second, nano) = (DType::Timestamp(TimeUnit::Second), DType::Timestamp(TimeUnit::Nano));
    assert_eq!(key_of_one_side(&second, nano.clone()), second);
    assert_eq!(key_of_one_side(&DType::Date32, nano), DType::Date32);
    let (of_right, common) = (zone(TimeUnit::Second, "Europe/Berlin"), zone(TimeUnit::Nano, "UTC"));
    assert_eq!(key_of_one_side(&of_right, common), zone(TimeUnit::Second, "UTC"));
    assert_eq!(key_of_one_side(&DType::Int32, DType::Int64), DType::Int64);
}
