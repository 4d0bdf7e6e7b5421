//! Evaluation of expressions.

use super::branches::{Guarded, Matters, guarded, with_guards};
use super::lower::{Columns, column_bytes, is_output_column};
use super::scope::Scope;
use super::typed::{TypedNode, boolean, resolve_in, resolve_output_in};
use super::{Expr, Lowered, Typed, columns_of};
use crate::out_of_core::{Driver, MemoryEstimate, by_position};
use crate::window::{is_windowed, materialize};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::expression::evaluate::evaluate_where;
use columnade_kernels::{ColumnData, Storage};

/// Evaluates the expressions and returns their columns with labels. A plain column is passed on without a
/// copy. Rows that exceed the budget are evaluated in chunks.
///
/// # Errors
/// [`Error::ColumnNotFound`], errors of dtypes, [`Error::InvalidArgument`] for a constant that does not fit,
/// [`Error::Overflow`] for a value that does not fit its dtype in a row that takes part (integer arithmetic wraps unless it is
/// checked), [`Error::ValueOverflow`] of a cast, [`Error::NotImplemented`], [`Error::Memory`]. A row takes part in a branch of a
/// condition if it takes it, and in an operand of `and` and `or` if the other operand does not decide: beside false, the
/// other operand of `and` may overflow.
///
/// # Device
/// One fused pass for all expressions on the host. On a device, one launch for consecutive steps of up to 64 bits each, and one
/// for each other step.
pub fn evaluate(exprs: &[Expr], frame: &ColumnAccessor, exec: &Exec) -> Result<Vec<(Label, Column)>> {
    evaluate_what(exprs, Matters::Values, frame, exec)
}

fn evaluate_what(
    exprs: &[Expr],
    matters: Matters,
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Vec<(Label, Column)>> {
    exprs.iter().try_for_each(Expr::check_levels)?;
    if exprs.iter().any(is_windowed) {
        let read = frame.select(columns_of(exprs))?;
        let (exprs, rows) = materialize(exprs, &read, exec)?;
        return evaluate_with(&exprs, matters, &rows, Driver::new(exec));
    }
    evaluate_with(exprs, matters, frame, Driver::new(exec))
}

pub(super) fn evaluate_with(
    exprs: &[Expr],
    matters: Matters,
    frame: &ColumnAccessor,
    driver: Driver<'_>,
) -> Result<Vec<(Label, Column)>> {
    let read = frame.select(columns_of(exprs))?;
    let scope = Scope::new(frame);
    let typed = exprs.iter().map(|expr| resolve_output_in(expr, &scope)).collect::<Result<Vec<_>>>()?;
    let plain = typed.iter().map(|typed| {
        if let TypedNode::Column(label) = &typed.node { frame.get(label).map(Some) } else { Ok(None) }
    });
    let plain = plain.collect::<Result<Vec<_>>>()?;
    let estimate = |rows: &ColumnAccessor| {
        let bytes = rows.row_bytes()?;
        let functions = column_bytes(&typed, bytes, rows.rows());
        Ok(MemoryEstimate::new(
            bytes,
            functions.saturating_add(size_of::<i128>() * rows.rows() * exprs.len()),
        ))
    };
    let values = driver.row_by_row(&read, estimate, |rows, exec| {
        let columns = evaluate_rows_what(exprs, matters, rows, exec)?;
        let computed = columns.iter().zip(&plain).filter(|(_, plain)| plain.is_none());
        by_position(computed.map(|((_, column), _)| column), rows.rows())
    })?;
    let mut values = values.columns().iter();
    let columns = exprs.iter().zip(plain).map(|(expr, plain)| {
        let column = plain.or_else(|| values.next()).ok_or_else(no_result)?;
        Ok((expr.label(), column.clone()))
    });
    columns.collect()
}

fn no_result() -> Error {
    Error::Internal { invariant: "each expression has a result" }
}

/// [`evaluate`] of all rows at once.
pub(crate) fn evaluate_rows(
    exprs: &[Expr],
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Vec<(Label, Column)>> {
    evaluate_rows_what(exprs, Matters::Values, frame, exec)
}

fn evaluate_rows_what(
    exprs: &[Expr],
    matters: Matters,
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Vec<(Label, Column)>> {
    RowsOf { exprs, matters, filter: None, frame, exec }.evaluate()
}

/// [`evaluate_rows`]; with a filter, errors of values count only in rows where it is true.
pub(crate) fn evaluate_rows_where(
    exprs: &[Expr],
    filter: Option<&Expr>,
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Vec<(Label, Column)>> {
    RowsOf { exprs, matters: Matters::Values, filter, frame, exec }.evaluate()
}

/// Expressions of all rows at once.
struct RowsOf<'a> {
    exprs: &'a [Expr],
    /// Of one expression it may only matter where it is true.
    matters: Matters,
    filter: Option<&'a Expr>,
    frame: &'a ColumnAccessor,
    exec: &'a Exec,
}

impl RowsOf<'_> {
    fn evaluate(&self) -> Result<Vec<(Label, Column)>> {
        let scope = Scope::new(self.frame);
        let typed = self.exprs.iter().map(|expr| resolve_output_in(expr, &scope));
        let typed = typed.collect::<Result<Vec<_>>>()?;
        let predicate = self.filter.map(|filter| resolve_in(filter, &scope).map(boolean)).transpose()?;
        if let (Some(expr), Some(predicate)) = (self.filter, &predicate)
            && predicate.dtype != DType::Bool
        {
            return Err(Error::NotBoolean { dtype: predicate.dtype.clone() }.in_expression(expr));
        }
        let all = || typed.iter().chain(&predicate).collect();
        with_guards(all, |guards| self.evaluate_guarded(&typed, predicate.as_ref(), guards))
    }

    fn evaluate_guarded(
        &self,
        typed: &[Typed],
        predicate: Option<&Typed>,
        guards: Guarded,
    ) -> Result<Vec<(Label, Column)>> {
        let (exprs, filter, exec) = (self.exprs, self.filter, self.exec);
        let is_computed = |typed: &Typed| !is_output_column(typed);
        let typed = typed.iter().map(|typed| guarded(typed.clone(), predicate, self.matters, guards));
        let typed = typed.collect::<Result<Vec<_>>>()?;
        let predicate = predicate.map(|predicate| guarded(predicate.clone(), None, Matters::Truth, guards));
        let predicate = predicate.transpose()?;
        let computed = exprs.iter().zip(&typed).filter(|(_, typed)| is_computed(typed));
        let computed: Vec<_> = computed.chain(filter.into_iter().zip(&predicate)).collect();
        let mut shared = Columns::new(typed.iter().chain(&predicate), self.frame, exec);
        let lowered = Lowered::within(&computed, &mut shared)?;
        let rows = self.frame.rows();
        let is_filter = filter.is_some() || self.matters == Matters::Truth;
        let filter = if is_filter { lowered.outputs.last().copied() } else { None };
        // A column that is no boolean is refused by its caller.
        let filter = filter.filter(|filter| lowered.program.storage(*filter) == Some(Storage::Bit));
        let (program, outputs) = (&lowered.program, &lowered.outputs);
        let data = evaluate_where(program, &lowered.views()?, rows, outputs, filter, exec);
        let mut data = data.map_err(|error| lowered.locate(error, rows, filter, exec))?.into_iter();
        let mut columns = Vec::with_capacity(exprs.len());
        for (expr, typed) in exprs.iter().zip(&typed) {
            let column = if is_computed(typed) {
                let data = ColumnData::Fixed(data.next().ok_or_else(no_result)?);
                Column::from_data(typed.dtype.clone(), data)?
            } else {
                shared.compute(expr, typed)?
            };
            columns.push((expr.label(), column));
        }
        Ok(columns)
    }
}

/// The boolean value of a predicate in each row, as a filter: where it is not true it may be false or null.
///
/// # Errors
/// Those of [`evaluate`], which count only in rows where the value matters: `k >= 1` that is false or null decides
/// `(k >= 1) & (d * d > 1)`, whichever operand comes first; [`Error::NotBoolean`] if the expression is not boolean.
pub fn evaluate_mask(predicate: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    mask(predicate, evaluate_what(std::slice::from_ref(predicate), Matters::Truth, frame, exec)?, exec)
}

/// [`evaluate_mask`] of all rows at once.
pub(crate) fn evaluate_mask_rows(predicate: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    mask(predicate, evaluate_rows_what(std::slice::from_ref(predicate), Matters::Truth, frame, exec)?, exec)
}

fn mask(predicate: &Expr, mut evaluated: Vec<(Label, Column)>, exec: &Exec) -> Result<Column> {
    let (_, column) = evaluated.swap_remove(0);
    if column.dtype() == DType::Bool {
        return Ok(column);
    }
    if column.dtype() == DType::Null {
        return Column::full_null(&DType::Bool, column.size(), exec);
    }
    Err(Error::NotBoolean { dtype: column.dtype() }.in_expression(predicate))
}
