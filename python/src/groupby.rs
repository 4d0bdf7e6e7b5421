//! Groups of rows.

use std::sync::Arc;

use columnade::errors::ColumnError;
use columnade::{
    DataFrame as Inner, Error, ErrorKind, Expr, GroupKey, GroupResult, Label, Scalar, WindowSize,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::aggregates::{Aggregates, NAMES, by_name};
use crate::both::interpolation_of;
use crate::expr::column_expr_of;
use crate::frame::DataFrame;
use crate::label::{label_of, labels_of};
use crate::resample::{Grouper, Resampler};
use crate::rolling::{Rolling, selection_of};
use crate::series::{Series, series_of};
use crate::windows::Windows;
use crate::work::{argument, natural, work, work_as};

/// Rows with equal keys. Groups come in the order of their first row; with `sort` in the order of their keys.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct GroupBy {
    pub(crate) groups: columnade::GroupBy<'static>,
    /// The columns that are no keys, or those that were chosen.
    pub(crate) columns: Arc<[Label]>,
    /// The frame.
    rows: Inner,
    /// Whether the keys of results are row labels.
    as_index: bool,
}

/// One column of groups: `groups["units"]`. Its aggregates are series where the keys are row labels (`as_index`), and else
/// frames with the keys.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct SeriesGroupBy {
    pub(crate) groups: GroupBy,
    pub(crate) label: Label,
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
        let groups = groups.observed(options.observed).as_index(options.as_index);
        Ok(Self { groups, columns, rows: frame.clone(), as_index: options.as_index })
    }

    /// The same groups for some columns.
    fn choose(&self, py: Python<'_>, labels: Vec<Label>) -> PyResult<Self> {
        for label in &labels {
            // The error names the columns that there are.
            work(py, || self.rows.column(label))?;
        }
        let (groups, rows) = (self.groups.clone(), self.rows.clone());
        Ok(Self { groups, columns: labels.into(), rows, as_index: self.as_index })
    }

    /// Expressions within the groups, for each row.
    pub(crate) fn within(
        &self,
        py: Python<'_>,
        operation: &'static str,
        exprs: Vec<Expr>,
    ) -> PyResult<DataFrame> {
        work_as(py, operation, || self.groups.transform(exprs)).map(DataFrame)
    }

    /// Whether a column has numbers or booleans.
    fn is_number(&self, label: &Label) -> bool {
        let dtype = self.rows.column(label).map(|column| column.dtype());
        dtype.is_ok_and(|dtype| dtype.is_numeric() || dtype == columnade::DType::Bool)
    }

    /// The columns of numbers.
    pub(crate) fn numbers(&self) -> Vec<Label> {
        let is_number =
            |label: &&Label| self.rows.column(*label).is_ok_and(|column| column.dtype().is_numeric());
        self.columns.iter().filter(is_number).cloned().collect()
    }

    /// A value for each group under its key.
    fn by_key(&self, py: Python<'_>, values: &columnade::Series) -> PyResult<columnade::Series> {
        work(py, || {
            let keys = self.groups.clone().as_index(true).agg([columnade::len()])?;
            values.with_index(keys.index())
        })
    }

    /// The results of a function of each group under the keys.
    fn together<R: GroupResult + Send>(&self, py: Python<'_>, made: Vec<R>) -> PyResult<R::Together>
    where
        R::Together: Send,
    {
        let mut made = made.into_iter();
        let missing = || Error::from(ColumnError::Internal { invariant: "each group has a result" });
        work(py, || self.groups.apply(|_: &[Scalar], _: &Inner| made.next().ok_or_else(missing)))
    }

    /// Series or values of each group as one series.
    fn of_values<'py>(
        &self,
        py: Python<'py>,
        operation: &'static str,
        made: &Bound<'py, PyList>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let series = made.iter().map(|made| Ok(made.cast::<Series>()?.get().0.clone()));
        if let Ok(series) = series.collect::<PyResult<Vec<_>>>() {
            let whole = self.together(py, series)?;
            return Ok(Bound::new(py, Series::from(whole))?.into_any());
        }
        if made.iter().any(|made| made.is_instance_of::<DataFrame>() || made.is_instance_of::<Series>()) {
            let reason =
                "the function returns a frame for each group, a series for each, or a value for each";
            return Err(argument(py, ErrorKind::Type, operation, reason));
        }
        let values = series_of(operation, made.as_any())?;
        Ok(Bound::new(py, Series::from(self.by_key(py, &values)?))?.into_any())
    }

    /// An aggregate of some columns, or of all that are no keys.
    fn each_column(
        &self,
        columns: &Bound<'_, PyTuple>,
        operation: &'static str,
        numeric_only: bool,
        make: impl Fn(Expr) -> Expr,
    ) -> PyResult<DataFrame> {
        let aggregates = if columns.is_empty() {
            let chosen = self.columns.iter().filter(|label| !numeric_only || self.is_number(label));
            chosen.map(|label| make(columnade::col(label.clone()))).collect()
        } else {
            let aggregate = |column: Bound<'_, PyAny>| Ok(make(column_expr_of(operation, &column)?));
            columns.iter().map(aggregate).collect::<PyResult<Vec<_>>>()?
        };
        self.of_groups(columns.py(), |groups| groups.agg(aggregates))
    }

    pub(crate) fn of_groups(
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

impl Windows for SeriesGroupBy {
    fn rows_before(&self, size: WindowSize) -> Rolling {
        self.groups.rows_before(size)
    }

    fn all_before(&self) -> Rolling {
        self.groups.all_before()
    }

    fn bins(&self, rule: &str) -> Resampler {
        self.groups.bins(rule)
    }

    fn column(&self) -> Option<&Label> {
        Some(&self.label)
    }
}

impl SeriesGroupBy {
    /// The column of rows of the frame.
    pub(crate) fn picked(
        &self,
        py: Python<'_>,
        pick: impl FnOnce(&columnade::GroupBy<'static>) -> Result<Inner, Error> + Send,
    ) -> PyResult<Series> {
        work(py, || pick(&self.groups.groups)?.column(&self.label)).map(Series::from)
    }

    /// The column of a result.
    pub(crate) fn column_of(&self, py: Python<'_>, made: &DataFrame) -> PyResult<columnade::Series> {
        work(py, || made.0.column(&self.label))
    }

    /// An aggregate: a series, or a frame with the keys.
    pub(crate) fn result<'py>(&self, py: Python<'py>, made: DataFrame) -> PyResult<Bound<'py, PyAny>> {
        if self.groups.as_index {
            let column = self.column_of(py, &made)?;
            return Ok(Bound::new(py, Series::from(column))?.into_any());
        }
        Ok(Bound::new(py, made)?.into_any())
    }
}

#[pymethods]
impl SeriesGroupBy {
    /// Aggregates of the column: a name gives a series, several names a frame with a column for each, called after it.
    #[pyo3(signature = (*aggregates, **named))]
    fn agg<'py>(
        &self,
        aggregates: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = aggregates.py();
        let mut exprs = Vec::new();
        let one = |name: &Bound<'_, PyAny>| -> PyResult<Expr> {
            let arguments = PyTuple::new(py, [name])?;
            let made = aggregates_of(&arguments, None, std::slice::from_ref(&self.label))?;
            made.into_iter().next().ok_or_else(|| {
                argument(py, ErrorKind::Value, "agg", "an aggregate is a name or an expression")
            })
        };
        let mut is_several = named.is_some_and(|named| !named.is_empty()) || aggregates.len() != 1;
        for aggregate in aggregates {
            match aggregate.cast::<PyList>() {
                Ok(names) => {
                    is_several = true;
                    for name in names {
                        let label = label_of("agg", &name).ok();
                        let made = one(&name)?;
                        exprs.push(match label {
                            Some(label) => made.alias(label),
                            None => made,
                        });
                    }
                }
                Err(_) => exprs.push(one(&aggregate)?),
            }
        }
        for (label, name) in named.into_iter().flatten() {
            exprs.push(one(&name)?.alias(label_of("agg", &label)?));
        }
        let made = self.groups.of_groups(py, |groups| groups.agg(exprs))?;
        if is_several || !made.0.columns().contains(&self.label) {
            return Ok(Bound::new(py, made)?.into_any());
        }
        self.result(py, made)
    }

    /// The number of rows of each group: a series, or a frame with the keys where these are no row labels.
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.groups.of_groups(py, |groups| groups.agg(columnade::len().alias("size")))?;
        if !self.groups.as_index {
            return Ok(Bound::new(py, made)?.into_any());
        }
        let sizes = work(py, || Ok(made.0.column("size")?.rename(self.label.clone())))?;
        Ok(Bound::new(py, Series::from(sizes))?.into_any())
    }

    /// The first n values of each group; of a negative n all but the last -n.
    #[pyo3(signature = (n = 5))]
    fn head(&self, py: Python<'_>, n: i64) -> PyResult<Series> {
        self.picked(py, |groups| groups.head(n))
    }

    /// The last n values of each group; of a negative n all but the first -n.
    #[pyo3(signature = (n = 5))]
    fn tail(&self, py: Python<'_>, n: i64) -> PyResult<Series> {
        self.picked(py, |groups| groups.tail(n))
    }

    /// Value n of each group, from 0, or from the end if it is negative.
    fn nth(&self, py: Python<'_>, n: i64) -> PyResult<Series> {
        self.picked(py, |groups| groups.nth(n))
    }

    /// The number of each row within its group, from 0.
    fn cumcount(&self, py: Python<'_>) -> PyResult<Series> {
        self.groups.cumcount(py)
    }

    /// The number of each row's group, from 0; null where a key is null.
    fn ngroup(&self, py: Python<'_>) -> PyResult<Series> {
        self.groups.ngroup(py)
    }

    /// The value below which a share `q` of the values of each group lies; of a list of shares a series, whose row labels are
    /// the keys and the shares.
    #[pyo3(signature = (q = None, interpolation = "linear"))]
    fn quantile<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Bound<'py, PyAny>>,
        interpolation: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.result(py, self.groups.quantile(py, q, interpolation, false)?)
    }

    /// The row label of the smallest value of each group; null without values.
    fn idxmin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.result(py, self.groups.idxmin(py)?)
    }

    /// The row label of the largest value of each group; null without values.
    fn idxmax<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.result(py, self.groups.idxmax(py)?)
    }

    /// What a function makes of the values of each group; see `GroupBy.apply`.
    #[pyo3(signature = (function, *args, **kwargs))]
    fn apply<'py>(
        &self,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = function.py();
        let made = PyList::empty(py);
        for (_, rows) in work(py, || self.groups.groups.groups())? {
            let column = work(py, || rows.column(&self.label))?;
            let column = Bound::new(py, Series::from(column))?.into_any();
            let arguments = std::iter::once(column).chain(args.iter()).collect::<Vec<_>>();
            made.append(function.call(PyTuple::new(py, arguments)?, kwargs)?)?;
        }
        let series = self.groups.of_values(py, "apply", &made)?;
        let series = series.cast::<Series>()?.get().0.rename(self.label.clone());
        Ok(Bound::new(py, Series::from(series))?.into_any())
    }
}

#[pymethods]
impl GroupBy {
    /// The same groups for a column by its label, or for those of a list.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        let (labels, is_one) = selection_of("group_by", key)?;
        let groups = self.choose(py, labels.clone())?;
        match labels.into_iter().next() {
            Some(label) if is_one => Ok(Bound::new(py, SeriesGroupBy { groups, label })?.into_any()),
            _ => Ok(Bound::new(py, groups)?.into_any()),
        }
    }

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

    /// The quantile `q`, 0 to 1, of each column; of a list of shares a row for each group and share, which is the last level of
    /// the row labels, or the column "q" where keys are no row labels.
    #[pyo3(signature = (q = None, interpolation = "linear", numeric_only = false))]
    fn quantile(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        interpolation: &str,
        numeric_only: bool,
    ) -> PyResult<DataFrame> {
        let interpolation = interpolation_of(py, "quantile", interpolation)?;
        let labels = self.columns.iter().filter(|label| !numeric_only || self.is_number(label));
        let labels: Vec<Label> = labels.cloned().collect();
        let one = match q {
            None => Some(0.5),
            Some(q) => q.extract::<f64>().ok(),
        };
        if let (None, Some(q)) = (one, q) {
            let qs: Vec<f64> = q.extract()?;
            return work_as(py, "quantile", || self.groups.quantiles(labels, qs, interpolation))
                .map(DataFrame);
        }
        let q = one.unwrap_or(0.5);
        let exprs = labels.into_iter().map(|label| columnade::col(label).quantile_with(q, interpolation));
        let exprs: Vec<Expr> = exprs.collect();
        work_as(py, "quantile", || self.groups.agg(exprs)).map(DataFrame)
    }

    /// The row label of the smallest value of each column in each group; null without values.
    fn idxmin(&self, py: Python<'_>) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.idxmin(self.columns.iter().cloned()))
    }

    /// The row label of the largest value of each column in each group; null without values.
    fn idxmax(&self, py: Python<'_>) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.idxmax(self.columns.iter().cloned()))
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
    /// Of frames and of series: their rows, one group after the other, with the keys as the first levels of the row labels; without
    /// groups no rows of this frame. Of values: a series of them, whose row labels are the keys. The function is called once for
    /// each group: an aggregate or an expression with `over` is faster where there is one.
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
        if let Ok(frames) = frames.collect::<PyResult<Vec<_>>>() {
            let whole = self.together(py, frames)?;
            return Ok(Bound::new(py, DataFrame(whole))?.into_any());
        }
        self.of_values(py, OPERATION, &made)
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

    /// The first n rows of each group; of a negative n all but the last -n.
    #[pyo3(signature = (n = 5))]
    fn head(&self, py: Python<'_>, n: i64) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.head(n))
    }

    /// The last n rows of each group; of a negative n all but the first -n.
    #[pyo3(signature = (n = 5))]
    fn tail(&self, py: Python<'_>, n: i64) -> PyResult<DataFrame> {
        self.of_groups(py, |groups| groups.tail(n))
    }
}

/// One aggregate of all columns that are no keys.
macro_rules! of_all_columns {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl GroupBy {
            $($(#[$meta])*
            #[pyo3(signature = (*columns, numeric_only = false))]
            fn $name(&self, columns: &Bound<'_, PyTuple>, numeric_only: bool) -> PyResult<DataFrame> {
                self.each_column(columns, stringify!($name), numeric_only, Expr::$name)
            })*
        }

        #[pymethods]
        impl SeriesGroupBy {
            $($(#[$meta])*
            fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let aggregate = columnade::col(self.label.clone()).$name();
                self.result(py, self.groups.of_groups(py, |groups| groups.agg([aggregate]))?)
            })*
        }
    };
}

/// Those with a count as an argument, which has a default.
macro_rules! of_all_columns_with {
    ($argument:ident: $ty:ty = $default:tt; $($(#[$meta:meta])* $name:ident => $make:path;)*) => {
        #[pymethods]
        impl GroupBy {
            $($(#[$meta])*
            #[pyo3(signature = (*columns, numeric_only = false, $argument = $default))]
            fn $name(
                &self,
                columns: &Bound<'_, PyTuple>,
                numeric_only: bool,
                $argument: i64,
            ) -> PyResult<DataFrame> {
                let count: $ty = natural(columns.py(), stringify!($name), stringify!($argument), $argument)?;
                let make = |column| $make(column, count);
                self.each_column(columns, stringify!($name), numeric_only, make)
            })*
        }

        #[pymethods]
        impl SeriesGroupBy {
            $($(#[$meta])*
            #[pyo3(signature = ($argument = $default))]
            fn $name<'py>(&self, py: Python<'py>, $argument: i64) -> PyResult<Bound<'py, PyAny>> {
                let count: $ty = natural(py, stringify!($name), stringify!($argument), $argument)?;
                let aggregate = $make(columnade::col(self.label.clone()), count);
                self.result(py, self.groups.of_groups(py, |groups| groups.agg([aggregate]))?)
            })*
        }
    };
}

of_all_columns_with! { min_count: u64 = 0;
    /// The sum of each column; with `numeric_only` of those of numbers and booleans, as for the others. Null for fewer than
    /// `min_count` values.
    sum => crate::aggregates::sum;
    /// The product of each column; null for fewer than `min_count` values.
    product => crate::aggregates::product;
}

of_all_columns_with! { ddof: u32 = 1;
    /// The variance of each column, divided by the number of values less `ddof`.
    var => Expr::var_ddof;
    /// The standard deviation of each column, the square root of the variance.
    std => Expr::std_ddof;
    /// The standard error of the mean of each column.
    sem => Expr::sem_ddof;
}

of_all_columns! {
    /// The mean of each column.
    mean;
    /// The smallest value of each column.
    min;
    /// The largest value of each column.
    max;
    /// The number of values of each column that are not null.
    count;
    /// The median of each column.
    median;
    /// The number of distinct values of each column.
    nunique;
    /// The first value of each column.
    first;
    /// The last value of each column.
    last;
    /// The skewness of each column.
    skew;
    /// The kurtosis of each column.
    kurt;
    /// Whether a value of each column is true.
    any;
    /// Whether all values of each column are true.
    all;
}
