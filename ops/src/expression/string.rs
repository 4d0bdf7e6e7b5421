//! Expressions over strings.

use super::{Expr, Match, Node};

/// What expressions compute from strings: see [`Expr::str`].
///
/// # Source
/// pandas `Series.str`, Polars `Expr.str`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before a method of the namespace is called"]
pub struct StringExpr(Expr);

impl Expr {
    /// The operations on strings: `col("name").str().starts_with("A")`.
    pub fn str(self) -> StringExpr {
        StringExpr(self)
    }
}

impl StringExpr {
    fn matches(self, test: Match, text: impl Into<String>) -> Expr {
        Expr::new(Node::Match(test, self.0, text.into()))
    }

    /// Whether a string starts with `prefix`.
    ///
    /// Bytes are compared, so letters with and without accents differ. Null where the value is null. `bool`, of strings and
    /// dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().starts_with("t"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.str.startswith`, Polars `Expr.str.starts_with`.
    pub fn starts_with(self, prefix: impl Into<String>) -> Expr {
        self.matches(Match::Prefix, prefix)
    }

    /// Whether a string ends with `suffix`.
    ///
    /// Bytes are compared, so letters with and without accents differ. Null where the value is null. `bool`, of strings and
    /// dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().ends_with("t"))?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.str.endswith`, Polars `Expr.str.ends_with`.
    pub fn ends_with(self, suffix: impl Into<String>) -> Expr {
        self.matches(Match::Suffix, suffix)
    }

    /// Whether a string contains `part`, literally.
    ///
    /// Bytes are compared, so letters with and without accents differ. Null where the value is null. `bool`, of strings and
    /// dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().contains("a"))?, "true <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.str.contains(regex=False)`, Polars `Expr.str.contains(literal=True)`.
    pub fn contains(self, part: impl Into<String>) -> Expr {
        self.matches(Match::Contains, part)
    }

    /// Whether the whole string matches a pattern of SQL's `LIKE`: `%` is any number of characters, `_` any one.
    ///
    /// Null where the value is null. `bool`, of strings and dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().like("_a%"))?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// cudf/strings/contains.hpp `like`, SQL `LIKE`.
    pub fn like(self, pattern: impl Into<String>) -> Expr {
        self.matches(Match::Like, pattern)
    }
}
