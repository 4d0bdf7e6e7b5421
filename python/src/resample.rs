//! Bins of time.

use std::sync::Arc;

use columnade::{DataFrame as Inner, Edge, ErrorKind, Label, Origin, Scalar, Series as InnerSeries};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::align::join_of;
use crate::both::interpolation_of;
use crate::construct::frame_of_data;
use crate::expr::label_list_of;
use crate::frame::DataFrame;
use crate::groupby::aggregates_of;
use crate::label::label_of;
use crate::rolling::{Of, aggregates, selection_of};
use crate::series::Series;
use crate::values::{literal_of, scalar_of};
use crate::windows::no_column;
use crate::work::{argument, work};

/// Rows divided into bins of time, from the first time to the last; bins without rows are there too. A column or a list of
/// columns is chosen by brackets: `frame.resample("1h")["price"].mean()`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Resampler {
    of: Of<columnade::Resampler<Inner>, columnade::Resampler<InnerSeries>>,
    columns: Arc<[Label]>,
}

fn edge_of(py: Python<'_>, operation: &str, argument_name: &str, edge: &str) -> PyResult<Edge> {
    match edge {
        "left" => Ok(Edge::Left),
        "right" => Ok(Edge::Right),
        _ => Err(argument(py, ErrorKind::Value, operation, &format!("{argument_name} is left or right"))),
    }
}

fn origin_of(operation: &'static str, origin: &Bound<'_, PyAny>) -> PyResult<Origin> {
    let named = origin.extract::<String>().ok();
    let time = match named.as_deref() {
        Some("start_day") => return Ok(Origin::StartDay),
        Some("epoch") => return Ok(Origin::Epoch),
        Some("start") => return Ok(Origin::Start),
        Some("end") => return Ok(Origin::End),
        Some("end_day") => return Ok(Origin::EndDay),
        Some(_) => None,
        None => scalar_of(operation, origin)?,
    };
    if let Some(time @ (Scalar::Timestamp(..) | Scalar::TimestampTz(..) | Scalar::Date32(_))) = time {
        return Ok(time.into());
    }
    let reason = "origin is start_day, epoch, start, end, end_day or a time";
    Err(argument(origin.py(), ErrorKind::Value, operation, reason))
}

/// A duration that may be text: "6h".
fn duration_of<'py>(operation: &str, offset: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !offset.is_instance_of::<PyString>() {
        return Ok(offset.clone());
    }
    let py = offset.py();
    py.import("columnade")?.getattr("to_timedelta")?.call1((offset,)).map_err(|_| {
        let reason = format!("offset is a duration such as \"6h\", not {offset}");
        argument(py, ErrorKind::Value, operation, &reason)
    })
}

/// What bins of [`Resampler`] and [`Grouper`] are told.
pub(crate) struct BinOptions<'a, 'py> {
    pub(crate) closed: Option<&'a str>,
    pub(crate) label: Option<&'a str>,
    pub(crate) origin: Option<&'a Bound<'py, PyAny>>,
    pub(crate) offset: Option<&'a Bound<'py, PyAny>>,
}

/// Bins with options: the types of bins have the same methods.
macro_rules! with_options {
    ($operation:expr, $py:expr, $bins:expr, $options:expr) => {{
        let (mut bins, options) = ($bins, $options);
        if let Some(closed) = options.closed {
            bins = bins.closed(edge_of($py, $operation, "closed", closed)?);
        }
        if let Some(label) = options.label {
            bins = bins.label(edge_of($py, $operation, "label", label)?);
        }
        if let Some(origin) = options.origin {
            bins = bins.origin(origin_of($operation, origin)?);
        }
        if let Some(offset) = options.offset {
            bins = bins.offset(literal_of($operation, &duration_of($operation, offset)?)?);
        }
        bins
    }};
}

impl Resampler {
    pub(crate) fn of_frame(bins: columnade::Resampler<Inner>, columns: Arc<[Label]>) -> Self {
        Self { of: Of::Frame(bins), columns }
    }

    pub(crate) fn of_series(bins: columnade::Resampler<InnerSeries>, name: Label) -> Self {
        Self { of: Of::Series(bins), columns: [name].into() }
    }

    pub(crate) fn with_options(
        self,
        py: Python<'_>,
        on: Option<&Bound<'_, PyAny>>,
        options: BinOptions<'_, '_>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "resample";
        let mut columns = self.columns;
        let of = match self.of {
            Of::Frame(bins) | Of::Column(bins, _) => {
                let bins = with_options!(OPERATION, py, bins, options);
                Of::Frame(match on {
                    Some(on) => {
                        let on = label_of(OPERATION, on)?;
                        columns = columns.iter().filter(|label| **label != on).cloned().collect();
                        bins.on(on)
                    }
                    None => bins,
                })
            }
            Of::Series(_) if on.is_some() => return Err(no_column(py, OPERATION)),
            Of::Series(bins) => Of::Series(with_options!(OPERATION, py, bins, options)),
        };
        Ok(Self { of, columns })
    }

    /// Those of one column of a frame.
    pub(crate) fn of_column(self, label: Option<&Label>) -> Self {
        match (self.of, label) {
            (Of::Frame(bins), Some(label)) => {
                let bins = bins.select([label.clone()]);
                Self { of: Of::Column(bins, label.clone()), columns: [label.clone()].into() }
            }
            (of, _) => Self { of, columns: self.columns },
        }
    }
}

#[pymethods]
impl DataFrame {
    /// The columns of both frames in rows of one label: `how` is "left", "right", "inner" or "outer".
    ///
    /// on: columns of this frame whose values are looked up among the labels of the other.
    /// suffixes: what follows the labels of columns that both frames have.
    #[pyo3(signature = (other, on = None, how = "left", suffixes = None))]
    fn join(
        &self,
        other: &Bound<'_, PyAny>,
        on: Option<&Bound<'_, PyAny>>,
        how: &str,
        suffixes: Option<(String, String)>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "join";
        let py = other.py();
        let other = frame_of_data(other)?;
        let mut join = columnade::Join::new(join_of(py, OPERATION, how)?);
        if let Some((left, right)) = suffixes {
            join = join.suffixes(left, right);
        }
        if let Some(on) = on {
            join = join.on(label_list_of(OPERATION, on)?);
        }
        work(py, || self.0.join(&other, join)).map(Self)
    }
}

#[pymethods]
impl Resampler {
    /// The bins of one column, whose aggregates are series, or of a list of columns.
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (labels, is_one) = selection_of("resample", key)?;
        let (Of::Frame(bins) | Of::Column(bins, _)) = &self.of else {
            let reason = "bins of a series have no columns";
            return Err(argument(key.py(), ErrorKind::Type, "resample", reason));
        };
        let bins = bins.clone().select(labels.clone());
        let of = match labels.first() {
            Some(label) if is_one => Of::Column(bins, label.clone()),
            _ => Of::Frame(bins),
        };
        Ok(Self { of, columns: labels.into() })
    }

    /// A row for each bin: aggregates as expressions, names, or names by column; see `GroupBy.agg`.
    #[pyo3(signature = (*aggregates, **named))]
    fn agg(&self, aggregates: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<DataFrame> {
        let exprs = aggregates_of(aggregates, named, &self.columns)?;
        let frame = work(aggregates.py(), || match &self.of {
            Of::Frame(bins) | Of::Column(bins, _) => bins.agg(exprs),
            Of::Series(bins) => bins.agg(exprs),
        })?;
        Ok(DataFrame::from(frame))
    }

    /// The quantile `q`, 0 to 1, of each bin.
    #[pyo3(signature = (q = 0.5, interpolation = "linear"))]
    fn quantile<'py>(&self, py: Python<'py>, q: f64, interpolation: &str) -> PyResult<Bound<'py, PyAny>> {
        let interpolation = interpolation_of(py, "quantile", interpolation)?;
        self.of.computed(py, |rows| rows.quantile(q, interpolation), |rows| rows.quantile(q, interpolation))
    }

    /// The number of rows of each bin.
    fn size(&self, py: Python<'_>) -> PyResult<Series> {
        let made = work(py, || match &self.of {
            Of::Frame(bins) | Of::Column(bins, _) => bins.size(),
            Of::Series(bins) => bins.size(),
        })?;
        Ok(Series::from(made))
    }

    /// The first, the largest, the smallest and the last value of each bin: columns open, high, low and close.
    fn ohlc(&self, py: Python<'_>) -> PyResult<DataFrame> {
        let made = work(py, || match &self.of {
            Of::Frame(bins) | Of::Column(bins, _) => bins.ohlc(),
            Of::Series(bins) => bins.ohlc(),
        })?;
        Ok(DataFrame::from(made))
    }

    /// The last row that is not after the time of each bin, for at most `limit` bins in a row.
    #[pyo3(signature = (limit = None))]
    fn ffill<'py>(&self, py: Python<'py>, limit: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
        self.of.computed(py, |rows| rows.ffill(limit), |rows| rows.ffill(limit))
    }

    /// The first row that is not before the time of each bin, for at most `limit` bins in a row.
    #[pyo3(signature = (limit = None))]
    fn bfill<'py>(&self, py: Python<'py>, limit: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
        self.of.computed(py, |rows| rows.bfill(limit), |rows| rows.bfill(limit))
    }
}

aggregates! { Resampler:
    /// The sum of each bin.
    sum;
    /// The mean of each bin.
    mean;
    /// The median of each bin.
    median;
    /// The sample variance of each bin.
    var;
    /// The sample standard deviation of each bin.
    std;
    /// The standard error of the mean of each bin.
    sem;
    /// The product of each bin; 1 in a bin without rows.
    product;
    /// The smallest value of each bin.
    min;
    /// The largest value of each bin.
    max;
    /// The number of values of each bin that are not null.
    count;
    /// The first value of each bin that is not null.
    first;
    /// The last value of each bin that is not null.
    last;
    /// The number of distinct values of each bin.
    nunique;
    /// The rows whose times are those that bins begin with; nulls where there are none.
    asfreq;
    /// As asfreq, with nulls in columns of numbers replaced by numbers on the line between the rows before and after.
    interpolate;
}

/// Bins of time as a key of `DataFrame.group_by`, beside other keys.
///
/// freq: a frequency as that of `DataFrame.resample`, whose other arguments mean the same here.
/// key: the column that has the times; by default they are the row labels.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Grouper(pub(crate) columnade::Grouper, pub(crate) Option<Label>);

#[pymethods]
impl Grouper {
    #[new]
    #[pyo3(signature = (freq, key = None, closed = None, label = None, origin = None, offset = None))]
    fn new(
        py: Python<'_>,
        freq: &str,
        key: Option<&Bound<'_, PyAny>>,
        closed: Option<&str>,
        label: Option<&str>,
        origin: Option<&Bound<'_, PyAny>>,
        offset: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "Grouper";
        let options = BinOptions { closed, label, origin, offset };
        let bins = with_options!(OPERATION, py, columnade::Grouper::every(freq), options);
        let key = key.map(|key| label_of(OPERATION, key)).transpose()?;
        Ok(match key {
            Some(key) => Self(bins.on(key.clone()), Some(key)),
            None => Self(bins, None),
        })
    }

    /// The label of the column with the times, or None for the row labels.
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.1 {
            Some(key) => crate::label::to_python(py, key),
            None => Ok(py.None().into_bound(py)),
        }
    }
}
