//! Parts of the strings of a series, tests of their characters, and regular expressions.

use columnade_columns::ColumnAccessor;
use columnade_ops::expression::{Expr, StringExpr, col, evaluate};

use super::Series;
use super::string::StringMethods;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};

/// Columns that parts of strings are split into, at most.
const MOST_COLUMNS: usize = 1 << 16;

fn check_columns(operation: &'static str, n: usize) -> Result<()> {
    match n {
        0 => Err(Error::argument(operation, "n", "0 columns have no strings: n is at least 1")),
        1..=MOST_COLUMNS => Ok(()),
        _ => Err(Error::argument(operation, "n", format!("{n} columns are more than {MOST_COLUMNS}"))),
    }
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident$(<$life:lifetime>)?($($argument:ident: $ty:ty),*);)*) => {
        impl StringMethods<'_> {
            $($(#[$doc])*
            #[doc = concat!("See [`StringExpr::", stringify!($name), "`].")]
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for a pattern that is wrong, with
            /// its position, on devices (not implemented) for groups of patterns, their Unicode word boundaries and those whose
            /// automaton has more than 1 MiB, and when memory runs out.
            pub fn $name$(<$life>)?(&self, $($argument: $ty),*) -> Result<Series> {
                self.function(concat!("str.", stringify!($name)), |values| StringExpr::$name(values, $($argument),*))
            })*
        }
    };
}

methods! {
    /// How many characters are before the last occurrence of a string.
    rfind(part: &str);
    /// How often a string occurs.
    count(part: &str);
    /// Whether strings match a pattern of SQL's `LIKE` in whatever case.
    ilike(pattern: &str);
    /// Whether strings match such a pattern in whatever case, where the character after `escape` stands for itself.
    ilike_escape(pattern: &str, escape: char);
    /// Strings in the other case.
    swapcase();
    /// A character of each string.
    get(position: i64);
    /// Strings with another one in place of some characters.
    slice_replace(offset: i64, length: Option<u64>, with: &str);
    /// Strings with other characters, or none, in place of some.
    translate(map: impl IntoIterator<Item = (char, Option<char>)>);
    /// One part of each string between separators.
    split_part(separator: &str, position: i64);
    /// The parts of each string between separators, as lists; without a separator, between runs of white space.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let codes = Series::new(["a-b", "c"])?;
    /// assert_eq!(codes.str().split("-", None)?.get(0)?.to_string(), "[a, b]");
    /// assert_eq!(codes.str().replace_regex("[ab]", "<$0>", None)?.get(0)?.to_string(), "<a>-<b>");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    split<'s>(separator: impl Into<Option<&'s str>>, n: impl Into<Option<usize>>);
    /// The parts of each string between separators that are searched for from the end, as lists; as [`split`](Self::split).
    rsplit<'s>(separator: impl Into<Option<&'s str>>, n: impl Into<Option<usize>>);
    /// Whether all characters are letters.
    is_alpha();
    /// Whether all characters are numbers.
    is_numeric();
    /// Whether all characters are decimal digits.
    is_decimal();
    /// Whether all characters are letters or numbers.
    is_alnum();
    /// Whether all characters are white space.
    is_space();
    /// Whether strings are in lower case.
    is_lower();
    /// Whether strings are in upper case.
    is_upper();
    /// Whether words begin in upper or title case.
    is_title();
    /// Whether all characters are ASCII.
    is_ascii();
    /// Whether a regular expression matches a part.
    contains_regex(pattern: &str);
    /// Whether a regular expression matches at the beginning.
    match_regex(pattern: &str);
    /// Whether a regular expression matches the whole string.
    fullmatch_regex(pattern: &str);
    /// How often a regular expression matches.
    count_regex(pattern: &str);
    /// Strings with another one in place of matches of a regular expression.
    replace_regex(pattern: &str, to: &str, n: impl Into<Option<usize>>);
    /// A group of the first match of a regular expression.
    extract(pattern: &str, group: usize);
    /// A group of each match of a regular expression, as lists.
    extract_all(pattern: &str, group: usize);
    /// The parts of each string between matches of a regular expression, as lists.
    split_regex(pattern: &str, n: impl Into<Option<usize>>);
}

impl StringMethods<'_> {
    /// The parts between occurrences of a separator as a frame of `n` columns, the last of which has the rest; null where there are
    /// fewer. The columns are called `0`, `1` and so on after the name of the series and `_`; those of a series without a name
    /// by the numbers alone, as in pandas.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let parts = Series::new(["a-b-c", "d"])?.rename("x").str().split_columns("-", 2)?;
    /// assert_eq!(parts.columns(), ["x_0", "x_1"]);
    /// assert_eq!(parts.column("x_1")?.to_options::<String>()?, [Some("b-c".to_owned()), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for an empty separator, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `Series.str.split(expand=True)`.
    pub fn split_columns(&self, separator: &str, n: usize) -> Result<DataFrame> {
        const OPERATION: &str = "str.split_columns";
        check_columns(OPERATION, n)?;
        self.columns(OPERATION, |strings| strings.split_columns(separator, n))
    }

    /// [`split_columns`](Self::split_columns), where separators are searched for from the end: the first column has the rest.
    /// Where there are fewer parts, the last columns are null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let parts = Series::new(["a-b-c", "d"])?.rename("x").str().rsplit_columns("-", 2)?;
    /// assert_eq!(parts.column("x_0")?.to_vec::<String>()?, ["a-b", "d"]);
    /// assert_eq!(parts.column("x_1")?.to_options::<String>()?, [Some("c".to_owned()), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`split_columns`](Self::split_columns).
    ///
    /// # Source
    /// pandas `Series.str.rsplit(expand=True)`.
    pub fn rsplit_columns(&self, separator: &str, n: usize) -> Result<DataFrame> {
        const OPERATION: &str = "str.rsplit_columns";
        check_columns(OPERATION, n)?;
        self.columns(OPERATION, |strings| strings.rsplit_columns(separator, n))
    }

    /// What is before the first occurrence of a separator, the separator, and what is after it, as a frame of three columns, which
    /// are called as those of [`split_columns`](Self::split_columns); see [`StringExpr::partition`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let parts = Series::new(["a-b-c"])?.rename("x").str().partition("-")?;
    /// assert_eq!(parts.column("x_2")?.to_vec::<String>()?, ["b-c"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`split_columns`](Self::split_columns).
    ///
    /// # Source
    /// pandas `Series.str.partition`.
    pub fn partition(&self, separator: &str) -> Result<DataFrame> {
        self.columns("str.partition", |strings| strings.partition(separator))
    }

    /// [`partition`](Self::partition) at the last occurrence.
    ///
    /// # Errors
    /// Same as [`split_columns`](Self::split_columns).
    ///
    /// # Source
    /// pandas `Series.str.rpartition`.
    pub fn rpartition(&self, separator: &str) -> Result<DataFrame> {
        self.columns("str.rpartition", |strings| strings.rpartition(separator))
    }

    /// Expressions of the strings as columns, under the row labels of the series.
    fn columns<E: AsRef<[Expr]>>(
        self,
        operation: &'static str,
        make: impl FnOnce(StringExpr) -> E,
    ) -> Result<DataFrame> {
        let series = self.series();
        let label = series.label_in_expressions();
        let columns =
            ColumnAccessor::from_columns([(label, series.values().clone())]).operation(operation)?;
        let parts = make(col(label).str());
        let parts = evaluate(parts.as_ref(), &columns, series.exec())
            .map_err(|error| series.named(error.without_context()));
        let mut parts = parts.operation(operation)?;
        if series.name().as_text().is_none_or(str::is_empty) {
            for (position, (label, _)) in (0_i64..).zip(&mut parts) {
                *label = position.into();
            }
        }
        let parts = ColumnAccessor::from_columns(parts).operation(operation)?;
        Ok(DataFrame::from_indexed(series.inner.with_frame(series.inner.frame().with_columns(parts))))
    }
}
