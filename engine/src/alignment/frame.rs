//! Frames by the labels of their rows and columns.

use std::collections::HashMap;

use columnade_columns::{Column, ColumnAccessor, DType, Label, Scalar};

use super::{LabelJoin, column_labels};
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::indexed_frame::IndexedFrame;

impl IndexedFrame {
    /// The columns of these labels, those that are not there with nulls of the dtype that `dtype` returns.
    pub(crate) fn with_column_labels(
        &self,
        operation: &'static str,
        labels: &[Label],
        dtype: impl Fn(&Label) -> DType,
    ) -> Result<Self> {
        let frame = self.frame();
        if frame.labels() == labels {
            return Ok(self.clone());
        }
        let mut columns = ColumnAccessor::with_levels(frame.len(), frame.accessor().levels().clone());
        for label in labels {
            let column = if frame.accessor().contains(label) {
                frame.column(operation, label)?.clone()
            } else {
                Column::from_scalar(&Scalar::Null(dtype(label)), frame.len(), frame.exec())
                    .operation(operation)?
            };
            columns.insert(label, column).operation(operation)?;
        }
        Ok(self.with_frame(frame.with_columns(columns)))
    }

    /// The dtype of each column.
    pub(crate) fn dtypes_by_label(&self) -> HashMap<Label, DType> {
        self.frame().accessor().dtypes().map(|(label, dtype)| (label.clone(), dtype)).collect()
    }

    /// Both with the columns that `how` keeps. A column that one side does not have has the dtype of the other's.
    pub(crate) fn align_columns(
        &self,
        operation: &'static str,
        other: &Self,
        how: LabelJoin,
    ) -> Result<(Self, Self)> {
        let labels = column_labels::aligned(self.frame().labels(), other.frame().labels(), how);
        let known = |of: &Self| {
            let dtypes = of.dtypes_by_label();
            move |label: &Label| dtypes.get(label).cloned().unwrap_or(DType::Null)
        };
        let left = self.with_column_labels(operation, &labels, known(other))?;
        Ok((left, other.with_column_labels(operation, &labels, known(self))?))
    }
}

impl DataFrame {
    /// Both frames under the labels of rows and of columns that `how` keeps; null where one does not have a label. Labels of
    /// rows that come several times on both sides are paired, each with each, unless all labels are equal; labels of several
    /// levels are joined by those of one name.
    ///
    /// ```
    /// use columnade::{LabelJoin, df};
    ///
    /// let a = df! { "k" => ["x", "y"], "n" => [1, 2] }?.set_index("k")?;
    /// let b = df! { "k" => ["y"], "m" => [3] }?.set_index("k")?;
    /// let (left, right) = a.align(&b, LabelJoin::Outer)?;
    /// assert_eq!(left.columns(), ["m", "n"]);
    /// assert_eq!(right.column("m")?.to_options::<i32>()?, [None, Some(3)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for labels of one level that are not unique beside several levels; [`Error::Operation`] for
    /// labels of several levels without one of the same name, labels of another kind, frames on different devices, and when
    /// memory runs out.
    ///
    /// # Device
    /// As [`Series::align`](crate::Series::align).
    ///
    /// # Source
    /// pandas `DataFrame.align(join=…)`.
    pub fn align(&self, other: &DataFrame, how: LabelJoin) -> Result<(DataFrame, DataFrame)> {
        self.aligned_with("align", other, how)
    }

    /// [`align`](Self::align) of the rows alone: both frames keep their columns.
    ///
    /// # Errors
    /// Same as [`align`](Self::align).
    ///
    /// # Source
    /// pandas `DataFrame.align(axis=0)`.
    pub fn align_rows(&self, other: &DataFrame, how: LabelJoin) -> Result<(DataFrame, DataFrame)> {
        let (left, right) = self.indexed_frame().align_rows("align_rows", other.indexed_frame(), how)?;
        Ok((Self::from_indexed(left), Self::from_indexed(right)))
    }

    pub(crate) fn aligned_with(
        &self,
        operation: &'static str,
        other: &DataFrame,
        how: LabelJoin,
    ) -> Result<(DataFrame, DataFrame)> {
        let (left, right) = self.indexed_frame().align_columns(operation, other.indexed_frame(), how)?;
        let (left, right) = left.align_rows(operation, &right, how)?;
        Ok((Self::from_indexed(left), Self::from_indexed(right)))
    }
}
