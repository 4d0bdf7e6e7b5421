//! Filling nulls, and dropping rows with nulls.

use std::ops::RangeFull;

use columnade_columns::{Error as ColumnError, Label};
use columnade_ops::expression::Literal;
use columnade_ops::missing::{DropHow, fill_null, valid_rows};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::selection::IntoLabels;

impl DataFrame {
    /// The frame with nulls replaced by `value` in every column whose dtype has it; other columns stay as they are: 0 fills
    /// numbers and leaves strings, dates and lists alone. NaN is not null. [`fill_null_strict`](Self::fill_null_strict)
    /// refuses columns that the value does not fit, [`Series::fill_null`](crate::Series::fill_null) fills one column.
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let frame = DataFrame::new([("x", [Some(1_i64), None]), ("y", [None, Some(4)])])?;
    /// let frame = frame.with_column("word", [Some("a"), None])?;
    /// let filled = frame.fill_null(0)?;
    /// assert_eq!(filled.column("y")?.to_scalars()?, [0_i64.into(), 4_i64.into()]);
    /// assert_eq!(filled.column("word")?.null_count()?, 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// Polars `DataFrame.fill_null(value)`.
    pub fn fill_null(&self, value: impl Into<Literal>) -> Result<Self> {
        self.filled("fill_null", &value.into(), false)
    }

    /// Like [`fill_null`](Self::fill_null), with an error for a column that the value does not fit.
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let frame = DataFrame::new([("word", [Some("a"), None])])?;
    /// let refused = frame.fill_null_strict(0).map_err(|error| error.to_string());
    /// assert!(refused.is_err_and(|text| text.contains("\"word\"")));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`], naming the column, for a value that its dtype does not have, for nested columns, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `DataFrame.fillna(value)`.
    pub fn fill_null_strict(&self, value: impl Into<Literal>) -> Result<Self> {
        self.filled("fill_null_strict", &value.into(), true)
    }

    /// The frame with nulls of some columns replaced, each by its own value. NaN is not null.
    ///
    /// ```
    /// use columnade::DataFrame;
    /// use columnade::expressions::Literal;
    ///
    /// let frame = DataFrame::new([("x", [Some(1_i64), None])])?.with_column("word", [Some("a"), None])?;
    /// let filled = frame.fill_null_each([("x", Literal::from(0)), ("word", "none".into())])?;
    /// assert_eq!(filled.column("x")?.to_vec::<i64>()?, [1, 0]);
    /// assert_eq!(filled.column("word")?.to_vec::<String>()?, ["a", "none"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`], naming the column, for a value that its dtype does not have, for nested
    /// columns, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.fillna({…})`.
    pub fn fill_null_each<L: Into<Label>, V: Into<Literal>>(
        &self,
        values: impl IntoIterator<Item = (L, V)>,
    ) -> Result<Self> {
        const OPERATION: &str = "fill_null_each";
        let values: Vec<(Label, Literal)> =
            values.into_iter().map(|(label, value)| (label.into(), value.into())).collect();
        self.frame().check_labels(OPERATION, values.iter().map(|(label, _)| label))?;
        let mut columns = self.frame().accessor().clone();
        for (label, value) in values {
            let column = columns.get(&label).operation(OPERATION)?;
            let filled = fill_null(column, &value, self.exec()).map_err(|error| {
                if matches!(error, ColumnError::Memory(_)) { error } else { error.in_column(&label) }
            });
            columns.set(label.clone(), filled.operation(OPERATION)?).operation(OPERATION)?;
        }
        Ok(self.with_accessor(columns))
    }

    fn filled(&self, operation: &'static str, value: &Literal, strict: bool) -> Result<Self> {
        let mut columns = self.frame().accessor().clone();
        for (label, column) in self.frame().accessor().iter() {
            let filled = match fill_null(column, value, self.exec()) {
                Ok(filled) => filled,
                // What `fill_null` says of a value that does not fit.
                Err(
                    ColumnError::InvalidArgument { .. }
                    | ColumnError::Parse { .. }
                    | ColumnError::Overflow { .. }
                    | ColumnError::DTypeMismatch { .. }
                    | ColumnError::UnsupportedDType { .. },
                ) if !strict => continue,
                Err(ColumnError::Memory(memory)) => {
                    return Err(Error::Operation { operation, source: memory.into() });
                }
                Err(other) => return Err(Error::Operation { operation, source: other.in_column(label) }),
            };
            columns.set(label.clone(), filled).operation(operation)?;
        }
        Ok(self.with_accessor(columns))
    }

    /// The rows without nulls, in order, by all columns (`..`), by some, or as [`DropNulls`] says. NaN is not null.
    ///
    /// ```
    /// use columnade::{DataFrame, DropNulls};
    ///
    /// let frame = DataFrame::new([("x", [Some(1_i64), None, None]), ("y", [None, Some(4), None])])?;
    /// assert_eq!(frame.drop_nulls(..)?.len(), 0);
    /// assert_eq!(frame.drop_nulls("x")?.len(), 1);
    /// assert_eq!(frame.drop_nulls(["x", "y"])?.len(), 0);
    /// assert_eq!(frame.drop_nulls(DropNulls::all())?.len(), 2);
    /// assert_eq!(frame.drop_nulls(DropNulls::thresh(1).subset(["x", "y"]))?.len(), 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a label given twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.dropna(how=…, thresh=…, subset=…)`, Polars `DataFrame.drop_nulls(subset)`.
    pub fn drop_nulls(&self, options: impl Into<DropNulls>) -> Result<Self> {
        const OPERATION: &str = "drop_nulls";
        let DropNulls { how, subset } = options.into();
        let columns = self.frame().accessor();
        let labels = subset.as_deref().unwrap_or(columns.labels());
        self.frame().check_labels(OPERATION, labels)?;
        let rows = valid_rows(columns, labels, how, self.exec());
        self.with_picked(OPERATION, rows.operation(OPERATION)?)
    }
}

/// Which rows [`DataFrame::drop_nulls`] drops. `..` stands for [`any`](Self::any); a label or a list of labels for
/// [`any`](Self::any) of these columns.
///
/// # Source
/// pandas `dropna(how=…, thresh=…, subset=…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropNulls {
    how: DropHow,
    /// `None` for all columns.
    subset: Option<Vec<Label>>,
}

impl DropNulls {
    /// Drops rows with at least one null.
    pub fn any() -> Self {
        Self { how: DropHow::Any, subset: None }
    }

    /// Drops rows of which every value is null.
    pub fn all() -> Self {
        Self { how: DropHow::All, subset: None }
    }

    /// Drops rows with fewer than `values` values that are not null.
    pub fn thresh(values: usize) -> Self {
        Self { how: DropHow::Thresh(values), subset: None }
    }

    /// Looks at these columns only: `"a"` or `["a", "b"]`. Default: all columns.
    #[must_use]
    pub fn subset<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { subset: Some(labels.into_labels()), ..self }
    }
}

impl From<RangeFull> for DropNulls {
    fn from(_: RangeFull) -> Self {
        Self::any()
    }
}

macro_rules! from_label {
    ($($ty:ty),*) => {
        $(impl From<$ty> for DropNulls {
            fn from(label: $ty) -> Self {
                Self::any().subset(label)
            }
        })*
    };
}

from_label!(&str, String, &String, Label, &Label);

impl<L: Into<Label>> From<Vec<L>> for DropNulls {
    fn from(labels: Vec<L>) -> Self {
        Self::any().subset(labels)
    }
}

impl<L: Into<Label>, const N: usize> From<[L; N]> for DropNulls {
    fn from(labels: [L; N]) -> Self {
        Self::any().subset(labels)
    }
}

impl<'a, S> From<&'a [S]> for DropNulls
where
    &'a S: Into<Label>,
{
    fn from(labels: &'a [S]) -> Self {
        Self::any().subset(labels)
    }
}
