//! Construction of frames, and conversion to and from Arrow.

use arrow_array::RecordBatch;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, IntoColumn, Label, StructColumn, structs};

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::options::default_exec_for;
use crate::series::Series;

impl DataFrame {
    /// A frame without columns on the thread's default device.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the default device cannot be used.
    pub fn empty() -> Result<Self> {
        Ok(Self::from_frame(Frame::new(ColumnAccessor::new(), default_exec_for("empty")?)))
    }

    /// A frame of these columns, in this order, on the thread's default device. If all labels are tuples of one length, the
    /// labels have that many levels. Rows go together by position and are labelled anew, series too:
    /// [`with_column`](Self::with_column) takes those by their labels.
    ///
    /// ```
    /// use columnade::{DataFrame, Series};
    ///
    /// let frame = DataFrame::new([
    ///     ("id", Series::new([1_i64, 2, 3])?),
    ///     ("name", Series::new([Some("Ada"), None, Some("Émilie")])?),
    /// ])?;
    /// assert_eq!(frame.shape(), (3, 2));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for unequal lengths, a repeated label, or when memory
    /// runs out.
    pub fn new<L: Into<Label>, C: IntoColumn>(columns: impl IntoIterator<Item = (L, C)>) -> Result<Self> {
        const OPERATION: &str = "DataFrame::new";
        let exec = default_exec_for(OPERATION)?;
        let columns = columns
            .into_iter()
            .map(|(label, values)| Ok((label, values.into_column(&exec).operation(OPERATION)?)))
            .collect::<Result<Vec<_>>>()?;
        Ok(Self::from_frame(Frame::new(ColumnAccessor::from_columns(columns).operation(OPERATION)?, exec)))
    }

    /// The columns of an accessor, processed in `exec`.
    pub fn from_accessor(columns: ColumnAccessor, exec: &Exec) -> Self {
        Self::from_frame(Frame::new(columns, exec.clone()))
    }

    /// The rows as structs with a field for each column, sharing memory; without columns, structs without fields.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let points = df! { "x" => [1, 2], "y" => ["a", "b"] }?.to_struct()?;
    /// assert_eq!(points.get(1)?.to_string(), "{x: 2, y: b}");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for labels that are not strings.
    ///
    /// # Source
    /// cuDF `DataFrame.to_struct`.
    pub fn to_struct(&self) -> Result<Series> {
        const OPERATION: &str = "to_struct";
        let columns = self.frame().accessor();
        let fields = columns.labels().iter().zip(columns.columns()).map(|(label, column)| {
            let name = label
                .as_text()
                .ok_or_else(|| columnade_columns::Error::UnsupportedLabel { label: label.clone() })?;
            Ok((name, column))
        });
        let fields = fields.collect::<columnade_columns::Result<Vec<_>>>().operation(OPERATION)?;
        let column = if fields.is_empty() {
            let none = StructColumn::new(None::<(String, Column)>, None, 0, self.len());
            none.and_then(|rows| Column::Struct(rows).to_device(self.exec()))
        } else {
            structs(fields).into_column(self.exec())
        };
        let column = column.operation(OPERATION)?;
        Ok(Series::unnamed(OPERATION, column, self.exec().clone())?.labelled_by(self.index()))
    }

    /// The columns of an Arrow batch, on the thread's default device; on the host memory is shared, not copied.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for an Arrow type without a dtype, a repeated name,
    /// or when memory runs out.
    pub fn from_arrow(batch: &RecordBatch) -> Result<Self> {
        const OPERATION: &str = "from_arrow";
        let exec = default_exec_for(OPERATION)?;
        let columns = ColumnAccessor::from_record_batch(batch).operation(OPERATION)?;
        let frame = Frame::new(columns, Exec::host()).to_device(OPERATION, &exec)?;
        Ok(Self::from_frame(frame))
    }

    /// The columns as an Arrow batch; on the host memory is shared, from another device it is copied.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for labels that are not strings, when memory runs out or the
    /// device fails.
    pub fn to_arrow(&self) -> Result<RecordBatch> {
        self.frame().accessor().to_record_batch().operation("to_arrow")
    }
}
