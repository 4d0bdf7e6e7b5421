//! Single operations over ten million rows: median time, bytes that had to move, and the share of the copy speed.
//!
//! `cargo bench -p columnade-benches --bench micro [-- ROWS] [--json FILE]`; `COLUMNADE_DEVICE` chooses the device. Run as a test
//! (`cargo test --benches`) it takes few rows and only checks that every operation runs.

#![allow(missing_docs, reason = "a program")]

use columnade_benches::{Figure, arguments, is_measured, publish};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{Column, ColumnAccessor, ListColumn, Result};
use columnade_ops::expression::{Expr, col, evaluate, evaluate_mask, len, lit};
use columnade_ops::groupby::{GroupOptions, aggregate};
use columnade_ops::lists::explode;
use columnade_tests::Rng;
use std::time::Instant;

/// Rows of a run as a test: every operation once, nothing timed.
const FEW_ROWS: usize = 5_000;
const ROWS: usize = 10_000_000;
const RUNS: usize = 9;

/// One operation: its name, the bytes it has to move, and a run of it.
struct Case<'a> {
    name: &'static str,
    bytes: usize,
    run: Box<dyn Fn() -> Result<()> + 'a>,
}

fn case<'a, T>(name: &'static str, bytes: usize, run: impl Fn() -> Result<T> + 'a) -> Case<'a> {
    Case { name, bytes, run: Box::new(move || run().map(drop)) }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let measured = is_measured();
    let asked = arguments().iter().find_map(|argument| argument.parse().ok());
    let rows = asked.unwrap_or(if measured { ROWS } else { FEW_ROWS });
    let exec = Exec::new(Device::default_device()?)?;
    let frame = frame(rows, &exec)?;
    let predicate = col("dense").lt(50);
    let mask = evaluate_mask(&predicate, &frame, &exec)?;
    let product: [Expr; 1] = [(col("a") * (lit(1.0) - col("b")) + col("a")).alias("x")];
    let sums = [col("a").sum(), len()];
    let group = |key: &'static str| {
        let (frame, sums, exec) = (&frame, &sums, &exec);
        move || aggregate(frame, None, &[col(key)], sums, GroupOptions::default(), exec)
    };
    let bytes = Buffer::zeroed(rows * 8, &exec)?;
    let cases = [
        case("copy", rows * 16, || Ok(bytes.copy_to(&exec)?)),
        case("expression a * (1 - b) + a", rows * 24, || evaluate(&product, &frame, &exec)),
        case("filter, half of three columns", rows * 36, || {
            columnade_ops::filter::apply_mask(&frame.select(["a", "b", "few"])?, &mask, &exec)
        }),
        case("sum over a filter", rows * 12, || {
            aggregate(&frame, Some(&predicate), &[], &[col("a").sum()], GroupOptions::default(), &exec)
        }),
        case("group-by, 100 groups", rows * 12, group("few")),
        case("group-by, 100 thousand groups", rows * 12, group("many")),
    ];
    let lists = lists(rows, &exec)?;
    let functions = [
        ("list sum", col("l").list().sum()),
        ("list length", col("l").list().len()),
        ("list sort", col("l").list().sort()),
    ];
    let functions = functions.map(|(name, expr)| {
        let (lists, exec) = (&lists, &exec);
        case(name, rows * 8 + rows * 2, move || evaluate(std::slice::from_ref(&expr), lists, exec))
    });
    let explosion = case("explode of lists of four", rows * 16, || explode(&lists, ["l"], &exec));
    let cases: Vec<Case<'_>> = cases.into_iter().chain(functions).chain([explosion]).collect();
    let mut figures = Vec::new();
    let mut copy_speed = None;
    for case in &cases {
        let seconds = median(case, if measured { RUNS } else { 1 }, &exec)?;
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        let speed = case.bytes as f64 / seconds / 1e9;
        let copy = *copy_speed.get_or_insert(speed);
        for (value, unit) in [(seconds * 1e3, "ms"), (speed, "GB/s"), (100.0 * speed / copy, "% of copy")] {
            let name = format!("{}: {}, {rows} rows", exec.device(), case.name);
            figures.push(Figure { name, value, unit, target: "" });
        }
    }
    Ok(publish(&figures, None)?)
}

/// Seeded columns: two floats, and keys of few and of many values.
fn frame(rows: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let mut rng = Rng::new(1);
    let a: Vec<f64> = (0..rows).map(|_| rng.unit()).collect();
    let b: Vec<f64> = (0..rows).map(|_| rng.unit()).collect();
    let mut below =
        |bound| -> Vec<i32> { (0..rows).map(|_| i32::try_from(rng.below(bound)).unwrap_or(0)).collect() };
    ColumnAccessor::from_columns([
        ("few", Column::from_slice(&below(100), exec)?),
        ("many", Column::from_slice(&below(100_000), exec)?),
        ("dense", Column::from_slice(&below(100), exec)?),
        ("a", Column::from_slice(&a, exec)?),
        ("b", Column::from_slice(&b, exec)?),
    ])
}

/// Lists of no to eight integers, `rows` of these in all, and the numbers of the lists.
fn lists(rows: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let mut rng = Rng::new(2);
    let items: Vec<i64> = (0..rows).map(|_| i64::try_from(rng.below(1_000)).unwrap_or(0)).collect();
    let mut lengths = Vec::with_capacity(rows / 4 + 1);
    let mut left = rows;
    while left > 0 {
        let length = usize::try_from(rng.below(9)).unwrap_or(0).min(left);
        lengths.push(Some(length));
        left -= length;
    }
    let numbers: Vec<i64> = (0..).take(lengths.len()).collect();
    let lists = ListColumn::from_lengths(&Column::from_slice(&items, exec)?, lengths, exec)?;
    ColumnAccessor::from_columns([("l", Column::List(lists)), ("n", Column::from_slice(&numbers, exec)?)])
}

/// The median of the runs, in seconds, after one that is not counted.
fn median(case: &Case<'_>, runs: usize, exec: &Exec) -> Result<f64> {
    (case.run)()?;
    let mut seconds = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        (case.run)()?;
        exec.synchronize()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[runs / 2])
}
