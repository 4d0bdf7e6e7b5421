//! Values in place of others.

use super::Elementwise;
use crate::expression::{Expr, Literal, Node, when};
use columnade_columns::{DType, Scalar};

impl Expr {
    /// The value, or for one that is the first of a pair the second: `col("x").replace([(1, 10), (2, 20)])`.
    ///
    /// The first pair that fits counts. Booleans are no numbers: a pair of one replaces nothing among the others. A null stays null unless a pair is of a null, as is a constant NaN one of NaNs. Keeps
    /// dtype and label; dictionaries stay dictionaries if the constants are of their values' dtype, and their categories are
    /// replaced once. Each pair costs a comparison and a selection in the fused pass; for hundreds of pairs, join a table of them.
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
        let rest = default.into();
        let made = pairs
            .into_iter()
            .rev()
            .fold(rest, |rest, (from, to)| when(self.clone().equals_key(from)).then(to).otherwise(rest));
        made.alias(label)
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

/// Whether a column may have a value of a pair: numbers are no booleans, and booleans no numbers.
pub(super) fn may_have(dtype: &DType, value: &Expr) -> bool {
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
