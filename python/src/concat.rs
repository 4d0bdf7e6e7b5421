//! Frames one after the other, or side by side.

use columnade::{Concat, ErrorKind, Label, LabelJoin, concat_with};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict};

use crate::align::join_of;
use crate::construct::frame_of_data;
use crate::expr::label_list_of;
use crate::frame::DataFrame;
use crate::label::{label_of, labels_of};
use crate::series::{Series, frame_of, named, series_of};
use crate::work::{argument, work};

const OPERATION: &str = "concat";

/// Several frames one after the other or, with `axis=1`, side by side; series alone, one after the other, are a series.
///
/// frames: a list of frames and series, or a dictionary of them, whose keys are `keys`.
/// join: labels of the other axis that any has ("outer", null where one does not have them) or all have ("inner").
/// ignore_index: whether the labels along the axis are 0, 1, ….
/// keys: a label for each frame, as the first levels of its labels along the axis.
/// names: the names of the levels of keys.
/// sort: whether labels of the other axis that are not equal are sorted.
/// verify_integrity: whether row labels that come several times are an error.
#[pyfunction]
#[pyo3(signature = (
    frames, ignore_index = false, axis = 0, join = "outer", *, keys = None, names = None, sort = false,
    verify_integrity = false
))]
pub(crate) fn concat<'py>(
    frames: &Bound<'py, PyAny>,
    ignore_index: bool,
    axis: usize,
    join: &str,
    keys: Option<&Bound<'py, PyAny>>,
    names: Option<&Bound<'py, PyAny>>,
    sort: bool,
    verify_integrity: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = frames.py();
    let options = match axis {
        0 => Concat::rows(),
        1 => Concat::columns(),
        _ => {
            return Err(argument(py, ErrorKind::Value, OPERATION, "axis is 0 for rows or 1 for columns"));
        }
    };
    let mut options = match join_of(py, OPERATION, join)? {
        LabelJoin::Outer => options,
        LabelJoin::Inner => options.inner(),
        _ => return Err(argument(py, ErrorKind::Value, OPERATION, "join is outer or inner")),
    };
    options = options.ignore_index(ignore_index).sort(sort).verify_integrity(verify_integrity);
    let items = match frames.cast::<PyDict>() {
        Ok(named) => {
            let keys = named.keys().iter().map(|key| label_of(OPERATION, &key));
            options = options.keys(keys.collect::<PyResult<Vec<_>>>()?);
            named.values().iter().collect()
        }
        Err(_) => frames.try_iter()?.collect::<PyResult<Vec<_>>>()?,
    };
    if let Some(keys) = keys {
        options = options.keys(label_list_of(OPERATION, keys)?);
    }
    if let Some(names) = names {
        options = options.names(labels_of(OPERATION, names)?);
    }
    let all = items.iter().map(|item| Ok(item.cast::<Series>()?.get().0.clone()));
    if axis == 0
        && let Ok(all) = all.collect::<PyResult<Vec<_>>>()
        && let Some(first) = all.first()
    {
        let name = if all.iter().all(|series| series.name() == first.name()) {
            first.name().clone()
        } else {
            Label::NULL
        };
        let whole = work(py, || {
            let parts = all.iter().map(|series| frame_of(&series.rename("values")));
            named(OPERATION, concat_with(&parts.collect::<Result<Vec<_>, _>>()?, &options))?.column("values")
        })?;
        return Ok(Bound::new(py, Series::from(whole.rename(name)))?.into_any());
    }
    let mut unnamed = 0_i64;
    let frames = items.iter().map(|item| match item.cast::<Series>() {
        Ok(series) if *series.get().0.name() == Label::NULL => {
            let named = series.get().0.rename(unnamed);
            unnamed += 1;
            Ok(named.to_frame())
        }
        _ => frame_of_data(item),
    });
    let frames = frames.collect::<PyResult<Vec<_>>>()?;
    let whole = work(py, || named(OPERATION, concat_with(&frames, &options)))?;
    Ok(Bound::new(py, DataFrame(whole))?.into_any())
}

/// The rows of series of dictionaries, one after the other, as a dictionary of all categories: in order of first appearance, or
/// sorted.
#[pyfunction]
#[pyo3(signature = (series, sort_categories = false))]
pub(crate) fn union_categoricals(series: &Bound<'_, PyAny>, sort_categories: bool) -> PyResult<Series> {
    const OPERATION: &str = "union_categoricals";
    let py = series.py();
    if series.is_instance_of::<Series>() {
        return Err(argument(py, ErrorKind::Type, OPERATION, "series is a list of series, not one"));
    }
    let items = series
        .try_iter()
        .map_err(|_| argument(py, ErrorKind::Type, OPERATION, "series is a list of series"))?;
    let all = items.map(|item| series_of(OPERATION, &item?)).collect::<PyResult<Vec<_>>>()?;
    work(py, || columnade::union_categoricals(&all, sort_categories)).map(Series::from)
}
