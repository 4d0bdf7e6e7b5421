//! Groups of rows.

use std::sync::Arc;

use columnade::expressions::Selector;
use columnade::{DataFrame as Inner, Error, Expr, Label};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::expr::{column_expr_of, column_exprs_of};
use crate::frame::DataFrame;
use crate::work::work;

/// Rows with equal keys. Groups come in the order of their first row; with `sort` in the order of their keys.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct GroupBy {
    frame: Inner,
    keys: Arc<[Expr]>,
    sort: bool,
    dropna: bool,
}

/// Aggregates of arguments: expressions, lists of them, and `name=expression`.
pub(crate) fn aggregates_of(
    aggregates: &Bound<'_, PyTuple>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Expr>> {
    column_exprs_of("agg", aggregates, named)
}

impl GroupBy {
    pub(crate) fn new(frame: Inner, keys: Vec<Expr>, sort: bool, dropna: bool) -> Self {
        Self { frame, keys: keys.into(), sort, dropna }
    }

    fn of_groups(
        &self,
        py: Python<'_>,
        compute: impl FnOnce(columnade::GroupBy<'_>) -> Result<Inner, Error> + Send,
    ) -> PyResult<DataFrame> {
        let keys = || self.keys.iter().cloned().map(Selector::from).collect::<Vec<_>>();
        let groups = || compute(self.frame.group_by(keys()).sort(self.sort).dropna(self.dropna));
        work(py, groups).map(DataFrame)
    }
}

#[pymethods]
impl GroupBy {
    /// A row for each group, with its keys and aggregates: `agg(col("units").sum(), mean=col("price").mean())`.
    #[pyo3(signature = (*aggregates, **named))]
    fn agg(&self, aggregates: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<DataFrame> {
        let exprs = aggregates_of(aggregates, named)?;
        self.of_groups(aggregates.py(), |groups| groups.agg(exprs))
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

    /// Each group as its key, or a tuple of keys, and its rows.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let keys = self.keys.iter().cloned().map(Selector::from).collect::<Vec<_>>();
        let groups = work(py, || self.frame.group_by(keys).sort(self.sort).dropna(self.dropna).groups())?;
        let pair = |(key, rows): (Vec<columnade::Scalar>, Inner)| {
            let parts = key.iter().map(|part| crate::values::to_python(py, part));
            let mut parts = parts.collect::<PyResult<Vec<_>>>()?;
            let key =
                if parts.len() == 1 { parts.swap_remove(0) } else { PyTuple::new(py, parts)?.into_any() };
            PyTuple::new(py, [key, Bound::new(py, DataFrame(rows))?.into_any()])
        };
        let pairs = groups.into_iter().map(pair).collect::<PyResult<Vec<_>>>()?;
        Ok(pyo3::types::PyList::new(py, pairs)?.try_iter()?.into_any())
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
                    self.columns().into_iter().map(|column| column.$name()).collect()
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

impl GroupBy {
    /// The columns that are no keys.
    fn columns(&self) -> Vec<Expr> {
        let is_key = |label: &Label| self.keys.iter().any(|key| key.label() == *label);
        self.frame
            .columns()
            .iter()
            .filter(|label| !is_key(label))
            .map(|label| columnade::col(label.clone()))
            .collect()
    }
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
}
