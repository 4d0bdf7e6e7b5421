//! Expressions over dates and timestamps.

use super::{Expr, Node, Part};

/// What expressions compute from dates and timestamps: see [`Expr::dt`].
///
/// # Source
/// pandas `Series.dt`, Polars `Expr.dt`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before a method of the namespace is called"]
pub struct DatetimeExpr(pub(super) Expr);

impl Expr {
    /// The operations on dates and timestamps: `col("day").dt().year()`.
    pub fn dt(self) -> DatetimeExpr {
        DatetimeExpr(self)
    }
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident $part:ident;)*) => {
        impl DatetimeExpr {
            $($(#[$doc])*
            pub fn $name(self) -> Expr {
                Expr::new(Node::Part(Part::$part, self.0))
            })*
        }
    };
}

parts! {
    /// The year of the proleptic Gregorian calendar.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().year())?, "2024 <NA> 1969");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.year`, Polars `Expr.dt.year`.
    year Year;
    /// The quarter, 1 to 4.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().quarter())?, "1 <NA> 4");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.quarter`, Polars `Expr.dt.quarter`.
    quarter Quarter;
    /// The month, 1 to 12.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().month())?, "2 <NA> 12");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.month`, Polars `Expr.dt.month`.
    month Month;
    /// The day of the month, 1 to 31.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().day())?, "29 <NA> 31");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.day`, Polars `Expr.dt.day`.
    day Day;
    /// The day of the year, 1 to 366.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().day_of_year())?, "60 <NA> 365");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.day_of_year`, Polars `Expr.dt.ordinal_day`.
    day_of_year DayOfYear;
    /// The day of the week, Monday = 0.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().weekday())?, "3 <NA> 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.weekday`, Polars `Expr.dt.weekday`.
    weekday Weekday;
    /// The hour, 0 to 23.
    ///
    /// Null where the value is null. `int32`, of timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().hour())?, "13 <NA> 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.hour`, Polars `Expr.dt.hour`.
    hour Hour;
    /// The minute, 0 to 59.
    ///
    /// Null where the value is null. `int32`, of timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().minute())?, "45 <NA> 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.minute`, Polars `Expr.dt.minute`.
    minute Minute;
    /// The second, 0 to 59.
    ///
    /// Null where the value is null. `int32`, of timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().second())?, "10 <NA> 59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.second`, Polars `Expr.dt.second`.
    second Second;
}
