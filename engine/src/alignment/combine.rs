//! Values of one side in place of those of the other.

use std::collections::HashMap;

use columnade_buffers::Exec;
use columnade_columns::{
    self as columns, Column, ColumnAccessor, DType, Error as ColumnError, Label, Scalar,
};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::expression::{Expr, Literal, coalesce, col, lit, when};

use super::arithmetic::{FrameOperand, evaluated as computed, labels_of};
use super::{LabelJoin, column_labels};
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::series::{Series, SeriesOperand};

/// Where values are kept: `&frame` of booleans, or `&series`, which stands for every column.
#[derive(Clone, Debug)]
pub enum FrameMask<'a> {
    /// By the labels of rows and of columns.
    Frame(&'a DataFrame),
    /// Every column by the labels of rows.
    Rows(&'a Series),
}

impl<'a> From<&'a DataFrame> for FrameMask<'a> {
    fn from(frame: &'a DataFrame) -> Self {
        FrameMask::Frame(frame)
    }
}

impl<'a> From<&'a Series> for FrameMask<'a> {
    fn from(series: &'a Series) -> Self {
        FrameMask::Rows(series)
    }
}

impl IndexedFrame {
    /// Both under the labels of either, an error for labels that come several times unless both are equal.
    fn align_unique(&self, operation: &'static str, other: &Self) -> Result<(Self, Self)> {
        let exec = self.frame().exec();
        if !self.index().has_labels_of(other.index()).operation(operation)? {
            self.index().check_unique(operation, exec)?;
            other.index().check_unique(operation, exec)?;
        }
        self.align_rows(operation, other, LabelJoin::Outer)
    }

    /// The only column in the rows of `target`, null for labels that are not there.
    fn values_in(&self, operation: &'static str, target: &Index, exec: &Exec) -> Result<Column> {
        let take = self.index().taken_by(operation, target, exec)?;
        let columns = take.columns(self.frame().accessor(), exec).operation(operation)?;
        Ok(columns.columns()[0].clone())
    }
}

/// Values of `new` where they are not null, in the dtype of `before`.
fn updated(before: &Column, new: &Column, exec: &Exec) -> columns::Result<Column> {
    let (from, to) = (new.dtype(), before.dtype());
    let new = if from != to && from.is_numeric() && to.is_numeric() {
        cast(new, &to, CastMode::Checked, exec)?
    } else {
        new.clone()
    };
    let made = computed(&[("new", &new), ("before", before)], coalesce([col("new"), col("before")]), exec)?;
    if made.dtype() == to { Ok(made) } else { Err(ColumnError::DTypeMismatch { left: to, right: from }) }
}

/// Whether values stay: where a mask is true, or false if those are replaced; where it is null they do not.
fn kept(is_mask: bool) -> Expr {
    if is_mask { !col("mask") } else { col("mask") }
}

/// What stands in place of values that do not stay.
enum Other {
    Column(Column),
    Literal(Literal),
}

fn chosen(
    values: &Column,
    mask: &Column,
    is_mask: bool,
    other: &Other,
    exec: &Exec,
) -> columns::Result<Column> {
    if mask.dtype() != DType::Bool {
        return Err(ColumnError::NotBoolean { dtype: mask.dtype() });
    }
    let made = |other| when(kept(is_mask)).then(col("values")).otherwise(other);
    match other {
        Other::Column(column) => {
            computed(&[("values", values), ("mask", mask), ("other", column)], made(col("other")), exec)
        }
        Other::Literal(value) => {
            computed(&[("values", values), ("mask", mask)], made(lit(value.clone())), exec)
        }
    }
}

impl Series {
    /// The values, and those of another series where they are null or not there: under the labels of either, sorted.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let (a, b) = (Series::new([Some(1), None])?, Series::new([7, 8, 9])?);
    /// assert_eq!(a.combine_first(&b)?.to_vec::<i32>()?, [1, 8, 9]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for labels that come several times unless both are equal; [`Error::Operation`] for dtypes
    /// without a common dtype, labels of another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.combine_first`.
    pub fn combine_first(&self, other: &Series) -> Result<Series> {
        const OPERATION: &str = "combine_first";
        let (left, right) = self.inner.align_unique(OPERATION, &other.inner)?;
        let (left, right) = (Self::from_indexed(left), Self::from_indexed(right));
        let both = [("left", left.values()), ("right", right.values())];
        let made = computed(&both, coalesce([col("left"), col("right")]), self.exec());
        left.with_values(OPERATION, made.map_err(|error| self.named(error)).operation(OPERATION)?)
    }

    /// The values, or those of another series for the same labels where they are not null. The dtype stays.
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for labels of `other` that come several times unless both are equal; [`Error::Operation`] for
    /// values that the dtype does not have, labels of another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.update`.
    pub fn update(&self, other: &Series) -> Result<Series> {
        const OPERATION: &str = "update";
        let new = other.inner.values_in(OPERATION, self.index(), self.exec())?;
        let made = updated(self.values(), &new, self.exec());
        self.with_values(OPERATION, made.map_err(|error| self.named(error)).operation(OPERATION)?)
    }

    /// The values where `condition` is true, otherwise those of `other`: a series, by label, or one value. Where the condition
    /// is null or has not the label, those of `other`.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([1, 2, 3])?;
    /// assert_eq!(n.where_(&n.gt(1)?, 0)?.to_vec::<i32>()?, [0, 2, 3]);
    /// assert_eq!(n.mask(&n.gt(1)?, 0)?.to_vec::<i32>()?, [1, 0, 0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for other labels of the condition or of `other` that come several times;
    /// [`Error::Operation`] for a condition that is not boolean, dtypes without a common dtype, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.where`.
    pub fn where_<'a>(&self, condition: &Series, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.chosen("where_", condition, other.into(), false)
    }

    /// The values where `condition` is false, otherwise those of `other`: see [`where_`](Self::where_).
    ///
    /// # Errors
    /// Same as [`where_`](Self::where_).
    ///
    /// # Source
    /// pandas `Series.mask`.
    pub fn mask<'a>(&self, condition: &Series, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.chosen("mask", condition, other.into(), true)
    }

    fn chosen(
        &self,
        operation: &'static str,
        condition: &Series,
        other: SeriesOperand<'_>,
        is_mask: bool,
    ) -> Result<Series> {
        let exec = self.exec();
        let mask = condition.inner.values_in(operation, self.index(), exec)?;
        let other = match other {
            SeriesOperand::Literal(value) => Other::Literal(value),
            SeriesOperand::Series(series) => {
                Other::Column(series.inner.values_in(operation, self.index(), exec)?)
            }
        };
        let made = chosen(self.values(), &mask, is_mask, &other, exec);
        self.with_values(operation, made.map_err(|error| self.named(error)).operation(operation)?)
    }
}

impl DataFrame {
    /// The values, and those of another frame where they are null or not there: under the labels of either, those of rows
    /// sorted, those of columns in the order of this frame and then of the other.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let a = df! { "n" => [Some(1), None] }?;
    /// let b = df! { "n" => [7, 8], "m" => [3, 4] }?;
    /// let both = a.combine_first(&b)?;
    /// assert_eq!(both.columns(), ["n", "m"]);
    /// assert_eq!(both.column("n")?.to_vec::<i32>()?, [1, 8]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Series::combine_first`]; errors name the column.
    ///
    /// # Source
    /// pandas `DataFrame.combine_first`.
    pub fn combine_first(&self, other: &DataFrame) -> Result<DataFrame> {
        const OPERATION: &str = "combine_first";
        let labels = column_labels::either(self.columns(), other.columns());
        let (left, right) = self.indexed_frame().align_unique(OPERATION, other.indexed_frame())?;
        let dtypes = other.indexed_frame().dtypes_by_label();
        let dtype = |label: &Label| dtypes.get(label).cloned().unwrap_or(DType::Null);
        let left = Self::from_indexed(left.with_column_labels(OPERATION, &labels, dtype)?);
        let others = right.frame().accessor();
        left.each_with(OPERATION, |label, column| {
            if !others.contains(label) {
                return Ok(column.clone());
            }
            let both = [("left", column), ("right", right.frame().column(OPERATION, label)?)];
            computed(&both, coalesce([col("left"), col("right")]), self.exec())
                .map_err(|error| error.in_column(label))
                .operation(OPERATION)
        })
    }

    /// The values, or those of another frame for the same labels of rows and columns where they are not null. Dtypes stay.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "n" => [1, 2] }?.update(&df! { "n" => [None, Some(9)] }?)?;
    /// assert_eq!(frame.column("n")?.to_vec::<i32>()?, [1, 9]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Series::update`]; errors name the column.
    ///
    /// # Source
    /// pandas `DataFrame.update`.
    pub fn update(&self, other: &DataFrame) -> Result<DataFrame> {
        const OPERATION: &str = "update";
        let exec = self.exec();
        let take = other.index().taken_by(OPERATION, self.index(), exec)?;
        let others = take.columns(other.frame().accessor(), exec).operation(OPERATION)?;
        self.each_with(OPERATION, |label, column| {
            if !others.contains(label) {
                return Ok(column.clone());
            }
            let made = others.get(label).and_then(|new| updated(column, new, exec));
            made.map_err(|error| error.in_column(label)).operation(OPERATION)
        })
    }

    /// The values where `condition` is true, otherwise those of `other`. Where the condition is null or has not the labels,
    /// those of `other`.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 5], "b" => [6, 2] }?;
    /// let large = frame.where_(&frame.gt(4)?, 0)?;
    /// assert_eq!(large.column("a")?.to_vec::<i32>()?, [0, 5]);
    /// assert_eq!(frame.mask(&frame.column("a")?.gt(4)?, 0)?.column("b")?.to_vec::<i32>()?, [6, 0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Series::where_`]; errors name the column.
    ///
    /// # Source
    /// pandas `DataFrame.where`.
    pub fn where_<'a, 'b>(
        &self,
        condition: impl Into<FrameMask<'a>>,
        other: impl Into<FrameOperand<'b>>,
    ) -> Result<DataFrame> {
        self.chosen("where_", &condition.into(), &other.into(), false)
    }

    /// The values where `condition` is false, otherwise those of `other`: see [`where_`](Self::where_).
    ///
    /// # Errors
    /// Same as [`where_`](Self::where_).
    ///
    /// # Source
    /// pandas `DataFrame.mask`.
    pub fn mask<'a, 'b>(
        &self,
        condition: impl Into<FrameMask<'a>>,
        other: impl Into<FrameOperand<'b>>,
    ) -> Result<DataFrame> {
        self.chosen("mask", &condition.into(), &other.into(), true)
    }

    fn chosen(
        &self,
        operation: &'static str,
        condition: &FrameMask<'_>,
        other: &FrameOperand<'_>,
        is_mask: bool,
    ) -> Result<DataFrame> {
        let exec = self.exec();
        let nulls =
            |dtype: DType| Column::from_scalar(&Scalar::Null(dtype), self.len(), exec).operation(operation);
        let in_rows = |frame: &DataFrame| {
            let take = frame.index().taken_by(operation, self.index(), exec)?;
            take.columns(frame.frame().accessor(), exec).operation(operation)
        };
        let of_label = |columns: &ColumnAccessor, label: &Label, dtype: DType| {
            if columns.contains(label) {
                columns.get(label).cloned().operation(operation)
            } else {
                nulls(dtype)
            }
        };
        let (masks, mask) = match condition {
            FrameMask::Frame(frame) => (Some(in_rows(frame)?), None),
            FrameMask::Rows(series) => (None, Some(series.inner.values_in(operation, self.index(), exec)?)),
        };
        let (others, rows) = match other {
            FrameOperand::Frame(frame) => (Some(in_rows(frame)?), None),
            FrameOperand::Rows(series) => {
                (None, Some(series.inner.values_in(operation, self.index(), exec)?))
            }
            FrameOperand::Columns(_) | FrameOperand::Literal(_) => (None, None),
        };
        let of_columns = match other {
            FrameOperand::Columns(series) => {
                series.index().check_unique(operation, series.exec())?;
                labels_of(operation, series)?.into_iter().zip(series.to_scalars()?).collect()
            }
            FrameOperand::Frame(_) | FrameOperand::Rows(_) | FrameOperand::Literal(_) => HashMap::new(),
        };
        self.each_with(operation, |label, column| {
            let mask = match (&masks, &mask) {
                (Some(masks), _) => of_label(masks, label, DType::Bool)?,
                (_, Some(mask)) => mask.clone(),
                (None, None) => nulls(DType::Bool)?,
            };
            let other = match (&others, &rows, other) {
                (Some(others), _, _) => Other::Column(of_label(others, label, column.dtype())?),
                (_, Some(rows), _) => Other::Column(rows.clone()),
                (_, _, FrameOperand::Literal(value)) => Other::Literal(value.clone()),
                _ => {
                    let value = of_columns.get(label).cloned();
                    Other::Literal(value.unwrap_or_else(|| Scalar::Null(column.dtype())).into())
                }
            };
            chosen(column, &mask, is_mask, &other, exec)
                .map_err(|error| error.in_column(label))
                .operation(operation)
        })
    }
}
