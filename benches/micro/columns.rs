//! Operations of columns: expressions, filters, aggregates and lists.

use crate::{Case, case};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, ColumnAccessor, ListColumn, Result};
use columnade_ops::copying::take;
use columnade_ops::expression::{Expr, col, evaluate, evaluate_mask, len, lit};
use columnade_ops::groupby::{GroupOptions, aggregate};
use columnade_ops::lists::explode;
use columnade_tests::Rng;

pub(crate) struct Data {
    rows: usize,
    bytes: Buffer,
    frame: ColumnAccessor,
    lists: ColumnAccessor,
    mask: Column,
    exec: Exec,
}

impl Data {
    pub(crate) fn new(rows: usize, exec: &Exec) -> Result<Self> {
        let frame = frame(rows, exec)?;
        let mask = evaluate_mask(&col("dense").lt(50), &frame, exec)?;
        let (bytes, lists) = (Buffer::zeroed(rows * 8, exec)?, lists(rows, exec)?);
        Ok(Self { rows, bytes, frame, lists, mask, exec: exec.clone() })
    }

    pub(crate) fn cases(&self) -> Vec<Case<'_>> {
        let Self { rows, bytes, frame, lists, mask, exec } = self;
        let group = |key: &'static str| {
            move || {
                let aggregates = [col("a").sum(), len()];
                aggregate(frame, None, &[col(key)], &aggregates, GroupOptions::default(), exec)
            }
        };
        let mut cases = vec![
            // The first one: its speed is that of a copy.
            case("copy", rows * 16, || bytes.copy_to(exec)),
            case("expression a * (1 - b) + a", rows * 24, || {
                evaluate(&[(col("a") * (lit(1.0) - col("b")) + col("a")).alias("x")], frame, exec)
            }),
            case("filter, half of three columns", rows * 36, || {
                columnade_ops::filter::apply_mask(&frame.select(["a", "b", "few"])?, mask, exec)
            }),
            case("sum over a filter", rows * 12, || {
                let predicate = col("dense").lt(50);
                aggregate(frame, Some(&predicate), &[], &[col("a").sum()], GroupOptions::default(), exec)
            }),
            case("group-by, 100 groups", rows * 12, group("few")),
            case("group-by, 100 thousand groups", rows * 12, group("many")),
        ];
        let functions: [(&str, Expr); 3] = [
            ("list sum", col("l").list().sum()),
            ("list length", col("l").list().len()),
            ("list sort", col("l").list().sort()),
        ];
        cases.extend(functions.map(|(name, expr)| {
            case(name, rows * 8 + rows * 2, move || evaluate(std::slice::from_ref(&expr), lists, exec))
        }));
        let taken = rows / 10;
        cases.push(case("take at random", rows * (8 + 16), || take(frame.get("a")?, frame.get("at")?, exec)));
        cases.push(case("take a tenth in order", taken * 24, move || {
            take(frame.get("a")?, &frame.get("in order")?.slice(0, taken)?, exec)
        }));
        cases.push(case("explode of lists of four", rows * 16, || explode(lists, ["l"], exec)));
        cases
    }
}

/// Seeded columns: two floats, keys of few and of many values, and row numbers at random and with a step of ten.
fn frame(rows: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let mut rng = Rng::new(1);
    let a: Vec<f64> = (0..rows).map(|_| rng.unit()).collect();
    let b: Vec<f64> = (0..rows).map(|_| rng.unit()).collect();
    let mut below =
        |bound| -> Vec<i32> { (0..rows).map(|_| i32::try_from(rng.below(bound)).unwrap_or(0)).collect() };
    let (few, many, dense) = (below(100), below(100_000), below(100));
    let count = rows as u64;
    let at: Vec<i64> = (0..rows).map(|_| rng.below(count).cast_signed()).collect();
    let in_order: Vec<i64> = (0..count).map(|at| (at * 10 % count.max(1)).cast_signed()).collect();
    ColumnAccessor::from_columns([
        ("few", Column::from_slice(&few, exec)?),
        ("many", Column::from_slice(&many, exec)?),
        ("dense", Column::from_slice(&dense, exec)?),
        ("at", Column::from_slice(&at, exec)?),
        ("in order", Column::from_slice(&in_order, exec)?),
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
