//! Central moments of groups, in two passes: the means, then powers of the deviations from them.

use super::super::grouped_rows::{GroupedRows, compute};
use super::{floats, times};
use crate::expression::{Aggregation, Expr, Literal, col, lit, when};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::elementwise::unary::{UnaryOp, unary};
use columnade_kernels::{ColumnData, View};

/// What moments of a group are made of.
struct Deviations {
    /// The number of values of each group.
    count: Column,
    /// The deviation of each row from the mean of its group.
    of_rows: Column,
}

impl Deviations {
    fn new(values: &Column, groups: &GroupedRows<'_>) -> Result<Self> {
        let mean = groups.aggregate(Aggregation::Mean, values, DType::Float64)?;
        Self::around(&mean, values, groups)
    }

    /// Of equal values, whose mean may be rounded, they are zero.
    fn exact(values: &Column, groups: &GroupedRows<'_>) -> Result<Self> {
        let mean = groups.aggregate(Aggregation::Mean, values, DType::Float64)?;
        let [low, high] = extremes(values, groups)?;
        let center = when(col("low").eq(col("high"))).then(col("low")).otherwise(col("mean"));
        let columns = [("mean", &mean), ("low", &low), ("high", &high)];
        Self::around(&compute(&columns, center, groups.exec)?, values, groups)
    }

    fn around(mean: &Column, values: &Column, groups: &GroupedRows<'_>) -> Result<Self> {
        let means = groups.broadcast(mean)?;
        let of_rows = compute(&[("x", values), ("mean", &means)], col("x") - col("mean"), groups.exec)?;
        Ok(Self { count: groups.counts(values)?, of_rows })
    }

    /// The sum of a power of the deviations, as an expression of the deviation `d`.
    fn sum(&self, power: Expr, groups: &GroupedRows<'_>) -> Result<Column> {
        let powers = compute(&[("d", &self.of_rows)], power, groups.exec)?;
        groups.aggregate(Aggregation::Sum, &powers, DType::Float64)
    }
}

fn square() -> Expr {
    col("d") * col("d")
}

fn null() -> Expr {
    lit(Literal::Null)
}

/// The number of values as `float64`.
fn n() -> Expr {
    col("n").cast(DType::Float64)
}

/// The sum of squared deviations `m2`, divided by what is left of the number of values `n`.
pub(in crate::groupby) fn variance(ddof: u32) -> Expr {
    let left = n() - f64::from(ddof);
    when(col("n").gt(i64::from(ddof))).then(col("m2") / left).otherwise(null())
}

pub(super) fn var(values: &Column, ddof: u32, groups: &GroupedRows<'_>) -> Result<Column> {
    of_squares(values, variance(ddof), groups)
}

pub(super) fn std(values: &Column, ddof: u32, groups: &GroupedRows<'_>) -> Result<Column> {
    root(values, variance(ddof), groups)
}

pub(super) fn sem(values: &Column, ddof: u32, groups: &GroupedRows<'_>) -> Result<Column> {
    root(values, error_of_mean(ddof), groups)
}

/// The square of the standard error of the mean.
pub(in crate::groupby) fn error_of_mean(ddof: u32) -> Expr {
    variance(ddof) / n()
}

/// The square root of [`of_squares`]; of times, a duration.
fn root(values: &Column, expr: Expr, groups: &GroupedRows<'_>) -> Result<Column> {
    let dtype = values.dtype();
    if times::distance(&dtype).is_none() {
        return sqrt(&of_squares(values, expr, groups)?, groups.exec);
    }
    let roots = sqrt(&of_squares(&times::deviations(values, groups)?, expr, groups)?, groups.exec)?;
    times::durations(&roots, &dtype, groups.exec)
}

/// An expression of the sum of squared deviations `m2` and the number of values `n`.
fn of_squares(values: &Column, expr: Expr, groups: &GroupedRows<'_>) -> Result<Column> {
    let deviations = Deviations::new(&floats(values, groups)?, groups)?;
    let m2 = deviations.sum(square(), groups)?;
    compute(&[("m2", &m2), ("n", &deviations.count)], expr, groups.exec)
}

/// G₁ of D. N. Joanes and C. A. Gill, "Comparing measures of sample skewness and kurtosis" (1998), as pandas has it: of the sums
/// `m2` and `m3` of powers of the deviations, and of the least and the greatest value.
pub(in crate::groupby) fn skewness() -> Expr {
    let bias = (n() - 1.0).sqrt();
    enough(3, n() * bias / (n() - 2.0) * (col("m3") / (col("m2") * col("m2").sqrt())))
}

/// G₂ of the same.
pub(in crate::groupby) fn kurtosis() -> Expr {
    let adjustment = (n() - 1.0) * (n() - 1.0) * 3.0 / ((n() - 2.0) * (n() - 3.0));
    let numerator = n() * (n() + 1.0) * (n() - 1.0) * col("m4");
    enough(4, numerator / ((n() - 2.0) * (n() - 3.0) * col("m2") * col("m2")) - adjustment)
}

pub(super) fn skew(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let values = floats(values, groups)?;
    let deviations = Deviations::new(&values, groups)?;
    let [low, high] = extremes(&values, groups)?;
    let m2 = deviations.sum(square(), groups)?;
    let m3 = deviations.sum(square() * col("d"), groups)?;
    let columns = [("m2", &m2), ("m3", &m3), ("n", &deviations.count), ("low", &low), ("high", &high)];
    compute(&columns, skewness(), groups.exec)
}

pub(super) fn kurt(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let values = floats(values, groups)?;
    let deviations = Deviations::new(&values, groups)?;
    let [low, high] = extremes(&values, groups)?;
    let m2 = deviations.sum(square(), groups)?;
    let m4 = deviations.sum(square() * square(), groups)?;
    let columns = [("m2", &m2), ("m4", &m4), ("n", &deviations.count), ("low", &low), ("high", &high)];
    compute(&columns, kurtosis(), groups.exec)
}

/// The least and the greatest value of each group: equal ones have a mean that may be rounded.
fn extremes(values: &Column, groups: &GroupedRows<'_>) -> Result<[Column; 2]> {
    let of = |aggregation| groups.aggregate(aggregation, values, DType::Float64);
    Ok([of(Aggregation::Min)?, of(Aggregation::Max)?])
}

/// `ratio` of groups of at least `least` values that are not all equal.
fn enough(least: i64, ratio: Expr) -> Expr {
    let is_number = !col("m2").is_nan();
    let is_constant = col("low").eq(col("high")).or(col("m2").eq(0.0)).and(is_number);
    when(col("n").ge(least).and(!is_constant)).then(ratio).otherwise(null())
}

/// The rows of both columns where both are valid, as `float64`.
fn both(left: &Column, right: &Column, groups: &GroupedRows<'_>) -> Result<[Column; 2]> {
    let (left, right) = (floats(left, groups)?, floats(right, groups)?);
    let columns = [("x", &left), ("y", &right)];
    let x = when(col("y").is_not_null()).then(col("x")).otherwise(null());
    let y = when(col("x").is_not_null()).then(col("y")).otherwise(null());
    Ok([compute(&columns, x, groups.exec)?, compute(&columns, y, groups.exec)?])
}

/// The sum of the products of deviations, and the deviations themselves.
fn products(x: &Column, y: &Column, groups: &GroupedRows<'_>) -> Result<(Column, [Deviations; 2])> {
    let (dx, dy) = (Deviations::exact(x, groups)?, Deviations::exact(y, groups)?);
    let columns = [("x", &dx.of_rows), ("y", &dy.of_rows)];
    let products = compute(&columns, col("x") * col("y"), groups.exec)?;
    Ok((groups.aggregate(Aggregation::Sum, &products, DType::Float64)?, [dx, dy]))
}

pub(super) fn cov(left: &Column, right: &Column, ddof: u32, groups: &GroupedRows<'_>) -> Result<Column> {
    let [x, y] = both(left, right, groups)?;
    let (sum, [dx, _]) = products(&x, &y, groups)?;
    compute(&[("m2", &sum), ("n", &dx.count)], variance(ddof), groups.exec)
}

/// A correlation, which rounding may take past its limits.
pub(in crate::groupby) fn within_limits(ratio: Expr) -> Expr {
    when(ratio.clone().gt(1.0))
        .then(lit(1.0))
        .otherwise(when(ratio.clone().lt(-1.0)).then(lit(-1.0)).otherwise(ratio))
}

/// The correlation by the sums of products of deviations: of each side with itself, and of both.
pub(crate) fn pearson(xx: &Expr, yy: &Expr, xy: Expr) -> Expr {
    let product = || xx.clone() * yy.clone();
    // Exact where the sums are; the roots apart where it is no normal number.
    let is_normal = product().gt(f64::MIN_POSITIVE).and(product().lt(f64::INFINITY));
    let root = when(is_normal).then(product().sqrt()).otherwise(xx.clone().sqrt() * yy.clone().sqrt());
    within_limits(xy / root)
}

pub(super) fn corr(left: &Column, right: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let [x, y] = both(left, right, groups)?;
    let (sum, [dx, dy]) = products(&x, &y, groups)?;
    let (xx, yy) = (dx.sum(square(), groups)?, dy.sum(square(), groups)?);
    let columns = [("xy", &sum), ("xx", &xx), ("yy", &yy), ("n", &dx.count)];
    compute(&columns, correlation(), groups.exec)
}

/// The correlation by the sums `xx`, `yy` and `xy` of products of deviations, null for fewer than two rows.
pub(in crate::groupby) fn correlation() -> Expr {
    let ratio = pearson(&col("xx"), &col("yy"), col("xy"));
    when(col("n").ge(2)).then(ratio).otherwise(null())
}

pub(in crate::groupby) fn sqrt(values: &Column, exec: &Exec) -> Result<Column> {
    let View::Fixed(view) = values.view()? else {
        return Err(Error::UnsupportedDType { dtype: values.dtype() });
    };
    Column::from_data(DType::Float64, ColumnData::Fixed(unary(UnaryOp::Sqrt, &view, exec)?))
}
