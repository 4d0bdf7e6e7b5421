//! Functions of the values of a row, and how they become typed nodes.
//!
//! Most are composed of other expressions when their dtypes are known, so that every device computes them with the kernels
//! that it has.

mod calendar;
mod columns;
mod composed;
mod datetime;
mod elementwise;
mod horizontal;
mod lookup;
mod parsing;
mod period;
mod replaced;
#[cfg(test)]
mod test_composed;
#[cfg(test)]
mod test_datetime;
#[cfg(test)]
mod test_elementwise;
#[cfg(test)]
mod test_offsets;
#[cfg(test)]
mod test_replaced;

pub use columnade_kernels::datetime::utc_time::{Ambiguous, Nonexistent};
pub use columnade_kernels::hashing::hash_rows::HashFunction;
pub(crate) use columns::ColumnFunction;
pub use datetime::{DatetimeFunction, LocalTimes};
pub use elementwise::{coalesce, hash_rows, max_horizontal, min_horizontal};
pub use horizontal::{all_horizontal, any_horizontal, mean_horizontal, sum_horizontal};
pub use parsing::Unmatched;
pub use period::Period;

use super::scope::Scope;
use super::typed::{Typed, TypedNode, TypedOperand, cast, meet, operand, resolve_in, unify, unsupported};
use super::weak::constant;
use super::{Arithmetic, Comparison, Expr, Literal, Node, lit, when};
use columnade_columns::{DType, Error, MAX_PRECISION, Result, Scalar, promote};
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::elementwise::math::MathOp;
use columnade_kernels::elementwise::unary::UnaryOp;
use std::fmt;
use std::sync::Arc;

/// A function of the values of a row. The methods of [`Expr`] that build it describe it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Elementwise {
    /// A function of floats.
    Math(MathOp),
    /// The first to the power of the second.
    Power,
    /// The square root.
    Sqrt,
    /// The logarithm to a base.
    Log(f64),
    /// Rounded down.
    Floor,
    /// Rounded up.
    Ceil,
    /// Rounded towards zero.
    Trunc,
    /// −1, 0 or 1.
    Sign,
    /// Bits of both.
    BitAnd,
    /// Bits of either.
    BitOr,
    /// Bits of one of them.
    BitXor,
    /// Every bit inverted.
    BitNot,
    /// Bits moved to higher places.
    ShiftLeft,
    /// Bits moved to lower places.
    ShiftRight,
    /// Whether both are equal, or both null.
    EqMissing,
    /// Whether they are neither equal nor both null.
    NeMissing,
    /// Whether a float is NaN.
    IsNan,
    /// Whether a number is neither NaN nor infinite.
    IsFinite,
    /// Whether a float is infinite.
    IsInfinite,
    /// The least that is not null.
    Min,
    /// The greatest that is not null.
    Max,
    /// Values in place of others: the value, and pairs of what is replaced and what is put.
    Replace,
    /// Values for others: the value, what is put for the rest, and pairs.
    ReplaceOr,
    /// Values for others, which are all there are: the value, and pairs.
    ReplaceStrict,
    /// The hash of a row.
    Hash(HashFunction),
    /// A number or a truth value in another dtype; other dtypes are refused, whatever casts they have.
    Number(DType),
    /// A function of times.
    Datetime(DatetimeFunction),
}

/// An operation of a kernel on registers of one storage type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Element {
    Unary(UnaryOp),
    Math(MathOp),
    Binary(BinaryOp),
    /// Days moved by months.
    AddMonths,
    /// A number as an integer, an error for one that does not fit.
    CastChecked,
}

/// A number or a truth value as `float64`.
pub(super) fn float64_of_number(expr: Expr) -> Expr {
    Expr::elementwise(Elementwise::Number(DType::Float64), vec![expr])
}

impl Elementwise {
    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            Elementwise::Math(op) => match op {
                MathOp::Exp => "exp",
                MathOp::Expm1 => "expm1",
                MathOp::Log => "ln",
                MathOp::Log1p => "log1p",
                MathOp::Log2 => "log2",
                MathOp::Log10 => "log10",
                MathOp::Cbrt => "cbrt",
                MathOp::Sin => "sin",
                MathOp::Cos => "cos",
                MathOp::Tan => "tan",
                MathOp::Asin => "asin",
                MathOp::Acos => "acos",
                MathOp::Atan => "atan",
                MathOp::Sinh => "sinh",
                MathOp::Cosh => "cosh",
                MathOp::Tanh => "tanh",
                MathOp::Asinh => "asinh",
                MathOp::Acosh => "acosh",
                MathOp::Atanh => "atanh",
                MathOp::Pow => "pow",
                MathOp::Atan2 => "atan2",
            },
            Elementwise::Power => "pow",
            Elementwise::Sqrt => "sqrt",
            Elementwise::Log(_) => "log",
            Elementwise::Floor => "floor",
            Elementwise::Ceil => "ceil",
            Elementwise::Trunc => "trunc",
            Elementwise::Sign => "sign",
            Elementwise::BitAnd => "bit_and",
            Elementwise::BitOr => "bit_or",
            Elementwise::BitXor => "bit_xor",
            Elementwise::BitNot => "bit_not",
            Elementwise::ShiftLeft => "shift_left",
            Elementwise::ShiftRight => "shift_right",
            Elementwise::EqMissing => "eq_missing",
            Elementwise::NeMissing => "ne_missing",
            Elementwise::IsNan => "is_nan",
            Elementwise::IsFinite => "is_finite",
            Elementwise::IsInfinite => "is_infinite",
            Elementwise::Min => "min_horizontal",
            Elementwise::Max => "max_horizontal",
            Elementwise::Replace => "replace",
            Elementwise::ReplaceOr => "replace_or",
            Elementwise::ReplaceStrict => "replace_strict",
            Elementwise::Hash(_) => "hash_rows",
            Elementwise::Number(_) => "cast",
            Elementwise::Datetime(function) => function.name(),
        }
    }

    /// Whether the result is called as its first argument: the value, changed.
    pub(super) const fn keeps_label(&self) -> bool {
        match self {
            Elementwise::Math(_)
            | Elementwise::Power
            | Elementwise::Sqrt
            | Elementwise::Log(_)
            | Elementwise::Floor
            | Elementwise::Ceil
            | Elementwise::Trunc
            | Elementwise::Sign
            | Elementwise::BitNot
            | Elementwise::ShiftLeft
            | Elementwise::ShiftRight
            | Elementwise::Min
            | Elementwise::Max
            | Elementwise::Replace
            | Elementwise::ReplaceOr
            | Elementwise::ReplaceStrict
            | Elementwise::Number(_) => true,
            Elementwise::BitAnd
            | Elementwise::BitOr
            | Elementwise::BitXor
            | Elementwise::EqMissing
            | Elementwise::NeMissing
            | Elementwise::IsNan
            | Elementwise::IsFinite
            | Elementwise::IsInfinite
            | Elementwise::Hash(_) => false,
            Elementwise::Datetime(function) => function.keeps_label(),
        }
    }

    pub(super) fn fmt(&self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, arguments: &[Expr]| {
            arguments.iter().enumerate().try_for_each(|(position, argument)| {
                write!(f, "{}{argument}", if position == 0 { "" } else { ", " })
            })
        };
        let Some((first, rest)) = arguments.split_first() else { return write!(f, "{}()", self.name()) };
        match self {
            Elementwise::Min | Elementwise::Max | Elementwise::Hash(_) => {
                write!(f, "{}([", self.name())?;
                list(f, arguments)?;
                f.write_str("])")
            }
            Elementwise::Replace | Elementwise::ReplaceStrict => {
                write!(f, "{first}.{}(", self.name())?;
                replaced::write_pairs(rest, f)?;
                f.write_str(")")
            }
            Elementwise::ReplaceOr => {
                let Some((default, pairs)) = rest.split_first() else { return f.write_str(self.name()) };
                write!(f, "{first}.replace_or(")?;
                replaced::write_pairs(pairs, f)?;
                write!(f, ", {default})")
            }
            Elementwise::Log(base) => write!(f, "{first}.log({base:?})"),
            Elementwise::Number(dtype) => write!(f, "{first}.cast({dtype})"),
            Elementwise::Datetime(function) => function.fmt(first, rest, f),
            Elementwise::Math(_)
            | Elementwise::Power
            | Elementwise::Sqrt
            | Elementwise::Floor
            | Elementwise::Ceil
            | Elementwise::Trunc
            | Elementwise::Sign
            | Elementwise::BitAnd
            | Elementwise::BitOr
            | Elementwise::BitXor
            | Elementwise::BitNot
            | Elementwise::ShiftLeft
            | Elementwise::ShiftRight
            | Elementwise::EqMissing
            | Elementwise::NeMissing
            | Elementwise::IsNan
            | Elementwise::IsFinite
            | Elementwise::IsInfinite => {
                write!(f, "{first}.{}(", self.name())?;
                list(f, rest)?;
                f.write_str(")")
            }
        }
    }
}

/// The typed tree of a function.
///
/// # Errors
/// [`Error::UnsupportedDType`] for a dtype without the function, and those of its arguments.
pub(super) fn resolve_function(
    function: &Elementwise,
    expr: &Expr,
    arguments: &[Expr],
    scope: &Scope<'_>,
) -> Result<Typed> {
    if let (Elementwise::Hash(_), []) = (function, arguments) {
        let reason = "there are no expressions".to_owned();
        return Err(Error::InvalidArgument { name: "exprs", reason }.in_expression(expr));
    }
    let argument = |position: usize| {
        arguments.get(position).ok_or(Error::Internal { invariant: "a function has its arguments" })
    };
    let first = argument(0)?;
    match function {
        Elementwise::Math(op) if op.is_binary() => floats(*op, expr, first, argument(1)?, scope),
        Elementwise::Math(op) => {
            let arg = as_float(resolve_in(first, scope)?, expr)?;
            Ok(element(arg.dtype.clone(), Element::Math(*op), vec![arg]))
        }
        Elementwise::Log(base) => {
            let dtype = resolve_in(first, scope)?.dtype;
            let base = if dtype == DType::Float32 { lit(*base).cast(DType::Float32) } else { lit(*base) };
            let of = |number: &Expr| Expr::elementwise(Elementwise::Math(MathOp::Log), vec![number.clone()]);
            resolve_in(&(of(first) / of(&base)), scope)
        }
        Elementwise::Power => power(expr, first, argument(1)?, scope),
        Elementwise::Sqrt => {
            let arg = as_float(resolve_in(first, scope)?, expr)?;
            Ok(element(arg.dtype.clone(), Element::Unary(UnaryOp::Sqrt), vec![arg]))
        }
        Elementwise::Floor => rounded(UnaryOp::Floor, expr, first, scope),
        Elementwise::Ceil => rounded(UnaryOp::Ceil, expr, first, scope),
        Elementwise::Trunc => rounded(UnaryOp::Trunc, expr, first, scope),
        Elementwise::Sign => sign(expr, first, scope),
        Elementwise::BitAnd => bits(BinaryOp::BitAnd, expr, first, argument(1)?, scope),
        Elementwise::BitOr => bits(BinaryOp::BitOr, expr, first, argument(1)?, scope),
        Elementwise::BitXor => bits(BinaryOp::BitXor, expr, first, argument(1)?, scope),
        Elementwise::BitNot => {
            let arg = resolve_in(first, scope)?;
            if arg.dtype == DType::Bool {
                return Ok(Typed { dtype: DType::Bool, node: TypedNode::Not(Arc::new(arg)) });
            }
            if !arg.dtype.is_integer() {
                return Err(unsupported(&arg.dtype, expr));
            }
            Ok(element(arg.dtype.clone(), Element::Unary(UnaryOp::BitNot), vec![arg]))
        }
        Elementwise::ShiftLeft => shift(BinaryOp::ShiftLeft, expr, first, argument(1)?, scope),
        Elementwise::ShiftRight => shift(BinaryOp::ShiftRight, expr, first, argument(1)?, scope),
        Elementwise::EqMissing | Elementwise::NeMissing => {
            let (a, b) = (first.clone(), argument(1)?.clone());
            let one_null = is_null(&a).or(is_null(&b));
            let both_null = is_null(&a).and(is_null(&b));
            let same = when(one_null).then(both_null).otherwise(a.eq(b));
            resolve_in(&if *function == Elementwise::EqMissing { same } else { !same }, scope)
        }
        Elementwise::Number(to) => {
            let dtype = resolve_in(first, scope)?.dtype;
            if !dtype.is_numeric() && !matches!(dtype.logical(), DType::Bool | DType::Null) {
                return Err(unsupported(&dtype, expr));
            }
            resolve_in(&first.clone().cast(to.clone()), scope)
        }
        Elementwise::IsNan | Elementwise::IsFinite | Elementwise::IsInfinite => {
            let dtype = resolve_in(first, scope)?.dtype;
            if !dtype.is_numeric() {
                return Err(unsupported(&dtype, expr));
            }
            let x = || first.clone();
            // A NaN differs from itself; no other value does.
            let test = match (function, dtype.is_float()) {
                (Elementwise::IsFinite, true) => (x() - x()).eq(x() - x()),
                (Elementwise::IsFinite, false) => x().eq(x()),
                (Elementwise::IsInfinite, true) => x().abs().eq(f64::INFINITY),
                _ => x().ne(x()),
            };
            resolve_in(&test, scope)
        }
        Elementwise::Min => extreme(BinaryOp::Min, expr, arguments, scope),
        Elementwise::Max => extreme(BinaryOp::Max, expr, arguments, scope),
        Elementwise::Replace => replaced::replace(expr, first, &arguments[1..], scope),
        Elementwise::ReplaceOr => replaced::replace_or(expr, first, argument(1)?, &arguments[2..], scope),
        Elementwise::ReplaceStrict => replaced::replace_strict(first, &arguments[1..], scope),
        Elementwise::Hash(function) => {
            let mut columns = Vec::with_capacity(arguments.len());
            for argument in arguments {
                let column = super::typed::resolve_output_in(argument, scope)?;
                if column.dtype.is_nested() || column.dtype == DType::Null {
                    return Err(unsupported(&column.dtype, expr));
                }
                columns.push(column);
            }
            let dtype = match function {
                HashFunction::Murmur3(_) => DType::UInt32,
                HashFunction::XxHash64(_) => DType::UInt64,
            };
            Ok(Typed { dtype, node: TypedNode::OfColumns(ColumnFunction::Hash(*function), columns.into()) })
        }
        Elementwise::Datetime(function) => calendar::resolve(function, expr, arguments, scope),
    }
}

/// Whether a value is null, of a literal too, which may be text.
fn is_null(value: &Expr) -> Expr {
    if let Node::Literal(literal) = value.unaliased().node() {
        lit(matches!(literal, Literal::Null | Literal::Scalar(Scalar::Null(_))))
    } else {
        value.clone().is_null()
    }
}

fn element(dtype: DType, op: Element, arguments: Vec<Typed>) -> Typed {
    Typed { dtype, node: TypedNode::Element(op, arguments.into()) }
}

/// A number as `float64`, or as the `float32` that it is.
fn as_float(arg: Typed, expr: &Expr) -> Result<Typed> {
    if !arg.dtype.is_numeric() {
        return Err(unsupported(&arg.dtype, expr));
    }
    let dtype = if arg.dtype == DType::Float32 { DType::Float32 } else { DType::Float64 };
    Ok(cast(arg, &dtype))
}

/// A function of two numbers in floats.
fn floats(op: MathOp, expr: &Expr, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let (left, right) =
        meet(operand(left, scope)?, operand(right, scope)?).map_err(|error| error.in_expression(expr))?;
    let single = left.dtype == DType::Float32 && right.dtype == DType::Float32;
    let dtype = if single { DType::Float32 } else { DType::Float64 };
    let (left, right) = (as_float(left, expr)?, as_float(right, expr)?);
    Ok(element(dtype.clone(), Element::Math(op), vec![cast(left, &dtype), cast(right, &dtype)]))
}

fn power(expr: &Expr, base: &Expr, exponent: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let (left, right) =
        meet(operand(base, scope)?, operand(exponent, scope)?).map_err(|error| error.in_expression(expr))?;
    if left.dtype.is_integer()
        && right.dtype.is_integer()
        && let Ok(dtype) = promote::common(&left.dtype, &right.dtype)
        && dtype.is_integer()
    {
        let (left, right) = (cast(left, &dtype), cast(right, &dtype));
        let power = element(dtype.clone(), Element::Binary(BinaryOp::Power), vec![left, right.clone()]);
        return if dtype.is_unsigned_integer() || is_not_negative(&right) {
            Ok(power)
        } else if is_valid_constant(&right) {
            let reason = "a negative power of integers is no integer; cast one of them to float64".to_owned();
            Err(Error::InvalidArgument { name: "exponent", reason }.in_expression(expr))
        } else {
            let zero = cast(constant(Scalar::Int64(0)), &dtype);
            let negative = TypedNode::Compare(Comparison::Lt, Arc::new(right), Arc::new(zero));
            let condition = Arc::new(Typed { dtype: DType::Bool, node: negative });
            let null = constant(Scalar::Null(dtype.clone()));
            let node = TypedNode::When { condition, then: Arc::new(null), otherwise: Arc::new(power) };
            Ok(Typed { dtype, node })
        };
    }
    // A square is a product, exactly rounded.
    if left.dtype.is_float() && is_two(&right) {
        let (dtype, left) = (left.dtype.clone(), Arc::new(left));
        return Ok(Typed { dtype, node: TypedNode::Arithmetic(Arithmetic::Multiply, left.clone(), left) });
    }
    floats(MathOp::Pow, expr, base, exponent, scope)
}

/// A constant that is no negative integer.
fn is_not_negative(typed: &Typed) -> bool {
    let TypedNode::Constant(scalar) = &typed.node else {
        return matches!(&typed.node, TypedNode::Cast(arg) if is_not_negative(arg));
    };
    scalar.to_value().is_some_and(|value| {
        let bytes = value.to_bytes();
        bytes[value.storage().bytes(1) - 1] < 128
    })
}

/// A constant that is not null.
fn is_valid_constant(typed: &Typed) -> bool {
    if let TypedNode::Cast(arg) = &typed.node {
        return is_valid_constant(arg);
    }
    matches!(&typed.node, TypedNode::Constant(scalar) if !matches!(scalar, Scalar::Null(_)))
}

fn is_two(typed: &Typed) -> bool {
    matches!(&typed.node, TypedNode::Constant(Scalar::Float64(2.0) | Scalar::Float32(2.0)))
}

fn rounded(op: UnaryOp, expr: &Expr, x: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let arg = resolve_in(x, scope)?;
    if arg.dtype.is_integer() {
        return Ok(arg);
    }
    if let DType::Decimal { precision, scale, .. } = arg.dtype {
        return if scale <= 0 { Ok(arg) } else { resolve_in(&whole(op, x, precision, scale)?, scope) };
    }
    if !arg.dtype.is_float() {
        return Err(unsupported(&arg.dtype, expr));
    }
    Ok(element(arg.dtype.clone(), Element::Unary(op), vec![arg]))
}

/// A decimal rounded to a whole number, which has one digit more than its integer part.
fn whole(op: UnaryOp, x: &Expr, precision: u8, scale: i8) -> Result<Expr> {
    let digits = precision.saturating_sub(scale.unsigned_abs()) + 1;
    let dtype = DType::decimal(digits.min(MAX_PRECISION), 0)?;
    // The nearest whole number, or its neighbour.
    let nearest = || x.clone().cast(dtype.clone());
    let down = when(nearest().gt(x.clone())).then(nearest() - 1).otherwise(nearest());
    let up = when(nearest().lt(x.clone())).then(nearest() + 1).otherwise(nearest());
    let whole = if op == UnaryOp::Floor {
        down
    } else if op == UnaryOp::Ceil {
        up
    } else {
        when(x.clone().lt(0)).then(up).otherwise(down)
    };
    Ok(whole.cast(dtype))
}

fn sign(expr: &Expr, x: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let dtype = resolve_in(x, scope)?.dtype;
    if dtype.is_decimal() {
        let one = DType::decimal(1, 0)?;
        let (zero, null) = (lit(0).cast(one.clone()), lit(Literal::Null));
        let zero = when(x.clone().is_null()).then(null).otherwise(zero);
        let negative = when(x.clone().lt(0)).then(lit(-1).cast(one.clone())).otherwise(zero);
        return resolve_in(&when(x.clone().gt(0)).then(lit(1).cast(one)).otherwise(negative), scope);
    }
    if !dtype.is_numeric() {
        return Err(unsupported(&dtype, expr));
    }
    let x = || x.clone();
    // Zero without a sign, and NaN.
    let zero = || lit(0).cast(dtype.clone());
    let rest = x() * zero() + zero();
    let not_positive = if dtype.is_unsigned_integer() {
        rest
    } else {
        when(x().lt(0)).then(lit(-1).cast(dtype.clone())).otherwise(rest)
    };
    resolve_in(&when(x().gt(0)).then(lit(1).cast(dtype)).otherwise(not_positive), scope)
}

/// Two integers of one dtype, or booleans.
pub(super) fn bits(op: BinaryOp, expr: &Expr, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let (left, right) = unify(expr, operand(left, scope)?, operand(right, scope)?, false)?;
    let dtype = left.dtype.clone();
    if dtype == DType::Bool {
        let (left, right) = (Arc::new(left), Arc::new(right));
        let node = if op == BinaryOp::BitAnd {
            TypedNode::And(left, right)
        } else if op == BinaryOp::BitOr {
            TypedNode::Or(left, right)
        } else {
            TypedNode::Compare(Comparison::Ne, left, right)
        };
        return Ok(Typed { dtype, node });
    }
    if !dtype.is_integer() {
        return Err(unsupported(&dtype, expr));
    }
    Ok(element(dtype, Element::Binary(op), vec![left, right]))
}

/// The dtype of the left side; in the common one, which holds every number of places.
fn shift(op: BinaryOp, expr: &Expr, value: &Expr, places: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    let value = resolve_in(value, scope)?;
    let places = shifted_places(&value.dtype, places, scope)?;
    for side in [&value.dtype, &places.dtype] {
        if !side.is_integer() {
            return Err(unsupported(side, expr));
        }
    }
    let dtype = value.dtype.clone();
    let common = promote::common(&dtype, &places.dtype).map_err(|error| error.in_expression(expr))?;
    if !common.is_integer() {
        let mismatch = Error::DTypeMismatch { left: dtype, right: places.dtype };
        return Err(mismatch.in_expression(expr));
    }
    let arguments = vec![cast(value, &common), cast(places, &common)];
    Ok(cast(element(common, Element::Binary(op), arguments), &dtype))
}

/// Numbers of places that have a common integer dtype with the value. The width of the value and more leave nothing of it, as
/// negative numbers do, so that other numbers become 64. A constant has the dtype of the value.
fn shifted_places(value: &DType, places: &Expr, scope: &Scope<'_>) -> Result<Typed> {
    const MOST: i64 = 64;
    if let TypedOperand::Literal(Literal::Int(number)) = operand(places, scope)? {
        let number = i64::try_from(number).ok().filter(|number| (0..MOST).contains(number));
        let dtype = if value.is_integer() { value.clone() } else { DType::Int64 };
        return resolve_in(&lit(number.unwrap_or(MOST)).cast(dtype), scope);
    }
    let typed = resolve_in(places, scope)?;
    if *value == DType::UInt64 && typed.dtype.is_signed_integer() {
        let known = when(places.clone().lt(0)).then(MOST).otherwise(places.clone().clip_max(MOST));
        return resolve_in(&known.cast(DType::UInt64), scope);
    }
    if typed.dtype == DType::UInt64 && value.is_integer() && *value != DType::UInt64 {
        return resolve_in(&places.clone().clip_max(MOST).cast(DType::Int64), scope);
    }
    Ok(typed)
}

/// The least or greatest that is not null.
fn extreme(op: BinaryOp, expr: &Expr, arguments: &[Expr], scope: &Scope<'_>) -> Result<Typed> {
    let mut is_text = false;
    for argument in arguments {
        if let TypedOperand::Typed(typed) = operand(argument, scope)? {
            is_text |= typed.dtype.logical().is_bytes();
        }
    }
    if is_text {
        return resolve_in(&extreme_text(op, arguments)?, scope);
    }
    let mut found: Option<Typed> = None;
    for argument in arguments {
        let other = operand(argument, scope)?;
        found = Some(match found {
            None => other.standalone()?,
            Some(found) => {
                let (left, right) = unify(expr, TypedOperand::Typed(found), other, false)?;
                let dtype = left.dtype.clone();
                if dtype.is_bytes() || dtype.is_nested() || dtype.logical() != &dtype {
                    return Err(unsupported(&dtype, expr));
                }
                let both = if dtype == DType::Bool {
                    let (left, right) = (Arc::new(left.clone()), Arc::new(right.clone()));
                    let node = if op == BinaryOp::Min {
                        TypedNode::And(left, right)
                    } else {
                        TypedNode::Or(left, right)
                    };
                    Typed { dtype, node }
                } else {
                    element(dtype, Element::Binary(op), vec![left.clone(), right.clone()])
                };
                filled(filled(both, left), right)
            }
        });
    }
    found.ok_or(Error::Internal { invariant: "a function has its arguments" })
}

/// The least or greatest string that is not null, by comparisons.
fn extreme_text(op: BinaryOp, arguments: &[Expr]) -> Result<Expr> {
    let found = arguments.iter().cloned().reduce(|found, other| {
        let is_other = if op == BinaryOp::Min {
            other.clone().lt(found.clone())
        } else {
            other.clone().gt(found.clone())
        };
        when(is_null(&found).or(is_other)).then(other).otherwise(found)
    });
    found.ok_or(Error::Internal { invariant: "a function has its arguments" })
}

/// The value, or the other where it is null.
fn filled(value: Typed, other: Typed) -> Typed {
    let (dtype, is_null) = (value.dtype.clone(), TypedNode::IsNull(Arc::new(value.clone())));
    let condition = Arc::new(Typed { dtype: DType::Bool, node: is_null });
    Typed { dtype, node: TypedNode::When { condition, then: Arc::new(other), otherwise: Arc::new(value) } }
}
