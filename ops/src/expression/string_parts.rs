//! Expressions over strings: parts of them, tests of their characters, and regular expressions.
//!
//! Each gives null where the value is null, and takes strings and dictionaries of strings. Of a dictionary each value is
//! computed once, and the result is a dictionary where it is strings; lists are made of each row. Regular expressions have the
//! syntax of the crate `regex`: Unicode, linear time, no look-around and no back-references. Devices follow them as automata:
//! without groups but the whole match, and without Unicode's word boundaries (`(?-u:\b)` is that of ASCII).

use super::{Expr, Match, StringExpr};
use crate::strings::{Anchor, CharRange, Characters, Measure, Separated, StringFunction, Transform};

macro_rules! tests {
    ($($(#[$doc:meta])* $name:ident => $characters:ident;)*) => {
        impl StringExpr {
            $($(#[$doc])*
            ///
            /// # Errors
            /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
            /// `InvalidArgument` for strings that are not UTF-8.
            pub fn $name(self) -> Expr {
                self.function(StringFunction::Test(Characters::$characters))
            })*
        }
    };
}

tests! {
    /// Whether there are characters and all are letters, of Unicode's category `L`: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().is_alpha())?, "true <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_alpha => Alpha;
    /// Whether there are characters and all are numbers, of Unicode's categories `Nd`, `Nl` and `No`: `bool`. Python's `isnumeric`
    /// takes ideographs for numbers too.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("²").str().is_numeric())?, "true true true");
    /// assert_eq!(show(lit("no").str().is_numeric())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_numeric => Numeric;
    /// Whether there are characters and all are decimal digits, of Unicode's category `Nd`: `bool`. pandas `isdecimal`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("12").str().is_decimal())?, "true true true");
    /// assert_eq!(show(lit("²").str().is_decimal())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_decimal => Decimal;
    /// Whether there are characters and all are letters or numbers: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a1").str().is_alnum())?, "true true true");
    /// assert_eq!(show(lit("a 1").str().is_alnum())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_alnum => Alnum;
    /// Whether there are characters and all are white space: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit(" ").str().is_space())?, "true true true");
    /// assert_eq!(show(lit("a b").str().is_space())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_space => Space;
    /// Whether there are letters in lower case and no others that have a case: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("tea 1").str().is_lower())?, "true true true");
    /// assert_eq!(show(lit("Tea").str().is_lower())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_lower => Lower;
    /// Whether there are letters in upper case and no others that have a case: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("TEA").str().is_upper())?, "true true true");
    /// assert_eq!(show(lit("Tea").str().is_upper())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_upper => Upper;
    /// Whether the first letter of each word is in upper or title case and the others in lower case, of one word at least: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("Green Tea").str().is_title())?, "true true true");
    /// assert_eq!(show(lit("Green tea").str().is_title())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_title => Title;
    /// Whether all characters are ASCII: `bool`, true without characters.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("tea").str().is_ascii())?, "true true true");
    /// assert_eq!(show(lit("né").str().is_ascii())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    is_ascii => Ascii;
}

impl StringExpr {
    /// How many characters are before the last occurrence of `part`, −1 if there is none: `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a-b-c").str().rfind("-"))?, "3 3 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings.
    ///
    /// # Source
    /// pandas `Series.str.rfind`.
    pub fn rfind(self, part: impl Into<String>) -> Expr {
        self.function(StringFunction::Measure(Measure::RFind(part.into().into())))
    }

    /// How often `part` occurs, literally and without overlaps: `int64`. An empty one occurs before each character and at the end.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().count("a"))?, "1 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings.
    ///
    /// # Source
    /// Python `str.count`, Polars `Expr.str.count_matches(literal=True)`.
    pub fn count(self, part: impl Into<String>) -> Expr {
        self.function(StringFunction::Measure(Measure::Count(part.into().into())))
    }

    /// Whether the whole string matches a pattern of SQL's `LIKE` in whatever case: both are compared in lower case.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().ilike("T%"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// SQL `ILIKE`.
    pub fn ilike(self, pattern: impl Into<String>) -> Expr {
        self.lower().str().like(pattern.into().to_lowercase())
    }

    /// [`ilike`](Self::ilike), where the character after `escape` stands for itself: `%`, `_` or the escape.
    ///
    /// The escape itself is compared as it is, so that the same letter in another case is none. Null where the value is null.
    /// `bool`, of strings and dictionaries of strings.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().ilike_escape("T%", '!'))?, "true <NA> false");
    /// assert_eq!(show(col("word").str().ilike_escape("T!%", '!'))?, "false <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8; `InvalidPattern`, with the position, for an escape at the end or
    /// before another character.
    ///
    /// # Source
    /// SQL `ILIKE … ESCAPE`.
    pub fn ilike_escape(self, pattern: impl Into<String>, escape: char) -> Expr {
        let pattern = pattern.into();
        match in_lower_case(&pattern, escape) {
            Some(lower) => self.lower().str().like_escape(lower, LOWER_ESCAPE),
            // Which is refused with the position of the escape.
            None => self.matches(Match::IlikeEscape(escape), pattern),
        }
    }

    /// The string with upper case as lower case, and what has another case as upper case.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("Tea").str().swapcase())?, "tEA tEA tEA");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.swapcase`.
    pub fn swapcase(self) -> Expr {
        self.function(StringFunction::Transform(Transform::SwapCase))
    }

    /// The character at a position, from the end if it is negative; null where there is none.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().get(-1))?, "a <NA> t");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.get`.
    pub fn get(self, position: i64) -> Expr {
        self.function(StringFunction::Get(position))
    }

    /// The string with `with` in place of the characters that [`slice`](Self::slice) gives.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().slice_replace(0, 1, "__"))?, "__ea <NA> __at");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.slice_replace`, by the length in place of the end.
    pub fn slice_replace(self, offset: i64, length: impl Into<Option<u64>>, with: impl Into<String>) -> Expr {
        let range = CharRange { offset, length: length.into() };
        self.function(StringFunction::Transform(Transform::SliceReplace(range, with.into().into())))
    }

    /// The string with a character, or none, in place of each of the characters of a map; the first entry of a character counts.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().translate([('t', Some('T')), ('a', None)]))?, "Te <NA> oT");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.translate`.
    pub fn translate(self, map: impl IntoIterator<Item = (char, Option<char>)>) -> Expr {
        self.function(StringFunction::Transform(Transform::Translate(map.into_iter().collect())))
    }

    /// The part at a position between occurrences of a separator, literally; from the end if it is negative. Null where there is
    /// none. An empty separator is between characters.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().split_part("a", 0))?, "te <NA> o");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// SQL `split_part`, cudf/strings/split/split.hpp `split_part`.
    pub fn split_part(self, separator: impl Into<String>, position: i64) -> Expr {
        let how = Separated { separator: Some(separator.into()), limit: None, from_end: false };
        self.function(StringFunction::Part(how, position))
    }

    /// The parts between occurrences of a separator as `n` columns, the last of which has the rest; null where there are fewer. They
    /// are called as this expression with `_0`, `_1` and so on.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let [first, second] = &col("word").str().split_columns("a", 2)[..] else { panic!("two columns") };
    /// assert_eq!(show(second.clone())?, " <NA> t");
    /// assert_eq!(first.label(), "word_0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, and for an empty separator.
    ///
    /// # Source
    /// pandas `Series.str.split(expand=True)`, Polars `Expr.str.splitn`.
    pub fn split_columns(self, separator: impl Into<String>, n: usize) -> Vec<Expr> {
        self.parts(separator.into(), n, false)
    }

    /// [`split_columns`](Self::split_columns), where separators are searched for from the end: the first column has the rest.
    /// Where there are fewer parts, the last columns are null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// let [rest, last] = &lit("a-b-c").str().rsplit_columns("-", 2)[..] else { panic!("two columns") };
    /// assert_eq!(show(rest.clone())?, "a-b a-b a-b");
    /// assert_eq!(show(last.clone())?, "c c c");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, and for an empty separator.
    ///
    /// # Source
    /// pandas `Series.str.rsplit(expand=True)`.
    pub fn rsplit_columns(self, separator: impl Into<String>, n: usize) -> Vec<Expr> {
        self.parts(separator.into(), n, true)
    }

    fn parts(self, separator: String, n: usize, from_end: bool) -> Vec<Expr> {
        let label = self.string().label();
        let how = Separated { separator: Some(separator), limit: Some(n.saturating_sub(1)), from_end };
        let part = |position: usize| {
            let part = StringFunction::Part(how.clone(), i64::try_from(position).unwrap_or(i64::MAX));
            self.clone().function(part).alias(format!("{label}_{position}"))
        };
        (0..n).map(part).collect()
    }

    /// The parts between occurrences of a separator, literally, as a list of strings. At most `n` separators are used, from the
    /// beginning. `None` as the separator: parts between runs of white space.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().split("a", None))?, "[te, ] <NA> [o, t]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.split`, cudf/strings/split/split.hpp `split_record`.
    pub fn split<'a>(self, separator: impl Into<Option<&'a str>>, n: impl Into<Option<usize>>) -> Expr {
        let separator = separator.into().map(str::to_owned);
        self.function(StringFunction::Split(Separated { separator, limit: n.into(), from_end: false }))
    }

    /// [`split`](Self::split), where separators are searched for from the end.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a-b-c").str().rsplit("-", Some(1)))?, "[a-b, c] [a-b, c] [a-b, c]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8.
    ///
    /// # Source
    /// pandas `Series.str.rsplit`.
    pub fn rsplit<'a>(self, separator: impl Into<Option<&'a str>>, n: impl Into<Option<usize>>) -> Expr {
        let separator = separator.into().map(str::to_owned);
        self.function(StringFunction::Split(Separated { separator, limit: n.into(), from_end: true }))
    }

    /// What is before the first occurrence of a separator, the separator, and what is after it; without one the string and two
    /// empty strings. They are called as this expression with `_0`, `_1` and `_2`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let [before, _, after] = col("word").str().partition("e");
    /// assert_eq!(show(before)?, "t <NA> oat");
    /// assert_eq!(show(after)?, "a <NA> ");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8;
    /// `InvalidArgument` for an empty separator.
    ///
    /// # Source
    /// pandas `Series.str.partition`, cudf/strings/split/partition.hpp.
    pub fn partition(self, separator: impl Into<String>) -> [Expr; 3] {
        self.fields(&separator.into(), false)
    }

    /// [`partition`](Self::partition) at the last occurrence; without one two empty strings and the string.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a-b-c").str().rpartition("-")[0].clone())?, "a-b a-b a-b");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8;
    /// `InvalidArgument` for an empty separator.
    ///
    /// # Source
    /// pandas `Series.str.rpartition`.
    pub fn rpartition(self, separator: impl Into<String>) -> [Expr; 3] {
        self.fields(&separator.into(), true)
    }

    fn fields(self, separator: &str, from_end: bool) -> [Expr; 3] {
        let label = self.string().label();
        [0, 1, 2].map(|field| {
            let function = StringFunction::Partition(separator.to_owned(), field, from_end);
            self.clone().function(function).alias(format!("{label}_{field}"))
        })
    }

    /// Whether a regular expression matches a part of the string: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().contains_regex("^t|[x-z]"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for patterns with a Unicode
    /// word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position.
    ///
    /// # Source
    /// pandas `Series.str.contains`, cudf/strings/contains.hpp `contains_re`.
    pub fn contains_regex(self, pattern: impl Into<String>) -> Expr {
        self.function(StringFunction::TestRegex(pattern.into(), Anchor::Nowhere))
    }

    /// Whether a regular expression matches at the beginning of the string: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().match_regex("t|a"))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for patterns with a Unicode
    /// word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position.
    ///
    /// # Source
    /// pandas `Series.str.match`.
    pub fn match_regex(self, pattern: impl Into<String>) -> Expr {
        self.function(StringFunction::TestRegex(pattern.into(), Anchor::Start))
    }

    /// Whether a regular expression matches the whole string: `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().fullmatch_regex("t.."))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for patterns with a Unicode
    /// word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position.
    ///
    /// # Source
    /// pandas `Series.str.fullmatch`.
    pub fn fullmatch_regex(self, pattern: impl Into<String>) -> Expr {
        self.function(StringFunction::TestRegex(pattern.into(), Anchor::Both))
    }

    /// How often a regular expression matches, without overlaps: `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a1b22").str().count_regex("[0-9]+"))?, "2 2 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for patterns with a Unicode
    /// word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position.
    ///
    /// # Source
    /// pandas `Series.str.count`.
    pub fn count_regex(self, pattern: impl Into<String>) -> Expr {
        self.function(StringFunction::CountRegex(pattern.into()))
    }

    /// The string with `to` in place of the matches of a regular expression, at most `n` of them. In `to`, `$1` and `${name}` are
    /// groups of the match, and `$$` is `$`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().replace_regex("([ae])", "<$1>", 1))?, "t<e>a <NA> o<a>t");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for groups in `to` other than
    /// `$0`, patterns with a Unicode word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position; `InvalidArgument` for a group that there is not.
    ///
    /// # Source
    /// pandas `Series.str.replace(regex=True)`, with the crate's `$1` for `\1`.
    pub fn replace_regex(
        self,
        pattern: impl Into<String>,
        to: impl Into<String>,
        n: impl Into<Option<usize>>,
    ) -> Expr {
        self.function(StringFunction::ReplaceRegex(pattern.into(), to.into(), n.into()))
    }

    /// A group of the first match of a regular expression; group 0 is the whole match. Null where it matches nowhere, or the group
    /// takes no part in the match.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().extract("(e)a|o(.)", 2))?, "<NA> <NA> a");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for groups other than 0,
    /// patterns with a Unicode word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position; `InvalidArgument` for a group that there is not.
    ///
    /// # Source
    /// pandas `Series.str.extract`, Polars `Expr.str.extract`.
    pub fn extract(self, pattern: impl Into<String>, group: usize) -> Expr {
        self.function(StringFunction::Extract(pattern.into(), group))
    }

    /// A group of each match of a regular expression as a list of strings, empty where a group takes no part in a match.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, lit};
    /// assert_eq!(show(lit("a1b22").str().extract_all("[0-9]+", 0))?, "[1, 22] [1, 22] [1, 22]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for groups other than 0,
    /// patterns with a Unicode word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position; `InvalidArgument` for a group that there is not.
    ///
    /// # Source
    /// pandas `Series.str.findall`, Polars `Expr.str.extract_all`.
    pub fn extract_all(self, pattern: impl Into<String>, group: usize) -> Expr {
        self.function(StringFunction::ExtractAll(pattern.into(), group))
    }

    /// The parts between matches of a regular expression as a list of strings; at most `n` matches are used.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().split_regex("[ea]", None))?, "[t, , ] <NA> [o, t]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes than strings and dictionaries of strings,
    /// `InvalidArgument` for strings that are not UTF-8, on devices `NotImplemented` for patterns with a Unicode
    /// word boundary and those whose automaton has more than 1 MiB;
    /// `InvalidPattern`, with the position.
    ///
    /// # Source
    /// pandas `Series.str.split(regex=True)`.
    pub fn split_regex(self, pattern: impl Into<String>, n: impl Into<Option<usize>>) -> Expr {
        self.function(StringFunction::SplitRegex(pattern.into(), n.into()))
    }
}

/// The escape of patterns in lower case, which has no case.
const LOWER_ESCAPE: char = '\\';

/// A pattern with an escape in lower case, with [`LOWER_ESCAPE`] in place of its escape; `None` for an invalid one.
fn in_lower_case(pattern: &str, escape: char) -> Option<String> {
    let mut lower = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let literal = if character == escape {
            let next = characters.next()?;
            if next != escape && !matches!(next, '%' | '_') {
                return None;
            }
            next
        } else if matches!(character, '%' | '_') {
            lower.push(character);
            continue;
        } else {
            character
        };
        if matches!(literal, '%' | '_' | LOWER_ESCAPE) {
            lower.push(LOWER_ESCAPE);
        }
        lower.extend(literal.to_lowercase());
    }
    Some(lower)
}
