//! Decimals that do not fit the scale of a result.

use super::Arithmetic;
use super::typed::{Typed, TypedNode, cast};
use super::weak::constant;
use columnade_columns::{DType, MAX_PRECISION, Scalar};
use std::sync::Arc;

/// The operands of an operation on decimals. One that may not fit its numbers at the scale of both is null in the rows where the
/// other one is, in which nothing is computed.
pub(super) fn counted(op: Arithmetic, left: Typed, right: Typed) -> (Typed, Typed) {
    let (DType::Decimal { scale: l, .. }, DType::Decimal { scale: r, .. }) = (&left.dtype, &right.dtype)
    else {
        return (left, right);
    };
    if matches!(op, Arithmetic::Multiply | Arithmetic::Divide) {
        return (left, right);
    }
    let scale = *l.max(r);
    let (of_left, of_right) = (beside(&left, &right, scale), beside(&right, &left, scale));
    (of_left.unwrap_or(left), of_right.unwrap_or(right))
}

fn beside(typed: &Typed, other: &Typed, to: i8) -> Option<Typed> {
    let DType::Decimal { precision, scale, .. } = typed.dtype else { return None };
    let digits = i32::from(precision) + i32::from(to) - i32::from(scale);
    if digits <= i32::from(MAX_PRECISION) || matches!(typed.node, TypedNode::Constant(_)) {
        return None;
    }
    let is_null = TypedNode::IsNull(Arc::new(other.clone()));
    let node = TypedNode::When {
        condition: Arc::new(Typed { dtype: DType::Bool, node: is_null }),
        then: Arc::new(constant(Scalar::Null(typed.dtype.clone()))),
        otherwise: Arc::new(typed.clone()),
    };
    Some(Typed { dtype: typed.dtype.clone(), node })
}

/// A number or a truth value as a decimal of all its digits; others are left.
pub(super) fn as_decimal(typed: Typed) -> Typed {
    let typed = if typed.dtype == DType::Bool { cast(typed, &DType::Int8) } else { typed };
    match typed.dtype.as_decimal() {
        Some(dtype) => cast(typed, &dtype),
        None => typed,
    }
}
