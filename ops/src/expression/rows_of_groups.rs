//! Aggregates that are rows of groups, or lists of them: modes, first and last rows, collected values.

use super::{Expr, Statistic};

impl Expr {
    /// The most frequent value of a group, the smallest of several; null without values.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").mode())?, "oat oat oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// SQL `mode`; the first row of pandas `Series.mode`.
    pub fn mode(self) -> Expr {
        self.statistic(Statistic::Mode)
    }

    /// The first value of a group that is not null; null if there is none. [`nth(0)`](Self::nth) is the first row, null
    /// or not.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").shift(1).first())?, "1 1 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `GroupBy.first`.
    pub fn first(self) -> Expr {
        self.statistic(Statistic::First)
    }

    /// The last value of a group that is not null; null if there is none.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").last())?, "oat oat oat");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `GroupBy.last`.
    pub fn last(self) -> Expr {
        self.statistic(Statistic::Last)
    }

    /// The row of a group at `position`, counted from the end if negative, null or not; null if there is no such row.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").nth(-2))?, "5 5 5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `GroupBy.nth`.
    pub fn nth(self, position: i64) -> Expr {
        self.statistic(Statistic::Nth(position))
    }

    /// The position in the frame of the first row of a group with its smallest value; null without values. NaN is skipped
    /// unless all values are NaN. `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").arg_min())?, "2 2 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method, when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.idxmin` of a range index, cudf/aggregation.hpp `make_argmin_aggregation`.
    pub fn arg_min(self) -> Expr {
        self.statistic(Statistic::ArgMin)
    }

    /// The position in the frame of the first row of a group with its largest value; null without values. NaN is skipped
    /// unless all values are NaN. `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").arg_max())?, "2 2 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method, when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.idxmax` of a range index, cudf/aggregation.hpp `make_argmax_aggregation`.
    pub fn arg_max(self) -> Expr {
        self.statistic(Statistic::ArgMax)
    }

    /// The rows of a group as a list, in their order, nulls included.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").collect())?, "[1, <NA>, 3] [1, <NA>, 3] [1, <NA>, 3]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `GroupBy.agg(list)`, cudf/aggregation.hpp `make_collect_list_aggregation`.
    pub fn collect(self) -> Expr {
        self.statistic(Statistic::Collect)
    }

    /// The distinct values of a group as a list, in order of first appearance, without nulls.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").collect_unique())?, "[1, 3] [1, 3] [1, 3]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `GroupBy.unique`, cudf/aggregation.hpp `make_collect_set_aggregation`.
    pub fn collect_unique(self) -> Expr {
        self.statistic(Statistic::CollectUnique)
    }

    /// The `k` largest values of a group as a list, in descending order, without nulls.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").top_k(2))?, "[5, 4] [5, 4] [5, 4]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `SeriesGroupBy.nlargest`.
    pub fn top_k(self, k: u64) -> Expr {
        self.statistic(Statistic::TopK(k))
    }

    /// The `k` smallest values of a group as a list, in ascending order, without nulls.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").bottom_k(2))?, "[0, 4] [0, 4] [0, 4]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `SeriesGroupBy.nsmallest`.
    pub fn bottom_k(self, k: u64) -> Expr {
        self.statistic(Statistic::BottomK(k))
    }
}
