//! Exact comparisons and quotients, checked arithmetic, rounding, and which rows an overflow counts in; on every device.

use super::{Expr, col, evaluate, evaluate_mask, len, lit, when};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    Column, ColumnAccessor, DType, Error, ErrorKind, Result, Scalar, TimeUnit, TimeZone,
};
use columnade_tests::Rng;

fn decimals(values: &[i128], precision: u8, scale: i8, exec: &Exec) -> Column {
    let dtype = DType::decimal(precision, scale).unwrap();
    let scalar = |&value: &i128| Scalar::Decimal { value, precision, scale };
    Column::from_scalars(&dtype, &values.iter().map(scalar).collect::<Vec<_>>(), exec).unwrap()
}

fn frame<const N: usize>(columns: [(&str, Column); N]) -> ColumnAccessor {
    ColumnAccessor::from_columns(columns).unwrap()
}

/// The dtype and the values of an expression, as text.
fn show(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<String> {
    let (_, column) = evaluate(std::slice::from_ref(expr), frame, exec)?.swap_remove(0);
    let values: Vec<String> = column
        .to_device(&Exec::host())
        .unwrap()
        .to_scalars()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    Ok(format!("{}: {}", column.dtype(), values.join(" ")))
}

fn text(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> String {
    show(expr, frame, exec).unwrap_or_else(|error| panic!("{error}"))
}

/// Whether a comparison holds for values in an order.
type Holds = fn(std::cmp::Ordering) -> bool;

/// A decimal as sign, digits before and after the point, padded: ordered as text within one sign.
fn digits(value: i128, scale: i8) -> (bool, String) {
    let digits = value.unsigned_abs().to_string();
    let places = usize::try_from(scale.max(0)).unwrap();
    let zeros = "0".repeat(usize::try_from((-scale).max(0)).unwrap());
    let digits = format!("{digits:0>width$}{zeros}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    (value < 0, format!("{whole:0>90}{fraction:0<90}"))
}

fn order(left: (i128, i8), right: (i128, i8)) -> std::cmp::Ordering {
    let (left, right) = (digits(left.0, left.1), digits(right.0, right.1));
    let magnitudes = left.1.cmp(&right.1);
    match (left.0, right.0) {
        (false, false) => magnitudes,
        (true, true) => magnitudes.reverse(),
        (left, _) => {
            if left {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Greater
            }
        }
    }
}

#[test]
fn comparison_of_decimals_of_any_scales_matches_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(95);
        for round in 0..if device == Device::Host { 60 } else { 12 } {
            let dtype = |rng: &mut Rng| {
                let precision = *[29, 38, 38, 5, 18].get(usize::try_from(rng.below(5)).unwrap()).unwrap();
                let scale = i8::try_from(rng.below(77)).unwrap() - 38;
                (precision, if round == 0 { 0 } else { scale })
            };
            let (l, r) = (dtype(&mut rng), dtype(&mut rng));
            let value = |rng: &mut Rng, precision: u8| {
                let raw = i128::from(rng.next()) * i128::from(rng.next() >> 2);
                let value =
                    raw % 10_i128.pow(precision.into()) / 10_i128.pow(u32::try_from(rng.below(30)).unwrap());
                if rng.below(2) == 0 { value } else { -value }
            };
            let mut left: Vec<i128> = (0..65).map(|_| value(&mut rng, l.0)).collect();
            let mut right: Vec<i128> = (0..65).map(|_| value(&mut rng, r.0)).collect();
            // Equal values, and their neighbours.
            left.extend([0, 1, -1, 0]);
            right.extend([0, 0, -1, 1]);
            let columns =
                frame([("l", decimals(&left, l.0, l.1, &exec)), ("r", decimals(&right, r.0, r.1, &exec))]);
            let comparisons: [(Expr, Holds); 6] = [
                (col("l").eq(col("r")), std::cmp::Ordering::is_eq),
                (col("l").ne(col("r")), std::cmp::Ordering::is_ne),
                (col("l").lt(col("r")), std::cmp::Ordering::is_lt),
                (col("l").le(col("r")), std::cmp::Ordering::is_le),
                (col("l").gt(col("r")), std::cmp::Ordering::is_gt),
                (col("l").ge(col("r")), std::cmp::Ordering::is_ge),
            ];
            for (expr, holds) in comparisons {
                let mask = evaluate_mask(&expr, &columns, &exec).unwrap();
                let expected: Vec<Scalar> = left
                    .iter()
                    .zip(&right)
                    .map(|(&a, &b)| Scalar::from(holds(order((a, l.1), (b, r.1)))))
                    .collect();
                assert_eq!(mask.to_scalars().unwrap(), expected, "{expr} of {l:?} and {r:?} on {device}");
            }
        }
    }
}

#[test]
fn comparison_of_times_of_any_units_is_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (day, far) = (86_400_000_000_000_i64, 2_932_896);
        let column = |dtype: &DType, counts: &[i64]| {
            Column::from_slice(counts, &exec).unwrap().reinterpret(dtype).unwrap()
        };
        let days = Column::from_slice(&[1_i32, 1, -1, far, -far], &exec).unwrap();
        let columns = frame([
            ("date", days.reinterpret(&DType::Date32).unwrap()),
            (
                "nanos",
                column(&DType::Timestamp(TimeUnit::Nano), &[day, day + 1, -day - 1, i64::MAX, i64::MIN]),
            ),
            (
                "seconds",
                column(&DType::Timestamp(TimeUnit::Second), &[86_400, 86_400, -86_401, i64::MAX, i64::MIN]),
            ),
            ("spans", column(&DType::Duration(TimeUnit::Second), &[1, 1, -1, i64::MAX, i64::MIN])),
            ("short", column(&DType::Duration(TimeUnit::Milli), &[1000, 1001, -1001, i64::MAX, i64::MIN])),
        ]);
        for (expr, expected) in [
            (col("date").eq(col("nanos")), "true false false false false"),
            (col("date").lt(col("nanos")), "false true false false true"),
            (col("nanos").gt(col("date")), "false true false false true"),
            (col("nanos").le(col("date")), "true false true true false"),
            (col("date").ge(col("seconds")), "true true true false true"),
            (col("seconds").lt(col("nanos")), "false true true false true"),
            (col("seconds").ne(col("nanos")), "false true true true true"),
            (col("spans").lt(col("short")), "false true false false true"),
            (col("short").lt(col("spans")), "false false true true false"),
            (col("date").gt("9999-12-30"), "false false false true false"),
        ] {
            assert_eq!(text(&expr, &columns, &exec), format!("bool: {expected}"), "{expr} on {device}");
        }
    }
}

/// 2⁵³ + 1 is no float; neither is any of the largest integers.
#[test]
fn comparison_of_long_integer_and_float_is_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let large = 9_007_199_254_740_992_i64;
        let floats = [9_007_199_254_740_992.0, 0.5, f64::NAN, 9_223_372_036_854_775_808.0, -0.0];
        let columns = frame([
            ("i", Column::from_slice(&[large + 1, 0, 0, i64::MAX, 0], &exec).unwrap()),
            ("u", Column::from_slice(&[9_007_199_254_740_993_u64, 1, 0, 1 << 63, 0], &exec).unwrap()),
            ("f", Column::from_slice(&floats, &exec).unwrap()),
            (
                "g",
                Column::from_slice(&[9_007_199_254_740_992_f32, 0.5, f32::NAN, f32::INFINITY, 0.0], &exec)
                    .unwrap(),
            ),
        ]);
        for (expr, expected) in [
            (col("i").eq(col("f")), "false false false false true"),
            (col("i").gt(col("f")), "true false false false false"),
            (col("f").lt(col("i")), "true false false false false"),
            (col("i").ne(col("f")), "true true true true false"),
            (col("f").ge(col("i")), "false true false true true"),
            (col("u").eq(col("f")), "false false false true true"),
            (col("u").gt(col("g")), "true true false false false"),
            (col("g").le(col("u")), "true true false false true"),
        ] {
            assert_eq!(text(&expr, &columns, &exec), format!("bool: {expected}"), "{expr} on {device}");
        }
    }
}

#[test]
fn quotient_and_cast_of_large_decimals_have_answers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let ten = |power: u32| 10_i128.pow(power);
        let columns = frame([
            ("a", decimals(&[ten(35), -ten(37), 1], 38, 0, &exec)),
            ("b", decimals(&[ten(30), ten(37) * 3, ten(37)], 38, 0, &exec)),
            ("c", decimals(&[i64::MAX.into(), i64::MIN.into(), 7], 20, 0, &exec)),
            ("d", decimals(&[i128::from(i64::MAX) * 10 + 4, -5, 15], 38, 1, &exec)),
            ("u", decimals(&[255, 128, 0], 20, 0, &exec)),
        ]);
        for (expr, expected) in [
            (col("a") / col("b"), "decimal(38,6): 100000.000000 -0.333333 0.000000"),
            (col("c").cast(DType::Int64), "int64: 9223372036854775807 -9223372036854775808 7"),
            (col("d").cast(DType::Int64), "int64: 9223372036854775807 -1 2"),
            (col("u").cast(DType::UInt8), "uint8: 255 128 0"),
        ] {
            assert_eq!(text(&expr, &columns, &exec), expected, "{expr} on {device}");
        }
        let value = |value: String, dtype: DType| Error::ValueOverflow { row: 0, value, dtype };
        for (expr, expected) in [
            (col("a").cast(DType::Int64), value(ten(35).to_string(), DType::Int64)),
            (col("u").cast(DType::Int8), value("255".to_owned(), DType::Int8)),
            (
                col("a") / lit(Scalar::Decimal { value: 1, precision: 1, scale: 1 }),
                Error::Overflow { dtype: DType::decimal(38, 6).unwrap() },
            ),
        ] {
            let error = show(&expr, &columns, &exec).unwrap_err();
            assert_eq!(error, expected.in_expression(&expr), "{device}");
        }
    }
}

/// Every integer dtype at the ends of its range, against 128 bits.
#[test]
fn checked_signs_overflow_for_the_smallest_value_alone() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = |smallest| {
            Column::from_values([Some(smallest), None, Some(-7), Some(0), Some(5)], &exec).unwrap()
        };
        let longs = values(i64::MIN);
        let durations = longs.reinterpret(&DType::Duration(TimeUnit::Second)).unwrap();
        let columns = frame([
            ("n", longs),
            ("d", durations),
            ("x", Column::from_slice(&[-0.0, 1.5, -2.5, 0.0, f64::MIN], &exec).unwrap()),
        ]);
        let of = |expr: Expr, rows: &ColumnAccessor| {
            evaluate(&[expr], rows, &exec).map(|found| found[0].1.to_scalars().unwrap())
        };
        for label in ["n", "d"] {
            for expr in [col(label).checked_neg(), col(label).checked_abs()] {
                let error = of(expr.clone(), &columns).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Overflow, "{expr} on {device}");
                // A row that takes another branch does not count.
                let rest = when(col("n").gt(i64::MIN)).then(expr).otherwise(col(label) - col(label));
                assert!(of(rest, &columns).is_ok());
            }
            let rest = columns.slice(1, 4).unwrap();
            assert_eq!(of(col(label).checked_neg(), &rest).unwrap(), of(-col(label), &rest).unwrap());
            assert_eq!(of(col(label).checked_abs(), &rest).unwrap(), of(col(label).abs(), &rest).unwrap());
        }
        assert_eq!(of(col("x").checked_neg(), &columns).unwrap(), of(-col("x"), &columns).unwrap());
        assert_eq!(of(col("x").checked_abs(), &columns).unwrap(), of(col("x").abs(), &columns).unwrap());
        let shorts = frame([("n", Column::from_slice(&[i8::MIN], &exec).unwrap())]);
        assert_eq!(of(col("n").checked_abs(), &shorts).unwrap_err().kind(), ErrorKind::Overflow);
        let unsigned = frame([("n", Column::from_slice(&[3_u8], &exec).unwrap())]);
        assert_eq!(of(col("n").checked_abs(), &unsigned).unwrap(), [3_u8.into()]);
        assert_eq!(of(col("n").checked_neg(), &unsigned).unwrap_err().kind(), ErrorKind::Type);
    }
}

#[test]
fn checked_arithmetic_overflows_where_exact_result_does_not_fit() {
    macro_rules! check {
        ($($ty:ty),*) => {$(
            for device in Device::available() {
                let exec = Exec::new(device).unwrap();
                let ends = [<$ty>::MIN, <$ty>::MIN + 1, 0, 1, 2, <$ty>::MAX / 2 + 1, <$ty>::MAX - 1, <$ty>::MAX];
                for a in ends {
                    for b in ends {
                        let columns = frame([
                            ("a", Column::from_slice(&[1, a, 1], &exec).unwrap()),
                            ("b", Column::from_slice(&[1, b, 1], &exec).unwrap()),
                        ]);
                        let (x, y) = (i128::from(a), i128::from(b));
                        let quotient = (y != 0).then(|| x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0));
                        for (expr, exact) in [
                            (col("a").checked_add(col("b")), Some(x + y)),
                            (col("a").checked_sub(col("b")), Some(x - y)),
                            (col("a").checked_mul(col("b")), Some(x.saturating_mul(y))),
                            (col("a").checked_floor_div(col("b")), quotient),
                            (col("a").checked_abs(), Some(x.abs())),
                        ] {
                            let fits = exact.is_none_or(|exact| <$ty>::try_from(exact).is_ok());
                            let found = evaluate(std::slice::from_ref(&expr), &columns, &exec);
                            match found {
                                Ok(found) => {
                                    assert!(fits, "{expr} of {a} and {b}");
                                    let value = exact.map(|exact| <$ty>::try_from(exact).unwrap());
                                    let expected = value.map_or(Scalar::Null(found[0].1.dtype()), Scalar::from);
                                    assert_eq!(found[0].1.get(1).unwrap(), expected, "{expr} of {a} and {b} on {device}");
                                }
                                Err(error) => {
                                    assert!(!fits, "{expr} of {a} and {b}: {error}");
                                    assert_eq!(error.kind(), ErrorKind::Overflow);
                                    assert!(error.to_string().contains(&expr.to_string()), "{error}");
                                }
                            }
                        }
                    }
                }
            }
        )*};
    }
    check!(i8, i16, i32, i64, u8, u16, u32, u64);
}

#[test]
fn abs_neg_round_and_fill_null_give_expected_values_and_dtypes() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let columns = frame([
            ("i", Column::from_options([Some(-15_i8), None, Some(25), Some(i8::MIN)], &exec).unwrap()),
            ("u", Column::from_options([Some(7_u16), None, Some(0), Some(65_535)], &exec).unwrap()),
            ("f", Column::from_options([Some(-0.125_f64), None, Some(f64::NAN), Some(2.5)], &exec).unwrap()),
            ("g", Column::from_options([Some(-0.75_f32), None, Some(0.25), Some(1e10)], &exec).unwrap()),
            ("m", decimals(&[-9995, 125, 135, 9999], 4, 2, &exec)),
            (
                "d",
                Column::from_options([Some(-3_i64), None, Some(3), Some(0)], &exec)
                    .unwrap()
                    .reinterpret(&DType::Duration(TimeUnit::Second))
                    .unwrap(),
            ),
        ]);
        for (expr, expected) in [
            (col("i").abs(), "int8: 15 <NA> 25 -128"),
            (col("i").neg(), "int8: 15 <NA> -25 -128"),
            (col("u").abs(), "uint16: 7 <NA> 0 65535"),
            (col("f").abs(), "float64: 0.125 <NA> NaN 2.5"),
            (col("f").neg(), "float64: 0.125 <NA> NaN -2.5"),
            (col("m").abs(), "decimal(4,2): 99.95 1.25 1.35 99.99"),
            (col("i").round(0), "int8: -15 <NA> 25 -128"),
            (col("i").fill_null(0).cast(DType::Int16).round(-1), "int16: -20 0 20 -130"),
            (col("i").round(-3), "int8: 0 <NA> 0 0"),
            (col("f").round(2), "float64: -0.12 <NA> NaN 2.5"),
            (col("f").round(0), "float64: -0.0 <NA> NaN 2.0"),
            (col("g").round(1), "float32: -0.8 <NA> 0.2 10000000000.0"),
            (col("m").round(1), "decimal(5,2): -100.00 1.20 1.40 100.00"),
            (col("m").round(2), "decimal(4,2): -99.95 1.25 1.35 99.99"),
            (col("m").round(-1), "decimal(5,2): -100.00 0.00 0.00 100.00"),
            (col("i").fill_null(7), "int8: -15 7 25 -128"),
            (col("i").fill_null(col("f").fill_null(0.5)), "float64: -15.0 0.5 25.0 -128.0"),
            (col("f").fill_null(col("i")), "float64: -0.125 <NA> NaN 2.5"),
        ] {
            assert_eq!(text(&expr, &columns, &exec), expected, "{expr} on {device}");
        }
        let spans = text(&col("d").abs().eq(-col("d")).or(col("d").abs().eq(col("d"))), &columns, &exec);
        assert_eq!(spans, "bool: true <NA> true true");
        let error = show(&col("i").round(-1), &columns, &exec).unwrap_err();
        assert_eq!(error, Error::Overflow { dtype: DType::Int8 }.in_expression(col("i").round(-1)));
        assert_eq!(show(&col("u").neg(), &columns, &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(show(&col("i").is_null().round(1), &columns, &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(show(&col("i").is_null().abs(), &columns, &exec).unwrap_err().kind(), ErrorKind::Type);
        assert_eq!(col("m").round(1).fill_null(0).abs().label(), "m");
    }
}

/// Few and many groups, filters that keep few and most rows, keys and values that overflow where rows are dropped.
#[test]
fn overflow_of_expression_counts_only_in_rows_that_filter_keeps() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows: i64 = if device == Device::Host { 40_000 } else { 5000 };
        let largest = 10_i128.pow(38) - 1;
        for (groups, kept_of_100) in [(1, 2), (3, 90), (30_000, 2), (30_000, 90)] {
            // Of the rows that are dropped every third is large.
            let keep = |row: i64| row * 7 % 100 < kept_of_100;
            let large = |row: i64| !keep(row) && row % 3 == 0;
            let numbers: Vec<i64> = (0..rows).collect();
            let values: Vec<i128> =
                numbers.iter().map(|&row| if large(row) { largest } else { i128::from(row) }).collect();
            let longs: Vec<i64> =
                numbers.iter().map(|&row| if large(row) { i64::MAX } else { row }).collect();
            let columns = frame([
                ("n", Column::from_slice(&numbers, &exec).unwrap()),
                ("d", decimals(&values, 38, 0, &exec)),
                ("x", Column::from_slice(&longs, &exec).unwrap()),
            ]);
            let filter = (col("n") * 7 % 100).lt(kept_of_100);
            let keys = if groups == 1 { vec![] } else { vec![(col("n") % groups).alias("k")] };
            let checked = col("x").checked_add(1);
            let sums = [(col("d") * 10).sum().alias("d"), checked.clone().sum().alias("x"), len()];
            let options = GroupOptions::default();
            let run = |filter: Option<&Expr>, keys: &[Expr]| {
                aggregate(&columns, filter, keys, &sums, options, &exec)
            };
            let what = format!("{groups} groups, {kept_of_100} of 100 on {device}");
            let found = run(Some(&filter), &keys).unwrap_or_else(|error| panic!("{error}, {what}"));
            let total: i64 = numbers.iter().copied().filter(|&row| keep(row)).map(|row| row + 1).sum();
            let sum: i64 = found
                .get("x")
                .unwrap()
                .to_scalars()
                .unwrap()
                .iter()
                .map(|x| i64::try_from(x.clone()).unwrap())
                .sum();
            assert_eq!(sum, total, "{what}");
            // Keys that overflow where rows are dropped.
            let by = [checked.clone().floor_div(1_000_000)];
            assert!(run(Some(&filter), &by).is_ok(), "{what}");
            let error = run(None, &by).unwrap_err();
            assert_eq!(error, Error::Overflow { dtype: DType::Int64 }.in_expression(&by[0]), "{what}");
            // The earliest step of those that overflow is named, whatever the device and the number of groups.
            let error = run(None, &keys).unwrap_err();
            let dtype = DType::decimal(38, 0).unwrap();
            assert_eq!(
                error,
                Error::Overflow { dtype }.in_expression((col("d") * 10).sum().alias("d")),
                "{what}"
            );
            // The same rows by a condition instead of a filter.
            let either = when(filter.clone()).then(checked.clone()).otherwise(0).sum().alias("x");
            let found = aggregate(&columns, None, &keys, &[either], options, &exec).unwrap();
            let sum: i64 = found
                .get("x")
                .unwrap()
                .to_scalars()
                .unwrap()
                .iter()
                .map(|x| i64::try_from(x.clone()).unwrap())
                .sum();
            assert_eq!(sum, total, "{what}");
            // What the filter computes counts in every row.
            let error = run(Some(&checked.clone().gt(0)), &keys).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow, "{what}");
        }
    }
}

#[test]
fn cast_of_timestamp_to_date_overflows_where_day_has_more_than_32_bits() {
    const DAY: i64 = 86_400;
    let most = i64::from(i32::MAX);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let times = |values: &[i64]| {
            let column = Column::from_slice(values, &exec).unwrap();
            column.reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap()
        };
        let cast = col("t").cast(DType::Date32);
        let days = |expr: &Expr, rows: &ColumnAccessor| -> Result<Vec<i32>> {
            let (_, column) = evaluate(std::slice::from_ref(expr), rows, &exec)?.swap_remove(0);
            column.reinterpret(&DType::Int32)?.to_vec()
        };
        let inside = frame([("t", times(&[most * DAY + 5, -(most + 1) * DAY, -1]))]);
        assert_eq!(days(&cast, &inside).unwrap(), [i32::MAX, i32::MIN, -1], "{device}");
        for far in [(most + 1) * DAY, -(most + 1) * DAY - 1, i64::MAX, i64::MIN] {
            let rows = frame([("t", times(&[0, far]))]);
            let error = days(&cast, &rows).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow, "{device}, {far}: {error}");
            let is_far = col("t").eq(lit(rows.get("t").unwrap().get(1).unwrap()));
            let taken = when(is_far).then(lit(Scalar::Date32(7))).otherwise(cast.clone());
            assert_eq!(days(&taken, &rows).unwrap(), [0, 7], "{device}, {far}");
        }
    }
}

#[test]
fn parts_of_dates_overflow_where_day_has_more_than_32_bits() {
    const DAY: i64 = 86_400;
    let most = i64::from(i32::MAX);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (unit, per_day) in [(TimeUnit::Second, DAY), (TimeUnit::Milli, DAY * 1000)] {
            let zoned = DType::TimestampTz(unit, TimeZone::utc());
            for dtype in [DType::Timestamp(unit), zoned] {
                let times = |values: &[i64]| {
                    let column = Column::from_slice(values, &exec).unwrap().reinterpret(&dtype).unwrap();
                    frame([("t", column)])
                };
                let t = || col("t").dt();
                let inside = times(&[0, most * per_day, -(most + 1) * per_day, -1]);
                assert_eq!(text(&t().year(), &inside, &exec), "int32: 1970 5881580 -5877641 1969");
                assert_eq!(text(&t().hour(), &inside, &exec), "int32: 0 0 0 23");
                assert_eq!(text(&t().weekday(), &times(&[0, -per_day]), &exec), "int32: 3 2");
                for far in [(most + 1) * per_day, -(most + 1) * per_day - 1, i64::MAX, i64::MIN] {
                    let rows = times(&[0, far]);
                    for part in [t().year(), t().day(), t().weekday(), t().day_of_year(), t().strftime("%Y")]
                    {
                        let error = show(&part, &rows, &exec).unwrap_err();
                        assert_eq!(error.kind(), ErrorKind::Overflow, "{part} of {far} {dtype}, {device}");
                    }
                    assert!(show(&t().hour(), &rows, &exec).is_ok());
                }
            }
        }
    }
}

#[test]
fn casts_between_times_and_integers_are_counts() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let counts = [Some(0_i64), Some(-1), None, Some(200), Some(i64::from(i32::MAX))];
        let counts = Column::from_options(counts, &exec).unwrap();
        let frame = frame([
            ("n", counts),
            ("u", Column::from_options([Some(0_u64), None, Some(255), Some(7), Some(1)], &exec).unwrap()),
        ]);
        let n = || col("n");
        let dates = "date32: 1970-01-01 1969-12-31 <NA> 1970-07-20 5881580-07-11";
        assert_eq!(text(&n().cast(DType::Date32), &frame, &exec), dates, "{device}");
        let back = "int64: 0 -1 <NA> 200 2147483647";
        assert_eq!(text(&n().cast(DType::Date32).cast(DType::Int64), &frame, &exec), back, "{device}");
        for unit in TimeUnit::ALL {
            for dtype in [DType::Timestamp(unit), DType::Duration(unit)] {
                assert_eq!(text(&n().cast(dtype).cast(DType::Int64), &frame, &exec), back, "{device}");
            }
        }
        let day = || col("u").cast(DType::Date32);
        assert_eq!(text(&day().cast(DType::UInt8), &frame, &exec), "uint8: 0 <NA> 255 7 1", "{device}");
        let error = show(&day().cast(DType::Int8), &frame, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        assert!(error.to_string().contains("int8"), "{error}");
        let far = show(&(n() + 1).cast(DType::Date32), &frame, &exec).unwrap_err();
        assert_eq!((far.kind(), far.to_string().contains("date32")), (ErrorKind::Overflow, true), "{far}");
        // Null rows and rows of the other branch do not count.
        let near = when(n().lt(1000)).then(n()).otherwise(lit(0)).cast(DType::Date32).cast(DType::Int16);
        assert_eq!(text(&near, &frame, &exec), "int16: 0 -1 0 200 0", "{device}");
    }
}

#[test]
fn decimals_that_do_not_fit_beside_a_null_are_no_overflow() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in [1, 33, 257] {
            let of = |dtype: &DType, value: &dyn Fn(usize) -> Option<Scalar>| {
                let values: Vec<Scalar> =
                    (0..=n).map(|row| value(row).unwrap_or_else(|| Scalar::Null(dtype.clone()))).collect();
                Column::from_scalars(dtype, &values, &exec).unwrap().slice(1, n).unwrap()
            };
            let decimal = |value, scale| Scalar::Decimal { value, precision: 38, scale };
            let (fine, whole) = (DType::decimal(38, 38).unwrap(), DType::decimal(38, 0).unwrap());
            // 7 has no 38 digits after the point, 0 has.
            let is_null = |row: usize| !row.is_multiple_of(3);
            let rows = frame([
                ("fine", of(&fine, &|row| (!is_null(row)).then(|| decimal(5, 38)))),
                ("whole", of(&whole, &|row| Some(decimal(if is_null(row) { 7 } else { 0 }, 0)))),
                ("i", of(&DType::Int64, &|row| Some(Scalar::Int64(if is_null(row) { 7 } else { 0 })))),
                ("seven", of(&whole, &|_| Some(decimal(7, 0)))),
            ]);
            for other in ["whole", "i"] {
                for (expr, of_row) in [
                    (col("fine") + col(other), "0.00000000000000000000000000000000000005"),
                    (col(other) - col("fine"), "-0.00000000000000000000000000000000000005"),
                    (col(other) % col("fine"), "0.00000000000000000000000000000000000000"),
                ] {
                    let (_, made) =
                        evaluate(std::slice::from_ref(&expr), &rows, &exec).unwrap().swap_remove(0);
                    let shown = made.to_scalars().unwrap().into_iter().enumerate();
                    for (at, value) in shown {
                        let expected = if is_null(at + 1) { "<NA>" } else { of_row };
                        assert_eq!(value.to_string(), expected, "{expr}, row {at} of {n} on {device}");
                    }
                }
            }
            if n > 3 {
                let error = evaluate(&[col("fine") + col("seven")], &rows, &exec).unwrap_err();
                assert!(error.to_string().contains("does not fit"), "{error}");
            }
        }
    }
}
