//! Rows by their labels and positions.

use columnade::errors::ColumnError;
use columnade::expressions::{
    Every, IntoPositions, IntoSetValues, LabelRows, LabelSlice, LevelRows, Literal, PositionRows, RowKey,
    SetKind,
};
use columnade::{Column, DType, DataFrame as Inner, ErrorKind, Exec, Label, Scalar, Series as InnerSeries};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PySlice, PyString, PyTuple};

use crate::expr::{Expr, label_list_of};
use crate::frame::DataFrame;
use crate::index::Index;
use crate::index_sets::index_of;
use crate::index_values::method_of;
use crate::label::label_of;
use crate::series::{Series, check_condition, position_of, series_of};
use crate::values;
use crate::work::{argument, work, work_as};

/// The label of a row: a value, or a tuple with one for each level.
pub(crate) fn key_of(operation: &'static str, label: &Bound<'_, PyAny>) -> PyResult<RowKey> {
    let part = |part: &Bound<'_, PyAny>| {
        Ok::<Scalar, PyErr>(values::scalar_of(operation, part)?.unwrap_or(Scalar::Null(DType::Null)))
    };
    let parts = if values::is_interval(label)? { None } else { label.cast::<PyTuple>().ok() };
    let Some(parts) = parts else { return Ok(part(label)?.into()) };
    let mut parts = parts.iter().map(|value| part(&value)).collect::<PyResult<Vec<_>>>()?.into_iter();
    let levels = parts.len();
    let mut next = || parts.next().unwrap_or(Scalar::Null(DType::Null));
    match levels {
        1 => Ok(next().into()),
        2 => Ok((next(), next()).into()),
        3 => Ok((next(), next(), next()).into()),
        4 => Ok((next(), next(), next(), next()).into()),
        _ => {
            let reason = format!("labels of {levels} levels are not implemented, but those of 1 to 4");
            Err(argument(label.py(), ErrorKind::NotImplemented, operation, &reason))
        }
    }
}

fn slice_of(operation: &'static str, slice: &Bound<'_, PySlice>) -> PyResult<LabelSlice> {
    let end = |name| {
        let end = slice.getattr(name)?;
        if end.is_none() { Ok(None) } else { key_of(operation, &end).map(Some) }
    };
    Ok(match (end("start")?, end("stop")?) {
        (Some(start), Some(stop)) => (start..=stop).into(),
        (Some(start), None) => (start..).into(),
        (None, Some(stop)) => (..=stop).into(),
        (None, None) => (..).into(),
    })
}

/// The step of a slice, which is not 0.
fn step_of(operation: &'static str, slice: &Bound<'_, PySlice>) -> PyResult<i64> {
    match slice.getattr("step")?.extract::<Option<i64>>()? {
        None => Ok(1),
        Some(0) => Err(argument(slice.py(), ErrorKind::Value, operation, "the step of a slice is 0")),
        Some(step) => Ok(step),
    }
}

/// Positions from `start` to before `stop`, every `step`th; of a negative step from the last one on.
fn every(start: usize, stop: usize, step: i64) -> PositionRows {
    let (start, stop) = (i64::try_from(start).unwrap_or(i64::MAX), i64::try_from(stop).unwrap_or(i64::MAX));
    match (step > 0, start) {
        (true, _) => (start..stop).every(step),
        // Before the first position there is none: -1 is the last.
        (false, _) if stop <= start => (0..0_i64).every(1),
        (false, 0) => (stop - 1..).every(step),
        (false, _) => (stop - 1..start - 1).every(step),
    }
}

/// Booleans that are no series, of a list or of an array of another library: whether each row is taken, by position.
pub(crate) fn mask_of(operation: &'static str, rows: &Bound<'_, PyAny>) -> PyResult<Option<InnerSeries>> {
    let is_mask = if let Ok(rows) = rows.cast::<PyList>() {
        !rows.is_empty() && rows.iter().all(|row| row.is_instance_of::<PyBool>())
    } else {
        let has_kind = |dtype: Bound<'_, PyAny>| dtype.getattr("kind")?.eq("b");
        !rows.is_instance_of::<Series>()
            && rows.getattr("ndim").is_ok_and(|ndim| ndim.eq(1).unwrap_or(false))
            && rows.getattr("dtype").is_ok_and(|dtype| has_kind(dtype).unwrap_or(false))
    };
    if is_mask { series_of(operation, rows).map(Some) } else { Ok(None) }
}

/// Integers of numpy, which are positions without a loop over them; None for others.
fn integers_of(operation: &'static str, rows: &Bound<'_, PyAny>) -> PyResult<Option<InnerSeries>> {
    let has_kind = |dtype: Bound<'_, PyAny>| dtype.getattr("kind")?.extract::<String>();
    let is_array = !rows.is_instance_of::<Series>()
        && rows.getattr("ndim").is_ok_and(|ndim| ndim.eq(1).unwrap_or(false))
        && rows
            .getattr("dtype")
            .is_ok_and(|dtype| has_kind(dtype).is_ok_and(|kind| kind == "i" || kind == "u"));
    if is_array { series_of(operation, rows).map(Some) } else { Ok(None) }
}

/// The rows that `take` is given: a list or an array of positions, or a series of them.
pub(crate) fn taken_rows(operation: &'static str, rows: &Bound<'_, PyAny>) -> PyResult<PositionRows> {
    let series = match rows.cast::<Series>() {
        Ok(series) => Some(series.get().0.clone()),
        Err(_) => integers_of(operation, rows)?,
    };
    match series {
        Some(positions) => Ok((&positions).into_positions()),
        None => Ok(rows.extract::<Vec<i64>>()?.into()),
    }
}

/// The rows that a slice of labels with a step takes, or booleans without labels, by position; None for other rows.
fn positions_of(
    operation: &'static str,
    index: &columnade::Index,
    rows: &Bound<'_, PyAny>,
) -> PyResult<Option<PositionRows>> {
    let py = rows.py();
    let Ok(slice) = rows.cast::<PySlice>() else {
        let Some(mask) = mask_of(operation, rows)? else { return Ok(None) };
        check_condition(py, operation, &mask, index.len())?;
        return Ok(Some((&mask).into()));
    };
    let step = step_of(operation, slice)?;
    if step == 1 {
        return Ok(None);
    }
    let (start, stop) = (slice.getattr("start")?, slice.getattr("stop")?);
    let ends = if step > 0 { (start, stop) } else { (stop, start) };
    let labels = slice_of(operation, &py.get_type::<PySlice>().call1(ends)?.cast_into()?)?;
    let rows = work(py, || index.slice_locs(labels))?;
    Ok(Some(every(rows.start, rows.end, step)))
}

/// Rows by label: a label, a list, a slice with both of its ends and no step, a boolean series, an index or a condition.
fn rows_of_labels(operation: &'static str, rows: &Bound<'_, PyAny>) -> PyResult<LabelRows> {
    if let Ok(slice) = rows.cast::<PySlice>() {
        return slice_of(operation, slice).map(LabelRows::from);
    }
    if let Ok(labels) = rows.cast::<PyList>() {
        let keys = labels.iter().map(|label| key_of(operation, &label)).collect::<PyResult<Vec<_>>>()?;
        return Ok(keys.into());
    }
    if let Ok(mask) = rows.cast::<Series>() {
        return Ok((&mask.get().0).into());
    }
    if let Ok(index) = rows.cast::<Index>() {
        return Ok((&index.get().0).into());
    }
    if let Ok(condition) = rows.cast::<Expr>() {
        return Ok(condition.get().0.clone().into());
    }
    if let Ok(levels) = rows.cast::<PyTuple>()
        && levels.iter().any(|level| level.is_instance_of::<PySlice>() || level.is_instance_of::<PyList>())
    {
        return rows_of_levels(operation, levels);
    }
    key_of(operation, rows).map(LabelRows::from)
}

/// Some labels of each of the first levels: one, those of a list, or those of a slice with both of its ends.
fn rows_of_levels(operation: &'static str, levels: &Bound<'_, PyTuple>) -> PyResult<LabelRows> {
    let scalar = |label: &Bound<'_, PyAny>| {
        Ok::<Scalar, PyErr>(values::scalar_of(operation, label)?.unwrap_or(Scalar::Null(DType::Null)))
    };
    let rows_of = |level: Bound<'_, PyAny>| -> PyResult<LevelRows> {
        if let Ok(labels) = level.cast::<PyList>() {
            let labels = labels.iter().map(|label| scalar(&label)).collect::<PyResult<Vec<_>>>()?;
            return Ok(labels.into());
        }
        let Ok(slice) = level.cast::<PySlice>() else { return Ok(scalar(&level)?.into()) };
        if step_of(operation, slice)? != 1 {
            let reason = "a slice of a level has no step";
            return Err(argument(level.py(), ErrorKind::Value, operation, reason));
        }
        let end = |name| {
            let end = slice.getattr(name)?;
            if end.is_none() { Ok(None) } else { scalar(&end).map(Some) }
        };
        Ok(match (end("start")?, end("stop")?) {
            (Some(start), Some(stop)) => (start..=stop).into(),
            (Some(start), None) => (start..).into(),
            (None, Some(stop)) => (..=stop).into(),
            (None, None) => (..).into(),
        })
    };
    let mut parts = levels.iter().map(rows_of).collect::<PyResult<Vec<_>>>()?.into_iter();
    let count = parts.len();
    let mut next = || parts.next().unwrap_or_else(|| (..).into());
    match count {
        1 => Ok((next(),).into()),
        2 => Ok((next(), next()).into()),
        3 => Ok((next(), next(), next()).into()),
        4 => Ok((next(), next(), next(), next()).into()),
        _ => {
            let reason = format!("labels of {count} levels are not implemented, but those of 1 to 4");
            Err(argument(levels.py(), ErrorKind::NotImplemented, operation, &reason))
        }
    }
}

/// The rows of a slice of positions.
pub(crate) fn sliced_rows(operation: &'static str, slice: &Bound<'_, PySlice>) -> PyResult<PositionRows> {
    let part = |name| slice.getattr(name)?.extract::<Option<i64>>();
    let step = step_of(operation, slice)?;
    Ok(match (part("start")?, part("stop")?) {
        (Some(start), Some(stop)) => (start..stop).every(step),
        (Some(start), None) => (start..).every(step),
        (None, Some(stop)) => (..stop).every(step),
        (None, None) => (..).every(step),
    })
}

/// Rows by position: one, a list, a slice or a boolean series.
fn rows_of_positions(operation: &'static str, rows: &Bound<'_, PyAny>) -> PyResult<PositionRows> {
    if let Ok(slice) = rows.cast::<PySlice>() {
        return sliced_rows(operation, slice);
    }
    if let Ok(mask) = rows.cast::<Series>() {
        return Ok((&mask.get().0).into());
    }
    if let Some(mask) = mask_of(operation, rows)? {
        return Ok((&mask).into());
    }
    if let Some(positions) = integers_of(operation, rows)? {
        return Ok((&positions).into_positions());
    }
    match positions_in(operation, rows)? {
        Positions::One(position) => Ok(position.into()),
        Positions::Several(positions) => Ok(positions.into()),
    }
}

/// A position, or those of a list.
enum Positions {
    One(i64),
    Several(Vec<i64>),
}

fn positions_in(operation: &'static str, positions: &Bound<'_, PyAny>) -> PyResult<Positions> {
    if let Some(position) = integer_of(operation, positions)? {
        return Ok(Positions::One(position));
    }
    let refused = |of: &str, value: &Bound<'_, PyAny>| -> PyErr {
        let reason = value.get_type().name().map(|name| {
            format!("a position is an integer, and positions are a list, a slice or booleans, not {of}{name}")
        });
        reason.map_or_else(|error| error, |reason| argument(value.py(), ErrorKind::Type, operation, &reason))
    };
    // The characters of a text are no positions, and the keys of a dictionary neither.
    let is_list = !positions.is_instance_of::<PyString>() && !positions.is_instance_of::<PyDict>();
    let Some(items) = is_list.then(|| positions.try_iter().ok()).flatten() else {
        return Err(refused("", positions));
    };
    let position = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        integer_of(operation, &item)?.ok_or_else(|| refused("those with a ", &item))
    };
    Ok(Positions::Several(items.map(position).collect::<PyResult<_>>()?))
}

/// The integer that a value is; a boolean is none.
fn integer_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    let is_index = !value.is_instance_of::<PyBool>() && value.hasattr("__index__")?;
    if !is_index || value.getattr("ndim").is_ok_and(|ndim| ndim.gt(0).unwrap_or(false)) {
        return Ok(None);
    }
    match value.extract::<i64>() {
        Ok(position) => Ok(Some(position)),
        Err(_) if value.is_instance_of::<PyInt>() => {
            let reason = format!("position {value} is beyond 64 bits");
            Err(argument(value.py(), ErrorKind::Index, operation, &reason))
        }
        // A boolean of numpy.
        Err(_) => Ok(None),
    }
}

/// New values of rows, as Python gives them.
enum NewValues {
    Literal(Literal),
    Rows(Column),
    Aligned(InnerSeries),
}

impl IntoSetValues<()> for NewValues {
    fn into_set_values(self, exec: &Exec) -> Result<SetKind, ColumnError> {
        match self {
            Self::Literal(value) => Ok(SetKind::Literal(value)),
            Self::Rows(values) => values.to_device(exec).map(SetKind::Rows),
            Self::Aligned(series) => (&series).into_set_values(exec),
        }
    }
}

fn new_values_of(operation: &'static str, values: &Bound<'_, PyAny>) -> PyResult<NewValues> {
    if let Ok(series) = values.cast::<Series>() {
        return Ok(NewValues::Aligned(series.get().0.clone()));
    }
    if values.is_instance_of::<PyList>() {
        return Ok(NewValues::Rows(series_of(operation, values)?.into_values()));
    }
    values::literal_of(operation, values).map(NewValues::Literal)
}

/// Rows of a frame by their labels: `frame.loc[rows]`, `frame.loc[rows, columns]`. Of labels in several levels a tuple is a
/// label, unless its first part is a tuple, a list, a slice, a mask or an index.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Loc(Inner);

/// Rows of a frame by their positions: `frame.iloc[rows]`, `frame.iloc[rows, columns]`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Iloc(Inner);

/// One value of a frame by its labels: `frame.at[row, column]`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct At(Inner);

/// One value of a frame by its positions: `frame.iat[row, column]`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct Iat(Inner);

/// Rows of a series by their labels.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct SeriesLoc(InnerSeries);

/// Rows of a series by their positions.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct SeriesIloc(InnerSeries);

/// One value of a series by its label.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct SeriesAt(InnerSeries);

/// One value of a series by its position.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct SeriesIat(InnerSeries);

/// The two parts of `[rows, columns]`.
fn pair_of<'py>(
    operation: &'static str,
    key: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    match key.cast::<PyTuple>() {
        Ok(pair) if pair.len() == 2 => Ok((pair.get_item(0)?, pair.get_item(1)?)),
        _ => Err(argument(key.py(), ErrorKind::Type, operation, "a row and a column are given")),
    }
}

/// The columns that are at positions: one, a list or a slice.
fn labels_at(frame: &Inner, positions: &Bound<'_, PyAny>) -> PyResult<Vec<Label>> {
    let count = frame.columns().len();
    let chosen: Vec<isize> = if let Ok(slice) = positions.cast::<PySlice>() {
        let slice = slice.indices(isize::try_from(count).unwrap_or(isize::MAX))?;
        (0..slice.slicelength)
            .map(|at| slice.start + isize::try_from(at).unwrap_or(isize::MAX) * slice.step)
            .collect()
    } else {
        let found = match positions_in("iloc", positions)? {
            Positions::One(position) => vec![position],
            Positions::Several(positions) => positions,
        };
        found.into_iter().map(|position| isize::try_from(position).unwrap_or(isize::MAX)).collect()
    };
    chosen
        .into_iter()
        .map(|position| {
            let from_start = if position < 0 {
                count.checked_add_signed(position)
            } else {
                usize::try_from(position).ok()
            };
            from_start.and_then(|at| frame.columns().get(at).cloned()).ok_or_else(|| {
                let reason = format!("position {position} is out of bounds for {count} columns");
                argument(positions.py(), ErrorKind::Index, "iloc", &reason)
            })
        })
        .collect()
}

/// The columns from a label to another, both included, every `step`th: those of `loc[:, "a":"c"]`.
fn labels_between(frame: &Inner, slice: &Bound<'_, PySlice>) -> PyResult<Vec<Label>> {
    const OPERATION: &str = "loc";
    let py = slice.py();
    let labels = frame.columns();
    let position = |name| -> PyResult<Option<usize>> {
        let end = slice.getattr(name)?;
        if end.is_none() {
            return Ok(None);
        }
        let label = label_of(OPERATION, &end)?;
        match labels.iter().position(|other| *other == label) {
            Some(position) => Ok(Some(position)),
            // The error names the columns that there are.
            None => work(py, || frame.column(label)).map(|_| None),
        }
    };
    let step = step_of(OPERATION, slice)?;
    let (start, stop) = (position("start")?, position("stop")?);
    let (first, last) = if step > 0 { (start, stop) } else { (stop, start) };
    let chosen = labels.get(first.unwrap_or(0)..last.map_or(labels.len(), |last| last + 1)).unwrap_or(&[]);
    let every = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
    Ok(if step > 0 {
        chosen.iter().step_by(every).cloned().collect()
    } else {
        chosen.iter().rev().step_by(every).cloned().collect()
    })
}

#[pymethods]
impl Loc {
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<DataFrame> {
        const OPERATION: &str = "loc";
        let (py, frame) = (key.py(), &self.0);
        let with_columns = key.cast::<PyTuple>().ok().filter(|key| {
            let is_label = |part: &Bound<'_, PyAny>| {
                !(part.is_instance_of::<PyTuple>()
                    || part.is_instance_of::<PyList>()
                    || part.is_instance_of::<PySlice>()
                    || part.is_instance_of::<Series>()
                    || part.is_instance_of::<Index>()
                    || part.is_instance_of::<Expr>())
            };
            key.len() == 2
                && (frame.index().level_count() == 1 || key.get_item(0).is_ok_and(|rows| !is_label(&rows)))
        });
        let (rows, columns) = match with_columns {
            Some(pair) => (pair.get_item(0)?, Some(pair.get_item(1)?)),
            None => (key.clone(), None),
        };
        let columns = match &columns {
            None => None,
            Some(columns) => match columns.cast::<PySlice>() {
                Ok(all) if all.eq(PySlice::full(py))? => None,
                Ok(slice) => Some(labels_between(frame, slice)?),
                Err(_) => Some(label_list_of(OPERATION, columns)?),
            },
        };
        if let Some(rows) = positions_of(OPERATION, frame.index(), &rows)? {
            return work_as(py, OPERATION, || match columns {
                Some(columns) => frame.select(columns)?.iloc(rows),
                None => frame.iloc(rows),
            })
            .map(DataFrame);
        }
        let rows = rows_of_labels(OPERATION, &rows)?;
        work_as(py, OPERATION, || match columns {
            Some(columns) => frame.loc_at(rows, columns),
            None => frame.loc(rows),
        })
        .map(DataFrame)
    }
}

#[pymethods]
impl Iloc {
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<DataFrame> {
        let (py, frame) = (key.py(), &self.0);
        if key.is_instance_of::<PyTuple>() {
            let (rows, columns) = pair_of("iloc", key)?;
            let (rows, columns) = (rows_of_positions("iloc", &rows)?, labels_at(frame, &columns)?);
            return work(py, || frame.select(columns)?.iloc(rows)).map(DataFrame);
        }
        let rows = rows_of_positions("iloc", key)?;
        work(py, || frame.iloc(rows)).map(DataFrame)
    }
}

#[pymethods]
impl At {
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, (row, column)) = (key.py(), pair_of("at", key)?);
        let (row, column) = (key_of("at", &row)?, label_of("at", &column)?);
        values::to_python(py, &work(py, || self.0.at(row, column))?)
    }
}

#[pymethods]
impl Iat {
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, (row, column)) = (key.py(), pair_of("iat", key)?);
        let position = |name: &str, value: &Bound<'_, PyAny>| {
            integer_of("iat", value)?.ok_or_else(|| {
                let reason = format!("the position of a {name} is an integer, not {value:?}");
                argument(py, ErrorKind::Type, "iat", &reason)
            })
        };
        let (row, column) = (position("row", &row)?, position("column", &column)?);
        values::to_python(py, &work(py, || self.0.iat(row, column))?)
    }
}

#[pymethods]
impl SeriesLoc {
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Series> {
        if let Some(rows) = positions_of("loc", self.0.index(), key)? {
            return work_as(key.py(), "loc", || self.0.iloc(rows)).map(Series::from);
        }
        let rows = rows_of_labels("loc", key)?;
        work(key.py(), || self.0.loc(rows)).map(Series::from)
    }
}

#[pymethods]
impl SeriesIloc {
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Series> {
        let rows = rows_of_positions("iloc", key)?;
        work(key.py(), || self.0.iloc(rows)).map(Series::from)
    }
}

#[pymethods]
impl SeriesAt {
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, row) = (key.py(), key_of("at", key)?);
        values::to_python(py, &work(py, || self.0.at(row))?)
    }
}

#[pymethods]
impl SeriesIat {
    fn __getitem__<'py>(&self, py: Python<'py>, position: isize) -> PyResult<Bound<'py, PyAny>> {
        let position = position_of(py, "iat", position, self.0.len())?;
        values::to_python(py, &work(py, || self.0.get(position))?)
    }
}

#[pymethods]
impl DataFrame {
    /// Rows by their labels: `loc[rows]` or `loc[rows, columns]`. rows: a label, a list of labels, a slice with both of its
    /// ends, a boolean series, an index or a condition. columns: a label, a list of labels or a slice with both of its ends.
    #[getter]
    fn loc(&self) -> Loc {
        Loc(self.0.clone())
    }

    /// Rows by their positions: `iloc[rows]` or `iloc[rows, columns]`. rows: a position, a list, a slice or a boolean series.
    #[getter]
    fn iloc(&self) -> Iloc {
        Iloc(self.0.clone())
    }

    /// One value by its labels: `at[row, column]`.
    #[getter]
    fn at(&self) -> At {
        At(self.0.clone())
    }

    /// One value by its positions: `iat[row, column]`.
    #[getter]
    fn iat(&self) -> Iat {
        Iat(self.0.clone())
    }

    /// The frame with other values of a column in the rows that labels select: one value, a list in the order of the rows, or
    /// a series, whose values go to the rows of their labels.
    fn set_loc(
        &self,
        rows: &Bound<'_, PyAny>,
        column: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "set_loc";
        let py = rows.py();
        if let Some(rows) = positions_of(OPERATION, self.0.index(), rows)? {
            let (column, values) = (label_of(OPERATION, column)?, new_values_of(OPERATION, values)?);
            return work_as(py, OPERATION, || self.0.set_iloc(rows, column, values)).map(Self);
        }
        let rows = rows_of_labels(OPERATION, rows)?;
        let (column, values) = (label_of(OPERATION, column)?, new_values_of(OPERATION, values)?);
        work(py, || self.0.set_loc(rows, column, values)).map(Self)
    }

    /// The frame with other values of a column in the rows at positions; values as those of `set_loc`.
    fn set_iloc(
        &self,
        rows: &Bound<'_, PyAny>,
        column: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "set_iloc";
        let (py, rows) = (rows.py(), rows_of_positions(OPERATION, rows)?);
        let (column, values) = (label_of(OPERATION, column)?, new_values_of(OPERATION, values)?);
        work(py, || self.0.set_iloc(rows, column, values)).map(Self)
    }
}

#[pymethods]
impl Series {
    /// Rows by their labels: a label, a list of labels, a slice with both of its ends, a boolean series or an index.
    #[getter]
    fn loc(&self) -> SeriesLoc {
        SeriesLoc(self.0.clone())
    }

    /// Rows by their positions: a position, a list, a slice or a boolean series.
    #[getter]
    fn iloc(&self) -> SeriesIloc {
        SeriesIloc(self.0.clone())
    }

    /// The series with other values in the rows that labels select: one value, a list, or a series by its labels.
    fn set_loc(&self, rows: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "set_loc";
        let py = rows.py();
        if let Some(rows) = positions_of(OPERATION, self.0.index(), rows)? {
            let values = new_values_of(OPERATION, values)?;
            return work_as(py, OPERATION, || self.0.set_iloc(rows, values)).map(Self::from);
        }
        let (rows, values) = (rows_of_labels(OPERATION, rows)?, new_values_of(OPERATION, values)?);
        work(py, || self.0.set_loc(rows, values)).map(Self::from)
    }

    /// The series with other values in the rows at positions; values as those of `set_loc`.
    fn set_iloc(&self, rows: &Bound<'_, PyAny>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        const OPERATION: &str = "set_iloc";
        let (py, rows) = (rows.py(), rows_of_positions(OPERATION, rows)?);
        let values = new_values_of(OPERATION, values)?;
        work(py, || self.0.set_iloc(rows, values)).map(Self::from)
    }

    /// One value by its label.
    #[getter]
    fn at(&self) -> SeriesAt {
        SeriesAt(self.0.clone())
    }

    /// One value by its position; a negative one counts from the end.
    #[getter]
    fn iat(&self) -> SeriesIat {
        SeriesIat(self.0.clone())
    }
}

#[pymethods]
impl Index {
    fn __contains__(&self, label: &Bound<'_, PyAny>) -> PyResult<bool> {
        let key = key_of("contains", label)?;
        work(label.py(), || self.0.contains(key))
    }

    /// The position of a label that comes once.
    fn get_loc(&self, label: &Bound<'_, PyAny>) -> PyResult<usize> {
        let key = key_of("get_loc", label)?;
        work(label.py(), || self.0.get_loc(key))
    }

    /// The positions of a label, or of all labels that begin with it.
    fn get_locs(&self, label: &Bound<'_, PyAny>) -> PyResult<Series> {
        let key = key_of("get_locs", label)?;
        work(label.py(), || self.0.get_locs(key)).map(Series::from)
    }

    /// For each label of another index its position here, -1 where there is none. The labels of this index come once.
    /// With a `method`, of sorted labels, the one before ("pad"), after ("backfill") or "nearest" for one that is not there.
    #[pyo3(signature = (target, method = None))]
    fn get_indexer(&self, target: &Bound<'_, PyAny>, method: Option<&str>) -> PyResult<Series> {
        const OPERATION: &str = "get_indexer";
        let (py, target) = (target.py(), index_of(target)?);
        let method = method.map(|method| method_of(py, OPERATION, method)).transpose()?;
        work_as(py, OPERATION, || match method {
            Some(method) => self.0.get_indexer_with(&target, method),
            None => self.0.get_indexer(&target),
        })
        .map(Series::from)
    }

    /// Whether each label is one of another index.
    fn is_in(&self, py: Python<'_>, values: &Self) -> PyResult<Series> {
        work(py, || self.0.is_in(&values.0)).map(Series::from)
    }

    /// The first position of the labels from `start` to `end`, both included, and the one after the last.
    #[pyo3(signature = (start = None, end = None))]
    fn slice_locs(
        &self,
        py: Python<'_>,
        start: Option<&Bound<'_, PyAny>>,
        end: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(usize, usize)> {
        const OPERATION: &str = "slice_locs";
        let start = start.map(|label| key_of(OPERATION, label)).transpose()?;
        let end = end.map(|label| key_of(OPERATION, label)).transpose()?;
        let slice: LabelSlice = match (start, end) {
            (Some(start), Some(end)) => (start..=end).into(),
            (Some(start), None) => (start..).into(),
            (None, Some(end)) => (..=end).into(),
            (None, None) => (..).into(),
        };
        let rows = work(py, || self.0.slice_locs(slice))?;
        Ok((rows.start, rows.end))
    }
}
