//! The rows that the examples in the documentation of expressions read.

use super::{Expr, Node, evaluate};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, ListColumn, Result, Scalar, TimeUnit};

/// The values of an expression over the lists `[3, 1, null]`, `[]` and null of the column `l`, as text.
///
/// # Errors
/// Those of the evaluation.
pub fn show_lists(expr: Expr) -> Result<String> {
    let exec = Exec::host();
    let items = Column::from_options([Some(3_i64), Some(1), None], &exec)?;
    let lists = ListColumn::from_lengths(&items, [Some(3), Some(0), None], &exec)?;
    let rows = ColumnAccessor::from_columns([("l", Column::List(lists))])?;
    let column = evaluate(&[expr], &rows, &exec)?.swap_remove(0).1;
    let text: Vec<String> = column.to_scalars()?.iter().map(ToString::to_string).collect();
    Ok(text.join(" "))
}

/// The values of an expression over the rows that [`Expr`] shows, as text.
///
/// # Errors
/// Those of the evaluation.
pub fn show(expr: Expr) -> Result<String> {
    let exec = Exec::host();
    let temporal = |dtype: DType, texts: [&str; 2]| {
        let values =
            [Scalar::parse(&dtype, texts[0])?, Scalar::Null(dtype.clone()), Scalar::parse(&dtype, texts[1])?];
        Column::from_scalars(&dtype, &values, &exec)
    };
    let rows = ColumnAccessor::from_columns([
        ("x", Column::from_options([Some(1_i64), None, Some(3)], &exec)?),
        ("y", Column::from_values([4_i64, 5, 0], &exec)?),
        ("word", Column::from_options([Some("tea"), None, Some("oat")], &exec)?),
        ("flag", Column::from_options([Some(true), None, Some(false)], &exec)?),
        ("day", temporal(DType::Date32, ["2024-02-29", "1969-12-31"])?),
        ("at", temporal(DType::Timestamp(TimeUnit::Second), ["2024-02-29 13:45:10", "1969-12-31 00:00:59"])?),
    ])?;
    let exprs = [expr];
    let column = if matches!(exprs[0].unaliased().node(), Node::Aggregate(..) | Node::Len) {
        aggregate(&rows, None, &[], &exprs, GroupOptions::default(), &exec)?.columns()[0].clone()
    } else {
        evaluate(&exprs, &rows, &exec)?.swap_remove(0).1
    };
    let text: Vec<String> = column.to_scalars()?.iter().map(ToString::to_string).collect();
    Ok(text.join(" "))
}
