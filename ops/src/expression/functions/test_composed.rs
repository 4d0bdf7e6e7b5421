//! Functions that are made of others, on every device, against naive versions.

use crate::expression::{
    Expr, all_horizontal, any_horizontal, col, evaluate, lit, mean_horizontal, sum_horizontal,
};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind};

const SIZES: [usize; 6] = [0, 1, 31, 33, 64, 257];

fn texts(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Vec<String> {
    let (_, column) = evaluate(std::slice::from_ref(expr), frame, exec).unwrap().swap_remove(0);
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

fn shown<T: ToString>(values: impl Iterator<Item = Option<T>>) -> Vec<String> {
    values.map(|value| value.map_or("<NA>".to_owned(), |value| value.to_string())).collect()
}

fn number(row: usize, column: usize) -> Option<i64> {
    let value = i64::try_from((row * 7 + column * 3) % 11).unwrap() - 5;
    ((row + column) % 4 != 1 && row % 9 != 8).then_some(value)
}

fn truth(row: usize, column: usize) -> Option<bool> {
    number(row, column).map(|value| value % 3 != 0)
}

#[test]
fn aggregates_of_rows_are_those_of_naive_versions() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let columns = (0..4).flat_map(|at| {
                let numbers = Column::from_options((0..=n).map(|row| number(row, at)), &exec).unwrap();
                let truths = Column::from_options((0..=n).map(|row| truth(row, at)), &exec).unwrap();
                [
                    (format!("n{at}"), numbers.slice(1, n).unwrap()),
                    (format!("t{at}"), truths.slice(1, n).unwrap()),
                ]
            });
            let frame = ColumnAccessor::from_columns(columns).unwrap();
            let of = |kind: &str| (0..4).map(|at| col(format!("{kind}{at}"))).collect::<Vec<_>>();
            let numbers = |row: usize| (0..4).filter_map(move |at| number(row, at));
            let truths = |row: usize| (0..4).map(move |at| truth(row, at));
            let rows = || 1..=n;
            let sums = shown(rows().map(|row| Some(numbers(row).sum::<i64>())));
            assert_eq!(texts(&sum_horizontal(of("n")), &frame, &exec), sums, "{n} rows on {device}");
            let mean = |row: usize| {
                let count = u32::try_from(numbers(row).count()).unwrap();
                let sum = i32::try_from(numbers(row).sum::<i64>()).unwrap();
                (count > 0).then(|| format!("{:?}", f64::from(sum) / f64::from(count)))
            };
            let means = shown(rows().map(mean));
            assert_eq!(texts(&mean_horizontal(of("n")), &frame, &exec), means, "{n} rows on {device}");
            let all = |row: usize| match (
                truths(row).any(|one| one == Some(false)),
                truths(row).all(|one| one.is_some()),
            ) {
                (true, _) => Some(false),
                (false, is_known) => is_known.then_some(true),
            };
            assert_eq!(texts(&all_horizontal(of("t")), &frame, &exec), shown(rows().map(all)), "{device}");
            let any = |row: usize| match (
                truths(row).any(|one| one == Some(true)),
                truths(row).all(|one| one.is_some()),
            ) {
                (true, _) => Some(true),
                (false, is_known) => is_known.then_some(false),
            };
            assert_eq!(texts(&any_horizontal(of("t")), &frame, &exec), shown(rows().map(any)), "{device}");
        }
    }
    assert_eq!(sum_horizontal([col("a"), col("b")]).label(), "a");
    assert_eq!(mean_horizontal([col("b"), col("a")]).label(), "b");
}

#[test]
fn thousands_of_columns_are_few_levels_and_no_columns_are_a_constant() {
    let exec = Exec::host();
    let one = Column::from_values([1_i64, 2], &exec).unwrap();
    let frame = ColumnAccessor::from_columns((0..6001).map(|at| (format!("c{at}"), one.clone()))).unwrap();
    let all = || (0..6001).map(|at| col(format!("c{at}")));
    assert_eq!(texts(&sum_horizontal(all()), &frame, &exec), ["6001", "12002"]);
    assert_eq!(texts(&mean_horizontal(all()), &frame, &exec), ["1.0", "2.0"]);
    assert_eq!(texts(&any_horizontal(all().map(|one| one.gt(1))), &frame, &exec), ["false", "true"]);
    let none = Vec::<Expr>::new;
    let shown = |expr: Expr| texts(&expr, &frame, &exec);
    assert_eq!(shown(all_horizontal(none())), ["true", "true"]);
    assert_eq!(shown(any_horizontal(none())), ["false", "false"]);
    assert_eq!(shown(sum_horizontal(none())), ["<NA>", "<NA>"]);
    // Numbers are true unless they are 0, whatever bits they share.
    assert_eq!(shown(any_horizontal([col("c0") - 1, (col("c0") - 1) * 2.5])), ["false", "true"]);
    assert_eq!(shown(all_horizontal([col("c0"), col("c0") * 2])), ["true", "true"]);
    let refused = evaluate(&[all_horizontal([lit("x"), col("c0")])], &frame, &exec).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Type | ErrorKind::Value), "{refused}");
}

#[test]
fn rows_with_the_same_value_are_found() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let value = |row: usize| {
                [Some(0.0), None, Some(f64::NAN), Some(-0.0), Some(7.5), Some(8.5)][row * row % 6]
            };
            let values: Vec<Option<f64>> = (0..=n).map(value).collect();
            let words: Vec<Option<String>> =
                values.iter().map(|value| value.map(|value| format!("é{}", value.abs()))).collect();
            let frame = ColumnAccessor::from_columns([
                ("x", Column::from_options(values.clone(), &exec).unwrap().slice(1, n).unwrap()),
                (
                    "s",
                    Column::from_options(words.iter().map(Option::as_deref), &exec)
                        .unwrap()
                        .slice(1, n)
                        .unwrap(),
                ),
            ])
            .unwrap();
            // Zeros of both signs are equal.
            let key = |row: usize| words[row].clone();
            let count = |row: usize| (1..=n).filter(|other| key(*other) == key(row)).count();
            let before = |row: usize| (1..row).any(|other| key(other) == key(row));
            let after = |row: usize| (row + 1..=n).any(|other| key(other) == key(row));
            for label in ["x", "s"] {
                let check = |expr: Expr, holds: &dyn Fn(usize) -> bool| {
                    assert_eq!(expr.label(), label);
                    let expected = shown((1..=n).map(|row| Some(holds(row))));
                    assert_eq!(texts(&expr, &frame, &exec), expected, "{expr}, {n} rows on {device}");
                };
                check(col(label).is_duplicated(), &|row| count(row) > 1);
                check(col(label).is_unique(), &|row| count(row) == 1);
                check(col(label).is_first_distinct(), &|row| !before(row));
                check(col(label).is_last_distinct(), &|row| !after(row));
            }
        }
    }
}

#[test]
fn close_numbers_are_those_of_the_definition() {
    let values = [0.0, -0.0, 1.0, 1.0 + 1e-9, 1.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, -1.0];
    let pairs: Vec<(f64, f64)> = values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))).collect();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("a", Column::from_values(pairs.iter().map(|pair| pair.0), &exec).unwrap()),
            ("b", Column::from_values(pairs.iter().map(|pair| pair.1), &exec).unwrap()),
        ])
        .unwrap();
        for (absolute, relative) in [(0.0_f64, 1e-8_f64), (0.2, 0.0), (0.0, 0.0)] {
            let is_close = |(a, b): &(f64, f64)| {
                let near = (a - b).abs() <= absolute.max(relative * a.abs().max(b.abs()));
                Some(
                    a.partial_cmp(b) == Some(std::cmp::Ordering::Equal)
                        || a.is_finite() && b.is_finite() && near,
                )
            };
            let found = texts(&col("a").is_close(col("b"), absolute, relative), &frame, &exec);
            assert_eq!(found, shown(pairs.iter().map(is_close)), "{device}");
        }
    }
    let exec = Exec::host();
    let angle = Column::from_values([90.0_f32], &exec).unwrap();
    let frame = ColumnAccessor::from_columns([("x", angle)]).unwrap();
    let made = evaluate(&[col("x").radians()], &frame, &exec).unwrap().swap_remove(0);
    assert_eq!((made.0.to_string(), made.1.dtype()), ("x".to_owned(), DType::Float32));
    assert!(texts(&col("x").radians(), &frame, &exec)[0].starts_with("1.57079"));
}
