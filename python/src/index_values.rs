//! Row labels by level, their values, and labels of times and of intervals.

use columnade::builders::{IntoColumn, intervals};
use columnade::expressions::IndexerMethod;
use columnade::{
    Column, DType as InnerDType, Error, ErrorKind, Index as Inner, IntervalIndex, Label, Scalar,
    Series as InnerSeries, TimeUnit,
};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::dtype::{DType, dtype_of};
use crate::frame::DataFrame;
use crate::index::Index;
use crate::index_sets::index_of;
use crate::label::{label_of, labels_of};
use crate::locate::key_of;
use crate::rolling::closed_of;
use crate::series::{Series, series_of};
use crate::values;
use crate::work::{argument, missing_interface, work, work_as};

/// The label that is taken for one that is not there.
pub(crate) fn method_of(py: Python<'_>, operation: &str, method: &str) -> PyResult<IndexerMethod> {
    Ok(match method {
        "pad" | "ffill" => IndexerMethod::Pad,
        "backfill" | "bfill" => IndexerMethod::Backfill,
        "nearest" => IndexerMethod::Nearest,
        _ => {
            let reason = format!("method is pad, ffill, backfill, bfill or nearest, not {method:?}");
            return Err(argument(py, ErrorKind::Value, operation, &reason));
        }
    })
}

/// A start with an end, or with a number of labels.
fn end_or_periods<T>(
    py: Python<'_>,
    operation: &str,
    end: Option<T>,
    periods: Option<usize>,
) -> PyResult<Result<T, usize>> {
    match (end, periods) {
        (Some(end), None) => Ok(Ok(end)),
        (None, Some(periods)) => Ok(Err(periods)),
        _ => Err(argument(py, ErrorKind::Value, operation, "give end or periods, and not both")),
    }
}

/// Dates and times are written as they are read.
fn text(time: &Bound<'_, PyAny>) -> PyResult<String> {
    time.str()?.to_cow().map(std::borrow::Cow::into_owned)
}

/// A name for the level, or none.
fn name_of(operation: &'static str, name: Option<&Bound<'_, PyAny>>) -> PyResult<Label> {
    name.map_or(Ok(Label::NULL), |name| label_of(operation, name))
}

#[pymethods]
impl Index {
    /// The distinct labels of each level that are not null, in order; of labels in several levels.
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Some(index) = self.0.as_multi() else {
            return Err(missing_interface(py, "levels", "the labels have one level: see unique()"));
        };
        PyList::new(py, work(py, || index.levels())?.into_iter().map(Self))
    }

    /// For each level the position of each label in `levels`, null for null; of labels in several levels.
    #[getter]
    fn codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Some(index) = self.0.as_multi() else {
            return Err(missing_interface(py, "codes", "the labels have one level: see factorize()"));
        };
        PyList::new(py, work(py, || index.codes())?.into_iter().map(Series::from))
    }

    /// The levels in another order, each given once by its name or number.
    fn reorder_levels(&self, order: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, order) = (order.py(), labels_of("reorder_levels", order)?);
        work(py, || self.0.reorder_levels(order)).map(Self)
    }

    /// Each label of the first list with each of the second, and so on, the last level changing fastest.
    #[staticmethod]
    #[pyo3(signature = (iterables, names = None))]
    fn from_product(iterables: &Bound<'_, PyList>, names: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "from_product";
        let py = iterables.py();
        let levels =
            iterables.iter().map(|level| series_of(OPERATION, &level)).collect::<PyResult<Vec<_>>>()?;
        let names = match names {
            Some(names) => labels_of(OPERATION, names)?,
            None => vec![Label::NULL; levels.len()],
        };
        if names.len() != levels.len() {
            let reason = format!("{} names for {} levels", names.len(), levels.len());
            return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
        }
        let levels = levels.into_iter().map(InnerSeries::into_values);
        work(py, || Inner::from_product(names.into_iter().zip(levels))).map(Self)
    }

    /// The position of each label among the distinct ones, null for null, and these in the order of their first appearance.
    fn factorize(&self, py: Python<'_>) -> PyResult<(Series, Self)> {
        let (codes, labels) = work(py, || self.0.factorize())?;
        Ok((codes.into(), Self(labels)))
    }

    /// The labels where a condition is true, by position, and another one elsewhere, by default null.
    #[pyo3(name = "where", signature = (cond, other = None))]
    fn where_(&self, cond: &Bound<'_, PyAny>, other: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "where";
        let py = cond.py();
        let (condition, other) = (series_of(OPERATION, cond)?, other_of(py, OPERATION, other)?);
        work_as(py, OPERATION, || self.0.where_(&condition, other)).map(Self)
    }

    /// The labels with another one where a mask is true, by position.
    fn putmask(&self, mask: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "putmask";
        let (py, mask) = (mask.py(), series_of(OPERATION, mask)?);
        let value = values::literal_of(OPERATION, value)?;
        work_as(py, OPERATION, || {
            let kept = (!&mask)?.fill_null(true)?;
            self.0.where_(&kept, value)
        })
        .map(Self)
    }

    /// The labels in another dtype. The kind of the index follows.
    fn astype(&self, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "astype";
        let (py, dtype) = (dtype.py(), dtype_of(OPERATION, dtype)?);
        work_as(py, OPERATION, || self.0.cast(dtype)).map(Self)
    }

    /// The labels with nulls replaced by a value.
    fn fillna(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "fillna";
        let (py, value) = (value.py(), values::literal_of(OPERATION, value)?);
        work_as(py, OPERATION, || self.0.fill_null(value)).map(Self)
    }

    /// Whether there are nulls.
    #[getter]
    fn hasnans(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, || self.0.has_nulls())
    }

    /// The type of the labels in one level; of several levels see `dtypes`.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<DType> {
        match self.0.dtypes().as_slice() {
            [dtype] => Ok(DType(dtype.clone())),
            dtypes => {
                let reason = format!("there are {} levels: see dtypes", dtypes.len());
                Err(missing_interface(py, "dtype", &reason))
            }
        }
    }

    /// For each label of another index all its positions here, -1 where there is none, and the positions in the other index of
    /// labels that are not here.
    fn get_indexer_non_unique(&self, target: &Bound<'_, PyAny>) -> PyResult<(Series, Series)> {
        let (py, target) = (target.py(), index_of(target)?);
        let (rows, missing) = work(py, || self.0.get_indexer_non_unique(&target))?;
        Ok((rows.into(), missing.into()))
    }

    /// Times or durations moved by so many of a frequency, by default of their own.
    #[pyo3(signature = (periods = 1, freq = None))]
    fn shift(&self, py: Python<'_>, periods: i64, freq: Option<&str>) -> PyResult<Self> {
        work_as(py, "shift", || match freq {
            Some(freq) => self.0.shift_by(periods, freq),
            None => self.0.shift(periods),
        })
        .map(Self)
    }

    /// How often times or durations come that were made so, as `Index.date_range` does; else None.
    #[getter]
    fn freq(&self) -> Option<String> {
        match &self.0 {
            Inner::Datetime(index) => index.freq(),
            Inner::Timedelta(index) => index.freq(),
            _ => None,
        }
    }

    /// The same labels, of which is known how often they come.
    #[pyo3(name = "_with_freq")]
    fn with_freq(&self, py: Python<'_>, freq: &str) -> PyResult<Self> {
        work_as(py, "unpickle", || columnade::internal::index_with_freq(&self.0, freq)).map(Self)
    }

    /// How often times or durations come, found from the labels; None where they come at no frequency.
    #[getter]
    fn inferred_freq(&self, py: Python<'_>) -> PyResult<Option<String>> {
        work(py, || match &self.0 {
            Inner::Datetime(index) => index.inferred_freq(),
            Inner::Timedelta(index) => index.inferred_freq(),
            _ => Ok(None),
        })
    }

    /// The time zone of labels that have one; else None.
    #[getter]
    fn tz(&self) -> Option<String> {
        self.0.as_datetime().and_then(|index| index.zone()).map(|zone| zone.name().to_owned())
    }

    /// The unit of times and durations: "s", "ms", "us" or "ns"; else None.
    #[getter]
    fn unit(&self) -> Option<String> {
        let unit = match &self.0 {
            Inner::Datetime(index) => index.unit(),
            Inner::Timedelta(index) => index.unit(),
            _ => None,
        };
        unit.map(|unit| unit.to_string())
    }

    /// Whether categories have an order; False of other labels.
    #[getter]
    fn ordered(&self) -> bool {
        if let Inner::Categorical(index) = &self.0 { index.is_ordered() } else { false }
    }

    /// Times at a frequency as labels, which know their `freq`: see `columnade.date_range`.
    #[staticmethod]
    #[pyo3(signature = (start, end = None, periods = None, freq = "D", dtype = None, name = None))]
    fn date_range(
        start: &Bound<'_, PyAny>,
        end: Option<&Bound<'_, PyAny>>,
        periods: Option<usize>,
        freq: &str,
        dtype: Option<&Bound<'_, PyAny>>,
        name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "date_range";
        let (py, name) = (start.py(), name_of(OPERATION, name)?);
        let (start, end) = (text(start)?, end.map(text).transpose()?);
        let dtype = match dtype {
            Some(dtype) => dtype_of(OPERATION, dtype)?,
            None => InnerDType::Timestamp(TimeUnit::Micro),
        };
        let until = end_or_periods(py, OPERATION, end, periods)?;
        work_as(py, OPERATION, || match until {
            Ok(end) => Inner::date_range(&dtype, &start, &end, freq)?.rename(name),
            Err(periods) => Inner::date_range_periods(&dtype, &start, periods, freq)?.rename(name),
        })
        .map(Self)
    }

    /// Durations at a frequency of a fixed length as labels, which know their `freq`.
    #[staticmethod]
    #[pyo3(signature = (start, end = None, periods = None, freq = "D", unit = "us", name = None))]
    fn timedelta_range(
        start: &Bound<'_, PyAny>,
        end: Option<&Bound<'_, PyAny>>,
        periods: Option<usize>,
        freq: &str,
        unit: &str,
        name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "timedelta_range";
        let (py, name) = (start.py(), name_of(OPERATION, name)?);
        let Some(unit) = TimeUnit::ALL.into_iter().find(|known| known.to_string() == unit) else {
            let reason = format!("unit is s, ms, us or ns, not {unit:?}");
            return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
        };
        let start = values::literal_of(OPERATION, start)?;
        let end = end.map(|end| values::literal_of(OPERATION, end)).transpose()?;
        let until = end_or_periods(py, OPERATION, end, periods)?;
        work_as(py, OPERATION, || match until {
            Ok(end) => Inner::timedelta_range(unit, start, end, freq)?.rename(name),
            Err(periods) => Inner::timedelta_range_periods(unit, start, periods, freq)?.rename(name),
        })
        .map(Self)
    }

    /// The intervals of `freq` integers from `start` to `end`. Those of other labels are made by `from_breaks`.
    #[staticmethod]
    #[pyo3(signature = (start, end, freq = 1, closed = "right"))]
    fn interval_range(py: Python<'_>, start: i64, end: i64, freq: i64, closed: &str) -> PyResult<Self> {
        const OPERATION: &str = "interval_range";
        let closed = closed_of(py, OPERATION, closed)?;
        work(py, || Inner::interval_range(start, end, freq, closed)).map(Self)
    }

    /// The intervals between neighbouring labels, which ascend: one less than there are labels.
    #[staticmethod]
    #[pyo3(signature = (breaks, closed = "right"))]
    fn from_breaks(breaks: &Bound<'_, PyAny>, closed: &str) -> PyResult<Self> {
        const OPERATION: &str = "from_breaks";
        let (py, breaks) = (breaks.py(), index_of(breaks)?);
        let closed = closed_of(py, OPERATION, closed)?;
        work_as(py, OPERATION, || breaks.intervals(closed)).map(Self)
    }
}

impl Index {
    /// What `make` makes of intervals. Other labels have no such attribute, so that `hasattr` is false.
    fn of_intervals<T: Send>(
        &self,
        py: Python<'_>,
        name: &'static str,
        make: impl FnOnce(&IntervalIndex) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let Some(intervals) = self.0.as_interval() else {
            return Err(PyAttributeError::new_err(format!(
                "the labels have no {name}: they are no intervals"
            )));
        };
        work_as(py, name, || make(intervals))
    }
}

/// The ends, middles and lengths of intervals.
macro_rules! of_intervals {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Index {
            $($(#[$meta])*
            #[getter]
            fn $name(&self, py: Python<'_>) -> PyResult<Self> {
                self.of_intervals(py, stringify!($name), IntervalIndex::$name).map(Self)
            })*
        }
    };
}

of_intervals! {
    /// The lower ends of intervals.
    left;
    /// The upper ends of intervals.
    right;
    /// The middles of intervals.
    mid;
    /// The differences of the ends of intervals.
    length;
}

#[pymethods]
impl Index {
    /// Which ends belong to the intervals: "right", "left", "both" or "neither".
    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.of_intervals(py, "closed", |intervals| Ok(intervals.closed().name()))
    }

    /// For each interval whether a value is in it.
    fn contains(&self, value: &Bound<'_, PyAny>) -> PyResult<Series> {
        let value = some_scalar("contains", value)?;
        self.of_intervals(value.1, "contains", |intervals| intervals.contains(value.0)).map(Series::from)
    }

    /// For each interval whether it has a point in common with another one.
    fn overlaps(&self, interval: &Bound<'_, PyAny>) -> PyResult<Series> {
        const OPERATION: &str = "overlaps";
        let py = interval.py();
        let other =
            if values::is_interval(interval)? { values::scalar_of(OPERATION, interval)? } else { None };
        let Some(Scalar::Interval(other)) = other else {
            let reason = format!("an interval is expected, not {}", interval.get_type().name()?);
            return Err(argument(py, ErrorKind::Type, OPERATION, &reason));
        };
        self.of_intervals(py, OPERATION, |intervals| intervals.overlaps(&other)).map(Series::from)
    }
}

/// A value that is not None.
fn some_scalar<'py>(operation: &'static str, value: &Bound<'py, PyAny>) -> PyResult<(Scalar, Python<'py>)> {
    let py = value.py();
    match values::scalar_of(operation, value)? {
        Some(value) => Ok((value, py)),
        None => Err(argument(py, ErrorKind::Type, operation, "a value is expected, not None")),
    }
}

fn other_of(
    py: Python<'_>,
    operation: &'static str,
    other: Option<&Bound<'_, PyAny>>,
) -> PyResult<columnade::expressions::Literal> {
    let none = py.None().into_bound(py);
    values::literal_of(operation, other.unwrap_or(&none))
}

/// Levels of the row labels of frames and series.
macro_rules! row_levels {
    ($($class:ident: $drop:ident, $swap:ident, $reorder:ident;)*) => {
        $(#[pymethods]
        impl $class {
            /// Without one level of the row labels.
            fn droplevel(&self, level: &Bound<'_, PyAny>) -> PyResult<Self> {
                const OPERATION: &str = "droplevel";
                let (py, level) = (level.py(), label_of(OPERATION, level)?);
                work_as(py, OPERATION, || self.0.$drop(&level)).map(Self::from)
            }

            /// With two levels of the row labels swapped, by default the last two.
            #[pyo3(signature = (i = None, j = None))]
            fn swaplevel(
                &self,
                py: Python<'_>,
                i: Option<&Bound<'_, PyAny>>,
                j: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Self> {
                const OPERATION: &str = "swaplevel";
                let level = |level: Option<&Bound<'_, PyAny>>, from_end: i64| match level {
                    Some(level) => label_of(OPERATION, level),
                    None => Ok(Label::from(from_end)),
                };
                let (i, j) = (level(i, -2)?, level(j, -1)?);
                work_as(py, OPERATION, || self.0.$swap(&i, &j)).map(Self::from)
            }

            /// With the levels of the row labels in another order, each given once by its name or number.
            fn reorder_levels(&self, order: &Bound<'_, PyAny>) -> PyResult<Self> {
                const OPERATION: &str = "reorder_levels";
                let (py, order) = (order.py(), labels_of(OPERATION, order)?);
                work_as(py, OPERATION, || self.0.$reorder(order)).map(Self::from)
            }
        })*
    };
}

row_levels! {
    DataFrame: drop_row_level, swap_row_levels, reorder_row_levels;
    Series: droplevel, swaplevel, reorder_levels;
}

#[pymethods]
impl DataFrame {
    /// The rows in which one level of the row labels has a value; the level drops, unless it is the only one. Without a level
    /// the key has values of the first ones, as in `loc`.
    #[pyo3(signature = (key, level = None))]
    fn xs(&self, key: &Bound<'_, PyAny>, level: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "xs";
        let (py, key) = (key.py(), key_of(OPERATION, key)?);
        let level = level.map(|level| label_of(OPERATION, level)).transpose()?;
        work_as(py, OPERATION, || match level {
            Some(level) => self.0.xs(key, level),
            None => self.0.loc(key),
        })
        .map(Self)
    }
}

#[pymethods]
impl Series {
    /// The values in rows in which one level of the labels has a value; the level drops, unless it is the only one. Without a
    /// level the key has values of the first ones, as in `loc`.
    #[pyo3(signature = (key, level = None))]
    fn xs(&self, key: &Bound<'_, PyAny>, level: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "xs";
        let (py, key) = (key.py(), key_of(OPERATION, key)?);
        let level = level.map(|level| label_of(OPERATION, level)).transpose()?;
        work_as(py, OPERATION, || match level {
            Some(level) => self.0.xs(key, level),
            None => self.0.loc(key),
        })
        .map(Self::from)
    }

    /// Intervals between the values of two series.
    #[staticmethod]
    fn _intervals(py: Python<'_>, left: &Self, right: &Self, closed: &str) -> PyResult<Self> {
        let closed = closed_of(py, "Series", closed)?;
        work(py, || {
            let (left_values, right_values) = (left.0.values().clone(), right.0.values().clone());
            let made = intervals(left_values, right_values, closed).into_column(left.0.exec());
            InnerSeries::new(made?)
        })
        .map(Self::from)
    }

    /// The lower ends, the upper ends and which of them belong to the interval, of a series of intervals; else None.
    fn _interval_ends(&self, py: Python<'_>) -> PyResult<Option<(Self, Self, String)>> {
        let Column::Interval(values) = self.0.values() else { return Ok(None) };
        let (left, right) =
            work(py, || Ok((InnerSeries::new(values.left()?)?, InnerSeries::new(values.right()?)?)))?;
        Ok(Some((left.into(), right.into(), values.closed().to_string())))
    }
}
