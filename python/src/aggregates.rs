//! Aggregates as arguments: expressions, names, and names by column.

use columnade::{ErrorKind, Expr as Inner, Label};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::expr::{Expr, expr_of};
use crate::label::label_of;
use crate::work::{argument, column_exception};

/// The aggregates of groups, of bins of time and of whole columns, by name.
pub(crate) fn by_name(name: &str, column: Inner) -> Option<Inner> {
    Some(match name {
        "sum" => column.sum(),
        "product" | "prod" => column.product(),
        "mean" => column.mean(),
        "min" => column.min(),
        "max" => column.max(),
        "count" => column.count(),
        "size" => columnade::len(),
        "var" => column.var(),
        "std" => column.std(),
        "sem" => column.sem(),
        "skew" => column.skew(),
        "kurt" => column.kurt(),
        "median" => column.median(),
        "nunique" => column.nunique(),
        "mode" => column.mode(),
        "first" => column.first(),
        "last" => column.last(),
        "any" => column.any(),
        "all" => column.all(),
        "collect" => column.collect(),
        _ => return None,
    })
}

/// The sum, null for fewer than `min_count` values.
pub(crate) fn sum(column: Inner, min_count: u64) -> Inner {
    if min_count == 0 { column.sum() } else { column.sum_min_count(min_count) }
}

/// The product, null for fewer than `min_count` values.
pub(crate) fn product(column: Inner, min_count: u64) -> Inner {
    if min_count == 0 { column.product() } else { column.product_min_count(min_count) }
}

/// The names that [`by_name`] knows, for errors.
pub(crate) const NAMES: &str = "sum, product, mean, min, max, count, size, var, std, sem, skew, kurt, median, nunique, mode, \
                                first, last, any, all and collect";

/// One thing that the arguments of an `agg` ask for.
pub(crate) enum Aggregate {
    Expr(Inner),
    /// An aggregate of a column by name, under a label.
    Named {
        name: String,
        column: Label,
        label: Label,
    },
}

impl Aggregate {
    /// Calls one of a list of names by its name alone, without its column.
    pub(crate) fn call_by_name(&mut self) {
        if let Aggregate::Named { name, column, label } = self
            && label.as_text() == Some(format!("{column}_{name}").as_str())
        {
            *label = name.as_str().into();
        }
    }

    /// The expression, where `make` knows all names.
    pub(crate) fn into_expr(self, make: impl FnOnce(&str, Inner) -> Option<Inner>) -> Option<Inner> {
        match self {
            Aggregate::Expr(expr) => Some(expr),
            Aggregate::Named { name, column, label } => {
                make(&name, columnade::col(column)).map(|expr| expr.alias(label))
            }
        }
    }
}

/// How the arguments of an `agg` are read.
pub(crate) struct Aggregates<'a> {
    pub(crate) operation: &'static str,
    /// The columns that a name alone is for.
    pub(crate) columns: &'a [Label],
    pub(crate) is_known: &'a dyn Fn(&str) -> bool,
    /// The names that are known, for errors.
    pub(crate) names: &'static str,
}

impl Aggregates<'_> {
    /// What is asked for: expressions; names, which are for all columns; dictionaries `{column: name}` and
    /// `{column: [names]}`; `label=expression` and `label=(column, name)`. Where a column has a list of names, its results are
    /// called after the column and the name.
    pub(crate) fn of(
        &self,
        values: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Aggregate>> {
        let mut asked = Vec::new();
        for value in values {
            if let Ok(list) = value.cast::<PyList>() {
                let is_names = list.iter().all(|value| value.is_instance_of::<PyString>());
                if is_names && !list.is_empty() {
                    for label in self.columns {
                        self.several(label, list, &mut asked)?;
                    }
                } else {
                    for value in list {
                        asked.push(self.expression(&value)?);
                    }
                }
            } else if let Ok(columns) = value.cast::<PyDict>() {
                for (label, names) in columns {
                    let label = label_of(self.operation, &label)?;
                    match names.cast::<PyList>() {
                        Ok(names) => self.several(&label, names, &mut asked)?,
                        Err(_) => asked.push(self.one(&label, &names, label.clone())?),
                    }
                }
            } else if value.is_instance_of::<PyString>() {
                for label in self.columns {
                    asked.push(self.one(label, &value, label.clone())?);
                }
            } else {
                asked.push(self.expression(&value)?);
            }
        }
        for (result, value) in named.into_iter().flatten() {
            let result = Label::from(result.extract::<String>()?);
            let pair = value.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
            asked.push(match pair {
                Some(pair) => {
                    let column = label_of(self.operation, &pair.get_item(0)?)?;
                    self.one(&column, &pair.get_item(1)?, result)?
                }
                None => Aggregate::Expr(expr_of(self.operation, &value)?.alias(result)),
            });
        }
        Ok(asked)
    }

    fn expression(&self, value: &Bound<'_, PyAny>) -> PyResult<Aggregate> {
        if let Ok(expr) = value.cast::<Expr>() {
            return Ok(Aggregate::Expr(expr.get().0.clone()));
        }
        let reason = format!(
            "an aggregate is an expression, a name, or a dictionary of names by column, not {}",
            value.get_type().name()?
        );
        Err(argument(value.py(), ErrorKind::Type, self.operation, &reason))
    }

    /// One aggregate of a column, by its name.
    fn one(&self, column: &Label, name: &Bound<'_, PyAny>, label: Label) -> PyResult<Aggregate> {
        let Ok(text) = name.cast::<PyString>() else {
            let reason = format!("the name of an aggregate is a string, not {}", name.get_type().name()?);
            return Err(argument(name.py(), ErrorKind::Type, self.operation, &reason));
        };
        let name_text = text.to_cow()?.into_owned();
        if !(self.is_known)(&name_text) {
            let reason = format!("{name_text:?} is no aggregate here; there are {}", self.names);
            return Err(argument(name.py(), ErrorKind::Value, self.operation, &reason));
        }
        Ok(Aggregate::Named { name: name_text, column: column.clone(), label })
    }

    fn several(&self, column: &Label, names: &Bound<'_, PyList>, asked: &mut Vec<Aggregate>) -> PyResult<()> {
        for name in names {
            let mut parts = column.parts().to_vec();
            if let Some(last) = parts.last_mut() {
                *last = format!("{}_{}", Label::from(last.clone()), name.str()?).into();
            }
            let label = Label::from_parts(parts)
                .map_err(|error| column_exception(names.py(), self.operation, error))?;
            asked.push(self.one(column, &name, label)?);
        }
        Ok(())
    }
}
