//! Durations as constants.

use super::Literal;

macro_rules! durations {
    ($($(#[$doc:meta])* $name:ident = $nanos:expr;)*) => {
        $($(#[$doc])*
        pub const fn $name(count: i64) -> Literal {
            // 64 bits of days in nanoseconds take 111 bits.
            Literal::Duration(count as i128 * $nanos)
        })*
    };
}

durations! {
    /// Days of 24 hours, as a constant. A `date32` plus or minus whole days is a `date32`; a timestamp keeps its
    /// unit. Null where the column is.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, ColumnAccessor, Scalar};
    /// use columnade_ops::expression::{col, days, evaluate};
    ///
    /// let exec = Exec::host();
    /// let frame = ColumnAccessor::from_columns([("d", Column::from_scalars(
    ///     &columnade_columns::DType::Date32, &[Scalar::date(2024, 2, 1)?], &exec)?)])?;
    /// let (_, due) = evaluate(&[col("d") + days(30)], &frame, &exec)?.swap_remove(0);
    /// assert_eq!(due.get(0)?, Scalar::date(2024, 3, 2)?);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// Polars `pl.duration(days=…)`, pandas `Timedelta(days=…)`.
    days = 86_400_000_000_000;
    /// Hours, as a constant; see [`days`].
    hours = 3_600_000_000_000;
    /// Minutes, as a constant; see [`days`].
    minutes = 60_000_000_000;
    /// Seconds, as a constant; see [`days`].
    seconds = 1_000_000_000;
    /// Milliseconds, as a constant; see [`days`].
    milliseconds = 1_000_000;
    /// Microseconds, as a constant; see [`days`].
    microseconds = 1_000;
    /// Nanoseconds, as a constant; see [`days`].
    nanoseconds = 1;
}
