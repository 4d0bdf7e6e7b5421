//! Correlations and covariances of all pairs of columns.

#[cfg(test)]
mod tests;

use crate::cast::{CastMode, cast};
use crate::copying::{concat, gather_column};
use crate::expression::{Expr, Literal, Rank, col, evaluate, evaluate_rows, lit, when};
use crate::filter::apply_mask;
use crate::groupby::{GroupOptions, aggregate, pearson};
use crate::out_of_core::{Driver, MemoryEstimate, by_position, row_numbers, run_chunks, with_labels_of};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::reduction::co_moments::{co_moments, pair_columns, pair_row};
use columnade_kernels::{ColumnData, RowMap};
use std::collections::HashMap;

/// What is left of a sum of squares when the mean is taken out, at least: with less, rounding shows in the result.
const LEAST_LEFT: f64 = 1.0 / 1024.0;

/// Pairs that are aggregated at a time.
const PAIRS_AT_A_TIME: usize = 256;

/// Pearson's correlation of each pair of columns over the rows where both are valid: a row for each column, under the labels of
/// the columns. Null for fewer than two rows, NaN for a constant column.
///
/// # Shapes and units
/// k columns of n rows → k columns of k rows of `float64`.
///
/// # Errors
/// [`Error::UnsupportedDType`] for a column that is no number; [`Error::Memory`].
///
/// # Device
/// A pass for the means, and one for all pairs. Rows that exceed the budget are taken in chunks, on which the last digits depend.
/// Pairs with nulls whose rows lie far from the means of their columns are aggregated one by one. The numbers of those pairs are
/// read by the host.
///
/// # Source
/// pandas `DataFrame.corr`.
pub fn corr(frame: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
    matrix(frame, Kind::Corr, exec)
}

/// The covariance of each pair of columns as [`corr`], of `n` rows divided by `n - ddof`; null if that is not positive.
///
/// # Errors
/// Same as [`corr`].
///
/// # Source
/// pandas `DataFrame.cov`.
pub fn cov(frame: &ColumnAccessor, ddof: u32, exec: &Exec) -> Result<ColumnAccessor> {
    matrix(frame, Kind::Cov { ddof }, exec)
}

/// Spearman's correlation of each pair of columns, that of the ranks, as [`corr`]; see
/// [`Expr::spearman`](crate::expression::Expr::spearman) for dtypes.
///
/// # Errors
/// Those of [`Expr::spearman`](crate::expression::Expr::spearman).
///
/// # Device
/// Without nulls each column is ranked once; otherwise the columns of each pair are, since ranks depend on what is left out.
///
/// # Source
/// pandas `DataFrame.corr(method="spearman")`.
pub fn spearman(frame: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
    let has_nulls = |column: &Column| column.mask().is_some() || column.dtype() == DType::Null;
    if frame.columns().iter().any(has_nulls) {
        return of_pairs(frame, Expr::spearman, exec);
    }
    let rows = by_position(frame.columns(), frame.rows())?;
    let ranks: Vec<Expr> =
        rows.labels().iter().map(|label| col(label.clone()).rank(Rank::default())).collect();
    let ranks: Vec<Column> = evaluate(&ranks, &rows, exec)?.into_iter().map(|(_, ranks)| ranks).collect();
    corr(&with_labels_of(frame, &ranks, frame.rows())?, exec)
}

/// Kendall's correlation of each pair of columns, tau-b, as [`corr`]; see
/// [`Expr::kendall`](crate::expression::Expr::kendall) for dtypes.
///
/// # Errors
/// Those of [`Expr::kendall`](crate::expression::Expr::kendall).
///
/// # Device
/// The pairs are aggregated one after the other.
///
/// # Source
/// pandas `DataFrame.corr(method="kendall")`.
pub fn kendall(frame: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
    of_pairs(frame, Expr::kendall, exec)
}

/// An aggregate of each pair.
fn of_pairs(frame: &ColumnAccessor, of: fn(Expr, Expr) -> Expr, exec: &Exec) -> Result<ColumnAccessor> {
    let pairs: Vec<usize> = (0..pair_row(frame.len(), 0)).collect();
    if pairs.is_empty() {
        return Ok(frame.clone());
    }
    let values = aggregate_pairs(frame, &pairs, of, exec)?;
    square(frame, &concat(&values.iter().collect::<Vec<_>>(), exec)?, &|pair| pair, exec)
}

#[derive(Clone, Copy)]
enum Kind {
    Corr,
    Cov { ddof: u32 },
}

impl Kind {
    /// The aggregate of one pair.
    fn of(self, x: Expr, y: Expr) -> Expr {
        match self {
            Kind::Corr => x.corr(y),
            Kind::Cov { ddof } => x.cov_ddof(y, ddof),
        }
    }

    /// Of the columns of [`sums`].
    fn of_sums(self) -> Expr {
        let (xx, yy, xy) = (left("xx", "x", "x"), left("yy", "y", "y"), left("xy", "x", "y"));
        let (ratio, least) = match self {
            Kind::Corr => (pearson(&xx, &yy, xy), 2.0),
            Kind::Cov { ddof } => (xy / (col("n") - f64::from(ddof)), f64::from(ddof.saturating_add(1))),
        };
        when(col("n").ge(least)).then(ratio).otherwise(lit(Literal::Null))
    }
}

/// A sum of products of which the means of the pair are taken out.
fn left(sum: &str, x: &str, y: &str) -> Expr {
    col(sum) - col(x) * col(y) / col("n")
}

fn matrix(frame: &ColumnAccessor, kind: Kind, exec: &Exec) -> Result<ColumnAccessor> {
    check_dtypes(frame, kind, exec)?;
    let columns = frame.len();
    if columns == 0 {
        return Ok(frame.clone());
    }
    let rows = by_position(frame.columns(), frame.rows())?;
    let centers = centers(&rows, exec)?;
    let sums = sums(&rows, &centers, exec)?;
    let values = evaluate_rows(&[kind.of_sums()], &sums, exec)?.swap_remove(0).1;
    let apart = pairs_apart(&rows, &sums, exec)?;
    let mut parts = vec![values];
    parts.extend(aggregate_pairs(frame, &apart, |x, y| kind.of(x, y), exec)?);
    let values = concat(&parts.iter().collect::<Vec<_>>(), exec)?;
    let replaced: HashMap<usize, usize> = apart.iter().copied().zip(sums.rows()..).collect();
    square(frame, &values, &|pair| replaced.get(&pair).copied().unwrap_or(pair), exec)
}

/// An aggregate of each of these pairs, in a column of one row.
fn aggregate_pairs(
    frame: &ColumnAccessor,
    pairs: &[usize],
    of: impl Fn(Expr, Expr) -> Expr,
    exec: &Exec,
) -> Result<Vec<Column>> {
    let mut values = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(PAIRS_AT_A_TIME) {
        let exprs = pairs.iter().map(|&pair| {
            let (i, j) = pair_columns(pair);
            let column = |place: usize| col(frame.labels()[place].clone());
            of(column(i), column(j)).alias(format!("pair {pair}"))
        });
        let exprs: Vec<Expr> = exprs.collect();
        let found = aggregate(frame, None, &[], &exprs, GroupOptions::default(), exec)?;
        values.extend(found.columns().iter().cloned());
    }
    Ok(values)
}

/// The matrix under the labels of `frame`; both its triangles are the values of pairs, at their place in `values`.
fn square(
    frame: &ColumnAccessor,
    values: &Column,
    place: &dyn Fn(usize) -> usize,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let columns = frame.len();
    let of = |i: usize, j: usize| place(pair_row(i.max(j), i.min(j))) as u64;
    let map: Vec<u64> = (0..columns).flat_map(|i| (0..columns).map(move |j| of(i, j))).collect();
    let values = gather_column(values, &RowMap::from_u64(&map, exec)?, MapNulls::Never, exec)?;
    let of_columns = (0..columns).map(|i| values.slice(i * columns, columns)).collect::<Result<Vec<_>>>()?;
    with_labels_of(frame, &of_columns, columns)
}

/// What the aggregate of one pair says about the dtypes, of a frame without rows.
fn check_dtypes(frame: &ColumnAccessor, kind: Kind, exec: &Exec) -> Result<()> {
    let is_plain = |dtype: &DType| dtype.is_integer() || dtype.is_float() || dtype.is_decimal();
    let others: Vec<Expr> = frame
        .labels()
        .iter()
        .zip(frame.columns())
        .filter(|(_, column)| !is_plain(&column.dtype()))
        .map(|(label, _)| kind.of(col(label.clone()), col(label.clone())).alias(label.clone()))
        .collect();
    if !others.is_empty() {
        aggregate(&frame.slice(0, 0)?, None, &[], &others, GroupOptions::default(), exec)?;
    }
    Ok(())
}

/// The mean of each column, in a column; exact where all its values are equal.
fn centers(rows: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    let exprs: Vec<Expr> = (0..rows.len())
        .map(|column| {
            let x = || col(column.to_string()).cast(DType::Float64);
            when(x().min().eq(x().max())).then(x().min()).otherwise(x().mean()).alias(column.to_string())
        })
        .collect();
    let means = aggregate(rows, None, &[], &exprs, GroupOptions::default(), exec)?;
    concat(&means.columns().iter().collect::<Vec<_>>(), exec)
}

/// The sums of all pairs, under the names of [`CoMoments`](columnade_kernels::reduction::co_moments::CoMoments).
fn sums(rows: &ColumnAccessor, centers: &Column, exec: &Exec) -> Result<ColumnAccessor> {
    let estimate = || {
        let numbers = size_of::<f64>();
        let sums = pair_row(rows.len(), 0).saturating_mul(2 * 6 * numbers);
        let copies = rows.rows().saturating_mul(rows.len() * numbers);
        Ok(MemoryEstimate { fixed_overhead: sums, ..MemoryEstimate::new(rows.row_bytes()?, copies) })
    };
    let plan = Driver::new(exec).plan(rows.rows(), estimate)?;
    let parts = run_chunks(rows, None, plan, exec, |rows, _, exec| {
        let floats = rows.columns().iter().map(|column| cast(column, &DType::Float64, CastMode::Wrap, exec));
        let floats = floats.collect::<Result<Vec<_>>>()?;
        let views = floats.iter().map(|column| Ok(column.view()?.as_fixed()?)).collect::<Result<Vec<_>>>()?;
        let found = co_moments(&views, &centers.view()?.as_fixed()?, exec)?;
        let columns = [
            ("n", found.n),
            ("x", found.x),
            ("y", found.y),
            ("xx", found.xx),
            ("yy", found.yy),
            ("xy", found.xy),
        ];
        let columns = columns
            .map(|(name, data)| Ok((name, Column::from_data(DType::Float64, ColumnData::Fixed(data))?)));
        ColumnAccessor::from_columns(columns.into_iter().collect::<Result<Vec<_>>>()?)
    })?;
    let mut parts = parts.into_iter();
    let first = parts.next().ok_or(Error::Internal { invariant: "there is a chunk" })?;
    parts.try_fold(first, |sums, part| {
        let both = by_position(sums.columns().iter().chain(part.columns()), sums.rows())?;
        let add = |(at, label): (usize, &Label)| {
            (col(at.to_string()) + col((sums.len() + at).to_string())).alias(label.clone())
        };
        let exprs: Vec<Expr> = sums.labels().iter().enumerate().map(add).collect();
        ColumnAccessor::from_columns(evaluate_rows(&exprs, &both, exec)?)
    })
}

/// The pairs whose sums do not give their result: the mean of their rows is far from that of their columns, or a value in a
/// row that is not theirs is not finite.
fn pairs_apart(rows: &ColumnAccessor, sums: &ColumnAccessor, exec: &Exec) -> Result<Vec<usize>> {
    let lost = |sum: &str, x: &str| left(sum, x, x).lt(col(sum) * LEAST_LEFT);
    let mut is_apart = lost("xx", "x").or(lost("yy", "y"));
    if rows.columns().iter().any(|column| column.mask().is_some()) {
        let is_finite = |sum: &str| (col(sum) - col(sum)).eq(0.0);
        is_apart = is_apart.or(!is_finite("xx")).or(!is_finite("yy")).or(!is_finite("xy"));
    }
    let is_apart = col("n").gt(0.0).and(is_apart);
    let mask = evaluate_rows(&[is_apart], sums, exec)?.swap_remove(0).1;
    let numbers = by_position([&row_numbers(0, sums.rows(), sums.rows(), exec)?], sums.rows())?;
    let found = cast(&apply_mask(&numbers, &mask, exec)?.columns()[0], &DType::Int64, CastMode::Wrap, exec)?;
    let found = found.to_vec::<i64>()?;
    found
        .into_iter()
        .map(|pair| usize::try_from(pair).map_err(|_| Error::Internal { invariant: "pairs have numbers" }))
        .collect()
}
