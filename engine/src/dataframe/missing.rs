//! Filling nulls, and dropping rows with nulls.

use columnade_columns::Error as ColumnError;
use columnade_ops::expression::Literal;
use columnade_ops::missing::{drop_nulls, fill_null};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::selection::Labels;

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

    fn filled(&self, operation: &'static str, value: &Literal, strict: bool) -> Result<Self> {
        let mut columns = self.frame().columns().clone();
        for (label, column) in self.frame().columns().iter() {
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

    /// The rows without nulls, in order. NaN is not null.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.dropna()`.
    pub fn drop_nulls(&self) -> Result<Self> {
        self.without_nulls("drop_nulls", Labels(self.columns().to_vec()))
    }

    /// The rows without nulls in the given columns, in order. NaN is not null.
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let frame = DataFrame::new([("x", [Some(1_i64), None]), ("y", [None, Some(4)])])?;
    /// assert_eq!(frame.drop_nulls()?.shape(), (0, 2));
    /// assert_eq!(frame.drop_nulls_in("x")?.shape(), (1, 2));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a label given twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.dropna(subset=labels)`.
    pub fn drop_nulls_in(&self, labels: impl Into<Labels>) -> Result<Self> {
        self.without_nulls("drop_nulls_in", labels.into())
    }

    fn without_nulls(&self, operation: &'static str, Labels(labels): Labels) -> Result<Self> {
        self.frame().check_labels(operation, &labels)?;
        let columns = self.frame().columns();
        Ok(self.with_rows(drop_nulls(columns, &labels, self.exec()).operation(operation)?))
    }
}
