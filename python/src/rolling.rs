//! Windows of rows: rolling, expanding and exponentially weighted.

use std::sync::Arc;

use columnade::expressions::{Closed, ExponentialWindow, Rank, RollingWindow};
use columnade::{
    DataFrame as Inner, Error, ErrorKind, Expr as InnerExpr, Label, Scalar, Series as InnerSeries,
};
use columnade::{TimeUnit, WindowSize};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};

use crate::aggregates::{Aggregate, Aggregates};
use crate::both::{interpolation_of, rank_of};
use crate::frame::DataFrame;
use crate::label::label_of;
use crate::resample::Resampler;
use crate::series::Series;
use crate::values::scalar_of;
use crate::windows::{Weights, Windows, no_column};
use crate::work::{argument, natural, work, work_as};

/// What an aggregate of windows or bins is of: the columns of a frame, one of them, or a series.
pub(crate) enum Of<F, S> {
    Frame(F),
    Column(F, Label),
    Series(S),
}

impl<F: Clone + Sync, S: Sync> Of<F, S> {
    /// The aggregate, as a frame or a series.
    pub(crate) fn computed<'py>(
        &self,
        py: Python<'py>,
        of_frame: impl FnOnce(&F) -> Result<Inner, Error> + Send,
        of_series: impl FnOnce(&S) -> Result<InnerSeries, Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.computed_as(py, None, of_frame, of_series)
    }

    /// The same under the name that errors have in Python.
    fn computed_as<'py>(
        &self,
        py: Python<'py>,
        operation: Option<&'static str>,
        of_frame: impl FnOnce(&F) -> Result<Inner, Error> + Send,
        of_series: impl FnOnce(&S) -> Result<InnerSeries, Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Of::Frame(rows) => {
                let made = called(py, operation, || of_frame(rows))?;
                Ok(Bound::new(py, DataFrame::from(made))?.into_any())
            }
            Of::Column(rows, label) => {
                let made = called(py, operation, || of_frame(rows)?.column(label))?;
                Ok(Bound::new(py, Series::from(made))?.into_any())
            }
            Of::Series(rows) => {
                let made = called(py, operation, || of_series(rows))?;
                Ok(Bound::new(py, Series::from(made))?.into_any())
            }
        }
    }
}

/// The labels that an index of windows or bins names: one, or those of a list.
pub(crate) fn selection_of(operation: &'static str, key: &Bound<'_, PyAny>) -> PyResult<(Vec<Label>, bool)> {
    match key.cast::<PyList>() {
        Ok(labels) => {
            let labels = labels.iter().map(|label| label_of(operation, &label));
            Ok((labels.collect::<PyResult<Vec<_>>>()?, false))
        }
        Err(_) => Ok((vec![label_of(operation, key)?], true)),
    }
}

/// Work whose errors name `operation`, if it has another name in Python.
fn called<T: Send>(
    py: Python<'_>,
    operation: Option<&'static str>,
    compute: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    match operation {
        Some(operation) => work_as(py, operation, compute),
        None => work(py, compute),
    }
}

/// The size of a window: a number of rows, or a span of time as a frequency or a timedelta.
pub(crate) fn size_of(window: &Bound<'_, PyAny>) -> PyResult<WindowSize> {
    const OPERATION: &str = "rolling";
    let py = window.py();
    if let Ok(text) = window.cast::<PyString>() {
        return Ok(text.to_cow()?.as_ref().into());
    }
    if window.is_instance_of::<PyBool>() {
        let reason = format!("a window is a number of rows or a span of time, not {window}");
        return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
    }
    if window.is_instance_of::<PyInt>() {
        return match window.extract::<u64>() {
            Ok(rows) => Ok(rows.into()),
            Err(_) => {
                Err(argument(py, ErrorKind::Value, OPERATION, &format!("a window has no {window} rows")))
            }
        };
    }
    let span = match scalar_of(OPERATION, window) {
        Ok(Some(Scalar::Duration(count, unit))) => Some((count, unit)),
        _ => None,
    };
    let Some((count, unit)) = span else {
        let reason = format!(
            "a window is a number of rows, a frequency such as \"2h\" or a timedelta, not {}",
            window.get_type().name()?
        );
        return Err(argument(py, ErrorKind::Type, OPERATION, &reason));
    };
    // In the largest unit that is exact: a frequency has at most ten digits.
    let (mut count, mut unit) = (count, unit);
    while count % 1000 == 0 && unit != TimeUnit::Second && count != 0 {
        (count, unit) = match unit {
            TimeUnit::Nano => (count / 1000, TimeUnit::Micro),
            TimeUnit::Micro => (count / 1000, TimeUnit::Milli),
            TimeUnit::Milli | TimeUnit::Second => (count / 1000, TimeUnit::Second),
        };
    }
    let unit = match unit {
        TimeUnit::Second => "s",
        TimeUnit::Milli => "ms",
        TimeUnit::Micro => "us",
        TimeUnit::Nano => "ns",
    };
    Ok(format!("{count}{unit}").into())
}

/// Which ends belong to windows and intervals.
pub(crate) fn closed_of(py: Python<'_>, operation: &str, closed: &str) -> PyResult<Closed> {
    Ok(match closed {
        "right" => Closed::Right,
        "left" => Closed::Left,
        "both" => Closed::Both,
        "neither" => Closed::Neither,
        _ => {
            let reason = format!("closed is right, left, both or neither, not {closed:?}");
            return Err(argument(py, ErrorKind::Value, operation, &reason));
        }
    })
}

/// The aggregates of windows by name.
fn by_name(name: &str, column: InnerExpr, window: RollingWindow) -> Option<InnerExpr> {
    Some(match name {
        "sum" => column.rolling_sum(window),
        "mean" => column.rolling_mean(window),
        "median" => column.rolling_median(window),
        "var" => column.rolling_var(window),
        "std" => column.rolling_std(window),
        "skew" => column.rolling_skew(window),
        "kurt" => column.rolling_kurt(window),
        "min" => column.rolling_min(window),
        "max" => column.rolling_max(window),
        "count" => column.rolling_count(window),
        "first" => column.rolling_first(window),
        "last" => column.rolling_last(window),
        "nunique" => column.rolling_nunique(window),
        "rank" => column.rolling_rank(Rank::default(), window),
        _ => return None,
    })
}

const NAMES: &str = "sum, mean, median, var, std, skew, kurt, min, max, count, first, last, nunique and rank";

type Frames = columnade::Rolling<Inner>;

/// Windows of rows, one for each row, which end with it: those of `rolling` and `expanding`. A column or a list of columns is
/// chosen by brackets: `frame.rolling(3)["price"].mean()`.
#[pyclass(dict, frozen, module = "columnade")]
pub(crate) struct Rolling {
    of: Of<Frames, columnade::Rolling<InnerSeries>>,
    columns: Arc<[Label]>,
}

impl Rolling {
    pub(crate) fn of_frame(windows: Frames, columns: Arc<[Label]>) -> Self {
        Self { of: Of::Frame(windows), columns }
    }

    fn of_series(windows: columnade::Rolling<InnerSeries>, label: Label) -> Self {
        Self { of: Of::Series(windows), columns: [label].into() }
    }

    pub(crate) fn with_options(
        self,
        py: Python<'_>,
        min_periods: Option<u64>,
        center: bool,
        on: Option<&Bound<'_, PyAny>>,
        closed: Option<&str>,
    ) -> PyResult<Self> {
        /// What windows of frames and series share.
        macro_rules! with {
            ($windows:expr) => {{
                let mut windows = $windows.center(center);
                if let Some(min_periods) = min_periods {
                    windows = windows.min_periods(min_periods);
                }
                if let Some(closed) = closed {
                    windows = windows.closed(closed_of(py, "rolling", closed)?);
                }
                windows
            }};
        }
        let mut columns = self.columns;
        let of = match self.of {
            Of::Frame(windows) | Of::Column(windows, _) => {
                let windows = with!(windows);
                Of::Frame(match on {
                    Some(on) => {
                        let on = label_of("rolling", on)?;
                        columns = columns.iter().filter(|label| **label != on).cloned().collect();
                        windows.on(on)
                    }
                    None => windows,
                })
            }
            Of::Series(_) if on.is_some() => return Err(no_column(py, "rolling")),
            Of::Series(windows) => Of::Series(with!(windows)),
        };
        Ok(Self { of, columns })
    }
}

impl Rolling {
    /// Those of one column of a frame.
    pub(crate) fn of_column(self, label: Option<&Label>) -> Self {
        match (self.of, label) {
            (Of::Frame(windows), Some(label)) => {
                let windows = windows.select([label.clone()]);
                Self { of: Of::Column(windows, label.clone()), columns: [label.clone()].into() }
            }
            (of, _) => Self { of, columns: self.columns },
        }
    }

    fn pairs(
        &self,
        py: Python<'_>,
        operation: &str,
        compute: impl FnOnce(&Frames) -> Result<Inner, Error> + Send,
    ) -> PyResult<DataFrame> {
        match &self.of {
            Of::Frame(windows) => work(py, || compute(windows)).map(DataFrame::from),
            Of::Column(..) | Of::Series(_) => {
                Err(argument(py, ErrorKind::Type, operation, "pairs are of the columns of a frame"))
            }
        }
    }
}

#[pymethods]
impl Rolling {
    /// The windows of one column, whose aggregates are series, or of a list of columns.
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (labels, is_one) = selection_of("rolling", key)?;
        let windows = match &self.of {
            Of::Frame(windows) | Of::Column(windows, _) => windows.clone().select(labels.clone()),
            Of::Series(_) => {
                let reason = "windows of a series have no columns";
                return Err(argument(key.py(), ErrorKind::Type, "rolling", reason));
            }
        };
        let of = match labels.first() {
            Some(label) if is_one => Of::Column(windows, label.clone()),
            _ => Of::Frame(windows),
        };
        Ok(Self { of, columns: labels.into() })
    }

    /// Several aggregates: names, lists of names, names by column, `label=(column, name)`, and expressions of aggregates that
    /// windows have, such as `col("v").max() - col("v").min()`; see `GroupBy.agg`.
    #[pyo3(signature = (*aggregates, **named))]
    fn agg(&self, aggregates: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<DataFrame> {
        let py = aggregates.py();
        let is_known = |name: &str| by_name(name, columnade::len(), RollingWindow::rows(1)).is_some();
        let columns = &*self.columns;
        let asked = Aggregates { operation: "agg", columns, is_known: &is_known, names: NAMES };
        let mut asked = asked.of(aggregates, named)?;
        if let Of::Series(_) = &self.of {
            // Of one column the name of the aggregate says enough, as in pandas.
            asked.iter_mut().for_each(Aggregate::call_by_name);
        }
        let make = |window: &RollingWindow| -> Vec<InnerExpr> {
            let named = |name: &str, column: InnerExpr| by_name(name, column, window.clone());
            asked.into_iter().filter_map(|aggregate| aggregate.into_expr(named)).collect()
        };
        let frame = work(py, || match &self.of {
            Of::Frame(windows) | Of::Column(windows, _) => windows.agg(make),
            Of::Series(windows) => windows.agg(make),
        })?;
        Ok(DataFrame::from(frame))
    }

    /// The covariance of each pair of columns of numbers in each window: its row labels are those of the rows and the labels of
    /// the columns.
    fn cov(&self, py: Python<'_>) -> PyResult<DataFrame> {
        self.pairs(py, "cov", Frames::cov)
    }

    /// The correlation of each pair of columns of numbers in each window; see `cov`.
    fn corr(&self, py: Python<'_>) -> PyResult<DataFrame> {
        self.pairs(py, "corr", Frames::corr)
    }

    /// The variance of each window, divided by the number of values less `ddof`.
    #[pyo3(signature = (ddof = 1))]
    fn var<'py>(&self, py: Python<'py>, ddof: i64) -> PyResult<Bound<'py, PyAny>> {
        let ddof = natural(py, "var", "ddof", ddof)?;
        self.of.computed_as(py, Some("var"), |rows| rows.var_ddof(ddof), |rows| rows.var_ddof(ddof))
    }

    /// The standard deviation of each window, the square root of the variance.
    #[pyo3(signature = (ddof = 1))]
    fn std<'py>(&self, py: Python<'py>, ddof: i64) -> PyResult<Bound<'py, PyAny>> {
        let ddof = natural(py, "std", "ddof", ddof)?;
        self.of.computed_as(py, Some("std"), |rows| rows.std_ddof(ddof), |rows| rows.std_ddof(ddof))
    }

    /// The standard error of the mean of each window.
    #[pyo3(signature = (ddof = 1))]
    fn sem<'py>(&self, py: Python<'py>, ddof: i64) -> PyResult<Bound<'py, PyAny>> {
        let ddof = natural(py, "sem", "ddof", ddof)?;
        self.of.computed_as(py, Some("sem"), |rows| rows.sem_ddof(ddof), |rows| rows.sem_ddof(ddof))
    }

    /// The quantile `q`, 0 to 1, of each window.
    #[pyo3(signature = (q, interpolation = "linear"))]
    fn quantile<'py>(&self, py: Python<'py>, q: f64, interpolation: &str) -> PyResult<Bound<'py, PyAny>> {
        let interpolation = interpolation_of(py, "quantile", interpolation)?;
        self.of.computed(py, |rows| rows.quantile(q, interpolation), |rows| rows.quantile(q, interpolation))
    }

    /// The rank of the last value of each window in it; with `pct` as a share of the number of values.
    #[pyo3(signature = (method = "average", ascending = true, pct = false))]
    fn rank<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        ascending: bool,
        pct: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rank = rank_of(py, method, ascending, pct)?;
        self.of.computed(py, |rows| rows.rank(rank), |rows| rows.rank(rank))
    }
}

/// Aggregates of windows or bins under their names.
macro_rules! aggregates {
    ($class:ident: $($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl $class {
            $($(#[$meta])*
            fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.of.computed(py, |rows| rows.$name(), |rows| rows.$name())
            })*
        }
    };
}
pub(crate) use aggregates;

aggregates! { Rolling:
    /// The sum of each window.
    sum;
    /// The mean of each window.
    mean;
    /// The median of each window.
    median;
    /// The skewness of each window, corrected for bias.
    skew;
    /// The excess kurtosis of each window, corrected for bias.
    kurt;
    /// The smallest value of each window.
    min;
    /// The largest value of each window.
    max;
    /// The number of values of each window that are not null.
    count;
    /// The first value of each window that is not null.
    first;
    /// The last value of each window that is not null.
    last;
    /// The number of distinct values of each window, nulls not counted.
    nunique;
}

impl Windows for DataFrame {
    fn rows_before(&self, size: WindowSize) -> Rolling {
        Rolling::of_frame(self.0.rolling(size), self.0.columns().into())
    }

    fn all_before(&self) -> Rolling {
        Rolling::of_frame(self.0.expanding(), self.0.columns().into())
    }

    fn bins(&self, rule: &str) -> Resampler {
        Resampler::of_frame(self.0.resample(rule), self.0.columns().into())
    }
}

impl Windows for Series {
    fn rows_before(&self, size: WindowSize) -> Rolling {
        Rolling::of_series(self.0.rolling(size), self.0.name().clone())
    }

    fn all_before(&self) -> Rolling {
        Rolling::of_series(self.0.expanding(), self.0.name().clone())
    }

    fn bins(&self, rule: &str) -> Resampler {
        Resampler::of_series(self.0.resample(rule), self.0.name().clone())
    }
}

impl Weights for DataFrame {
    fn weighted(&self, window: ExponentialWindow) -> ExponentialMovingWindow {
        ExponentialMovingWindow { of: Of::Frame((self.0.clone(), None)), window }
    }
}

impl Weights for Series {
    fn weighted(&self, window: ExponentialWindow) -> ExponentialMovingWindow {
        ExponentialMovingWindow { of: Of::Series(self.0.clone()), window }
    }
}

/// The rows up to each row, of which earlier ones have less weight.
#[pyclass(dict, frozen, module = "columnade")]
pub(crate) struct ExponentialMovingWindow {
    of: Of<(Inner, Option<Vec<Label>>), InnerSeries>,
    window: ExponentialWindow,
}

impl ExponentialMovingWindow {
    fn aggregated<'py>(
        &self,
        py: Python<'py>,
        window: ExponentialWindow,
        of_frame: fn(&columnade::ExponentialMovingWindow) -> Result<Inner, Error>,
        of_series: fn(&InnerSeries, ExponentialWindow) -> Result<InnerSeries, Error>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of_frame = |(frame, columns): &(Inner, Option<Vec<Label>>)| {
            let windows = frame.ewm(window);
            of_frame(&match columns {
                Some(columns) => windows.columns(columns.clone()),
                None => windows,
            })
        };
        self.of.computed(py, of_frame, |series| of_series(series, window))
    }
}

impl ExponentialMovingWindow {
    fn pairs(
        &self,
        py: Python<'_>,
        operation: &str,
        compute: fn(&columnade::ExponentialMovingWindow) -> Result<Inner, Error>,
    ) -> PyResult<DataFrame> {
        let Of::Frame((frame, columns)) = &self.of else {
            return Err(argument(py, ErrorKind::Type, operation, "pairs are of the columns of a frame"));
        };
        let windows = frame.ewm(self.window);
        let windows = match columns {
            Some(columns) => windows.columns(columns.clone()),
            None => windows,
        };
        work(py, || compute(&windows)).map(DataFrame::from)
    }
}

#[pymethods]
impl ExponentialMovingWindow {
    /// The weights of one column, whose aggregates are series, or of a list of columns.
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (labels, is_one) = selection_of("ewm", key)?;
        let (Of::Frame((frame, _)) | Of::Column((frame, _), _)) = &self.of else {
            let reason = "weights of a series have no columns";
            return Err(argument(key.py(), ErrorKind::Type, "ewm", reason));
        };
        let rows = (frame.clone(), Some(labels.clone()));
        let of = match labels.first() {
            Some(label) if is_one => Of::Column(rows, label.clone()),
            _ => Of::Frame(rows),
        };
        Ok(Self { of, window: self.window })
    }

    /// The weighted covariance of each pair of columns: its row labels are those of the rows and the labels of the columns.
    fn cov(&self, py: Python<'_>) -> PyResult<DataFrame> {
        self.pairs(py, "cov", columnade::ExponentialMovingWindow::cov)
    }

    /// The weighted correlation of each pair of columns; see `cov`.
    fn corr(&self, py: Python<'_>) -> PyResult<DataFrame> {
        self.pairs(py, "corr", columnade::ExponentialMovingWindow::corr)
    }

    /// The weighted means.
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.aggregated(py, self.window, columnade::ExponentialMovingWindow::mean, InnerSeries::ewm_mean)
    }

    /// The weighted variances; `bias` leaves the correction for small samples out.
    #[pyo3(signature = (bias = false))]
    fn var<'py>(&self, py: Python<'py>, bias: bool) -> PyResult<Bound<'py, PyAny>> {
        let window = self.window.bias(bias);
        self.aggregated(py, window, columnade::ExponentialMovingWindow::var, InnerSeries::ewm_var)
    }

    /// The weighted standard deviations; `bias` leaves the correction for small samples out.
    #[pyo3(signature = (bias = false))]
    fn std<'py>(&self, py: Python<'py>, bias: bool) -> PyResult<Bound<'py, PyAny>> {
        let window = self.window.bias(bias);
        self.aggregated(py, window, columnade::ExponentialMovingWindow::std, InnerSeries::ewm_std)
    }
}
