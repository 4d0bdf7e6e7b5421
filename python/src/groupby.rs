//! Groups of rows.

use std::sync::Arc;

use columnade::{
    Concat, DataFrame as Inner, Error, ErrorKind, Expr, GroupKey, Label, WindowSize, concat_with,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::aggregates::{Aggregates, NAMES, by_name};
use crate::expr::column_expr_of;
use crate::frame::DataFrame;
use crate::label::labels_of;
use crate::resample::{Grouper, Resampler};
use crate::rolling::Rolling;
use crate::series::{Series, series_of};
use crate::windows::Windows;
use crate::work::{argument, work};

/// Rows with equal keys. Groups come in the order of their first row; with `sort` in the order of their keys.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct GroupBy {
    groups: columnade::GroupBy<'static>,
    /// The columns that are no keys.
    columns: Arc<[Label]>,
}

/// What the arguments of `group_by` say.
#[expect(clippy::struct_excessive_bools, reason = "keyword arguments of Python")]
pub(crate) struct Options {
    pub(crate) sort: bool,
    pub(crate) dropna: bool,
    pub(crate) observed: bool,
    pub(crate) as_index: bool,
}

/// A key of groups: a label, an expression, a series or bins of time.
fn key_of(value: &Bound<'_, PyAny>) -> PyResult<GroupKey> {
    if let Ok(bins) = value.cast::<Grouper>() {
        return Ok(bins.get().0.clone().into());
    }
    if let Ok(series) = value.cast::<Series>() {
        return Ok(GroupKey::values(&series.get().0));
    }
    column_expr_of("group_by", value).map(GroupKey::from)
}

/// The aggregates of all rows or groups: expressions, names, and names by column.
pub(crate) fn aggregates_of(
    values: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
    columns: &[Label],
) -> PyResult<Vec<Expr>> {
    let is_known = |name: &str| by_name(name, columnade::len()).is_some();
    let asked =
        Aggregates { operation: "agg", columns, is_known: &is_known, names: NAMES }.of(values, named)?;
    Ok(asked.into_iter().filter_map(|aggregate| aggregate.into_expr(by_name)).collect())
}

impl GroupBy {
    pub(crate) fn new(
        frame: &Inner,
        keys: &Bound<'_, PyTuple>,
        level: Option<&Bound<'_, PyAny>>,
        options: &Options,
    ) -> PyResult<Self> {
        const OPERATION: &str = "group_by";
        let py = keys.py();
        let (mut by, mut labels) = (Vec::new(), Vec::new());
        let mut add = |key: &Bound<'_, PyAny>| -> PyResult<()> {
            if !key.is_instance_of::<Grouper>() && !key.is_instance_of::<Series>() {
                labels.push(column_expr_of(OPERATION, key)?.label());
            } else if let Ok(bins) = key.cast::<Grouper>() {
                labels.extend(bins.get().1.clone());
            }
            by.push(key_of(key)?);
            Ok(())
        };
        for key in keys {
            match key.cast::<PyList>() {
                Ok(several) => several.iter().try_for_each(|key| add(&key))?,
                Err(_) => add(&key)?,
            }
        }
        for name in level.map_or(Ok(Vec::new()), |level| labels_of(OPERATION, level))? {
            by.push(GroupKey::level(name));
        }
        if by.is_empty() {
            return Err(argument(
                py,
                ErrorKind::Value,
                OPERATION,
                "there is no key: agg() of the frame is for all rows",
            ));
        }
        let columns = frame.columns().iter().filter(|label| !labels.contains(label)).cloned().collect();
        let groups = work(py, || frame.group_by_with(by))?;
        let groups = groups.sort(options.sort).dropna(options.dropna);
        Ok(Self { groups: groups.observed(options.observed).as_index(options.as_index), columns })
    }

    fn of_groups(
        &self,
        py: Python<'_>,
        compute: impl FnOnce(&columnade::GroupBy<'static>) -> Result<Inner, Error> + Send,
    ) -> PyResult<DataFrame> {
        work(py, || compute(&self.groups)).map(DataFrame)
    }
}

impl Windows for GroupBy {
    fn rows_before(&self, size: WindowSize) -> Rolling {
        Rolling::of_frame(self.groups.rolling(size), self.columns.clone())
    }

    fn all_before(&self) -> Rolling {
        Rolling::of_frame(self.groups.expanding(), self.columns.clone())
    }

    fn bins(&self, rule: &str) -> Resampler {
        Resampler::of_frame(self.groups.resample(rule), self.columns.clone())
    }
}

#[pymethods]
impl GroupBy {
    /// A row for each group, with its keys and aggregates: `agg(col("units").sum(), mean=col("price").mean())`.
    ///
    /// Aggregates may be names: `agg("sum")` of all columns, `agg({"units": "sum", "price": ["min", "max"]})`, whose last two
    /// are called price_min and price_max, and `agg(total=("units", "sum"))`.
    #[pyo3(signature = (*aggregates, **named))]
    fn agg(&self, aggregates: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<DataFrame> {
        let exprs = aggregates_of(aggregates, named, &self.columns)?;
        self.of_groups(aggregates.py(), |groups| groups.agg(exprs))
    }

    /// The number of each row's group, from 0; null where a key is null.
    fn ngroup(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.groups.ngroup()).map(Series::from)
    }

    /// The number of each row within its group, from 0.
    fn cumcount(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.groups.cumcount()).map(Series::from)
    }

    /// The number of rows of each group.
    #[pyo3(signature = (name = "len"))]
    fn len(&self, py: Python<'_>, name: &str) -> PyResult<DataFrame> {
        let name = name.to_owned();
        self.of_groups(py, |groups| groups.agg(columnade::len().alias(name)))
    }

    /// Row n of each group, from 0, or from the end if it is negative.
    fn nth(&self, py: Python<'_>, n: i64) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.nth(n))
    }

    /// The rows of the groups for which an aggregate is true: `filter(cn.len() > 1)`.
    fn filter(&self, py: Python<'_>, condition: &crate::expr::Expr) -> PyResult<DataFrame> {
        let condition = condition.0.clone();
        self.of_groups(py, |groups| groups.filter(condition))
    }

    /// The rows of one group: of a key, or a tuple of keys.
    fn get_group(&self, key: &Bound<'_, PyAny>) -> PyResult<DataFrame> {
        let row = crate::locate::key_of("get_group", key)?;
        self.of_groups(key.py(), |groups| groups.get_group(row))
    }

    /// What a function makes of the rows of each group: `apply(lambda rows: rows.sort_values("n").head(1))`. Further arguments
    /// are passed on.
    ///
    /// Of frames: their rows, one group after the other. Of values: a series of them, whose row labels are the keys. The
    /// function is called once for each group: an aggregate or an expression with `over` is faster where there is one.
    #[pyo3(signature = (function, *args, **kwargs))]
    fn apply<'py>(
        &self,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        const OPERATION: &str = "apply";
        let py = function.py();
        let groups = work(py, || self.groups.groups())?;
        let made = PyList::empty(py);
        for (_, rows) in groups {
            let rows = Bound::new(py, DataFrame(rows))?.into_any();
            let rows = PyTuple::new(py, std::iter::once(rows).chain(args.iter()).collect::<Vec<_>>())?;
            made.append(function.call(rows, kwargs)?)?;
        }
        let frames = made.iter().map(|made| Ok(made.cast::<DataFrame>()?.get().0.clone()));
        if made.is_empty() {
            let reason = "there are no groups, whose columns a result could have";
            return Err(argument(py, ErrorKind::Value, OPERATION, reason));
        }
        if let Ok(frames) = frames.collect::<PyResult<Vec<_>>>() {
            let whole = work(py, || concat_with(&frames, &Concat::rows()))?;
            return Ok(Bound::new(py, DataFrame(whole))?.into_any());
        }
        if made.iter().any(|made| made.is_instance_of::<DataFrame>() || made.is_instance_of::<Series>()) {
            let reason = "the function returns a frame for each group, or a value for each";
            return Err(argument(py, ErrorKind::Type, OPERATION, reason));
        }
        let values = series_of(OPERATION, made.as_any())?;
        let series = work(py, || {
            let keys = self.groups.clone().as_index(true).agg([columnade::len()])?;
            values.with_index(keys.index())
        })?;
        Ok(Bound::new(py, Series::from(series))?.into_any())
    }

    /// Each group as its key, or a tuple of keys, and its rows.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let groups = work(py, || self.groups.groups())?;
        let pair = |(key, rows): (Vec<columnade::Scalar>, Inner)| {
            let parts = key.iter().map(|part| crate::values::to_python(py, part));
            let mut parts = parts.collect::<PyResult<Vec<_>>>()?;
            let key =
                if parts.len() == 1 { parts.swap_remove(0) } else { PyTuple::new(py, parts)?.into_any() };
            PyTuple::new(py, [key, Bound::new(py, DataFrame(rows))?.into_any()])
        };
        let pairs = groups.into_iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, pairs)?.try_iter()?.into_any())
    }

    /// The first n rows of each group.
    #[pyo3(signature = (n = 5))]
    fn head(&self, py: Python<'_>, n: u64) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.head(n))
    }

    /// The last n rows of each group.
    #[pyo3(signature = (n = 5))]
    fn tail(&self, py: Python<'_>, n: u64) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.tail(n))
    }
}

/// One aggregate of all columns that are no keys.
macro_rules! of_all_columns {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl GroupBy {
            $($(#[$meta])*
            #[pyo3(signature = (*columns))]
            fn $name(&self, columns: &Bound<'_, PyTuple>) -> PyResult<DataFrame> {
                let aggregates = if columns.is_empty() {
                    self.columns.iter().map(|label| columnade::col(label.clone()).$name()).collect()
                } else {
                    let aggregate = |column: Bound<'_, PyAny>| {
                        Ok(column_expr_of(stringify!($name), &column)?.$name())
                    };
                    columns.iter().map(aggregate).collect::<PyResult<Vec<_>>>()?
                };
                self.of_groups(columns.py(), |groups| groups.agg(aggregates))
            })*
        }
    };
}

of_all_columns! {
    /// The sum of each column.
    sum;
    /// The mean of each column.
    mean;
    /// The smallest value of each column.
    min;
    /// The largest value of each column.
    max;
    /// The number of values of each column that are not null.
    count;
    /// The sample variance of each column.
    var;
    /// The sample standard deviation of each column.
    std;
    /// The median of each column.
    median;
    /// The number of distinct values of each column.
    nunique;
    /// The first value of each column.
    first;
    /// The last value of each column.
    last;
    /// The product of each column.
    product;
    /// The standard error of the mean of each column.
    sem;
    /// The skewness of each column.
    skew;
    /// The kurtosis of each column.
    kurt;
    /// Whether a value of each column is true.
    any;
    /// Whether all values of each column are true.
    all;
}
