//! Functions of the values of every column, of expressions, series, frames and groups of rows, and what says how frames are
//! stored.

use columnade::expressions::Literal;
use columnade::{DisplayOptions, ErrorKind, Expr, Label, Scalar, col, lit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::both::{methods, rank_of};
use crate::dtype::dtype_of;
use crate::frame::DataFrame;
use crate::groupby::{GroupBy, SeriesGroupBy, aggregates_of};
use crate::series::Series;
use crate::values::{literal_of, to_python};
use crate::work::{argument, work, work_as};

/// Functions that expressions, series and frames have under one name.
macro_rules! of_frames {
    ($($(#[$meta:meta])* $name:ident($($argument:ident: $ty:ty),*);)*) => {
        methods! { $($(#[$meta])* $name($($argument: $ty),*);)* }

        #[pymethods]
        impl DataFrame {
            $($(#[$meta])* fn $name(&self, py: Python<'_>, $($argument: $ty),*) -> PyResult<Self> {
                work(py, || self.0.$name($($argument),*)).map(Self)
            })*
        }
    };
}

of_frames! {
    /// Whether each value is null. NaN is not null.
    is_null();
    /// Whether each value is not null.
    is_not_null();
    /// The absolute values.
    abs();
    /// Numbers rounded half to even, to a number of decimals; other columns of a frame stay as they are.
    #[pyo3(signature = (decimals = 0))]
    round(decimals: i32);
    /// The values with null in place of NaN.
    nan_to_null();
}

/// Those that groups and a column of groups have too.
macro_rules! of_every_column {
    ($($(#[$meta:meta])* $name:ident($($argument:ident: $ty:ty),*);)*) => {
        of_frames! { $($(#[$meta])* $name($($argument: $ty),*);)* }

        #[pymethods]
        impl GroupBy {
            $($(#[$meta])* fn $name(&self, py: Python<'_>, $($argument: $ty),*) -> PyResult<DataFrame> {
                self.of_rows(py, stringify!($name), |column| column.$name($($argument),*))
            })*
        }

        #[pymethods]
        impl SeriesGroupBy {
            $($(#[$meta])* fn $name(&self, py: Python<'_>, $($argument: $ty),*) -> PyResult<Series> {
                self.of_rows(py, stringify!($name), |column| column.$name($($argument),*))
            })*
        }
    };
}

of_every_column! {
    /// The sums of the values up to each row.
    cum_sum();
    /// The smallest of the values up to each row.
    cum_min();
    /// The largest of the values up to each row.
    cum_max();
    /// The products of the values up to each row.
    cum_product();
    /// The differences to the values `n` rows before.
    #[pyo3(signature = (n = 1))]
    diff(n: i64);
    /// The relative changes from the values `n` rows before.
    #[pyo3(signature = (n = 1))]
    pct_change(n: i64);
    /// Nulls replaced by the last value before them, at most `limit` in a row.
    #[pyo3(signature = (limit = None))]
    fill_forward(limit: Option<u64>);
    /// Nulls replaced by the next value after them, at most `limit` in a row.
    #[pyo3(signature = (limit = None))]
    fill_backward(limit: Option<u64>);
}

#[pymethods]
impl DataFrame {
    /// The values within bounds: those below `lower` become it, those above `upper` become that.
    #[pyo3(signature = (lower = None, upper = None))]
    fn clip(
        &self,
        py: Python<'_>,
        lower: Option<&Bound<'_, PyAny>>,
        upper: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let bound = |bound: Option<&Bound<'_, PyAny>>| match bound {
            Some(bound) => literal_of("clip", bound),
            None => Ok(Literal::Null),
        };
        let (lower, upper) = (bound(lower)?, bound(upper)?);
        work(py, || match (lower, upper) {
            (Literal::Null, Literal::Null) => Ok(self.0.clone()),
            (lower, upper) => self.0.clip(lit(lower), lit(upper)),
        })
        .map(Self)
    }

    /// The values `n` rows before; negative: after. Rows without one have `fill_value`, by default null.
    #[pyo3(signature = (n = 1, fill_value = None))]
    fn shift(&self, py: Python<'_>, n: i64, fill_value: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let fill = fill_value.map(|fill| literal_of("shift", fill)).transpose()?;
        work_as(py, "shift", || match fill {
            Some(fill) => self.0.shift_or(n, lit(fill)),
            None => self.0.shift(n),
        })
        .map(Self)
    }

    /// Nulls between values replaced by values on the line between them, at most `limit` after each value.
    #[pyo3(signature = (limit = None))]
    fn interpolate(&self, py: Python<'_>, limit: Option<u64>) -> PyResult<Self> {
        work_as(py, "interpolate", || match limit {
            Some(limit) => self.0.interpolate_limit(limit),
            None => self.0.interpolate(),
        })
        .map(Self)
    }

    /// The values with another one in place of NaN; columns that are no floats stay as they are.
    fn fill_nan(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, value) = (value.py(), literal_of("fill_nan", value)?);
        work(py, || self.0.fill_nan(lit(value))).map(Self)
    }

    /// The position of each value in the order of its column; with `pct` as a share of their number.
    #[pyo3(signature = (method = "average", ascending = true, pct = false))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool, pct: bool) -> PyResult<Self> {
        let rank = rank_of(py, method, ascending, pct)?;
        work(py, || self.0.rank(rank)).map(Self)
    }

    /// The columns with a prefix before their labels.
    fn add_prefix(&self, py: Python<'_>, prefix: &str) -> PyResult<Self> {
        work(py, || self.0.add_prefix(prefix)).map(Self)
    }

    /// The columns with a suffix after their labels.
    fn add_suffix(&self, py: Python<'_>, suffix: &str) -> PyResult<Self> {
        work(py, || self.0.add_suffix(suffix)).map(Self)
    }

    /// The columns as text: dtypes, values that are not null and bytes.
    #[pyo3(name = "_info")]
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || self.0.info())
    }

    /// The bytes that the row labels and each column keep allocated, by label.
    ///
    /// index: whether those of the row labels are first, under "Index".
    /// deep: of no effect; strings are always counted with their characters.
    #[pyo3(signature = (index = true, deep = false))]
    fn memory_usage(&self, py: Python<'_>, index: bool, deep: bool) -> PyResult<Series> {
        let _ = deep;
        work(py, || {
            let bytes = self.0.memory_usage()?;
            if index { Ok(bytes) } else { bytes.tail(bytes.len().saturating_sub(1)) }
        })
        .map(Series::from)
    }

    /// The rows as a table of Markdown.
    fn to_markdown(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || self.0.to_markdown(DisplayOptions::all()))
    }

    /// The rows as a table of HTML.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || self.0.to_html(DisplayOptions::all()))
    }
}

/// A row label: a value, or a tuple with one for each level; None without one.
fn label_to_python<'py>(
    py: Python<'py>,
    index: &columnade::Index,
    label: Option<&Scalar>,
) -> PyResult<Bound<'py, PyAny>> {
    match label {
        Some(Scalar::Struct(levels)) if index.level_count() > 1 => {
            let parts = levels.iter().map(|(_, part)| to_python(py, part)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, parts)?.into_any())
        }
        Some(label) => to_python(py, label),
        None => Ok(py.None().into_bound(py)),
    }
}

macro_rules! valid_rows {
    ($($class:ident),*) => {
        $(#[pymethods]
        impl $class {
            /// The label of the first row with a value that is not null; None without one.
            fn first_valid_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                label_to_python(py, self.0.index(), work(py, || self.0.first_valid_index())?.as_ref())
            }

            /// The label of the last row with a value that is not null; None without one.
            fn last_valid_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                label_to_python(py, self.0.index(), work(py, || self.0.last_valid_index())?.as_ref())
            }
        })*
    };
}

valid_rows!(DataFrame, Series);

impl GroupBy {
    /// What `make` makes of each column that is chosen, within the groups.
    fn of_rows(
        &self,
        py: Python<'_>,
        operation: &'static str,
        make: impl Fn(Expr) -> Expr,
    ) -> PyResult<DataFrame> {
        let exprs = self.columns.iter().map(|label| make(col(label.clone())).alias(label.clone()));
        self.within(py, operation, exprs.collect())
    }
}

impl SeriesGroupBy {
    /// What `make` makes of the column, within the groups.
    fn of_rows(
        &self,
        py: Python<'_>,
        operation: &'static str,
        make: impl Fn(Expr) -> Expr,
    ) -> PyResult<Series> {
        let rows = self.groups.of_rows(py, operation, make)?;
        self.column_of(py, &rows).map(Series::from)
    }
}

#[pymethods]
impl GroupBy {
    /// Expressions within the groups, with a row for each row of the frame: an aggregate is repeated in each row of its group.
    /// Aggregates may be names, as in `agg`.
    #[pyo3(signature = (*exprs, **named))]
    fn transform(
        &self,
        exprs: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<DataFrame> {
        self.within(exprs.py(), "transform", aggregates_of(exprs, named, &self.columns)?)
    }

    /// The values `n` rows before in the group; negative: after. Rows without one have `fill_value`, by default null.
    #[pyo3(signature = (n = 1, fill_value = None))]
    fn shift(&self, py: Python<'_>, n: i64, fill_value: Option<&Bound<'_, PyAny>>) -> PyResult<DataFrame> {
        let fill = fill_value.map(|fill| literal_of("shift", fill)).transpose()?;
        self.of_rows(py, "shift", |column| match &fill {
            Some(fill) => column.shift_or(n, lit(fill.clone())),
            None => column.shift(n),
        })
    }

    /// The position of each value in the order of its group; with `pct` as a share of their number.
    #[pyo3(signature = (method = "average", ascending = true, pct = false))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool, pct: bool) -> PyResult<DataFrame> {
        let rank = rank_of(py, method, ascending, pct)?;
        self.of_rows(py, "rank", |column| column.rank(rank))
    }
}

#[pymethods]
impl SeriesGroupBy {
    /// An aggregate by name, repeated in each row of its group; or an expression of the column within the groups.
    fn transform(&self, aggregate: &Bound<'_, PyAny>) -> PyResult<Series> {
        let py = aggregate.py();
        let arguments = PyTuple::new(py, [aggregate])?;
        let rows = self.groups.transform(&arguments, None)?;
        match rows.0.columns() {
            [label] => {
                let label: &Label = label;
                work(py, || Ok(rows.0.column(label)?.rename(self.label.clone()))).map(Series::from)
            }
            _ => Err(argument(py, ErrorKind::Value, "transform", "one aggregate is given for one column")),
        }
    }

    /// The values `n` rows before in the group; negative: after. Rows without one have `fill_value`, by default null.
    #[pyo3(signature = (n = 1, fill_value = None))]
    fn shift(&self, py: Python<'_>, n: i64, fill_value: Option<&Bound<'_, PyAny>>) -> PyResult<Series> {
        let fill = fill_value.map(|fill| literal_of("shift", fill)).transpose()?;
        self.of_rows(py, "shift", |column| match &fill {
            Some(fill) => column.shift_or(n, lit(fill.clone())),
            None => column.shift(n),
        })
    }

    /// The position of each value in the order of its group; with `pct` as a share of their number.
    #[pyo3(signature = (method = "average", ascending = true, pct = false))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool, pct: bool) -> PyResult<Series> {
        let rank = rank_of(py, method, ascending, pct)?;
        self.of_rows(py, "rank", |column| column.rank(rank))
    }
}

#[pymethods]
impl Series {
    /// The values with a prefix before their row labels, which become strings.
    fn add_prefix(&self, py: Python<'_>, prefix: &str) -> PyResult<Self> {
        work(py, || self.0.add_prefix(prefix)).map(Self::from)
    }

    /// The values with a suffix after their row labels, which become strings.
    fn add_suffix(&self, py: Python<'_>, suffix: &str) -> PyResult<Self> {
        work(py, || self.0.add_suffix(suffix)).map(Self::from)
    }

    /// The values as text: dtype, values that are not null and bytes.
    #[pyo3(name = "_info")]
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || self.0.info())
    }

    /// The bytes that the values keep allocated.
    ///
    /// index: whether those of the row labels are counted too.
    /// deep: of no effect; strings are always counted with their characters.
    #[pyo3(signature = (index = true, deep = false))]
    fn memory_usage(&self, index: bool, deep: bool) -> usize {
        let _ = deep;
        self.0.memory_usage(index)
    }

    /// The rows as a table of Markdown.
    fn to_markdown(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || self.0.to_markdown(DisplayOptions::all()))
    }

    /// The rows as a table of HTML.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || self.0.to_html(DisplayOptions::all()))
    }
}

/// Dates or timestamps at a frequency, such as "D", "2h" or "ME": from `start` to `end`, or so many of them.
#[pyfunction]
#[pyo3(signature = (start, end = None, periods = None, freq = "D", dtype = None))]
pub(crate) fn date_range(
    py: Python<'_>,
    start: &Bound<'_, PyAny>,
    end: Option<&Bound<'_, PyAny>>,
    periods: Option<usize>,
    freq: &str,
    dtype: Option<&Bound<'_, PyAny>>,
) -> PyResult<Series> {
    const OPERATION: &str = "date_range";
    // Dates and times are written as they are read.
    let text = |time: &Bound<'_, PyAny>| time.str()?.to_cow().map(std::borrow::Cow::into_owned);
    let start = text(start)?;
    let end = end.map(text).transpose()?;
    let dtype = match dtype {
        Some(dtype) => dtype_of(OPERATION, dtype)?,
        None => columnade::DType::Timestamp(columnade::TimeUnit::Micro),
    };
    work_as(py, OPERATION, || match (end, periods) {
        (Some(end), None) => columnade::date_range(&dtype, &start, &end, freq).map(Some),
        (None, Some(periods)) => columnade::date_range_periods(&dtype, &start, periods, freq).map(Some),
        _ => Ok(None),
    })?
    .map(Series::from)
    .ok_or_else(|| argument(py, ErrorKind::Value, OPERATION, "give end or periods, and not both"))
}
