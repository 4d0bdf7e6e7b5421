//! Expressions that use a part twice at every level: as many nodes and steps as levels, and the values of a naive evaluator.

use super::lower::column_bytes;
use super::{
    Expr, Lowered, coalesce, col, columns_of, evaluate, lit, max_horizontal, min_horizontal, resolve, when,
};
use crate::groupby::{GroupOptions, aggregate};
use crate::strings::JoinNulls;
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType};
use columnade_tests::Rng;

const DEEP: usize = 40;

/// Values of a row: the operand so far, and the columns `a` and `b`.
type Naive = fn(Option<i64>, Option<i64>, Option<i64>) -> Option<i64>;

/// One level of a composition.
type Level = fn(Expr) -> Expr;

/// Functions that use their operand more than once, and what they compute.
fn functions() -> Vec<(&'static str, Level, Naive)> {
    vec![
        ("fill_null", |x| x.fill_null(col("b")), |x, _, b| x.or(b)),
        ("coalesce", |x| coalesce([col("a"), x, col("b")]), |x, a, b| a.or(x).or(b)),
        (
            "clip",
            |x| (x + 1).clip(-50, col("b")),
            |x, _, b| {
                let x = (x? + 1).max(-50);
                Some(b.map_or(x, |b| x.min(b)))
            },
        ),
        ("square", |x| (x.clone() * x) % 1009, |x, _, _| Some((x? * x?).rem_euclid(1009))),
        (
            "between",
            |x| when(x.clone().between(-20, col("b"))).then(-x.clone()).otherwise(x + 3),
            |x, _, b| {
                // Kleene's conjunction: false wins over null.
                let is_between = x.is_some_and(|x| x >= -20) && x.zip(b).is_some_and(|(x, b)| x <= b);
                if is_between { Some(-x?) } else { Some(x? + 3) }
            },
        ),
        ("sign", |x| x.clone().sign() + x, |x, _, _| Some(x?.signum() + x?)),
        ("max_horizontal", |x| max_horizontal([x - 1, col("b")]), |x, _, b| x.map(|x| x - 1).max(b)),
        (
            "eq_missing",
            |x| when(x.clone().eq_missing(col("b"))).then(lit(7)).otherwise(x),
            |x, _, b| {
                if x == b { Some(7) } else { x }
            },
        ),
    ]
}

fn nested(levels: usize, function: impl Fn(Expr) -> Expr) -> Expr {
    (0..levels).fold(col("a"), |x, _| function(x))
}

fn integers(n: usize, rng: &mut Rng) -> Vec<Option<i64>> {
    (0..n)
        .map(|_| {
            let value = i64::try_from(rng.below(200)).unwrap() - 100;
            (rng.below(4) > 0).then_some(value)
        })
        .collect()
}

fn steps(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> usize {
    let typed = resolve(expr, frame).unwrap();
    Lowered::new(&[(expr, &typed)], frame, exec).unwrap().program.steps().len()
}

#[test]
fn deep_compositions_have_linear_programs_and_the_values_of_a_naive_evaluator() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for n in [0, 1, 33, 64, 65] {
            let (a, b) = (integers(n, &mut rng), integers(n, &mut rng));
            let columns = [("a", &a), ("b", &b)];
            let columns = columns
                .map(|(label, values)| (label, Column::from_options(values.iter().copied(), &exec).unwrap()));
            let frame = ColumnAccessor::from_columns(columns).unwrap();
            for (name, function, naive) in functions() {
                let expr = nested(DEEP, function);
                let (_, column) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
                let expected: Vec<Option<i64>> =
                    a.iter().zip(&b).map(|(&a, &b)| (0..DEEP).fold(a, |x, _| naive(x, a, b))).collect();
                assert_eq!(column.to_options::<i64>().unwrap(), expected, "{name} of {n} rows on {device}");
            }
        }
    }
}

#[test]
fn programs_of_deep_compositions_have_as_many_steps_as_levels() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns(["a", "b"].map(|label| {
        let column = Column::from_options([Some(1_i64), None], &exec).unwrap();
        (label, column)
    }));
    let frame = frame.unwrap();
    for (name, function, _) in functions() {
        let [few, many, most] =
            [DEEP / 2, DEEP, 5 * DEEP].map(|levels| steps(&nested(levels, function), &frame, &exec));
        assert!(
            few <= 6 * DEEP && many <= 2 * few && most <= 10 * few,
            "{name}: {few}, {many}, {most} steps"
        );
    }
}

#[test]
fn deep_compositions_of_strings_are_computed_once_a_level() {
    let text = |row: usize, of: usize| (!row.is_multiple_of(of)).then(|| format!("é{row}"));
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let a: Vec<Option<String>> = (0..65).map(|row| text(row, 2)).collect();
        let b: Vec<Option<String>> = (0..65).map(|row| text(row, 3)).collect();
        let strings = |values: &[Option<String>]| {
            Column::from_values(values.iter().map(Option::as_deref), &exec).unwrap()
        };
        let frame = ColumnAccessor::from_columns([("a", strings(&a)), ("b", strings(&b))]).unwrap();
        let expr = nested(DEEP, |x| x.fill_null(col("b").str().upper()).fill_null(col("b")));
        let (_, column) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
        let values = column.to_device(&Exec::host()).unwrap();
        let expected = a.iter().zip(&b).map(|(a, b)| a.clone().or(b.as_ref().map(|b| b.to_uppercase())));
        assert_eq!(values.to_options::<String>().unwrap(), expected.collect::<Vec<_>>(), "{device}");
    }
}

#[test]
fn deep_row_functions_and_aggregates_are_computed_once() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values: Vec<i64> = (0..65).map(|row| row * row % 97).collect();
        let frame = ColumnAccessor::from_columns([
            ("a", Column::from_slice(&values, &exec).unwrap()),
            ("k", Column::from_slice(&[1_i32; 65], &exec).unwrap()),
        ]);
        let frame = frame.unwrap();
        let expr = nested(DEEP, |x| x.diff(1).fill_null(0));
        let (label, column) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
        let expected = (0..DEEP).fold(values.clone(), |x, _| {
            std::iter::once(0).chain(x.windows(2).map(|pair| pair[1] - pair[0])).collect()
        });
        assert_eq!(column.to_vec::<i64>().unwrap(), expected, "{device}");
        assert_eq!(label.to_string(), "a");
        // A sum that is used 2^40 times.
        let sums = nested(DEEP, |x| x.clone() - x.clone() + x);
        let of_groups = (0..DEEP).fold(col("a").sum(), |x, _| x.clone() - x.clone() + x);
        let aggregates = [sums.sum().alias("inside"), of_groups.alias("outside")];
        let groups =
            aggregate(&frame, None, &[col("k")], &aggregates, GroupOptions::default(), &exec).unwrap();
        for label in ["inside", "outside"] {
            let total = groups.get(label).unwrap().to_vec::<i64>().unwrap();
            assert_eq!(total, [values.iter().sum::<i64>()], "{label} on {device}");
        }
    }
}

#[test]
fn text_of_a_part_that_is_used_often_is_cut() {
    let host = Exec::host();
    let frame =
        ColumnAccessor::from_columns([("a", Column::from_slice(&[1_i64, -2], &host).unwrap())]).unwrap();
    let doubled = nested(DEEP, |x| x.clone() + x);
    let (label, column) = evaluate(std::slice::from_ref(&doubled), &frame, &host).unwrap().swap_remove(0);
    assert_eq!(column.to_vec::<i64>().unwrap(), [1 << DEEP, -2 << DEEP]);
    let text = label.to_string();
    assert_eq!(text.chars().count(), 1001);
    assert!(text.starts_with("(((((") && text.ends_with('…'), "{text}");
    let functions = nested(DEEP, |x| x.clone().str().concat([x], "", JoinNulls::Propagate));
    assert_eq!(functions.to_string().chars().count(), 1001);
    let error = evaluate(&[doubled.str().upper()], &frame, &host).unwrap_err();
    assert!(error.to_string().chars().count() < 1200, "{error}");
    // A text that fits is whole.
    let fits = nested(100, |x| x + 1);
    assert!(!fits.to_string().contains('…'));
}

#[test]
fn estimates_count_shared_columns_once() {
    let host = Exec::host();
    let words = Column::from_values(["tea", "oats"], &host).unwrap();
    let frame = ColumnAccessor::from_columns([("a", words)]).unwrap();
    let bytes = |exprs: &[Expr]| {
        let typed: Vec<_> = exprs.iter().map(|expr| resolve(expr, &frame).unwrap()).collect();
        column_bytes(&typed, 1000, 10)
    };
    let upper = || col("a").str().upper();
    let one = bytes(&[upper()]);
    assert!(one >= 1000, "{one}");
    assert_eq!(bytes(&[upper(), upper(), upper().is_null()]), one);
    assert_eq!(bytes(&[col("a").is_null()]), 0);
    // A level adds a column, and no more.
    let levels = |levels| bytes(&[nested(levels, |x| x.fill_null(upper()))]);
    assert_eq!(levels(DEEP) - levels(DEEP - 1), levels(2) - levels(1));
    let numbers = nested(DEEP, |x| x.clone().cast(DType::Utf8).fill_null(x));
    assert!(bytes(&[numbers]) < usize::MAX / 2);
}

/// Expressions of so many levels, one of each kind that is rewritten before it is evaluated.
fn deep(levels: usize) -> Vec<Expr> {
    vec![
        nested(levels, |x| x + 1),
        nested(levels, |x| x.fill_null(0).abs()),
        nested(levels, |x| x.alias("x")),
        nested(levels, |x| x.cast(DType::Int64)),
        nested(levels, |x| x.sum() + 1),
        nested(levels, |x| x + 1) + col("a").sum(),
        (nested(levels, |x| x + 1)).cum_sum(),
        (nested(levels, |x| x + 1)).over("a"),
    ]
}

#[test]
fn deep_expressions_are_evaluated_or_refused_without_a_deep_stack() {
    let host = Exec::host();
    let frame = ColumnAccessor::from_columns([("a", Column::from_slice(&[1_i64, 2], &host).unwrap())]);
    let frame = frame.unwrap();
    for expr in deep(100_000) {
        let error = evaluate(std::slice::from_ref(&expr), &frame, &host).unwrap_err().to_string();
        assert!(error.contains("levels, more than"), "{error}");
        let error = evaluate(&[expr.clone().lt(3)], &frame, &host).unwrap_err().to_string();
        assert!(error.contains("levels, more than"), "{error}");
        let of_groups = aggregate(&frame, None, &[col("a")], &[expr.sum()], GroupOptions::default(), &host);
        assert!(of_groups.unwrap_err().to_string().contains("levels, more than"));
    }
    let error = evaluate(&[nested(200, |x| x.sum() + 1)], &frame, &host).unwrap_err().to_string();
    assert!(error.contains("within each other, more than"), "{error}");
    for expr in deep(60).into_iter().chain(deep(2000).into_iter().take(4)) {
        assert!(expr.label().to_string().chars().count() < 1010);
        evaluate(std::slice::from_ref(&expr), &frame, &host).unwrap();
        assert!(columns_of([&expr]).contains(&"a".into()));
    }
    let shared = nested(100_000, |x| x.clone() * x);
    let other = shared.clone();
    drop(shared);
    assert_eq!(columns_of([&other]), ["a"]);
}

/// A random expression of floats, and its value in each row.
fn of_floats(depth: usize, columns: &[(&str, Vec<f64>)], rng: &mut Rng) -> (Expr, Vec<f64>) {
    let rows = columns[0].1.len();
    if depth == 0 || rng.below(6) == 0 {
        let index = usize::try_from(rng.below(columns.len() as u64)).unwrap();
        let value = [0.0, -0.0, 1.0, -1.0][usize::try_from(rng.below(4)).unwrap()];
        return match rng.below(2) {
            0 => (col(columns[index].0), columns[index].1.clone()),
            _ => (lit(value), vec![value; rows]),
        };
    }
    let (left, a) = of_floats(depth - 1, columns, rng);
    let one = |function: fn(f64) -> f64| a.iter().map(|&a| function(a)).collect();
    match rng.below(7) {
        0 => return (-left, one(|a| -a)),
        1 => return (left.abs(), one(f64::abs)),
        _ => {}
    }
    let (right, b) = of_floats(depth - 1, columns, rng);
    let two = |function: fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&a, &b)| function(a, b)).collect();
    match rng.below(4) {
        0 => (left + right, two(|a, b| a + b)),
        1 => (left - right, two(|a, b| a - b)),
        2 => (left * right, two(|a, b| a * b)),
        _ => (left / right, two(|a, b| a / b)),
    }
}

/// Steps that several expressions of one call share are those with the same constants, signs of zeros included.
#[test]
fn expressions_of_one_call_share_no_step_of_another_zero() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(14);
        let x = vec![0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300];
        let y = vec![-0.0, 1.0, -0.0, 0.0, 0.0, -1.0, 2.0, f64::NAN];
        let columns = [("x", x), ("y", y)];
        let frame =
            columns.each_ref().map(|(label, values)| (*label, Column::from_slice(values, &exec).unwrap()));
        let frame = ColumnAccessor::from_columns(frame).unwrap();
        for round in 0..200 {
            let made: Vec<(Expr, Vec<f64>)> = (0..4).map(|_| of_floats(3, &columns, &mut rng)).collect();
            // Of a literal alone there is one row.
            let exprs: Vec<Expr> = made.iter().map(|(expr, _)| expr.clone() * col("y")).collect();
            let found = evaluate(&exprs, &frame, &exec).unwrap();
            for ((expr, (_, values)), (_, column)) in exprs.iter().zip(&made).zip(&found) {
                let bits = |value: f64| if value.is_nan() { None } else { Some(value.to_bits()) };
                let expected: Vec<_> = values.iter().zip(&columns[1].1).map(|(a, y)| bits(a * y)).collect();
                let found: Vec<_> = column.to_vec::<f64>().unwrap().into_iter().map(bits).collect();
                assert_eq!(found, expected, "{expr} in call {round} on {device}");
            }
        }
    }
}

/// Columns that may fail are computed under the conditions of their branches, which are made of such columns again: each once,
/// however many conditions share it.
#[test]
fn columns_under_nested_conditions_are_computed_once() {
    let exec = Exec::host();
    let texts = Column::from_options([Some("1.5"), None, Some("-2")], &exec).unwrap();
    let frame = ColumnAccessor::from_columns([("s", texts)]).unwrap();
    let number = || col("s").cast(DType::Float64);
    let level = |x: Expr| max_horizontal([x.abs(), number()]);
    for levels in [1, 2, 3, 6] {
        let expr = (0..levels).fold(number(), |x, _| level(x));
        let found = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1;
        assert_eq!(found.to_options::<f64>().unwrap(), [Some(1.5), None, Some(2.0)], "{levels}");
    }
    let filled = (0..6).fold(number(), |x, _| coalesce([x + 1, number()]));
    let found = evaluate(&[filled], &frame, &exec).unwrap().swap_remove(0).1;
    assert_eq!(found.to_options::<f64>().unwrap(), [Some(7.5), None, Some(4.0)]);
    let texts = |values: [&str; 3]| Column::from_values(values, &exec).unwrap();
    let three = [("s", ["1", "7", "3"]), ("u", ["2", "2", "2"]), ("v", ["5", "0.5", "-4"])];
    let frame = ColumnAccessor::from_columns(three.map(|(label, values)| (label, texts(values)))).unwrap();
    let f = |label: &str| col(label).cast(DType::Float64);
    let clipped = (0..4).fold(f("s"), |x, at| x.clip(f("u") - f64::from(at), 5.0 + f64::from(at)));
    for (expr, expected) in [
        (max_horizontal([f("s"), f("u"), f("v"), lit(1.0)]), [5.0, 7.0, 3.0]),
        (min_horizontal([f("s"), f("u"), f("v"), lit(1.0)]), [1.0, 0.5, -4.0]),
        (min_horizontal([f("u"), f("v")]).clip(0, 4), [2.0, 0.5, 0.0]),
        (clipped, [2.0, 5.0, 3.0]),
        (max_horizontal([f("s"), f("u"), f("v"), f("s") + f("u"), f("v") * f("u")]), [10.0, 9.0, 5.0]),
    ] {
        let found = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0).1;
        assert_eq!(found.to_options::<f64>().unwrap(), expected.map(Some), "{expr}");
    }
}
