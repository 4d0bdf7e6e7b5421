//! Errors of values in rows that take no part: branches that are not taken, and rows that a condition drops.

use super::condition::is_of_values;
use super::{Expr, LocalTimes, coalesce, col, evaluate, len, lit, when};
use crate::cast::{CastMode, cast};
use crate::groupby::{GroupOptions, NullKeys, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, ListColumn, Scalar, TimeUnit};
use columnade_tests::Rng;

fn decimals(values: &[i128], exec: &Exec) -> Column {
    let dtype = DType::decimal(38, 0).unwrap();
    let scalar = |&value: &i128| Scalar::Decimal { value, precision: 38, scale: 0 };
    Column::from_scalars(&dtype, &values.iter().map(scalar).collect::<Vec<_>>(), exec).unwrap()
}

/// Rows of which `c` says which are right: elsewhere `s` is no number, `day` no date, `n` too large for eight bits, `t` a time
/// that clocks skip, and `l` is without items.
struct Rows {
    columns: ColumnAccessor,
    /// Null is not true.
    right: Vec<Option<bool>>,
    numbers: Vec<i64>,
}

fn rows(n: usize, exec: &Exec) -> Rows {
    let mut rng = Rng::new(n as u64);
    let right: Vec<Option<bool>> =
        (0..n).map(|_| [Some(true), Some(false), None][usize::try_from(rng.below(3)).unwrap()]).collect();
    let is_right = |row: usize| right[row] == Some(true);
    let numbers: Vec<i64> = (0..n).map(|_| i64::try_from(rng.below(100)).unwrap()).collect();
    let texts: Vec<String> =
        (0..n).map(|row| if is_right(row) { numbers[row].to_string() } else { format!("{row} é") }).collect();
    let days: Vec<&str> = (0..n).map(|row| if is_right(row) { "2024-05-06" } else { "?" }).collect();
    let large: Vec<i64> = (0..n).map(|row| if is_right(row) { numbers[row] } else { 1 << 40 }).collect();
    // 2024-03-31 02:30 in Berlin, and an hour later.
    let times: Vec<i64> =
        (0..n).map(|row| if is_right(row) { 1_711_855_800 } else { 1_711_852_200 }).collect();
    let times = Column::from_slice(&times, exec).unwrap();
    let times = times.reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap();
    let items: Vec<i64> = (0..n).filter(|row| is_right(*row)).map(|row| numbers[row]).collect();
    let lengths = (0..n).map(|row| Some(usize::from(is_right(row))));
    let lists = ListColumn::from_lengths(&Column::from_slice(&items, exec).unwrap(), lengths, exec).unwrap();
    let texts = Column::from_values(texts.iter().map(String::as_str), exec).unwrap();
    let coded = cast(&texts, &DType::dictionary(DType::Utf8), CastMode::Checked, exec).unwrap();
    let columns = ColumnAccessor::from_columns([
        ("c", Column::from_options(right.clone(), exec).unwrap()),
        ("s", texts),
        ("coded", coded),
        ("day", Column::from_values(days, exec).unwrap()),
        ("n", Column::from_slice(&large, exec).unwrap()),
        ("t", times),
        ("l", Column::List(lists)),
        ("k", Column::from_slice(&vec![1_i64; n], exec).unwrap()),
    ]);
    Rows { columns: columns.unwrap(), right, numbers }
}

fn values(expr: &Expr, rows: &Rows, exec: &Exec) -> Vec<Scalar> {
    let made = evaluate(std::slice::from_ref(expr), &rows.columns, exec);
    made.unwrap_or_else(|error| panic!("{error}")).swap_remove(0).1.to_scalars().unwrap()
}

const SIZES: [usize; 8] = [0, 1, 31, 33, 64, 65, 257, 1025];

/// Expressions that read each text, day, time or list where it is right.
fn branches() -> Vec<Expr> {
    let day = || col("day").str().to_datetime(DType::Date32, "%Y-%m-%d");
    let local = || col("t").dt().tz_localize("Europe/Berlin", LocalTimes::default());
    let number = || col("s").cast(DType::Int64);
    let zero = || lit(0).cast(DType::Int64);
    let flag = |value: Expr| when(value.is_null()).then(zero()).otherwise(1);
    vec![
        when(col("c")).then(number()).otherwise(zero()),
        when(col("c")).then(col("coded").cast(DType::Int64)).otherwise(zero()),
        when(col("c")).then(number() + 1).otherwise(1) - 1,
        // The branch of rows where the condition is not true.
        when(coalesce([!col("c"), lit(true)])).then(zero()).otherwise(number()),
        // Within another condition, and as the condition of one.
        when(col("k").eq(1)).then(when(col("c")).then(number()).otherwise(0)).otherwise(7),
        when(col("c")).then(when(number().lt(0)).then(-1).otherwise(number())).otherwise(zero()),
        coalesce([
            when(col("c")).then(number()).otherwise(when(lit(true)).then(lit(0)).otherwise(number())),
            zero(),
        ]),
        // Numbers that become text: the program that computes them is another.
        when(col("c")).then(col("n").cast(DType::Int8).cast(DType::Utf8)).otherwise("0").cast(DType::Int64),
        when(col("c"))
            .then(col("n").cast(DType::Int8).cast(DType::Utf8).str().upper())
            .otherwise("0")
            .cast(DType::Int64),
        when(col("c")).then(col("l").list().get_checked(0)).otherwise(zero()),
        when(col("c")).then(flag(day())).otherwise(0) * when(col("c")).then(number()).otherwise(0),
        when(col("c")).then(flag(local())).otherwise(0) * when(col("c")).then(number()).otherwise(0),
    ]
}

#[test]
fn values_of_branches_that_are_not_taken_are_no_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let mut made = rows(n, &exec);
            if n > 64 {
                made.columns = made.columns.slice(5, n - 7).unwrap();
                (made.right, made.numbers) = (made.right[5..n - 2].to_vec(), made.numbers[5..n - 2].to_vec());
            }
            let expected: Vec<Scalar> = made
                .right
                .iter()
                .zip(&made.numbers)
                .map(|(right, number)| Scalar::from(if *right == Some(true) { *number } else { 0 }))
                .collect();
            for expr in branches() {
                assert_eq!(values(&expr, &made, &exec), expected, "{expr}, {n} rows on {device}");
            }
        }
    }
}

#[test]
fn values_of_rows_that_are_dropped_are_no_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let made = rows(257, &exec);
        let kept = || made.right.iter().zip(&made.numbers).filter(|(right, _)| **right == Some(true));
        let sum: i64 = kept().map(|(_, number)| number).sum();
        let most = *kept().map(|(_, number)| number).max().unwrap();
        for value in [
            col("s").cast(DType::Int64),
            col("coded").cast(DType::Int64),
            col("n").cast(DType::Int8).cast(DType::Int64),
            col("l").list().get_checked(0),
            (col("n") * 2 - col("n")).checked_mul(1 << 30).floor_div(1 << 30),
        ] {
            let total = value.clone().sum().filter(col("c")).alias("x");
            // By sorted rows of groups.
            let greatest = value.clone().filter(col("c")).quantile(1.0).alias("y");
            for keys in [vec![], vec![col("k")]] {
                let options = GroupOptions::default();
                let aggregates = [total.clone(), greatest.clone()];
                let what = format!("{value} by {keys:?} on {device}");
                let found = aggregate(&made.columns, None, &keys, &aggregates, options, &exec);
                let found = found.unwrap_or_else(|error| panic!("{error}: {what}"));
                assert_eq!(found.get("x").unwrap().get(0).unwrap(), Scalar::from(sum), "{what}");
                let found = found.get("y").unwrap().get(0).unwrap().to_string();
                assert_eq!(found.parse::<f64>().unwrap().to_string(), most.to_string(), "{what}");
                // Rows that a filter drops.
                let sums = [value.clone().sum().alias("x"), len()];
                let found = aggregate(&made.columns, Some(&col("c")), &keys, &sums, options, &exec);
                let found = found.unwrap_or_else(|error| panic!("{error}: {what}"));
                assert_eq!(found.get("x").unwrap().get(0).unwrap(), Scalar::from(sum), "{what}");
            }
            for window in [total.clone(), total.clone().over("k").alias("x")] {
                let found = values(&window, &made, &exec);
                assert!(found.iter().all(|found| *found == Scalar::from(sum)), "{window} on {device}");
            }
        }
    }
}

/// A row that takes part fails, in every branch, condition and argument.
#[test]
fn values_of_rows_that_take_part_are_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let made = rows(65, &exec);
        let number = || col("s").cast(DType::Int64);
        for (expr, kind) in [
            (when(!col("c")).then(number()).otherwise(0), ErrorKind::Value),
            (when(col("c")).then(0).otherwise(number()), ErrorKind::Value),
            (when(number().gt(3)).then(1).otherwise(0), ErrorKind::Value),
            (when(col("c")).then(number()).otherwise(0) + number(), ErrorKind::Value),
            (coalesce([number(), lit(1).cast(DType::Int64)]), ErrorKind::Value),
            (
                when(!col("c")).then(col("n").cast(DType::Int8).cast(DType::Utf8)).otherwise(""),
                ErrorKind::Overflow,
            ),
            (number().sum().filter(!col("c")), ErrorKind::Value),
            (number().sum().filter(number().gt(0)), ErrorKind::Value),
        ] {
            let error = evaluate(std::slice::from_ref(&expr), &made.columns, &exec).unwrap_err();
            assert_eq!(error.kind(), kind, "{expr}: {error} on {device}");
        }
    }
}

/// A chain of conditions as deep as expressions may be.
#[test]
fn deep_chains_of_conditions_are_guarded() {
    let exec = Exec::host();
    let made = rows(65, &exec);
    let mut chain = lit(0).cast(DType::Int64);
    for step in 0..300 {
        let found = when(col("c").and(col("n").eq(step % 100))).then(col("s").cast(DType::Int64));
        chain = found.otherwise(chain);
    }
    let expected: Vec<Scalar> = made
        .right
        .iter()
        .zip(&made.numbers)
        .map(|(right, number)| Scalar::from(if *right == Some(true) { *number } else { 0 }))
        .collect();
    assert_eq!(values(&chain, &made, &exec), expected);
}

/// An operand of `and` and `or` counts where the other one does not decide, whichever comes first, in steps and in columns.
#[test]
fn values_of_operands_that_do_not_decide_are_no_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let mut made = rows(n, &exec);
            let digits: Vec<i128> = made
                .right
                .iter()
                .map(|right| if *right == Some(true) { 3 } else { 10_i128.pow(30) })
                .collect();
            made.columns.insert("d", decimals(&digits, &exec)).unwrap();
            // False, not null, where a value fails.
            let wrong: Vec<bool> = made.right.iter().map(|right| *right == Some(true)).collect();
            made.columns.insert("b", Column::from_values(wrong.clone(), &exec).unwrap()).unwrap();
            let fails = [
                (col("d") * col("d")).ge(1),
                col("s").cast(DType::Int64).ge(0),
                col("n").cast(DType::Int8).ge(0),
                col("n").checked_mul(1 << 30).ge(0),
                (col("s").cast(DType::Int64) + col("n").checked_mul(1 << 30)).ge(0),
                // Beside another one that fails.
                col("n").checked_mul(1 << 30).ge(0).and((col("d") * col("d")).ge(1)),
                col("s").cast(DType::Int64).ge(0).and(col("n").checked_mul(1 << 30).ge(0)),
            ];
            for fails in fails {
                let expected: Vec<Scalar> = wrong.iter().map(|right| Scalar::from(*right)).collect();
                for expr in [
                    col("b").and(fails.clone()),
                    fails.clone().and(col("b")),
                    !(!col("b")).or(!fails.clone()),
                    !(!fails.clone()).or(!col("b")),
                    (col("k").eq(1)).and(fails.clone()).and(col("b")),
                    when(col("k").eq(1)).then(fails.clone().and(col("b"))).otherwise(true),
                ] {
                    assert_eq!(values(&expr, &made, &exec), expected, "{expr}, {n} rows on {device}");
                }
                // A filter does not keep nulls.
                for filter in [
                    col("c").and(fails.clone()),
                    fails.clone().and(col("c")),
                    col("k").eq(1).and(fails.clone()).and(col("c")),
                    (fails.clone().and(col("c"))).or(col("k").eq(2)),
                ] {
                    let what = format!("{filter}, {n} rows on {device}");
                    let found = crate::filter::filter(&made.columns, &filter, &exec);
                    let found = found.unwrap_or_else(|error| panic!("{error}: {what}"));
                    assert_eq!(found.rows(), wrong.iter().filter(|right| **right).count(), "{what}");
                    let sums = [col("k").sum().alias("x")];
                    let options = GroupOptions::default();
                    let found = aggregate(&made.columns, Some(&filter), &[col("k")], &sums, options, &exec);
                    let found = found.unwrap_or_else(|error| panic!("{error}: {what}")).rows();
                    assert_eq!(found, usize::from(wrong.contains(&true)), "{what}");
                }
            }
            if n > 30 {
                let product = || (col("d") * col("d")).ge(1);
                for expr in [
                    // Null does not decide: what is beside it would say whether the result is false.
                    col("c").and(product()),
                    product().and(!col("b")),
                    product().or(col("b")),
                    col("n").checked_mul(1 << 30).ge(0).or(product()),
                    product().and(col("s").cast(DType::Int64).ge(0)),
                ] {
                    let error = evaluate(std::slice::from_ref(&expr), &made.columns, &exec).unwrap_err();
                    assert!(is_of_values(&error), "{error}: {expr}, {n} rows on {device}");
                }
            }
        }
    }
}

/// Rows whose key is null are in no group, and their values are none of its values.
#[test]
fn values_of_rows_without_a_group_are_no_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let mut made = rows(n, &exec);
            let keys: Vec<Option<i64>> =
                made.right.iter().map(|right| right.filter(|right| *right).map(i64::from)).collect();
            made.columns.insert("key", Column::from_options(keys, &exec).unwrap()).unwrap();
            let kept = || made.right.iter().zip(&made.numbers).filter(|(right, _)| **right == Some(true));
            let sum: i64 = kept().map(|(_, number)| number).sum();
            for value in [
                col("s").cast(DType::Int64),
                col("n").cast(DType::Int8).cast(DType::Int64),
                col("l").list().get_checked(0),
                (col("n") * 2 - col("n")).checked_mul(1 << 30).floor_div(1 << 30),
            ] {
                let what = format!("{value}, {n} rows on {device}");
                for aggregates in [
                    vec![value.clone().sum().alias("x")],
                    vec![value.clone().sum().alias("x"), value.clone().median().alias("y")],
                ] {
                    let options = GroupOptions::default();
                    let found = aggregate(&made.columns, None, &[col("key")], &aggregates, options, &exec);
                    let found = found.unwrap_or_else(|error| panic!("{error}: {what}"));
                    let sums = found.get("x").unwrap().to_scalars().unwrap();
                    let expected = if kept().count() == 0 { vec![] } else { vec![Scalar::from(sum)] };
                    assert_eq!(sums, expected, "{what}");
                }
                let (mut running, mut expected) = (0, Vec::new());
                for (right, number) in made.right.iter().zip(&made.numbers) {
                    running += if *right == Some(true) { *number } else { 0 };
                    expected.push((*right == Some(true)).then_some(running));
                }
                let total = values(&value.clone().sum().over("key"), &made, &exec);
                let of_key = |right: &Option<bool>| (*right == Some(true)).then_some(sum);
                let totals: Vec<Scalar> = made
                    .right
                    .iter()
                    .map(|right| Column::from_options(vec![of_key(right)], &exec).unwrap().get(0).unwrap())
                    .collect();
                assert_eq!(total, totals, "{what}");
                let found = values(&value.clone().cum_sum().over("key"), &made, &exec);
                let expected = Column::from_options(expected, &exec).unwrap().to_scalars().unwrap();
                assert_eq!(found, expected, "{what}");
                let kinds = made.right.iter().any(|right| *right != Some(true));
                let all = GroupOptions { null_keys: NullKeys::Group };
                let sums = [value.clone().sum().alias("x")];
                let found = aggregate(&made.columns, None, &[col("key")], &sums, all, &exec);
                assert_eq!(found.err().is_some_and(|error| is_of_values(&error)), kinds, "{what}");
            }
        }
    }
}

/// Sums of the items of lists in branches that are not taken.
#[test]
fn sums_of_lists_in_branches_that_are_not_taken_are_no_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let made = rows(257, &exec);
        let most = 99_999_999_999_999_999_999_999_999_999_999_999_999_i128;
        let item = |right: &Option<bool>| if *right == Some(true) { 1 } else { most };
        let items: Vec<i128> = made.right.iter().flat_map(|right| [item(right); 2]).collect();
        let lists =
            ListColumn::from_lengths(&decimals(&items, &exec), (0..257).map(|_| Some(2)), &exec).unwrap();
        let mut columns = made.columns.clone();
        columns.insert("w", Column::List(lists)).unwrap();
        let made = Rows { columns, ..made };
        let sum = || col("w").list().sum().cast(DType::Int64);
        let expr = when(col("c")).then(sum()).otherwise(0);
        let expected =
            made.right.iter().map(|right| Scalar::from(if *right == Some(true) { 2_i64 } else { 0 }));
        assert_eq!(values(&expr, &made, &exec), expected.collect::<Vec<_>>(), "on {device}");
        let error = evaluate(&[sum()], &made.columns, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error} on {device}");
    }
}

/// Of two operands that both fail in some rows, each is excused where the other one decides, whichever comes first.
#[test]
fn operands_that_both_fail_excuse_each_other() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let texts = Column::from_values(["zz", "0", "7", "7"], &exec).unwrap();
        let numbers = Column::from_slice(&[1_i64, 1 << 62, 1, 5], &exec).unwrap();
        let columns = ColumnAccessor::from_columns([("s", texts), ("x", numbers)]).unwrap();
        let (s, x) = (|| col("s").cast(DType::Int64).gt(1), || col("x").checked_mul(4).gt(5));
        for expr in [s().and(x()), x().and(s()), !(!s()).or(!x()), (s() & x()) & s()] {
            let found = evaluate(std::slice::from_ref(&expr), &columns, &exec);
            let found = found.unwrap_or_else(|error| panic!("{error}: {expr} on {device}"));
            let expected = [false, false, false, true].map(Scalar::from);
            assert_eq!(found[0].1.to_scalars().unwrap(), expected, "{expr} on {device}");
            let kept = crate::filter::filter(&columns, &expr, &exec).unwrap();
            assert_eq!(kept.rows(), 1, "{expr} on {device}");
        }
        for expr in [s().or(x()), x().or(s())] {
            let error = evaluate(std::slice::from_ref(&expr), &columns, &exec).unwrap_err();
            assert!(is_of_values(&error), "{error}: {expr} on {device}");
        }
    }
}
