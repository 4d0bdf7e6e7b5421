//! Row labels.

use columnade::{DataFrame as InnerFrame, ErrorKind, Index as Inner, Label, RangeIndex, Scalar, SetIndex};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PySliceMethods, PyTuple};

use crate::construct::frame_of_data;
use crate::dtype::DType;
use crate::expr::label_list_of;
use crate::frame::{DataFrame, order};
use crate::label::{self, label_of, labels_of};
use crate::locate::{sliced_rows, taken_rows};
use crate::series::{Series, position_of, series_of};
use crate::values;
use crate::work::{argument, work, work_as};

/// The row labels of a frame or a series, in one or several levels. Indexes do not change.
///
/// data: the labels, as for a series; of several levels, a list of tuples. The kind follows from the dtype: "range",
/// "single", "multi", "datetime", "timedelta", "categorical" or "interval".
#[pyclass(frozen, weakref, module = "columnade")]
#[derive(Clone)]
pub(crate) struct Index(pub(crate) Inner);

/// The labels of some rows, a value or a tuple for each.
fn rows_to_python<'py>(py: Python<'py>, index: &Inner) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let levels = work(py, || index.to_scalars())?;
    let value = |level: &Vec<Scalar>, row: usize| values::to_python(py, &level[row]);
    (0..index.len())
        .map(|row| match levels.as_slice() {
            [level] => value(level, row),
            levels => {
                let parts = levels.iter().map(|level| value(level, row)).collect::<PyResult<Vec<_>>>()?;
                Ok(PyTuple::new(py, parts)?.into_any())
            }
        })
        .collect()
}

/// Every `step`th label of a range from a position on.
fn part_of_range(range: &RangeIndex, from: isize, step: isize, len: usize) -> Option<Inner> {
    let (from, step) = (i64::try_from(from).ok()?, i64::try_from(step).ok()?);
    let start = range.start().checked_add(from.checked_mul(range.step())?)?;
    let part = RangeIndex::new(start, range.step().checked_mul(step)?, len)?;
    Some(Inner::Range(part.rename(range.name().clone())))
}

/// A name for each of `levels` levels; no name is null.
fn names_of(
    operation: &'static str,
    names: Option<&Bound<'_, PyAny>>,
    levels: usize,
) -> PyResult<Vec<Label>> {
    match names {
        None => Ok(vec![Label::NULL; levels]),
        Some(names) => labels_of(operation, names),
    }
}

impl Index {
    /// The labels at the positions of a slice; of a range, a range.
    fn sliced(&self, slice: &Bound<'_, PySlice>) -> PyResult<Self> {
        let py = slice.py();
        let rows = sliced_rows("getitem", slice)?;
        let at = slice.indices(isize::try_from(self.0.len()).unwrap_or(isize::MAX))?;
        if at.step == 1 {
            let start = usize::try_from(at.start).unwrap_or(0);
            return work(py, || self.0.slice(start, at.slicelength)).map(Self);
        }
        if let Inner::Range(range) = &self.0
            && let Some(part) = part_of_range(range, at.start, at.step, at.slicelength)
        {
            return Ok(Self(part));
        }
        let labels = work(py, || {
            let rows = self.0.to_frame()?.with_index(&self.0)?.iloc(rows)?;
            Ok(rows.index().clone())
        })?;
        Ok(Self(labels))
    }

    /// Levels of series.
    fn of_levels(
        py: Python<'_>,
        operation: &'static str,
        levels: Vec<columnade::Series>,
        names: &[Label],
    ) -> PyResult<Self> {
        if levels.len() != names.len() {
            let reason = format!("{} names for {} levels", names.len(), levels.len());
            return Err(argument(py, ErrorKind::Value, operation, &reason));
        }
        work(py, || match levels.as_slice() {
            [one] => Inner::from_series(one)?.rename(names[0].clone()),
            _ => Inner::from_arrays(
                names.iter().cloned().zip(levels.into_iter().map(columnade::Series::into_values)),
            ),
        })
        .map(Self)
    }
}

#[pymethods]
impl Index {
    #[new]
    #[pyo3(signature = (data, name = None))]
    fn new(data: &Bound<'_, PyAny>, name: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "Index";
        let py = data.py();
        if let Ok(index) = data.cast::<Self>() {
            let index = index.get().0.clone();
            let Some(name) = name else { return Ok(Self(index)) };
            let name = label_of(OPERATION, name)?;
            return work(py, || index.rename(name)).map(Self);
        }
        if let Ok(rows) = data.cast::<PyList>()
            && !rows.is_empty()
            && rows
                .iter()
                .all(|row| row.is_instance_of::<PyTuple>() && !values::is_interval(&row).unwrap_or(false))
        {
            let levels = rows.get_item(0)?.len()?;
            let level = |level: usize| {
                let items = rows.iter().map(|row| {
                    if row.len()? == levels {
                        return row.get_item(level);
                    }
                    Err(argument(py, ErrorKind::Value, OPERATION, "the tuples have different lengths"))
                });
                series_of(OPERATION, PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.as_any())
            };
            let made = (0..levels).map(level).collect::<PyResult<Vec<_>>>()?;
            return Self::of_levels(py, OPERATION, made, &names_of(OPERATION, name, levels)?);
        }
        if data.getattr_opt("nlevels")?.is_some_and(|levels| levels.gt(1).unwrap_or(false)) {
            // An index of pandas of several levels.
            let made = py.import("columnade._convert")?.call_method1("from_pandas", (data,))?;
            return Ok(Self(made.cast::<Self>()?.get().0.clone()));
        }
        let series = series_of(OPERATION, data)?;
        let name = match name {
            Some(name) => label_of(OPERATION, name)?,
            None => series.name().clone(),
        };
        Self::of_levels(py, OPERATION, vec![series], &[name])
    }

    /// `start`, `start + step`, … below `stop`, which takes no memory.
    #[staticmethod]
    #[pyo3(signature = (start, stop, step = 1, name = None))]
    fn range(
        py: Python<'_>,
        start: i64,
        stop: i64,
        step: i64,
        name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "Index.range";
        let name = names_of(OPERATION, name, 1)?.swap_remove(0);
        let invalid = |reason| argument(py, ErrorKind::Value, OPERATION, reason);
        if step == 0 {
            return Err(invalid("step is 0"));
        }
        let distance = if step > 0 {
            i128::from(stop) - i128::from(start)
        } else {
            i128::from(start) - i128::from(stop)
        };
        let len = distance.max(0).unsigned_abs().div_ceil(u128::from(step.unsigned_abs()));
        let range = usize::try_from(len).ok().and_then(|len| RangeIndex::new(start, step, len));
        let range = range.ok_or_else(|| invalid("the labels do not fit 64 bits"))?;
        Ok(Self(Inner::Range(range.rename(name))))
    }

    /// A level for each list, array or series.
    #[staticmethod]
    #[pyo3(signature = (arrays, names = None))]
    fn from_arrays(arrays: &Bound<'_, PyList>, names: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        const OPERATION: &str = "from_arrays";
        let levels = arrays.iter().map(|level| series_of(OPERATION, &level)).collect::<PyResult<Vec<_>>>()?;
        let names = names_of(OPERATION, names, levels.len())?;
        Self::of_levels(arrays.py(), OPERATION, levels, &names)
    }

    /// A level for each column of a frame, under its label.
    #[staticmethod]
    fn from_frame(frame: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, frame) = (frame.py(), frame_of_data(frame)?);
        work(py, || Inner::from_frame(&frame)).map(Self)
    }

    /// "range", "single", "multi", "datetime", "timedelta", "categorical" or "interval".
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.0 {
            Inner::Range(_) => "range",
            Inner::Multi(_) => "multi",
            Inner::Datetime(_) => "datetime",
            Inner::Timedelta(_) => "timedelta",
            Inner::Categorical(_) => "categorical",
            Inner::Interval(_) => "interval",
            _ => "single",
        }
    }

    /// Start, stop and step of a range, None of other kinds.
    #[getter]
    fn bounds(&self) -> Option<(i64, i64, i64)> {
        let Inner::Range(range) = &self.0 else { return None };
        let len = i64::try_from(range.len()).ok()?;
        Some((range.start(), range.start().checked_add(len.checked_mul(range.step())?)?, range.step()))
    }

    /// The name; None for none, and for several levels.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        label::to_python(py, self.0.name())
    }

    /// The name of each level.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.0.names().iter().map(|name| label::to_python(py, name));
        PyList::new(py, names.collect::<PyResult<Vec<_>>>()?)
    }

    /// The type of the labels of each level.
    #[getter]
    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.dtypes().into_iter().map(DType))
    }

    /// The number of levels.
    #[getter]
    fn nlevels(&self) -> usize {
        self.0.level_count()
    }

    /// Whether no label comes twice.
    #[getter]
    fn is_unique(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, || self.0.is_unique())
    }

    /// Whether no label is less than the one before it.
    #[getter]
    fn is_monotonic_increasing(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, || self.0.is_monotonic_increasing())
    }

    /// Whether no label is greater than the one before it.
    #[getter]
    fn is_monotonic_decreasing(&self, py: Python<'_>) -> PyResult<bool> {
        work(py, || self.0.is_monotonic_decreasing())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        const SHOWN: usize = 10;
        let rows = self.0.len();
        let text = |start: usize, count: usize| -> PyResult<Vec<String>> {
            let part = work(py, || self.0.slice(start, count))?;
            rows_to_python(py, &part)?.iter().map(|label| Ok(label.repr()?.to_string())).collect()
        };
        let labels = if rows <= SHOWN {
            text(0, rows)?
        } else {
            let mut labels = text(0, SHOWN / 2)?;
            labels.push("…".to_owned());
            labels.extend(text(rows - SHOWN / 2, SHOWN / 2)?);
            labels
        };
        let dtypes: Vec<String> = self.0.dtypes().iter().map(ToString::to_string).collect();
        let names = self.names(py)?.repr()?.to_string();
        Ok(format!(
            "Index([{}], kind='{}', dtypes=[{}], names={names}, {rows} rows)",
            labels.join(", "),
            self.kind(),
            dtypes.join(", ")
        ))
    }

    /// A label by its position, or labels by a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            return Ok(Bound::new(py, self.sliced(slice)?)?.into_any());
        }
        let position = position_of(py, "getitem", key.extract::<isize>()?, self.0.len())?;
        let row = work(py, || self.0.slice(position, 1))?;
        Ok(rows_to_python(py, &row)?.swap_remove(0))
    }

    /// All labels; of several levels, tuples.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, rows_to_python(py, &self.0)?)
    }

    /// The levels as columns.
    fn to_frame(&self, py: Python<'_>) -> PyResult<DataFrame> {
        work(py, || self.0.to_frame()).map(DataFrame::from)
    }

    /// The labels as values; of several levels, structs.
    fn to_series(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.0.to_series()).map(Series::from)
    }

    /// The labels as an index of pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("index_to_pandas", (slf,))
    }

    /// The same labels under other names: one, or a list with one for each level.
    fn rename(&self, names: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, names) = (names.py(), labels_of("rename", names)?);
        work(py, || self.0.set_names(names)).map(Self)
    }

    /// One level as an index, by name or by number.
    fn get_level_values(&self, level: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, level) = (level.py(), label_of("get_level_values", level)?);
        work(py, || self.0.get_level_values(level)).map(Self)
    }

    /// The other levels.
    fn droplevel(&self, level: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, level) = (level.py(), label_of("droplevel", level)?);
        work(py, || self.0.droplevel(level)).map(Self)
    }

    /// Two levels in each other's place.
    fn swaplevel(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, a, b) = (a.py(), label_of("swaplevel", a)?, label_of("swaplevel", b)?);
        work(py, || self.0.swaplevel(a, b)).map(Self)
    }

    /// The labels of this index, then those of others.
    fn append(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = other.py();
        let others = match other.cast::<PyList>() {
            Ok(list) => list
                .iter()
                .map(|item| Ok(item.cast::<Self>()?.get().0.clone()))
                .collect::<PyResult<Vec<_>>>()?,
            Err(_) => vec![other.cast::<Self>()?.get().0.clone()],
        };
        work(py, || self.0.append(&others)).map(Self)
    }

    /// The labels in their order.
    #[pyo3(signature = (ascending = true, nulls_first = false))]
    fn sort_values(&self, py: Python<'_>, ascending: bool, nulls_first: bool) -> PyResult<Self> {
        work(py, || self.0.sort_values(order(ascending, nulls_first))).map(Self)
    }

    /// The positions of the labels in their order.
    #[pyo3(signature = (ascending = true, nulls_first = false))]
    fn argsort(&self, py: Python<'_>, ascending: bool, nulls_first: bool) -> PyResult<Series> {
        work(py, || self.0.argsort(order(ascending, nulls_first))).map(Series::from)
    }

    /// Whether both have the same labels, whatever their names are.
    fn equals(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        work(py, || self.0.equals(&other.0))
    }

    /// Whether both have the same labels, dtypes, kinds and names.
    fn identical(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        work(py, || self.0.identical(&other.0))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("columnade._convert")?.call_method1("reduce", (slf,))
    }

    fn __eq__(&self, py: Python<'_>, _other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Err(argument(py, ErrorKind::Type, "eq", "indexes are compared by equals() or identical()"))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.to_list(py)?.try_iter()?.into_any().unbind())
    }
}

#[pymethods]
impl DataFrame {
    /// The row labels.
    #[getter]
    fn index(&self) -> Index {
        Index(self.0.index().clone())
    }

    /// Columns as row labels. `append` keeps the labels that there are as first levels; `verify_integrity` makes labels that
    /// come twice an error.
    #[pyo3(signature = (labels, drop = true, append = false, verify_integrity = false))]
    fn set_index(
        &self,
        labels: &Bound<'_, PyAny>,
        drop: bool,
        append: bool,
        verify_integrity: bool,
    ) -> PyResult<Self> {
        let (py, labels) = (labels.py(), label_list_of("set_index", labels)?);
        let options = SetIndex::new().drop(drop).append(append).verify_integrity(verify_integrity);
        work(py, || self.0.set_index_with(labels, options)).map(Self)
    }

    /// The frame with other row labels, one for each row.
    fn with_index(&self, py: Python<'_>, index: &Index) -> PyResult<Self> {
        work(py, || self.0.with_index(&index.0)).map(Self)
    }

    /// Row labels as columns, all levels or some, and rows that are labelled 0, 1, …; with `drop` without the columns.
    #[pyo3(signature = (levels = None, drop = false))]
    fn reset_index(&self, py: Python<'_>, levels: Option<&Bound<'_, PyAny>>, drop: bool) -> PyResult<Self> {
        const OPERATION: &str = "reset_index";
        match (levels, drop) {
            (None, true) => Ok(Self(self.0.ignore_index())),
            (None, false) => work(py, || self.0.reset_index()).map(Self),
            (Some(levels), false) => {
                let levels = labels_of(OPERATION, levels)?;
                work(py, || self.0.reset_levels(levels)).map(Self)
            }
            (Some(levels), true) => {
                let levels = labels_of(OPERATION, levels)?;
                work(py, || {
                    let index = levels
                        .into_iter()
                        .try_fold(self.0.index().clone(), |index, level| index.droplevel(level))?;
                    self.0.with_index(&index)
                })
                .map(Self)
            }
        }
    }

    /// Other names of the levels of the row labels: one, or a list.
    fn rename_axis(&self, names: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, names) = (names.py(), labels_of("rename_axis", names)?);
        work(py, || self.0.rename_axis(names)).map(Self)
    }

    /// The rows in the order of their labels, of all levels or of some.
    #[pyo3(signature = (level = None, ascending = true, nulls_first = false))]
    fn sort_index(
        &self,
        py: Python<'_>,
        level: Option<&Bound<'_, PyAny>>,
        ascending: bool,
        nulls_first: bool,
    ) -> PyResult<Self> {
        let order = order(ascending, nulls_first);
        let Some(level) = level else { return work(py, || self.0.sort_index(order)).map(Self) };
        let levels = labels_of("sort_index", level)?;
        work(py, || self.0.sort_levels(levels, order)).map(Self)
    }

    /// Rows by their positions, in this order; negative ones count from the end.
    fn take(&self, positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = taken_rows("take", positions)?;
        work_as(positions.py(), "take", || self.0.iloc(rows)).map(Self)
    }
}

#[pymethods]
impl Series {
    /// The row labels.
    #[getter]
    fn index(&self) -> Index {
        Index(self.0.index().clone())
    }

    /// The series with other row labels, one for each row.
    fn with_index(&self, py: Python<'_>, index: &Index) -> PyResult<Self> {
        work(py, || self.0.with_index(&index.0)).map(Self::from)
    }

    /// The row labels and the values as columns of a frame; with `drop` the values alone, labelled 0, 1, ….
    #[pyo3(signature = (drop = false))]
    fn reset_index<'py>(&self, py: Python<'py>, drop: bool) -> PyResult<Bound<'py, PyAny>> {
        if drop {
            return Ok(Bound::new(py, Self::from(self.0.ignore_index()))?.into_any());
        }
        let frame: InnerFrame = work(py, || self.0.reset_index())?;
        Ok(Bound::new(py, DataFrame::from(frame))?.into_any())
    }

    /// Other names of the levels of the row labels: one, or a list.
    fn rename_axis(&self, names: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, names) = (names.py(), labels_of("rename_axis", names)?);
        work(py, || self.0.rename_axis(names)).map(Self::from)
    }

    /// The values in the order of their labels, of all levels or of some.
    #[pyo3(signature = (level = None, ascending = true, nulls_first = false))]
    fn sort_index(
        &self,
        py: Python<'_>,
        level: Option<&Bound<'_, PyAny>>,
        ascending: bool,
        nulls_first: bool,
    ) -> PyResult<Self> {
        let order = order(ascending, nulls_first);
        let Some(level) = level else { return work(py, || self.0.sort_index(order)).map(Self::from) };
        let levels = labels_of("sort_index", level)?;
        work(py, || self.0.sort_levels(levels, order)).map(Self::from)
    }

    /// Values by their positions, in this order; negative ones count from the end.
    fn take(&self, positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = taken_rows("take", positions)?;
        work_as(positions.py(), "take", || self.0.iloc(rows)).map(Self::from)
    }
}
