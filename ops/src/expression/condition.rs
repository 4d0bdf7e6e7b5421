//! Conditions on single aggregates.

use super::shared::{Rewritten, Search, search};
use super::{Expr, Literal, Node, evaluate_rows, lit, when};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, ErrorKind, Label, Result};

impl Expr {
    /// An aggregate of the rows for which `condition` is true: `col("a").sum().filter(c)` or `col("a").filter(c).sum()`. The
    /// groups, and other aggregates, are not affected.
    ///
    /// A value that cannot be computed is an error only in rows that are kept.
    ///
    /// On an expression of several aggregates it is a condition of each of them. Within one aggregate several conditions all
    /// hold.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").sum().filter(col("y").lt(1)))?, "3");
    /// assert_eq!(show(col("x").filter(col("y").lt(1)).sum())?, "3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` outside of aggregates, `UnsupportedDType` for a condition that is not boolean.
    ///
    /// # Source
    /// Polars `Expr.filter`, SQL `FILTER (WHERE …)`.
    pub fn filter(self, condition: impl Into<Expr>) -> Expr {
        filtered(&self, &condition.into(), &mut Rewritten::default())
    }
}

fn filtered(expr: &Expr, condition: &Expr, known: &mut Rewritten) -> Expr {
    if let Some(filtered) = known.get(expr) {
        return filtered;
    }
    let made = if let Node::Aggregate(aggregation, argument) = expr.node() {
        Expr::new(Node::Aggregate(*aggregation, kept(argument, condition)))
    } else if let Node::Statistic(statistic, arguments) = expr.node() {
        let mut arguments = arguments.clone();
        if let Some(first) = arguments.first_mut() {
            *first = kept(first, condition);
        }
        Expr::new(Node::Statistic(statistic.clone(), arguments))
    } else if let Node::Len = expr.node() {
        null_unless(condition.clone(), lit(true)).count().alias(expr.label())
    } else if let Node::Alias(aliased, label) = expr.node() {
        filtered(aliased, condition, known).alias(label.clone())
    } else if has_aggregate(expr) {
        let child = |child: &Expr| {
            if has_aggregate(child) { filtered(child, condition, known) } else { child.clone() }
        };
        let children = expr.children().into_iter().map(child).collect();
        expr.with_children(children)
    } else {
        kept(expr, condition)
    };
    known.insert(expr, &made);
    made
}

fn kept(argument: &Expr, condition: &Expr) -> Expr {
    Expr::new(Node::Filter(argument.clone(), condition.clone()))
}

/// Row functions and windows are values of rows.
fn has_aggregate(expr: &Expr) -> bool {
    search(expr, &mut |expr| {
        let is_aggregate = matches!(expr.node(), Node::Aggregate(..) | Node::Statistic(..) | Node::Len);
        let is_of_rows = matches!(expr.node(), Node::RowFunction(..) | Node::Over(..));
        if is_of_rows { Search::Beside } else { Search::found(is_aggregate) }
    })
}

/// The argument of an aggregate that skips nulls: rows that its conditions drop are null, whatever is made of the values
/// on the way.
pub(crate) fn with_nulls(argument: &Expr) -> Expr {
    match split(argument) {
        (_, None) => argument.clone(),
        (values, Some(condition)) => null_unless(condition, values),
    }
}

/// Values that are null in rows for which a condition is not true.
pub(crate) fn null_unless(condition: Expr, values: Expr) -> Expr {
    when(condition).then(values).otherwise(lit(Literal::Null))
}

/// The arguments of aggregates, each with the condition of its rows, or what they are where the values of other rows are null:
/// an error of a value counts only in rows that are kept.
///
/// # Errors
/// Those of evaluating them; [`Error::Memory`].
pub(crate) fn evaluate_arguments(
    arguments: &[(Expr, Option<Expr>)],
    rows: &ColumnAccessor,
    exec: &Exec,
) -> Result<Vec<(Label, Column)>> {
    let values: Vec<Expr> = arguments.iter().map(|(values, _)| values.clone()).collect();
    match evaluate_rows(&values, rows, exec) {
        Err(error) if is_of_values(&error) && arguments.iter().any(|(_, condition)| condition.is_some()) => {
            let kept = arguments.iter().map(|(values, condition)| match condition {
                Some(condition) => null_unless(condition.clone(), values.clone()).alias(values.label()),
                None => values.clone(),
            });
            evaluate_rows(&kept.collect::<Vec<_>>(), rows, exec)
        }
        evaluated => evaluated,
    }
}

/// Whether an error is of a value, so that it counts only in rows that take part.
pub(crate) fn is_of_values(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Overflow | ErrorKind::Value | ErrorKind::Index)
}

/// An aggregate or its argument without the conditions in it, and the condition that all of them hold.
pub(crate) fn split(aggregate: &Expr) -> (Expr, Option<Expr>) {
    let mut conditions = Vec::new();
    let without = without(aggregate, &mut conditions, &mut Rewritten::default());
    (without, conditions.into_iter().reduce(Expr::and))
}

fn without(expr: &Expr, conditions: &mut Vec<Expr>, known: &mut Rewritten) -> Expr {
    if let Some(without) = known.get(expr) {
        return without;
    }
    let made = if let Node::Filter(values, condition) = expr.node() {
        conditions.push(condition.clone());
        without(values, conditions, known)
    } else {
        let children = expr.children().into_iter().map(|child| without(child, conditions, known)).collect();
        expr.with_children(children)
    };
    known.insert(expr, &made);
    made
}
