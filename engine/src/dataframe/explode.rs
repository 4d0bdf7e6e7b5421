//! Rows of the items of lists, and columns of the fields of structs.

use columnade_columns::{Column, ColumnAccessor, Error as ColumnError};
use columnade_ops::lists;

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::selection::IntoLabels;

impl DataFrame {
    /// A row for each item of the lists in one column or in several, with the values of the other columns repeated. A null or
    /// empty list gives one row with a null. Lists of a row have the same number of items, where a null or empty one counts as
    /// one.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b"], "tags" => [vec![1_i64, 2], vec![]] }?;
    /// let rows = frame.explode("tags")?;
    /// assert_eq!(rows.column("k")?.to_vec::<String>()?, ["a", "a", "b"]);
    /// assert_eq!(rows.column("tags")?.to_options::<i64>()?, [Some(1), Some(2), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for dtypes other than lists, for lists of a row with different numbers of
    /// items, for a label given twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.explode`, Polars `DataFrame.explode(empty_as_null=True)`.
    pub fn explode<A>(&self, labels: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "explode";
        let labels = labels.into_labels();
        self.frame().check_labels(OPERATION, &labels)?;
        let rows = lists::explode_rows(self.frame().accessor(), &labels, self.exec());
        self.with_picked(OPERATION, rows.operation(OPERATION)?)
    }

    /// The columns of structs replaced by their fields, which stand where the structs stood; null also where the struct is.
    ///
    /// ```
    /// use columnade::{df, col, struct_of};
    ///
    /// let frame = df! { "x" => [1_i64, 2], "y" => ["a", "b"] }?;
    /// let nested = frame.select([struct_of([col("x"), col("y")]).alias("point")])?;
    /// assert_eq!(nested.unnest("point")?.columns(), ["x", "y"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for dtypes other than structs, for a field that is called as another column,
    /// and when memory runs out.
    ///
    /// # Source
    /// Polars `DataFrame.unnest`, pandas `Series.struct.explode`.
    pub fn unnest<A>(&self, labels: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "unnest";
        let labels = labels.into_labels();
        self.frame().check_labels(OPERATION, &labels)?;
        let frame = self.frame().accessor();
        let mut columns = ColumnAccessor::with_levels(frame.rows(), frame.levels().clone());
        for (label, column) in frame.iter() {
            if !labels.contains(label) {
                columns.insert(label.clone(), column.clone()).operation(OPERATION)?;
                continue;
            }
            let Column::Struct(structs) = column else {
                let refused = ColumnError::UnsupportedDType { dtype: column.dtype() };
                return Err(refused.in_column(label)).operation(OPERATION);
            };
            for name in structs.names() {
                let field = structs.field(name, self.exec()).map_err(|error| error.in_column(label));
                columns.insert(name.as_str(), field.operation(OPERATION)?).operation(OPERATION)?;
            }
        }
        Ok(self.with_accessor(columns))
    }
}
