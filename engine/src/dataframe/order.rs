//! The first rows in an order, and rows that are in one.

use columnade_columns::{Column, ColumnAccessor};
use columnade_ops::sort::{self, NullOrder, Order, SearchSide, SortColumn, SortKey, Ties};

use super::{DataFrame, SortBy};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::selection::{IntoLabels, IntoSortBy};
use crate::series::Series;

impl DataFrame {
    /// The first `k` rows in the order of one or several columns: `sort_values(by)?.head(k)?` without sorting all rows.
    ///
    /// ```
    /// use columnade::{SortBy, df};
    ///
    /// let frame = df! { "a" => [3, 1, 2], "b" => ["x", "y", "z"] }?;
    /// assert_eq!(frame.sort_head(2, "a")?.column("b")?.to_vec::<String>()?, ["y", "z"]);
    /// assert_eq!(frame.sort_head(1, SortBy::descending("a"))?.column("b")?.to_vec::<String>()?, ["x"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// SQL `ORDER BY … LIMIT`, pandas `sort_values().head()`; `top_k` of Polars has the largest rows, as [`nlargest`](Self::nlargest).
    pub fn sort_head<A>(&self, k: usize, by: impl IntoSortBy<A>) -> Result<Self> {
        self.first_in_order("sort_head", k, &by.into_sort_by(), Ties::First)
    }

    /// The `n` rows with the largest values of one or several columns, largest first: of equal ones those that `keep` says.
    /// Nulls come after all values, NaN before.
    ///
    /// ```
    /// use columnade::df;
    /// use columnade::expressions::Ties;
    ///
    /// let frame = df! { "a" => [1, 3, 3], "row" => [0, 1, 2] }?;
    /// let rows = |keep| frame.nlargest(1, "a", keep)?.column("row")?.to_vec::<i32>();
    /// assert_eq!((rows(Ties::First)?, rows(Ties::Last)?, rows(Ties::All)?), (vec![1], vec![2], vec![1, 2]));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `DataFrame.nlargest`, where NaN is missing and so comes last.
    pub fn nlargest<A>(&self, n: usize, by: impl IntoLabels<A>, keep: Ties) -> Result<Self> {
        let by: Vec<_> = by.into_labels().into_iter().map(SortBy::descending).collect();
        self.first_in_order("nlargest", n, &by, keep)
    }

    /// The `n` rows with the smallest values of one or several columns, smallest first: of equal ones those that `keep` says.
    /// NaN comes after all numbers, nulls after all values.
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `DataFrame.nsmallest`.
    pub fn nsmallest<A>(&self, n: usize, by: impl IntoLabels<A>, keep: Ties) -> Result<Self> {
        let by: Vec<_> = by.into_labels().into_iter().map(SortBy::ascending).collect();
        self.first_in_order("nsmallest", n, &by, keep)
    }

    fn first_in_order(&self, operation: &'static str, n: usize, by: &[SortBy], ties: Ties) -> Result<Self> {
        let keys = self.sort_columns(operation, by)?;
        let rows = sort::top_rows(self.frame().accessor(), &keys, n, ties, self.exec())
            .map_err(|error| error.with_key_labels(&labels(by)))
            .operation(operation)?;
        self.with_picked(operation, rows)
    }

    /// The positions of the rows in the order of one or several columns, `int64`: `argsort("a")` is the row of the smallest
    /// value, then that of the next. Equal rows are in their order.
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// `cudf/sorting.hpp` `stable_sorted_order`, Polars `arg_sort_by`.
    pub fn argsort<A>(&self, by: impl IntoSortBy<A>) -> Result<Series> {
        const OPERATION: &str = "argsort";
        let by = by.into_sort_by();
        let keys = self.sort_columns(OPERATION, &by)?;
        let order = sort::sorted_order(&self.sort_keys(&keys), self.exec())
            .map_err(|error| error.with_key_labels(&labels(&by)))
            .operation(OPERATION)?;
        Series::unnamed(OPERATION, order, self.exec().clone())
    }

    /// Whether the rows are in the order of one or several columns, as [`sort_values`](Self::sort_values) sorts them.
    ///
    /// ```
    /// use columnade::{SortBy, df};
    ///
    /// let frame = df! { "a" => [Some(1), Some(1), Some(2), None], "b" => [4, 3, 2, 1] }?;
    /// assert!(frame.is_sorted("a")?);
    /// assert!(frame.is_sorted([SortBy::ascending("a"), SortBy::descending("b")])?);
    /// assert!(!frame.is_sorted(["a", "b"])?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// `cudf/sorting.hpp` `is_sorted`.
    pub fn is_sorted<A>(&self, by: impl IntoSortBy<A>) -> Result<bool> {
        const OPERATION: &str = "is_sorted";
        let by = by.into_sort_by();
        let keys = self.sort_columns(OPERATION, &by)?;
        sort::is_sorted(&self.sort_keys(&keys), self.exec())
            .map_err(|error| error.with_key_labels(&labels(&by)))
            .operation(OPERATION)
    }

    /// Where each row of `needles` is inserted into this frame, which is sorted by `by`, so that it stays sorted: before equal
    /// rows, or with [`SearchSide::Right`] after them. `int64`; the frame is not checked. `needles` has the columns of `by`.
    ///
    /// ```
    /// use columnade::df;
    /// use columnade::expressions::SearchSide;
    ///
    /// let frame = df! { "k" => ["a", "a", "b"], "n" => [1, 2, 1] }?;
    /// let needles = df! { "k" => ["a", "b", "c"], "n" => [2, 0, 0] }?;
    /// let found = frame.search_sorted(["k", "n"], &needles, SearchSide::Left)?;
    /// assert_eq!(found.to_vec::<i64>()?, [1, 2, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values), and [`Error::MissingColumns`] for needles without a column;
    /// [`Error::Operation`] for needles of a dtype that does not compare.
    ///
    /// # Source
    /// cuDF `DataFrame.searchsorted`.
    pub fn search_sorted<A>(
        &self,
        by: impl IntoSortBy<A>,
        needles: &DataFrame,
        side: SearchSide,
    ) -> Result<Series> {
        const OPERATION: &str = "search_sorted";
        let by = by.into_sort_by();
        let keys = self.sort_columns(OPERATION, &by)?;
        let labels = labels(&by);
        let wanted = labels
            .iter()
            .map(|label| needles.frame().column(OPERATION, *label))
            .collect::<Result<Vec<&Column>>>()?;
        let found = sort::search_sorted(&self.sort_keys(&keys), &wanted, side, self.exec())
            .map_err(|error| error.with_key_labels(&labels))
            .operation(OPERATION)?;
        Series::unnamed(OPERATION, found, self.exec().clone())
    }

    /// The positions and directions of columns to sort by.
    pub(super) fn sort_columns(&self, operation: &'static str, by: &[SortBy]) -> Result<Vec<SortColumn>> {
        let frame = self.frame();
        frame.check_labels(operation, by.iter().map(SortBy::label))?;
        let key = |key: &SortBy| {
            let position = frame.accessor().position(key.label())?;
            Ok(SortColumn { position, order: key.order(), nulls: key.nulls() })
        };
        by.iter().map(key).collect::<columnade_columns::Result<Vec<_>>>().operation(operation)
    }

    fn sort_keys(&self, keys: &[SortColumn]) -> Vec<SortKey<'_>> {
        let columns = self.frame().accessor().columns();
        let key =
            |key: &SortColumn| SortKey { column: &columns[key.position], order: key.order, nulls: key.nulls };
        keys.iter().map(key).collect()
    }
}

/// The labels of columns to sort by.
pub(super) fn labels(by: &[SortBy]) -> Vec<&columnade_columns::Label> {
    by.iter().map(SortBy::label).collect()
}

/// The rows of all frames, each of which is sorted by `by`, in that order; of equal rows those of earlier frames come first.
/// Whether the frames are sorted is not checked. Every frame has the columns of the first, of the same dtypes; dictionaries may
/// have other categories and codes, unless they are ordered: those have the same categories in the same order. Rows are
/// labelled 0, 1, ….
///
/// ```
/// use columnade::{df, merge_sorted};
///
/// let (a, b) = (df! { "t" => [1, 4] }?, df! { "t" => [2, 4, 5] }?);
/// assert_eq!(merge_sorted([&a, &b], "t")?.column("t")?.to_vec::<i32>()?, [1, 2, 4, 4, 5]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// Same as [`sort_values`](DataFrame::sort_values); [`Error::Operation`] without frames, and with its label for a column of other
/// dtypes or of ordered dictionaries that differ; [`Error::MissingColumns`] for a frame that lacks a column of the first.
///
/// # Source
/// cudf/merge.hpp `merge`, Polars `merge_sorted`.
pub fn merge_sorted<'a, A>(
    frames: impl IntoIterator<Item = &'a DataFrame>,
    by: impl IntoSortBy<A>,
) -> Result<DataFrame> {
    const OPERATION: &str = "merge_sorted";
    let frames: Vec<&DataFrame> = frames.into_iter().collect();
    let Some(first) = frames.first() else {
        return Err(Error::argument(OPERATION, "frames", "there are none"));
    };
    let by = by.into_sort_by();
    let keys = first.sort_columns(OPERATION, &by)?;
    for frame in &frames {
        frame.frame().check_labels(OPERATION, first.columns())?;
    }
    let runs: Vec<ColumnAccessor> = frames.iter().map(|frame| frame.frame().accessor().clone()).collect();
    let merged = sort::merge_sorted(runs, &keys, first.exec())
        .map_err(|error| error.with_key_labels(&labels(&by)))
        .operation(OPERATION)?;
    Ok(DataFrame::from_frame(Frame::new(merged, first.exec().clone())))
}

/// How values are sorted: ascending, nulls last, by default.
///
/// ```
/// use columnade::SortOrder;
///
/// let largest_first = SortOrder::descending().nulls_first();
/// # let _ = largest_first;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortOrder {
    pub(crate) order: Order,
    pub(crate) nulls: NullOrder,
}

impl SortOrder {
    /// The smallest first, nulls last.
    pub fn ascending() -> Self {
        Self { order: Order::Ascending, nulls: NullOrder::Last }
    }

    /// The largest first, nulls last.
    pub fn descending() -> Self {
        Self { order: Order::Descending, nulls: NullOrder::Last }
    }

    /// Nulls first.
    #[must_use]
    pub fn nulls_first(self) -> Self {
        Self { nulls: NullOrder::First, ..self }
    }
}

impl Default for SortOrder {
    fn default() -> Self {
        Self::ascending()
    }
}

impl From<std::ops::RangeFull> for SortOrder {
    /// Ascending, nulls last.
    fn from(_: std::ops::RangeFull) -> Self {
        Self::ascending()
    }
}
