//! Aggregates of several expressions in each row.

use crate::expression::{Elementwise, Expr, Literal, lit, when};
use columnade_columns::DType;

/// Expressions that are combined one after the other. More are combined in groups, so that the levels of the whole are few.
const IN_SEQUENCE: usize = 1000;

/// All expressions as one, called as the first one; `empty` without any.
fn combined(mut parts: Vec<Expr>, empty: Expr, combine: fn(Expr, Expr) -> Expr) -> Expr {
    let Some(label) = parts.first().map(Expr::label) else { return empty };
    while parts.len() > IN_SEQUENCE {
        let groups = parts.chunks(IN_SEQUENCE);
        parts = groups.filter_map(|group| group.iter().cloned().reduce(combine)).collect();
    }
    parts.into_iter().reduce(combine).unwrap_or(empty).alias(label)
}

/// Whether values are true: numbers are unless they are 0, as `&` and `|` of integers would be of their bits.
fn truths<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Vec<Expr> {
    let truth = |expr: E| Expr::elementwise(Elementwise::Number(DType::Bool), vec![expr.into()]);
    exprs.into_iter().map(truth).collect()
}

fn exprs_of<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Vec<Expr> {
    exprs.into_iter().map(Into::into).collect()
}

/// The sum of several expressions in each row, in which a null counts as 0; 0 where all are null, null without expressions. Dtypes as of `+`. Called as
/// the first one. Add the expressions with `+` for a sum that is null where one is.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, sum_horizontal};
/// assert_eq!(show(sum_horizontal([col("x"), col("y")]))?, "5 5 3");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: those of `+`.
///
/// # Source
/// pandas `DataFrame.sum(axis=1)`, Polars `sum_horizontal`.
pub fn sum_horizontal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    let parts = exprs_of(exprs).into_iter().map(|part| part.fill_null(0)).collect();
    combined(parts, lit(Literal::Null), |a, b| a + b)
}

/// The mean of those of several expressions that are not null in each row, null where all are. Called as the first one.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, mean_horizontal};
/// assert_eq!(show(mean_horizontal([col("x"), col("y")]))?, "2.5 5.0 1.5");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: those of `+` and `/`.
///
/// # Source
/// pandas `DataFrame.mean(axis=1)`, Polars `mean_horizontal`.
pub fn mean_horizontal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    let parts = exprs_of(exprs);
    let Some(label) = parts.first().map(Expr::label) else { return lit(Literal::Null) };
    let valid = parts.iter().map(|part| part.clone().is_not_null().cast(DType::Int64)).collect();
    let valid = combined(valid, lit(0), |a, b| a + b);
    let count = when(valid.clone().gt(0)).then(valid).otherwise(Literal::Null);
    (sum_horizontal(parts) / count).alias(label)
}

/// Whether all of several values are true in each row: false where one is, else null where one is unknown. True without
/// expressions. Called as the first one. They are cast to booleans: of numbers 0 is false, and NaN is not zero.
///
/// ```
/// # use columnade_ops::expression::{example::show, all_horizontal, any_horizontal, col, lit};
/// assert_eq!(show(all_horizontal([col("flag"), lit(true)]))?, "true <NA> false");
/// assert_eq!(show(any_horizontal([col("flag"), col("x").gt(2)]))?, "true <NA> true");
/// assert_eq!(show(any_horizontal([col("y"), col("x")]))?, "true true true");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: those of casts to booleans.
///
/// # Source
/// pandas `DataFrame.all(axis=1)`, Polars `all_horizontal`.
pub fn all_horizontal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    combined(truths(exprs), lit(true), Expr::and)
}

/// Whether one of several values is true in each row: true where one is, else null where one is unknown. False without
/// expressions. Called as the first one; see [`all_horizontal`].
///
/// # Errors
/// The evaluating method: those of casts to booleans.
///
/// # Source
/// pandas `DataFrame.any(axis=1)`, Polars `any_horizontal`.
pub fn any_horizontal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Expr {
    combined(truths(exprs), lit(false), Expr::or)
}
