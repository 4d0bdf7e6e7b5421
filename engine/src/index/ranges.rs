//! Labels at equal distances.

use columnade_buffers::Exec;
use columnade_columns::{
    Closed, Column, DType, Error as ColumnError, IntoColumn, Label, Scalar, TimeUnit, intervals,
};
use columnade_ops::expression::{Literal, col, lit};
use columnade_ops::selection::{kept_rows, positions, range_labels};

use super::lookup::{computed, integer};
use super::{Index, RangeIndex};
use crate::date_range::{self, Until, column, times};
use crate::error::{Error, InOperation, Result};
use crate::frequency::Frequency;
use crate::options::default_exec_for;
use crate::series::Series;

impl Index {
    /// Times from `start` to `end` as labels, which know their [`freq`](super::DatetimeIndex::freq): see
    /// [`date_range`](crate::date_range()).
    ///
    /// ```
    /// use columnade::{DType, Index};
    ///
    /// let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-03-31", "ME")?;
    /// assert_eq!(days.len(), 3);
    /// assert_eq!(days.as_datetime().and_then(|days| days.freq()).as_deref(), Some("ME"));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`date_range`](crate::date_range()).
    ///
    /// # Source
    /// pandas `date_range`.
    pub fn date_range(dtype: &DType, start: &str, end: &str, frequency: &str) -> Result<Self> {
        of_times(&date_range::date_range(dtype, start, end, frequency)?, frequency)
    }

    /// So many times from `start` on as labels: see [`date_range`](Self::date_range).
    ///
    /// # Errors
    /// Same as [`date_range_periods`](crate::date_range_periods).
    ///
    /// # Source
    /// pandas `date_range(periods=…)`.
    pub fn date_range_periods(dtype: &DType, start: &str, periods: usize, frequency: &str) -> Result<Self> {
        of_times(&date_range::date_range_periods(dtype, start, periods, frequency)?, frequency)
    }

    /// Durations from `start` to `end` as labels, which know their [`freq`](super::TimedeltaIndex::freq); on the thread's default
    /// device. The frequency is of a fixed length, or in days.
    ///
    /// ```
    /// use columnade::expressions::{hours, minutes};
    /// use columnade::{Index, TimeUnit};
    ///
    /// let index = Index::timedelta_range(TimeUnit::Second, hours(1), hours(2), "30min")?;
    /// assert_eq!(index.len(), 3);
    /// assert_eq!(index.get(1)?.to_string(), "01:30:00");
    /// assert_eq!(index.len(), Index::timedelta_range_periods(TimeUnit::Second, minutes(60), 3, "30min")?.len());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for ends that are no durations of the unit, an unknown frequency or one of the calendar, and when
    /// memory runs out; [`Error::Device`] when the default device cannot be used.
    ///
    /// # Source
    /// pandas `timedelta_range`.
    pub fn timedelta_range(
        unit: TimeUnit,
        start: impl Into<Literal>,
        end: impl Into<Literal>,
        frequency: &str,
    ) -> Result<Self> {
        const OPERATION: &str = "timedelta_range";
        let end = duration("end", &end.into(), unit).operation(OPERATION)?;
        of_durations(OPERATION, unit, &start.into(), frequency, Until::Time(end))
    }

    /// So many durations from `start` on as labels: see [`timedelta_range`](Self::timedelta_range).
    ///
    /// # Errors
    /// Same as [`timedelta_range`](Self::timedelta_range), and for durations beyond 64 bits.
    ///
    /// # Source
    /// pandas `timedelta_range(periods=…)`.
    pub fn timedelta_range_periods(
        unit: TimeUnit,
        start: impl Into<Literal>,
        periods: usize,
        frequency: &str,
    ) -> Result<Self> {
        let until = Until::Periods(periods);
        of_durations("timedelta_range_periods", unit, &start.into(), frequency, until)
    }

    /// The intervals between neighbouring labels, one less than there are labels, null beside a null.
    ///
    /// ```
    /// use columnade::{Closed, DType, Index};
    ///
    /// let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-03", "D")?;
    /// let days = days.intervals(Closed::Left)?;
    /// assert_eq!(days.get(1)?.to_string(), "[2024-01-02, 2024-01-03)");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for several levels, a label that is less than the one before, labels that are no numbers and no times,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `IntervalIndex.from_breaks`.
    pub fn intervals(&self, closed: Closed) -> Result<Self> {
        const OPERATION: &str = "intervals";
        let exec = self.exec(OPERATION)?;
        self.between(OPERATION, closed, &exec)
    }

    /// The intervals of a length of `step` from `start` to `end`, the last of which ends before or at the end; on the thread's
    /// default device. They are of integers if all three are, otherwise `float64`; those of times are made of
    /// [ranges](Self::intervals).
    ///
    /// ```
    /// use columnade::{Closed, Index};
    ///
    /// let index = Index::interval_range(0, 7, 2, Closed::Right)?;
    /// assert_eq!((index.len(), index.get(2)?.to_string()), (3, "(4, 6]".into()));
    /// let index = Index::interval_range(0.0, 1.5, 0.5, Closed::Left)?;
    /// assert_eq!((index.len(), index.get(2)?.to_string()), (3, "[1.0, 1.5)".into()));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for values that are no numbers, unless the step is positive, and when memory runs out;
    /// [`Error::Device`] when the default device cannot be used.
    ///
    /// # Source
    /// pandas `interval_range`.
    pub fn interval_range(
        start: impl Into<Scalar>,
        end: impl Into<Scalar>,
        step: impl Into<Scalar>,
        closed: Closed,
    ) -> Result<Self> {
        const OPERATION: &str = "interval_range";
        let (start, end, step) = (start.into(), end.into(), step.into());
        let (Some(start), Some(end), Some(step)) = (integer(&start), integer(&end), integer(&step)) else {
            for (name, value) in [("start", &start), ("end", &end), ("step", &step)] {
                if !value.dtype().is_numeric() {
                    let reason = format!("a number is expected, not {}", value.dtype());
                    return Err(Error::argument(OPERATION, name, reason));
                }
            }
            let exec = default_exec_for(OPERATION)?;
            let breaks = float_breaks(&start, &end, &step, &exec).operation(OPERATION)?;
            return Self::of_owned(&[Label::NULL], vec![breaks], &exec).between(OPERATION, closed, &exec);
        };
        if step < 1 {
            return Err(Error::argument(OPERATION, "step", "a positive number is expected"));
        }
        let breaks = if end < start { 0 } else { end.abs_diff(start) / step.unsigned_abs() + 1 };
        let range = usize::try_from(breaks).ok().and_then(|breaks| RangeIndex::new(start, step, breaks));
        let range =
            range.ok_or_else(|| Error::argument(OPERATION, "step", "there are too many intervals"))?;
        Index::Range(range).between(OPERATION, closed, &default_exec_for(OPERATION)?)
    }

    fn between(&self, operation: &'static str, closed: Closed, exec: &Exec) -> Result<Self> {
        let breaks = self.only_level(operation, exec)?;
        let rows = breaks.size().saturating_sub(1);
        let made = || {
            let (left, right) = (breaks.slice(0, rows)?, breaks.slice(breaks.size() - rows, rows)?);
            let made = intervals(left.clone(), right.clone(), closed).into_column(exec)?;
            require_ascending(&left, &right, exec).map(|()| made)
        };
        Ok(Self::of_owned(self.names(), vec![made().operation(operation)?], exec))
    }
}

/// The ends of intervals of floats.
fn float_breaks(
    start: &Scalar,
    end: &Scalar,
    step: &Scalar,
    exec: &Exec,
) -> columnade_columns::Result<Column> {
    let one = |value: &Scalar| Column::from_scalar(value, 1, exec);
    let (first, last, length) = (one(start)?, one(end)?, one(step)?);
    let float = |name: &str| col(name).cast(DType::Float64);
    let is_positive = computed(&[("step", &length)], float("step").gt(0.0), exec)?.get(0)?;
    if is_positive != Scalar::Bool(true) {
        let reason = "a positive number is expected".to_owned();
        return Err(ColumnError::InvalidArgument { name: "step", reason });
    }
    // A quotient that rounding has made a little less than a whole number is that number.
    let count = ((float("end") - float("start")) / float("step") + 1e-9).floor().cast(DType::Int64);
    let given = [("start", &first), ("end", &last), ("step", &length)];
    let breaks = integer(&computed(&given, count, exec)?.get(0)?).and_then(|count| count.checked_add(1));
    let breaks = breaks.map_or(0, |breaks| usize::try_from(breaks).unwrap_or(0));
    let rows = range_labels(0, 1, breaks, exec)?;
    let ends =
        float("row") * lit(step.clone()).cast(DType::Float64) + lit(start.clone()).cast(DType::Float64);
    computed(&[("row", &rows)], ends, exec)
}

/// An error that names the first interval whose left end is greater than its right one.
fn require_ascending(left: &Column, right: &Column, exec: &Exec) -> columnade_columns::Result<()> {
    let descends = computed(&[("left", left), ("right", right)], col("left").gt(col("right")), exec)?;
    let descending = kept_rows(&descends, exec)?;
    if descending.len == 0 {
        return Ok(());
    }
    let Scalar::Int64(row) = positions(&descending, exec)?.get(0)? else { return Ok(()) };
    let row = usize::try_from(row).unwrap_or(0);
    let reason = format!("{} is followed by {}: they must ascend", left.get(row)?, right.get(row)?);
    Err(ColumnError::InvalidArgument { name: "row labels", reason })
}

/// Labels whose frequency was known before they were written, as [`DatetimeIndex::freq`](crate::DatetimeIndex::freq) gave it.
///
/// # Errors
/// [`Error::Operation`](crate::Error::Operation) for text that is no frequency.
pub fn index_with_freq(index: &Index, frequency: &str) -> Result<Index> {
    Ok(index.with_freq(Some(Frequency::parse(frequency).operation("index_with_freq")?)))
}

/// Times that come with a frequency.
fn of_times(times: &Series, frequency: &str) -> Result<Index> {
    Ok(Index::from_series(times)?.with_freq(Frequency::parse(frequency).ok()))
}

fn of_durations(
    operation: &'static str,
    unit: TimeUnit,
    start: &Literal,
    frequency: &str,
    until: Until<i64>,
) -> Result<Index> {
    let exec = default_exec_for(operation)?;
    let dtype = DType::Duration(unit);
    let make = || {
        if let Frequency::Calendar { .. } = Frequency::parse(frequency)? {
            let reason =
                "durations are in no calendar: one of a fixed length is expected, such as 24h".to_owned();
            return Err(ColumnError::InvalidArgument { name: "frequency", reason });
        }
        column(&dtype, &times(&dtype, duration("start", start, unit)?, frequency, until)?, &exec)
    };
    let index = Index::of_owned(&[Label::NULL], vec![make().operation(operation)?], &exec);
    Ok(index.with_freq(Frequency::parse(frequency).ok()))
}

/// A duration in units.
fn duration(name: &'static str, value: &Literal, unit: TimeUnit) -> columnade_columns::Result<i64> {
    let dtype = DType::Duration(unit);
    let Literal::Duration(nanos) = value else {
        let reason = "a duration is expected, such as hours(1)".to_owned();
        return Err(ColumnError::InvalidArgument { name, reason });
    };
    let nanos_per_unit = 1_000_000_000 / i128::from(unit.per_second());
    if nanos % nanos_per_unit != 0 {
        let reason = format!("{nanos} ns is no multiple of the unit of {dtype}");
        return Err(ColumnError::InvalidArgument { name, reason });
    }
    i64::try_from(nanos / nanos_per_unit).map_err(|_| ColumnError::Overflow { dtype })
}
