//! Statistics of groups.

mod collect;
mod distinct;
mod histogram;
pub(super) mod moments;
pub(super) mod nulls;
pub(crate) mod order;
pub(super) mod position;
#[cfg(test)]
mod test_nulls;
#[cfg(test)]
mod test_times;
#[cfg(test)]
mod tests;
pub(crate) mod times;

pub(crate) use self::moments::pearson;
pub(super) use self::moments::{sqrt, within_limits};
use super::grouped_rows::{GroupedRows, compute};
use crate::cast::{CastMode, cast};
use crate::expression::{Aggregation, Statistic, col, lit, when};
use crate::sort::Order;
use columnade_columns::{Column, DType, Error, Result};

/// The statistic of `arguments` by group. `row_numbers` are the positions of the rows in the frame, where the statistic
/// gives some.
///
/// # Errors
/// [`Error::UnsupportedDType`], [`Error::InvalidArgument`], [`Error::Memory`].
pub(super) fn compute_statistic(
    statistic: &Statistic,
    arguments: &[Column],
    row_numbers: Option<&Column>,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    let Some(values) = arguments.first() else {
        return Err(Error::Internal { invariant: "a statistic has an argument" });
    };
    match *statistic {
        Statistic::Product => position::product(values, groups),
        Statistic::Quantiles { ref qs, interpolation } if values.dtype() == DType::Null => {
            order::quantiles(&floats(values, groups)?, qs, interpolation, groups)
        }
        Statistic::Quantiles { ref qs, interpolation } => order::quantiles(values, qs, interpolation, groups),
        Statistic::Histogram { ref edges } => histogram::histogram(values, edges, groups),
        Statistic::Var { ddof } => moments::var(values, ddof, groups),
        Statistic::Std { ddof } => moments::std(values, ddof, groups),
        Statistic::Sem { ddof } => moments::sem(values, ddof, groups),
        Statistic::Skew => moments::skew(values, groups),
        Statistic::Kurt => moments::kurt(values, groups),
        Statistic::Cov { ddof } => moments::cov(values, second(arguments)?, ddof, groups),
        Statistic::Corr => moments::corr(values, second(arguments)?, groups),
        Statistic::Kendall => crate::window::kendall::kendall(values, second(arguments)?, groups),
        Statistic::Any => truth(values, Aggregation::Max, groups),
        Statistic::All => truth(values, Aggregation::Min, groups),
        Statistic::NUnique => distinct::nunique(values, groups),
        Statistic::Mode => distinct::mode(values, groups),
        Statistic::CollectUnique => distinct::collect_unique(values, groups),
        Statistic::Quantile { q, interpolation } => order::quantile(values, q, interpolation, groups),
        Statistic::TopK(k) => order::extremes(values, k, Order::Descending, groups),
        Statistic::BottomK(k) => order::extremes(values, k, Order::Ascending, groups),
        Statistic::First => position::first(values, Aggregation::Min, groups),
        Statistic::Last => position::first(values, Aggregation::Max, groups),
        Statistic::Nth(n) => position::nth(values, n, groups),
        Statistic::ArgMin => position::arg(values, Order::Ascending, row_numbers, groups),
        Statistic::ArgMax => position::arg(values, Order::Descending, row_numbers, groups),
        Statistic::Collect => collect::collect(values, groups),
    }
}

fn second(arguments: &[Column]) -> Result<&Column> {
    arguments.get(1).ok_or(Error::Internal { invariant: "a statistic of two columns has two arguments" })
}

/// Whether any value, or the least, is true or not zero.
fn truth(values: &Column, aggregation: Aggregation, groups: &GroupedRows<'_>) -> Result<Column> {
    let exec = groups.exec;
    let x = if let DType::Duration(_) = values.dtype() { col("x").cast(DType::Int64) } else { col("x") };
    let bits = if values.dtype() == DType::Bool {
        values.clone()
    } else {
        compute(&[("x", values)], x.ne(0), exec)?
    };
    let found = groups.aggregate(aggregation, &bits, DType::Bool)?;
    // Without values none is true, and all are.
    let of_none = aggregation == Aggregation::Min;
    let found =
        compute(&[("x", &found)], when(col("x").is_null()).then(lit(of_none)).otherwise(col("x")), exec)?;
    Ok(found.without_mask())
}

/// The values as `float64`.
fn floats(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    cast(values, &DType::Float64, CastMode::Wrap, groups.exec)
}
