//! The order of the values of a series.

use columnade_columns::Label;
use columnade_ops::sort::{self, NullOrder, Order, SearchSide, SortColumn, SortKey, Ties};

use super::Series;
use crate::dataframe::SortOrder;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

impl Series {
    /// The values in order: ascending with nulls last (`..`), or as a [`SortOrder`] says. NaN is larger than all numbers. The
    /// sort is stable.
    ///
    /// ```
    /// use columnade::{Series, SortOrder};
    ///
    /// let series = Series::new([Some(2), None, Some(3)])?;
    /// assert_eq!(series.sort_values(..)?.to_options::<i32>()?, [Some(2), Some(3), None]);
    /// assert_eq!(series.sort_values(SortOrder::descending())?.to_options::<i32>()?, [Some(3), Some(2), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.sort_values`.
    pub fn sort_values(&self, order: impl Into<SortOrder>) -> Result<Series> {
        self.sorted_as("sort_values", order.into())
    }

    /// [`sort_values`](Self::sort_values) for the method `operation`, which its errors name.
    pub(crate) fn sorted_as(&self, operation: &'static str, order: SortOrder) -> Result<Series> {
        let SortOrder { order, nulls } = order;
        let key = SortColumn { position: 0, order, nulls };
        let sorted = sort::sort_rows(self.inner.frame().accessor(), &[key], self.exec());
        let sorted = sorted.map_err(|error| error.with_key_labels(&[self.name()])).operation(operation)?;
        self.inner.picked(operation, sorted).map(Self::from_indexed)
    }

    /// The positions of the values in order, `int64`: that of the smallest, then that of the next.
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `Series.argsort(kind="stable")`, where a null has no position.
    pub fn argsort(&self, order: impl Into<SortOrder>) -> Result<Series> {
        const OPERATION: &str = "argsort";
        let positions = sort::sorted_order(&[self.sort_key(order.into())], self.exec());
        let positions =
            positions.map_err(|error| error.with_key_labels(&[self.name()])).operation(OPERATION)?;
        self.with_values(OPERATION, positions)
    }

    /// The `n` largest values, largest first: of equal ones those that `keep` says. Nulls come after all values.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::Ties;
    ///
    /// let series = Series::new([3, 1, 3])?;
    /// assert_eq!(series.nlargest(1, Ties::First)?.to_vec::<i32>()?, [3]);
    /// assert_eq!(series.nlargest(1, Ties::All)?.to_vec::<i32>()?, [3, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `Series.nlargest`.
    pub fn nlargest(&self, n: usize, keep: Ties) -> Result<Series> {
        self.first_in_order("nlargest", n, SortOrder::descending(), keep)
    }

    /// The `n` smallest values, smallest first: of equal ones those that `keep` says. Nulls come after all values.
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `Series.nsmallest`.
    pub fn nsmallest(&self, n: usize, keep: Ties) -> Result<Series> {
        self.first_in_order("nsmallest", n, SortOrder::ascending(), keep)
    }

    fn first_in_order(&self, operation: &'static str, n: usize, by: SortOrder, ties: Ties) -> Result<Series> {
        let key = SortColumn { position: 0, order: by.order, nulls: by.nulls };
        let first = sort::top_rows(self.inner.frame().accessor(), &[key], n, ties, self.exec());
        let first = first.map_err(|error| error.with_key_labels(&[self.name()])).operation(operation)?;
        self.inner.picked(operation, first).map(Self::from_indexed)
    }

    /// Whether the values are in order, as [`sort_values`](Self::sort_values) sorts them.
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `Series.is_monotonic_increasing`, which is false with a missing value.
    pub fn is_sorted(&self, order: impl Into<SortOrder>) -> Result<bool> {
        sort::is_sorted(&[self.sort_key(order.into())], self.exec())
            .map_err(|error| error.with_key_labels(&[self.name()]))
            .operation("is_sorted")
    }

    /// Where each of `needles` is inserted into this series, which is sorted ascending with nulls last, so that it stays sorted:
    /// before equal values, or with [`SearchSide::Right`] after them. `int64`. Whether the series is sorted is not checked.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::SearchSide;
    ///
    /// let series = Series::new([1, 1, 3])?;
    /// let needles = Series::new([0, 1, 9])?;
    /// assert_eq!(series.search_sorted(&needles, SearchSide::Left)?.to_vec::<i64>()?, [0, 0, 3]);
    /// assert_eq!(series.search_sorted(&needles, SearchSide::Right)?.to_vec::<i64>()?, [0, 2, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values), and for needles of a dtype that does not compare.
    ///
    /// # Source
    /// pandas `Series.searchsorted`.
    pub fn search_sorted(&self, needles: &Series, side: SearchSide) -> Result<Series> {
        const OPERATION: &str = "search_sorted";
        let key = SortKey { column: self.values(), order: Order::Ascending, nulls: NullOrder::Last };
        let found = sort::search_sorted(&[key], &[needles.values()], side, self.exec());
        // An error of a series without a name is of no column.
        let found = found.map_err(|error| match self.name() {
            name if *name == Label::NULL => error.without_context(),
            name => error.with_key_labels(&[name]),
        });
        let found = found.operation(OPERATION)?;
        needles.with_values(OPERATION, found)
    }

    fn sort_key(&self, by: SortOrder) -> SortKey<'_> {
        SortKey { column: self.values(), order: by.order, nulls: by.nulls }
    }
}
