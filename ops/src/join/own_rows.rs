//! Aggregates and row functions in the condition of a join: each is of all rows of one side.

use super::PairCondition;
use super::join_rows::JoinedSide;
use crate::expression::shared::Rewritten;
use crate::expression::{Expr, Node, col, columns_of, evaluate};
use crate::window::is_windowed;
use columnade_buffers::Exec;
use columnade_columns::{Column, Error, Label, Result};

/// Computes the aggregates and row functions of a condition, whose columns are those of the sides, as further columns of the
/// side that they read, and has the condition read these.
///
/// # Errors
/// [`Error::InvalidArgument`] for an aggregate or a row function that reads columns of both sides, or none; those of
/// [`evaluate`].
pub(super) fn compute_own_rows(
    condition: &mut PairCondition,
    sides: &mut [JoinedSide; 2],
    exec: &Exec,
) -> Result<()> {
    if !is_windowed(&condition.predicate) {
        return Ok(());
    }
    condition.predicate.check_levels()?;
    let mut own_rows =
        OwnRows { condition, sides, computed: Vec::new(), replaced: Rewritten::default(), exec };
    let predicate = own_rows.replace(&own_rows.condition.predicate)?;
    let computed = own_rows.computed;
    for (label, side, column) in computed {
        let rows = &mut sides[side].rows;
        condition.columns.push((label, side, rows.len()));
        rows.insert(rows.len().to_string(), column)?;
    }
    let read = columns_of([&predicate]);
    condition.columns.retain(|column| read.contains(&column.0));
    condition.predicate = predicate;
    Ok(())
}

struct OwnRows<'a> {
    condition: &'a PairCondition,
    sides: &'a [JoinedSide; 2],
    /// The columns that are to be added: their label in the condition, the side and the values.
    computed: Vec<(Label, usize, Column)>,
    replaced: Rewritten,
    exec: &'a Exec,
}

impl OwnRows<'_> {
    /// The expression with columns for the aggregates and row functions in it.
    fn replace(&mut self, expr: &Expr) -> Result<Expr> {
        if !is_windowed(expr) {
            return Ok(expr.clone());
        }
        if let Some(known) = self.replaced.get(expr) {
            return Ok(known);
        }
        let replaced = if let Node::RowFunction(..)
        | Node::Over(..)
        | Node::Aggregate(..)
        | Node::Statistic(..)
        | Node::Len = expr.node()
        {
            self.computed(expr)?
        } else {
            expr.try_map_children(|child| self.replace(child))?
        };
        self.replaced.insert(expr, &replaced);
        Ok(replaced)
    }

    /// A column of what is computed with all rows of a side.
    fn computed(&mut self, expr: &Expr) -> Result<Expr> {
        let read = columns_of([expr]);
        let columns = self.condition.columns.iter().filter(|column| read.contains(&column.0));
        let mut sides: Vec<usize> = columns.map(|column| column.1).collect();
        sides.dedup();
        let [side] = sides[..] else {
            let which = if sides.is_empty() { "none" } else { "both" };
            let reason = format!("{expr} is of the rows of one side, and reads columns of {which}");
            return Err(Error::InvalidArgument { name: "condition", reason });
        };
        let rows = self.condition.of_side(side, &self.sides[side].rows)?;
        let (_, column) = evaluate(std::slice::from_ref(expr), &rows, self.exec)?.swap_remove(0);
        let mut number = self.computed.len();
        let is_used = |label: &Label| {
            self.condition.columns.iter().map(|column| &column.0).any(|used| used == label)
                || self.computed.iter().any(|column| column.0 == *label)
        };
        let mut label = Label::from(number.to_string());
        while is_used(&label) {
            number += 1;
            label = Label::from(number.to_string());
        }
        self.computed.push((label.clone(), side, column));
        Ok(col(label))
    }
}
