//! Expressions over strings: their lengths, and strings made of strings.
//!
//! Each gives null where the value is null, and takes strings and dictionaries of strings. Of a dictionary each value is
//! computed once.

use super::{Expr, StringExpr};
use crate::strings::{JoinNulls, Measure, Side, StringFunction, Transform};

impl StringExpr {
    fn made(self, function: Transform) -> Expr {
        self.function(StringFunction::Transform(function))
    }

    /// The number of characters (Unicode scalar values): `int64`, null where the value is null. Of a dictionary each value is
    /// counted once.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().len() * 2)?, "6 <NA> 6");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings.
    ///
    /// # Device
    /// A pass of its own, before those of the expression, as for every method below.
    ///
    /// # Source
    /// pandas `Series.str.len`, Polars `Expr.str.len_chars`, cudf/strings/attributes.hpp.
    pub fn len(self) -> Expr {
        self.function(StringFunction::Measure(Measure::Characters))
    }

    /// The number of bytes: `int64`, null where the value is null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("né").str().byte_count())?, "3 3 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings.
    ///
    /// # Source
    /// Polars `Expr.str.len_bytes`.
    pub fn byte_count(self) -> Expr {
        self.function(StringFunction::Measure(Measure::Bytes))
    }

    /// How many characters are before the first occurrence of `part`, −1 if there is none: `int64`, null where the value is null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().find("a"))?, "2 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings.
    ///
    /// # Source
    /// pandas `Series.str.find`.
    pub fn find(self, part: impl Into<String>) -> Expr {
        self.function(StringFunction::Measure(Measure::Find(part.into().into())))
    }

    /// The string in lower case, by Unicode's full mapping without a locale; null where the value is null. Strings; of a
    /// dictionary a dictionary, of which each value is computed once, and values that become equal are one.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit, when};
    /// let shouted = when(col("flag")).then(col("word").str().upper()).otherwise(col("word").str().reverse());
    /// assert_eq!(show(shouted)?, "TEA <NA> tao");
    /// assert_eq!(show(col("word").str().upper().str().lower().eq("tea"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings, `InvalidArgument` for
    /// strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.lower`, Polars `Expr.str.to_lowercase`, cudf/strings/case.hpp.
    pub fn lower(self) -> Expr {
        self.made(Transform::Lower)
    }

    /// The string in upper case; otherwise as [`lower`](Self::lower).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().upper())?, "TEA <NA> OAT");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    pub fn upper(self) -> Expr {
        self.made(Transform::Upper)
    }

    /// The string with its first character in title case and the others in lower case.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().capitalize())?, "Tea <NA> Oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.capitalize`.
    pub fn capitalize(self) -> Expr {
        self.made(Transform::Capitalize)
    }

    /// The string with the first letter of each word in title case and the others in lower case. A word is a run of letters
    /// that have a case.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("green tea").str().title())?, "Green Tea Green Tea Green Tea");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.title`.
    pub fn title(self) -> Expr {
        self.made(Transform::Title)
    }

    /// The string without white space at its ends.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(" tea ").str().strip())?, "tea tea tea");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.strip`; white space is Unicode's property, which lacks the separators U+001C to U+001F of Python.
    pub fn strip(self) -> Expr {
        self.made(Transform::Strip(Side::Both, None))
    }

    /// The string without white space at its beginning; otherwise as [`strip`](Self::strip).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(" tea").str().lstrip())?, "tea tea tea");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    pub fn lstrip(self) -> Expr {
        self.made(Transform::Strip(Side::Left, None))
    }

    /// The string without white space at its end; otherwise as [`strip`](Self::strip).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("tea ").str().rstrip())?, "tea tea tea");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    pub fn rstrip(self) -> Expr {
        self.made(Transform::Strip(Side::Right, None))
    }

    /// The string without any of `characters` at the ends of `side`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// # use columnade_ops::strings::Side;
    /// assert_eq!(show(col("word").str().strip_chars("at", Side::Right))?, "te <NA> o");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.strip(to_strip)`, Polars `Expr.str.strip_chars`.
    pub fn strip_chars(self, characters: &str, side: Side) -> Expr {
        self.made(Transform::Strip(side, Some(characters.chars().collect())))
    }

    /// The string with `fill` added at the ends of `side` until it has `width` characters.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// # use columnade_ops::strings::Side;
    /// assert_eq!(show(col("word").str().pad(5, Side::Both, '*'))?, "*tea* <NA> *oat*");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.pad`.
    pub fn pad(self, width: usize, side: Side, fill: char) -> Expr {
        self.made(Transform::Pad { width, fill, side })
    }

    /// The string with zeros at the beginning, but after a sign, until it has `width` characters.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("-7").str().zfill(4))?, "-007 -007 -007");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.zfill`.
    pub fn zfill(self, width: usize) -> Expr {
        self.made(Transform::ZFill(width))
    }

    /// The string `count` times.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().repeat(2))?, "teatea <NA> oatoat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8;
    /// `InvalidArgument` for a result larger than any memory.
    ///
    /// # Source
    /// pandas `Series.str.repeat`.
    pub fn repeat(self, count: usize) -> Expr {
        self.made(Transform::Repeat(count))
    }

    /// The characters from the last to the first.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().reverse())?, "aet <NA> tao");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// Polars `Expr.str.reverse`.
    pub fn reverse(self) -> Expr {
        self.made(Transform::Reverse)
    }

    /// The string with `to` in place of every occurrence of `from`, literally and from left to right. An empty `from` is found
    /// before each character and at the end.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().replace("a", "ea"))?, "teea <NA> oeat");
    /// assert_eq!(show(col("word").str().replace_n("", "-", 2))?, "-t-ea <NA> -o-at");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.replace(regex=False)`, Polars `Expr.str.replace_all(literal=True)`.
    pub fn replace(self, from: impl Into<String>, to: impl Into<String>) -> Expr {
        self.made(Transform::Replace { from: from.into().into(), to: to.into().into(), limit: None })
    }

    /// [`replace`](Self::replace), at most `n` times in a string.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a-b-c").str().replace_n("-", "+", 1))?, "a+b-c a+b-c a+b-c");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.replace(n=…)`.
    pub fn replace_n(self, from: impl Into<String>, to: impl Into<String>, n: usize) -> Expr {
        self.made(Transform::Replace { from: from.into().into(), to: to.into().into(), limit: Some(n) })
    }

    /// The string without `prefix` at its beginning, if it is there.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().remove_prefix("t"))?, "ea <NA> oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.removeprefix`.
    pub fn remove_prefix(self, prefix: impl Into<String>) -> Expr {
        self.made(Transform::RemovePrefix(prefix.into().into()))
    }

    /// The string without `suffix` at its end, if it is there.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().remove_suffix("at"))?, "tea <NA> o");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.removesuffix`.
    pub fn remove_suffix(self, suffix: impl Into<String>) -> Expr {
        self.made(Transform::RemoveSuffix(suffix.into().into()))
    }

    /// The string followed by those of `others` in the same row, with `separator` between them: strings, also of dictionaries. A
    /// row with a null is null, or the null is left out, by `nulls`. An item of `others` is an expression or a constant.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit};
    /// # use columnade_ops::strings::JoinNulls;
    /// let again = col("word").str().concat([lit("and"), col("word").str().upper()], " ", JoinNulls::Propagate);
    /// assert_eq!(show(again)?, "tea and TEA <NA> oat and OAT");
    /// assert_eq!(show(col("word").str().concat(["!"], "", JoinNulls::Ignore))?, "tea! ! oat!");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.cat`, Polars `concat_str`, SQL `CONCAT_WS`, cudf/strings/combine.hpp.
    pub fn concat<E: Into<Expr>>(
        self,
        others: impl IntoIterator<Item = E>,
        separator: impl Into<String>,
        nulls: JoinNulls,
    ) -> Expr {
        self.with(StringFunction::Concat(separator.into(), nulls), others.into_iter().map(Into::into))
    }
}
