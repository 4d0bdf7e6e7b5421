//! Aggregates of all rows, without groups, where the rows do not fit: in passes over chunks of them.

use super::GroupOptions;
use super::grouped_query::GroupedQuery;
use super::plan::{aggregate_label, gives_positions};
use super::statistics::moments::{correlation, error_of_mean, kurtosis, skewness, variance};
use super::statistics::order::quantile_of_sorted;
use super::{Query, aggregate};
use crate::expression::condition::{null_unless, split};
use crate::expression::shared::Alike;
use crate::expression::{
    Aggregation, Expr, Interpolation, Node, Statistic, col, columns_of, evaluate, len, lit, resolve,
};
use crate::filter::filter;
use crate::out_of_core::{Driver, run_chunks};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result, Scalar};

/// How an aggregate of all rows is made of chunks.
enum Way {
    /// From running states, as this aggregate.
    Running(Expr),
    /// From the sums of powers of the deviations, after the means.
    Moments,
    /// From those of the chunks, as one of them.
    OfChunks,
    /// From the distinct values.
    Distinct,
    /// From the sorted values.
    Sorted(f64, Interpolation),
    /// All rows are needed at a time.
    Rows,
}

impl Way {
    fn of(aggregate: &Expr, rows: &ColumnAccessor) -> Result<Self> {
        let values = split(aggregate).0;
        let are_numbers = |arguments: &[&Expr]| -> Result<bool> {
            let mut dtypes = arguments.iter().map(|argument| resolve(argument, rows));
            dtypes.try_fold(true, |are, typed| Ok(are && typed?.dtype.is_numeric()))
        };
        if let Node::Aggregate(aggregation, argument) = values.node() {
            return Ok(if are_numbers(&[argument])? {
                Way::Running(aggregate.clone())
            } else if matches!(aggregation, Aggregation::Min | Aggregation::Max) {
                Way::OfChunks
            } else if *aggregation == Aggregation::Count {
                Way::Running(null_unless(self::argument(aggregate, 0)?.is_not_null(), lit(true)).count())
            } else {
                Way::Rows
            });
        }
        let Node::Statistic(statistic, _) = values.node() else {
            let is_len = matches!(values.node(), Node::Len);
            return Ok(if is_len { Way::Running(aggregate.clone()) } else { Way::Rows });
        };
        Ok(match statistic {
            Statistic::Var { .. }
            | Statistic::Std { .. }
            | Statistic::Sem { .. }
            | Statistic::Skew
            | Statistic::Kurt
            | Statistic::Cov { .. }
            | Statistic::Corr
                if are_numbers(&values.children())? =>
            {
                Way::Moments
            }
            Statistic::Any
            | Statistic::All
            | Statistic::First
            | Statistic::Last
            | Statistic::ArgMin
            | Statistic::ArgMax => Way::OfChunks,
            Statistic::NUnique | Statistic::Mode => Way::Distinct,
            Statistic::Quantile { q, interpolation } => Way::Sorted(*q, *interpolation),
            Statistic::Var { .. }
            | Statistic::Std { .. }
            | Statistic::Sem { .. }
            | Statistic::Skew
            | Statistic::Kurt
            | Statistic::Cov { .. }
            | Statistic::Corr
            | Statistic::Kendall
            | Statistic::Quantiles { .. }
            | Statistic::Histogram { .. }
            | Statistic::Product
            | Statistic::Nth(_)
            | Statistic::Collect
            | Statistic::CollectUnique
            | Statistic::TopK(_)
            | Statistic::BottomK(_) => Way::Rows,
        })
    }
}

/// The aggregates of `query`, which has no keys, in one row under their labels by position; `None` where the rows fit.
pub(super) fn aggregate_whole(
    query: &GroupedQuery<'_>,
    rows: &ColumnAccessor,
    driver: Driver<'_>,
) -> Result<Option<ColumnAccessor>> {
    if driver.budget().is_none() || query.plan(rows, driver)?.len() >= rows.rows() {
        return Ok(None);
    }
    let filtered = query.rows_where.map(|predicate| filter(rows, predicate, driver.exec)).transpose()?;
    let mut whole = Whole {
        query,
        rows: filtered.as_ref().unwrap_or(rows),
        driver,
        alike: Alike::default(),
        sorted: Vec::new(),
        results: vec![None; query.aggregates.len()],
    };
    whole.run()?;
    let mut result = ColumnAccessor::with_rows(1);
    for (position, column) in whole.results.into_iter().enumerate() {
        let column = column.ok_or(Error::Internal { invariant: "each aggregate has a result" })?;
        result.insert(aggregate_label(position), column)?;
    }
    Ok(Some(result))
}

struct Whole<'a> {
    query: &'a GroupedQuery<'a>,
    /// Those that take part.
    rows: &'a ColumnAccessor,
    driver: Driver<'a>,
    alike: Alike,
    /// Values that have been sorted, by the number of their expression, and how many there are.
    sorted: Vec<(usize, Column, usize)>,
    results: Vec<Option<Column>>,
}

/// An argument of an aggregate, null where its condition does not hold.
fn argument(expr: &Expr, at: usize) -> Result<Expr> {
    let (values, condition) = split(expr);
    let argument = values.children().get(at).map(|&argument| argument.clone());
    let argument = argument.ok_or(Error::Internal { invariant: "a statistic has its arguments" })?;
    Ok(match condition {
        Some(condition) => null_unless(condition, argument),
        None => argument,
    })
}

/// An aggregate of another column.
fn of_column(aggregate: &Expr, column: &Expr) -> Expr {
    aggregate.with_children(vec![column.clone()])
}

/// The values whose position an aggregate gives.
fn positioned(expr: &Expr) -> Result<Option<Expr>> {
    if gives_positions(&split(expr).0) { argument(expr, 0).map(Some) } else { Ok(None) }
}

fn value_label(position: usize) -> String {
    format!("value {position}")
}

/// The row of a chunk that has a number; numbers ascend.
fn row_of(chunk: &ColumnAccessor, numbers: Option<&Label>, number: i64) -> Result<usize> {
    let missing = Error::Internal { invariant: "positions are numbers of rows" };
    let Some(numbers) = numbers else { return Err(missing) };
    let numbers = chunk.get(numbers)?;
    let (mut first, mut end) = (0, chunk.rows());
    while end - first > 1 {
        let middle = first + (end - first) / 2;
        let is_before = matches!(numbers.get(middle)?, Scalar::Int64(found) if found <= number);
        if is_before { first = middle } else { end = middle }
    }
    if first < end { Ok(first) } else { Err(missing) }
}

/// The sums that a moment is made of.
struct Moments {
    statistic: Statistic,
    /// The values as `float64`; of two columns, where both are valid.
    values: Vec<Expr>,
}

/// Sums of the products of deviations, by the positions of their factors.
const SQUARES: (&str, &[usize]) = ("m2", &[0, 0]);
const CUBES: (&str, &[usize]) = ("m3", &[0, 0, 0]);
const FOURTH_POWERS: (&str, &[usize]) = ("m4", &[0, 0, 0, 0]);
const PRODUCTS: [(&str, &[usize]); 3] = [("xx", &[0, 0]), ("yy", &[1, 1]), ("xy", &[0, 1])];

impl Moments {
    fn of(expr: &Expr) -> Result<Self> {
        let values = split(expr).0;
        let Node::Statistic(statistic, arguments) = values.node() else {
            return Err(Error::Internal { invariant: "moments are statistics" });
        };
        let floats = (0..arguments.len()).map(|at| Ok(argument(expr, at)?.cast(DType::Float64)));
        let floats = floats.collect::<Result<Vec<_>>>()?;
        let values = if let [x, y] = floats.as_slice() {
            vec![
                null_unless(y.clone().is_not_null(), x.clone()),
                null_unless(x.clone().is_not_null(), y.clone()),
            ]
        } else {
            floats
        };
        Ok(Self { statistic: statistic.clone(), values })
    }

    /// Whether equal values have no deviation, though their mean may be rounded.
    fn is_exact(&self) -> bool {
        self.values.len() > 1
    }

    /// The aggregates of the first pass.
    fn first(&self, number: usize) -> Vec<Expr> {
        let label = |of: &str, at: usize| format!("{of} {number} {at}");
        let of_values = self.values.iter().enumerate().flat_map(|(at, x)| {
            [
                x.clone().count().alias(label("n", at)),
                x.clone().mean().alias(label("mean", at)),
                x.clone().min().alias(label("low", at)),
                x.clone().max().alias(label("high", at)),
            ]
        });
        of_values.collect()
    }

    /// The deviations, given the results of the first pass.
    fn deviations(&self, number: usize, first: &ColumnAccessor) -> Result<Vec<Expr>> {
        let found = |of: &str, at: usize| first.get(format!("{of} {number} {at}"))?.get(0);
        let deviation = |(at, x): (usize, &Expr)| {
            let (low, high) = (found("low", at)?, found("high", at)?);
            let center = if self.is_exact() && low == high { low } else { found("mean", at)? };
            // Without values there is no deviation.
            let center = if let Scalar::Float64(center) = center { center } else { 0.0 };
            Ok(x.clone() - lit(center))
        };
        self.values.iter().enumerate().map(deviation).collect()
    }

    /// The sums of the second pass: their names, and the factors of the products.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other statistics are no moments")]
    fn products(&self) -> Vec<(&'static str, &'static [usize])> {
        match self.statistic {
            Statistic::Skew => vec![SQUARES, CUBES],
            Statistic::Kurt => vec![SQUARES, FOURTH_POWERS],
            Statistic::Cov { .. } => vec![("m2", &[0, 1])],
            Statistic::Corr => PRODUCTS.to_vec(),
            _ => vec![SQUARES],
        }
    }

    /// The aggregates of the second pass.
    fn second(&self, number: usize, first: &ColumnAccessor) -> Result<Vec<Expr>> {
        let deviations = self.deviations(number, first)?;
        let sum = |(name, factors): (&str, &[usize])| {
            let factors = factors.iter().filter_map(|&at| deviations.get(at).cloned());
            let product = factors.reduce(|a, b| a * b).unwrap_or_else(|| lit(0.0));
            product.sum().alias(format!("{name} {number}"))
        };
        Ok(self.products().into_iter().map(sum).collect())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other statistics are no moments")]
    fn result(
        &self,
        number: usize,
        first: &ColumnAccessor,
        second: &ColumnAccessor,
        driver: Driver<'_>,
    ) -> Result<Column> {
        let mut sums = ColumnAccessor::with_rows(1);
        for name in ["n", "low", "high"] {
            sums.insert(name, first.get(format!("{name} {number} 0"))?.clone())?;
        }
        for (name, _) in self.products() {
            sums.insert(name, second.get(format!("{name} {number}"))?.clone())?;
        }
        let result = match self.statistic {
            Statistic::Std { ddof } => variance(ddof).sqrt(),
            Statistic::Sem { ddof } => error_of_mean(ddof).sqrt(),
            Statistic::Skew => skewness(),
            Statistic::Kurt => kurtosis(),
            Statistic::Corr => correlation(),
            Statistic::Var { ddof } | Statistic::Cov { ddof } => variance(ddof),
            _ => return Err(Error::Internal { invariant: "moments are statistics" }),
        };
        Ok(evaluate(&[result], &sums, driver.exec)?.swap_remove(0).1)
    }
}

/// An aggregate at its position.
type Placed = (usize, Expr);

impl Whole<'_> {
    fn run(&mut self) -> Result<()> {
        let (mut running, mut moments, mut of_chunks, mut others) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (position, expr) in self.query.aggregates.iter().enumerate() {
            let placed = (position, expr.clone());
            let found = match Way::of(expr, self.rows)? {
                Way::Running(expr) => {
                    running.push((position, expr));
                    continue;
                }
                Way::Moments => {
                    moments.push(placed);
                    continue;
                }
                Way::OfChunks => {
                    of_chunks.push(placed);
                    continue;
                }
                Way::Rows => {
                    others.push(placed);
                    continue;
                }
                Way::Distinct => self.of_distinct(expr),
                Way::Sorted(q, interpolation) => self.of_sorted(expr, q, interpolation),
            };
            self.results[position] = Some(found.map_err(|error| error.in_expression(expr))?);
        }
        self.sums(&running, &moments)?;
        if !of_chunks.is_empty() {
            self.of_chunks(&of_chunks)?;
        }
        // One after the other, each of its own columns.
        for (position, expr) in others {
            let read = columns_of([&expr]);
            let rows = self.rows.select(read.iter().chain(&self.query.numbers))?;
            let aggregates = [expr];
            let found = self.driver.run(&self.some(&aggregates), &rows)?;
            self.results[position] = Some(found.get(aggregate_label(0))?.clone());
        }
        Ok(())
    }

    /// Some of the aggregates.
    fn some<'s>(&self, aggregates: &'s [Expr]) -> GroupedQuery<'s> {
        let numbers = self.query.numbers.clone();
        GroupedQuery { rows_where: None, keys: &[], aggregates, options: self.query.options, numbers }
    }

    /// Aggregates with running states, in one pass.
    fn pass(&self, aggregates: &[Expr]) -> Result<ColumnAccessor> {
        if aggregates.is_empty() {
            return Ok(ColumnAccessor::with_rows(1));
        }
        let options = self.query.options;
        let query = Query { frame: self.rows, rows_where: None, keys: &[], aggregates, options };
        query.run_within(self.driver)
    }

    /// Aggregates with running states, and moments, in two passes.
    fn sums(&mut self, running: &[Placed], placed: &[Placed]) -> Result<()> {
        let moments: Vec<_> = placed.iter().map(|(_, expr)| Moments::of(expr)).collect::<Result<_>>()?;
        let mut first: Vec<Expr> =
            running.iter().map(|(position, expr)| expr.clone().alias(aggregate_label(*position))).collect();
        first.extend(moments.iter().enumerate().flat_map(|(number, moments)| moments.first(number)));
        let first = self.pass(&first)?;
        for (position, _) in running {
            self.results[*position] = Some(first.get(aggregate_label(*position))?.clone());
        }
        let mut second = Vec::new();
        for (number, moments) in moments.iter().enumerate() {
            second.extend(moments.second(number, &first)?);
        }
        let second = self.pass(&second)?;
        for (number, (moments, (position, expr))) in moments.iter().zip(placed).enumerate() {
            let found = moments.result(number, &first, &second, self.driver);
            self.results[*position] = Some(found.map_err(|error| error.in_expression(expr))?);
        }
        Ok(())
    }

    /// Aggregates of those of the chunks.
    fn of_chunks(&mut self, placed: &[Placed]) -> Result<()> {
        let aggregates: Vec<Expr> = placed.iter().map(|(_, expr)| expr.clone()).collect();
        let read = columns_of(&aggregates);
        let rows = self.rows.select(read.iter().chain(&self.query.numbers))?;
        let query = self.some(&aggregates);
        // Positions go with the values that are there.
        let values = aggregates.iter().map(positioned).collect::<Result<Vec<_>>>()?;
        let plan = query.plan(&rows, self.driver)?;
        let chunks = run_chunks(&rows, None, plan, self.driver.exec, |chunk, _, exec| {
            let mut found = query.of_rows(chunk, exec)?;
            for (at, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                // A chunk without values has no position.
                let value = if let Scalar::Int64(position) = found.get(aggregate_label(at))?.get(0)? {
                    let row = chunk.slice(row_of(chunk, query.numbers.as_ref(), position)?, 1)?;
                    evaluate(std::slice::from_ref(value), &row, exec)?.swap_remove(0).1
                } else {
                    Column::full_null(&resolve(value, chunk)?.dtype, 1, exec)?
                };
                found.insert(value_label(at), value)?;
            }
            Ok(found)
        })?;
        let exec = self.driver.exec;
        let chunks = ColumnAccessor::assemble(chunks, exec)?;
        for (at, (position, expr)) in placed.iter().enumerate() {
            let label = if values[at].is_some() { value_label(at) } else { aggregate_label(at) };
            let combined = of_column(&split(expr).0, &col(label));
            let aggregates = [combined];
            let numbers = values[at].is_some().then(|| aggregate_label(at).into());
            let query = GroupedQuery { numbers, ..self.some(&aggregates) };
            let found = query.of_rows(&chunks, exec).map_err(|error| error.in_expression(expr))?;
            self.results[*position] = Some(found.get(aggregate_label(0))?.clone());
        }
        Ok(())
    }

    /// The number of distinct values, or the most frequent one.
    fn of_distinct(&self, expr: &Expr) -> Result<Column> {
        let exec = self.driver.exec;
        let keys = [argument(expr, 0)?.alias("x")];
        let counts = [len().alias("n")];
        let options = GroupOptions::default();
        let query = Query { frame: self.rows, rows_where: None, keys: &keys, aggregates: &counts, options };
        let distinct = query.run_within(self.driver)?;
        if let Node::Statistic(Statistic::NUnique, _) = split(expr).0.node() {
            return Column::from_slice(&[i64::try_from(distinct.rows()).unwrap_or(i64::MAX)], exec);
        }
        let most = aggregate(&distinct, None, &[], &[col("n").max().alias("n")], options, exec)?;
        let most = most.get("n")?.get(0)?;
        let frequent = filter(&distinct, &col("n").eq(lit(most)), exec)?;
        let aggregates = [of_column(&split(expr).0, &col("x"))];
        let query = GroupedQuery { numbers: None, ..self.some(&aggregates) };
        let found = self.driver.run(&query, &frequent.select(["x"])?)?;
        Ok(found.get(aggregate_label(0))?.clone())
    }

    /// A quantile. Values are sorted once for several.
    fn of_sorted(&mut self, expr: &Expr, q: f64, interpolation: Interpolation) -> Result<Column> {
        let exec = self.driver.exec;
        let values = argument(expr, 0)?;
        let number = self.alike.number(&values);
        let known = self.sorted.iter().position(|(known, ..)| *known == number);
        let at = if let Some(at) = known {
            at
        } else {
            let (_, column) = evaluate(&[values.alias("x")], self.rows, exec)?.swap_remove(0);
            let count = column.size() - column.null_count(exec)?;
            let column = ColumnAccessor::from_columns([("x", column)])?;
            let key = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
            let sorted = sort_by(&column, &[key], exec)?.columns()[0].clone();
            self.sorted.push((number, sorted, count));
            self.sorted.len() - 1
        };
        let (_, sorted, count) = &self.sorted[at];
        quantile_of_sorted(sorted, *count, q, interpolation, exec)
    }
}
