//! Expressions over dictionaries.

use super::{Comparison, Expr, Function, Literal, Node, adopt};
use columnade_columns::{DType, Error, Result, Scalar};
use std::fmt;

/// A function of dictionaries: see [`CategoryExpr`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// A comparison of an ordered dictionary with one of its categories.
    CompareWith(Comparison, Literal),
    /// One of the categories of the dictionary, or null, in each row.
    Constant(Literal),
    /// The dictionary with other categories.
    Change(CategoryChange, Vec<Literal>),
    /// The dictionary with values in place of others, in pairs: the first of a pair is replaced.
    Replace(Vec<(Literal, Literal)>),
}

/// What is done with categories that are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CategoryChange {
    /// They follow those there are.
    Add,
    /// They are left out.
    Remove,
    /// They stand in place of those there are, in order.
    Rename,
    /// They are those there are, in another order.
    Reorder,
    /// They are all categories.
    Set,
}

impl CategoryFunction {
    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            CategoryFunction::Encode => "encode",
            CategoryFunction::Replace(_) => "replace",
            CategoryFunction::Decode => "decode",
            CategoryFunction::Codes => "codes",
            CategoryFunction::Constant(_) => "category",
            CategoryFunction::AsOrdered => "as_ordered",
            CategoryFunction::AsUnordered => "as_unordered",
            CategoryFunction::Compare(op) | CategoryFunction::CompareWith(op, _) => op.symbol(),
            CategoryFunction::Change(CategoryChange::Add, _) => "add_categories",
            CategoryFunction::Change(CategoryChange::Remove, _) => "remove_categories",
            CategoryFunction::Change(CategoryChange::Rename, _) => "rename_categories",
            CategoryFunction::Change(CategoryChange::Reorder, _) => "reorder_categories",
            CategoryFunction::Change(CategoryChange::Set, _) => "set_categories",
        }
    }

    /// The categories that are given, as values of a dictionary of `dtype`.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for other dtypes than dictionaries; [`Error::InvalidArgument`] for a category that is no value
    /// of the dictionary's.
    pub(crate) fn categories(given: &[Literal], dtype: &DType) -> Result<(DType, Vec<Scalar>)> {
        let DType::Dictionary(dictionary) = dtype else {
            return Err(Error::UnsupportedDType { dtype: dtype.clone() });
        };
        let values = dictionary.values.clone();
        let scalars = given.iter().map(|literal| adopt(literal, &values)).collect::<Result<_>>()?;
        Ok((values, scalars))
    }

    pub(super) fn fmt(&self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match arguments {
            [first, ..] if let CategoryFunction::Change(_, given) = self => {
                write!(f, "{first}.cat().{}([", self.name())?;
                for (position, literal) in given.iter().enumerate() {
                    write!(f, "{}{literal}", if position == 0 { "" } else { ", " })?;
                }
                f.write_str("])")
            }
            [first, ..] if let CategoryFunction::Replace(pairs) = self => {
                write!(f, "{first}.replace([")?;
                for (position, (from, to)) in pairs.iter().enumerate() {
                    write!(f, "{}({from}, {to})", if position == 0 { "" } else { ", " })?;
                }
                f.write_str("])")
            }
            [first, ..] if let CategoryFunction::CompareWith(op, literal) = self => {
                write!(f, "({first} {} {literal})", op.symbol())
            }
            [_, ..] if let CategoryFunction::Constant(literal) = self => write!(f, "{literal}"),
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
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode().cat().decode())?, "tea <NA> oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
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
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode().cat().codes())?, "0 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.codes`, Polars `to_physical`.
    pub fn codes(self) -> Expr {
        self.function(CategoryFunction::Codes)
    }

    /// The values with ordered categories, as the dictionary has them: comparisons, sorts and extremes go by that order.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode().cat().as_ordered().lt("oat"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.as_ordered`.
    pub fn as_ordered(self) -> Expr {
        self.function(CategoryFunction::AsOrdered)
    }

    /// The values with unordered categories.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode().cat().as_ordered().cat().as_unordered())?, "tea <NA> oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.as_unordered`.
    pub fn as_unordered(self) -> Expr {
        self.function(CategoryFunction::AsUnordered)
    }

    fn change<L: Into<Literal>>(self, change: CategoryChange, given: impl IntoIterator<Item = L>) -> Expr {
        let given = given.into_iter().map(Into::into).collect();
        self.function(CategoryFunction::Change(change, given))
    }

    /// The values with more categories, after those there are.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let more = col("word").cat().encode().cat().add_categories(["rye", "soy"]);
    /// assert_eq!(show(more.clone())?, "tea <NA> oat");
    /// let kept = more.cat().set_categories(["soy", "oat"]);
    /// assert_eq!(show(kept.clone())?, "<NA> <NA> oat");
    /// assert_eq!(show(kept.cat().codes())?, "<NA> <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for a category that is there already, twice or null, and for one of another dtype;
    /// `Overflow` for more categories than the codes count, whose width stays; `UnsupportedDType` for other dtypes than
    /// dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.add_categories`.
    pub fn add_categories<L: Into<Literal>>(self, categories: impl IntoIterator<Item = L>) -> Expr {
        self.change(CategoryChange::Add, categories)
    }

    /// The values without some categories: null where they were.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode().cat().remove_categories(["tea"]))?, "<NA> <NA> oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for a category that is there already, twice or null, and for one of
    /// another dtype; `Overflow` for more categories than the codes count, whose width stays; `UnsupportedDType` for
    /// other dtypes than dictionaries; `UnknownCategory` for one that is not there.
    ///
    /// # Source
    /// pandas `Series.cat.remove_categories`.
    pub fn remove_categories<L: Into<Literal>>(self, categories: impl IntoIterator<Item = L>) -> Expr {
        self.change(CategoryChange::Remove, categories)
    }

    /// The values with other categories in place of those there are, as many, in order.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let short = col("word").cat().encode().cat().rename_categories(["T", "O"]);
    /// assert_eq!(show(short)?, "T <NA> O");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for a category that comes twice or is null; `LengthMismatch` for another number; `UnsupportedDType` for other dtypes than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.rename_categories` of a list.
    pub fn rename_categories<L: Into<Literal>>(self, categories: impl IntoIterator<Item = L>) -> Expr {
        self.change(CategoryChange::Rename, categories)
    }

    /// The values with the same categories in another order.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let words = col("word").cat().encode().cat().reorder_categories(["oat", "tea"]).cat().as_ordered();
    /// assert_eq!(show(words.gt("oat"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for a category that is missing, comes twice or is null, and for one of another
    /// dtype; `UnknownCategory` for one that is not there; `UnsupportedDType` for other dtypes than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.reorder_categories`.
    pub fn reorder_categories<L: Into<Literal>>(self, categories: impl IntoIterator<Item = L>) -> Expr {
        self.change(CategoryChange::Reorder, categories)
    }

    /// The values with exactly these categories; null where the category is not among them.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").cat().encode().cat().set_categories(["oat", "rye"]))?, "<NA> <NA> oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for a category that comes twice or is null, and for one of another dtype;
    /// `Overflow` for more categories than the codes count; `UnsupportedDType` for other dtypes than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.set_categories`.
    pub fn set_categories<L: Into<Literal>>(self, categories: impl IntoIterator<Item = L>) -> Expr {
        self.change(CategoryChange::Set, categories)
    }
}
