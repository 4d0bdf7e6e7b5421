//! Expressions.

use columnade::expressions::{
    GroupOptions, Literal, NullKeys, Selector, Then as InnerThen, When as InnerWhen,
};
use columnade::{ErrorKind, Expr as Inner, Label};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::dtype::dtype_of;
use crate::frame::DataFrame;
use crate::label::label_of;
use crate::series::Series;
use crate::summaries::{Correlation, correlation_of};
use crate::values::literal_of;
use crate::work::{argument, column_exception, natural, work_as};

/// An expression over the columns of a frame: `col("units") * col("price")`.
#[pyclass(frozen, subclass, weakref, module = "columnade")]
#[derive(Clone)]
pub(crate) struct Expr(pub(crate) Inner);

impl From<Inner> for Expr {
    fn from(inner: Inner) -> Self {
        Self(inner)
    }
}

/// An expression, or a value as a constant; an error of `operation` for anything else.
pub(crate) fn expr_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Inner> {
    if let Ok(expr) = value.cast::<Expr>() {
        return Ok(expr.get().0.clone());
    }
    if value.is_instance_of::<Series>() {
        let reason = "an expression is over the columns of one frame: add the series to it as a column, or take its only value with `lit`";
        return Err(argument(value.py(), ErrorKind::Type, operation, reason));
    }
    Ok(columnade::lit(literal_of(operation, value)?))
}

/// An argument that is the same for all rows, where an expression is one that is not implemented.
pub(crate) enum Constant<T> {
    /// The argument.
    Given(T),
    /// An expression, or a series.
    ByRow,
}

impl<'a, 'py, T: FromPyObject<'a, 'py, Error: Into<PyErr>>> FromPyObject<'a, 'py> for Constant<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<Expr>() || value.is_instance_of::<Series>() {
            return Ok(Constant::ByRow);
        }
        value.extract().map(Constant::Given).map_err(Into::into)
    }
}

/// What an argument of a method is.
pub(crate) trait Given {
    /// What it is given as.
    type Value;

    /// The value of the argument `name`.
    fn value(self, py: Python<'_>, operation: &str, name: &str) -> PyResult<Self::Value>;
}

impl<T> Given for Constant<T> {
    type Value = T;

    fn value(self, py: Python<'_>, operation: &str, name: &str) -> PyResult<T> {
        match self {
            Constant::Given(value) => Ok(value),
            Constant::ByRow => Err(by_row(py, operation, name)),
        }
    }
}

macro_rules! given_as_they_are {
    ($($ty:ty),*) => {
        $(impl Given for $ty {
            type Value = Self;

            fn value(self, _py: Python<'_>, _operation: &str, _name: &str) -> PyResult<Self> {
                Ok(self)
            }
        })*
    };
}

given_as_they_are!(bool, u64, i64, usize, Option<u64>, Option<usize>, Vec<String>);

fn by_row(py: Python<'_>, operation: &str, name: &str) -> PyErr {
    let reason = format!("{name} is a constant: an expression or a series of them is not implemented");
    argument(py, ErrorKind::NotImplemented, operation, &reason)
}

/// Refuses an expression where constants are expected.
pub(crate) fn refuse_expression(operation: &str, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if value.is_instance_of::<Expr>() { Err(by_row(value.py(), operation, name)) } else { Ok(()) }
}

/// Refuses an expression where values are looked for among others.
pub(crate) fn refuse_members_by_row(values: &Bound<'_, PyAny>) -> PyResult<()> {
    if !values.is_instance_of::<Expr>() {
        return Ok(());
    }
    let reason =
        "values is a constant: a list, an array or a series; those of an expression are not implemented";
    Err(argument(values.py(), ErrorKind::NotImplemented, "is_in", reason))
}

/// A column by its label, or an expression.
pub(crate) fn column_expr_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Inner> {
    match value.cast::<Expr>() {
        Ok(expr) => Ok(expr.get().0.clone()),
        Err(_) => Ok(columnade::col(label_of(operation, value)?)),
    }
}

/// Columns by label or as expressions: arguments, lists of them, and `name=expression`.
pub(crate) fn column_exprs_of(
    operation: &'static str,
    values: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Inner>> {
    let mut exprs = Vec::with_capacity(values.len());
    for value in values {
        match value.cast::<PyList>() {
            Ok(several) => {
                for value in several {
                    exprs.push(column_expr_of(operation, &value)?);
                }
            }
            Err(_) => exprs.push(column_expr_of(operation, &value)?),
        }
    }
    for (name, value) in named.into_iter().flatten() {
        exprs.push(expr_of(operation, &value)?.alias(name.extract::<String>()?));
    }
    Ok(exprs)
}

/// The same as selectors.
pub(crate) fn selectors_of(
    operation: &'static str,
    values: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Selector>> {
    Ok(column_exprs_of(operation, values, named)?.into_iter().map(Selector::from).collect())
}

/// A column of the frame, by its label.
#[pyfunction]
pub(crate) fn col(label: &Bound<'_, PyAny>) -> PyResult<Expr> {
    Ok(Expr(columnade::col(label_of("col", label)?)))
}

/// A constant; with a dtype, of that dtype. A series or a frame of one value is that value, which stays on its device; one of the
/// categories of an ordered dictionary keeps their order.
#[pyfunction]
#[pyo3(signature = (value, dtype = None))]
pub(crate) fn lit(value: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Expr> {
    let expr = if let Ok(series) = value.cast::<Series>() {
        let series = series.get().0.clone();
        columnade::lit(work_as(value.py(), "lit", || series.scalar())?)
    } else if let Ok(frame) = value.cast::<DataFrame>() {
        let frame = frame.get().0.clone();
        columnade::lit(work_as(value.py(), "lit", || frame.scalar())?)
    } else {
        columnade::lit(literal_of("lit", value)?)
    };
    Ok(Expr(match dtype {
        Some(dtype) => expr.cast(dtype_of("lit", dtype)?),
        None => expr,
    }))
}

/// A date, written YYYY-MM-DD.
#[pyfunction]
pub(crate) fn date(py: Python<'_>, text: &str) -> PyResult<Expr> {
    columnade::date(text).map(Expr).map_err(|error| column_exception(py, "date", error))
}

/// The number of rows.
#[pyfunction]
#[pyo3(name = "len")]
pub(crate) fn row_count() -> Expr {
    Expr(columnade::len())
}

/// The number of each row, from 1.
#[pyfunction]
pub(crate) fn row_number() -> Expr {
    Expr(columnade::row_number())
}

fn several(operation: &'static str, values: &Bound<'_, PyTuple>) -> PyResult<Vec<Inner>> {
    values.iter().map(|value| column_expr_of(operation, &value)).collect()
}

/// The first value of each row that is not null.
#[pyfunction]
#[pyo3(signature = (*exprs))]
pub(crate) fn coalesce(exprs: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    Ok(Expr(columnade::coalesce(several("coalesce", exprs)?)))
}

/// The smallest value of each row.
#[pyfunction]
#[pyo3(signature = (*exprs))]
pub(crate) fn min_horizontal(exprs: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    Ok(Expr(columnade::min_horizontal(several("min_horizontal", exprs)?)))
}

/// The largest value of each row.
#[pyfunction]
#[pyo3(signature = (*exprs))]
pub(crate) fn max_horizontal(exprs: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    Ok(Expr(columnade::max_horizontal(several("max_horizontal", exprs)?)))
}

/// The lists of each row, one after the other.
#[pyfunction]
#[pyo3(signature = (*exprs))]
pub(crate) fn concat_list(exprs: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    Ok(Expr(columnade::concat_list(several("concat_list", exprs)?)))
}

/// A struct of each row, with a field for each expression.
#[pyfunction]
#[pyo3(signature = (*exprs))]
pub(crate) fn struct_of(exprs: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    Ok(Expr(columnade::struct_of(several("struct_of", exprs)?)))
}

/// A choice: `when(condition).then(value).otherwise(value)`. Conditions may follow each other. Rows that meet none are null without
/// `otherwise`.
#[pyfunction]
pub(crate) fn when(condition: &Expr) -> When {
    When(columnade::when(condition.0.clone()))
}

/// A condition of a choice, before its value.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct When(InnerWhen);

/// A choice between values, null where no condition is met: an expression, which further conditions may follow.
#[pyclass(frozen, extends = Expr, module = "columnade")]
pub(crate) struct Then(InnerThen);

#[pymethods]
impl When {
    /// The value of rows that meet the condition.
    fn then(&self, value: &Bound<'_, PyAny>) -> PyResult<Py<Then>> {
        let choice = self.0.clone().then(expr_of("then", value)?);
        Py::new(value.py(), (Then(choice.clone()), Expr(choice.into())))
    }

    /// A further condition, for rows that met none before; those that met this one are null.
    fn when(&self, condition: &Expr) -> Self {
        Self(self.0.clone().then(Literal::Null).when(condition.0.clone()))
    }

    /// The value of all other rows; those that met the condition are null.
    fn otherwise(&self, value: &Bound<'_, PyAny>) -> PyResult<Expr> {
        Ok(Expr(self.0.clone().otherwise(expr_of("otherwise", value)?)))
    }
}

#[pymethods]
impl Then {
    /// A further condition, for rows that met none before.
    fn when(&self, condition: &Expr) -> When {
        When(self.0.clone().when(condition.0.clone()))
    }

    /// The value of all other rows.
    fn otherwise(&self, value: &Bound<'_, PyAny>) -> PyResult<Expr> {
        Ok(Expr(self.0.clone().otherwise(expr_of("otherwise", value)?)))
    }
}

#[pymethods]
impl Expr {
    fn __repr__(&self) -> String {
        self.0.to_string()
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        let reason = "an expression has no truth value: combine conditions with & | ~, each in parentheses";
        Err(argument(py, ErrorKind::Type, "bool", reason))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compared: CompareOp) -> PyResult<Self> {
        let (left, right) = (self.0.clone(), expr_of("compare", other)?);
        Ok(Self(match compared {
            CompareOp::Eq => left.eq(right),
            CompareOp::Ne => left.ne(right),
            CompareOp::Lt => left.lt(right),
            CompareOp::Le => left.le(right),
            CompareOp::Gt => left.gt(right),
            CompareOp::Ge => left.ge(right),
        }))
    }

    fn __neg__(&self) -> Self {
        Self(-self.0.clone())
    }

    fn __pos__(&self) -> Self {
        self.clone()
    }

    fn __invert__(&self) -> Self {
        Self(!self.0.clone())
    }

    fn __abs__(&self) -> Self {
        Self(self.0.clone().abs())
    }

    fn __rpow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self(expr_of("pow", other)?.pow(self.0.clone())))
    }

    fn __pow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self(self.0.clone().pow(expr_of("pow", other)?)))
    }

    /// The expression under another label.
    fn alias(&self, label: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0.clone().alias(label_of("alias", label)?)))
    }

    /// The label that the result has.
    #[getter]
    fn label<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::label::to_python(py, &self.0.label())
    }

    /// Only the rows that meet a condition, for an aggregate.
    fn filter(&self, condition: &Self) -> Self {
        Self(self.0.clone().filter(condition.0.clone()))
    }

    /// The number of values that are not null.
    fn count(&self) -> Self {
        Self(self.0.clone().count())
    }

    /// The covariance with another column, divided by the number of rows in which neither is null less `ddof`.
    #[pyo3(signature = (other, ddof = 1))]
    fn cov(&self, other: &Bound<'_, PyAny>, ddof: i64) -> PyResult<Self> {
        let ddof = natural(other.py(), "cov", "ddof", ddof)?;
        Ok(Self(self.0.clone().cov_ddof(column_expr_of("cov", other)?, ddof)))
    }

    /// The correlation with another column; see `DataFrame.corr`.
    #[pyo3(signature = (other, method = "pearson"))]
    fn corr(&self, other: &Bound<'_, PyAny>, method: &str) -> PyResult<Self> {
        let (values, correlation) = (self.0.clone(), correlation_of(other.py(), method)?);
        let other = column_expr_of("corr", other)?;
        Ok(Self(match correlation {
            Correlation::Pearson => values.corr(other),
            Correlation::Spearman => values.spearman(other),
            Correlation::Kendall => values.kendall(other),
        }))
    }

    /// The values of a group as a list.
    fn collect(&self) -> Self {
        Self(self.0.clone().collect())
    }

    /// The distinct values of a group as a list.
    fn collect_unique(&self) -> Self {
        Self(self.0.clone().collect_unique())
    }

    /// The value at a position within the group; negative counts from the end.
    fn nth(&self, position: i64) -> Self {
        Self(self.0.clone().nth(position))
    }

    /// The k largest values as a list.
    fn top_k(&self, k: u64) -> Self {
        Self(self.0.clone().top_k(k))
    }

    /// The k smallest values as a list.
    fn bottom_k(&self, k: u64) -> Self {
        Self(self.0.clone().bottom_k(k))
    }

    /// The aggregate or row function within the rows that have the same keys. Rows with a null key are null; with `dropna=False`
    /// nulls are equal, and such rows form groups.
    #[pyo3(signature = (*keys, dropna = true))]
    fn over(&self, keys: &Bound<'_, PyTuple>, dropna: bool) -> PyResult<Self> {
        let null_keys = if dropna { NullKeys::Drop } else { NullKeys::Group };
        let keys = column_exprs_of("over", keys, None)?;
        Ok(Self(self.0.clone().over_with(keys, GroupOptions { null_keys })))
    }

    /// Whether the value is between two, both included.
    fn between(&self, low: &Bound<'_, PyAny>, high: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0.clone().between(expr_of("between", low)?, expr_of("between", high)?)))
    }

    /// Whether the value is one of these: values, or a series.
    fn is_in(&self, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(series) = values.cast::<Series>() {
            return Ok(Self(self.0.clone().is_in(series.get().0.values())));
        }
        refuse_members_by_row(values)?;
        if values.is_instance_of::<PyString>() || values.is_instance_of::<PyBytes>() {
            let reason = "values are a list, an array or a series, not one text";
            return Err(argument(values.py(), ErrorKind::Type, "is_in", reason));
        }
        let values =
            values.try_iter()?.map(|value| expr_of("is_in", &value?)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self(self.0.clone().is_in(values)))
    }

    /// The value limited to a range; None for no limit.
    #[pyo3(signature = (lower = None, upper = None))]
    fn clip(&self, lower: Option<&Bound<'_, PyAny>>, upper: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut clipped = self.0.clone();
        if let Some(lower) = lower {
            clipped = clipped.clip_min(expr_of("clip", lower)?);
        }
        if let Some(upper) = upper {
            clipped = clipped.clip_max(expr_of("clip", upper)?);
        }
        Ok(Self(clipped))
    }

    /// The value for nulls.
    fn fill_null(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0.clone().fill_null(expr_of("fill_null", value)?)))
    }

    /// Values replaced by others, as a dictionary says; those that it does not name stay.
    fn replace(&self, pairs: &Bound<'_, PyDict>) -> PyResult<Self> {
        let pairs = pairs.iter().map(|(old, new)| Ok((expr_of("replace", &old)?, expr_of("replace", &new)?)));
        Ok(Self(self.0.clone().replace(pairs.collect::<PyResult<Vec<_>>>()?)))
    }
}

/// Several labels, where one string is one label.
pub(crate) fn label_list_of(operation: &'static str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Label>> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![label_of(operation, value)?]);
    }
    crate::label::labels_of(operation, value)
}
