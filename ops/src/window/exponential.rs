//! Aggregates with exponentially falling weights.
//!
//! Means whose weights are as they fall, those of `adjust`, have a kernel. All others are linear recurrences. Of a row with a
//! value, the share `kept` is that of the earlier values among the weights: a mean is `kept · before + (1 − kept) · value`, a
//! variance the same of squared distances, moved to the new mean, and a covariance of products of distances.

use super::Ordered;
use crate::cast::{CastMode, cast};
use crate::expression::{
    Exponential, ExponentialAggregate, ExponentialWindow, Expr, Literal, Statistic, col, lit, when,
};
use crate::groupby::grouped_rows::{compute, take};
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::elementwise::unary::{UnaryOp, unary};
use columnade_kernels::scanning::exponential_mean::{Weights, exponential_mean};
use columnade_kernels::scanning::linear_recurrence::linear_recurrence;
use columnade_kernels::{ColumnData, Fixed, View};

/// The aggregate of the rows of a group up to each row: of values, or of the pairs with those of `other`.
pub(super) fn exponential(
    by: Exponential,
    values: &Column,
    other: Option<&Column>,
    rows: &Ordered<'_>,
) -> Result<Column> {
    let Exponential { aggregate, window } = by;
    let alpha = window.weight()?;
    let floats = |values: &Column| -> Result<Column> {
        Statistic::Var { ddof: 1 }.dtype(&values.dtype())?;
        rows.values(&cast(values, &DType::Float64, CastMode::Wrap, rows.exec)?)
    };
    let (values, others) = (floats(values)?, other.map(floats).transpose()?);
    if aggregate == ExponentialAggregate::Mean && window.is_adjusted() {
        return adjusted_mean(&values, window, alpha, rows);
    }
    // NaN is no value: it would stay in all later rows.
    let pair = [("x", &values), ("y", others.as_ref().unwrap_or(&values))];
    let is_there = || col("x").eq(col("x")) & col("y").eq(col("y"));
    let of_pair =
        |there: Expr, none: f64| rows.compute(&pair, when(is_there()).then(there).otherwise(lit(none)));
    let value = of_pair(col("x"), 0.0)?.without_mask();
    let other = others.is_some().then(|| of_pair(col("y"), 0.0)).transpose()?.map(|y| y.without_mask());
    let seen = of_pair(lit(1.0), 0.0)?.without_mask();
    let run = Run::new(window, alpha, seen, rows)?;
    let mean = run.mean(&value)?;
    let found = if aggregate == ExponentialAggregate::Mean {
        mean
    } else {
        let of_value = Moved { mean: mean.clone(), earlier: run.previous(&mean)?, value };
        let of_other = match other {
            None => None,
            Some(value) => {
                let mean = run.mean(&value)?;
                Some(Moved { earlier: run.previous(&mean)?, mean, value })
            }
        };
        let second = of_other.as_ref().unwrap_or(&of_value);
        let biased = run.product(&of_value, second)?;
        if aggregate == ExponentialAggregate::Corr {
            let (left, right) = (run.product(&of_value, &of_value)?, run.product(second, second)?);
            let of_both = roots(
                &rows.compute(&[("left", &left), ("right", &right)], col("left") * col("right"))?,
                rows,
            )?;
            let of_both = [("biased", &biased), ("both", &of_both)];
            let share = col("biased") / col("both");
            rows.compute(&of_both, when(col("both").gt(0.0)).then(share).otherwise(lit(Literal::Null)))?
        } else {
            let variance = if window.is_biased() { biased } else { run.unbiased(&biased)? };
            if aggregate == ExponentialAggregate::Std { roots(&variance, rows)? } else { variance }
        }
    };
    let counts = run.of(&[], col("seen") * 0.0 + 1.0, col("seen"))?;
    let least = i64::try_from(window.least_values()).unwrap_or(i64::MAX);
    let enough = col("counts").cast_unchecked(DType::Int64).ge(least) & col("start").is_not_null();
    let or_null = when(enough).then(col("found")).otherwise(lit(Literal::Null));
    rows.in_row_order(&rows.compute(&[("counts", &counts), ("found", &found)], or_null)?)
}

/// The mean of the ordered values of a group up to each row.
fn adjusted_mean(
    values: &Column,
    window: ExponentialWindow,
    alpha: f64,
    rows: &Ordered<'_>,
) -> Result<Column> {
    let weights = Weights {
        decay: 1.0 - alpha,
        ignores_nulls: window.ignores_nulls(),
        min_values: window.least_values(),
    };
    let starts = if rows.is_whole { None } else { Some(fixed(&rows.bounds()?.start)?) };
    let means = exponential_mean(&fixed(values)?, starts.as_ref(), weights, rows.exec)?;
    rows.in_row_order(&Column::from_data(DType::Float64, ColumnData::Fixed(means))?)
}

/// Weights that run through the rows of each group.
struct Run<'a> {
    rows: &'a Ordered<'a>,
    /// 1 for a row with a value, otherwise 0.
    seen: Column,
    /// The first row of each row's group.
    first: Column,
    /// The row before each; null for the first row of a group.
    before: Column,
    /// The share of the earlier values among the weights.
    kept: Column,
}

/// Values, with their mean up to each row and up to the row before.
struct Moved {
    value: Column,
    mean: Column,
    earlier: Column,
}

fn is_seen() -> Expr {
    col("seen").eq(1.0)
}

/// The share of the new value.
fn rest() -> Expr {
    lit(1.0) - col("kept")
}

impl<'a> Run<'a> {
    fn new(window: ExponentialWindow, alpha: f64, seen: Column, rows: &'a Ordered<'a>) -> Result<Self> {
        let before = rows.compute(
            &[],
            when(col("row").gt(col("start"))).then(col("row") - 1).otherwise(lit(Literal::Null)),
        )?;
        let first = rows
            .compute(&[], when(col("start").is_null()).then(col("row")).otherwise(col("start")))?
            .without_mask();
        let kept = seen.clone();
        let mut run = Self { rows, seen, first, before, kept };
        let decay = || {
            if window.ignores_nulls() {
                when(is_seen()).then(lit(1.0 - alpha)).otherwise(lit(1.0))
            } else {
                // A column, as the row functions of an expression are.
                col("seen") * 0.0 + (1.0 - alpha)
            }
        };
        // The weights of the values so far, of which the newest has 1 or, not adjusted, all have 1.
        let scale =
            if window.is_adjusted() { decay() } else { when(is_seen()).then(lit(0.0)).otherwise(decay()) };
        let weights = run.previous(&run.of(&[], scale, col("seen"))?)?;
        let new = if window.is_adjusted() { 1.0 } else { alpha };
        let old = || col("weights") * decay();
        let kept = when(is_seen()).then(old() / (old() + new)).otherwise(lit(1.0));
        run.kept = rows.compute(&[("seen", &run.seen), ("weights", &weights)], kept)?.without_mask();
        Ok(run)
    }

    /// What a column has in the row before, 0 in the first row of a group.
    fn previous(&self, of: &Column) -> Result<Column> {
        let found = take(of, &self.before, self.rows.exec)?;
        let or_zero = when(col("x").is_null()).then(lit(0.0)).otherwise(col("x"));
        Ok(compute(&[("x", &found)], or_zero, self.rows.exec)?.without_mask())
    }

    /// `scale · before + shift` from row to row.
    fn of(&self, columns: &[(&str, &Column)], scale: Expr, shift: Expr) -> Result<Column> {
        let own = [("seen", &self.seen), ("kept", &self.kept)];
        let all: Vec<_> = own.iter().chain(columns).copied().collect();
        let [scale, shift] = [scale, shift].map(|expr| self.rows.compute(&all, expr));
        recurrence(&scale?.without_mask(), &shift?.without_mask(), &self.first, self.rows)
    }

    fn mean(&self, value: &Column) -> Result<Column> {
        self.of(&[("value", value)], col("kept"), rest() * col("value"))
    }

    /// The weighted mean of the products of the distances of both from their means.
    fn product(&self, left: &Moved, right: &Moved) -> Result<Column> {
        let columns = [
            ("value", &left.value),
            ("mean", &left.mean),
            ("earlier", &left.earlier),
            ("other", &right.value),
            ("other mean", &right.mean),
            ("other earlier", &right.earlier),
        ];
        let moved = (col("earlier") - col("mean")) * (col("other earlier") - col("other mean"));
        let apart = (col("value") - col("mean")) * (col("other") - col("other mean"));
        let products = col("kept") * moved + rest() * apart;
        self.of(&columns, col("kept"), when(is_seen()).then(products).otherwise(lit(0.0)))
    }

    /// The estimate of a population: null for one value.
    fn unbiased(&self, biased: &Column) -> Result<Column> {
        // The sum of the squared weights, of weights whose sum is 1.
        let shares = when(is_seen()).then(rest() * rest()).otherwise(lit(0.0));
        let shares = self.of(&[], col("kept") * col("kept"), shares)?;
        let left = || lit(1.0) - col("shares");
        let unbiased = when(left().gt(0.0)).then(col("biased") / left()).otherwise(lit(Literal::Null));
        self.rows.compute(&[("biased", biased), ("shares", &shares)], unbiased)
    }
}

fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

fn roots(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let roots = unary(UnaryOp::Sqrt, &fixed(values)?, rows.exec)?;
    Column::from_data(DType::Float64, ColumnData::Fixed(roots))
}

/// `scale · before + shift` from row to row; `shift` in the first row of a group, which is `first`.
fn recurrence(scale: &Column, shift: &Column, first: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let found = linear_recurrence(&fixed(scale)?, &fixed(shift)?, &fixed(first)?, rows.exec)?;
    Column::from_data(DType::Float64, ColumnData::Fixed(found))
}
