//! Expressions to columns.

use super::typed::TypedNode;
use super::{Expr, Lowered, Typed, resolve};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::{ColumnData, expression};

/// The columns that the expressions give, with their labels. A plain column is passed on, not copied.
///
/// # Errors
/// [`Error::ColumnNotFound`], errors of dtypes, [`Error::InvalidArgument`] for a constant that does not fit,
/// [`Error::Overflow`] for a decimal of more than 38 digits, [`Error::NotImplemented`], [`Error::Memory`].
///
/// # Device
/// One fused pass for all expressions on the host; one launch a step elsewhere.
pub fn evaluate(exprs: &[Expr], frame: &ColumnAccessor, exec: &Exec) -> Result<Vec<(Label, Column)>> {
    let typed = exprs.iter().map(|expr| resolve(expr, frame)).collect::<Result<Vec<_>>>()?;
    let computed: Vec<&Typed> =
        typed.iter().filter(|typed| !matches!(typed.node, TypedNode::Column(_))).collect();
    let lowered = Lowered::new(computed.iter().copied(), frame, exec)?;
    let rows = frame.rows();
    let data =
        expression::evaluate::evaluate(&lowered.program, &lowered.views()?, rows, &lowered.outputs, exec)?;
    let mut data = data.into_iter();
    let mut columns = Vec::with_capacity(exprs.len());
    for (expr, typed) in exprs.iter().zip(typed) {
        let column = if let TypedNode::Column(label) = &typed.node {
            frame.get(label)?.clone()
        } else {
            let data = data
                .next()
                .ok_or(Error::NotImplemented { feature: "an expression without a result".into() })?;
            Column::from_data(typed.dtype, ColumnData::Fixed(data))?
        };
        columns.push((expr.label(), column));
    }
    Ok(columns)
}

/// The truth of a predicate in each row.
///
/// # Errors
/// As [`evaluate`]; [`Error::UnsupportedDType`] when the expression is not boolean.
pub fn evaluate_mask(predicate: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    let (label, column) = evaluate(std::slice::from_ref(predicate), frame, exec)?.swap_remove(0);
    if column.dtype() == DType::Bool {
        return Ok(column);
    }
    Err(Error::UnsupportedDType { op: "filter", dtype: column.dtype() }.in_column("filter", label))
}
