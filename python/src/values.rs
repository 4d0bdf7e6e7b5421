//! Values of columns as Python values, and back.

use columnade::builders::IntoColumn;
use columnade::dtypes::{Field, IntervalScalar};
use columnade::expressions::Literal;
use columnade::{Column, DType, ErrorKind, Exec, Scalar, TimeUnit, TimeZone};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::frame::DataFrame;
use crate::series::Series;
use crate::work::{argument, column_exception, work};

/// The types of the standard library that values may have.
struct Types {
    date: Py<PyType>,
    datetime: Py<PyType>,
    timedelta: Py<PyType>,
    time: Py<PyType>,
    decimal: Py<PyType>,
    interval: Py<PyType>,
    /// Functions that make values: those of `columnade._values`.
    make: Py<PyModule>,
}

static TYPES: PyOnceLock<Types> = PyOnceLock::new();

fn types(py: Python<'_>) -> PyResult<&Types> {
    TYPES.get_or_try_init(py, || {
        let named = |module: &str, name: &str| -> PyResult<Py<PyType>> {
            Ok(py.import(module)?.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        Ok(Types {
            date: named("datetime", "date")?,
            datetime: named("datetime", "datetime")?,
            timedelta: named("datetime", "timedelta")?,
            time: named("datetime", "time")?,
            decimal: named("decimal", "Decimal")?,
            interval: named("columnade._values", "Interval")?,
            make: py.import("columnade._values")?.unbind(),
        })
    })
}

/// The rows that `head` and `tail` take of `len`: a negative n counts those that they leave out.
pub(crate) fn count_of(n: i64, len: usize) -> usize {
    let count = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
    if n < 0 { len.saturating_sub(count) } else { count }
}

/// A value of Python as a scalar, `None` for None, NaT and NA; an error of `operation` for what no column holds.
pub(crate) fn scalar_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    scalar_within(operation, value, DEEPEST)
}

/// Lists and structs in each other. A list may contain itself, and the stack of a thread has an end.
const DEEPEST: usize = 64;

fn scalar_within(
    operation: &'static str,
    value: &Bound<'_, PyAny>,
    levels: usize,
) -> PyResult<Option<Scalar>> {
    let py = value.py();
    let item_of = |item: &Bound<'_, PyAny>| {
        let Some(levels) = levels.checked_sub(1) else {
            let reason = format!("a value has more than {DEEPEST} levels of lists or dictionaries");
            return Err(argument(py, ErrorKind::Value, operation, &reason));
        };
        scalar_within(operation, item, levels)
    };
    // In the order of how often they are met; a boolean is an integer too.
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(value) = value.cast::<PyString>() {
        let text = value.to_cow().map_err(|_| {
            let reason = "a string has half of a surrogate pair, which UTF-8 does not have";
            argument(py, ErrorKind::Value, operation, reason)
        })?;
        return Ok(Some(Scalar::Utf8(text.into_owned())));
    }
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(Some(Scalar::Bool(value.is_true())));
    }
    if let Ok(value) = value.cast::<PyFloat>() {
        return Ok(Some(Scalar::Float64(value.value())));
    }
    if let Ok(value) = value.cast::<PyInt>() {
        return integer(operation, value).map(Some);
    }
    let types = types(py)?;
    if value.is_instance(types.date.bind(py))? {
        // NaT is a datetime that is not equal to itself.
        if value.ne(value)? {
            return Ok(None);
        }
        if !value.is_instance(types.datetime.bind(py))? {
            let days = value.call_method0("toordinal")?.extract::<i32>()? - EPOCH_ORDINAL;
            return Ok(Some(Scalar::Date32(days)));
        }
        let (micros, zone): (i64, Option<String>) =
            types.make.bind(py).call_method1("since_epoch", (value,))?.extract()?;
        let Some(zone) = zone else { return Ok(Some(Scalar::Timestamp(micros, TimeUnit::Micro))) };
        let zone = TimeZone::new(&zone).map_err(|error| column_exception(py, operation, error))?;
        return Ok(Some(Scalar::TimestampTz(micros, TimeUnit::Micro, zone)));
    }
    if value.is_instance(types.timedelta.bind(py))? {
        let micros: i64 = types.make.bind(py).call_method1("microseconds", (value,))?.extract()?;
        return Ok(Some(Scalar::Duration(micros, TimeUnit::Micro)));
    }
    if value.is_instance(types.time.bind(py))? {
        if !value.getattr("tzinfo")?.is_none() {
            let reason = "a time of day has no time zone here: leave it out with replace(tzinfo=None)";
            return Err(argument(py, ErrorKind::Type, operation, reason));
        }
        let micros: i64 = types.make.bind(py).call_method1("since_midnight", (value,))?.extract()?;
        return Ok(Some(Scalar::Time(micros, TimeUnit::Micro)));
    }
    if value.is_instance(types.decimal.bind(py))? {
        let parts: Option<(i128, i8)> =
            types.make.bind(py).call_method1("decimal_parts", (value,))?.extract()?;
        let Some((digits, scale)) = parts else {
            return Err(argument(py, ErrorKind::Value, operation, "no decimal is infinite or not a number"));
        };
        return Scalar::decimal(digits, scale)
            .map(Some)
            .map_err(|error| column_exception(py, operation, error));
    }
    if let Ok(value) = value.cast::<PyBytes>() {
        return Ok(Some(Scalar::Binary(value.as_bytes().to_vec())));
    }
    if is_interval(value)? {
        let end = |name: &str| item_of(&value.getattr(name)?);
        let ends = [end("left")?, end("right")?];
        let dtype = common(&ends, "end").map_err(|_| {
            argument(py, ErrorKind::Type, operation, "the ends of an interval are of several kinds")
        })?;
        if ends.iter().any(Option::is_none) {
            return Err(argument(py, ErrorKind::Type, operation, "an end of an interval is None"));
        }
        let [left, right] = ends.map(|end| converted(end, &dtype));
        let closed: String = value.getattr("closed")?.extract()?;
        let closed = crate::rolling::closed_of(py, operation, &closed)?;
        return Ok(Some(Scalar::Interval(Box::new(IntervalScalar { left, right, closed }))));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let values = value.try_iter()?.map(|item| item_of(&item?)).collect::<PyResult<Vec<_>>>()?;
        let item = common(&values, "item").map_err(|reason| {
            let reason =
                format!("{reason}: a list or a tuple has items of one dtype, and a dictionary is a struct");
            argument(py, ErrorKind::Type, operation, &reason)
        })?;
        let values = values.into_iter().map(|value| converted(value, &item)).collect();
        return Ok(Some(Scalar::List { item: Box::new(item), values }));
    }
    if let Ok(fields) = value.cast::<PyDict>() {
        let field = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let value = item_of(&value)?.unwrap_or(Scalar::Null(DType::Null));
            Ok((name.extract::<String>()?, value))
        };
        return Ok(Some(Scalar::Struct(fields.iter().map(field).collect::<PyResult<_>>()?)));
    }
    if value.get_type().name()?.to_cow()? == "NAType" {
        return Ok(None);
    }
    // Scalars of numpy, and arrays without dimensions.
    if value.hasattr("item")? && value.hasattr("dtype")? {
        let shape = value.getattr("shape")?;
        if shape.len().is_ok_and(|dimensions| dimensions == 0) {
            return scalar_of(operation, &types.make.bind(py).call_method1("item", (value,))?);
        }
        if value.hasattr("tolist")? {
            return item_of(&value.call_method0("tolist")?);
        }
    }
    let cure = if value.is_instance_of::<DataFrame>() { ": take its only value with `lit`" } else { "" };
    let reason = format!("a column does not hold values of the type {}{cure}", value.get_type().name()?);
    Err(argument(py, ErrorKind::Type, operation, &reason))
}

/// Whether a value is an interval of this library or of pandas.
pub(crate) fn is_interval(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    if value.is_instance(types(py)?.interval.bind(py))? {
        return Ok(true);
    }
    Ok(value.get_type().name()?.to_cow()? == "Interval" && value.hasattr("closed_left")?)
}

/// `date(1970, 1, 1).toordinal()`.
const EPOCH_ORDINAL: i32 = 719_163;

fn integer(operation: &'static str, value: &Bound<'_, PyInt>) -> PyResult<Scalar> {
    if let Ok(small) = value.extract::<i64>() {
        return Ok(Scalar::Int64(small));
    }
    value
        .extract::<u64>()
        .map(Scalar::UInt64)
        .map_err(|_| argument(value.py(), ErrorKind::Overflow, operation, "an integer does not fit 64 bits"))
}

/// A value of Python as a literal of an expression.
pub(crate) fn literal_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Literal> {
    if let Ok(integer) = value.cast_exact::<PyInt>() {
        return integer.extract::<i128>().map(Literal::Int).map_err(|_| {
            argument(value.py(), ErrorKind::Overflow, operation, "an integer does not fit 128 bits")
        });
    }
    Ok(match scalar_of(operation, value)? {
        None => Literal::Null,
        // Without a width: the expression chooses it.
        Some(Scalar::Bool(value)) => Literal::Bool(value),
        Some(Scalar::Int64(value)) => value.into(),
        Some(Scalar::UInt64(value)) => value.into(),
        Some(Scalar::Float64(value)) => Literal::Float(value),
        Some(Scalar::Utf8(value)) => Literal::String(value),
        Some(Scalar::Duration(value, TimeUnit::Micro)) => Literal::Duration(i128::from(value) * 1000),
        Some(Scalar::Decimal { value, scale, .. }) => Literal::Decimal { value, scale },
        Some(other) => Literal::Scalar(other),
    })
}

/// The dtype that all values fit, or why there is none. `what` is what the values are called.
fn common(values: &[Option<Scalar>], what: &str) -> Result<DType, String> {
    let mut dtype = DType::Null;
    for (row, value) in values.iter().enumerate() {
        let Some(value) = value else { continue };
        let next = value.dtype();
        dtype = joined(&dtype, &next)
            .ok_or_else(|| format!("{what} {row} is a value of {next}, and {what}s before are of {dtype}"))?;
    }
    Ok(dtype)
}

/// Has NaN be null beside values that are no numbers, as in pandas.
fn without_nan(values: &mut [Option<Scalar>]) {
    let is_number =
        |value: &Scalar| matches!(value, Scalar::Int64(_) | Scalar::UInt64(_) | Scalar::Float64(_));
    if values.iter().flatten().all(is_number) {
        return;
    }
    for value in values {
        if matches!(value, Some(Scalar::Float64(number)) if number.is_nan()) {
            *value = None;
        }
    }
}

fn joined(left: &DType, right: &DType) -> Option<DType> {
    Some(match (left, right) {
        (left, right) if left == right => left.clone(),
        (DType::Null, other) | (other, DType::Null) => other.clone(),
        (DType::Int64, DType::UInt64) | (DType::UInt64, DType::Int64) => DType::UInt64,
        (DType::Float64, DType::Int64 | DType::UInt64) | (DType::Int64 | DType::UInt64, DType::Float64) => {
            DType::Float64
        }
        (
            DType::Decimal { precision, scale, .. },
            DType::Decimal { precision: other, scale: other_scale, .. },
        ) => {
            let fraction = *scale.max(other_scale);
            let whole = |precision: u8, scale: i8| i16::from(precision) - i16::from(scale);
            let digits = whole(*precision, *scale).max(whole(*other, *other_scale)) + i16::from(fraction);
            DType::decimal(u8::try_from(digits).ok()?, fraction).ok()?
        }
        (DType::List(left), DType::List(right)) => DType::list(joined(left, right)?),
        (DType::Struct(left), DType::Struct(right)) => {
            let mut fields: Vec<Field> = left.to_vec();
            for field in right.iter() {
                match fields.iter_mut().find(|known| known.name == field.name) {
                    Some(known) => known.dtype = joined(&known.dtype, &field.dtype)?,
                    None => fields.push(field.clone()),
                }
            }
            DType::Struct(fields.into())
        }
        _ => return None,
    })
}

/// A value as one of the dtype that it fits.
fn converted(value: Option<Scalar>, dtype: &DType) -> Scalar {
    let Some(value) = value else { return Scalar::Null(dtype.clone()) };
    match (value, dtype) {
        (Scalar::Null(_), dtype) => Scalar::Null(dtype.clone()),
        #[expect(clippy::cast_precision_loss, reason = "as Python's float() rounds")]
        (Scalar::Int64(value), DType::Float64) => Scalar::Float64(value as f64),
        #[expect(clippy::cast_precision_loss, reason = "as above")]
        (Scalar::UInt64(value), DType::Float64) => Scalar::Float64(value as f64),
        (Scalar::Int64(value), DType::UInt64) => {
            u64::try_from(value).map_or(Scalar::Int64(value), Scalar::UInt64)
        }
        (Scalar::Decimal { value, scale, .. }, DType::Decimal { precision, scale: target, .. }) => {
            let zeros = u32::try_from(i16::from(*target) - i16::from(scale)).unwrap_or(0);
            // The dtype has as many digits as that takes.
            let value = value.checked_mul(10_i128.pow(zeros)).unwrap_or(i128::MAX);
            Scalar::Decimal { value, precision: *precision, scale: *target }
        }
        (Scalar::List { values, .. }, DType::List(item)) => {
            let values = values.into_iter().map(|value| converted(Some(value), item)).collect();
            Scalar::List { item: item.clone(), values }
        }
        (Scalar::Struct(mut values), DType::Struct(fields)) => {
            let mut field = |field: &Field| {
                let at = values.iter().position(|(name, _)| *name == field.name);
                let value = at.map(|at| values.swap_remove(at).1);
                (field.name.clone(), converted(value, &field.dtype))
            };
            Scalar::Struct(fields.iter().map(&mut field).collect())
        }
        (value, _) => value,
    }
}

/// A column of the values that an iterable gives.
pub(crate) fn column_of(operation: &'static str, values: &Bound<'_, PyAny>, exec: &Exec) -> PyResult<Column> {
    let py = values.py();
    if values.is_instance_of::<PyString>()
        || values.is_instance_of::<PyBytes>()
        || values.is_instance_of::<PyDict>()
    {
        let reason = format!("values are a list or another sequence, not one {}", values.get_type().name()?);
        return Err(argument(py, ErrorKind::Type, operation, &reason));
    }
    let Ok(items) = values.try_iter() else {
        let reason = format!("values are a list or another sequence, not one {}", values.get_type().name()?);
        return Err(argument(py, ErrorKind::Type, operation, &reason));
    };
    let read = |(row, value): (usize, PyResult<Bound<'_, PyAny>>)| {
        check_signals(py, row)?;
        scalar_of(operation, &value?)
    };
    let mut scalars = items.enumerate().map(read).collect::<PyResult<Vec<_>>>()?;
    without_nan(&mut scalars);
    let dtype =
        common(&scalars, "row").map_err(|reason| argument(py, ErrorKind::Type, operation, &reason))?;
    if dtype == DType::UInt64 && scalars.iter().any(|value| matches!(value, Some(Scalar::Int64(..0)))) {
        let reason = "some integers are negative, and others do not fit 64 bits with a sign";
        return Err(argument(py, ErrorKind::Overflow, operation, reason));
    }
    work(py, || {
        let scalars: Vec<_> = scalars.into_iter().map(|value| converted(value, &dtype)).collect();
        let column = Column::from_scalars(&dtype, &scalars, exec);
        Ok(column.and_then(|column| column.into_column(exec))?)
    })
}

/// A scalar as Python has it.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Scalar) -> PyResult<Bound<'py, PyAny>> {
    let make = || types(py).map(|types| types.make.bind(py));
    Ok(match value {
        Scalar::Null(_) => py.None().into_bound(py),
        Scalar::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Scalar::Int8(value) => value.into_pyobject(py)?.into_any(),
        Scalar::Int16(value) => value.into_pyobject(py)?.into_any(),
        Scalar::Int32(value) => value.into_pyobject(py)?.into_any(),
        Scalar::Int64(value) => value.into_pyobject(py)?.into_any(),
        Scalar::UInt8(value) => value.into_pyobject(py)?.into_any(),
        Scalar::UInt16(value) => value.into_pyobject(py)?.into_any(),
        Scalar::UInt32(value) => value.into_pyobject(py)?.into_any(),
        Scalar::UInt64(value) => value.into_pyobject(py)?.into_any(),
        Scalar::Float32(value) => f64::from(*value).into_pyobject(py)?.into_any(),
        Scalar::Float64(value) => value.into_pyobject(py)?.into_any(),
        Scalar::Utf8(value) => value.as_str().into_pyobject(py)?.into_any(),
        Scalar::Binary(value) => PyBytes::new(py, value).into_any(),
        Scalar::Date32(days) => make()?.call_method1("date", (days,))?,
        Scalar::Timestamp(value, unit) => {
            make()?.call_method1("timestamp", (value, unit.per_second(), py.None()))?
        }
        Scalar::TimestampTz(value, unit, zone) => {
            make()?.call_method1("timestamp", (value, unit.per_second(), zone.name()))?
        }
        Scalar::Duration(value, unit) => make()?.call_method1("duration", (value, unit.per_second()))?,
        Scalar::Time(value, unit) => make()?.call_method1("time", (value, unit.per_second()))?,
        Scalar::Decimal { value, scale, .. } => make()?.call_method1("decimal", (value, scale))?,
        Scalar::Interval(interval) => {
            let (left, right) = (to_python(py, &interval.left)?, to_python(py, &interval.right)?);
            make()?.call_method1("interval", (left, right, interval.closed.to_string()))?
        }
        Scalar::List { values, .. } => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_any()
        }
        Scalar::Struct(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// The rows that are made between two looks at signals, for which there is a check of 1 µs or less.
const ROWS_PER_CHECK: usize = 1 << 16;

/// Raises what a signal's handler raises, as `KeyboardInterrupt`, in some rows.
fn check_signals(py: Python<'_>, row: usize) -> PyResult<()> {
    if row.is_multiple_of(ROWS_PER_CHECK) { py.check_signals() } else { Ok(()) }
}

/// A value and its row, at some of which signals are looked at.
struct InRow<T>(usize, T);

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for InRow<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        check_signals(py, self.0)?;
        self.1.into_bound_py_any(py)
    }
}

fn list_of<'py, T: IntoPyObject<'py>>(py: Python<'py>, values: Vec<T>) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, values.into_iter().enumerate().map(|(row, value)| InRow(row, value)))
}

/// All values of a series, None for nulls.
pub(crate) fn to_list<'py>(py: Python<'py>, series: &Series) -> PyResult<Bound<'py, PyList>> {
    let series = &series.0;
    match series.dtype() {
        DType::Int64 => list_of(py, work(py, || series.to_options::<i64>())?),
        DType::Float64 => list_of(py, work(py, || series.to_options::<f64>())?),
        DType::Bool => list_of(py, work(py, || series.to_options::<bool>())?),
        DType::Utf8 => list_of(py, work(py, || series.to_options::<String>())?),
        _ => {
            let scalars = work(py, || series.to_scalars())?;
            let made = |(row, value): (usize, &Scalar)| {
                check_signals(py, row)?;
                to_python(py, value)
            };
            PyList::new(py, scalars.iter().enumerate().map(made).collect::<PyResult<Vec<_>>>()?)
        }
    }
}
