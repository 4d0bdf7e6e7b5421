//! Row labels as sets, and with labels added and taken away.

use columnade::Index as Inner;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::align::join_of;
use crate::frame::keep_of;
use crate::index::Index;
use crate::locate::key_of;
use crate::series::Series;
use crate::work::work;

/// The labels that an argument has: an index, a list, or one label.
pub(crate) fn index_of(labels: &Bound<'_, PyAny>) -> PyResult<Inner> {
    if let Ok(index) = labels.cast::<Index>() {
        return Ok(index.get().0.clone());
    }
    let py = labels.py();
    let is_one = labels.is_instance_of::<PyString>() || !labels.hasattr("__len__")?;
    let labels = if is_one { PyList::new(py, [labels])?.into_any() } else { labels.clone() };
    let index = py.get_type::<Index>().call1((labels,))?;
    Ok(index.cast::<Index>()?.get().0.clone())
}

#[pymethods]
impl Index {
    /// The labels of either, sorted; repeated as often as where they are more.
    fn union(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, other) = (other.py(), index_of(other)?);
        work(py, || self.0.union(&other)).map(Self)
    }

    /// The labels of both, each once.
    fn intersection(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, other) = (other.py(), index_of(other)?);
        work(py, || self.0.intersection(&other)).map(Self)
    }

    /// The labels that the other has not, each once.
    fn difference(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, other) = (other.py(), index_of(other)?);
        work(py, || self.0.difference(&other)).map(Self)
    }

    /// The labels that only one of both has, each once.
    fn symmetric_difference(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, other) = (other.py(), index_of(other)?);
        work(py, || self.0.symmetric_difference(&other)).map(Self)
    }

    /// Each label once, in the order of their first rows.
    fn unique(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.unique()).map(Self)
    }

    /// Whether a label is there before ("first"), after ("last") or elsewhere at all ("none").
    #[pyo3(signature = (keep = "first"))]
    fn duplicated(&self, py: Python<'_>, keep: &str) -> PyResult<Series> {
        let keep = keep_of(py, "duplicated", keep)?;
        work(py, || self.0.duplicated(keep)).map(Series::from)
    }

    /// The labels with one more at a position.
    fn insert(&self, position: usize, label: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = key_of("insert", label)?;
        work(label.py(), || self.0.insert(position, key)).map(Self)
    }

    /// The labels without those at one or several positions, which count from the end where they are negative.
    fn delete(&self, positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = match positions.extract::<i64>() {
            Ok(row) => vec![row],
            Err(_) => positions.extract::<Vec<i64>>()?,
        };
        work(positions.py(), || self.0.delete(rows)).map(Self)
    }

    /// The labels without some, each of which is there.
    fn drop(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, labels) = (labels.py(), index_of(labels)?);
        work(py, || self.0.drop(&labels)).map(Self)
    }

    /// The labels of a join ("left", "right", "inner" or "outer"), and for each its row in this and in the other index, -1
    /// where it is not there.
    #[pyo3(signature = (other, how = "left"))]
    fn join(&self, other: &Bound<'_, PyAny>, how: &str) -> PyResult<(Self, Series, Series)> {
        let (py, how) = (other.py(), join_of(other.py(), "join", how)?);
        let other = index_of(other)?;
        let (index, left, right) = work(py, || self.0.join(&other, how))?;
        Ok((Self(index), left.into(), right.into()))
    }
}
