//! Frames.

use columnade::expressions::Keep;
use columnade::labels::Levels;
use columnade::{DataFrame as Inner, Describe, DropNulls, ErrorKind, Label, SortBy, SortOrder, Unique, col};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PyString, PyTuple};

use crate::arrow::{self, Exported};
use crate::construct::{frame_of_data, of_dict_with_labels};
use crate::dlpack;
use crate::dtype::{DType, dtype_of};
use crate::expr::{Expr, column_exprs_of, expr_of, label_list_of, selectors_of};
use crate::groupby::{self, GroupBy};
use crate::label::{self, label_of, labels_of};
use crate::locate::{mask_of, sliced_rows};
use crate::series::{Series, check_condition, position_of, series_of};
use crate::values::{self, count_of};
use crate::work::{argument, column_exception, device_of, work, work_as};

/// A table: columns of one length under distinct labels.
///
/// data: a dictionary of columns, where series go by their labels, a list of rows as dictionaries or lists, or a frame of
/// another library: any object with Arrow's methods, DLPack or the CUDA Array Interface. Frames do not change: methods return new
/// ones, which share memory.
/// index: the row labels, by default 0, 1, …. Series of a dictionary are brought to these labels.
#[pyclass(frozen, weakref, module = "columnade")]
#[derive(Clone)]
pub(crate) struct DataFrame(pub(crate) Inner);

impl From<Inner> for DataFrame {
    fn from(inner: Inner) -> Self {
        Self(inner)
    }
}

/// The order of a sort.
pub(crate) fn order(ascending: bool, nulls_first: bool) -> SortOrder {
    let order = if ascending { SortOrder::ascending() } else { SortOrder::descending() };
    if nulls_first { order.nulls_first() } else { order }
}

/// True or false for each of some columns: one of them for all, or a list.
fn flags_of(
    operation: &'static str,
    (name, value): (&str, Option<&Bound<'_, PyAny>>),
    default: bool,
    columns: usize,
) -> PyResult<Vec<bool>> {
    let Some(value) = value else { return Ok(vec![default; columns]) };
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(vec![flag; columns]);
    }
    let Ok(flags) = value.extract::<Vec<bool>>() else {
        let items = value.cast::<PyList>().ok();
        let wrong = items.and_then(|items| items.iter().find(|item| item.extract::<bool>().is_err()));
        let wrong = wrong.as_ref().unwrap_or(value).get_type().name()?;
        let reason = format!("{name} is True or False, or a list of them, not {wrong}");
        return Err(argument(value.py(), ErrorKind::Type, operation, &reason));
    };
    if flags.len() != columns {
        let reason = format!("{name} has {} values for {columns} columns", flags.len());
        return Err(argument(value.py(), ErrorKind::Value, operation, &reason));
    }
    Ok(flags)
}

/// What the arguments `by`, `ascending` and `nulls_first` of a sort say; the last two may be lists.
pub(crate) fn sort_by(
    operation: &'static str,
    by: &Bound<'_, PyAny>,
    ascending: Option<&Bound<'_, PyAny>>,
    nulls_first: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<SortBy>> {
    let labels = label_list_of(operation, by)?;
    let directions = flags_of(operation, ("ascending", ascending), true, labels.len())?;
    let nulls = flags_of(operation, ("nulls_first", nulls_first), false, labels.len())?;
    let key = |((label, ascending), nulls_first): ((Label, bool), bool)| {
        let key = if ascending { SortBy::ascending(label) } else { SortBy::descending(label) };
        if nulls_first { key.nulls_first() } else { key }
    };
    Ok(labels.into_iter().zip(directions).zip(nulls).map(key).collect())
}

pub(crate) fn keep_of(py: Python<'_>, operation: &str, keep: &str) -> PyResult<Keep> {
    Ok(match keep {
        "first" => Keep::First,
        "last" => Keep::Last,
        "none" => Keep::None,
        _ => {
            return Err(argument(py, ErrorKind::Value, operation, "keep is \"first\", \"last\" or \"none\""));
        }
    })
}

fn unique_of(operation: &'static str, subset: Option<&Bound<'_, PyAny>>, keep: Keep) -> PyResult<Unique> {
    let unique = Unique::new().keep(keep);
    Ok(match subset {
        Some(subset) => unique.subset(label_list_of(operation, subset)?),
        None => unique,
    })
}

#[pymethods]
impl DataFrame {
    #[new]
    #[pyo3(signature = (data = None, columns = None, device = None, *, index = None))]
    fn new(
        py: Python<'_>,
        data: Option<&Bound<'_, PyAny>>,
        columns: Option<&Bound<'_, PyAny>>,
        device: Option<&str>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "DataFrame";
        let device = device.map(|name| device_of(py, OPERATION, name)).transpose()?;
        let index = index.map(crate::index_sets::index_of).transpose()?;
        let columns_by_label = data.and_then(|data| data.cast::<PyDict>().ok());
        let mut frame = match (data, columns_by_label, &index) {
            (_, Some(columns), Some(index)) => of_dict_with_labels(columns, index)?,
            (Some(data), ..) => frame_of_data(data)?,
            (None, ..) => work(py, Inner::empty)?,
        };
        if let Some(columns) = columns {
            let labels = labels_of(OPERATION, columns)?;
            frame = if data.is_some_and(pyo3::types::PyAnyMethods::is_instance_of::<PyDict>) {
                work(py, || frame.select(labels))?
            } else {
                let accessor = frame.frame().accessor().with_labels(labels);
                let accessor = accessor.map_err(|error| column_exception(py, OPERATION, error))?;
                let renamed = Inner::from_accessor(accessor, frame.exec());
                work(py, || renamed.with_index(frame.index()))?
            };
        }
        work_as(py, OPERATION, || {
            if let Some(index) = index {
                frame = frame.with_index(&index)?;
            }
            match device {
                Some(device) if device != frame.device() => frame.to_device(device),
                _ => Ok(frame),
            }
        })
        .map(Self)
    }

    /// The frame of an object with Arrow's methods. Memory is shared where that is possible.
    /// With `validate="full"` every row is checked, which arrays from sources that are not trusted need.
    #[staticmethod]
    #[pyo3(signature = (data, validate = "minimal"))]
    fn from_arrow(data: &Bound<'_, PyAny>, validate: &str) -> PyResult<Self> {
        arrow::import::<Inner>(data, arrow::options_of(data.py(), validate)?).map(Self)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || Ok(self.0.to_string()))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || crate::display::html(&self.0))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Err(argument(
            py,
            ErrorKind::Value,
            "bool",
            "a frame has no truth value: use len() for whether there are rows",
        ))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let reason = "a frame is not iterated: use columns for the labels, or to_dict() for the values";
        Err(argument(py, ErrorKind::Type, "iter", reason))
    }

    fn __contains__(&self, label: &Bound<'_, PyAny>) -> PyResult<bool> {
        let label = label_of("contains", label)?;
        Ok(self.0.columns().contains(&label))
    }

    fn __setitem__(
        &self,
        py: Python<'_>,
        _key: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let reason = "a frame does not change: use with_columns, which returns a new one that shares the other columns";
        Err(argument(py, ErrorKind::Type, "setitem", reason))
    }

    /// A column by its label, several by a list of labels, rows by a slice, booleans, a boolean series or a condition.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let frame = |frame: Inner| Ok(Bound::new(py, Self(frame))?.into_any());
        if let Some(mask) = mask_of("getitem", key)? {
            check_condition(py, "getitem", &mask, self.0.len())?;
            return frame(work(py, || self.0.iloc(&mask))?);
        }
        if let Ok(labels) = key.cast::<PyList>() {
            let labels =
                labels.iter().map(|label| label_of("getitem", &label)).collect::<PyResult<Vec<_>>>()?;
            return frame(work(py, || self.0.select(labels))?);
        }
        if let Ok(slice) = key.cast::<PySlice>() {
            let rows = sliced_rows("getitem", slice)?;
            return frame(work(py, || self.0.iloc(rows))?);
        }
        if key.is_instance_of::<Series>() || key.is_instance_of::<Expr>() {
            return frame(self.filter(key)?.0);
        }
        let label = label_of("getitem", key)?;
        let column = work(py, || self.0.column(&label))?;
        Ok(Bound::new(py, Series::from(column))?.into_any())
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    /// The labels of the columns.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let labels = self.0.columns().iter().map(|label| label::to_python(py, label));
        PyList::new(py, labels.collect::<PyResult<Vec<_>>>()?)
    }

    /// The dtypes of the columns by label.
    #[getter]
    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dtypes = PyDict::new(py);
        for (label, dtype) in self.0.schema() {
            dtypes.set_item(label::to_python(py, &label)?, DType(dtype))?;
        }
        Ok(dtypes)
    }

    /// The device that the columns are on: "host", "sim" or "cuda:0".
    #[getter]
    fn device(&self) -> String {
        self.0.device().to_string()
    }

    /// Bytes that the columns keep allocated.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }

    /// All values: a list for each label.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for label in self.0.columns() {
            let column = Series::from(work(py, || self.0.column(label))?);
            columns.set_item(label::to_python(py, label)?, values::to_list(py, &column)?)?;
        }
        Ok(columns)
    }

    /// All rows as dictionaries.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = (0..self.0.len()).map(|_| PyDict::new(py)).collect::<Vec<_>>();
        for (label, values) in self.to_dict(py)? {
            for (row, value) in rows.iter().zip(values.cast::<PyList>()?) {
                row.set_item(&label, value)?;
            }
        }
        PyList::new(py, rows)
    }

    /// A column by its label or its position.
    fn column(&self, label: &Bound<'_, PyAny>) -> PyResult<Series> {
        let py = label.py();
        let label = label_of("column", label)?;
        work(py, || self.0.column(&label)).map(Series::from)
    }

    /// Columns, by label or computed: `frame.select("a", col("b") * 2, total=col("c").sum())`.
    #[pyo3(signature = (*columns, **named))]
    fn select(&self, columns: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let selectors = selectors_of("select", columns, named)?;
        work(columns.py(), || self.0.select(selectors)).map(Self)
    }

    /// The frame with further columns, or with columns replaced. A named argument may also be a series or a list.
    #[pyo3(signature = (*columns, **named))]
    fn with_columns(
        &self,
        columns: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "with_columns";
        let py = columns.py();
        let mut exprs = column_exprs_of(OPERATION, columns, None)?;
        let mut added = Vec::new();
        for (name, value) in named.into_iter().flatten() {
            let label = label_of(OPERATION, &name)?;
            if is_column(&value)? {
                added.push((label, series_of(OPERATION, &value)?));
            } else {
                exprs.push(expr_of(OPERATION, &value)?.alias(label));
            }
        }
        work(py, || {
            let mut frame = if exprs.is_empty() { self.0.clone() } else { self.0.with_columns(exprs)? };
            for (label, series) in added {
                frame = frame.with_column(label, series.into_values())?;
            }
            Ok(frame)
        })
        .map(Self)
    }

    /// The rows that meet a condition: an expression or a boolean series. Null is not met.
    fn filter(&self, condition: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "filter";
        let py = condition.py();
        if let Ok(expr) = condition.cast::<Expr>() {
            let expr = expr.get().0.clone();
            return work(py, || self.0.filter(expr)).map(Self);
        }
        let mask = series_of(OPERATION, condition)?;
        check_condition(py, OPERATION, &mask, self.0.len())?;
        // A label that no column has; in a frame of several levels it is given as many.
        let label = Label::from("\u{0}condition");
        work(py, || {
            let marked = self.0.with_column(label.clone(), mask.into_values())?;
            let label = marked.columns().last().cloned().unwrap_or(label);
            marked.filter(col(label.clone()))?.drop(label)
        })
        .map(Self)
    }

    /// The frame without these columns, or without the rows of these labels (`index`).
    #[pyo3(signature = (*labels, columns = None, index = None))]
    fn drop(
        &self,
        labels: &Bound<'_, PyTuple>,
        columns: Option<&Bound<'_, PyAny>>,
        index: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "drop";
        let mut all = Vec::new();
        for label in labels.iter().chain(columns.cloned()) {
            all.extend(labels_of(OPERATION, &label)?);
        }
        let index = index.map(crate::index_sets::index_of).transpose()?;
        work(labels.py(), || {
            let rest = self.0.drop(all)?;
            let Some(index) = index else { return Ok(rest) };
            // The error names labels that are not there.
            rest.index().drop(&index)?;
            let dropped = rest.index().is_in(&index)?;
            rest.iloc(&(!&dropped)?)
        })
        .map(Self)
    }

    /// Columns under other labels, as a dictionary says.
    fn rename(&self, columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        const OPERATION: &str = "rename";
        let pair = |(old, new): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((label_of(OPERATION, &old)?, label_of(OPERATION, &new)?))
        };
        let pairs = columns.iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        work(columns.py(), || self.0.rename(pairs)).map(Self)
    }

    /// The first rows; of a negative n all but the last -n.
    #[pyo3(signature = (n = 5))]
    fn head(&self, py: Python<'_>, n: i64) -> PyResult<Self> {
        let rows = count_of(n, self.0.len());
        work(py, || self.0.head(rows)).map(Self)
    }

    /// The last rows; of a negative n all but the first -n.
    #[pyo3(signature = (n = 5))]
    fn tail(&self, py: Python<'_>, n: i64) -> PyResult<Self> {
        let rows = count_of(n, self.0.len());
        work(py, || self.0.tail(rows)).map(Self)
    }

    /// `length` rows from `offset` on.
    fn slice(&self, py: Python<'_>, offset: usize, length: usize) -> PyResult<Self> {
        work(py, || self.0.slice(offset, length)).map(Self)
    }

    /// One row as a dictionary; a negative position counts from the end.
    fn row<'py>(&self, py: Python<'py>, position: isize) -> PyResult<Bound<'py, PyDict>> {
        let position = position_of(py, "row", position, self.0.len())?;
        let row = PyDict::new(py);
        for label in self.0.columns() {
            let value = work(py, || self.0.column(label)?.get(position))?;
            row.set_item(label::to_python(py, label)?, values::to_python(py, &value)?)?;
        }
        Ok(row)
    }

    /// Groups of rows with equal keys: columns by label, expressions, series, and bins of time (`Grouper`).
    ///
    /// level: names of levels of the row labels that are keys too.
    /// dropna: whether rows with a null key are in no group.
    /// observed: whether dictionaries give groups only for the categories that rows have.
    /// as_index: whether the keys of results are row labels and not columns.
    #[pyo3(signature = (*keys, sort = false, dropna = true, level = None, observed = true, as_index = false))]
    fn group_by(
        &self,
        keys: &Bound<'_, PyTuple>,
        sort: bool,
        dropna: bool,
        level: Option<&Bound<'_, PyAny>>,
        observed: bool,
        as_index: bool,
    ) -> PyResult<GroupBy> {
        GroupBy::new(&self.0, keys, level, &groupby::Options { sort, dropna, observed, as_index })
    }

    /// Aggregates of all rows, as a frame of one row: expressions, names, or names by column; see `GroupBy.agg`.
    #[pyo3(signature = (*aggregates, **named))]
    fn agg(&self, aggregates: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let exprs = groupby::aggregates_of(aggregates, named, self.0.columns())?;
        work(aggregates.py(), || self.0.agg(exprs)).map(Self)
    }

    /// The rows in the order of one or several columns. `ascending` is one direction or a list of them; nulls come last.
    #[pyo3(signature = (by, ascending = None, nulls_first = None))]
    fn sort_values(
        &self,
        by: &Bound<'_, PyAny>,
        ascending: Option<&Bound<'_, PyAny>>,
        nulls_first: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let keys = sort_by("sort_values", by, ascending, nulls_first)?;
        work(by.py(), || self.0.sort_values(keys)).map(Self)
    }

    /// The first k rows in the order of one or several columns.
    #[pyo3(signature = (k, by, ascending = None, nulls_first = None))]
    fn sort_head(
        &self,
        k: usize,
        by: &Bound<'_, PyAny>,
        ascending: Option<&Bound<'_, PyAny>>,
        nulls_first: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let keys = sort_by("sort_head", by, ascending, nulls_first)?;
        work(by.py(), || self.0.sort_head(k, keys)).map(Self)
    }

    /// Distinct rows, of all columns or of a subset; `keep` is "first", "last" or "none".
    #[pyo3(signature = (subset = None, keep = "first"))]
    fn unique(&self, py: Python<'_>, subset: Option<&Bound<'_, PyAny>>, keep: &str) -> PyResult<Self> {
        let keep = keep_of(py, "unique", keep)?;
        let unique = unique_of("unique", subset, keep)?;
        work(py, || self.0.unique(unique)).map(Self)
    }

    /// Whether each row repeats another, of all columns or of a subset.
    #[pyo3(signature = (subset = None, keep = "first"))]
    fn duplicated(&self, py: Python<'_>, subset: Option<&Bound<'_, PyAny>>, keep: &str) -> PyResult<Series> {
        let keep = keep_of(py, "duplicated", keep)?;
        let unique = unique_of("duplicated", subset, keep)?;
        work(py, || self.0.duplicated(unique)).map(Series::from)
    }

    /// Nulls replaced by a value, in the columns whose dtype it fits.
    fn fill_null(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, value) = (value.py(), values::literal_of("fill_null", value)?);
        work(py, || self.0.fill_null(value)).map(Self)
    }

    /// The rows without nulls: without any (`how="any"`), not all null (`how="all"`), or with at least `thresh` values; in
    /// all columns or in a subset.
    #[pyo3(signature = (how = "any", subset = None, thresh = None))]
    fn drop_nulls(
        &self,
        py: Python<'_>,
        how: &str,
        subset: Option<&Bound<'_, PyAny>>,
        thresh: Option<usize>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "drop_nulls";
        let options = match (how, thresh) {
            (_, Some(values)) => DropNulls::thresh(values),
            ("any", None) => DropNulls::any(),
            ("all", None) => DropNulls::all(),
            _ => return Err(argument(py, ErrorKind::Value, OPERATION, "how is \"any\" or \"all\"")),
        };
        let options = match subset {
            Some(subset) => options.subset(label_list_of(OPERATION, subset)?),
            None => options,
        };
        work(py, || self.0.drop_nulls(options)).map(Self)
    }

    /// Count, mean, standard deviation, minimum, percentiles and maximum of numeric columns; with `include="all"` of others
    /// too.
    #[pyo3(signature = (percentiles = None, include = None))]
    fn describe(
        &self,
        py: Python<'_>,
        percentiles: Option<Vec<f64>>,
        include: Option<&str>,
    ) -> PyResult<Self> {
        let mut options = Describe::new();
        if let Some(percentiles) = percentiles {
            options = options.percentiles(percentiles);
        }
        match include {
            None => {}
            Some("all") => options = options.include_all(),
            Some(_) => return Err(argument(py, ErrorKind::Value, "describe", "include is None or \"all\"")),
        }
        work(py, || self.0.describe(options)).map(Self)
    }

    /// A row for each item of the lists in a column.
    fn explode(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, labels) = (labels.py(), label_list_of("explode", labels)?);
        work(py, || self.0.explode(labels)).map(Self)
    }

    /// A column for each field of the structs in a column.
    fn unnest(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, labels) = (labels.py(), label_list_of("unnest", labels)?);
        work(py, || self.0.unnest(labels)).map(Self)
    }

    /// The columns in other dtypes, as a dictionary says. Values that are no such value are an error; with strict=False null.
    #[pyo3(signature = (dtypes, strict = true))]
    fn cast(&self, dtypes: &Bound<'_, PyDict>, strict: bool) -> PyResult<Self> {
        const OPERATION: &str = "cast";
        let cast = |(label, dtype): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let label = label_of(OPERATION, &label)?;
            Ok((label, dtype_of(OPERATION, &dtype)?))
        };
        let casts: Vec<_> = dtypes.iter().map(cast).collect::<PyResult<_>>()?;
        let made = || if strict { self.0.cast(casts) } else { self.0.try_cast(casts) };
        work_as(dtypes.py(), OPERATION, made).map(Self)
    }

    /// Whether both have the same labels, dtypes and values. Nulls are equal to nulls and NaNs to NaNs.
    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        work(py, || self.0.equals(&other.0))
    }

    /// The columns on another device: "host", "sim" or "cuda:0". Shared if they are there already.
    fn to_device(&self, py: Python<'_>, device: &str) -> PyResult<Self> {
        let device = device_of(py, "to_device", device)?;
        work(py, || self.0.to_device(device)).map(Self)
    }

    /// The rows as structs with a field for each column, sharing memory.
    fn to_struct(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.0.to_struct()).map(Series::from)
    }

    /// A copy: shallow, which shares memory, or deep.
    #[pyo3(signature = (deep = true))]
    fn copy(&self, py: Python<'_>, deep: bool) -> PyResult<Self> {
        work(py, || if deep { self.0.deep_copy() } else { self.0.shallow_copy() }).map(Self)
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
        Exported::Frame(self.0.clone()).schema(py)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        Exported::Frame(self.0.clone()).array(py, requested_schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        Exported::Frame(self.0.clone()).stream(py, requested_schema)
    }

    #[pyo3(signature = (requested_schema = None, **kwargs))]
    fn __arrow_c_device_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        Exported::Frame(self.0.clone()).device_array(py, requested_schema, kwargs)
    }

    #[pyo3(signature = (requested_schema = None, **kwargs))]
    fn __arrow_c_device_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        Exported::Frame(self.0.clone()).device_stream(py, requested_schema, kwargs)
    }

    /// The values as a tensor of DLPack, of rows by columns. Columns of one numeric dtype, or booleans, without nulls.
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

    /// The values as an array of numpy of two dimensions.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("to_array", (slf, dtype, copy))
    }

    /// The values as an array of numpy of two dimensions, of the dtype that holds all of them.
    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("frame_to_numpy", (slf,))
    }

    /// The frame as one of pandas; with `arrow` of the dtypes that pandas bases on pyarrow, without a copy; with `nullable`
    /// integers, floats, booleans and strings of the dtypes of pandas that have NA (Int64, Float64, boolean, string).
    #[pyo3(signature = (arrow = false, nullable = false))]
    fn to_pandas<'py>(slf: &Bound<'py, Self>, arrow: bool, nullable: bool) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("frame_to_pandas", (slf, arrow, nullable))
    }

    /// The names of the levels of the columns' labels, None for one without.
    #[getter(_level_names)]
    fn level_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.0.levels().names().iter().map(|name| match name {
            Some(name) => label::to_python(py, name),
            None => Ok(py.None().into_bound(py)),
        });
        PyList::new(py, names.collect::<PyResult<Vec<_>>>()?)
    }

    /// The frame with other names of the levels of the columns' labels.
    fn _with_level_names(&self, py: Python<'_>, names: &Bound<'_, PyList>) -> PyResult<Self> {
        const OPERATION: &str = "from_pandas";
        let name = |name: Bound<'_, PyAny>| {
            if name.is_none() { Ok(None) } else { label_of(OPERATION, &name).map(Some) }
        };
        let names = names.iter().map(name).collect::<PyResult<Vec<_>>>()?;
        let made = Levels::named(names).and_then(|levels| self.0.frame().accessor().clone().relevel(levels));
        let made = made.map_err(|error| column_exception(py, OPERATION, error))?;
        let made = Inner::from_accessor(made, self.0.exec());
        work(py, || made.with_index(self.0.index())).map(Self)
    }

    /// The frame as a table of pyarrow, without a copy.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("frame_to_arrow", (slf,))
    }
}

/// Whether an argument of `with_columns` has a value for each row.
fn is_column(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_instance_of::<Expr>() || value.is_instance_of::<PyString>() {
        return Ok(false);
    }
    if value.is_instance_of::<Series>() || value.is_instance_of::<PyList>() {
        return Ok(true);
    }
    // Arrays without dimensions are values.
    Ok(value.hasattr("__len__")? && value.len().is_ok() && !value.is_instance_of::<pyo3::types::PyBytes>())
}
