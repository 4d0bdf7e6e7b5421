//! Values for rows that labels or positions select.

use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::{
    self as columns, AsLabel, CategoricalColumn, Column, ColumnValue, Error as ColumnError, IntoColumn,
    Label, Scalar,
};
use columnade_ops::categories::codes_of;
use columnade_ops::copying::{MapNulls, gather_column, take};
use columnade_ops::distinct::is_in;
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::join::{JoinKind, NullEquality, hash_join};
use columnade_ops::selection::{Step, positions, range_labels};

use super::key::{LabelRows, Rows};
use super::position_rows::PositionRows;
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::index::lookup::{computed, right_of, rows_of};
use crate::selection::argument::{Many, One, Values};
use crate::series::Series;

/// Values as rows are given them: see [`DataFrame::set_loc`].
#[derive(Clone, Debug)]
pub enum SetKind {
    /// One value for all rows.
    Literal(Literal),
    /// A value for each row in their order.
    Rows(Column),
    /// For each row the value of its label.
    Aligned(Series),
}

/// What [`DataFrame::set_loc`] takes: one value, values in the order of the rows, or a series, whose values go to the rows of
/// their labels. The parameter is inferred.
pub trait IntoSetValues<Kind> {
    /// The values.
    ///
    /// # Errors
    /// Those of building a column of the values.
    fn into_set_values(self, exec: &Exec) -> columns::Result<SetKind>;
}

impl<L: Into<Literal>> IntoSetValues<One> for L {
    fn into_set_values(self, _: &Exec) -> columns::Result<SetKind> {
        Ok(SetKind::Literal(self.into()))
    }
}

impl<T: ColumnValue, const N: usize> IntoSetValues<Many> for [T; N] {
    fn into_set_values(self, exec: &Exec) -> columns::Result<SetKind> {
        self.into_column(exec).map(SetKind::Rows)
    }
}

impl<T: ColumnValue> IntoSetValues<Many> for Vec<T> {
    fn into_set_values(self, exec: &Exec) -> columns::Result<SetKind> {
        self.into_column(exec).map(SetKind::Rows)
    }
}

impl IntoSetValues<Values> for &Series {
    fn into_set_values(self, exec: &Exec) -> columns::Result<SetKind> {
        let values = self.values().to_device(exec)?;
        let moved = Series::unnamed("set_loc", values, exec.clone());
        // Only the shape could be wrong.
        let moved = moved.map_err(|_| ColumnError::Internal { invariant: "one column is a series" })?;
        Ok(SetKind::Aligned(moved.labelled_by(&self.index().to_device(exec)?)))
    }
}

impl DataFrame {
    /// The frame with other values of one column in the rows that labels select; a new frame, which shares the other columns.
    /// The column keeps its dtype, and a dictionary its categories. A series gives each row the value of its label, null without one; of a position that is set
    /// twice the last value counts.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "c"], "n" => [1, 2, 3] }?.set_index("k")?;
    /// let frame = frame.set_loc("b", "n", 9)?.set_loc(["c", "a"], "n", [7, 8])?;
    /// assert_eq!(frame.column("n")?.to_vec::<i32>()?, [8, 9, 7]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLabels`], since labels that are not there are not added; [`Error::DuplicateLabels`] for a series with other
    /// labels that are not unique; [`Error::Operation`] for values that are not of the column's dtype, or are no category of a
    /// dictionary, and for another number of values than of rows. It names the column.
    ///
    /// # Device
    /// One pass over the column; values in an order of their own are joined with the rows first.
    ///
    /// # Source
    /// pandas `DataFrame.loc[rows, column] = values`.
    pub fn set_loc<K>(
        &self,
        rows: impl Into<LabelRows>,
        column: impl AsLabel,
        values: impl IntoSetValues<K>,
    ) -> Result<Self> {
        const OPERATION: &str = "set_loc";
        let rows = rows.into().0;
        if let Rows::Where(predicate) = &rows {
            self.frame().check_expressions(OPERATION, std::slice::from_ref(predicate))?;
        }
        let step = self.indexed_frame().label_step(OPERATION, &rows)?;
        let values = values.into_set_values(self.exec()).operation(OPERATION)?;
        self.set(OPERATION, &step, &column.to_label(), values)
    }

    /// [`set_loc`](Self::set_loc) of rows at positions.
    ///
    /// # Errors
    /// As [`iloc`](Self::iloc) and [`set_loc`](Self::set_loc).
    ///
    /// # Source
    /// pandas `DataFrame.iloc[rows, column] = values`.
    pub fn set_iloc<K>(
        &self,
        rows: impl Into<PositionRows>,
        column: impl AsLabel,
        values: impl IntoSetValues<K>,
    ) -> Result<Self> {
        const OPERATION: &str = "set_iloc";
        let step = rows.into().step(OPERATION, self.len(), self.exec())?;
        let values = values.into_set_values(self.exec()).operation(OPERATION)?;
        self.set(OPERATION, &step, &column.to_label(), values)
    }

    fn set(&self, operation: &'static str, step: &Step, label: &Label, values: SetKind) -> Result<Self> {
        let exec = self.exec();
        let before = self.frame().column(operation, label)?;
        let values = match values {
            SetKind::Aligned(series) => SetKind::Rows(self.values_by_label(operation, step, &series)?),
            SetKind::Literal(_) | SetKind::Rows(_) => values,
        };
        // A series may have no name.
        let about = |error: ColumnError| {
            let error = error.without_context();
            if *label == Label::NULL { error } else { error.in_column(label) }
        };
        let made = match (before, values) {
            (Column::Categorical(before), SetKind::Literal(value)) => {
                with_category(before, step, value, exec)
            }
            (Column::Categorical(before), SetKind::Rows(values)) if !is_dictionary(&values) => {
                with_categories(before, step, &values, exec)
            }
            (_, SetKind::Literal(value)) => with_literal(before, step, value, exec),
            (_, SetKind::Rows(values)) => with_values(before, step, &values, exec),
            (_, SetKind::Aligned(_)) => Err(ColumnError::Internal { invariant: "the values were aligned" }),
        };
        let made = made.map_err(about).operation(operation)?;
        if made.dtype() != before.dtype() {
            let error = ColumnError::DTypeMismatch { left: before.dtype(), right: made.dtype() };
            return Err(about(error)).operation(operation);
        }
        let mut columns = self.frame().accessor().clone();
        columns.set(label, made).operation(operation)?;
        let frame = self.frame().with_columns(columns);
        Ok(Self::from_indexed(self.indexed_frame().with_frame(frame)))
    }

    /// The value of a series for each row of a step, null where it has none for the label.
    fn values_by_label(&self, operation: &'static str, step: &Step, series: &Series) -> Result<Column> {
        let exec = self.exec();
        let labels = self.index().picked(std::slice::from_ref(step), exec).operation(operation)?;
        if series.index().has_labels_of(&labels).operation(operation)? {
            return Ok(series.values().clone());
        }
        series.index().check_unique(operation, exec)?;
        let maps = series.index().joined(operation, &labels, exec)?;
        let map = right_of(&maps).operation(operation)?;
        gather_column(series.values(), map, MapNulls::Possible, exec).operation(operation)
    }
}

impl Series {
    /// The series with other values in the rows that labels select: see [`DataFrame::set_loc`].
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let series = Series::new([1, 2, 3])?.with_index(&Index::new(["a", "b", "c"])?)?;
    /// let series = series.set_loc("b", 9)?.set_iloc(-1, 7)?;
    /// assert_eq!(series.to_vec::<i32>()?, [1, 9, 7]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DataFrame::set_loc`].
    ///
    /// # Source
    /// pandas `Series.loc[rows] = values`.
    pub fn set_loc<K>(&self, rows: impl Into<LabelRows>, values: impl IntoSetValues<K>) -> Result<Self> {
        let made = DataFrame::from_indexed(self.inner.clone()).set_loc(rows, self.name(), values)?;
        Ok(Self::from_indexed(made.indexed_frame().clone()))
    }

    /// [`set_loc`](Self::set_loc) of rows at positions.
    ///
    /// # Errors
    /// As [`DataFrame::set_iloc`].
    ///
    /// # Source
    /// pandas `Series.iloc[rows] = values`.
    pub fn set_iloc<K>(&self, rows: impl Into<PositionRows>, values: impl IntoSetValues<K>) -> Result<Self> {
        let made = DataFrame::from_indexed(self.inner.clone()).set_iloc(rows, self.name(), values)?;
        Ok(Self::from_indexed(made.indexed_frame().clone()))
    }
}

fn with_literal(before: &Column, step: &Step, value: Literal, exec: &Exec) -> columns::Result<Column> {
    let rows = range_labels(0, 1, before.size(), exec)?;
    let is_set = is_in(&rows, &rows_of(step, exec)?, NullEquality::Equal, exec)?;
    let made = when(col("is_set")).then(lit(value)).otherwise(col("before"));
    computed(&[("before", before), ("is_set", &is_set)], made, exec)
}

fn is_dictionary(values: &Column) -> bool {
    matches!(values, Column::Categorical(_))
}

/// A dictionary with one of its categories in the rows of a step, or null.
fn with_category(
    before: &CategoricalColumn,
    step: &Step,
    value: Literal,
    exec: &Exec,
) -> columns::Result<Column> {
    let row = range_labels(0, 1, 1, exec)?;
    let value = computed(&[("row", &row)], lit(value).cast(before.dictionary().dtype()), exec)?;
    let code = Literal::from(codes_of(&value, before, exec)?.get(0)?);
    recoded(before, &with_literal(&before.codes(), step, code, exec)?)
}

/// A dictionary with some of its categories, or nulls, in the rows of a step.
fn with_categories(
    before: &CategoricalColumn,
    step: &Step,
    values: &Column,
    exec: &Exec,
) -> columns::Result<Column> {
    let codes = codes_of(values, before, exec)?;
    recoded(before, &with_values(&before.codes(), step, &codes, exec)?)
}

/// The dictionary with other codes.
fn recoded(before: &CategoricalColumn, codes: &Column) -> columns::Result<Column> {
    let made = CategoricalColumn::new(codes, Arc::clone(before.dictionary()))?;
    Ok(Column::Categorical(if before.is_ordered() { made.as_ordered() } else { made }))
}

fn with_values(before: &Column, step: &Step, values: &Column, exec: &Exec) -> columns::Result<Column> {
    if values.size() != step.len() {
        return Err(ColumnError::LengthMismatch { expected: step.len(), found: values.size() });
    }
    // Nulls alone, or no values, have no dtype of their own.
    let nulls;
    let values = if let Column::Null(_) = values {
        nulls = Column::full_null(&before.dtype(), values.size(), exec)?;
        &nulls
    } else {
        values
    };
    let (rows, set) = (range_labels(0, 1, before.size(), exec)?, rows_of(step, exec)?);
    let last = if step.is_distinct() { None } else { Some(last_of_each(&set, exec)?) };
    let keys = last.as_ref().map_or(Ok(set.clone()), |last| take(&set, last, exec))?;
    let maps = hash_join(&[&rows], &[&keys], JoinKind::Left, NullEquality::Equal, exec)?;
    let found = positions(right_of(&maps)?, exec)?;
    let values = last.as_ref().map_or(Ok(values.clone()), |last| take(values, last, exec))?;
    let values = gather_column(&values, right_of(&maps)?, MapNulls::Possible, exec)?;
    let made = when(col("found").ge(lit(Scalar::Int64(0)))).then(col("values")).otherwise(col("before"));
    computed(&[("before", before), ("values", &values), ("found", &found)], made, exec)
}

/// The last position of each value.
fn last_of_each(values: &Column, exec: &Exec) -> columns::Result<Column> {
    use columnade_columns::ColumnAccessor;
    use columnade_ops::distinct::{Keep, unique};
    let at = range_labels(0, 1, values.size(), exec)?;
    let rows = ColumnAccessor::from_columns([("value", values.clone()), ("at", at)])?;
    Ok(unique(&rows, ["value"], Keep::Last, exec)?.get("at")?.clone())
}
