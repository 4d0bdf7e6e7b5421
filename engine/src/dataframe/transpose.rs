//! Values row by row, and rows as columns.

use columnade_columns::{ColumnAccessor, Label, LabelPart, Levels};
use columnade_ops::reshape;

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::series::Series;

impl DataFrame {
    /// The values of all columns as one: those of the first row, then those of the second, in their common dtype.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1_i64, 2], "b" => [7_i64, 8] }?;
    /// assert_eq!(frame.interleave_columns()?.to_vec::<i64>()?, [1, 7, 2, 8]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] without columns, for dtypes without a common one, and when memory runs out.
    ///
    /// # Source
    /// cuDF `DataFrame.interleave_columns`.
    pub fn interleave_columns(&self) -> Result<Series> {
        const OPERATION: &str = "interleave_columns";
        let columns = self.frame().accessor();
        let values = reshape::interleave_columns(columns, self.exec()).operation(OPERATION)?;
        Series::unnamed(OPERATION, values, self.exec().clone())
    }

    /// The rows as columns, called as the row labels, and the columns as rows under their labels, in their order. Values are
    /// brought to their common dtype. Levels of labels keep their names; labels of columns of several dtypes become text.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1_i64, 2], "b" => [7_i64, 8] }?;
    /// let wide = frame.transpose()?;
    /// assert_eq!(wide.columns(), [0, 1]);
    /// assert_eq!(wide.column(1)?.to_vec::<i64>()?, [2, 8]);
    /// assert_eq!(wide.at("b", 0)?, 7_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for dtypes without a common one, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.transpose`, cudf/transpose.hpp.
    pub fn transpose(&self) -> Result<Self> {
        const OPERATION: &str = "transpose";
        let rows = reshape::transpose(self.frame().accessor(), self.exec()).operation(OPERATION)?;
        let names =
            self.index().names().iter().map(|name| Some(name.clone()).filter(|name| *name != Label::NULL));
        let levels = Levels::named(names).operation(OPERATION)?;
        let mut columns = ColumnAccessor::with_levels(self.columns().len(), levels);
        for (position, column) in rows.into_iter().enumerate() {
            let levels = self.index().levels_at(position).operation(OPERATION)?;
            let parts = levels.iter().map(LabelPart::try_from);
            let parts = parts.collect::<columnade_columns::Result<Vec<_>>>();
            let label = parts.and_then(Label::from_parts).operation(OPERATION)?;
            columns.insert(label, column).operation(OPERATION)?;
        }
        if self.columns().is_empty() {
            return Ok(Self::from_frame(Frame::new(columns, self.exec().clone())));
        }
        let labels = reshape::label_columns(self.columns(), self.exec()).operation(OPERATION)?;
        let names: Vec<Label> = (0..labels.len()).map(|level| self.level_name(level)).collect();
        let index = Index::of_columns(OPERATION, &names, &labels, self.exec())?;
        Ok(self.labelled(columns, index))
    }
}
