//! Dates and timestamps from strings.

use super::{DatetimeFunction, Elementwise};
use crate::expression::{Expr, StringExpr};
use columnade_columns::DType;

/// What becomes of text that does not match a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unmatched {
    /// An error.
    #[default]
    Raise,
    /// Null.
    Null,
}

impl StringExpr {
    /// The dates, timestamps or times of day that strings write in a format: `col("s").str().to_datetime(DType::Date32, "%d.%m.%Y")`.
    ///
    /// `dtype` is `date32`, a timestamp, a timestamp with a time zone if the format has `%z`, or a time of day if the format
    /// has no date. Directives as those of
    /// [`strftime`](crate::expression::DatetimeExpr::strftime); numbers may have fewer digits, except years, and `%f` one to nine, of which those
    /// that the unit does not have are dropped. Month and day default to 1, the time to midnight. `%G-W%V-%u` are the year, the week
    /// and the day of ISO 8601 where there is no other year, without a day Monday. `%C %g %s %Z` are not read. Null for null. Of a
    /// dictionary each value is read once. Keeps the label.
    ///
    /// ```
    /// # use columnade_columns::DType;
    /// # use columnade_ops::expression::{example::show, col, Unmatched};
    /// let text = col("day").dt().strftime("%d.%m.%Y");
    /// assert_eq!(show(text.clone().str().to_datetime(DType::Date32, "%d.%m.%Y"))?, "2024-02-29 <NA> 1969-12-31");
    /// let none = text.str().to_datetime_with(DType::Date32, "%Y", Unmatched::Null);
    /// assert_eq!(show(none)?, "<NA> <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a format with an unknown directive, with its position; `UnmatchedFormat` for
    /// the first text that does not match, with the position; `ValueOverflow` for one whose time does not fit the unit;
    /// `InvalidArgument` for a format without a year, or a dtype that does not fit it; `UnsupportedDType` for what is no string.
    ///
    /// # Source
    /// pandas `to_datetime(format=…)`, Polars `Expr.str.to_datetime`.
    pub fn to_datetime(self, dtype: DType, format: impl Into<String>) -> Expr {
        self.to_datetime_with(dtype, format, Unmatched::Raise)
    }

    /// [`to_datetime`](StringExpr::to_datetime) where `unmatched` says what becomes of text that does not match: an error or null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, when, Unmatched};
    /// # use columnade_columns::DType;
    /// let found = when(col("y").gt(4)).then("soon").otherwise("29.02.2024").str().to_datetime_with(DType::Date32, "%d.%m.%Y", Unmatched::Null);
    /// assert_eq!(show(found)?, "2024-02-29 <NA> 2024-02-29");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a format with an unknown directive, with its position;
    /// `UnmatchedFormat` for the first text that does not match, with the position; `ValueOverflow` for one whose time does not
    /// fit the unit; `InvalidArgument` for a format without a year, or a dtype that does not fit it; `UnsupportedDType` for what is no string.
    ///
    /// # Source
    /// pandas `to_datetime(errors="coerce")`.
    pub fn to_datetime_with(self, dtype: DType, format: impl Into<String>, unmatched: Unmatched) -> Expr {
        Expr::elementwise(
            Elementwise::Datetime(DatetimeFunction::Parse(dtype, format.into(), unmatched)),
            vec![self.0],
        )
    }
}
