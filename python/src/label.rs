//! Labels of columns as Python values: strings, numbers, None, dates, and tuples of these for several levels.

use columnade::labels::{LabelPart, LabelPartRef};
use columnade::{ErrorKind, Label, Scalar};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::values;
use crate::work::{argument, column_exception};

/// The label that an argument of `operation` is.
pub(crate) fn label_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Label> {
    if let Ok(parts) = value.cast::<PyTuple>() {
        let parts = parts.iter().map(|part| part_of(operation, &part)).collect::<PyResult<Vec<_>>>()?;
        return Label::from_parts(parts).map_err(|error| column_exception(value.py(), operation, error));
    }
    part_of(operation, value).map(Label::from)
}

fn part_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<LabelPart> {
    Ok(match values::scalar_of(operation, value)? {
        None => LabelPart::Null,
        Some(Scalar::Bool(value)) => LabelPart::Bool(value),
        Some(Scalar::Int64(value)) => LabelPart::Int(value),
        Some(Scalar::UInt64(value)) => LabelPart::UInt(value),
        Some(Scalar::Float64(value)) => LabelPart::Float(value),
        Some(Scalar::Utf8(value)) => LabelPart::from(value),
        Some(Scalar::Date32(value)) => LabelPart::Date(value),
        Some(Scalar::Timestamp(value, unit)) => LabelPart::Timestamp(value, unit),
        Some(Scalar::Duration(value, unit)) => LabelPart::Duration(value, unit),
        Some(Scalar::Time(value, unit)) => LabelPart::Time(value, unit),
        Some(other) => {
            let reason = format!("a value of {} is no label", other.dtype());
            return Err(argument(value.py(), ErrorKind::Type, operation, &reason));
        }
    })
}

/// One label, or those of a list.
pub(crate) fn labels_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Label>> {
    match value.cast::<PyList>() {
        Ok(labels) => labels.iter().map(|label| label_of(operation, &label)).collect(),
        Err(_) => Ok(vec![label_of(operation, value)?]),
    }
}

/// A label as Python has it.
pub(crate) fn to_python<'py>(py: Python<'py>, label: &Label) -> PyResult<Bound<'py, PyAny>> {
    let part = |part: &LabelPart| match part.as_part() {
        LabelPartRef::Null => Ok(py.None().into_bound(py)),
        LabelPartRef::Bool(value) => values::to_python(py, &Scalar::Bool(value)),
        LabelPartRef::Int(value) => values::to_python(py, &Scalar::Int64(value)),
        LabelPartRef::UInt(value) => values::to_python(py, &Scalar::UInt64(value)),
        LabelPartRef::Float(value) => values::to_python(py, &Scalar::Float64(value)),
        LabelPartRef::String(value) => Ok(value.into_pyobject(py)?.into_any()),
        LabelPartRef::Date(value) => values::to_python(py, &Scalar::Date32(value)),
        LabelPartRef::Timestamp(value, unit) => values::to_python(py, &Scalar::Timestamp(value, unit)),
        LabelPartRef::Duration(value, unit) => values::to_python(py, &Scalar::Duration(value, unit)),
        LabelPartRef::Time(value, unit) => values::to_python(py, &Scalar::Time(value, unit)),
    };
    match label.parts() {
        [one] => part(one),
        several => {
            let parts = several.iter().map(part).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, parts)?.into_any())
        }
    }
}
