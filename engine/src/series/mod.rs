//! Series: one column with a name and row labels.

mod arithmetic;
mod arrow_c;
mod cast;
mod categorical;
mod copy;
mod cut;
mod datetime;
mod difference;
mod display;
mod distinct;
mod index;
mod list;
mod map;
mod math;
mod missing;
mod numbers;
mod operators;
mod order;
mod reduce;
mod rolling;
mod rows;
mod statistics;
mod string;
mod string_functions;
mod string_parts;
mod structure;
mod tensor;
#[cfg(test)]
mod test_copy;
#[cfg(test)]
mod test_statistics;
#[cfg(test)]
mod tests;
mod value_counts;

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, IntoColumn, Label, RowValue, Scalar};
use columnade_ops::comparing;

use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::options::default_exec_for;

pub use arithmetic::SeriesOperand;
pub use categorical::{CategoricalAccessor, union_categoricals};
pub use cut::{CutOptions, Edges, Quantiles};
pub use datetime::DatetimeProperties;
pub use list::ListMethods;
pub use map::IntoMapping;
pub use string::StringMethods;
pub use structure::StructMethods;
pub use value_counts::ValueCounts;
pub(crate) use value_counts::all_categories;

/// One column with a name and row labels.
///
/// ```
/// use columnade::Series;
///
/// let series = Series::new([Some(3_i64), None, Some(4)])?.rename("n");
/// assert_eq!(series.sum()?, 7_i64.into());
/// assert_eq!((&series * &series)?.get(2)?, 16_i64.into());
/// assert_eq!(series.evaluate(|n| -n)?.get(2)?, (-4_i64).into());
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// Series are immutable. A clone always shares memory; [`shallow_copy`](Self::shallow_copy) follows the copy-on-write option.
///
/// # Source
/// pandas and cuDF `Series`.
#[derive(Clone, Debug)]
pub struct Series {
    /// A frame of exactly one column.
    pub(crate) inner: IndexedFrame,
}

impl Series {
    /// A series of these values without a name, on the thread's default device.
    ///
    /// # Errors
    /// [`Error::Device`](crate::Error::Device) when the default device cannot be used; [`Error::Operation`](crate::Error::Operation) when memory runs out.
    pub fn new(values: impl IntoColumn) -> Result<Self> {
        const OPERATION: &str = "Series::new";
        let exec = default_exec_for(OPERATION)?;
        let column = values.into_column(&exec).operation(OPERATION)?;
        Self::unnamed(OPERATION, column, exec)
    }

    pub(crate) fn unnamed(operation: &'static str, column: Column, exec: Exec) -> Result<Self> {
        Self::from_column(operation, Label::NULL, column, exec)
    }

    pub(crate) fn from_column(
        operation: &'static str,
        name: impl Into<Label>,
        column: Column,
        exec: Exec,
    ) -> Result<Self> {
        let columns = ColumnAccessor::from_columns([(name, column)]).operation(operation)?;
        Ok(Self { inner: IndexedFrame::new(Frame::new(columns, exec)) })
    }

    /// The only column of a frame as a series.
    pub(crate) fn from_indexed(inner: IndexedFrame) -> Self {
        debug_assert_eq!(inner.frame().labels().len(), 1, "a series is one column");
        Self { inner }
    }

    /// The name; [`Label::NULL`] if there is none.
    pub fn name(&self) -> &Label {
        &self.inner.frame().labels()[0]
    }

    pub(crate) fn is_unnamed(&self) -> bool {
        *self.name() == Label::NULL
    }

    /// The same values with another name.
    ///
    /// # Source
    /// pandas `Series.rename(name)`.
    #[must_use]
    pub fn rename(&self, name: impl Into<Label>) -> Self {
        let frame = self.inner.frame();
        // One label cannot be there twice.
        let columns = frame.accessor().with_labels(vec![name.into()]);
        columns.map_or_else(
            |_| self.clone(),
            |columns| Self { inner: self.inner.with_frame(frame.with_columns(columns)) },
        )
    }

    /// The values.
    pub fn values(&self) -> &Column {
        &self.inner.frame().accessor().columns()[0]
    }

    /// The values without name and row labels. If no other handle shares them, [`Column::write`] writes them in place.
    pub fn into_values(self) -> Column {
        self.values().clone()
    }

    /// The row labels.
    pub fn index(&self) -> &Index {
        self.inner.index()
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.values().dtype()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.inner.frame().len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Device, stream and memory resource of operations on this series.
    pub fn exec(&self) -> &Exec {
        self.inner.frame().exec()
    }

    /// The device of the values.
    pub fn device(&self) -> Device {
        self.exec().device()
    }

    /// The number of nulls; may wait for the device.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn null_count(&self) -> Result<usize> {
        self.values().null_count(self.exec()).map_err(|error| self.named(error)).operation("null_count")
    }

    /// The value of the row at `position`, copied to the host.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) beyond the end, or when the device fails.
    pub fn get(&self, position: usize) -> Result<Scalar> {
        self.values().get(position).map_err(|error| self.named(error)).operation("get")
    }

    /// All values, copied to the host.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn to_scalars(&self) -> Result<Vec<Scalar>> {
        self.values().to_scalars().map_err(|error| self.named(error)).operation("to_scalars")
    }

    /// All values as Rust values, copied to the host; values of dictionaries are decoded.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([3_i64, 4])?.to_vec::<i64>()?, [3, 4]);
    /// assert_eq!(Series::new([Some("b"), None])?.to_options::<String>()?, [Some("b".to_owned()), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) if `T` is not the Rust type of the dtype (see
    /// [`RowValue`]; no conversion is applied), if there are nulls, and when the device fails.
    ///
    /// # Device
    /// One copy per buffer; waits for the work that fills it.
    ///
    /// # Source
    /// pandas `Series.to_list`, cuDF `Series.to_numpy`.
    pub fn to_vec<T: RowValue>(&self) -> Result<Vec<T>> {
        self.values().to_vec().map_err(|error| self.named(error)).operation("to_vec")
    }

    /// All values as Rust values, `None` for nulls; see [`to_vec`](Self::to_vec).
    ///
    /// # Errors
    /// Same as [`to_vec`](Self::to_vec), except that nulls are allowed.
    pub fn to_options<T: RowValue>(&self) -> Result<Vec<Option<T>>> {
        self.values().to_options().map_err(|error| self.named(error)).operation("to_options")
    }

    /// All values as Rust values, `None` for nulls, copied to the host at once; see [`to_vec`](Self::to_vec).
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let series = Series::new([Some(3_i64), None, Some(4)])?;
    /// let sum: i64 = series.iter::<i64>()?.flatten().sum();
    /// assert_eq!(sum, 7);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`to_options`](Self::to_options).
    #[expect(clippy::iter_not_returning_iterator, reason = "reading the values may fail")]
    pub fn iter<T: RowValue>(&self) -> Result<std::vec::IntoIter<Option<T>>> {
        let values = self.values().to_options().map_err(|error| self.named(error)).operation("iter")?;
        Ok(values.into_iter())
    }

    /// Other values of the same rows, with the same name.
    pub(crate) fn with_values(&self, operation: &'static str, values: Column) -> Result<Self> {
        let columns = ColumnAccessor::from_columns([(self.name(), values)]).operation(operation)?;
        Ok(Self { inner: self.inner.with_frame(self.inner.frame().with_columns(columns)) })
    }

    /// The error with the name of this series, if it has one.
    pub(crate) fn named(&self, error: columnade_columns::Error) -> columnade_columns::Error {
        named(self.name(), error)
    }

    /// Whether both have the same dtype, row labels and values; names may differ. Nulls are equal to nulls and NaNs
    /// to NaNs.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the series are on different devices, or one fails.
    ///
    /// # Source
    /// pandas `Series.equals`.
    pub fn equals(&self, other: &Series) -> Result<bool> {
        if !self.index().has_labels_of(other.index()).operation("equals")? {
            return Ok(false);
        }
        comparing::equals(self.values(), other.values(), self.exec())
            .map_err(|error| self.named(error))
            .operation("equals")
    }

    /// The first `rows` rows, sharing memory.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn head(&self, rows: usize) -> Result<Self> {
        self.inner.slice("head", 0, rows).map(Self::from_indexed)
    }

    /// The last `rows` rows, sharing memory.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn tail(&self, rows: usize) -> Result<Self> {
        self.inner.tail("tail", rows).map(Self::from_indexed)
    }

    /// Rows `offset .. offset + len`, sharing memory.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        self.inner.require_rows("slice", offset, len)?;
        self.inner.slice("slice", offset, len).map(Self::from_indexed)
    }

    /// The series on `device`, in a new context: a copy, or shared if it is on that device already.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when this build or machine does not have the device, and when its
    /// memory runs out.
    pub fn to_device(&self, device: Device) -> Result<Self> {
        const OPERATION: &str = "to_device";
        let exec = Exec::new(device).operation(OPERATION)?;
        self.inner.to_device(OPERATION, &exec).map(Self::from_indexed)
    }
}

/// The error with the name of a series, if it has one.
fn named(name: &Label, error: columnade_columns::Error) -> columnade_columns::Error {
    if *name == Label::NULL { error } else { error.in_column(name) }
}
