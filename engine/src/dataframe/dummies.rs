//! Columns of booleans for the values of a column, and back.

use columnade_columns::{Column, ColumnAccessor, DType, Error as ColumnError, Label, Scalar};
use columnade_ops::copying::take;
use columnade_ops::expression::{Expr, col, evaluate, lit, when};

use super::DataFrame;
use super::crosstab::sum;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::selection::IntoLabels;

/// Which columns [`DataFrame::get_dummies`] replaces, and what it calls the new ones.
///
/// # Source
/// pandas `get_dummies(columns=…, prefix_sep=…, dummy_na=…, drop_first=…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dummies {
    columns: Option<Vec<Label>>,
    prefix_sep: String,
    dummy_na: bool,
    drop_first: bool,
}

impl Default for Dummies {
    fn default() -> Self {
        Self { columns: None, prefix_sep: "_".to_owned(), dummy_na: false, drop_first: false }
    }
}

impl Dummies {
    /// All columns of strings and dictionaries.
    pub fn new() -> Self {
        Self::default()
    }

    /// These columns, of any dtype that is not nested.
    #[must_use]
    pub fn columns<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { columns: Some(labels.into_labels()), ..self }
    }

    /// What stands between the label of a column and its value in the label of a new one. Default: `_`.
    #[must_use]
    pub fn prefix_sep(self, separator: impl Into<String>) -> Self {
        Self { prefix_sep: separator.into(), ..self }
    }

    /// Whether there is a column for nulls too, called as the value `nan`. Default: false.
    #[must_use]
    pub fn dummy_na(self, dummy_na: bool) -> Self {
        Self { dummy_na, ..self }
    }

    /// Whether the column of the first value is left out. Default: false.
    #[must_use]
    pub fn drop_first(self, drop_first: bool) -> Self {
        Self { drop_first, ..self }
    }
}

impl From<std::ops::RangeFull> for Dummies {
    fn from(_: std::ops::RangeFull) -> Self {
        Self::new()
    }
}

impl DataFrame {
    /// The other columns, then a column of booleans for each distinct value of the chosen ones, in ascending order: whether a
    /// row has that value.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "n" => [1_i64, 2], "item" => ["tea", "rye"] }?;
    /// let dummies = frame.get_dummies(..)?;
    /// assert_eq!(dummies.columns(), ["n", "item_rye", "item_tea"]);
    /// assert!(dummies.drop("n")?.from_dummies("_", None)?.equals(&frame.select("item")?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for nested values, for a label that comes twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `get_dummies`, Polars `DataFrame.to_dummies`.
    pub fn get_dummies(&self, options: impl Into<Dummies>) -> Result<Self> {
        const OPERATION: &str = "get_dummies";
        let Dummies { columns, prefix_sep, dummy_na, drop_first } = options.into();
        let accessor = self.frame().accessor();
        if let Some(labels) = &columns {
            self.frame().check_labels(OPERATION, labels)?;
        }
        let is_text =
            |dtype: &DType| *dtype.logical() == DType::Utf8 || matches!(dtype, DType::Dictionary(_));
        let is_chosen = |label: &Label, column: &Column| {
            columns.as_ref().map_or_else(|| is_text(&column.dtype()), |labels| labels.contains(label))
        };
        let (chosen, others): (Vec<_>, Vec<_>) =
            accessor.iter().partition(|(label, column)| is_chosen(label, column));
        let mut made = ColumnAccessor::with_rows(self.len());
        for (label, column) in others {
            made.insert(label.clone(), column.clone()).operation(OPERATION)?;
        }
        for (label, values) in chosen {
            let series = self.column(label)?;
            let dummies = series.dummies_as(OPERATION)?;
            for (value, dummy) in dummies.frame().accessor().iter().skip(usize::from(drop_first)) {
                let label = format!("{label}{prefix_sep}{value}");
                made.insert(label, dummy.clone()).operation(OPERATION)?;
            }
            if dummy_na {
                let rows = ColumnAccessor::from_columns([("x", values.clone())]).operation(OPERATION)?;
                let nulls = evaluate(&[col("x").is_null()], &rows, self.exec()).operation(OPERATION)?;
                for (_, nulls) in nulls {
                    made.insert(format!("{label}{prefix_sep}nan"), nulls).operation(OPERATION)?;
                }
            }
        }
        self.with_rows(made).with_index(self.index())
    }

    /// Columns of strings from columns of booleans or numbers, of which each row has one that is not zero: its label is the
    /// value. Labels are cut at the first `separator`, before which the label of the result stands; without one (`""`) the
    /// result is one column with the label `""`. If no column of a row is set, its value is `default`.
    ///
    /// # Errors
    /// [`Error::Operation`] for a label without the separator, for dtypes other than booleans and numbers, for nulls, for a row
    /// with several values, for one with none if there is no default, and when memory runs out.
    ///
    /// # Source
    /// pandas `from_dummies(sep=…, default_category=…)`.
    pub fn from_dummies(&self, separator: &str, default: Option<&str>) -> Result<Self> {
        const OPERATION: &str = "from_dummies";
        let mut groups: Vec<(String, Vec<(String, &Column)>)> = Vec::new();
        for (label, column) in self.frame().accessor().iter() {
            let text = label.to_string();
            let (prefix, value) = match text.split_once(separator) {
                _ if separator.is_empty() => ("", text.as_str()),
                Some(parts) => parts,
                None => {
                    let reason = format!("the label {label:?} does not have it");
                    return Err(crate::Error::argument(OPERATION, "separator", reason));
                }
            };
            if column.null_count(self.exec()).operation(OPERATION)? > 0 {
                let reason = format!("the column {label:?} has nulls");
                return Err(crate::Error::argument(OPERATION, "frame", reason));
            }
            let dtype = column.dtype();
            if dtype != DType::Bool && !dtype.is_numeric() {
                return Err(ColumnError::UnsupportedDType { dtype }.in_column(label)).operation(OPERATION);
            }
            match groups.iter_mut().find(|(group, _)| group == prefix) {
                Some((_, values)) => values.push((value.to_owned(), column)),
                None => groups.push((prefix.to_owned(), vec![(value.to_owned(), column)])),
            }
        }
        let mut made = ColumnAccessor::with_rows(self.len());
        for (prefix, values) in groups {
            let column = self.of_dummies(OPERATION, &prefix, &values, default)?;
            made.insert(prefix, column).operation(OPERATION)?;
        }
        Ok(Self::from_frame(Frame::new(made, self.exec().clone())))
    }

    /// The value of each row among `values`.
    fn of_dummies(
        &self,
        operation: &'static str,
        prefix: &str,
        values: &[(String, &Column)],
        default: Option<&str>,
    ) -> Result<Column> {
        let exec = self.exec();
        let columns =
            values.iter().enumerate().map(|(position, (_, column))| (position.to_string(), *column));
        let columns = columns.map(|(label, column)| (label, column.clone()));
        let rows = ColumnAccessor::from_columns(columns).operation(operation)?;
        let terms = |of: fn(i64) -> Expr| {
            let term = |(label, position): (&Label, i64)| {
                when(col(label.clone()).cast(DType::Float64).ne(0.0)).then(of(position)).otherwise(lit(0_i64))
            };
            sum(rows.labels().iter().zip(0..).map(term).collect()).unwrap_or_else(|| lit(0_i64))
        };
        let end = i64::try_from(values.len()).unwrap_or(i64::MAX);
        let set = terms(|_| lit(1_i64)).alias("set");
        let position = terms(lit);
        let position = when(terms(|_| lit(1_i64)).eq(0_i64)).then(lit(end)).otherwise(position);
        let found = evaluate(&[set, position.alias("position")], &rows, exec).operation(operation)?;
        let counted = ColumnAccessor::from_columns(found).operation(operation)?;
        let counts = DataFrame::from_accessor(counted.clone(), exec);
        for (wrong, reason) in [
            (Some(col("set").gt(1_i64)), "several values"),
            (default.is_none().then(|| col("set").eq(0_i64)), "no value"),
        ] {
            let Some(wrong) = wrong else { continue };
            let wrong = counts.evaluate_any(operation, wrong)?;
            if let Some(row) = wrong {
                let reason = format!("row {row} has {reason} of {prefix:?}");
                return Err(crate::Error::argument(operation, "frame", reason));
            }
        }
        let mut texts: Vec<Scalar> = values.iter().map(|(value, _)| value.as_str().into()).collect();
        texts.push(default.unwrap_or_default().into());
        let texts = Column::from_scalars(&DType::Utf8, &texts, exec).operation(operation)?;
        let position = counted.get("position").operation(operation)?;
        take(&texts, position, exec).operation(operation)
    }

    /// The first row for which the condition is true.
    fn evaluate_any(&self, operation: &'static str, condition: Expr) -> Result<Option<i64>> {
        let number = columnade_ops::expression::row_number() - 1;
        let rows = when(condition).then(number).otherwise(lit(columnade_ops::expression::Literal::Null));
        let first = self.frame().evaluate(operation, &[rows.min().alias("row")])?;
        let first = first.first().filter(|(_, column)| !column.is_empty());
        let first = first.map(|(_, column)| column.get(0)).transpose().operation(operation)?;
        Ok(first.and_then(|row| if let Scalar::Int64(row) = row { Some(row) } else { None }))
    }
}
