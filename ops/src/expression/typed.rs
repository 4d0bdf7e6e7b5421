//! Expressions with dtypes: every constant and every result has a dtype.

use super::comparison::{by_category, decode_both, with_one_order};
use super::decimals::{self, as_decimal};
use super::functions::{ColumnFunction, Element, bits, resolve_function};
use super::scope::Scope;
use super::times::{self, moved_date};
use super::weak::{self, adopt, constant};
use super::{Arithmetic, Comparison, Expr, Function, Literal, Match, Members, Node, OneRow, Part, lit};
use crate::cast::{CastErrors, CastMode, check_zone, is_by_column, is_nested, is_of_text};
use crate::strings::JoinNulls;
use columnade_columns::{
    ColumnAccessor, DType, Error, Label, MAX_PRECISION, Result, Scalar, TimeUnit, promote,
};
use columnade_kernels::elementwise::binary::BinaryOp;
use std::sync::Arc;

/// An expression and the dtype of its result. Cheap to clone: operands are shared.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) dtype: DType,
    pub(crate) node: TypedNode,
}

/// One node of a [`Typed`] graph. Operands that must have the same dtype do: casts are explicit. An operand that is used twice
/// is one node with two parents, which is visited once.
#[derive(Clone, Debug)]
pub(crate) enum TypedNode {
    Column(Label),
    Constant(Scalar),
    /// A value that its device has.
    OneRow(OneRow),
    /// Both sides numbers of the result's dtype, or decimals of any precision and scale; or a date and days; or of times, counts
    /// of units in 64 bits.
    Arithmetic(Arithmetic, Arc<Typed>, Arc<Typed>),
    /// Both sides of one dtype, or decimals of any precision and scale, times of any unit, or a 64-bit integer and a
    /// `float64`.
    Compare(Comparison, Arc<Typed>, Arc<Typed>),
    And(Arc<Typed>, Arc<Typed>),
    Or(Arc<Typed>, Arc<Typed>),
    Not(Arc<Typed>),
    /// As `Arithmetic`, of integers and times.
    Checked(Arithmetic, Arc<Typed>, Arc<Typed>),
    Negate(Arc<Typed>),
    Abs(Arc<Typed>),
    /// Of a number of the result's dtype, or a decimal of its scale.
    Round(Arc<Typed>, i32),
    IsNull(Arc<Typed>),
    Cast(Arc<Typed>),
    When {
        condition: Arc<Typed>,
        then: Arc<Typed>,
        otherwise: Arc<Typed>,
    },
    Part(Part, Arc<Typed>),
    Match(Match, Arc<Typed>, String),
    /// Of columns as they are, dictionaries among them.
    Function(Function, Arc<[Typed]>),
    /// The values of a dictionary of strings or binary.
    Decode(Arc<Typed>),
    /// Of a dtype that is equal to the members' by value.
    IsIn(Arc<Typed>, Members),
    /// Of the result's dtype.
    Element(Element, Arc<[Typed]>),
    /// Computed before the program runs.
    OfColumns(ColumnFunction, Arc<[Typed]>),
}

/// A resolved operand, or a constant without a dtype yet.
#[derive(Clone)]
pub(super) enum TypedOperand {
    Typed(Typed),
    Literal(Literal),
}

impl TypedOperand {
    /// The operand, a constant with the dtype that it has by itself.
    pub(super) fn standalone(self) -> Result<Typed> {
        Ok(match self {
            TypedOperand::Typed(typed) => typed,
            TypedOperand::Literal(literal) => constant(weak::standalone(&literal)?),
        })
    }

    /// Whether it has nothing but nulls, which have no dtype.
    fn is_untyped_null(&self) -> bool {
        matches!(self, TypedOperand::Typed(typed) if typed.dtype == DType::Null)
    }
}

/// Determines the dtypes of `expr` against the columns of `frame`.
///
/// # Errors
/// [`Error::ColumnNotFound`], [`Error::UnsupportedDType`], [`Error::DTypeMismatch`], or
/// [`Error::InvalidArgument`] for a constant that does not fit in the dtype that it is combined with.
/// Aggregates are errors: they belong to a group-by.
pub(crate) fn resolve(expr: &Expr, frame: &ColumnAccessor) -> Result<Typed> {
    resolve_in(expr, &Scope::new(frame))
}

/// [`resolve`], for expressions that share parts.
///
/// # Errors
/// [`Error::ColumnNotFound`], [`Error::UnsupportedDType`], [`Error::DTypeMismatch`], or [`Error::InvalidArgument`] for
/// a constant that does not fit in the dtype that it is combined with. Aggregates are errors: they belong to a
/// group-by.
pub(crate) fn resolve_in(expr: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    operand(expr, scope)?.standalone()
}

/// Like [`resolve`], for a requested expression: a plain column keeps its dtype and width.
///
/// # Errors
/// [`Error::ColumnNotFound`], [`Error::UnsupportedDType`], [`Error::DTypeMismatch`], or [`Error::InvalidArgument`] for
/// a constant that does not fit in the dtype that it is combined with. Aggregates are errors: they belong to a
/// group-by.
pub(crate) fn resolve_output(expr: &Expr, frame: &ColumnAccessor) -> Result<Typed> {
    resolve_output_in(expr, &Scope::new(frame))
}

/// [`resolve_output`], for expressions that share parts.
///
/// # Errors
/// [`Error::ColumnNotFound`], [`Error::UnsupportedDType`], [`Error::DTypeMismatch`], or [`Error::InvalidArgument`] for
/// a constant that does not fit in the dtype that it is combined with. Aggregates are errors: they belong to a
/// group-by.
pub(crate) fn resolve_output_in(expr: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    if let Node::Column(label) = expr.unaliased().node() {
        column(label, scope)
    } else {
        resolve_in(expr, scope)
    }
}

/// A column. Dictionaries of values other than strings are read as their values.
fn column(label: &Label, scope: &Scope<'_>) -> Result<Typed> {
    let mut dtype = scope.get(label)?.dtype();
    if let DType::Dictionary(dictionary) = &dtype
        && !dictionary.values.is_bytes()
    {
        dtype = dictionary.values.clone();
    }
    Ok(Typed { dtype, node: TypedNode::Column(label.clone()) })
}

/// An operand. One that several expressions share is resolved once.
pub(super) fn operand(expr: &Expr, scope: &Scope<'_>) -> Result<TypedOperand> {
    if let Some(known) = scope.known(expr) {
        return Ok(known);
    }
    expr.check_levels()?;
    // Operands before what uses them, so that a deep expression does not take a deep stack.
    let mut open: Vec<&Expr> = vec![expr];
    while let Some(&next) = open.last() {
        if scope.known(next).is_none() {
            let count = open.len();
            if resolves_operands(next) {
                open.extend(next.children().into_iter().rev().filter(|child| scope.known(child).is_none()));
            }
            if open.len() > count {
                continue;
            }
            let operand = unknown_operand(next, scope)?;
            scope.remember(next, operand);
        }
        open.pop();
    }
    scope.known(expr).ok_or(Error::Internal { invariant: "an expression is resolved after its operands" })
}

/// Whether an expression is made of its operands' values.
fn resolves_operands(expr: &Expr) -> bool {
    !matches!(
        expr.node(),
        Node::Aggregate(..)
            | Node::Statistic(..)
            | Node::Filter(..)
            | Node::RowFunction(..)
            | Node::Over(..)
            | Node::Len
    )
}

#[expect(clippy::too_many_lines, reason = "one arm a node")]
fn unknown_operand(expr: &Expr, scope: &Scope<'_>) -> Result<TypedOperand> {
    let typed = |dtype, node| Ok(TypedOperand::Typed(Typed { dtype, node }));
    let child = |expr: &Expr| resolve_in(expr, scope).map(Arc::new);
    match expr.node() {
        // A scalar keeps its dtype, as a column does.
        Node::Literal(Literal::Scalar(scalar)) => Ok(TypedOperand::Typed(constant(weak::valid(scalar)?))),
        Node::Literal(Literal::OneRow(scalar)) => scalar.resolve().map(TypedOperand::Typed),
        Node::Literal(literal) => Ok(TypedOperand::Literal(literal.clone())),
        Node::Alias(inner, _) => operand(inner, scope),
        Node::Column(label) => {
            let column = column(label, scope)?;
            // Arithmetic on decimals of any width uses the width of results.
            let dtype =
                if column.dtype.is_decimal() { column.dtype.canonical() } else { column.dtype.clone() };
            Ok(TypedOperand::Typed(cast(column, &dtype)))
        }
        Node::Arithmetic(op, left, right) => {
            Ok(TypedOperand::Typed(arithmetic(*op, expr, left, right, scope)?))
        }
        Node::Compare(op, left, right) => {
            let operands = (operand(left, scope)?, operand(right, scope)?);
            if operands.0.is_untyped_null() || operands.1.is_untyped_null() {
                return Ok(TypedOperand::Typed(constant(Scalar::Null(DType::Bool))));
            }
            let (left, right) = ((left, &operands.0), (right, &operands.1));
            if let Some(comparison) = by_category(*op, left, right, expr, scope)? {
                return Ok(TypedOperand::Typed(comparison));
            }
            let (left, right) = operands;
            let by_value = match (&left, &right) {
                (TypedOperand::Typed(column), TypedOperand::Literal(literal)) => {
                    weak::compare(*op, column, literal)
                }
                (TypedOperand::Literal(literal), TypedOperand::Typed(column)) => {
                    weak::compare(op.flipped(), column, literal)
                }
                _ => None,
            };
            if let Some(comparison) = by_value {
                return Ok(TypedOperand::Typed(comparison));
            }
            let (left, right) = unify(expr, left, right, true)?;
            if left.dtype == DType::Null {
                return Ok(TypedOperand::Typed(constant(Scalar::Null(DType::Bool))));
            }
            let (left, right) = decode_both(left, right);
            typed(DType::Bool, TypedNode::Compare(*op, Arc::new(left), Arc::new(right)))
        }
        Node::And(left, right) => Ok(TypedOperand::Typed(if are_integers(left, right, scope)? {
            bits(BinaryOp::BitAnd, expr, left, right, scope)?
        } else {
            let node = TypedNode::And(truth(left, scope)?, truth(right, scope)?);
            Typed { dtype: DType::Bool, node }
        })),
        Node::Or(left, right) => Ok(TypedOperand::Typed(if are_integers(left, right, scope)? {
            bits(BinaryOp::BitOr, expr, left, right, scope)?
        } else {
            let node = TypedNode::Or(truth(left, scope)?, truth(right, scope)?);
            Typed { dtype: DType::Bool, node }
        })),
        Node::Not(arg) => typed(DType::Bool, TypedNode::Not(truth(arg, scope)?)),
        Node::Negate(arg) => negative(expr, child(arg)?).map(TypedOperand::Typed),
        Node::CheckedNegate(arg) => {
            let arg = child(arg)?;
            let negative = negative(expr, Arc::clone(&arg))?;
            Ok(TypedOperand::Typed(checked_negative(&arg)?.unwrap_or(negative)))
        }
        Node::Checked(op, left, right) => {
            let arithmetic = arithmetic(*op, expr, left, right, scope)?;
            Ok(TypedOperand::Typed(checked(arithmetic)))
        }
        Node::Abs(arg) => magnitude(expr, child(arg)?).map(TypedOperand::Typed),
        Node::CheckedAbs(arg) => checked_magnitude(expr, child(arg)?).map(TypedOperand::Typed),
        Node::Round(arg, decimals) => {
            rounded(expr, resolve_in(arg, scope)?, *decimals).map(TypedOperand::Typed)
        }
        Node::FillNull(arg, value) => {
            let (arg, value) = unify(expr, operand(arg, scope)?, operand(value, scope)?, false)?;
            Ok(TypedOperand::Typed(filled(arg, value)))
        }
        Node::IsNull(arg) => Ok(TypedOperand::Typed(is_null(child(arg)?))),
        Node::IsNotNull(arg) => typed(DType::Bool, TypedNode::Not(Arc::new(is_null(child(arg)?)))),
        Node::Cast(_, dtype, _) if let Err(error) = dtype.validate() => Err(error.in_expression(expr)),
        Node::Cast(arg, dtype, mode) => Ok(TypedOperand::Typed(match operand(arg, scope)? {
            // A float is truncated, as a column of floats is.
            TypedOperand::Literal(literal @ Literal::Float(_)) if dtype.is_integer() => {
                explicit_cast(constant(weak::standalone(&literal)?), dtype, *mode)
            }
            TypedOperand::Literal(literal) => {
                cast(constant(adopt(&literal, dtype).map_err(|e| e.in_expression(expr))?), dtype)
            }
            TypedOperand::Typed(arg) if let Err(error) = check_zone(&arg.dtype, dtype) => {
                return Err(error.in_expression(expr));
            }
            TypedOperand::Typed(arg) if arg.dtype == DType::Null => cast(arg, dtype),
            TypedOperand::Typed(arg) if arg.dtype == *dtype && scope.is_coded(&arg) => {
                Typed { dtype: dtype.clone(), node: TypedNode::Decode(Arc::new(arg)) }
            }
            // A count of units that no day has is an error, which a pass over all rows finds.
            TypedOperand::Typed(arg)
                if is_of_text(&arg.dtype, dtype)
                    || is_nested(&arg.dtype, dtype)
                    || arg.dtype.is_nested() && arg.dtype != *dtype && arg.dtype.same_values(dtype)
                    || is_by_column(arg.dtype.logical(), dtype)
                    || matches!(dtype, DType::Dictionary(_)) && arg.dtype != *dtype =>
            {
                let function = Function::Cast(dtype.clone(), CastErrors::Raise);
                Typed { dtype: dtype.clone(), node: TypedNode::Function(function, [arg].into()) }
            }
            TypedOperand::Typed(arg) => explicit_cast(arg, dtype, *mode),
        })),
        Node::When { condition, then, otherwise } => {
            let condition = truth(condition, scope)?;
            let (then, otherwise) = unify(expr, operand(then, scope)?, operand(otherwise, scope)?, false)?;
            if then.dtype == DType::Null {
                return Ok(TypedOperand::Typed(constant(Scalar::Null(DType::Null))));
            }
            let node =
                TypedNode::When { condition, then: Arc::new(then.clone()), otherwise: Arc::new(otherwise) };
            typed(then.dtype, node)
        }
        Node::Part(part, arg) => {
            let whole = arg;
            let arg = child(arg)?;
            if let DType::Time(unit) = arg.dtype
                && let Some(part) = part_of_time(*part, whole, unit)
            {
                return resolve_in(&part, scope).map(TypedOperand::Typed);
            }
            let of_day = !matches!(part, Part::Hour | Part::Minute | Part::Second);
            let is_time = matches!(arg.dtype, DType::Timestamp(_) | DType::TimestampTz(..));
            if !(is_time || of_day && arg.dtype == DType::Date32) {
                return Err(unsupported(&arg.dtype, expr));
            }
            typed(DType::Int32, TypedNode::Part(*part, arg))
        }
        Node::Match(test, arg, text) => {
            let arg = child(arg)?;
            if *arg.dtype.logical() != DType::Utf8 {
                return Err(unsupported(&arg.dtype, expr));
            }
            if let Match::LikeEscape(escape) | Match::IlikeEscape(escape) = test {
                check_escapes(text, *escape).map_err(|error| error.in_expression(expr))?;
            }
            typed(DType::Bool, TypedNode::Match(*test, arg, text.clone()))
        }
        Node::Function(called, arguments) => {
            function(called, arguments, expr, scope).map(TypedOperand::Typed)
        }
        Node::IsIn(value, members) => {
            let arg = child(value)?;
            if arg.dtype == DType::Null {
                return Ok(TypedOperand::Typed(constant(Scalar::Null(DType::Bool))));
            }
            if let Some(tests) = members.tests_for(value, &arg.dtype) {
                return resolve_in(&tests, scope).map(TypedOperand::Typed);
            }
            if !members.go_with(&arg.dtype) {
                let (left, right) = (arg.dtype.clone(), members.column().dtype());
                return Err(Error::DTypeMismatch { left, right }.in_expression(expr));
            }
            typed(DType::Bool, TypedNode::IsIn(arg, members.clone()))
        }
        Node::Elementwise(function, arguments) => {
            resolve_function(function, expr, arguments, scope).map(TypedOperand::Typed)
        }
        Node::Aggregate(aggregate, _) => Err(misplaced(aggregate.name(), expr)),
        Node::Statistic(statistic, _) => Err(misplaced(statistic.name(), expr)),
        Node::Filter(..) => Err(Error::InvalidArgument {
            name: "filter",
            reason: format!("{expr} drops rows, which only the argument of an aggregate may"),
        }),
        Node::RowFunction(..) | Node::Over(..) => {
            Err(Error::Internal { invariant: "row functions are computed before expressions are resolved" })
        }
        Node::Len => Err(misplaced("len", expr)),
    }
}

/// Whether a value is null. Of nulls alone no register holds any.
fn is_null(arg: Arc<Typed>) -> Typed {
    if arg.dtype == DType::Null {
        constant(Scalar::Bool(true))
    } else {
        Typed { dtype: DType::Bool, node: TypedNode::IsNull(arg) }
    }
}

/// Nulls alone as boolean ones; anything else as it is.
pub(crate) fn boolean(typed: Typed) -> Typed {
    if typed.dtype == DType::Null { cast(typed, &DType::Bool) } else { typed }
}

/// A part of a time of day by arithmetic; `None` for those of a date.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are parts of a date")]
fn part_of_time(part: Part, time: &Expr, unit: TimeUnit) -> Option<Expr> {
    let second = unit.per_second();
    let count = time.clone().cast(DType::Int64);
    let part = match part {
        Part::Hour => count.floor_div(3600 * second),
        Part::Minute => count.floor_div(60 * second) % 60,
        Part::Second => count.floor_div(second) % 60,
        _ => return None,
    };
    Some(part.cast_unchecked(DType::Int32))
}

/// A function of columns. Those of the frame keep their dtype, constants take that of the function.
fn function(called: &Function, arguments: &[Expr], expr: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let mut typed: Vec<Typed> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        if let Node::Column(label) = argument.unaliased().node() {
            let dtype = scope.get(label)?.dtype();
            typed.push(Typed { dtype, node: TypedNode::Column(label.clone()) });
            continue;
        }
        typed.push(match operand(argument, scope)? {
            TypedOperand::Typed(typed) => typed,
            TypedOperand::Literal(literal) => {
                let own = typed.first().and_then(|first| called.constant_dtype(&first.dtype, typed.len()));
                let scalar = match own {
                    Some(dtype) => adopt(&literal, &dtype),
                    None => weak::standalone(&literal),
                };
                constant(scalar.map_err(|error| error.in_expression(expr))?)
            }
        });
    }
    let dtypes: Vec<DType> = typed.iter().map(|argument| argument.dtype.clone()).collect();
    let dtype = called.dtype(&dtypes).map_err(|error| error.without_context().in_expression(expr))?;
    Ok(Typed { dtype, node: TypedNode::Function(called.clone(), typed.into()) })
}

/// Arithmetic of integers that finds an overflow. Decimals are checked anyway, as are numbers that become durations.
fn checked(Typed { dtype, node }: Typed) -> Typed {
    if let TypedNode::Arithmetic(op, left, right) = &node
        && !dtype.is_decimal()
        && !dtype.is_float()
    {
        let node = TypedNode::Checked(*op, Arc::clone(left), Arc::clone(right));
        return Typed { dtype, node };
    }
    Typed { dtype, node }
}

fn negative(expr: &Expr, arg: Arc<Typed>) -> Result<Typed> {
    let signed = arg.dtype.is_numeric() && !arg.dtype.is_unsigned_integer();
    if !signed && !matches!(arg.dtype, DType::Duration(_)) {
        return Err(unsupported(&arg.dtype, expr));
    }
    Ok(Typed { dtype: arg.dtype.clone(), node: TypedNode::Negate(arg) })
}

fn magnitude(expr: &Expr, arg: Arc<Typed>) -> Result<Typed> {
    if arg.dtype.is_unsigned_integer() {
        return Ok(Arc::unwrap_or_clone(arg));
    }
    if !arg.dtype.is_numeric() && !matches!(arg.dtype, DType::Duration(_)) {
        return Err(unsupported(&arg.dtype, expr));
    }
    Ok(Typed { dtype: arg.dtype.clone(), node: TypedNode::Abs(arg) })
}

/// A value subtracted from 0, checked; `None` for decimals and floats, whose negatives fit.
fn checked_negative(arg: &Arc<Typed>) -> Result<Option<Typed>> {
    if !arg.dtype.is_integer() && !matches!(arg.dtype, DType::Duration(_)) {
        return Ok(None);
    }
    let node = TypedNode::Checked(Arithmetic::Subtract, Arc::new(zero(&arg.dtype)?), Arc::clone(arg));
    Ok(Some(Typed { dtype: arg.dtype.clone(), node }))
}

/// The magnitude whose negative is checked.
fn checked_magnitude(expr: &Expr, arg: Arc<Typed>) -> Result<Typed> {
    if arg.dtype.is_unsigned_integer() {
        return magnitude(expr, arg);
    }
    let Some(negative) = checked_negative(&arg)? else { return magnitude(expr, arg) };
    let (dtype, zero) = (arg.dtype.clone(), Arc::new(zero(&arg.dtype)?));
    let is_negative = TypedNode::Compare(Comparison::Lt, Arc::clone(&arg), zero);
    let condition = Arc::new(Typed { dtype: DType::Bool, node: is_negative });
    Ok(Typed { dtype, node: TypedNode::When { condition, then: Arc::new(negative), otherwise: arg } })
}

fn zero(dtype: &DType) -> Result<Typed> {
    let zero = if dtype.is_integer() { Literal::Int(0) } else { Literal::Duration(0) };
    adopt(&zero, dtype).map(constant)
}

fn rounded(expr: &Expr, arg: Typed, decimals: i32) -> Result<Typed> {
    let dtype = arg.dtype.clone();
    let dtype = if let DType::Decimal { precision, scale, .. } = dtype
        && decimals < scale.into()
    {
        DType::decimal(MAX_PRECISION.min(precision + 1), scale)?
    } else if dtype.is_float() || dtype.is_integer() && decimals < 0 {
        dtype
    } else if dtype.is_numeric() {
        return Ok(arg);
    } else {
        return Err(unsupported(&dtype, expr));
    };
    Ok(Typed { dtype, node: TypedNode::Round(Arc::new(arg), decimals) })
}

/// A value of the same dtype in place of nulls.
fn filled(arg: Typed, value: Typed) -> Typed {
    if arg.dtype == DType::Null {
        return arg;
    }
    if matches!(arg.node, TypedNode::Constant(Scalar::Null(_))) {
        return value;
    }
    let (dtype, is_null) = (arg.dtype.clone(), TypedNode::IsNull(Arc::new(arg.clone())));
    let condition = Arc::new(Typed { dtype: DType::Bool, node: is_null });
    Typed { dtype, node: TypedNode::When { condition, then: Arc::new(value), otherwise: Arc::new(arg) } }
}

/// Checks that each escape of a pattern is before a character that needs one.
fn check_escapes(pattern: &str, escape: char) -> Result<()> {
    let mut characters = pattern.chars().enumerate();
    while let Some((position, character)) = characters.next() {
        if character != escape {
            continue;
        }
        let reason = match characters.next() {
            None => "nothing follows the escape",
            Some((_, next)) if next == escape || matches!(next, '%' | '_') => continue,
            Some(_) => "the escape is not before %, _ or itself",
        };
        return Err(Error::InvalidPattern { pattern: pattern.to_owned(), position, reason: reason.into() });
    }
    Ok(())
}

fn misplaced(name: &'static str, expr: &Expr) -> Error {
    let reason = format!("{expr} is an aggregate, which only agg takes");
    Error::InvalidArgument { name, reason }
}

pub(super) fn unsupported(dtype: &DType, expr: &Expr) -> Error {
    Error::UnsupportedDType { dtype: dtype.clone() }.in_expression(expr)
}

/// An operand that must be boolean.
fn truth(expr: &Expr, scope: &Scope<'_>) -> Result<Arc<Typed>> {
    let typed = match operand(expr, scope)? {
        TypedOperand::Typed(typed) => boolean(typed),
        TypedOperand::Literal(literal) => constant(adopt(&literal, &DType::Bool)?),
    };
    if typed.dtype == DType::Bool {
        return Ok(Arc::new(typed));
    }
    Err(Error::NotBoolean { dtype: typed.dtype }.in_expression(expr))
}

/// Whether operands of `&` or `|` are integers, of which one may be null.
fn are_integers(left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<bool> {
    let (left, right) = (operand(left, scope)?, operand(right, scope)?);
    let is_integer = |side: &TypedOperand| match side {
        TypedOperand::Typed(typed) => typed.dtype.is_integer(),
        TypedOperand::Literal(literal) => matches!(literal, Literal::Int(_)),
    };
    Ok(one_may_be_missing((is_integer(&left), &left), (is_integer(&right), &right)))
}

/// Whether both sides are of a kind, or one of them and the other is null.
fn one_may_be_missing(left: (bool, &TypedOperand), right: (bool, &TypedOperand)) -> bool {
    match (left, right) {
        ((true, _), (true, _)) => true,
        ((true, _), (false, other)) | ((false, other), (true, _)) => is_missing(other),
        ((false, _), (false, _)) => false,
    }
}

/// Whether an operand is null in all rows, without a dtype.
fn is_missing(side: &TypedOperand) -> bool {
    match side {
        TypedOperand::Typed(typed) => typed.dtype == DType::Null,
        TypedOperand::Literal(literal) => *literal == Literal::Null,
    }
}

/// Strings one after the other, null where either is null; `None` if the operands are none.
fn joined(
    (left_expr, left): (&Expr, &TypedOperand),
    (right_expr, right): (&Expr, &TypedOperand),
) -> Option<Expr> {
    let is_text = |side: &TypedOperand| match side {
        TypedOperand::Typed(typed) => *typed.dtype.logical() == DType::Utf8,
        TypedOperand::Literal(literal) => matches!(literal, Literal::String(_)),
    };
    let (of_left, of_right) = (is_text(left), is_text(right));
    let are_strings = one_may_be_missing((of_left, left), (of_right, right));
    let string = |is_text: bool, expr: &Expr| {
        if is_text { expr.clone() } else { lit(Scalar::Null(DType::Utf8)) }
    };
    are_strings.then(|| {
        let (first, second) = (string(of_left, left_expr), string(of_right, right_expr));
        first.str().concat([second], "", JoinNulls::Propagate)
    })
}

fn arithmetic(op: Arithmetic, expr: &Expr, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let in_context = |error: Error| error.in_expression(expr);
    let (left_expr, right_expr) = (left, right);
    let (left, right) = (operand(left, scope)?, operand(right, scope)?);
    if op == Arithmetic::Add
        && let Some(strings) = joined((left_expr, &left), (right_expr, &right))
    {
        return resolve_in(&strings, scope);
    }
    if let Some(date) = moved_date(op, &left, &right) {
        return Ok(date);
    }
    let (left, right) = times::sides(op, left, right).map_err(in_context)?;
    if let Some(time) = times::arithmetic(op, &left, &right).map_err(in_context)? {
        return Ok(time);
    }
    if left.dtype == DType::Null && right.dtype == DType::Null {
        let dtype = if op == Arithmetic::Divide { DType::Float64 } else { DType::Null };
        return Ok(constant(Scalar::Null(dtype)));
    }
    let is_number = |dtype: &DType| dtype.is_numeric() || *dtype == DType::Bool;
    // Nulls alone are those of a number.
    let (left, right) = match (&left.dtype, &right.dtype) {
        (DType::Null, number) if is_number(number) => (cast(left, &number.clone()), right),
        (number, DType::Null) if is_number(number) => {
            let number = number.clone();
            (left, cast(right, &number))
        }
        _ => (left, right),
    };
    for side in [&left, &right] {
        if !is_number(&side.dtype) {
            return Err(unsupported(&side.dtype, expr));
        }
    }
    let dtype = promote::arithmetic(op, &left.dtype, &right.dtype).map_err(in_context)?;
    // A decimal's operands keep their own scales; lowering handles them per operation.
    let side = |typed: Typed| if dtype.is_decimal() { as_decimal(typed) } else { cast(typed, &dtype) };
    let (left, right) = decimals::counted(op, side(left), side(right));
    Ok(Typed { dtype, node: TypedNode::Arithmetic(op, Arc::new(left), Arc::new(right)) })
}

/// Two operands in one dtype; dictionaries are unchanged. If they are `compared`, decimals keep their own
/// scales.
pub(super) fn unify(
    expr: &Expr,
    left: TypedOperand,
    right: TypedOperand,
    compared: bool,
) -> Result<(Typed, Typed)> {
    let context = |error: Error| error.in_expression(expr);
    let (left, right) = meet(left, right).map_err(context)?;
    let (left, right) = weak::with_one_dtype(left, right);
    let (left, right) = if compared { (left, right) } else { with_one_order(left, right) };
    if left.dtype == right.dtype || left.dtype.logical() == right.dtype.logical() {
        return Ok((left, right));
    }
    let are_decimals = |a: &DType, b: &DType| a.is_decimal() && (b.is_decimal() || b.is_integer());
    if compared && (are_decimals(&left.dtype, &right.dtype) || are_decimals(&right.dtype, &left.dtype)) {
        // Also where no decimal dtype holds both.
        return Ok((as_decimal(left), as_decimal(right)));
    }
    if compared && matches!((&left.dtype, &right.dtype), (DType::TimestampTz(..), DType::TimestampTz(..))) {
        // Instants, whatever the zones that show them.
        return Ok((left, right));
    }
    let left = times::in_zone_of(left, &right.dtype);
    let right = times::in_zone_of(right, &left.dtype);
    let dtype = promote::common(&left.dtype, &right.dtype).map_err(context)?;
    if compared && (is_long(&left.dtype) && right.dtype.is_float()) {
        return Ok((left, cast(right, &DType::Float64)));
    }
    if compared && (left.dtype.is_float() && is_long(&right.dtype)) {
        return Ok((cast(left, &DType::Float64), right));
    }
    if compared && (dtype.is_temporal() || matches!(dtype, DType::Duration(_))) {
        return Ok((left, right));
    }
    // Integers without a common integer dtype are compared exactly, not as the nearest floats.
    let are_integers = left.dtype.is_integer() && right.dtype.is_integer() && dtype.is_float();
    if (dtype.is_decimal() || are_integers) && compared {
        return Ok((as_decimal(left), as_decimal(right)));
    }
    Ok((cast(left, &dtype), cast(right, &dtype)))
}

/// Whether an integer may have more digits than a float.
fn is_long(dtype: &DType) -> bool {
    matches!(dtype, DType::Int64 | DType::UInt64)
}

/// Gives a constant the dtype of the other side.
pub(super) fn meet(left: TypedOperand, right: TypedOperand) -> Result<(Typed, Typed)> {
    Ok(match (left, right) {
        (TypedOperand::Typed(left), TypedOperand::Typed(right)) => (left, right),
        (TypedOperand::Typed(left), TypedOperand::Literal(right)) => {
            let right = constant(weak::beside(&right, &left.dtype)?);
            (left, right)
        }
        (TypedOperand::Literal(left), TypedOperand::Typed(right)) => {
            (constant(weak::beside(&left, &right.dtype)?), right)
        }
        // A null takes the dtype of the other constant.
        (TypedOperand::Literal(left), TypedOperand::Literal(right @ Literal::Null)) => {
            let left = constant(weak::standalone(&left)?);
            let right = constant(weak::beside(&right, &left.dtype)?);
            (left, right)
        }
        (TypedOperand::Literal(left @ Literal::Null), TypedOperand::Literal(right)) => {
            let right = constant(weak::standalone(&right)?);
            (constant(weak::beside(&left, &right.dtype)?), right)
        }
        (TypedOperand::Literal(left), TypedOperand::Literal(right)) => {
            (constant(weak::standalone(&left)?), constant(weak::standalone(&right)?))
        }
    })
}

pub(super) fn cast(typed: Typed, dtype: &DType) -> Typed {
    if typed.dtype == *dtype {
        return typed;
    }
    if typed.dtype == DType::Null {
        return constant(Scalar::Null(dtype.clone()));
    }
    let node = if is_nested(&typed.dtype, dtype) {
        TypedNode::Function(Function::Cast(dtype.clone(), CastErrors::Raise), [typed].into())
    } else {
        TypedNode::Cast(Arc::new(typed))
    };
    Typed { dtype: dtype.clone(), node }
}

/// A cast that was asked for: unless `mode` is [`CastMode::Wrap`], a number that an integer dtype does not have is an error.
pub(super) fn explicit_cast(typed: Typed, dtype: &DType, mode: CastMode) -> Typed {
    let from = &typed.dtype;
    let is_number = from.is_integer() || from.is_float();
    let fits = from == dtype || promote::common(from, dtype).is_ok_and(|common| common == *dtype);
    if mode == CastMode::Wrap || !is_number || !dtype.is_integer() || fits {
        return cast(typed, dtype);
    }
    Typed { dtype: dtype.clone(), node: TypedNode::Element(Element::CastChecked, [typed].into()) }
}

impl Typed {
    /// The operands.
    pub(crate) fn children(&self) -> Vec<&Typed> {
        match &self.node {
            TypedNode::Column(_) | TypedNode::Constant(_) | TypedNode::OneRow(_) => vec![],
            TypedNode::Arithmetic(_, a, b)
            | TypedNode::Checked(_, a, b)
            | TypedNode::Compare(_, a, b)
            | TypedNode::And(a, b)
            | TypedNode::Or(a, b) => vec![a, b],
            TypedNode::Not(a)
            | TypedNode::Negate(a)
            | TypedNode::Abs(a)
            | TypedNode::Round(a, _)
            | TypedNode::IsNull(a)
            | TypedNode::Cast(a)
            | TypedNode::Part(_, a)
            | TypedNode::Match(_, a, _)
            | TypedNode::Decode(a)
            | TypedNode::IsIn(a, _) => vec![a],
            TypedNode::Function(_, arguments) => arguments.iter().collect(),
            TypedNode::When { condition, then, otherwise } => vec![condition, then, otherwise],
            TypedNode::Element(_, arguments) | TypedNode::OfColumns(_, arguments) => {
                arguments.iter().collect()
            }
        }
    }
}
