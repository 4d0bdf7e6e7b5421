//! Expressions over dictionaries.

use super::{Comparison, Expr, Function, Node};
use std::fmt;

/// A function of dictionaries: see [`CategoryExpr`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CategoryFunction {
    /// Values as a dictionary.
    Encode,
    /// The values of a dictionary.
    Decode,
    /// The position of each row's category.
    Codes,
    /// The dictionary as an ordered one.
    AsOrdered,
    /// The dictionary as an unordered one.
    AsUnordered,
    /// A comparison of two ordered dictionaries.
    Compare(Comparison),
}

impl CategoryFunction {
    /// The name of the method that builds it.
    pub const fn name(self) -> &'static str {
        match self {
            CategoryFunction::Encode => "encode",
            CategoryFunction::Decode => "decode",
            CategoryFunction::Codes => "codes",
            CategoryFunction::AsOrdered => "as_ordered",
            CategoryFunction::AsUnordered => "as_unordered",
            CategoryFunction::Compare(op) => op.symbol(),
        }
    }

    pub(super) fn fmt(self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match arguments {
            [left, right] => write!(f, "({left} {} {right})", self.name()),
            [first, ..] => write!(f, "{first}.cat().{}()", self.name()),
            [] => f.write_str(self.name()),
        }
    }
}

/// What expressions compute from dictionaries: see [`Expr::cat`].
///
/// # Source
/// pandas `Series.cat`, Polars `Expr.cat`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before a method of the namespace is called"]
pub struct CategoryExpr(Expr);

impl Expr {
    /// The operations on dictionaries: `col("size").cat().codes()`.
    pub fn cat(self) -> CategoryExpr {
        CategoryExpr(self)
    }
}

impl CategoryExpr {
    fn function(self, function: CategoryFunction) -> Expr {
        Expr::new(Node::Function(Function::Category(function), vec![self.0]))
    }

    /// The values as codes into a dictionary of the distinct ones, in order of first appearance. A dictionary stays as it is.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode())?, "tea <NA> oat");
    /// assert_eq!(show(col("word").cat().encode().cat().codes())?, "0 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for nested values and nulls.
    ///
    /// # Source
    /// pandas `astype("category")`, which sorts the categories; cudf/dictionary/encode.hpp.
    pub fn encode(self) -> Expr {
        self.function(CategoryFunction::Encode)
    }

    /// The values of a dictionary.
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than dictionaries, as of the other functions.
    ///
    /// # Source
    /// cudf/dictionary/encode.hpp `decode`.
    pub fn decode(self) -> Expr {
        self.function(CategoryFunction::Decode)
    }

    /// The position of each row's category, as signed integers of the width of the codes; null where the value is null.
    ///
    /// # Source
    /// pandas `Series.cat.codes`, Polars `to_physical`.
    pub fn codes(self) -> Expr {
        self.function(CategoryFunction::Codes)
    }

    /// The values with ordered categories, as the dictionary has them: comparisons, sorts and extremes go by that order.
    ///
    /// # Source
    /// pandas `Series.cat.as_ordered`.
    pub fn as_ordered(self) -> Expr {
        self.function(CategoryFunction::AsOrdered)
    }

    /// The values with unordered categories.
    ///
    /// # Source
    /// pandas `Series.cat.as_unordered`.
    pub fn as_unordered(self) -> Expr {
        self.function(CategoryFunction::AsUnordered)
    }
}
