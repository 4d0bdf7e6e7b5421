//! Filling nulls, and dropping rows with nulls.

use columnade_columns::Error as ColumnError;
use columnade_ops::expression::Literal;
use columnade_ops::missing::{drop_nulls, fill_null};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::selection::Labels;

impl DataFrame {
    /// The frame with nulls of all columns replaced by `value`, which every dtype must be able to represent. NaN is not null.
    /// To replace nulls of one column, use [`Series::fill_null`](crate::Series::fill_null).
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let frame = DataFrame::new([("x", [Some(1_i64), None]), ("y", [None, Some(4)])])?;
    /// assert_eq!(frame.fill_null(0)?.column("y")?.to_scalars()?, [0_i64.into(), 4_i64.into()]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`], naming the column, for a value that its dtype does not have, for nested columns, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `DataFrame.fillna(value)`.
    pub fn fill_null(&self, value: impl Into<Literal>) -> Result<Self> {
        const OPERATION: &str = "fill_null";
        let value = value.into();
        let mut columns = self.frame().columns().clone();
        for (label, column) in self.frame().columns().iter() {
            let filled = fill_null(column, &value, self.exec()).map_err(|error| match error {
                ColumnError::Memory(memory) => {
                    Error::Operation { operation: OPERATION, source: memory.into() }
                }
                other => Error::Operation { operation: OPERATION, source: other.in_column(label) },
            })?;
            columns.set(label.clone(), filled).operation(OPERATION)?;
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
