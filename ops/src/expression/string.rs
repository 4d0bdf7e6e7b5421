//! Expressions over strings.

use super::{CharRange, Expr, Function, Literal, Match, Node};
use crate::strings::{Search, StringFunction};

/// What expressions compute from strings: see [`Expr::str`].
///
/// # Source
/// pandas `Series.str`, Polars `Expr.str`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before a method of the namespace is called"]
pub struct StringExpr(pub(super) Expr);

impl Expr {
    /// The operations on strings: `col("name").str().starts_with("A")`.
    pub fn str(self) -> StringExpr {
        StringExpr(self)
    }
}

impl StringExpr {
    /// The strings.
    pub(super) fn string(&self) -> &Expr {
        &self.0
    }

    pub(super) fn function(self, function: StringFunction) -> Expr {
        self.with(function, [])
    }

    pub(super) fn with(self, function: StringFunction, others: impl IntoIterator<Item = Expr>) -> Expr {
        let arguments = std::iter::once(self.0).chain(others).collect();
        Expr::new(Node::Function(Function::String(function), arguments))
    }

    pub(super) fn matches(self, test: Match, text: impl Into<String>) -> Expr {
        Expr::new(Node::Match(test, self.0, text.into()))
    }

    /// A test with the same text for all rows, or with that of each row.
    fn searches(self, constant: Match, how: Search, part: Expr) -> Expr {
        if let Node::Literal(Literal::String(text)) = part.node() {
            return self.matches(constant, text.clone());
        }
        self.with(StringFunction::Search(how), [part])
    }

    /// Whether a string starts with `prefix`, a text or an expression of them.
    ///
    /// Bytes are compared, so letters with and without accents differ. Null where either is null. `bool`, of strings and
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
    pub fn starts_with(self, prefix: impl Into<Expr>) -> Expr {
        self.searches(Match::Prefix, Search::StartsWith, prefix.into())
    }

    /// Whether a string ends with `suffix`, a text or an expression of them.
    ///
    /// Bytes are compared, so letters with and without accents differ. Null where either is null. `bool`, of strings and
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
    pub fn ends_with(self, suffix: impl Into<Expr>) -> Expr {
        self.searches(Match::Suffix, Search::EndsWith, suffix.into())
    }

    /// Whether a string contains `part`, a text or an expression of them, literally.
    ///
    /// Bytes are compared, so letters with and without accents differ. Null where either is null. `bool`, of strings and
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
    pub fn contains(self, part: impl Into<Expr>) -> Expr {
        self.searches(Match::Contains, Search::Contains, part.into())
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

    /// Whether the whole string does not match a pattern of SQL's `LIKE`: the negation of [`like`](Self::like).
    ///
    /// Null where the value is null. `bool`, of strings and dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().not_like("_a%"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// SQL `NOT LIKE`.
    pub fn not_like(self, pattern: impl Into<String>) -> Expr {
        !self.like(pattern)
    }

    /// [`like`](Self::like), where the character after `escape` stands for itself: `%`, `_` or the escape.
    ///
    /// Null where the value is null. `bool`, of strings and dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().like_escape("!%%", '!'))?, "false <NA> false");
    /// assert_eq!(show(col("word").str().like_escape("%", '!'))?, "true <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes; `InvalidPattern`, with the position, for an escape at the end
    /// or before another character.
    ///
    /// # Source
    /// cudf/strings/contains.hpp `like` with an escape character, SQL `LIKE … ESCAPE`.
    pub fn like_escape(self, pattern: impl Into<String>, escape: char) -> Expr {
        self.matches(Match::LikeEscape(escape), pattern)
    }

    /// The characters from `offset` on, at most `length`, as strings; a negative offset counts from the end.
    ///
    /// A range that is partly outside of a string gives the part within it. A character is a Unicode scalar value. Null where the
    /// value is null. Strings; of a dictionary of strings a dictionary, of which each value is cut once.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().slice(0, 2))?, "te <NA> oa");
    /// assert_eq!(show(col("word").str().slice(-2, None))?, "ea <NA> at");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Device
    /// A pass of its own, before those of the expression.
    ///
    /// # Source
    /// Polars `Expr.str.slice`, pandas `Series.str.slice`, cudf/strings/slice.hpp `slice_strings`.
    pub fn slice(self, offset: i64, length: impl Into<Option<u64>>) -> Expr {
        self.function(StringFunction::Slice(CharRange { offset, length: length.into() }))
    }
}
