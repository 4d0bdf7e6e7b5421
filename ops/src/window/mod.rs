//! Row functions and aggregates by group that give a value for each row.
//!
//! Before an expression is evaluated, its row functions and the aggregates in it are computed as columns, and the
//! expression is evaluated over them.

mod cumulative;
mod fill;
mod rank;
mod shift;
#[cfg(test)]
mod tests;

use crate::expression::{Cumulative, Expr, Node, RowFunction, col, evaluate_rows};
use crate::groupby::NullKeys;
use crate::groupby::aggregate_by;
use crate::groupby::grouped_rows::{GroupedRows, SortedRows, compute, numbers, row_map, take};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Levels, Result};
use columnade_kernels::copying::scatter::scatter;

/// What an aggregate is that is not computed by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BareAggregates {
    /// The aggregate of all rows, for each row.
    Broadcast,
    /// It stays in the expression.
    Keep,
}

/// Whether an expression has row functions, or aggregates if `aggregates` says so.
pub(crate) fn is_windowed(expr: &Expr, aggregates: BareAggregates) -> bool {
    match expr.node() {
        Node::RowFunction(..) | Node::Over(..) => true,
        Node::Aggregate(..) | Node::Statistic(..) | Node::Len if aggregates == BareAggregates::Broadcast => {
            true
        }
        _ => expr.children().into_iter().any(|child| is_windowed(child, aggregates)),
    }
}

/// The expressions without row functions, and the frame with their results as columns. All rows are processed at a time.
///
/// # Errors
/// Those of the functions, with the function as context.
pub(crate) fn materialize(
    exprs: &[Expr],
    frame: &ColumnAccessor,
    aggregates: BareAggregates,
    exec: &Exec,
) -> Result<(Vec<Expr>, ColumnAccessor)> {
    // Results have labels of one level.
    let frame = frame.clone().relevel(Levels::default())?;
    with_retry_no_split(exec, |exec| {
        let mut windows = Windows { rows: frame.clone(), computed: Vec::new(), aggregates, exec };
        let replaced = exprs.iter().map(|expr| Ok(windows.replace(expr, &[])?.alias(expr.label())));
        let replaced = replaced.collect::<Result<Vec<_>>>()?;
        Ok((replaced, windows.rows))
    })
}

/// The rows, with a column for each row function so far.
struct Windows<'a> {
    rows: ColumnAccessor,
    /// The functions that have a column, as text with their keys.
    computed: Vec<(String, Label)>,
    aggregates: BareAggregates,
    exec: &'a Exec,
}

impl Windows<'_> {
    /// The expression with columns for the functions in it, which are computed by `keys`.
    fn replace(&mut self, expr: &Expr, keys: &[Expr]) -> Result<Expr> {
        match expr.node() {
            Node::Over(function, keys) => self.replace(function, keys),
            Node::RowFunction(function, arguments) => self.computed(expr, keys, |windows, groups| {
                let argument = match arguments.first() {
                    Some(argument) => {
                        let argument = windows.replace(argument, keys)?;
                        Some(windows.column(&argument)?)
                    }
                    None => None,
                };
                row_function(*function, argument.as_ref(), &groups)
            }),
            Node::Aggregate(..) | Node::Statistic(..) | Node::Len
                if !keys.is_empty() || self.aggregates == BareAggregates::Broadcast =>
            {
                self.computed(expr, keys, |windows, groups| {
                    let of_groups = aggregate_by(expr, &windows.rows, &groups)?;
                    groups.broadcast(&of_groups)
                })
            }
            _ => {
                let children = expr.children().into_iter().map(|child| self.replace(child, keys));
                Ok(expr.with_children(children.collect::<Result<_>>()?))
            }
        }
    }

    /// A column with what `compute` makes of the groups by `keys`; computed once for equal functions.
    fn computed(
        &mut self,
        expr: &Expr,
        keys: &[Expr],
        compute: impl FnOnce(&mut Self, GroupedRows<'_>) -> Result<Column>,
    ) -> Result<Expr> {
        let text = format!("{expr:?} {keys:?}");
        if let Some((_, label)) = self.computed.iter().find(|(other, _)| *other == text) {
            return Ok(col(label.clone()));
        }
        let mut by = Vec::with_capacity(keys.len());
        for key in keys {
            by.push(self.column(key)?);
        }
        let exec = self.exec;
        let groups =
            GroupedRows::new(&by.iter().collect::<Vec<_>>(), self.rows.rows(), NullKeys::Drop, exec)?;
        let column = compute(self, groups).map_err(|error| error.in_expression(expr))?;
        let mut label = format!("window {}", self.computed.len());
        while self.rows.contains(&*label) {
            label.push('\'');
        }
        self.rows.insert(label.clone(), column)?;
        self.computed.push((text, label.clone().into()));
        Ok(col(label))
    }

    fn column(&self, expr: &Expr) -> Result<Column> {
        Ok(evaluate_rows(std::slice::from_ref(expr), &self.rows, self.exec)?.swap_remove(0).1)
    }
}

/// The function of each row by group, in the order of the rows.
fn row_function(
    function: RowFunction,
    argument: Option<&Column>,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    let ordered = Ordered::new(groups)?;
    let values = || argument.ok_or(Error::Internal { invariant: "the row function has an argument" });
    match function {
        RowFunction::RowNumber => ordered.in_row_order(&ordered.compute(&[], col("row") - col("start") + 1)?),
        RowFunction::Cumulative(Cumulative::Count) => cumulative::count(values()?, &ordered),
        RowFunction::Cumulative(kind) => cumulative::cumulative(kind, values()?, &ordered),
        RowFunction::Rank(by) => rank::rank(by, values()?, groups),
        RowFunction::Shift(n) => shift::shift(n, values()?, &ordered),
        RowFunction::FillForward(limit) => fill::forward(values()?, limit, &ordered),
        RowFunction::FillBackward(limit) => fill::backward(values()?, limit, &ordered),
    }
}

/// The rows ordered by group, with the bounds of each row's group.
struct Ordered<'a> {
    sorted: SortedRows,
    /// Where the group of each ordered row begins; null for rows of no group.
    start: Column,
    /// Where it ends.
    end: Column,
    /// 0, 1, 2 … for the ordered rows.
    positions: Column,
    exec: &'a Exec,
}

impl<'a> Ordered<'a> {
    fn new(groups: &GroupedRows<'a>) -> Result<Self> {
        Self::of(groups, groups.sorted()?.clone())
    }

    fn of(groups: &GroupedRows<'a>, sorted: SortedRows) -> Result<Self> {
        let exec = groups.exec;
        let start = take(&groups.broadcast(&sorted.starts)?, &sorted.rows, exec)?;
        let size = take(&groups.broadcast(&sorted.sizes)?, &sorted.rows, exec)?;
        let end = compute(&[("start", &start), ("size", &size)], col("start") + col("size"), exec)?;
        Ok(Self { sorted, start, end, positions: groups.positions()?, exec })
    }

    /// The values in the order of the groups.
    fn values(&self, values: &Column) -> Result<Column> {
        take(values, &self.sorted.rows, self.exec)
    }

    /// An expression over the ordered rows: their positions `row`, the bounds `start` and `end` of their groups, and
    /// further columns.
    fn compute(&self, columns: &[(&str, &Column)], expr: Expr) -> Result<Column> {
        let bounds = [("row", &self.positions), ("start", &self.start), ("end", &self.end)];
        compute(&bounds.iter().chain(columns).copied().collect::<Vec<_>>(), expr, self.exec)
    }

    /// Ordered values in the order of the rows.
    fn in_row_order(&self, ordered: &Column) -> Result<Column> {
        take(ordered, &inverse(&self.sorted.rows, self.exec)?, self.exec)
    }
}

/// Where each row is among the ordered rows.
fn inverse(rows: &Column, exec: &Exec) -> Result<Column> {
    let positions = numbers(rows.size(), exec)?;
    let map = row_map(rows, exec)?;
    let data = scatter(&positions.view()?, &map, &positions.view()?, exec)?;
    Column::from_data(DType::Int64, data)
}
