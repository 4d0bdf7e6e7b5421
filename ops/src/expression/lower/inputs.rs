//! The inputs of a program: columns of the frame, and columns that no step computes.

use super::numbers::{Number, Numbers};
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
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The inputs of the expressions that one program computes.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// The columns of the frame.
    pub(super) labels: Vec<Label>,
    /// Where each of them is.
    pub(super) places: HashMap<Label, usize>,
    /// The nodes that are columns before the program runs, and these.
    pub(super) computed: Vec<(Number, Column)>,
    /// The keys of tests of membership.
    pub(super) sets: Vec<(Number, SharedKeys)>,
    /// The nodes whose inputs are there.
    seen: HashSet<Number>,
}

impl Inputs {
    /// Adds the inputs of an expression.
    ///
    /// # Errors
    /// Those of computing them.
    pub(super) fn add<'a>(&mut self, expr: &Expr, typed: &'a Typed, columns: &mut Columns<'a>) -> Result<()> {
        let mut open = vec![typed];
        while let Some(typed) = open.pop() {
            let number = columns.numbers.of(typed)?;
            if self.seen.insert(number) && !self.add_node(expr, typed, number, columns)? {
                open.extend(typed.children().into_iter().rev());
            }
        }
        Ok(())
    }

    /// Adds a node, and says whether it is an input.
    fn add_node<'a>(
        &mut self,
        expr: &Expr,
        typed: &'a Typed,
        number: Number,
        columns: &mut Columns<'a>,
    ) -> Result<bool> {
        if let TypedNode::Column(label) = &typed.node {
            if let Entry::Vacant(place) = self.places.entry(label.clone()) {
                place.insert(self.labels.len());
                self.labels.push(label.clone());
            }
            return Ok(true);
        }
        if is_column(typed) {
            self.computed.push((number, columns.compute(expr, typed)?));
            return Ok(true);
        }
        if let TypedNode::IsIn(arg, values) = &typed.node
            && !is_dictionary_column(arg)
        {
            let Some(keys) = keys(arg, &*values.beside(&arg.dtype, columns.exec)?, columns.exec)? else {
                self.computed.push((number, columns.compute(expr, typed)?));
                return Ok(true);
            };
            self.sets.push((number, SharedKeys(Arc::new(keys))));
        }
        Ok(false)
    }
}

/// Whether an expression is a column before the program runs, since no step computes it: functions of columns, and
/// choices between values that no register holds.
pub(crate) fn is_column(typed: &Typed) -> bool {
    match &typed.node {
        TypedNode::Function(..) | TypedNode::OfColumns(..) | TypedNode::Decode(_) | TypedNode::OneRow(_) => {
            true
        }
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

/// Columns of expressions over one frame. One that several expressions use is computed once.
#[derive(Debug)]
pub(crate) struct Columns<'a> {
    pub(super) frame: &'a ColumnAccessor,
    pub(super) exec: &'a Exec,
    pub(super) numbers: Numbers<'a>,
    /// The columns of the nodes that are used more than once.
    known: HashMap<Number, Column>,
    /// The nodes for which those at and below them are known.
    below: HashSet<Number>,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(
        exprs: impl IntoIterator<Item = &'a Typed>,
        frame: &'a ColumnAccessor,
        exec: &'a Exec,
    ) -> Self {
        let mut numbers = Numbers::default();
        for typed in exprs {
            numbers.add(typed);
        }
        numbers.share(is_column);
        Self { frame, exec, numbers, known: HashMap::new(), below: HashSet::new() }
    }

    /// The column of an expression, whatever its dtype.
    ///
    /// # Errors
    /// Those of the evaluation; [`Error::NotImplemented`] for strings that are no part of a column.
    pub(crate) fn compute(&mut self, expr: &Expr, typed: &'a Typed) -> Result<Column> {
        if let TypedNode::Column(label) = &typed.node {
            return self.frame.get(label).cloned();
        }
        let number = self.numbers.of(typed)?;
        if let Some(known) = self.known.get(&number) {
            return Ok(known.clone());
        }
        self.compute_shared(expr, typed)?;
        let column = self.compute_node(expr, typed)?;
        if self.numbers.is_shared(number) {
            self.known.insert(number, column.clone());
        }
        Ok(column)
    }

    /// Computes the columns below a node that are used more than once, the lowest first, so that a deep expression does not
    /// take a deep stack.
    fn compute_shared(&mut self, expr: &Expr, typed: &'a Typed) -> Result<()> {
        let mut open: Vec<&'a Typed> = typed.children().into_iter().rev().collect();
        while let Some(&next) = open.last() {
            let number = self.numbers.of(next)?;
            if !self.below.contains(&number) {
                let count = open.len();
                for operand in next.children().into_iter().rev() {
                    if !self.below.contains(&self.numbers.of(operand)?) {
                        open.push(operand);
                    }
                }
                if open.len() > count {
                    continue;
                }
                self.below.insert(number);
                if is_column(next) && self.numbers.is_shared(number) && !self.known.contains_key(&number) {
                    let column = self.compute_node(expr, next)?;
                    self.known.insert(number, column);
                }
            }
            open.pop();
        }
        Ok(())
    }

    fn compute_all(&mut self, expr: &Expr, arguments: &'a [Typed]) -> Result<Vec<Column>> {
        let exec = self.exec;
        let argument = |argument| {
            let column = self.compute(expr, argument)?;
            // An operand has the values of a dictionary of other values than strings.
            if let Column::Categorical(column) = &column
                && !matches!(argument.dtype, DType::Dictionary(_))
            {
                return decode(column, exec);
            }
            Ok(column)
        };
        arguments.iter().map(argument).collect()
    }

    fn compute_node(&mut self, expr: &Expr, typed: &'a Typed) -> Result<Column> {
        let (frame, exec) = (self.frame, self.exec);
        if let TypedNode::Constant(scalar) = &typed.node {
            return Column::from_scalar(scalar, frame.rows(), exec);
        }
        if let TypedNode::OneRow(scalar) = &typed.node {
            return scalar.broadcast(frame.rows(), exec);
        }
        if let TypedNode::When { condition, then, otherwise } = &typed.node
            && is_column(typed)
        {
            let condition = self.compute(expr, condition)?;
            let (then, otherwise) = (self.compute(expr, then)?, self.compute(expr, otherwise)?);
            return copy_if_else(&condition, &then, &otherwise, exec);
        }
        if let TypedNode::Function(function, arguments) = &typed.node {
            let computed = function.compute(&self.compute_all(expr, arguments)?, exec);
            return computed.map_err(|error| in_expression(error.without_context(), expr));
        }
        if let TypedNode::Compare(op, left, right) = &typed.node
            && is_compound(&left.dtype)
        {
            let (left, right) = (self.compute(expr, left)?, self.compute(expr, right)?);
            return compare_compound(*op, &left, &right, exec);
        }
        if let TypedNode::OfColumns(function, arguments) = &typed.node {
            let made = function.run(&self.compute_all(expr, arguments)?, &typed.dtype, exec);
            return made.map_err(|error| in_expression(error, expr));
        }
        if let TypedNode::Decode(arg) = &typed.node {
            let values = self.compute(expr, arg)?;
            return if let Column::Categorical(column) = &values { decode(column, exec) } else { Ok(values) };
        }
        if let TypedNode::IsIn(arg, values) = &typed.node {
            let arg = self.compute(expr, arg)?;
            return members(&arg, &*values.beside(&arg.dtype(), exec)?, NullEquality::Unequal, exec);
        }
        let lowered = Lowered::within(&[(expr, typed)], self)?;
        let data = evaluate(&lowered.program, &lowered.views()?, frame.rows(), &lowered.outputs, exec);
        let data = data.map_err(|error| lowered.locate(error, frame.rows(), None, exec))?.into_iter().next();
        let data = data.ok_or(Error::Internal { invariant: "each expression has a result" })?;
        Column::from_data(typed.dtype.clone(), ColumnData::Fixed(data))
    }
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
