//! Lists of a series.

use columnade_ops::expression::{Expr, ListExpr, Literal, concat_list, lit};

use super::Series;
use crate::alignment::LabelJoin;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

/// What is computed from lists: see [`Series::list`].
///
/// # Source
/// Polars `Series.list`, cuDF `ListMethods`.
#[derive(Clone, Copy, Debug)]
pub struct ListMethods<'a>(&'a Series);

impl Series {
    /// The operations on lists. Each gives null for a null list.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([Some(vec![3_i64, 1]), Some(vec![]), None])?;
    /// assert_eq!(tags.list().len()?.to_options::<i64>()?, [Some(2), Some(0), None]);
    /// assert_eq!(tags.list().get(-1)?.to_options::<i64>()?, [Some(1), None, None]);
    /// assert_eq!(tags.list().sort()?.get(0)?.to_string(), "[1, 3]");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn list(&self) -> ListMethods<'_> {
        ListMethods(self)
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl ListMethods<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype other than lists, for items without this function, and when memory runs out.
            pub fn $name(&self) -> Result<Series> {
                self.0.evaluated(concat!("list.", stringify!($name)), |lists| $make(lists.list()))
            })*
        }
    };
}

operations! {
    /// The number of items, nulls among them, as `int64`.
    len => ListExpr::len;
    /// The first item; null for an empty list.
    first => ListExpr::first;
    /// The last item; null for an empty list.
    last => ListExpr::last;
    /// The sum of the items; 0 for a list without valid ones. Dtypes as [`Series::sum`].
    sum => ListExpr::sum;
    /// The least item; null for a list without valid ones.
    min => ListExpr::min;
    /// The greatest item; null for a list without valid ones.
    max => ListExpr::max;
    /// The mean of the items; null for a list without valid ones.
    mean => ListExpr::mean;
    /// The median of the items; null for a list without valid ones.
    median => ListExpr::median;
    /// The number of distinct items, nulls not counted, as `int64`.
    nunique => ListExpr::nunique;
    /// Whether any item is true, or not zero; false for a list without valid items.
    any => ListExpr::any;
    /// Whether all items are true, or not zero; true for a list without valid items.
    all => ListExpr::all;
    /// The items in ascending order, nulls last.
    sort => ListExpr::sort;
    /// Each distinct item once, in order of first appearance; a null is one.
    unique => ListExpr::unique;
    /// The items from the last to the first.
    reverse => ListExpr::reverse;
}

impl ListMethods<'_> {
    fn evaluated(self, operation: &'static str, make: impl FnOnce(ListExpr) -> Expr) -> Result<Series> {
        self.0.evaluated(operation, |lists| make(lists.list()))
    }

    /// The item at a position, from 0, or from the end if it is negative; null where there is none.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.get(null_on_oob=True)`.
    pub fn get(&self, position: i64) -> Result<Series> {
        self.evaluated("list.get", |lists| lists.get(position))
    }

    /// The item at a position of each list, as [`get`](Self::get) has it; a position outside of a list is an error.
    ///
    /// # Errors
    /// [`Error::Operation`] for the first list without such an item, for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.get`.
    pub fn get_checked(&self, position: i64) -> Result<Series> {
        self.evaluated("list.get_checked", |lists| lists.get_checked(position))
    }

    /// The item at the position that each row of `positions` has, by label; null where there is none. See
    /// [`ListExpr::get_at`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, positions that are no integers, labels of another kind or number of levels,
    /// and when memory runs out.
    ///
    /// # Source
    /// Polars `list.get(expr)`.
    pub fn get_at(&self, positions: &Series) -> Result<Series> {
        let get = |lists: Expr, at: Expr| lists.list().get_at(at);
        self.0.combine_by("list.get_at", positions.into(), LabelJoin::Left, get)
    }

    /// The item at the position that each row of `positions` has, by label; a position outside of a list is an error, a null gives
    /// null. See [`ListExpr::get_at_checked`].
    ///
    /// # Errors
    /// [`Error::Operation`] for the first list without such an item, for a dtype other than lists, positions that are no integers,
    /// labels of another kind or number of levels, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.get(expr)`.
    pub fn get_at_checked(&self, positions: &Series) -> Result<Series> {
        let get = |lists: Expr, at: Expr| lists.list().get_at_checked(at);
        self.0.combine_by("list.get_at_checked", positions.into(), LabelJoin::Left, get)
    }

    /// The item at a position, as [`get`](Self::get) has it, and `default` where the position is outside of the list. A null list
    /// and a null item give null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([Some(vec![3_i64, 1]), Some(vec![]), None])?;
    /// assert_eq!(tags.list().get_or(1, 0)?.to_options::<i64>()?, [Some(1), Some(0), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, for a default that does not fit the items, and when memory runs out.
    ///
    /// # Source
    /// cuDF `list.get(default=)`.
    pub fn get_or(&self, position: i64, default: impl Into<Literal>) -> Result<Series> {
        self.evaluated("list.get_or", |lists| lists.get_or(position, default))
    }

    /// The item at the position that each row of `positions` has, by label, and `default` where it is outside of the list. A null
    /// list, a null item and a null position give null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, positions that are no integers, a default that does not fit the items,
    /// labels of another kind or number of levels, and when memory runs out.
    ///
    /// # Source
    /// cuDF `list.get(default=)` of a series.
    pub fn get_at_or(&self, positions: &Series, default: impl Into<Literal>) -> Result<Series> {
        let default = lit(default);
        let get = |lists: Expr, at: Expr| lists.list().get_at_or(at, default);
        self.0.combine_by("list.get_at_or", positions.into(), LabelJoin::Left, get)
    }

    /// The items at the positions in the list that each row of `positions` has, by label, in their order; a negative position counts
    /// from the end. Null for a null position and one outside of the list; a null list of either gives null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([vec![3_i64, 1], vec![2]])?;
    /// let taken = tags.list().take(&Series::new([vec![-1_i64, 0, 0], vec![1]])?)?;
    /// assert_eq!((taken.get(0)?.to_string(), taken.get(1)?.to_string()), ("[1, 3, 3]".into(), "[<NA>]".into()));
    /// assert_eq!(tags.list().take_each([0])?.get(1)?.to_string(), "[2]");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for dtypes other than lists, positions that are no integers, labels of another kind or number of levels,
    /// and when memory runs out.
    ///
    /// # Source
    /// Polars `list.gather(null_on_oob=True)`.
    pub fn take(&self, positions: &Series) -> Result<Series> {
        let take = |lists: Expr, at: Expr| lists.list().take(at);
        self.0.combine_by("list.take", positions.into(), LabelJoin::Left, take)
    }

    /// [`take`](Self::take), of which a position outside of a list is an error.
    ///
    /// # Errors
    /// [`Error::Operation`] for the first such position, and as [`take`](Self::take).
    ///
    /// # Source
    /// cuDF `list.take`, Polars `list.gather`.
    pub fn take_checked(&self, positions: &Series) -> Result<Series> {
        let take = |lists: Expr, at: Expr| lists.list().take_checked(at);
        self.0.combine_by("list.take_checked", positions.into(), LabelJoin::Left, take)
    }

    /// The items at positions that are the same for all lists, as [`take`](Self::take).
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.gather(null_on_oob=True)` of a list.
    pub fn take_each(&self, positions: impl IntoIterator<Item = i64>) -> Result<Series> {
        self.evaluated("list.take_each", |lists| lists.take_each(positions))
    }

    /// [`take_each`](Self::take_each), of which a position outside of a list is an error.
    ///
    /// # Errors
    /// [`Error::Operation`] for the first such position, for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.gather` of a list.
    pub fn take_each_checked(&self, positions: impl IntoIterator<Item = i64>) -> Result<Series> {
        self.evaluated("list.take_each_checked", |lists| lists.take_each_checked(positions))
    }

    /// The position of the first item that is equal to a value, as `int64`, −1 without one; a null is equal to nulls and NaN to
    /// NaNs.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([Some(vec![3_i64, 1]), Some(vec![]), None])?;
    /// assert_eq!(tags.list().index(1)?.to_options::<i64>()?, [Some(1), Some(-1), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, for a value that does not fit the items, and when memory runs out.
    ///
    /// # Source
    /// cuDF `list.index`.
    pub fn index(&self, value: impl Into<Literal>) -> Result<Series> {
        self.evaluated("list.index", |lists| lists.index(value))
    }

    /// The position in each list of the value that its row of `values` has, by label, as [`index`](Self::index).
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, for values that do not fit the items, labels of another kind or number of
    /// levels, and when memory runs out.
    ///
    /// # Source
    /// cuDF `list.index` of a series.
    pub fn index_of(&self, values: &Series) -> Result<Series> {
        let index = |lists: Expr, value: Expr| lists.list().index_of(value);
        self.0.combine_by("list.index_of", values.into(), LabelJoin::Left, index)
    }

    /// The items of the innermost lists, one a row, with the labels 0, 1 and so on. Null and empty lists have none.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([Some(vec![3_i64, 1]), Some(vec![]), None, Some(vec![2])])?;
    /// assert_eq!(tags.list().leaves()?.to_vec::<i64>()?, [3, 1, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// cuDF `list.leaves`.
    pub fn leaves(&self) -> Result<Series> {
        const OPERATION: &str = "list.leaves";
        let series = self.0;
        let items = columnade_ops::lists::leaves(series.values(), series.exec());
        let items = items.map_err(|error| series.named(error)).operation(OPERATION)?;
        Series::from_column(OPERATION, series.name().clone(), items, series.exec().clone())
    }

    /// Whether the value that each row of `values` has is among the items, by label, as [`contains`](Self::contains).
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([vec![3_i64, 1], vec![2]])?;
    /// assert_eq!(tags.list().contains_value(&Series::new([1_i64, 1])?)?.to_vec::<bool>()?, [true, false]);
    /// assert_eq!(tags.list().get_at(&Series::new([1_i64, 0])?)?.to_vec::<i64>()?, [1, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, for values that do not fit the items, labels of another kind or number of
    /// levels, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.contains(expr)`.
    pub fn contains_value(&self, values: &Series) -> Result<Series> {
        let contains = |lists: Expr, value: Expr| lists.list().contains_value(value);
        self.0.combine_by("list.contains_value", values.into(), LabelJoin::Left, contains)
    }

    /// Whether a value is among the items, as `bool`; a null is equal to nulls and NaN to NaNs.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, for a value that does not fit the items, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.contains(nulls_equal=True)`.
    pub fn contains(&self, value: impl Into<Literal>) -> Result<Series> {
        self.evaluated("list.contains", |lists| lists.contains(value))
    }

    /// The items in ascending or `descending` order, nulls first or last.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.sort`.
    pub fn sort_with(&self, descending: bool, nulls_first: bool) -> Result<Series> {
        self.evaluated("list.sort_with", |lists| lists.sort_with(descending, nulls_first))
    }

    /// The items from `offset` on, at most `length`; a negative offset counts from the end.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.slice`.
    pub fn slice(&self, offset: i64, length: impl Into<Option<u64>>) -> Result<Series> {
        self.evaluated("list.slice", |lists| lists.slice(offset, length))
    }

    /// The first `n` items.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    pub fn head(&self, n: u64) -> Result<Series> {
        self.evaluated("list.head", |lists| lists.head(n))
    }

    /// The last `n` items.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    pub fn tail(&self, n: u64) -> Result<Series> {
        self.evaluated("list.tail", |lists| lists.tail(n))
    }

    /// The strings of each list with `separator` between them; nulls are left out.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists of strings, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.join`, pandas `Series.str.join`.
    pub fn join(&self, separator: &str) -> Result<Series> {
        self.evaluated("list.join", |lists| lists.join(separator))
    }

    /// The items followed by those of the same row of another series, or by its value; null where one of the lists is null.
    ///
    /// # Errors
    /// [`Error::Operation`] for items without a common dtype, for labels of another kind, and when memory runs out.
    ///
    /// # Source
    /// Polars `list.concat`.
    pub fn concat(&self, other: &Series) -> Result<Series> {
        self.0.combine("list.concat", other.into(), |a, b| concat_list([a, b]))
    }
}

impl Series {
    /// A row for each item of the lists; a null or empty list gives a null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let tags = Series::new([Some(vec![3_i64, 1]), None])?;
    /// assert_eq!(tags.explode()?.to_options::<i64>()?, [Some(3), Some(1), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than lists, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.explode`, Polars `Series.explode(empty_as_null=True)`.
    pub fn explode(&self) -> Result<Series> {
        const OPERATION: &str = "explode";
        let columns = self.inner.frame().accessor();
        let rows = columnade_ops::lists::explode_rows(columns, columns.labels(), self.exec());
        self.inner.picked(OPERATION, rows.operation(OPERATION)?).map(Self::from_indexed)
    }
}
