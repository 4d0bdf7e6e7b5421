//! Strings of a series.

use columnade_ops::expression::StringExpr;

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

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl StringMethods<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype other than strings, and when memory runs out.
            pub fn $name(&self, text: impl Into<String>) -> Result<Series> {
                self.0.evaluated(concat!("str.", stringify!($name)), |values| $make(values.str(), text))
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
}
