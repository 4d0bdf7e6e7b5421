//! Frames and series put together by their labels.

use columnade::expressions::{FrameMask, FrameOperand, Literal, SeriesOperand};
use columnade::labels::LevelKey;
use columnade::{
    DataFrame as InnerFrame, Error, ErrorKind, Index as InnerIndex, LabelJoin, Reindex, Unstack,
};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};

use crate::expr::label_list_of;
use crate::frame::DataFrame;
use crate::index::Index;
use crate::index_values::method_of;
use crate::label::label_of;
use crate::series::{Series, named, series_of};
use crate::values::literal_of;
use crate::work::{argument, work};

/// Which labels a result has.
pub(crate) fn join_of(py: Python<'_>, operation: &str, name: &str) -> PyResult<LabelJoin> {
    Ok(match name {
        "outer" => LabelJoin::Outer,
        "inner" => LabelJoin::Inner,
        "left" => LabelJoin::Left,
        "right" => LabelJoin::Right,
        _ => {
            let reason = "join is outer, inner, left or right";
            return Err(argument(py, ErrorKind::Value, operation, reason));
        }
    })
}

fn reindex_of(
    py: Python<'_>,
    method: Option<&str>,
    limit: Option<usize>,
    fill_value: Option<&Bound<'_, PyAny>>,
) -> PyResult<Reindex> {
    const OPERATION: &str = "reindex";
    let mut options = Reindex::new();
    if let Some(method) = method {
        options = options.method(method_of(py, OPERATION, method)?);
    }
    if let Some(limit) = limit {
        options = options.limit(limit);
    }
    if let Some(value) = fill_value {
        options = options.fill_value(literal_of(OPERATION, value)?);
    }
    Ok(options)
}

/// One level, or those of a list: an integer is the number of a level, from the end if negative, anything else its name.
fn levels_of(operation: &'static str, level: &Bound<'_, PyAny>) -> PyResult<Vec<LevelKey>> {
    let one = |level: &Bound<'_, PyAny>| match level.extract::<isize>() {
        Ok(position) if level.is_instance_of::<PyInt>() => Ok(LevelKey::Position(position)),
        _ => label_of(operation, level).map(LevelKey::from),
    };
    match level.cast::<PyList>() {
        Ok(levels) => levels.iter().map(|level| one(&level)).collect(),
        Err(_) => Ok(vec![one(level)?]),
    }
}

fn unstack_of(level: Option<&Bound<'_, PyAny>>, fill_value: Option<&Bound<'_, PyAny>>) -> PyResult<Unstack> {
    const OPERATION: &str = "unstack";
    let mut options = Unstack::new();
    if let Some(level) = level {
        options = options.levels(levels_of(OPERATION, level)?);
    }
    if let Some(value) = fill_value {
        options = options.fill_value(literal_of(OPERATION, value)?);
    }
    Ok(options)
}

/// Row labels that an argument asks for.
enum Rows {
    Index(InnerIndex),
    /// Labels of one level, which get the name of the labels that are there.
    Values(columnade::Series),
}

impl Rows {
    fn of(labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(index) = labels.cast::<Index>() {
            return Ok(Self::Index(index.get().0.clone()));
        }
        let is_list_of_tuples = labels
            .cast::<PyList>()
            .is_ok_and(|list| list.iter().next().is_some_and(|first| first.is_instance_of::<PyTuple>()));
        if is_list_of_tuples {
            let index = labels.py().get_type::<Index>().call1((labels,))?;
            return Ok(Self::Index(index.cast::<Index>()?.get().0.clone()));
        }
        series_of("reindex", labels).map(Self::Values)
    }
}

#[pymethods]
impl Series {
    /// This series and another with the same labels: those of either ("outer", sorted), of both ("inner"), of this one
    /// ("left") or of the other ("right"). Labels that one does not have are null.
    #[pyo3(signature = (other, join = "outer"))]
    fn align(&self, py: Python<'_>, other: &Self, join: &str) -> PyResult<(Self, Self)> {
        let join = join_of(py, "align", join)?;
        let (left, right) = work(py, || self.0.align(&other.0, join))?;
        Ok((left.into(), right.into()))
    }

    /// The values of these labels, in their order; null, `fill_value`, or by `method` the value of another label, for
    /// labels that are not there.
    #[pyo3(signature = (index, method = None, limit = None, fill_value = None))]
    fn reindex(
        &self,
        index: &Bound<'_, PyAny>,
        method: Option<&str>,
        limit: Option<usize>,
        fill_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (py, rows) = (index.py(), Rows::of(index)?);
        let options = reindex_of(py, method, limit, fill_value)?;
        let made = work(py, || match &rows {
            Rows::Index(index) => self.0.reindex_with(index, options),
            Rows::Values(values) => self.0.reindex_with(values, options),
        });
        made.map(Self::from)
    }

    /// The values of the labels of another series.
    fn reindex_like(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        work(py, || self.0.reindex_like(&other.0)).map(Self::from)
    }

    /// The values, and those of another series where they are null or not there.
    fn combine_first(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        work(py, || self.0.combine_first(&other.0)).map(Self::from)
    }

    /// The values where `cond` is true, otherwise those of `other`: a series, by label, or one value.
    #[pyo3(name = "where", signature = (cond, other = None))]
    fn where_(&self, py: Python<'_>, cond: &Self, other: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let other = Other::of(py, "where", other)?;
        let other = other.of_series(py, "where")?;
        work(py, || named("where", self.0.where_(&cond.0, other))).map(Self::from)
    }

    /// The values where `cond` is false, otherwise those of `other`: a series, by label, or one value.
    #[pyo3(signature = (cond, other = None))]
    fn mask(&self, py: Python<'_>, cond: &Self, other: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let other = Other::of(py, "mask", other)?;
        let other = other.of_series(py, "mask")?;
        work(py, || self.0.mask(&cond.0, other)).map(Self::from)
    }

    /// Levels of the row labels, by default the last one, as columns; `fill_value` where there is no row.
    #[pyo3(signature = (level = None, fill_value = None))]
    fn unstack(
        &self,
        py: Python<'_>,
        level: Option<&Bound<'_, PyAny>>,
        fill_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<DataFrame> {
        let options = unstack_of(level, fill_value)?;
        work(py, || named("unstack", self.0.unstack_with(&options))).map(DataFrame)
    }
}

/// What stands in rows that a condition does not choose.
enum Other {
    Frame(InnerFrame),
    Series(columnade::Series),
    Value(Literal),
}

impl Other {
    fn of(py: Python<'_>, operation: &'static str, other: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(other) = other else {
            return literal_of(operation, py.None().bind(py)).map(Self::Value);
        };
        if let Ok(frame) = other.cast::<DataFrame>() {
            return Ok(Self::Frame(frame.get().0.clone()));
        }
        if let Ok(series) = other.cast::<Series>() {
            return Ok(Self::Series(series.get().0.clone()));
        }
        literal_of(operation, other).map(Self::Value)
    }

    fn of_series(&self, py: Python<'_>, operation: &str) -> PyResult<SeriesOperand<'_>> {
        match self {
            Self::Series(series) => Ok(SeriesOperand::Series(series)),
            Self::Value(value) => Ok(SeriesOperand::Literal(value.clone())),
            Self::Frame(_) => {
                let reason = "other is a series or one value, not a frame";
                Err(argument(py, ErrorKind::Type, operation, reason))
            }
        }
    }

    fn of_frame(&self) -> FrameOperand<'_> {
        match self {
            Self::Frame(frame) => FrameOperand::Frame(frame),
            Self::Series(series) => FrameOperand::Columns(series),
            Self::Value(value) => FrameOperand::Literal(value.clone()),
        }
    }
}

/// The result of an operator of frames: a series goes by the labels of columns.
pub(crate) fn combined(
    operation: &'static str,
    other: &Bound<'_, PyAny>,
    make: impl FnOnce(FrameOperand<'_>) -> Result<InnerFrame, Error> + Send,
) -> PyResult<DataFrame> {
    let py = other.py();
    let other = Other::of(py, operation, Some(other))?;
    work(py, || make(other.of_frame())).map(DataFrame)
}

/// A condition for the values of a frame: a frame, or a series for whole rows.
fn mask_of<'a>(operation: &str, cond: &'a Bound<'_, PyAny>) -> PyResult<FrameMask<'a>> {
    if let Ok(frame) = cond.cast::<DataFrame>() {
        return Ok(FrameMask::Frame(&frame.get().0));
    }
    if let Ok(series) = cond.cast::<Series>() {
        return Ok(FrameMask::Rows(&series.get().0));
    }
    Err(argument(cond.py(), ErrorKind::Type, operation, "cond is a frame or a series of booleans"))
}

#[pymethods]
impl DataFrame {
    /// This frame and another with the same labels: those of either ("outer", sorted), of both ("inner"), of this one
    /// ("left") or of the other ("right"). With `axis=0` the labels of rows alone.
    #[pyo3(signature = (other, join = "outer", axis = None))]
    fn align(&self, py: Python<'_>, other: &Self, join: &str, axis: Option<usize>) -> PyResult<(Self, Self)> {
        const OPERATION: &str = "align";
        let join = join_of(py, OPERATION, join)?;
        let (left, right) = match axis {
            None => work(py, || self.0.align(&other.0, join))?,
            Some(0) => work(py, || self.0.align_rows(&other.0, join))?,
            Some(_) => {
                let reason = "axis is None for rows and columns, or 0 for rows";
                return Err(argument(py, ErrorKind::Value, OPERATION, reason));
            }
        };
        Ok((Self(left), Self(right)))
    }

    /// The rows and the columns of these labels, in their order; null, `fill_value`, or by `method` the row of another
    /// label, for rows that are not there. Columns that are not there are null.
    #[pyo3(signature = (index = None, columns = None, method = None, limit = None, fill_value = None))]
    fn reindex(
        &self,
        py: Python<'_>,
        index: Option<&Bound<'_, PyAny>>,
        columns: Option<&Bound<'_, PyAny>>,
        method: Option<&str>,
        limit: Option<usize>,
        fill_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let columns = columns.map(|columns| label_list_of("reindex", columns)).transpose()?;
        let rows = index.map(Rows::of).transpose()?;
        let options = reindex_of(py, method, limit, fill_value)?;
        work(py, || {
            let rows = match &rows {
                None => self.0.clone(),
                Some(Rows::Index(index)) => self.0.reindex_with(index, options)?,
                Some(Rows::Values(values)) => self.0.reindex_with(values, options)?,
            };
            columns.map_or(Ok(rows.clone()), |columns| rows.reindex_columns(columns))
        })
        .map(Self)
    }

    /// The rows and the columns of the labels of another frame.
    fn reindex_like(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        work(py, || self.0.reindex_like(&other.0)).map(Self)
    }

    /// The values, and those of another frame where they are null or not there.
    fn combine_first(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        work(py, || self.0.combine_first(&other.0)).map(Self)
    }

    /// The values where `cond` is true, otherwise those of `other`: a frame by label, a series by the labels of columns, or
    /// one value. A series `cond` is for whole rows.
    #[pyo3(name = "where", signature = (cond, other = None))]
    fn where_(&self, cond: &Bound<'_, PyAny>, other: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (py, mask) = (cond.py(), mask_of("where", cond)?);
        let other = Other::of(py, "where", other)?;
        work(py, || named("where", self.0.where_(mask, other.of_frame()))).map(Self)
    }

    /// The values where `cond` is false, otherwise those of `other`, as `where` takes them.
    #[pyo3(signature = (cond, other = None))]
    fn mask(&self, cond: &Bound<'_, PyAny>, other: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (py, mask) = (cond.py(), mask_of("mask", cond)?);
        let other = Other::of(py, "mask", other)?;
        work(py, || self.0.mask(mask, other.of_frame())).map(Self)
    }

    /// Levels of the labels of columns, by name or number, as the last levels of the row labels. Without `level` all of them,
    /// which makes one series.
    #[pyo3(signature = (level = None))]
    fn stack<'py>(&self, py: Python<'py>, level: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let Some(level) = level else {
            let all = work(py, || self.0.stack())?;
            return Ok(Bound::new(py, Series::from(all))?.into_any());
        };
        let levels = levels_of("stack", level)?;
        let stacked = work(py, || named("stack", self.0.stack_levels(levels)))?;
        Ok(Bound::new(py, Self(stacked))?.into_any())
    }

    /// Levels of the row labels, by default the last one, as the last levels of the labels of columns; `fill_value` where
    /// there is no row.
    #[pyo3(signature = (level = None, fill_value = None))]
    fn unstack(
        &self,
        py: Python<'_>,
        level: Option<&Bound<'_, PyAny>>,
        fill_value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = unstack_of(level, fill_value)?;
        work(py, || named("unstack", self.0.unstack_with(&options))).map(Self)
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("add", other, |other| self.0.add(other))
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("add", other, |other| self.0.add(other))
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("sub", other, |other| self.0.sub(other))
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("mul", other, |other| self.0.mul(other))
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("mul", other, |other| self.0.mul(other))
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("div", other, |other| self.0.div(other))
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("floor_div", other, |other| self.0.floor_div(other))
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("rem", other, |other| self.0.rem(other))
    }
}
