//! Values in place of others.

use super::lookup::looked_up;
use super::{ColumnFunction, Elementwise};
use crate::expression::scope::Scope;
use crate::expression::typed::{Typed, TypedNode, TypedOperand, operand, resolve_in};
use crate::expression::{CategoryFunction, Expr, Function, Literal, Node, lit, when};
use columnade_columns::{DType, Result, Scalar};
use std::fmt;

/// Of more pairs of constants a table is made, in which values are looked up.
const FEW: usize = 16;
/// Of more pairs only the first and their number are shown.
const SHOWN: usize = 8;

impl Expr {
    /// The value, or for one that is the first of a pair the second: `col("x").replace([(1, 10), (2, 20)])`.
    ///
    /// The first pair that fits counts. Booleans are no numbers: a pair of one replaces nothing among the others. A null stays null unless a pair is of a null, as is a constant NaN one of NaNs. Keeps
    /// dtype and label; dictionaries stay dictionaries if the constants are of their values' dtype, and their categories are
    /// replaced once. Each pair costs a comparison and a selection in the fused pass. More than 16 pairs of constants become a table,
    /// in which the value of each row is looked up.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit};
    /// assert_eq!(show(col("y").replace([(4, 40), (0, -1)]))?, "40 5 -1");
    /// assert_eq!(show(col("word").replace_or([("tea", 1), ("rye", 2)], lit(0)))?, "1 0 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` and `DTypeMismatch` for pairs that do not go together with the values.
    ///
    /// # Source
    /// pandas `Series.replace`, Polars `Expr.replace`, cudf/replace.hpp `find_and_replace_all`.
    pub fn replace<K: Into<Expr>, V: Into<Expr>>(self, pairs: impl IntoIterator<Item = (K, V)>) -> Expr {
        let pairs = pairs.into_iter().flat_map(|(from, to)| [from.into(), to.into()]);
        Expr::elementwise(Elementwise::Replace, std::iter::once(self).chain(pairs).collect())
    }

    /// The second of the first pair whose first is the value, `default` for other values and, without a pair of a null, for
    /// nulls. As [`replace`](Expr::replace), with the dtype of the second ones.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").replace_or([(4, 40), (5, 50)], -1))?, "40 50 -1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` and `DTypeMismatch` for pairs that do not go together with the values.
    ///
    /// # Source
    /// pandas `Series.map`, Polars `Expr.replace_strict`.
    pub fn replace_or<K: Into<Expr>, V: Into<Expr>>(
        self,
        pairs: impl IntoIterator<Item = (K, V)>,
        default: impl Into<Expr>,
    ) -> Expr {
        let label = self.label();
        let pairs: Vec<(Expr, Expr)> = pairs.into_iter().map(|(from, to)| (from.into(), to.into())).collect();
        if pairs.len() <= FEW {
            return self.chain(pairs, default.into()).alias(label);
        }
        let pairs = pairs.into_iter().flat_map(|(from, to)| [from, to]);
        Expr::elementwise(Elementwise::ReplaceOr, [self, default.into()].into_iter().chain(pairs).collect())
    }

    /// The second of the first pair whose first is the value, where every value is one of these. A null stays null unless a pair is
    /// of a null. As [`replace_or`](Expr::replace_or).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").replace_strict([("tea", 1), ("oat", 2)]))?, "1 <NA> 2");
    /// let error = show(col("word").replace_strict([("oat", 1)])).unwrap_err();
    /// assert!(error.to_string().contains("row 0: tea is none of the old values"));
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for a value that no pair is of, with the first such row, and for pairs that do not
    /// go together with the values; `DTypeMismatch` for these too.
    ///
    /// # Source
    /// Polars `Expr.replace_strict` without a default.
    pub fn replace_strict<K: Into<Expr>, V: Into<Expr>>(
        self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Expr {
        let pairs = pairs.into_iter().flat_map(|(from, to)| [from.into(), to.into()]);
        Expr::elementwise(Elementwise::ReplaceStrict, std::iter::once(self).chain(pairs).collect())
    }

    /// A condition for each pair.
    fn chain(self, pairs: Vec<(Expr, Expr)>, rest: Expr) -> Expr {
        let is_null = |expr: &Expr| matches!(expr.unaliased().node(), Node::Literal(Literal::Null));
        let condition = |rest: Expr, (from, to): (Expr, Expr)| {
            // Null for null has no dtype, with which the pairs before would have to go together.
            if is_null(&to) && is_null(&rest) {
                return rest;
            }
            when(self.clone().equals_key(from)).then(to).otherwise(rest)
        };
        pairs.into_iter().rev().fold(rest, condition)
    }

    /// Whether a value is one that is replaced: a null and a NaN are themselves.
    fn equals_key(self, key: Expr) -> Expr {
        let Node::Literal(literal) = key.unaliased().node() else { return self.eq(key) };
        if let Literal::Null | Literal::Scalar(Scalar::Null(_)) = literal {
            return self.is_null();
        }
        let is_nan = if let Literal::Float(value) | Literal::Scalar(Scalar::Float64(value)) = literal {
            value.is_nan()
        } else if let Literal::Scalar(Scalar::Float32(value)) = literal {
            value.is_nan()
        } else {
            false
        };
        // A NaN differs from itself; no other value does.
        if is_nan { self.clone().ne(self) } else { self.eq(key) }
    }
}

/// Pairs of the arguments of a function.
fn pairs_of(arguments: &[Expr]) -> Vec<(Expr, Expr)> {
    let pair = |pair: &[Expr]| Some((pair.first()?.clone(), pair.last()?.clone()));
    arguments.chunks_exact(2).filter_map(pair).collect()
}

/// The pairs as constants, if all of them are.
fn literals_of(pairs: &[(Expr, Expr)]) -> Option<Vec<(Literal, Literal)>> {
    let literal = |expr: &Expr| {
        if let Node::Literal(literal) = expr.unaliased().node() { Some(literal.clone()) } else { None }
    };
    pairs.iter().map(|(from, to)| Some((literal(from)?, literal(to)?))).collect()
}

/// The values of an expression with other ones in place of some; a dictionary stays one if the others are of its values' dtype.
///
/// # Errors
/// Those of the conditions that pairs stand for.
pub(super) fn replace(expr: &Expr, x: &Expr, pairs: &[Expr], scope: &Scope<'_>) -> Result<Typed> {
    let typed = resolve_in(x, scope)?;
    let mut pairs = pairs_of(pairs);
    pairs.retain(|(from, _)| may_have(&typed.dtype, from));
    let literals = literals_of(&pairs);
    let made = if pairs.len() <= FEW {
        None
    } else {
        looked_up(expr, &typed, literals.as_deref(), TypedOperand::Typed(typed.clone()), scope)?
    };
    let made = match made {
        Some(made) => made,
        None => resolve_in(&x.clone().chain(pairs, x.clone()), scope)?,
    };
    match (&typed.dtype, literals) {
        // Beside an ordered dictionary constants are categories, which what is put here need not be.
        (DType::Dictionary(dictionary), Some(pairs))
            if dictionary.values == made.dtype || typed.dtype == made.dtype =>
        {
            let function = Function::Category(CategoryFunction::Replace(pairs));
            Ok(Typed { dtype: typed.dtype.clone(), node: TypedNode::Function(function, [typed].into()) })
        }
        _ => Ok(made),
    }
}

/// The values of many pairs, or `rest` for other values.
///
/// # Errors
/// Those of the conditions that pairs stand for.
pub(super) fn replace_or(
    expr: &Expr,
    x: &Expr,
    rest: &Expr,
    pairs: &[Expr],
    scope: &Scope<'_>,
) -> Result<Typed> {
    let pairs = pairs_of(pairs);
    let (typed, literals) = (resolve_in(x, scope)?, literals_of(&pairs));
    if let Some(made) = looked_up(expr, &typed, literals.as_deref(), operand(rest, scope)?, scope)? {
        return Ok(made);
    }
    resolve_in(&x.clone().chain(pairs, rest.clone()), scope)
}

/// The values of pairs, and which rows have a value that no pair is of, which is an error.
///
/// # Errors
/// Those of the conditions that pairs stand for.
pub(super) fn replace_strict(x: &Expr, pairs: &[Expr], scope: &Scope<'_>) -> Result<Typed> {
    let pairs = pairs_of(pairs);
    let known = pairs.iter().map(|(from, _)| (from.clone(), lit(false)));
    let unknown = x.clone().replace_or(known, !x.clone().is_null());
    let made = x.clone().replace_or(pairs.clone(), lit(Literal::Null));
    let arguments = [&made, &unknown, x].map(|argument| resolve_in(argument, scope));
    let arguments: Vec<Typed> = arguments.into_iter().collect::<Result<_>>()?;
    let dtype = arguments[0].dtype.clone();
    Ok(Typed { dtype, node: TypedNode::OfColumns(ColumnFunction::Known, arguments.into()) })
}

/// The pairs as a list, of which many are cut short.
pub(super) fn write_pairs(pairs: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("[")?;
    for (position, pair) in pairs.chunks_exact(2).take(SHOWN).enumerate() {
        let comma = if position == 0 { "" } else { ", " };
        write!(f, "{comma}({}, {})", pair[0], pair[1])?;
    }
    if let more @ 1.. = (pairs.len() / 2).saturating_sub(SHOWN) {
        write!(f, ", … {more} more")?;
    }
    f.write_str("]")
}

/// Whether a column may have a value of a pair: numbers are no booleans, and booleans no numbers.
fn may_have(dtype: &DType, value: &Expr) -> bool {
    let dtype = if let DType::Dictionary(dictionary) = dtype { &dictionary.values } else { dtype };
    let Node::Literal(literal) = value.unaliased().node() else { return true };
    match literal {
        Literal::Bool(_) | Literal::Scalar(Scalar::Bool(_)) => !dtype.is_numeric(),
        Literal::Int(_) | Literal::Float(_) | Literal::Decimal { .. } => *dtype != DType::Bool,
        Literal::Scalar(scalar) if !matches!(scalar, Scalar::Null(_)) => {
            *dtype != DType::Bool || !scalar.dtype().is_numeric()
        }
        Literal::Null
        | Literal::String(_)
        | Literal::Duration(_)
        | Literal::Scalar(_)
        | Literal::OneRow(_) => true,
    }
}
