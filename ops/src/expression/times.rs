//! Arithmetic of dates, timestamps, times of day and durations.

use super::functions::Element;
use super::typed::{Typed, TypedNode, TypedOperand, cast, explicit_cast, meet};
use super::weak::{NANOS_PER_DAY, constant, in_zone, standalone};
use super::{Arithmetic, Comparison, Literal};
use crate::cast::CastMode;
use columnade_columns::{DType, Result, Scalar, TimeUnit, promote};
use std::sync::Arc;

/// A date and a literal of whole days: a date. `None` for everything else.
pub(super) fn moved_date(op: Arithmetic, left: &TypedOperand, right: &TypedOperand) -> Option<Typed> {
    let ((
        Arithmetic::Add | Arithmetic::Subtract,
        TypedOperand::Typed(date),
        TypedOperand::Literal(Literal::Duration(nanos)),
    )
    | (Arithmetic::Add, TypedOperand::Literal(Literal::Duration(nanos)), TypedOperand::Typed(date))) =
        (op, left, right)
    else {
        return None;
    };
    if date.dtype != DType::Date32 || nanos % NANOS_PER_DAY != 0 {
        return None;
    }
    let days = constant(Scalar::Int32(i32::try_from(nanos / NANOS_PER_DAY).ok()?));
    Some(node(DType::Date32, op, date.clone(), days))
}

/// The operands with dtypes. A literal that scales a duration, or moves a time of day, keeps its own; another one takes that of
/// the other side.
///
/// # Errors
/// [`InvalidArgument`](columnade_columns::Error::InvalidArgument) for a literal that does not go with the other side.
pub(super) fn sides(op: Arithmetic, left: TypedOperand, right: TypedOperand) -> Result<(Typed, Typed)> {
    Ok(match (left, right) {
        (TypedOperand::Typed(left), TypedOperand::Literal(right)) if keeps_dtype(op, &right, &left.dtype) => {
            (left, constant(own(&right)?))
        }
        (TypedOperand::Literal(left), TypedOperand::Typed(right)) if keeps_dtype(op, &left, &right.dtype) => {
            (constant(own(&left)?), right)
        }
        (left, right) => return meet(left, right),
    })
}

/// A constant time as the same instant in the zone of another dtype, if both have one; others as they are.
pub(super) fn in_zone_of(side: Typed, dtype: &DType) -> Typed {
    let moved = if let TypedNode::Constant(scalar) = &side.node { in_zone(scalar, dtype) } else { None };
    moved.map_or(side, constant)
}

fn keeps_dtype(op: Arithmetic, literal: &Literal, other: &DType) -> bool {
    let moves = matches!(op, Arithmetic::Add | Arithmetic::Subtract);
    match literal {
        Literal::Null | Literal::Int(_) | Literal::Float(_) | Literal::Decimal { .. } => {
            !moves && matches!(other, DType::Duration(_))
        }
        Literal::Duration(_) if moves => matches!(other, DType::Time(_)),
        Literal::Duration(_) => other.is_numeric(),
        Literal::Bool(_) | Literal::String(_) | Literal::Scalar(_) | Literal::OneRow(_) => false,
    }
}

fn own(literal: &Literal) -> Result<Scalar> {
    if *literal == Literal::Null { Ok(Scalar::Null(DType::Int64)) } else { standalone(literal) }
}

/// The result; `None` if neither side is a time, or the operation is none on times.
///
/// # Errors
/// [`DTypeMismatch`](columnade_columns::Error::DTypeMismatch) for timestamps that do not go together.
pub(super) fn arithmetic(op: Arithmetic, left: &Typed, right: &Typed) -> Result<Option<Typed>> {
    let (l, r) = (left.dtype.logical(), right.dtype.logical());
    if let Some((left_dtype, right_dtype, dtype)) = promote::time_arithmetic(op, l, r)? {
        let (left, right) = (cast(left.clone(), &left_dtype), cast(right.clone(), &right_dtype));
        return Ok(Some(node(dtype, op, left, right)));
    }
    let Some(dtype) = promote::span_arithmetic(op, l, r) else { return Ok(None) };
    let spans = || {
        let unit = DType::Duration(l.unit().max(r.unit()).unwrap_or(TimeUnit::Second));
        (cast(left.clone(), &unit), cast(right.clone(), &unit))
    };
    Ok(Some(match (l, r) {
        (DType::Duration(_), DType::Duration(_)) if op == Arithmetic::Divide => {
            let (left, right) = spans();
            node(dtype, op, float(left), float(right))
        }
        (DType::Duration(_), DType::Duration(_)) | (DType::Time(_), DType::Time(_)) => {
            let (left, right) = spans();
            node(dtype, op, left, right)
        }
        (DType::Time(_), _) if *r == DType::Date32 => at_time(right, left, dtype),
        (_, DType::Time(_)) if *l == DType::Date32 => at_time(left, right, dtype),
        (DType::Time(unit), _) | (_, DType::Time(unit)) => {
            let unit = *dtype.unit().as_ref().unwrap_or(unit);
            let (left, right) = spans();
            time_of_day(op, left, right, unit)
        }
        _ if l.is_integer() || r.is_integer() => {
            let count = |side: &Typed| {
                if side.dtype.is_integer() {
                    explicit_cast(side.clone(), &DType::Int64, CastMode::Checked)
                } else {
                    side.clone()
                }
            };
            node(dtype, op, count(left), count(right))
        }
        _ => scaled(op, left.clone(), right.clone(), dtype),
    }))
}

fn node(dtype: DType, op: Arithmetic, left: Typed, right: Typed) -> Typed {
    Typed { dtype, node: TypedNode::Arithmetic(op, Arc::new(left), Arc::new(right)) }
}

fn float(typed: Typed) -> Typed {
    let number = if let DType::Duration(_) = typed.dtype { cast(typed, &DType::Int64) } else { typed };
    cast(number, &DType::Float64)
}

/// A date at a time of day.
fn at_time(date: &Typed, time: &Typed, dtype: DType) -> Typed {
    let since_midnight = DType::Duration(dtype.unit().unwrap_or(TimeUnit::Second));
    let (date, time) = (cast(date.clone(), &dtype), cast(time.clone(), &since_midnight));
    node(dtype, Arithmetic::Add, date, time)
}

/// A sum or difference of durations as a time of day, counted from midnight again after a day.
fn time_of_day(op: Arithmetic, left: Typed, right: Typed, unit: TimeUnit) -> Typed {
    let dtype = left.dtype.clone();
    let within_day = |typed: Typed, dtype: DType| {
        let day = constant(Scalar::Duration(unit.per_day(), unit));
        node(dtype, Arithmetic::Modulo, typed, day)
    };
    // First, so that the sum does not wrap around.
    let (left, right) = (within_day(left, dtype.clone()), within_day(right, dtype.clone()));
    let sum = node(dtype.clone(), op, left, right);
    let time = DType::Time(unit);
    if time.storage() == dtype.storage() {
        return within_day(sum, time);
    }
    let count = within_day(sum, dtype);
    Typed { dtype: time, node: TypedNode::Element(Element::CastChecked, [count].into()) }
}

/// A duration times or over a number as a float: rounded towards zero, or down by a floor division. Null where that is no number.
fn scaled(op: Arithmetic, left: Typed, right: Typed, dtype: DType) -> Typed {
    let product = node(DType::Float64, op, float(left), float(right));
    // The difference of a NaN or an infinity to itself is NaN, which equals nothing.
    let zero = node(DType::Float64, Arithmetic::Subtract, product.clone(), product.clone());
    let is_finite = TypedNode::Compare(Comparison::Eq, Arc::new(zero.clone()), Arc::new(zero));
    let counts = TypedNode::Element(Element::CastChecked, [product].into());
    let node = TypedNode::When {
        condition: Arc::new(Typed { dtype: DType::Bool, node: is_finite }),
        then: Arc::new(Typed { dtype: dtype.clone(), node: counts }),
        otherwise: Arc::new(constant(Scalar::Null(dtype.clone()))),
    };
    Typed { dtype, node }
}
