//! Sorting rows.

use columnade_columns::Label;
use columnade_ops::sort::{NullOrder, Order, sort_rows};

use super::DataFrame;
use super::order::labels;
use crate::error::{InOperation, Result};
use crate::selection::IntoSortBy;

/// A column to sort by, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortBy {
    label: Label,
    order: Order,
    nulls: NullOrder,
}

impl SortBy {
    /// Ascending, nulls last.
    pub fn ascending(label: impl Into<Label>) -> Self {
        Self { label: label.into(), order: Order::Ascending, nulls: NullOrder::Last }
    }

    /// Descending, nulls last.
    pub fn descending(label: impl Into<Label>) -> Self {
        Self { label: label.into(), order: Order::Descending, nulls: NullOrder::Last }
    }

    /// Nulls first.
    #[must_use]
    pub fn nulls_first(mut self) -> Self {
        self.nulls = NullOrder::First;
        self
    }

    pub(super) fn label(&self) -> &Label {
        &self.label
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    pub(super) fn nulls(&self) -> NullOrder {
        self.nulls
    }
}

impl<S: Into<Label>> From<S> for SortBy {
    /// Ascending, nulls last.
    fn from(label: S) -> Self {
        Self::ascending(label)
    }
}

impl DataFrame {
    /// The rows sorted by one or several columns, lexicographically. The sort is stable. NaN is greater than every number, and nulls
    /// come last by default.
    ///
    /// ```
    /// use columnade::{DataFrame, SortBy};
    ///
    /// let frame = DataFrame::new([("a", vec![2_i64, 1, 2]), ("b", vec![1, 5, 3])])?;
    /// let sorted = frame.sort_values([SortBy::descending("a"), SortBy::ascending("b")])?;
    /// assert_eq!(sorted.column("b")?.to_scalars()?, [1_i64.into(), 3_i64.into(), 5_i64.into()]);
    /// assert_eq!(frame.sort_values("b")?.column("a")?.get(0)?, 2_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) when
    /// memory runs out.
    pub fn sort_values<A>(&self, by: impl IntoSortBy<A>) -> Result<Self> {
        self.sorted("sort_values", &by.into_sort_by())
    }

    /// [`sort_values`](Self::sort_values) for the method `operation`, which its errors name.
    pub(super) fn sorted(&self, operation: &'static str, by: &[SortBy]) -> Result<Self> {
        let keys = self.sort_columns(operation, by)?;
        let rows = sort_rows(self.frame().accessor(), &keys, self.exec())
            .map_err(|error| error.with_key_labels(&labels(by)))
            .operation(operation)?;
        self.with_picked(operation, rows)
    }
}
