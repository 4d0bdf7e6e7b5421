//! The inputs of a program: columns of the frame, and columns that no step computes.

use super::{Lowered, in_expression, storage};
use crate::cast::decode;
use crate::comparing::compare_compound;
use crate::copying::copy_if_else;
use crate::distinct::members;
use crate::expression::Expr;
use crate::expression::typed::{Typed, TypedNode};
use crate::keys::is_compound;
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{BooleanColumn, Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::expression::evaluate::evaluate;
use columnade_kernels::expression::{SharedKeys, Source};
use columnade_kernels::joining::hash_join::NullEquality;
use columnade_kernels::searching::key_set::KeySet;
use columnade_kernels::{ColumnData, View};
use std::sync::Arc;

/// The inputs of the expressions that one program computes.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// The columns of the frame.
    pub(super) labels: Vec<Label>,
    /// The expressions that are columns before the program runs, and these.
    pub(super) computed: Vec<(Typed, Column)>,
    /// The keys of tests of membership.
    pub(super) sets: Vec<(Typed, SharedKeys)>,
}

impl Inputs {
    /// Adds the inputs of an expression.
    ///
    /// # Errors
    /// Those of computing them.
    pub(super) fn add(
        &mut self,
        expr: &Expr,
        typed: &Typed,
        frame: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<()> {
        if let TypedNode::Column(label) = &typed.node {
            if !self.labels.contains(label) {
                self.labels.push(label.clone());
            }
            return Ok(());
        }
        if is_column(typed) {
            return self.compute(expr, typed, frame, exec);
        }
        if let TypedNode::IsIn(arg, values) = &typed.node
            && !is_dictionary_column(arg)
            && self.sets.iter().all(|(known, _)| known != typed)
        {
            match keys(arg, values.column(), exec)? {
                Some(keys) => self.sets.push((typed.clone(), SharedKeys(Arc::new(keys)))),
                None => return self.compute(expr, typed, frame, exec),
            }
        }
        typed.children().into_iter().try_for_each(|child| self.add(expr, child, frame, exec))
    }

    fn compute(&mut self, expr: &Expr, typed: &Typed, frame: &ColumnAccessor, exec: &Exec) -> Result<()> {
        if self.computed.iter().all(|(known, _)| known != typed) {
            self.computed.push((typed.clone(), compute(expr, typed, frame, exec)?));
        }
        Ok(())
    }
}

/// Whether an expression is a column before the program runs, since no step computes it: functions of columns, and
/// choices between values that no register holds.
pub(crate) fn is_column(typed: &Typed) -> bool {
    match &typed.node {
        TypedNode::Function(..) | TypedNode::OfColumns(..) | TypedNode::Decode(_) => true,
        TypedNode::When { .. } => storage(&typed.dtype).is_err(),
        TypedNode::Compare(_, left, _) => is_compound(&left.dtype),
        TypedNode::Column(_)
        | TypedNode::Constant(_)
        | TypedNode::Arithmetic(..)
        | TypedNode::And(..)
        | TypedNode::Or(..)
        | TypedNode::Not(_)
        | TypedNode::Checked(..)
        | TypedNode::Negate(_)
        | TypedNode::Abs(_)
        | TypedNode::Round(..)
        | TypedNode::IsNull(_)
        | TypedNode::Cast(_)
        | TypedNode::Part(..)
        | TypedNode::Match(..)
        | TypedNode::Element(..)
        | TypedNode::IsIn(..) => false,
    }
}

/// Whether the result of an expression is a column without a program.
pub(crate) fn is_output_column(typed: &Typed) -> bool {
    let is_text = matches!(typed.node, TypedNode::Constant(_)) && storage(&typed.dtype).is_err();
    is_text || matches!(typed.node, TypedNode::Column(_)) || is_column(typed)
}

/// Whether an expression is a column of a dictionary of strings: tests of it are evaluated once a value.
pub(super) fn is_dictionary_column(typed: &Typed) -> bool {
    (matches!(typed.node, TypedNode::Column(_)) || is_column(typed))
        && matches!(typed.dtype, DType::Dictionary(_))
}

/// The values of `column` as bits, if those of `arg` are compared with them as integers.
fn keys(arg: &Typed, column: &Column, exec: &Exec) -> Result<Option<KeySet>> {
    let dtype = column.dtype();
    let is_same = (arg.dtype.is_integer() && dtype.is_integer()) || arg.dtype.same_values(&dtype);
    if !is_same || !arg.dtype.storage().is_some_and(KeySet::supports) {
        return Ok(None);
    }
    if let Column::Categorical(_) = column {
        return Ok(None);
    }
    Ok(KeySet::new(&column.view()?.as_fixed()?, exec)?)
}

/// The column of an expression, whatever its dtype.
///
/// # Errors
/// Those of the evaluation; [`Error::NotImplemented`] for strings that are no part of a column.
pub(crate) fn compute(expr: &Expr, typed: &Typed, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    if let TypedNode::Column(label) = &typed.node {
        return frame.get(label).cloned();
    }
    if let TypedNode::Constant(scalar) = &typed.node {
        return Column::from_scalar(scalar, frame.rows(), exec);
    }
    if let TypedNode::When { condition, then, otherwise } = &typed.node
        && is_column(typed)
    {
        let condition = compute(expr, condition, frame, exec)?;
        let (then, otherwise) = (compute(expr, then, frame, exec)?, compute(expr, otherwise, frame, exec)?);
        return copy_if_else(&condition, &then, &otherwise, exec);
    }
    if let TypedNode::Function(function, arguments) = &typed.node {
        let arguments = arguments.iter().map(|argument| compute(expr, argument, frame, exec));
        let computed = function.compute(&arguments.collect::<Result<Vec<_>>>()?, exec);
        return computed.map_err(|error| in_expression(error.without_context(), expr));
    }
    if let TypedNode::Compare(op, left, right) = &typed.node
        && is_compound(&left.dtype)
    {
        let (left, right) = (compute(expr, left, frame, exec)?, compute(expr, right, frame, exec)?);
        return compare_compound(*op, &left, &right, exec);
    }
    if let TypedNode::OfColumns(function, arguments) = &typed.node {
        let columns =
            arguments.iter().map(|arg| compute(expr, arg, frame, exec)).collect::<Result<Vec<_>>>()?;
        return function.run(&columns, &typed.dtype, exec);
    }
    if let TypedNode::Decode(arg) = &typed.node {
        let values = compute(expr, arg, frame, exec)?;
        return if let Column::Categorical(column) = &values { decode(column, exec) } else { Ok(values) };
    }
    if let TypedNode::IsIn(arg, values) = &typed.node {
        let arg = compute(expr, arg, frame, exec)?;
        return members(&arg, values.column(), NullEquality::Unequal, exec);
    }
    let lowered = Lowered::new(&[(expr, typed)], frame, exec)?;
    let data = evaluate(&lowered.program, &lowered.views()?, frame.rows(), &lowered.outputs, exec);
    let data = data.map_err(|error| lowered.locate(error))?.into_iter().next();
    let data = data.ok_or(Error::Internal { invariant: "each expression has a result" })?;
    Column::from_data(typed.dtype.clone(), ColumnData::Fixed(data))
}

/// A column as the program reads it. A dictionary of values other than strings is decoded. A dtype that no
/// kernel supports becomes booleans with the column's nulls, because only its nulls can be tested.
pub(super) fn input(column: &Column, exec: &Exec) -> Result<Column> {
    let (offset, size) = (column.offset(), column.size());
    match (column, column.mask()) {
        (Column::Categorical(column), _) if !column.dictionary().dtype().is_bytes() => decode(column, exec),
        (Column::Null(_), _) => Column::full_null(&DType::Bool, size, exec),
        (Column::Interval(_) | Column::List(_) | Column::Struct(_), Some(mask)) => {
            BooleanColumn::new(mask.clone(), Some(mask.clone()), offset, size).map(Column::Boolean)
        }
        (Column::Interval(_) | Column::List(_) | Column::Struct(_), None) => {
            let data = Buffer::zeroed(size.div_ceil(8), exec)?;
            BooleanColumn::new(data, None, 0, size).map(Column::Boolean)
        }
        _ => Ok(column.clone()),
    }
}

pub(super) fn source(column: &Column) -> Result<Source> {
    Ok(match column.view()? {
        View::Fixed(fixed) => Source::Fixed(fixed.storage),
        View::String(_) => Source::String,
    })
}
