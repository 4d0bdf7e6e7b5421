//! Frames in other shapes.

use columnade::expressions::Repeats;
use columnade::{
    Crosstab, DataFrame as Inner, Dummies, ErrorKind, Expr as InnerExpr, Label, Melt, Normalize, Pivot,
    PivotTable, WideToLong, col,
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::expr::{column_expr_of, label_list_of};
use crate::frame::DataFrame;
use crate::index::Index;
use crate::label::label_of;
use crate::series::{Series, series_of};
use crate::values::literal_of;
use crate::work::{argument, work};

/// Labels of an argument that may be absent.
fn labels_or_none(operation: &'static str, labels: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Label>> {
    labels.map_or(Ok(Vec::new()), |labels| label_list_of(operation, labels))
}

/// One expression or a list of them, each as pandas' `aggfunc` says if that is given.
fn aggregates_of(values: &Bound<'_, PyAny>, aggfunc: Option<&str>) -> PyResult<Vec<InnerExpr>> {
    const OPERATION: &str = "pivot_table";
    let Some(name) = aggfunc else {
        return match values.cast::<PyList>() {
            Ok(values) => values.iter().map(|value| column_expr_of(OPERATION, &value)).collect(),
            Err(_) => Ok(vec![column_expr_of(OPERATION, values)?]),
        };
    };
    let py = values.py();
    let aggregate = |label: Label| {
        let values = col(label.clone());
        let made = match name {
            "sum" => values.sum(),
            "mean" => values.mean(),
            "min" => values.min(),
            "max" => values.max(),
            "count" => values.count(),
            "median" => values.median(),
            "first" => values.first(),
            "last" => values.last(),
            "nunique" => values.nunique(),
            _ => {
                let reason = format!(
                    "aggfunc {name:?} is none of sum, mean, min, max, count, median, first, last and nunique: give \
                     values as expressions"
                );
                return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
            }
        };
        Ok(made.alias(label))
    };
    label_list_of(OPERATION, values)?.into_iter().map(aggregate).collect()
}

#[pymethods]
impl DataFrame {
    /// A row for each key in `index` and a column for each key in `columns`, with the one value that has both. Keys that
    /// have two values are an error: `pivot_table` aggregates them.
    #[pyo3(signature = (columns, index = None, values = None))]
    fn pivot(
        &self,
        py: Python<'_>,
        columns: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
        values: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "pivot";
        let mut pivot = Pivot::new().columns(label_list_of(OPERATION, columns)?);
        if let Some(index) = index {
            pivot = pivot.index(label_list_of(OPERATION, index)?);
        }
        if let Some(values) = values {
            pivot = pivot.values(label_list_of(OPERATION, values)?);
        }
        work(py, || self.0.pivot(&pivot)).map(Self)
    }

    /// Aggregates of the values with each key in `index` and each in `columns`.
    ///
    /// values: aggregates as expressions; or labels, and the name of an aggregate in `aggfunc`.
    /// margins: a name for a last row and a last column with the aggregates of all rows and columns.
    #[pyo3(signature = (
        values, index = None, columns = None, aggfunc = None, fill_value = None, margins = None, dropna = true
    ))]
    fn pivot_table(
        &self,
        values: &Bound<'_, PyAny>,
        index: Option<&Bound<'_, PyAny>>,
        columns: Option<&Bound<'_, PyAny>>,
        aggfunc: Option<&str>,
        fill_value: Option<&Bound<'_, PyAny>>,
        margins: Option<String>,
        dropna: bool,
    ) -> PyResult<Self> {
        const OPERATION: &str = "pivot_table";
        let py = values.py();
        let mut table = PivotTable::new().values(aggregates_of(values, aggfunc)?).dropna(dropna);
        table = table.index(labels_or_none(OPERATION, index)?).columns(labels_or_none(OPERATION, columns)?);
        if let Some(value) = fill_value {
            table = table.fill_value(literal_of(OPERATION, value)?);
        }
        if let Some(name) = margins {
            table = table.margins(name);
        }
        work(py, || self.0.pivot_table(&table)).map(Self)
    }

    /// A row for each value of the columns `value_vars`, with its column's label, beside the columns `id_vars`.
    #[pyo3(signature = (id_vars = None, value_vars = None, var_name = None, value_name = None))]
    fn melt(
        &self,
        py: Python<'_>,
        id_vars: Option<&Bound<'_, PyAny>>,
        value_vars: Option<&Bound<'_, PyAny>>,
        var_name: Option<&Bound<'_, PyAny>>,
        value_name: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "melt";
        let mut melt = Melt::new().id_vars(labels_or_none(OPERATION, id_vars)?);
        if let Some(labels) = value_vars {
            melt = melt.value_vars(label_list_of(OPERATION, labels)?);
        }
        if let Some(name) = var_name {
            melt = melt.var_name(label_of(OPERATION, name)?);
        }
        if let Some(name) = value_name {
            melt = melt.value_name(label_of(OPERATION, name)?);
        }
        work(py, || self.0.melt(&melt)).map(Self)
    }

    /// A row for each suffix of the columns that begin with `stubs`; the column `j` has the suffix. Suffixes are digits,
    /// with `any_suffix` any text.
    #[pyo3(signature = (stubs, i, j, sep = "", any_suffix = false))]
    fn wide_to_long(
        &self,
        stubs: &Bound<'_, PyAny>,
        i: &Bound<'_, PyAny>,
        j: &Bound<'_, PyAny>,
        sep: &str,
        any_suffix: bool,
    ) -> PyResult<Self> {
        const OPERATION: &str = "wide_to_long";
        let stubs_list = label_list_of(OPERATION, stubs)?;
        let mut options = WideToLong::new(stubs_list, label_of(OPERATION, j)?);
        options = options.i(label_list_of(OPERATION, i)?).separator(sep);
        if any_suffix {
            options = options.any_suffix();
        }
        work(stubs.py(), || self.0.wide_to_long(&options)).map(Self)
    }

    /// A boolean column for each value of the columns, by default of those of strings and dictionaries.
    #[pyo3(signature = (columns = None, prefix_sep = "_", dummy_na = false, drop_first = false))]
    fn get_dummies(
        &self,
        py: Python<'_>,
        columns: Option<&Bound<'_, PyAny>>,
        prefix_sep: &str,
        dummy_na: bool,
        drop_first: bool,
    ) -> PyResult<Self> {
        let mut dummies = Dummies::new().prefix_sep(prefix_sep).dummy_na(dummy_na).drop_first(drop_first);
        if let Some(columns) = columns {
            dummies = dummies.columns(label_list_of("get_dummies", columns)?);
        }
        work(py, || self.0.get_dummies(dummies)).map(Self)
    }

    /// The columns that dummies were made of: the text before the separator is the label, that after it the value.
    #[pyo3(signature = (sep, default = None))]
    #[expect(clippy::wrong_self_convention, reason = "as pandas calls it")]
    fn from_dummies(&self, py: Python<'_>, sep: &str, default: Option<&str>) -> PyResult<Self> {
        work(py, || self.0.from_dummies(sep, default)).map(Self)
    }

    /// Rows as columns and columns as rows.
    fn transpose(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.transpose()).map(Self)
    }

    /// All rows with their labels, `count` times one after the other.
    fn tile(&self, py: Python<'_>, count: usize) -> PyResult<Self> {
        work(py, || self.0.tile(count)).map(Self)
    }

    /// Each row with its label as often as a number says, or one for each row.
    fn repeat(&self, repeats: &Bound<'_, PyAny>) -> PyResult<Self> {
        let counts = repeats_of(repeats)?;
        work(repeats.py(), || self.0.repeat(counts)).map(Self)
    }

    /// The values row by row: the first of each column, then the second.
    fn interleave_columns(&self, py: Python<'_>) -> PyResult<Series> {
        work(py, || self.0.interleave_columns()).map(Series::from)
    }
}

/// How often rows come: a number, or one for each row.
fn repeats_of(repeats: &Bound<'_, PyAny>) -> PyResult<Repeats> {
    if let Ok(count) = repeats.extract::<i64>() {
        return usize::try_from(count).map(Repeats::from).map_err(|_| {
            argument(repeats.py(), ErrorKind::Value, "repeat", &format!("{count} is negative"))
        });
    }
    Ok(series_of("repeat", repeats)?.into())
}

#[pymethods]
impl Series {
    /// Each value with its label as often as a number says, or one for each value.
    fn repeat(&self, repeats: &Bound<'_, PyAny>) -> PyResult<Self> {
        let counts = repeats_of(repeats)?;
        work(repeats.py(), || self.0.repeat(counts)).map(Self::from)
    }

    /// All values with their labels, `count` times one after the other.
    fn tile(&self, py: Python<'_>, count: usize) -> PyResult<Self> {
        work(py, || self.0.tile(count)).map(Self::from)
    }
}

#[pymethods]
impl Index {
    /// Each label as often as a number says, or one for each label.
    fn repeat(&self, repeats: &Bound<'_, PyAny>) -> PyResult<Self> {
        let counts = repeats_of(repeats)?;
        work(repeats.py(), || self.0.repeat(counts)).map(Self)
    }
}

/// The number of rows with each pair of values of two series.
///
/// margins: a name for a last row and a last column with the numbers of all.
/// normalize: "all", "index" or "columns" gives shares in the place of numbers.
#[pyfunction]
#[pyo3(signature = (index, columns, margins = None, normalize = None))]
pub(crate) fn crosstab(
    index: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    margins: Option<String>,
    normalize: Option<&str>,
) -> PyResult<DataFrame> {
    const OPERATION: &str = "crosstab";
    let py = index.py();
    let (index, columns) = (series_of(OPERATION, index)?, series_of(OPERATION, columns)?);
    let mut options = Crosstab::new();
    if let Some(name) = margins {
        options = options.margins(name);
    }
    if let Some(name) = normalize {
        options = options.normalize(match name {
            "all" => Normalize::All,
            "index" => Normalize::Index,
            "columns" => Normalize::Columns,
            _ => {
                return Err(argument(py, ErrorKind::Value, OPERATION, "normalize is all, index or columns"));
            }
        });
    }
    let made: Inner = work(py, || columnade::crosstab(&index, &columns, options))?;
    Ok(DataFrame::from(made))
}
