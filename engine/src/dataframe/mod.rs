//! Tables of named columns.

mod arrow_c;
mod assign;
mod columnwise;
mod construct;
mod copy;
mod crosstab;
mod cut;
mod describe;
mod df;
mod difference;
mod display;
mod distinct;
mod dlpack;
mod dummies;
mod equals;
mod explode;
mod exponential;
mod filter;
mod group_apply;
mod group_extremes;
mod group_keys;
mod group_rows;
mod group_summaries;
mod group_windows;
mod groupby;
mod groups;
mod index;
mod indexing;
mod info;
mod join;
mod markup;
mod melt;
mod missing;
mod order;
mod pivot;
mod pivot_table;
mod relabel;
mod reshape;
mod sample;
mod select;
mod sort;
mod stack;
mod statistics;
#[cfg(test)]
mod test_columnwise;
#[cfg(test)]
mod test_group_keys;
#[cfg(test)]
mod test_group_summaries;
#[cfg(test)]
mod test_groups;
#[cfg(test)]
mod test_offset_widths;
#[cfg(test)]
mod test_reshape;
#[cfg(test)]
mod test_spilled;
#[cfg(test)]
mod test_stack;
#[cfg(test)]
mod test_summaries;
#[cfg(test)]
mod tests;
mod transpose;
mod value_counts;
mod wide_to_long;

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, DType, Label};

use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;

pub use arrow_c::{ArrowStreamFrames, export_arrow_stream};
pub use assign::IntoFrameColumn;
pub use crosstab::{Crosstab, Normalize, crosstab};
pub use describe::Describe;
pub use difference::Difference;
pub(crate) use difference::of_columns as difference_of_columns;
pub(crate) use display::{Window, write_table};
pub use distinct::Unique;
pub use dummies::Dummies;
pub use exponential::ExponentialMovingWindow;
pub use group_apply::GroupResult;
pub use group_keys::GroupKey;
pub use groupby::GroupBy;
pub use index::SetIndex;
pub(crate) use index::rows_at;
use indexing::IndexedSeries;
pub use join::{IntoMergeKeys, MaintainOrder, Merge, MergeAsof, Validate};
pub use melt::Melt;
pub use missing::DropNulls;
pub use order::{SortOrder, merge_sorted};
pub use pivot::Pivot;
pub use pivot_table::PivotTable;
pub use reshape::concat;
pub(crate) use reshape::concat_as;
pub use sample::Sample;
pub use sort::SortBy;
pub use stack::Unstack;
pub use wide_to_long::WideToLong;

/// A table: columns of one length under distinct labels, and row labels.
///
/// Frames are immutable and cheap to clone. Methods return new frames, which share the memory of unchanged columns. A clone
/// always shares memory; [`shallow_copy`](Self::shallow_copy) follows the copy-on-write option.
///
/// ```
/// use columnade::{DataFrame, col};
///
/// let sales = DataFrame::empty()?
///     .with_column("item", ["tea", "rye", "tea"])?
///     .with_column("units", [3, 1, 4])?;
/// let totals = sales.group_by("item").agg(col("units").sum())?;
/// assert_eq!(totals.column("units")?.to_scalars()?, [7_i64.into(), 1_i64.into()]);
///
/// let many = sales.filter(col("units").gt(2))?;
/// assert_eq!(many.shape(), (2, 2));
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas and cuDF `DataFrame`.
#[derive(Clone, Debug)]
pub struct DataFrame {
    inner: IndexedFrame,
    series: IndexedSeries,
}

impl DataFrame {
    pub(crate) fn from_frame(frame: Frame) -> Self {
        Self::from_indexed(IndexedFrame::new(frame))
    }

    pub(crate) fn from_indexed(inner: IndexedFrame) -> Self {
        Self { inner, series: IndexedSeries::default() }
    }

    /// The columns without the row labels.
    pub fn frame(&self) -> &Frame {
        self.inner.frame()
    }

    /// The columns with the row labels.
    pub fn indexed_frame(&self) -> &IndexedFrame {
        &self.inner
    }

    /// The row labels.
    pub fn index(&self) -> &Index {
        self.inner.index()
    }

    /// Device, stream and memory resource of operations on this frame.
    pub fn exec(&self) -> &Exec {
        self.frame().exec()
    }

    /// The device of the columns.
    pub fn device(&self) -> Device {
        self.exec().device()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.frame().len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.len(), self.columns().len())
    }

    /// The labels of the columns, in order.
    pub fn columns(&self) -> &[Label] {
        self.frame().labels()
    }

    /// The dtypes of the columns, in order.
    pub fn dtypes(&self) -> Vec<DType> {
        self.frame().dtypes()
    }

    /// The labels and dtypes of the columns, in order.
    ///
    /// ```
    /// use columnade::{DType, df};
    ///
    /// let frame = df! { "a" => [1_i64], "b" => ["x"] }?;
    /// assert_eq!(frame.schema(), [("a".into(), DType::Int64), ("b".into(), DType::Utf8)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.dtypes`, Polars `DataFrame.schema`.
    pub fn schema(&self) -> Vec<(Label, DType)> {
        self.columns().iter().cloned().zip(self.dtypes()).collect()
    }

    /// Bytes that the columns keep allocated. Memory shared by several columns is counted for each.
    pub fn memory_bytes(&self) -> usize {
        self.frame().accessor().columns().iter().map(Column::memory_bytes).sum()
    }

    /// The frame on `device`, in a new context: a copy, or shared if it is on that device already.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when this build or machine does not have the device, and when its
    /// memory runs out.
    pub fn to_device(&self, device: Device) -> Result<Self> {
        const OPERATION: &str = "to_device";
        self.in_context(OPERATION, &Exec::new(device).operation(OPERATION)?)
    }

    /// The frame on the device of `exec`, which becomes its context: a copy, or shared if it is on that device already.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    pub fn to_exec(&self, exec: &Exec) -> Result<Self> {
        self.in_context("to_exec", exec)
    }

    fn in_context(&self, operation: &'static str, exec: &Exec) -> Result<Self> {
        self.inner.to_device(operation, exec).map(Self::from_indexed)
    }
}
