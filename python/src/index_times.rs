//! Parts of labels that are dates, timestamps or durations, as pandas has them on `DatetimeIndex` and `TimedeltaIndex`.

use columnade::accessors::DatetimeLabels;
use columnade::{Error, Index as Inner};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

use crate::index::Index;
use crate::times::{period_of, rules_of};
use crate::work::work_as;

impl Index {
    /// What `make` makes of times. Labels that are none have no such attribute, so that `hasattr` is false.
    fn part(
        &self,
        py: Python<'_>,
        name: &'static str,
        make: impl FnOnce(DatetimeLabels<'_>) -> Result<Inner, Error> + Send,
    ) -> PyResult<Self> {
        if !matches!(self.0, Inner::Datetime(_) | Inner::Timedelta(_)) {
            let dtypes: Vec<String> = self.0.dtypes().iter().map(ToString::to_string).collect();
            let dtypes = dtypes.join(", ");
            return Err(PyAttributeError::new_err(format!(
                "labels of {dtypes} have no {name}: they are no times"
            )));
        }
        work_as(py, name, || make(self.0.dt())).map(Self)
    }
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident = $method:ident;)*) => {
        #[pymethods]
        impl Index {
            $($(#[$doc])*
            #[getter]
            fn $name(&self, py: Python<'_>) -> PyResult<Self> {
                self.part(py, stringify!($name), |labels| labels.$method())
            })*
        }
    };
}

getters! {
    /// The years.
    year = year;
    /// The quarters, 1 to 4.
    quarter = quarter;
    /// The months, 1 to 12.
    month = month;
    /// The days of the month.
    day = day;
    /// The hours.
    hour = hour;
    /// The minutes.
    minute = minute;
    /// The seconds.
    second = second;
    /// The microseconds of the second.
    microsecond = microsecond;
    /// The nanoseconds of the microsecond.
    nanosecond = nanosecond;
    /// The days of the week, Monday = 0.
    weekday = weekday;
    /// The days of the week, Monday = 0.
    dayofweek = weekday;
    /// The days of the week, Monday = 0.
    day_of_week = weekday;
    /// The days of the year, from 1.
    dayofyear = day_of_year;
    /// The days of the year, from 1.
    day_of_year = day_of_year;
    /// The numbers of days of the months.
    days_in_month = days_in_month;
    /// The numbers of days of the months.
    daysinmonth = days_in_month;
    /// Whether the years have 366 days.
    is_leap_year = is_leap_year;
    /// Whether days are the first of a month.
    is_month_start = is_month_start;
    /// Whether days are the last of a month.
    is_month_end = is_month_end;
    /// Whether days are the first of a quarter.
    is_quarter_start = is_quarter_start;
    /// Whether days are the last of a quarter.
    is_quarter_end = is_quarter_end;
    /// Whether days are the first of a year.
    is_year_start = is_year_start;
    /// Whether days are the last of a year.
    is_year_end = is_year_end;
    /// The days, as dates.
    date = date;
    /// The times of day.
    time = time;
    /// The whole days of durations, rounded down.
    days = days;
    /// The seconds of durations beside their whole days.
    seconds = seconds;
    /// The microseconds of durations beside their whole seconds.
    microseconds = microsecond;
    /// The nanoseconds of durations beside their whole microseconds.
    nanoseconds = nanosecond;
}

#[pymethods]
impl Index {
    /// The English names of the days of the week.
    fn day_name(&self, py: Python<'_>) -> PyResult<Self> {
        self.part(py, "day_name", |labels| labels.day_name())
    }

    /// The English names of the months.
    fn month_name(&self, py: Python<'_>) -> PyResult<Self> {
        self.part(py, "month_name", |labels| labels.month_name())
    }

    /// Durations in seconds.
    fn total_seconds(&self, py: Python<'_>) -> PyResult<Self> {
        self.part(py, "total_seconds", |labels| labels.total_seconds())
    }

    /// The starts of the periods that times are in, such as "1h" or "D".
    fn floor(&self, py: Python<'_>, freq: &str) -> PyResult<Self> {
        self.part(py, "floor", |labels| labels.floor(period_of(freq).as_str()))
    }

    /// The starts of periods, and for times between them the next one.
    fn ceil(&self, py: Python<'_>, freq: &str) -> PyResult<Self> {
        self.part(py, "ceil", |labels| labels.ceil(period_of(freq).as_str()))
    }

    /// The nearest starts of periods.
    fn round(&self, py: Python<'_>, freq: &str) -> PyResult<Self> {
        self.part(py, "round", |labels| labels.round(period_of(freq).as_str()))
    }

    /// The times at midnight of their day.
    fn normalize(&self, py: Python<'_>) -> PyResult<Self> {
        self.part(py, "normalize", |labels| labels.floor("1d"))
    }

    /// The times as text in a format.
    fn strftime(&self, py: Python<'_>, format: &str) -> PyResult<Self> {
        self.part(py, "strftime", |labels| labels.strftime(format))
    }

    /// Local times as those of a zone; without one, the local times of labels that have a zone.
    #[pyo3(signature = (tz, ambiguous = "raise", nonexistent = "raise"))]
    fn tz_localize(
        &self,
        py: Python<'_>,
        tz: Option<&str>,
        ambiguous: &str,
        nonexistent: &str,
    ) -> PyResult<Self> {
        let rules = rules_of(py, "tz_localize", ambiguous, nonexistent)?;
        self.part(py, "tz_localize", |labels| match tz {
            Some(zone) => labels.tz_localize(zone, rules),
            None => labels.tz_naive(),
        })
    }

    /// The same instants with the local times of another zone.
    fn tz_convert(&self, py: Python<'_>, tz: &str) -> PyResult<Self> {
        self.part(py, "tz_convert", |labels| labels.tz_convert(tz))
    }
}
