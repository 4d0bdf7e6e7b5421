//! Strings of a series.

use columnade_ops::expression::{Expr, StringExpr};

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

/// What is computed from strings: see [`Series::str`].
///
/// # Source
/// pandas `Series.str`, cuDF `StringMethods`.
#[derive(Clone, Copy, Debug)]
pub struct StringMethods<'a>(&'a Series);

impl Series {
    /// The operations on strings, dictionaries of strings included.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let words = Series::new([Some("tea"), None, Some("toast")])?;
    /// assert_eq!(words.str().starts_with("te")?.to_options::<bool>()?, [Some(true), None, Some(false)]);
    /// assert_eq!(words.str().like("t%st")?.to_options::<bool>()?, [Some(false), None, Some(true)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn str(&self) -> StringMethods<'_> {
        StringMethods(self)
    }
}

impl<'a> StringMethods<'a> {
    pub(super) fn series(self) -> &'a Series {
        self.0
    }

    /// A function of the strings; its errors name the series.
    pub(super) fn function(
        self,
        operation: &'static str,
        make: impl FnOnce(StringExpr) -> Expr,
    ) -> Result<Series> {
        self.0.computed(operation, |values| make(values.str()))
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl StringMethods<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype other than strings, and when memory runs out.
            pub fn $name(&self, text: impl Into<String>) -> Result<Series> {
                self.0.evaluated(concat!("str.", stringify!($name)), |values| {
                    let text: String = text.into();
                    $make(values.str(), text)
                })
            })*
        }
    };
}

operations! {
    /// Whether a string starts with `text`; null where the value is null.
    starts_with => StringExpr::starts_with;
    /// Whether a string ends with `text`; null where the value is null.
    ends_with => StringExpr::ends_with;
    /// Whether a string contains `text`, literally; null where the value is null.
    contains => StringExpr::contains;
    /// Whether the whole string matches the pattern `text` of SQL's `LIKE`: `%` is any number of characters, `_` any
    /// one; null where the value is null.
    like => StringExpr::like;
    /// Whether the whole string does not match the pattern `text` of SQL's `LIKE`; null where the value is null.
    not_like => StringExpr::not_like;
}

impl StringMethods<'_> {
    /// Whether the whole string matches the pattern `pattern` of SQL's `LIKE`, where the character after `escape` stands for
    /// itself; null where the value is null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let shares = Series::new(["50%", "500"])?;
    /// assert_eq!(shares.str().like_escape("50!%", '!')?.to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings, for an escape at the end or before a character that needs none, with
    /// its position, and when memory runs out.
    pub fn like_escape(&self, pattern: impl Into<String>, escape: char) -> Result<Series> {
        self.function("str.like_escape", |values| values.like_escape(pattern, escape))
    }

    /// The characters from `offset` on, at most `length`; a negative offset counts from the end. Null where the value is null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let phones = Series::new([Some("13-702"), None])?;
    /// assert_eq!(phones.str().slice(0, 2)?.to_options::<String>()?, [Some("13".to_owned()), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than strings, and when memory runs out.
    ///
    /// # Source
    /// Polars `Series.str.slice`, pandas `Series.str.slice`.
    pub fn slice(&self, offset: i64, length: impl Into<Option<u64>>) -> Result<Series> {
        self.0.evaluated("str.slice", |values| values.str().slice(offset, length))
    }
}
