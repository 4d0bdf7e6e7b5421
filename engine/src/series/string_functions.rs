//! Strings made of the strings of a series, and their lengths.

use columnade_ops::expression::StringExpr;
use columnade_ops::strings::{self, JoinNulls, Side};

use super::Series;
use super::string::StringMethods;
use crate::alignment::Reindex;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

impl StringMethods<'_> {
    /// The number of characters (Unicode scalar values) of each string: `int64`, null where the value is null. Of a
    /// dictionary each value is counted once.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let words = Series::new([Some("tea"), None, Some("thé")])?;
    /// assert_eq!(words.str().len()?.to_options::<i64>()?, [Some(3), None, Some(3)]);
    /// assert_eq!(words.str().byte_count()?.to_options::<i64>()?, [Some(3), None, Some(4)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, and when memory runs out.
    ///
    /// # Device
    /// One launch, and one for a mask.
    ///
    /// # Source
    /// pandas `Series.str.len`, cudf/strings/attributes.hpp.
    pub fn len(&self) -> Result<Series> {
        self.function("str.len", StringExpr::len)
    }

    /// The number of bytes of each string: `int64`, null where the value is null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, and when memory runs out.
    ///
    /// # Source
    /// Polars `Series.str.len_bytes`.
    pub fn byte_count(&self) -> Result<Series> {
        self.function("str.byte_count", StringExpr::byte_count)
    }

    /// How many characters are before the first occurrence of `part` in each string, −1 if there is none: `int64`, null
    /// where the value is null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.find`.
    pub fn find(&self, part: &str) -> Result<Series> {
        self.function("str.find", |values| values.find(part))
    }

    /// Each string in lower case, by Unicode's full mapping without a locale; null where the value is null. Of a dictionary
    /// each value is computed once; the result is a dictionary, in which values that become equal are one.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let words = Series::new(["ΟΔΥΣΣΕΥΣ", "Straße"])?;
    /// assert_eq!(words.str().lower()?.to_vec::<String>()?, ["οδυσσευς", "straße"]);
    /// assert_eq!(words.str().upper()?.to_vec::<String>()?, ["ΟΔΥΣΣΕΥΣ", "STRASSE"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.lower`.
    pub fn lower(&self) -> Result<Series> {
        self.function("str.lower", StringExpr::lower)
    }

    /// Each string in upper case; otherwise as [`lower`](Self::lower).
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    pub fn upper(&self) -> Result<Series> {
        self.function("str.upper", StringExpr::upper)
    }

    /// Each string with its first character in title case and the others in lower case.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.capitalize`.
    pub fn capitalize(&self) -> Result<Series> {
        self.function("str.capitalize", StringExpr::capitalize)
    }

    /// Each string with the first letter of each word in title case and the others in lower case. A word is a run of letters
    /// that have a case.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.title`.
    pub fn title(&self) -> Result<Series> {
        self.function("str.title", StringExpr::title)
    }

    /// Each string without white space at its ends.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.strip`; white space is Unicode's property, which lacks the separators U+001C to U+001F of Python.
    pub fn strip(&self) -> Result<Series> {
        self.function("str.strip", StringExpr::strip)
    }

    /// Each string without white space at its beginning; otherwise as [`strip`](Self::strip).
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    pub fn lstrip(&self) -> Result<Series> {
        self.function("str.lstrip", StringExpr::lstrip)
    }

    /// Each string without white space at its end; otherwise as [`strip`](Self::strip).
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    pub fn rstrip(&self) -> Result<Series> {
        self.function("str.rstrip", StringExpr::rstrip)
    }

    /// Each string without any of `characters` at the ends of `side`.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::Side;
    ///
    /// let codes = Series::new(["--a-b--", "b"])?;
    /// assert_eq!(codes.str().strip_chars("-", Side::Both)?.to_vec::<String>()?, ["a-b", "b"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.strip(to_strip)`, Polars `Series.str.strip_chars`.
    pub fn strip_chars(&self, characters: &str, side: Side) -> Result<Series> {
        self.function("str.strip_chars", |values| values.strip_chars(characters, side))
    }

    /// Each string with `fill` added at the ends of `side` until it has `width` characters.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.pad`.
    pub fn pad(&self, width: usize, side: Side, fill: char) -> Result<Series> {
        self.function("str.pad", |values| values.pad(width, side, fill))
    }

    /// Each string with zeros at the beginning, but after a sign, until it has `width` characters.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.zfill`.
    pub fn zfill(&self, width: usize) -> Result<Series> {
        self.function("str.zfill", |values| values.zfill(width))
    }

    /// Each string `count` times.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// for a result larger than any memory, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.repeat`.
    pub fn repeat(&self, count: usize) -> Result<Series> {
        self.function("str.repeat", |values| values.repeat(count))
    }

    /// The characters of each string from the last to the first.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// Polars `Series.str.reverse`.
    pub fn reverse(&self) -> Result<Series> {
        self.function("str.reverse", StringExpr::reverse)
    }

    /// Each string with `to` in place of every occurrence of `from`, literally and from left to right. An empty `from` is found
    /// before each character and at the end.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let codes = Series::new([Some("a-b-c"), None])?;
    /// assert_eq!(codes.str().replace("-", "")?.to_options::<String>()?, [Some("abc".to_owned()), None]);
    /// assert_eq!(codes.str().replace_n("-", "", 1)?.get(0)?.to_string(), "ab-c");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.replace(regex=False)`.
    pub fn replace(&self, from: &str, to: &str) -> Result<Series> {
        self.function("str.replace", |values| values.replace(from, to))
    }

    /// [`replace`](Self::replace), at most `n` times in a string.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.replace(n=…)`.
    pub fn replace_n(&self, from: &str, to: &str, n: usize) -> Result<Series> {
        self.function("str.replace_n", |values| values.replace_n(from, to, n))
    }

    /// Each string without `prefix` at its beginning, if it is there.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.removeprefix`.
    pub fn remove_prefix(&self, prefix: &str) -> Result<Series> {
        self.function("str.remove_prefix", |values| values.remove_prefix(prefix))
    }

    /// Each string without `suffix` at its end, if it is there.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for strings that are not UTF-8,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.str.removesuffix`.
    pub fn remove_suffix(&self, suffix: &str) -> Result<Series> {
        self.function("str.remove_suffix", |values| values.remove_suffix(suffix))
    }

    /// The strings of this series and of others, by row labels, with `separator` between them. A row with a null is null, or the
    /// null is left out, by `nulls`; a label that another series lacks is a null there.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::JoinNulls;
    ///
    /// let (first, last) = (Series::new([Some("Ada"), None])?, Series::new(["L", "B"])?);
    /// let names = first.str().concat(&[&last], " ", JoinNulls::Ignore)?;
    /// assert_eq!(names.to_vec::<String>()?, ["Ada L", "B"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings and dictionaries of strings, for more than 64 of them on devices (not
    /// implemented), and when memory runs out; [`Error::DuplicateLabels`] for a series with other labels that come twice.
    ///
    /// # Source
    /// pandas `Series.str.cat`, Polars `concat_str`.
    pub fn concat(&self, others: &[&Series], separator: &str, nulls: JoinNulls) -> Result<Series> {
        const OPERATION: &str = "str.concat";
        let series = self.series();
        let mut all = vec![series.clone()];
        for &other in others {
            let has_labels = other.index().has_labels_of(series.index()).operation(OPERATION)?;
            all.push(if has_labels {
                other.clone()
            } else {
                other.reindexed(OPERATION, series.index(), &Reindex::default())?
            });
        }
        let columns: Vec<_> = all.iter().map(Series::values).collect();
        let names: Vec<_> = all.iter().map(Series::name).collect();
        let joined = strings::concat(&columns, separator, nulls, series.exec());
        let joined = joined.map_err(|error| error.with_key_labels(&names)).operation(OPERATION)?;
        series.with_values(OPERATION, joined)
    }
}
