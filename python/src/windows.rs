//! The methods of frames, series and groups that make windows of rows and bins of time.

use columnade::expressions::ExponentialWindow;
use columnade::{ErrorKind, Label, WindowSize};
use pyo3::prelude::*;

use crate::frame::DataFrame;
use crate::groupby::{GroupBy, SeriesGroupBy};
use crate::resample::{BinOptions, Resampler};
use crate::rolling::{ExponentialMovingWindow, Rolling, size_of};
use crate::series::Series;
use crate::work::argument;

/// Rows that windows and bins are made of.
pub(crate) trait Windows {
    fn rows_before(&self, size: WindowSize) -> Rolling;
    fn all_before(&self) -> Rolling;
    fn bins(&self, rule: &str) -> Resampler;

    /// The only column whose windows and bins they are; none of frames.
    fn column(&self) -> Option<&Label> {
        None
    }
}

/// Rows that weights of earlier rows are made of.
pub(crate) trait Weights {
    fn weighted(&self, window: ExponentialWindow) -> ExponentialMovingWindow;
}

macro_rules! windows {
    ($($class:ident),*) => {
        $(#[pymethods]
        impl $class {
            /// Windows of a number of rows, or of a span of time ("2h", a timedelta), which end with each row. Of groups: of
            /// rows of the same group, and results have the rows of one group after the other.
            ///
            /// min_periods: windows with fewer values are null; by default the number of rows, and 1 for spans of time.
            /// center: whether a row is in the middle of its window.
            /// on: the column that has the times; by default they are the row labels. A series has none.
            /// closed: which ends belong to a window: "right" (default), "left", "both" or "neither".
            #[pyo3(signature = (window, min_periods = None, center = false, on = None, closed = None))]
            fn rolling(
                &self,
                window: &Bound<'_, PyAny>,
                min_periods: Option<u64>,
                center: bool,
                on: Option<&Bound<'_, PyAny>>,
                closed: Option<&str>,
            ) -> PyResult<Rolling> {
                let rolling = self.rows_before(size_of(window)?);
                let rolling = rolling.with_options(window.py(), min_periods, center, on, closed)?;
                Ok(rolling.of_column(self.column()))
            }

            /// Windows of all rows up to each row; those with fewer than `min_periods` values are null.
            #[pyo3(signature = (min_periods = 1))]
            fn expanding(&self, py: Python<'_>, min_periods: u64) -> PyResult<Rolling> {
                let expanding = self.all_before().with_options(py, Some(min_periods), false, None, None)?;
                Ok(expanding.of_column(self.column()))
            }

            /// Divides the rows into bins of time by a frequency of pandas: "1h", "15min", "D", "W-MON", "ME", "QS-FEB". Of
            /// groups: the rows of each group, and results have the keys and the bins as labels.
            ///
            /// on: the column that has the times; by default they are the row labels. A series has none.
            /// closed, label: the edge, "left" or "right", that belongs to a bin, and that a bin is called after.
            /// origin: where bins begin to be counted: "start_day", "epoch", "start", "end", "end_day" or a time.
            /// offset: a timedelta that is added to it.
            #[pyo3(signature = (rule, on = None, closed = None, label = None, origin = None, offset = None))]
            fn resample(
                &self,
                py: Python<'_>,
                rule: &str,
                on: Option<&Bound<'_, PyAny>>,
                closed: Option<&str>,
                label: Option<&str>,
                origin: Option<&Bound<'_, PyAny>>,
                offset: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Resampler> {
                let bins = self.bins(rule).with_options(py, on, BinOptions { closed, label, origin, offset })?;
                Ok(bins.of_column(self.column()))
            }
        })*
    };
}

macro_rules! weights {
    ($($class:ident),*) => {
        $(#[pymethods]
        impl $class {
            /// Weights that fall from each row to the one before it: by one of `com`, `span`, `halflife` and `alpha`.
            ///
            /// adjust: whether weights are divided by their sum; otherwise means follow a recurrence.
            /// ignore_na: whether nulls take no part in the fall of the weights.
            #[pyo3(signature = (
                com = None, span = None, halflife = None, alpha = None, min_periods = 0, adjust = true, ignore_na = false
            ))]
            fn ewm(
                &self,
                py: Python<'_>,
                com: Option<f64>,
                span: Option<f64>,
                halflife: Option<f64>,
                alpha: Option<f64>,
                min_periods: u64,
                adjust: bool,
                ignore_na: bool,
            ) -> PyResult<ExponentialMovingWindow> {
                let window = window_of(py, "ewm", [com, span, halflife, alpha])?;
                Ok(self.weighted(window.min_periods(min_periods).adjust(adjust).ignore_na(ignore_na)))
            }
        })*
    };
}

windows!(DataFrame, Series, GroupBy, SeriesGroupBy);
weights!(DataFrame, Series);

/// The weights that one of `com`, `span`, `halflife` and `alpha` says.
pub(crate) fn window_of(
    py: Python<'_>,
    operation: &str,
    decays: [Option<f64>; 4],
) -> PyResult<ExponentialWindow> {
    match decays {
        [Some(com), None, None, None] => Ok(ExponentialWindow::com(com)),
        [None, Some(span), None, None] => Ok(ExponentialWindow::span(span)),
        [None, None, Some(halflife), None] => Ok(ExponentialWindow::halflife(halflife)),
        [None, None, None, Some(alpha)] => Ok(ExponentialWindow::alpha(alpha)),
        _ => Err(argument(py, ErrorKind::Value, operation, "give one of com, span, halflife and alpha")),
    }
}

/// The error of a series that is told which column has the times.
pub(crate) fn no_column(py: Python<'_>, operation: &str) -> PyErr {
    let reason = "on names a column, and a series has none: its times are its row labels";
    argument(py, ErrorKind::Type, operation, reason)
}
