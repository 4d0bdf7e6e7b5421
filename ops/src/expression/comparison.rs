//! Comparisons of dictionaries: by the order of their categories, or as their values.

use super::scope::Scope;
use super::typed::{Typed, TypedNode, TypedOperand};
use super::{CategoryFunction, Comparison, Expr, Function, Literal, Node};
use columnade_columns::{DType, Error, Result};
use std::sync::Arc;

/// A comparison by the order of a dictionary: with another ordered one, or, of other values than strings, with one of its
/// categories. `None` for others, and for equality, which needs no order.
pub(super) fn by_category(
    op: Comparison,
    left: (&Expr, &TypedOperand),
    right: (&Expr, &TypedOperand),
    expr: &Expr,
    scope: &Scope<'_>,
) -> Result<Option<Typed>> {
    if matches!(op, Comparison::Eq | Comparison::Ne) {
        return Ok(None);
    }
    // As it is in the frame: operands have the values of dictionaries of other values than strings.
    let side = |(side, operand): (&Expr, &TypedOperand)| -> Result<TypedOperand> {
        if let Node::Column(label) = side.unaliased().node() {
            let dtype = scope.get(label)?.dtype();
            if matches!(dtype, DType::Dictionary(_)) {
                return Ok(TypedOperand::Typed(Typed { dtype, node: TypedNode::Column(label.clone()) }));
            }
        }
        if let Node::Literal(Literal::OneRow(value)) = side.unaliased().node()
            && let Some(category) = value.category()
        {
            return Ok(TypedOperand::Typed(category));
        }
        Ok(operand.clone())
    };
    let is_ordered = |dtype: &DType| matches!(dtype, DType::Dictionary(dictionary) if dictionary.ordered);
    let called = |function, arguments: &[Typed]| {
        let node = TypedNode::Function(Function::Category(function), arguments.into());
        Ok(Some(Typed { dtype: DType::Bool, node }))
    };
    let (left, right) = (side(left)?, side(right)?);
    match (constant_of(&left), constant_of(&right), left, right) {
        (None, None, TypedOperand::Typed(left), TypedOperand::Typed(right)) => {
            match (is_ordered(&left.dtype), is_ordered(&right.dtype)) {
                (false, false) => Ok(None),
                (true, true) => called(CategoryFunction::Compare(op), &[left, right]),
                (true, false) if let Some(value) = value_of(&right) => {
                    called(CategoryFunction::CompareWith(op, value), &[left])
                }
                (false, true) if let Some(value) = value_of(&left) => {
                    called(CategoryFunction::CompareWith(op.flipped(), value), &[right])
                }
                _ => {
                    let mismatch = Error::DTypeMismatch { left: left.dtype, right: right.dtype };
                    Err(mismatch.in_expression(expr))
                }
            }
        }
        (None, Some(literal), TypedOperand::Typed(column), _)
            if is_ordered(&column.dtype) && !column.dtype.logical().is_bytes() =>
        {
            called(CategoryFunction::CompareWith(op, literal), &[column])
        }
        (Some(literal), None, _, TypedOperand::Typed(column))
            if is_ordered(&column.dtype) && !column.dtype.logical().is_bytes() =>
        {
            called(CategoryFunction::CompareWith(op.flipped(), literal), &[column])
        }
        _ => Ok(None),
    }
}

/// Both sides, where a constant beside an ordered dictionary is one of its categories, so that what is chosen of both has
/// their order.
pub(super) fn with_one_order(left: Typed, right: Typed) -> (Typed, Typed) {
    let of = |dictionary: &Typed, side: &Typed| {
        let value = value_of(side)?;
        let is_ordered = matches!(&dictionary.dtype, DType::Dictionary(it) if it.ordered);
        let is_constant = matches!(dictionary.node, TypedNode::Constant(_));
        let function = CategoryFunction::Constant(value);
        let node = TypedNode::Function(Function::Category(function), [dictionary.clone()].into());
        (is_ordered && !is_constant).then(|| Typed { dtype: dictionary.dtype.clone(), node })
    };
    if let Some(right) = of(&left, &right) {
        return (left, right);
    }
    let left = of(&right, &left).unwrap_or(left);
    (left, right)
}

/// The constant that an operand is, also one whose value is on a device; `None` for others, categories of an order among them.
fn value_of(side: &Typed) -> Option<Literal> {
    let value = if let TypedNode::Decode(value) = &side.node { value } else { side };
    if let TypedNode::OneRow(value) = &value.node {
        return value.category().is_none().then(|| Literal::OneRow(value.clone()));
    }
    let TypedNode::Constant(scalar) = &side.node else { return None };
    Some(Literal::Scalar(scalar.clone()))
}

/// The constant that an operand is; `None` for others.
fn constant_of(operand: &TypedOperand) -> Option<Literal> {
    match operand {
        TypedOperand::Literal(literal) => Some(literal.clone()),
        TypedOperand::Typed(Typed { node: TypedNode::Constant(scalar), .. }) => {
            Some(Literal::Scalar(scalar.clone()))
        }
        TypedOperand::Typed(_) => None,
    }
}

/// Two columns of strings that are compared, dictionaries as their values. A test against a constant is evaluated once a value of
/// the dictionary.
pub(super) fn decode_both(left: Typed, right: Typed) -> (Typed, Typed) {
    let is_constant = |side: &Typed| matches!(side.node, TypedNode::Constant(_));
    if is_constant(&left) || is_constant(&right) {
        return (left, right);
    }
    let decoded = |side: Typed| {
        let values = side.dtype.logical().clone();
        if !values.is_bytes() || side.dtype == values {
            return side;
        }
        Typed { dtype: values, node: TypedNode::Decode(Arc::new(side)) }
    };
    (decoded(left), decoded(right))
}
