//! Statistics, samples and bins of frames and series, and changes of columns.

use columnade::expressions::{Literal, SearchSide, Ties};
use columnade::{CutOptions, DType, DataFrame as InnerFrame, Error, ErrorKind, Exec, Expr, Sample, col, lit};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyString};

use crate::align::combined;
use crate::both::interpolation_of;
use crate::expr::label_list_of;
use crate::frame::{DataFrame, sort_by};
use crate::label::label_of;
use crate::series::{Series, series_beside, series_of, series_there};
use crate::values::{self, literal_of};
use crate::work::{argument, natural, work, work_as};

pub(crate) fn ties_of(py: Python<'_>, operation: &str, keep: &str) -> PyResult<Ties> {
    Ok(match keep {
        "first" => Ties::First,
        "last" => Ties::Last,
        "all" => Ties::All,
        _ => return Err(argument(py, ErrorKind::Value, operation, "keep is first, last or all")),
    })
}

/// Whose correlation.
#[derive(Clone, Copy)]
pub(crate) enum Correlation {
    Pearson,
    Spearman,
    Kendall,
}

pub(crate) fn correlation_of(py: Python<'_>, method: &str) -> PyResult<Correlation> {
    match method {
        "pearson" => Ok(Correlation::Pearson),
        "spearman" => Ok(Correlation::Spearman),
        "kendall" => Ok(Correlation::Kendall),
        _ => {
            let reason = format!("method is pearson, spearman or kendall, not {method:?}");
            Err(argument(py, ErrorKind::Value, "corr", &reason))
        }
    }
}

fn side_of(py: Python<'_>, operation: &str, side: &str) -> PyResult<SearchSide> {
    Ok(match side {
        "left" => SearchSide::Left,
        "right" => SearchSide::Right,
        _ => return Err(argument(py, ErrorKind::Value, operation, "side is left or right")),
    })
}

pub(crate) fn sample_of(
    py: Python<'_>,
    n: Option<usize>,
    frac: Option<f64>,
    replace: bool,
    (weights, exec): (Option<&Bound<'_, PyAny>>, Option<&Exec>),
    seed: Option<u64>,
) -> PyResult<Sample> {
    const OPERATION: &str = "sample";
    let sample = match (n, frac) {
        (Some(_), Some(_)) => {
            return Err(argument(py, ErrorKind::Value, OPERATION, "give n or frac, not both"));
        }
        (_, Some(frac)) => Sample::frac(frac),
        (n, None) => Sample::n(n.unwrap_or(1)),
    };
    let mut sample = sample.replace(replace);
    if let Some(weights) = weights {
        let weights = match exec {
            Some(exec) => series_there(OPERATION, weights, exec)?,
            None => series_of(OPERATION, weights)?,
        };
        sample = sample.weights(&weights);
    }
    Ok(match seed {
        Some(seed) => sample.seed(seed),
        None => sample,
    })
}

#[pymethods]
impl DataFrame {
    /// The correlations of each pair of columns of numbers, of rows in which neither is null: `method` is "pearson", "spearman",
    /// which is that of the ranks, or "kendall", tau-b.
    #[pyo3(signature = (method = "pearson"))]
    fn corr(&self, py: Python<'_>, method: &str) -> PyResult<Self> {
        let correlation = correlation_of(py, method)?;
        work_as(py, "corr", || match correlation {
            Correlation::Pearson => self.0.corr(),
            Correlation::Spearman => self.0.spearman(),
            Correlation::Kendall => self.0.kendall(),
        })
        .map(Self)
    }

    /// The covariances of each pair of columns of numbers, of rows in which neither is null, divided by their number less `ddof`.
    #[pyo3(signature = (ddof = 1))]
    fn cov(&self, py: Python<'_>, ddof: i64) -> PyResult<Self> {
        let ddof = natural(py, "cov", "ddof", ddof)?;
        work_as(py, "cov", || self.0.cov_ddof(ddof)).map(Self)
    }

    /// The label of the row with the largest value of each column, as a frame of one row.
    fn idxmax(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.idxmax()).map(Self)
    }

    /// The label of the row with the smallest value of each column, as a frame of one row.
    fn idxmin(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.idxmin()).map(Self)
    }

    /// The most frequent values of each column, in order; null below the last one.
    fn mode(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.mode()).map(Self)
    }

    /// The n rows with the largest values in some columns. Of equal rows keep says which: "first", "last" or "all".
    #[pyo3(signature = (n, columns, keep = "first"))]
    fn nlargest(&self, n: usize, columns: &Bound<'_, PyAny>, keep: &str) -> PyResult<Self> {
        let (py, keep) = (columns.py(), ties_of(columns.py(), "nlargest", keep)?);
        let columns = label_list_of("nlargest", columns)?;
        work(py, || self.0.nlargest(n, columns, keep)).map(Self)
    }

    /// The n rows with the smallest values in some columns; see `nlargest`.
    #[pyo3(signature = (n, columns, keep = "first"))]
    fn nsmallest(&self, n: usize, columns: &Bound<'_, PyAny>, keep: &str) -> PyResult<Self> {
        let (py, keep) = (columns.py(), ties_of(columns.py(), "nsmallest", keep)?);
        let columns = label_list_of("nsmallest", columns)?;
        work(py, || self.0.nsmallest(n, columns, keep)).map(Self)
    }

    /// One or several quantiles, 0 to 1, of each column of numbers: a row for each.
    #[pyo3(signature = (q, interpolation = "linear"))]
    fn quantile(&self, q: &Bound<'_, PyAny>, interpolation: &str) -> PyResult<Self> {
        let py = q.py();
        let interpolation = interpolation_of(py, "quantile", interpolation)?;
        let qs = match q.extract::<f64>() {
            Ok(q) => vec![q],
            Err(_) => q.extract::<Vec<f64>>()?,
        };
        work_as(py, "quantile", || self.0.quantile_with(qs, interpolation)).map(Self)
    }

    /// Rows at random: `n` of them, by default one, or the share `frac`.
    ///
    /// replace: whether a row may come several times.
    /// weights: a series with the weight of each row, by label.
    /// seed: the same seed gives the same rows, on any device.
    #[pyo3(signature = (n = None, frac = None, replace = false, weights = None, seed = None))]
    fn sample(
        &self,
        py: Python<'_>,
        n: Option<usize>,
        frac: Option<f64>,
        replace: bool,
        weights: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let sample = sample_of(py, n, frac, replace, (weights, Some(self.0.exec())), seed)?;
        work(py, || self.0.sample(sample)).map(Self)
    }

    /// The frame with one more column at a position among the columns.
    fn insert(&self, position: usize, label: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "insert";
        let (py, label) = (label.py(), label_of(OPERATION, label)?);
        let has_labels = values.is_instance_of::<Series>();
        let values = series_there(OPERATION, values, self.0.exec())?;
        work(py, || {
            // Values without labels go by position.
            if has_labels {
                self.0.insert(position, label, values)
            } else {
                self.0.insert(position, label, values.into_values())
            }
        })
        .map(Self)
    }

    /// A column, and the frame without it.
    fn pop(&self, label: &Bound<'_, PyAny>) -> PyResult<(Series, Self)> {
        let (py, label) = (label.py(), label_of("pop", label)?);
        let (series, rest) = work(py, || self.0.pop(label))?;
        Ok((series.into(), Self(rest)))
    }

    /// The columns in another order, which names each once.
    fn reorder(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, labels) = (labels.py(), label_list_of("reorder", labels)?);
        work(py, || self.0.reorder(labels)).map(Self)
    }

    /// The values of another frame where it has the label and they are not null.
    fn update(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        work(py, || self.0.update(&other.0)).map(Self)
    }

    /// The position of each row of `needles` among the rows, which are sorted by these columns: before ("left") or after
    /// ("right") equal ones.
    #[pyo3(signature = (by, needles, side = "left", ascending = None, nulls_first = None))]
    fn search_sorted(
        &self,
        by: &Bound<'_, PyAny>,
        needles: &Self,
        side: &str,
        ascending: Option<&Bound<'_, PyAny>>,
        nulls_first: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Series> {
        let (py, side) = (by.py(), side_of(by.py(), "search_sorted", side)?);
        let keys = sort_by("search_sorted", by, ascending, nulls_first)?;
        work(py, || self.0.search_sorted(keys, &needles.0, side)).map(Series::from)
    }

    /// Whether the rows are in the order of one or several columns.
    #[pyo3(signature = (by, ascending = None, nulls_first = None))]
    fn is_sorted(
        &self,
        by: &Bound<'_, PyAny>,
        ascending: Option<&Bound<'_, PyAny>>,
        nulls_first: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let keys = sort_by("is_sorted", by, ascending, nulls_first)?;
        work(by.py(), || self.0.is_sorted(keys))
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.after(other, "sub", |value, column| value - column)
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.after(other, "div", |value, column| value / column)
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.after(other, "floor_div", Expr::floor_div)
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.after(other, "rem", |value, column| value % column)
    }

    fn __pow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        combined("pow", other, |other| self.0.pow(other))
    }

    fn __rpow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        self.after(other, "pow", Expr::pow)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compared: CompareOp) -> PyResult<Self> {
        match compared {
            CompareOp::Eq => combined("eq", other, |other| self.0.eq(other)),
            CompareOp::Ne => combined("ne", other, |other| self.0.ne(other)),
            CompareOp::Lt => combined("lt", other, |other| self.0.lt(other)),
            CompareOp::Le => combined("le", other, |other| self.0.le(other)),
            CompareOp::Gt => combined("gt", other, |other| self.0.gt(other)),
            CompareOp::Ge => combined("ge", other, |other| self.0.ge(other)),
        }
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        self.each(py, |column| -column)
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<Self> {
        self.each(py, |column| !column)
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Self> {
        self.each(py, Expr::abs)
    }
}

impl DataFrame {
    /// An operator with one value on its left.
    fn after(
        &self,
        other: &Bound<'_, PyAny>,
        operation: &'static str,
        make: impl Fn(Expr, Expr) -> Expr,
    ) -> PyResult<Self> {
        let value: Literal = literal_of(operation, other)?;
        self.each(other.py(), |column| make(lit(value.clone()), column))
    }

    /// An expression of each column, under its label.
    fn each(&self, py: Python<'_>, make: impl Fn(Expr) -> Expr) -> PyResult<Self> {
        let exprs = self.0.columns().iter().map(|label| make(col(label.clone())).alias(label.clone()));
        let exprs: Vec<Expr> = exprs.collect();
        work(py, || -> Result<InnerFrame, Error> { self.0.select(exprs) }).map(Self)
    }
}

/// Whether of equal edges one is kept.
fn drops(py: Python<'_>, operation: &str, duplicates: &str) -> PyResult<bool> {
    match duplicates {
        "raise" => Ok(false),
        "drop" => Ok(true),
        _ => {
            let reason = format!("duplicates is raise or drop, not {duplicates:?}");
            Err(argument(py, ErrorKind::Value, operation, &reason))
        }
    }
}

impl Series {
    /// The bins of the values as categories or numbers, with the edges if they are asked for.
    fn sorted_into_bins<'py>(
        &self,
        py: Python<'py>,
        operation: &'static str,
        options: CutOptions,
        labels: Option<&Bound<'_, PyAny>>,
        with_edges: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_numbers = labels.is_some_and(|labels| labels.extract::<bool>().is_ok_and(|labels| !labels));
        let options = match labels {
            Some(labels) if !is_numbers => options.labels(labels.extract::<Vec<String>>()?),
            _ => options,
        };
        let (bins, edges) = work_as(py, operation, || -> Result<_, Error> {
            let edges = if with_edges { Some(self.0.cut_edges(options.clone())?) } else { None };
            Ok((if is_numbers { self.0.cut_codes(options)? } else { self.0.cut(options)? }, edges))
        })?;
        let bins = Bound::new(py, Self::from(bins))?.into_any();
        match edges {
            Some(edges) => Ok((bins, edges).into_pyobject(py)?.into_any()),
            None => Ok(bins),
        }
    }
}

/// The bins of `qcut`: a number of equal shares, or quantiles.
fn shares_of(q: &Bound<'_, PyAny>) -> PyResult<CutOptions> {
    if q.is_instance_of::<PyInt>() {
        return Ok(CutOptions::quantiles(q.extract::<u32>()?));
    }
    Ok(CutOptions::quantiles(q.extract::<Vec<f64>>()?))
}

fn named(options: CutOptions, labels: Option<Vec<String>>) -> CutOptions {
    match labels {
        Some(labels) => options.labels(labels),
        None => options,
    }
}

/// The bins of `cut`: a number of them, or their edges.
fn bins_of(bins: &Bound<'_, PyAny>) -> PyResult<CutOptions> {
    if bins.is_instance_of::<PyInt>() {
        return Ok(CutOptions::bins(bins.extract::<usize>()?));
    }
    if let Ok(edges) = bins.extract::<Vec<i32>>() {
        return Ok(CutOptions::edges(edges));
    }
    Ok(CutOptions::edges(bins.extract::<Vec<f64>>()?))
}

#[pymethods]
impl DataFrame {
    /// The frame with the bin of each value in place of some columns, a label or a list of them: see `Series.cut`.
    #[pyo3(signature = (
        columns, bins, right = true, labels = None, precision = 3, include_lowest = false, duplicates = "raise", ordered = true
    ))]
    fn cut(
        &self,
        columns: &Bound<'_, PyAny>,
        bins: &Bound<'_, PyAny>,
        right: bool,
        labels: Option<Vec<String>>,
        precision: u8,
        include_lowest: bool,
        duplicates: &str,
        ordered: bool,
    ) -> PyResult<Self> {
        let (py, columns) = (columns.py(), label_list_of("cut", columns)?);
        let options = bins_of(bins)?.right(right).include_lowest(include_lowest).ordered(ordered);
        let options =
            named(options, labels).precision(precision).drop_duplicates(drops(py, "cut", duplicates)?);
        work(py, || self.0.cut(columns, options)).map(Self)
    }

    /// The frame with the bin of each value between quantiles of its column in place of some columns: see `Series.qcut`.
    #[pyo3(signature = (columns, q, labels = None, precision = 3, duplicates = "raise"))]
    fn qcut(
        &self,
        columns: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        labels: Option<Vec<String>>,
        precision: u8,
        duplicates: &str,
    ) -> PyResult<Self> {
        let (py, columns) = (columns.py(), label_list_of("qcut", columns)?);
        let options = named(shares_of(q)?, labels).precision(precision);
        let options = options.drop_duplicates(drops(py, "qcut", duplicates)?);
        work_as(py, "qcut", || self.0.cut(columns, options)).map(Self)
    }
}

#[pymethods]
impl Series {
    /// The values within bounds: those below `lower` become it, those above `upper` become that. Bounds are values, or series
    /// by label.
    #[pyo3(signature = (lower = None, upper = None))]
    fn clip(&self, lower: Option<&Bound<'_, PyAny>>, upper: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut clipped = self.clone();
        if let Some(lower) = lower {
            clipped = clipped.combined("clip", lower, Expr::clip_min)?;
        }
        if let Some(upper) = upper {
            clipped = clipped.combined("clip", upper, Expr::clip_max)?;
        }
        Ok(clipped)
    }

    /// The correlation with another series, of rows in which neither is null; see `DataFrame.corr`.
    #[pyo3(signature = (other, method = "pearson"))]
    fn corr<'py>(&self, py: Python<'py>, other: &Self, method: &str) -> PyResult<Bound<'py, PyAny>> {
        let correlation = correlation_of(py, method)?;
        let found = work_as(py, "corr", || match correlation {
            Correlation::Pearson => self.0.corr(&other.0),
            Correlation::Spearman => self.0.spearman(&other.0),
            Correlation::Kendall => self.0.kendall(&other.0),
        })?;
        values::to_python(py, &found)
    }

    /// The correlation with the values `lag` rows before.
    #[pyo3(signature = (lag = 1))]
    fn autocorr<'py>(&self, py: Python<'py>, lag: i64) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &work(py, || self.0.autocorr(lag))?)
    }

    /// The covariance with another series, of rows in which neither is null, divided by their number less `ddof`.
    #[pyo3(signature = (other, ddof = 1))]
    fn cov<'py>(&self, py: Python<'py>, other: &Self, ddof: i64) -> PyResult<Bound<'py, PyAny>> {
        let ddof = natural(py, "cov", "ddof", ddof)?;
        let found = work_as(py, "cov", || self.0.cov_ddof(&other.0, ddof))?;
        values::to_python(py, &found)
    }

    /// The label of the row with the largest value.
    fn idxmax<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = work(py, || self.0.idxmax())?;
        values::to_python(py, &found)
    }

    /// The label of the row with the smallest value.
    fn idxmin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = work(py, || self.0.idxmin())?;
        values::to_python(py, &found)
    }

    /// Values at random, with their labels; see `DataFrame.sample`.
    #[pyo3(signature = (n = None, frac = None, replace = false, weights = None, seed = None))]
    fn sample(
        &self,
        py: Python<'_>,
        n: Option<usize>,
        frac: Option<f64>,
        replace: bool,
        weights: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let sample = sample_of(py, n, frac, replace, (weights, Some(self.0.exec())), seed)?;
        work(py, || self.0.sample(sample)).map(Self::from)
    }

    /// The values of a dictionary in place of its keys; others stay as they are. Without a dictionary, `value` in place of a value
    /// or of each of a list, or the values of a list of that length.
    #[pyo3(signature = (pairs, value = None))]
    fn replace(&self, pairs: &Bound<'_, PyAny>, value: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "replace";
        let py = pairs.py();
        let pairs: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)> = if let Ok(pairs) = pairs.cast::<PyDict>() {
            if value.is_some() {
                let reason = "a dictionary has the new values, and another is given";
                return Err(argument(py, ErrorKind::Value, OPERATION, reason));
            }
            pairs.iter().collect()
        } else {
            let new = value.cloned().unwrap_or_else(|| py.None().into_bound(py));
            match (pairs.cast::<PyList>(), new.cast::<PyList>()) {
                (Ok(old), Ok(new)) if old.len() == new.len() => old.iter().zip(new.iter()).collect(),
                (Ok(old), Ok(new)) => {
                    let reason = format!("{} values are given for {}", new.len(), old.len());
                    return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
                }
                (Ok(old), Err(_)) => old.iter().map(|old| (old, new.clone())).collect(),
                (Err(_), _) => vec![(pairs.clone(), new.clone())],
            }
        };
        let pair = |(from, to): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((lit(literal_of(OPERATION, &from)?), lit(literal_of(OPERATION, &to)?)))
        };
        let pairs = pairs.into_iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        work(py, || self.0.replace(pairs)).map(Self::from)
    }

    /// The bin of each value: of a number of equal ones, or between edges. Bins are categories, named
    /// by their edges or by `labels`.
    ///
    /// right: whether a bin has its upper edge, or else its lower one.
    /// labels: names of the bins, or False for their numbers.
    /// retbins: whether the edges are returned too, as a list.
    /// precision: decimals of edges that are computed.
    /// include_lowest: whether the first bin has its lower edge too.
    /// duplicates: "raise" for an error where edges are equal, "drop" to keep one of them.
    /// ordered: whether the categories have an order; without one, labels may be there twice.
    #[pyo3(signature = (
        bins, right = true, labels = None, retbins = false, precision = 3, include_lowest = false, duplicates = "raise",
        ordered = true
    ))]
    fn cut<'py>(
        &self,
        bins: &Bound<'py, PyAny>,
        right: bool,
        labels: Option<&Bound<'_, PyAny>>,
        retbins: bool,
        precision: u8,
        include_lowest: bool,
        duplicates: &str,
        ordered: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = bins_of(bins)?.right(right).include_lowest(include_lowest).ordered(ordered);
        let options = options.precision(precision).drop_duplicates(drops(bins.py(), "cut", duplicates)?);
        self.sorted_into_bins(bins.py(), "cut", options, labels, retbins)
    }

    /// The bin of each value between quantiles: a number of equal shares, or quantiles from 0 to 1. Options as those of `cut`.
    #[pyo3(signature = (q, labels = None, retbins = false, precision = 3, duplicates = "raise"))]
    fn qcut<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        retbins: bool,
        precision: u8,
        duplicates: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = shares_of(q)?.precision(precision).drop_duplicates(drops(q.py(), "qcut", duplicates)?);
        self.sorted_into_bins(q.py(), "qcut", options, labels, retbins)
    }

    /// The position at which each of some values keeps this sorted series in order, before ("left") or after ("right") equal
    /// ones.
    #[pyo3(signature = (values, side = "left"))]
    fn searchsorted(&self, values: &Bound<'_, PyAny>, side: &str) -> PyResult<Self> {
        const OPERATION: &str = "searchsorted";
        let py = values.py();
        let side = side_of(py, OPERATION, side)?;
        let is_many = values.is_instance_of::<PyList>() || values.is_instance_of::<Series>();
        let is_text = values.is_instance_of::<PyString>() || values.is_instance_of::<PyBytes>();
        let values = if is_many || !is_text && values.hasattr("__len__")? {
            series_beside(OPERATION, values, &self.0)?
        } else {
            series_beside(OPERATION, PyList::new(py, [values])?.as_any(), &self.0)?
        };
        let (dtype, of_values) = (self.0.dtype(), values.dtype());
        let (is_bool, is_text) = (dtype == DType::Bool, of_values == DType::Utf8);
        work(py, || {
            if is_bool && of_values.is_numeric() {
                return self.0.cast(DType::Int64)?.search_sorted(&values, side);
            }
            // Texts of times are read. Others are compared by value, or are an error that names both dtypes.
            if is_text && dtype.is_temporal() {
                return self.0.search_sorted(&values.cast(dtype)?, side);
            }
            self.0.search_sorted(&values, side)
        })
        .map(Self::from)
    }

    /// The values of another series where it has the label and they are not null.
    fn update(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        work(py, || self.0.update(&other.0)).map(Self::from)
    }

    /// A boolean column for each value.
    fn get_dummies(&self, py: Python<'_>) -> PyResult<DataFrame> {
        work(py, || self.0.get_dummies()).map(DataFrame::from)
    }
}
