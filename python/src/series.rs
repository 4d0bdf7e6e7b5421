//! Series.

use std::sync::{Arc, OnceLock};

use columnade::column::ColumnAccessor;
use columnade::cuda_array::{CudaArray, CudaArrayExport};
use columnade::expressions::Ties;
use columnade::labels::LabelPart;
use columnade::{
    Column, DType as InnerDType, DataFrame as InnerFrame, Describe, Error, ErrorKind, Exec,
    Expr as InnerExpr, Label, LabelJoin, Scalar, Series as Inner, ValueCounts, col,
};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyFloat, PyInt, PyList, PySlice, PyString};

use crate::arrow::{self, Exported};
use crate::cuda_array;
use crate::dlpack;
use crate::dtype::{DType, dtype_of};
use crate::expr::{Expr, refuse_expression, refuse_members_by_row};
use crate::frame::DataFrame;
use crate::label::{self, label_of};
use crate::locate::{mask_of, sliced_rows};
use crate::values::{self, count_of};
use crate::work::{argument, device_of, work};

/// One column with a name.
///
/// data: a list of values, a numpy array, a series of another library, or any object with Arrow's methods, DLPack or the
/// CUDA Array Interface. Values of Python are copied; memory of other libraries is shared where that is possible.
/// index: the row labels, by default 0, 1, ….
#[pyclass(frozen, weakref, module = "columnade")]
#[derive(Clone)]
pub(crate) struct Series(pub(crate) Inner, Arc<OnceLock<CudaArray>>);

impl From<Inner> for Series {
    fn from(inner: Inner) -> Self {
        Self(inner, Arc::default())
    }
}

/// A series of what an argument of `operation` is: values, or an object of another library.
pub(crate) fn series_of(operation: &'static str, data: &Bound<'_, PyAny>) -> PyResult<Inner> {
    series_on(operation, data, None)
}

/// [`series_of`] for an operation of another series: values of Python and of other libraries are made, or copied to, where
/// that one is.
pub(crate) fn series_beside(
    operation: &'static str,
    data: &Bound<'_, PyAny>,
    other: &Inner,
) -> PyResult<Inner> {
    series_there(operation, data, other.exec())
}

/// [`series_of`], with values that are no series on a device.
pub(crate) fn series_there(operation: &'static str, data: &Bound<'_, PyAny>, exec: &Exec) -> PyResult<Inner> {
    if data.is_instance_of::<Series>() {
        return series_of(operation, data);
    }
    let made = series_on(operation, data, Some(exec))?;
    if made.device() == exec.device() {
        return Ok(made);
    }
    work(data.py(), || made.to_device(exec.device()))
}

fn series_on(operation: &'static str, data: &Bound<'_, PyAny>, exec: Option<&Exec>) -> PyResult<Inner> {
    let py = data.py();
    if let Ok(series) = data.cast::<Series>() {
        return Ok(series.get().0.clone());
    }
    if !data.is_instance_of::<PyList>() {
        let converted = py.import("columnade._convert")?.call_method1("series", (data,))?;
        if let Ok(series) = converted.cast::<Series>() {
            return Ok(series.get().0.clone());
        }
    }
    let exec = match exec {
        Some(exec) => exec.clone(),
        None => work(py, columnade::default_exec)?,
    };
    let column = values::column_of(operation, data, &exec)?;
    work(py, || Inner::new(column))
}

impl Series {
    /// An error that names no column is of this series.
    fn named_in<T>(&self, py: Python<'_>, made: PyResult<T>) -> PyResult<T> {
        made.inspect_err(|error| {
            let error = error.value(py);
            let is_of_none = error.getattr("column").is_ok_and(|column| column.is_none());
            if is_of_none && *self.0.name() != Label::NULL {
                // An error as it is serves too.
                let _ = error.setattr("column", self.0.name().to_string());
            }
        })
    }

    /// The result of an operator with a series or a value. Two series of different names have none, as in pandas.
    pub(crate) fn operated(
        &self,
        operation: &'static str,
        other: &Bound<'_, PyAny>,
        make: impl FnOnce(InnerExpr, InnerExpr) -> InnerExpr + Send,
    ) -> PyResult<Self> {
        let made = self.combined(operation, other, make)?;
        Ok(match other.cast::<Self>() {
            Ok(other) => named_as_both(made, &self.0, &other.get().0),
            Err(_) => made,
        })
    }

    /// Strings so many times one after the other: `series * 3`, as of strings of Python. None of other operands.
    pub(crate) fn repeated(&self, times: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if self.0.dtype() != InnerDType::Utf8 || times.cast_exact::<PyInt>().is_err() {
            return Ok(None);
        }
        let (py, times) = (times.py(), usize::try_from(times.extract::<i64>()?).unwrap_or(0));
        work(py, || named("mul", self.0.str().repeat(times))).map(|made| Some(Self::from(made)))
    }

    /// The result of a binary operation with a series or a value, under the name of this one.
    pub(crate) fn combined(
        &self,
        operation: &'static str,
        other: &Bound<'_, PyAny>,
        make: impl FnOnce(InnerExpr, InnerExpr) -> InnerExpr + Send,
    ) -> PyResult<Self> {
        let py = other.py();
        if other.is_instance_of::<Expr>() {
            let reason =
                "a series and an expression do not go together: an expression is over columns of a frame";
            return Err(argument(py, ErrorKind::Type, operation, reason));
        }
        let array = array_of(operation, &self.0, other)?;
        let Ok(other) = array.as_ref().unwrap_or(other).cast::<Self>() else {
            let value = columnade::lit(values::literal_of(operation, other)?);
            let made = work(py, || named(operation, self.0.evaluate(|this| make(this, value))));
            return self.named_in(py, made).map(Self::from);
        };
        let other = &other.get().0;
        work(py, || named(operation, of_two(&self.0, other, make))).map(Self::from)
    }
}

/// A result of two series under their name, or under none if they have different ones.
pub(crate) fn named_as_both(made: Series, left: &Inner, right: &Inner) -> Series {
    if left.name() == right.name() { made } else { Series::from(made.0.rename(Label::from(LabelPart::Null))) }
}

/// A list, an array of numpy or a series of another library as values under the labels of a series, so that it is an operand by
/// position. Of a series of lists, a list is one value.
fn array_of<'py>(
    operation: &'static str,
    like: &Inner,
    values: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = values.py();
    let is_list = values.is_instance_of::<PyList>() && !matches!(like.dtype(), InnerDType::List(_));
    let is_plain = values.is_none()
        || values.is_instance_of::<PyInt>()
        || values.is_instance_of::<PyFloat>()
        || values.is_instance_of::<PyString>()
        || values.is_instance_of::<Series>();
    let values = if is_list {
        series_of(operation, values)?
    } else if is_plain {
        return Ok(None);
    } else {
        let foreign = py.import("columnade._convert")?.call_method1("operand", (values, operation))?;
        let Ok(foreign) = foreign.cast::<Series>() else { return Ok(None) };
        foreign.get().0.clone()
    };
    if values.len() != like.len() {
        let what = if is_list { "list" } else { "array" };
        let reason = format!("the {what} has {} values, and there are {} rows", values.len(), like.len());
        return Err(argument(py, ErrorKind::Value, operation, &reason));
    }
    let device = like.device();
    let values = work(py, || values.to_device(device)?.with_index(like.index()))?;
    Ok(Some(Bound::new(py, Series::from(values))?.into_any()))
}

fn of_two(
    left: &Inner,
    right: &Inner,
    make: impl FnOnce(InnerExpr, InnerExpr) -> InnerExpr,
) -> Result<Inner, Error> {
    let (left, right) = left.align(right, LabelJoin::Outer)?;
    of_aligned(&left, &right, make)
}

/// The result of an operation of two series with the same labels.
fn of_aligned(
    left: &Inner,
    right: &Inner,
    make: impl FnOnce(InnerExpr, InnerExpr) -> InnerExpr,
) -> Result<Inner, Error> {
    let columns = [("self", left.values().clone()), ("other", right.values().clone())];
    let columns = ColumnAccessor::from_columns(columns).map_err(Error::Value)?;
    let both = InnerFrame::from_accessor(columns, left.exec());
    let made = both.select(make(col("self"), col("other")).alias("made"))?;
    made.column("made")?.rename(left.name().clone()).with_index(left.index())
}

/// An error under the name of the method that was called.
pub(crate) fn named<T>(operation: &'static str, made: Result<T, Error>) -> Result<T, Error> {
    made.map_err(|error| match error {
        Error::Operation { source, .. } | Error::Value(source) => Error::Operation { operation, source },
        other => other,
    })
}

/// The values in another dtype; those that do not fit are an error. Of values without a dtype, nulls.
pub(crate) fn checked_cast(series: &Inner, dtype: &InnerDType) -> Result<Inner, Error> {
    if series.dtype() == InnerDType::Null {
        let nulls = vec![Scalar::Null(dtype.clone()); series.len()];
        let column = Column::from_scalars(dtype, &nulls, series.exec()).map_err(Error::Value)?;
        return Ok(Inner::new(column)?.rename(series.name().clone()));
    }
    series.cast(dtype.clone())
}

/// Whether a condition has a boolean for each of `rows` rows.
pub(crate) fn check_condition(
    py: Python<'_>,
    operation: &str,
    condition: &Inner,
    rows: usize,
) -> PyResult<()> {
    if condition.dtype() != InnerDType::Bool {
        let reason = format!("a condition is boolean, not {}", condition.dtype());
        return Err(argument(py, ErrorKind::Type, operation, &reason));
    }
    if condition.len() != rows {
        let reason = format!("the condition has {} rows, and there are {rows}", condition.len());
        return Err(argument(py, ErrorKind::Value, operation, &reason));
    }
    Ok(())
}

/// Rows that a condition keeps.
fn filtered(series: &Inner, condition: &Inner) -> Result<Inner, Error> {
    let columns = [("self", series.values().clone()), ("condition", condition.values().clone())];
    let columns = ColumnAccessor::from_columns(columns).map_err(Error::Value);
    let kept = columns.and_then(|columns| {
        let both = InnerFrame::from_accessor(columns, series.exec()).with_index(series.index())?;
        both.filter(col("condition"))
    });
    let kept = named("filter", kept)?;
    Ok(kept.column("self")?.rename(series.name().clone()))
}

/// The position of a row that counts from the end where it is negative.
pub(crate) fn position_of(py: Python<'_>, operation: &str, position: isize, rows: usize) -> PyResult<usize> {
    let from_start =
        if position < 0 { rows.checked_add_signed(position) } else { usize::try_from(position).ok() };
    from_start.filter(|position| *position < rows).ok_or_else(|| {
        let reason = format!("position {position} is out of bounds for {rows} rows");
        argument(py, ErrorKind::Index, operation, &reason)
    })
}

#[pymethods]
impl Series {
    #[new]
    #[pyo3(signature = (data = None, name = None, dtype = None, device = None, *, index = None))]
    fn new(
        py: Python<'_>,
        data: Option<&Bound<'_, PyAny>>,
        name: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
        device: Option<&str>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "Series";
        let device = device.map(|name| device_of(py, OPERATION, name)).transpose()?;
        let dtype = dtype.map(|dtype| dtype_of(OPERATION, dtype)).transpose()?;
        let mut series = match data {
            Some(data) => series_of(OPERATION, data)?,
            None => series_of(OPERATION, PyList::empty(py).as_any())?,
        };
        if let Some(name) = name {
            series = series.rename(label_of(OPERATION, name)?);
        }
        let index = index.map(crate::index_sets::index_of).transpose()?;
        work(py, || {
            if let Some(dtype) = dtype
                && series.dtype() != dtype
            {
                series = named(OPERATION, checked_cast(&series, &dtype))?;
            }
            if let Some(index) = index {
                series = series.with_index(&index)?;
            }
            match device {
                Some(device) if device != series.device() => series.to_device(device),
                _ => Ok(series),
            }
        })
        .map(Self::from)
    }

    /// The series of an object with Arrow's methods. Memory is shared where that is possible.
    /// With `validate="full"` every row is checked, which arrays from sources that are not trusted need.
    #[staticmethod]
    #[pyo3(signature = (data, validate = "minimal"))]
    fn from_arrow(data: &Bound<'_, PyAny>, validate: &str) -> PyResult<Self> {
        arrow::import::<Inner>(data, arrow::options_of(data.py(), validate)?).map(Self::from)
    }

    /// The values of an iterable of Python values.
    #[staticmethod]
    #[pyo3(name = "_from_values")]
    fn from_values(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = values.py();
        let exec = work(py, columnade::default_exec)?;
        let column = values::column_of("Series", values, &exec)?;
        work(py, || Inner::new(column)).map(Self::from)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || Ok(self.0.to_string()))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || {
            // Nothing stands where a name would be.
            let shown = if *self.0.name() == Label::NULL { self.0.rename("") } else { self.0.clone() };
            crate::display::html(&shown.to_frame())
        })
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        let reason = "a series has no truth value: use any() or all(), or len() for whether there are rows";
        Err(argument(py, ErrorKind::Value, "bool", reason))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let reason = "a series is not iterated value by value: use to_list(), or work on all values at once";
        Err(argument(py, ErrorKind::Type, "iter", reason))
    }

    fn __contains__(&self, py: Python<'_>, _value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let reason = "`in` is not defined for a series: use (series == value).any()";
        Err(argument(py, ErrorKind::Type, "contains", reason))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compared: CompareOp) -> PyResult<Self> {
        match compared {
            CompareOp::Eq => self.operated("eq", other, columnade::Expr::eq),
            CompareOp::Ne => self.operated("ne", other, columnade::Expr::ne),
            CompareOp::Lt => self.operated("lt", other, columnade::Expr::lt),
            CompareOp::Le => self.operated("le", other, columnade::Expr::le),
            CompareOp::Gt => self.operated("gt", other, columnade::Expr::gt),
            CompareOp::Ge => self.operated("ge", other, columnade::Expr::ge),
        }
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        self.named_in(py, work(py, || self.0.neg())).map(Self::from)
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<Self> {
        self.named_in(py, work(py, || !&self.0)).map(Self::from)
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Self> {
        self.named_in(py, work(py, || self.0.abs())).map(Self::from)
    }

    fn __pow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        self.operated("pow", other, columnade::Expr::pow)
    }

    fn __rpow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        self.operated("pow", other, |a, b| b.pow(a))
    }

    /// A value by its position, rows by a slice, booleans or a boolean series.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(mask) = mask_of("getitem", key)? {
            check_condition(py, "getitem", &mask, self.0.len())?;
            let rows = work(py, || self.0.iloc(&mask))?;
            return Ok(Bound::new(py, Self::from(rows))?.into_any());
        }
        if let Ok(condition) = key.cast::<Self>() {
            return Ok(Bound::new(py, self.filter(py, condition.get())?)?.into_any());
        }
        if let Ok(slice) = key.cast::<PySlice>() {
            let rows = sliced_rows("getitem", slice)?;
            let rows = work(py, || self.0.iloc(rows))?;
            return Ok(Bound::new(py, Self::from(rows))?.into_any());
        }
        let position = position_of(py, "getitem", key.extract::<isize>()?, self.0.len())?;
        values::to_python(py, &work(py, || self.0.get(position))?)
    }

    /// The name: a string, a number, None or a tuple.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        label::to_python(py, self.0.name())
    }

    /// The type of the values.
    #[getter]
    fn dtype(&self) -> DType {
        DType(self.0.dtype())
    }

    /// The number of rows, as a tuple.
    #[getter]
    fn shape(&self) -> (usize,) {
        (self.0.len(),)
    }

    /// The device that the values are on: "host", "sim" or "cuda:0".
    #[getter]
    fn device(&self) -> String {
        self.0.device().to_string()
    }

    /// The number of nulls.
    #[getter]
    fn null_count(&self, py: Python<'_>) -> PyResult<usize> {
        work(py, || self.0.null_count())
    }

    /// The number of values that are not null.
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        work(py, || self.0.count())
    }

    /// All values as a list, None for nulls.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        values::to_list(py, self)
    }

    /// The series as a frame of one column, under another name if one is given.
    #[pyo3(signature = (name = None))]
    fn to_frame(&self, name: Option<&Bound<'_, PyAny>>) -> PyResult<DataFrame> {
        let named =
            name.map(|name| Ok::<_, PyErr>(self.0.rename(label_of("to_frame", name)?))).transpose()?;
        Ok(DataFrame(named.as_ref().unwrap_or(&self.0).to_frame()))
    }

    /// The values as the only column of a frame that is called as they are, None too.
    #[pyo3(name = "_to_frame")]
    fn to_frame_as_named(&self, py: Python<'_>) -> PyResult<DataFrame> {
        work(py, || frame_of(&self.0)).map(DataFrame)
    }

    /// The same values under another name.
    fn rename(&self, name: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::from(self.0.rename(label_of("rename", name)?)))
    }

    /// Whether names aside both have the same dtype and values. Nulls are equal to nulls and NaNs to NaNs.
    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        work(py, || self.0.equals(&other.0))
    }

    /// The first rows; of a negative n all but the last -n.
    #[pyo3(signature = (n = 5))]
    fn head(&self, py: Python<'_>, n: i64) -> PyResult<Self> {
        let rows = count_of(n, self.0.len());
        work(py, || self.0.head(rows)).map(Self::from)
    }

    /// The last rows; of a negative n all but the first -n.
    #[pyo3(signature = (n = 5))]
    fn tail(&self, py: Python<'_>, n: i64) -> PyResult<Self> {
        let rows = count_of(n, self.0.len());
        work(py, || self.0.tail(rows)).map(Self::from)
    }

    /// `length` rows from `offset` on.
    fn slice(&self, py: Python<'_>, offset: usize, length: usize) -> PyResult<Self> {
        work(py, || self.0.slice(offset, length)).map(Self::from)
    }

    /// The rows where a boolean series is true.
    fn filter(&self, py: Python<'_>, condition: &Self) -> PyResult<Self> {
        check_condition(py, "filter", &condition.0, self.0.len())?;
        work(py, || filtered(&self.0, &condition.0)).map(Self::from)
    }

    /// The values on another device: "host", "sim" or "cuda:0". Shared if they are there already.
    fn to_device(&self, py: Python<'_>, device: &str) -> PyResult<Self> {
        let device = device_of(py, "to_device", device)?;
        work(py, || self.0.to_device(device)).map(Self::from)
    }

    /// Nulls replaced by a value, or by those of the same label of a series.
    fn fill_null(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        refuse_expression("fill_null", "value", value)?;
        if value.is_instance_of::<Self>() {
            let (py, other) = (value.py(), series_of("fill_null", value)?);
            let filled = || {
                let (own, other) = self.0.align(&other, LabelJoin::Left)?;
                of_aligned(&own, &other, InnerExpr::fill_null)
            };
            return work(py, || named("fill_null", filled())).map(Self::from);
        }
        let (py, value) = (value.py(), values::literal_of("fill_null", value)?);
        work(py, || self.0.fill_null(value)).map(Self::from)
    }

    /// The values that are not null.
    fn drop_nulls(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.drop_nulls()).map(Self::from)
    }

    /// The distinct values in the order of their first appearance.
    fn unique(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.unique()).map(Self::from)
    }

    /// The values in order.
    #[pyo3(signature = (ascending = true, nulls_first = false))]
    fn sort_values(&self, py: Python<'_>, ascending: bool, nulls_first: bool) -> PyResult<Self> {
        work(py, || self.0.sort_values(crate::frame::order(ascending, nulls_first))).map(Self::from)
    }

    /// The positions of the rows in order.
    #[pyo3(signature = (ascending = true, nulls_first = false))]
    fn argsort(&self, py: Python<'_>, ascending: bool, nulls_first: bool) -> PyResult<Self> {
        work(py, || self.0.argsort(crate::frame::order(ascending, nulls_first))).map(Self::from)
    }

    /// Whether each value is one of these: a list of values or a series.
    fn is_in(&self, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        refuse_members_by_row(values)?;
        let (py, values) = (values.py(), series_beside("is_in", values, &self.0)?);
        work(py, || self.0.is_in(&values)).map(Self::from)
    }

    /// How often each value occurs, as a frame; the most frequent first.
    #[pyo3(signature = (normalize = false, sort = true, ascending = false, dropna = true, bins = None))]
    fn value_counts(
        &self,
        py: Python<'_>,
        normalize: bool,
        sort: bool,
        ascending: bool,
        dropna: bool,
        bins: Option<usize>,
    ) -> PyResult<DataFrame> {
        let mut options =
            ValueCounts::new().normalize(normalize).sort(sort).ascending(ascending).dropna(dropna);
        if let Some(bins) = bins {
            options = options.bins(bins);
        }
        work(py, || self.0.value_counts_with(options)).map(DataFrame)
    }

    /// Count, mean, standard deviation, minimum, percentiles and maximum.
    #[pyo3(signature = (percentiles = None))]
    fn describe(&self, py: Python<'_>, percentiles: Option<Vec<f64>>) -> PyResult<DataFrame> {
        let mut options = Describe::new();
        if let Some(percentiles) = percentiles {
            options = options.percentiles(percentiles);
        }
        work(py, || self.0.describe(options)).map(DataFrame)
    }

    /// Whether each value repeats another; `keep` is "first", "last" or "none".
    #[pyo3(signature = (keep = "first"))]
    fn duplicated(&self, py: Python<'_>, keep: &str) -> PyResult<Self> {
        let keep = crate::frame::keep_of(py, "duplicated", keep)?;
        work(py, || self.0.duplicated(keep)).map(Self::from)
    }

    /// The n largest values.
    #[pyo3(signature = (n = 5))]
    fn nlargest(&self, py: Python<'_>, n: usize) -> PyResult<Self> {
        work(py, || self.0.nlargest(n, Ties::First)).map(Self::from)
    }

    /// The n smallest values.
    #[pyo3(signature = (n = 5))]
    fn nsmallest(&self, py: Python<'_>, n: usize) -> PyResult<Self> {
        work(py, || self.0.nsmallest(n, Ties::First)).map(Self::from)
    }

    /// Codes of the values in the order of their first appearance, and the values.
    fn factorize(&self, py: Python<'_>) -> PyResult<(Self, Self)> {
        work(py, || self.0.factorize()).map(|(codes, values)| (Self::from(codes), Self::from(values)))
    }

    /// A row for each item of lists.
    fn explode(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.explode()).map(Self::from)
    }

    /// Whether the values are in order.
    #[pyo3(signature = (ascending = true, nulls_first = false))]
    fn is_sorted(&self, py: Python<'_>, ascending: bool, nulls_first: bool) -> PyResult<bool> {
        work(py, || self.0.is_sorted(crate::frame::order(ascending, nulls_first)))
    }

    /// A copy: shallow, which shares memory, or deep.
    #[pyo3(signature = (deep = true))]
    fn copy(&self, py: Python<'_>, deep: bool) -> PyResult<Self> {
        work(py, || if deep { self.0.deep_copy() } else { self.0.shallow_copy() }).map(Self::from)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py, false)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("reduce", (slf,))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py, true)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Exported::Series(self.0.clone()).schema(py)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        Exported::Series(self.0.clone()).array(py, requested_schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        Exported::Series(self.0.clone()).stream(py, requested_schema)
    }

    #[pyo3(signature = (requested_schema = None, **kwargs))]
    fn __arrow_c_device_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        Exported::Series(self.0.clone()).device_array(py, requested_schema, kwargs)
    }

    #[pyo3(signature = (requested_schema = None, **kwargs))]
    fn __arrow_c_device_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        Exported::Series(self.0.clone()).device_stream(py, requested_schema, kwargs)
    }

    /// The values as a tensor of DLPack, of one dimension. Numbers and booleans without nulls.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<&Bound<'py, PyAny>>,
        dl_device: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let request = dlpack::request(py, stream, max_version, dl_device, copy)?;
        dlpack::export(py, || self.0.to_dlpack(&request))
    }

    /// The type and number of the device, as DLPack has them.
    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::device(self.0.device())
    }

    /// A series or a frame of a tensor; that of a tensor of the host on the default device.
    #[staticmethod]
    #[pyo3(name = "_from_tensor")]
    fn from_tensor<'py>(tensor: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        dlpack::to_default_device(tensor)
    }

    /// The values as a dictionary of the CUDA Array Interface, version 3, with a mask of bytes if there are nulls. Only for
    /// series of a device. Memory stays where it is as long as this series lives.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // Series do not change: what was described once stays true.
        let array = if let Some(array) = self.1.get() {
            array
        } else {
            let made = cuda_array::export(py, || self.0.to_cuda_array(&CudaArrayExport::default()))?;
            self.1.get_or_init(|| made)
        };
        cuda_array::to_dict(py, array.interface())
    }

    /// The values as an array of numpy, which shares memory where numpy has the dtype and there are no nulls.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("to_array", (slf, dtype, copy))
    }

    /// The values as an array of numpy. Numbers without nulls share memory, read-only; with nulls they are float64 with NaN.
    /// Times are datetime64 and timedelta64 with NaT; other dtypes are arrays of Python values.
    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("to_numpy", (slf,))
    }

    /// The values as a series of pandas; with `arrow` of the dtypes that pandas bases on pyarrow, without a copy; with `nullable`
    /// integers, floats, booleans and strings of the dtypes of pandas that have NA (Int64, Float64, boolean, string).
    #[pyo3(signature = (arrow = false, nullable = false))]
    fn to_pandas<'py>(slf: &Bound<'py, Self>, arrow: bool, nullable: bool) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("series_to_pandas", (slf, arrow, nullable))
    }

    /// The values as an array of pyarrow, without a copy.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("series_to_arrow", (slf,))
    }
}

/// A series as a frame of one column.
pub(crate) fn frame_of(series: &Inner) -> Result<InnerFrame, Error> {
    let columns = ColumnAccessor::from_columns([(Label::from(series.name()), series.values().clone())]);
    InnerFrame::from_accessor(columns.map_err(Error::Value)?, series.exec()).with_index(series.index())
}
