//! Dtypes of columns.

use std::hash::{DefaultHasher, Hash, Hasher};

use columnade::{DType as Inner, ErrorKind, TimeUnit};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::work::{argument, exception};

/// The type of a column's values. It equals every name of itself: `series.dtype == "int64"`.
#[pyclass(frozen, module = "columnade")]
#[derive(Clone)]
pub(crate) struct DType(pub(crate) Inner);

#[pymethods]
impl DType {
    /// The dtype that a name says: "int64", "timestamp[us, Europe/Berlin]", "list<utf8>", a Python type, or a dtype of
    /// numpy, pandas or pyarrow.
    #[new]
    fn new(dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        dtype_of("DType", dtype).map(Self)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("DType({:?})", self.0.to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        dtype_of("DType", other).is_ok_and(|other| self.0.same_values(&other))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Widths in memory are no part of the meaning, and of equality.
        std::mem::discriminant(&self.0).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        Ok((py.get_type::<Self>(), (self.0.to_string(),)))
    }

    /// The dtype of the items of a list, or of the values of a dictionary; else None.
    #[getter]
    fn value_type(&self) -> Option<Self> {
        match &self.0 {
            Inner::List(items) => Some(Self((**items).clone())),
            Inner::Dictionary(dictionary) => Some(Self(dictionary.values.clone())),
            _ => None,
        }
    }

    /// The fields of a struct by name; else None.
    #[getter]
    fn fields(&self) -> Option<Vec<(String, Self)>> {
        if let Inner::Struct(fields) = &self.0 {
            Some(fields.iter().map(|field| (field.name.clone(), Self(field.dtype.clone()))).collect())
        } else {
            None
        }
    }

    /// The unit of timestamps, durations and times of day: "s", "ms", "us" or "ns"; else None.
    #[getter]
    fn unit(&self) -> Option<String> {
        match &self.0 {
            Inner::Timestamp(unit)
            | Inner::TimestampTz(unit, _)
            | Inner::Duration(unit)
            | Inner::Time(unit) => Some(unit.to_string()),
            _ => None,
        }
    }

    /// The time zone of timestamps that have one; else None.
    #[getter]
    fn tz(&self) -> Option<&str> {
        if let Inner::TimestampTz(_, zone) = &self.0 { Some(zone.name()) } else { None }
    }

    /// Whether values are numbers of one machine type.
    #[getter]
    fn is_numeric(&self) -> bool {
        Inner::NUMERIC.contains(&self.0)
    }
}

/// The dtype that an argument of `operation` says.
pub(crate) fn dtype_of(operation: &'static str, dtype: &Bound<'_, PyAny>) -> PyResult<Inner> {
    if let Ok(dtype) = dtype.cast::<DType>() {
        return Ok(dtype.get().0.clone());
    }
    let py = dtype.py();
    let name = if dtype.is_instance_of::<PyType>() {
        dtype.getattr("__name__")?.extract::<String>()?
    } else if dtype.is_instance_of::<PyString>() {
        dtype.extract::<String>()?
    } else if dtype.hasattr("name")? || dtype.hasattr("id")? || dtype.hasattr("kind")? {
        // Dtypes of numpy, pandas and pyarrow are written as their names.
        dtype.str()?.to_cow()?.into_owned()
    } else {
        let reason = format!("a dtype is a name, a type or a dtype, not {}", dtype.get_type().name()?);
        return Err(argument(py, ErrorKind::Type, operation, &reason));
    };
    match alias(&name) {
        Some(dtype) => Ok(dtype),
        None => name
            .parse()
            .map_err(|error: columnade::errors::ColumnError| exception(py, &columnade::Error::from(error))),
    }
}

/// Names of other libraries.
fn alias(name: &str) -> Option<Inner> {
    let unit = |name: &str, prefix: &str| {
        let unit = name.strip_prefix(prefix)?.strip_suffix(']')?;
        TimeUnit::ALL.into_iter().find(|known| known.to_string() == unit)
    };
    Some(match name {
        "int" | "Int64" => Inner::Int64,
        "float" | "double" | "Float64" => Inner::Float64,
        "bool_" | "boolean" | "Boolean" => Inner::Bool,
        "str" | "string" | "large_string" | "string_view" | "object" | "String" => Inner::Utf8,
        "bytes" | "large_binary" => Inner::Binary,
        "date" | "date32[day]" => Inner::Date32,
        "datetime" => Inner::Timestamp(TimeUnit::Micro),
        "timedelta" => Inner::Duration(TimeUnit::Micro),
        "time" => Inner::Time(TimeUnit::Micro),
        "category" => Inner::dictionary(Inner::Utf8),
        "Int8" => Inner::Int8,
        "Int16" => Inner::Int16,
        "Int32" => Inner::Int32,
        "UInt8" => Inner::UInt8,
        "UInt16" => Inner::UInt16,
        "UInt32" => Inner::UInt32,
        "UInt64" => Inner::UInt64,
        "Float32" => Inner::Float32,
        _ => {
            if let Some(unit) = unit(name, "datetime64[") {
                Inner::Timestamp(unit)
            } else if let Some(unit) = unit(name, "timedelta64[") {
                Inner::Duration(unit)
            } else {
                return None;
            }
        }
    })
}
