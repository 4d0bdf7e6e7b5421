//! Frames of what Python has: dictionaries of columns, lists of rows, and objects of other libraries.

use columnade::column::ColumnAccessor;
use columnade::{Concat, DataFrame as Inner, ErrorKind, Index, Label, Series as InnerSeries, concat_with};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::frame::DataFrame;
use crate::label::label_of;
use crate::series::{Series, series_of};
use crate::work::{argument, column_exception, work, work_as};

const OPERATION: &str = "DataFrame";

/// A frame of columns, which have labels and values.
fn from_columns(
    py: Python<'_>,
    operation: &'static str,
    columns: Vec<(Label, InnerSeries)>,
) -> PyResult<Inner> {
    let exec = match columns.first() {
        Some((_, first)) => first.exec().clone(),
        None => work(py, columnade::default_exec)?,
    };
    let columns = columns.into_iter().map(|(label, series)| (label, series.into_values()));
    let columns =
        ColumnAccessor::from_columns(columns).map_err(|error| column_exception(py, operation, error))?;
    Ok(Inner::from_accessor(columns, &exec))
}

/// Columns under their labels.
type Columns = Vec<(Label, InnerSeries)>;

/// The columns of a dictionary, and the numbers of those that are series, here or in pandas.
fn columns_of(data: &Bound<'_, PyDict>) -> PyResult<(Columns, Vec<usize>)> {
    let py = data.py();
    let mut columns = Vec::with_capacity(data.len());
    let mut of_series = Vec::new();
    for (name, values) in data {
        let label = label_of(OPERATION, &name)?;
        let series = series_of(OPERATION, &values).inspect_err(|error| {
            let _ = error.value(py).setattr("column", &name);
        })?;
        if values.is_instance_of::<Series>() || values.hasattr("iloc")? {
            of_series.push(columns.len());
        }
        columns.push((label, series));
    }
    Ok((columns, of_series))
}

/// The columns of a dictionary in rows of these labels: series by their labels, other values by position.
pub(crate) fn of_dict_with_labels(data: &Bound<'_, PyDict>, index: &Index) -> PyResult<Inner> {
    let py = data.py();
    let (mut columns, of_series) = columns_of(data)?;
    for (at, (label, series)) in columns.iter_mut().enumerate() {
        if of_series.contains(&at) {
            *series = work_as(py, OPERATION, || series.reindex(index))?;
        } else if series.len() != index.len() {
            let reason =
                format!("column {label} has {} values, and there are {} labels", series.len(), index.len());
            return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
        }
    }
    if columns.is_empty() {
        let exec = work(py, columnade::default_exec)?;
        return Ok(Inner::from_accessor(ColumnAccessor::with_rows(index.len()), &exec));
    }
    from_columns(py, OPERATION, columns)
}

fn of_dict(data: &Bound<'_, PyDict>) -> PyResult<Inner> {
    let py = data.py();
    let (mut columns, of_series) = columns_of(data)?;
    if !of_series.iter().any(|column| has_labels(&columns[*column].1)) {
        return from_columns(py, OPERATION, columns);
    }
    let index = work_as(py, OPERATION, || align(&mut columns, &of_series))?;
    let frame = from_columns(py, OPERATION, columns)?;
    work(py, || frame.with_index(&index))
}

/// Whether the rows of a series have other labels than their positions.
fn has_labels(series: &InnerSeries) -> bool {
    !matches!(series.index(), Index::Range(range) if range.start() == 0 && range.step() == 1)
}

/// Brings the columns that are series to the labels of all of them, in order where they are not the same. Other columns go by
/// position.
fn align(columns: &mut [(Label, InnerSeries)], of_series: &[usize]) -> columnade::Result<Index> {
    let index = columns[of_series[0]].1.index().clone();
    let mut are_equal = true;
    for column in of_series {
        are_equal = are_equal && index.equals(columns[*column].1.index())?;
    }
    if are_equal {
        return Ok(index);
    }
    let frames: Vec<Inner> =
        of_series.iter().map(|column| columns[*column].1.rename(column.to_string()).to_frame()).collect();
    let whole = concat_with(&frames, &Concat::columns().sort(true))?;
    for column in of_series {
        columns[*column].1 = whole.column(column.to_string())?;
    }
    Ok(whole.index().clone())
}

/// The columns of rows as dictionaries; a name that a row lacks is null there.
fn of_rows(rows: &Bound<'_, PyList>) -> PyResult<Inner> {
    let py = rows.py();
    let columns = PyDict::new(py);
    for row in rows {
        for (name, _) in row.cast::<PyDict>()? {
            if !columns.contains(&name)? {
                let values = rows.iter().map(|row| row.cast::<PyDict>()?.get_item(&name));
                columns.set_item(&name, PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?)?;
            }
        }
    }
    of_dict(&columns)
}

/// A frame of what an argument is.
pub(crate) fn frame_of_data(data: &Bound<'_, PyAny>) -> PyResult<Inner> {
    if let Ok(frame) = data.cast::<DataFrame>() {
        return Ok(frame.get().0.clone());
    }
    if let Ok(series) = data.cast::<Series>() {
        return Ok(series.get().0.to_frame());
    }
    if let Ok(columns) = data.cast::<PyDict>() {
        return of_dict(columns);
    }
    if let Ok(rows) = data.cast::<PyList>()
        && rows.iter().all(|row| row.is_instance_of::<PyDict>())
    {
        return of_rows(rows);
    }
    let converted = data.py().import("columnade._convert")?.call_method1("frame", (data,))?;
    if let Ok(frame) = converted.cast::<DataFrame>() {
        return Ok(frame.get().0.clone());
    }
    let reason = format!(
        "a frame is made of a dictionary of columns, a list of rows or a frame of another library, not of {}",
        data.get_type().name()?
    );
    Err(argument(data.py(), ErrorKind::Type, OPERATION, &reason))
}
