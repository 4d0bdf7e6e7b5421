//! Dates and timestamps of a series.

use columnade_ops::expression::DatetimeExpr;

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

/// What is computed from dates and timestamps: see [`Series::dt`].
///
/// # Source
/// pandas `Series.dt`, cuDF `DatetimeProperties`.
#[derive(Clone, Copy, Debug)]
pub struct DatetimeProperties<'a>(&'a Series);

impl Series {
    /// The operations on dates and timestamps.
    ///
    /// ```
    /// use columnade::{Date, Series};
    ///
    /// let days = Series::new([Some(Date { year: 2024, month: 2, day: 29 }), None])?;
    /// assert_eq!(days.dt().year()?.to_options::<i32>()?, [Some(2024), None]);
    /// assert_eq!(days.dt().day_of_year()?.get(0)?, 60.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn dt(&self) -> DatetimeProperties<'_> {
        DatetimeProperties(self)
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl DatetimeProperties<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype without this part, and when memory runs out.
            pub fn $name(&self) -> Result<Series> {
                self.0.evaluated(concat!("dt.", stringify!($name)), |values| $make(values.dt()))
            })*
        }
    };
}

operations! {
    /// The year, as `int32`; null where the value is null.
    year => DatetimeExpr::year;
    /// The quarter, 1 to 4, as `int32`; null where the value is null.
    quarter => DatetimeExpr::quarter;
    /// The month, 1 to 12, as `int32`; null where the value is null.
    month => DatetimeExpr::month;
    /// The day of the month, 1 to 31, as `int32`; null where the value is null.
    day => DatetimeExpr::day;
    /// The day of the year, 1 to 366, as `int32`; null where the value is null.
    day_of_year => DatetimeExpr::day_of_year;
    /// The day of the week, Monday = 0, as `int32`; null where the value is null.
    weekday => DatetimeExpr::weekday;
    /// The hour, 0 to 23, of a timestamp, as `int32`; null where the value is null.
    hour => DatetimeExpr::hour;
    /// The minute, 0 to 59, of a timestamp, as `int32`; null where the value is null.
    minute => DatetimeExpr::minute;
    /// The second, 0 to 59, of a timestamp, as `int32`; null where the value is null.
    second => DatetimeExpr::second;
}
