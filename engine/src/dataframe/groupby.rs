//! Aggregation of groups or of all rows.

use columnade_ops::expression::{Expr, len, row_number};
use columnade_ops::filter::filter;
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate};

use super::{DataFrame, SortBy};
use crate::error::{InOperation, Result};
use crate::selection::{IntoExprs, IntoSelectors, expressions};

/// An aggregation of a frame that has not run yet: by keys, of filtered rows, or both.
///
/// Created by [`DataFrame::group_by`] and [`DataFrame::rows_where`]. [`agg`](Self::agg) filters, evaluates and aggregates in
/// one pass, without intermediate columns.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before agg"]
pub struct GroupBy<'a> {
    frame: &'a DataFrame,
    keys: Vec<Expr>,
    rows_where: Option<Expr>,
    options: GroupOptions,
    order: GroupOrder,
}

/// The order of the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupOrder {
    FirstAppearance,
    ByKeys,
}

impl DataFrame {
    /// Groups the rows that are equal in every key: one or several, labels or expressions.
    ///
    /// By default groups come in order of their first rows, and rows with a null key are dropped: see
    /// [`sort`](GroupBy::sort) and [`dropna`](GroupBy::dropna).
    ///
    /// ```
    /// use columnade::{col, df, len};
    ///
    /// let sales = df! { "item" => ["tea", "rye", "tea"], "units" => [3, 1, 4] }?;
    /// let totals = sales.group_by("item").agg([col("units").sum(), len()])?;
    /// assert_eq!(totals.column("units")?.to_vec::<i64>()?, [7, 1]);
    ///
    /// let by_size = sales.group_by(("item", col("units").gt(3).alias("many"))).agg(len())?;
    /// assert_eq!(by_size.columns(), ["item", "many", "len"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `groupby(sort=False, dropna=True)`.
    pub fn group_by<A>(&self, keys: impl IntoSelectors<A>) -> GroupBy<'_> {
        self.grouped(expressions(keys))
    }

    fn grouped(&self, keys: Vec<Expr>) -> GroupBy<'_> {
        GroupBy {
            frame: self,
            keys,
            rows_where: None,
            options: GroupOptions::default(),
            order: GroupOrder::FirstAppearance,
        }
    }

    /// Aggregates only the rows for which `predicate` is true, without copying them. [`filter`](Self::filter) returns the rows
    /// themselves.
    pub fn rows_where(&self, predicate: Expr) -> GroupBy<'_> {
        self.grouped(Vec::new()).rows_where(predicate)
    }

    /// One or several aggregates of all rows, as a frame of one row.
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let sales = df! { "units" => [3, 1, 4] }?;
    /// assert_eq!(sales.agg(col("units").sum())?.column("units")?.to_vec::<i64>()?, [8]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`GroupBy::agg`].
    pub fn agg<A>(&self, aggregates: impl IntoExprs<A>) -> Result<DataFrame> {
        self.grouped(Vec::new()).agg(aggregates)
    }
}

impl GroupBy<'_> {
    /// Aggregates only rows for which `predicate` is true, in addition to earlier predicates.
    pub fn rows_where(mut self, predicate: Expr) -> Self {
        self.rows_where = Some(match self.rows_where {
            None => predicate,
            Some(before) => before.and(predicate),
        });
        self
    }

    /// Whether the groups are sorted by their keys, ascending, nulls last. Default: false, in order of their first rows.
    ///
    /// # Source
    /// pandas `groupby(sort=…)`, whose default is true.
    pub fn sort(mut self, sort: bool) -> Self {
        self.order = if sort { GroupOrder::ByKeys } else { GroupOrder::FirstAppearance };
        self
    }

    /// Whether rows with a null in a key are dropped. Otherwise nulls are equal and form groups. Default: true.
    ///
    /// ```
    /// use columnade::{df, len};
    ///
    /// let frame = df! { "k" => [Some("a"), None, None] }?;
    /// assert_eq!(frame.group_by("k").agg(len())?.shape(), (1, 2));
    /// assert_eq!(frame.group_by("k").dropna(false).agg(len())?.column("len")?.to_vec::<i64>()?, [1, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `groupby(dropna=…)`.
    pub fn dropna(mut self, dropna: bool) -> Self {
        self.options.null_keys = if dropna { NullKeys::Drop } else { NullKeys::Group };
        self
    }

    /// One row per group: its keys, then the aggregates. Without keys, one row, even if the frame is empty.
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for an
    /// expression that is not an aggregate or does not support the dtypes, for a repeated label, and for a sum of
    /// decimals of more than 38 digits, also that of a mean; integer sums wrap around at 64 bits.
    pub fn agg<A>(&self, aggregates: impl IntoExprs<A>) -> Result<DataFrame> {
        self.aggregated(&aggregates.into_exprs())
    }

    /// The first `n` rows of each group, in the order of the frame. [`sort`](Self::sort) has no effect.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a", "a"], "n" => [1, 2, 3, 4] }?;
    /// assert_eq!(frame.group_by("k").head(1)?.column("n")?.to_vec::<i32>()?, [1, 2]);
    /// assert_eq!(frame.group_by("k").tail(2)?.column("n")?.to_vec::<i32>()?, [2, 3, 4]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for keys without
    /// groups, and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.head`.
    pub fn head(&self, n: u64) -> Result<DataFrame> {
        self.rows_by_number("head", |number, _| number.le(n))
    }

    /// The last `n` rows of each group, in the order of the frame.
    ///
    /// # Errors
    /// Same as [`head`](Self::head).
    ///
    /// # Source
    /// pandas `GroupBy.tail`.
    pub fn tail(&self, n: u64) -> Result<DataFrame> {
        self.rows_by_number("tail", |number, len| (len - number).lt(n))
    }

    /// The rows that are chosen by their number in their group, from 1, and its number of rows.
    fn rows_by_number(
        &self,
        operation: &'static str,
        chosen: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<DataFrame> {
        let frame = self.frame.frame();
        frame.check_expressions(operation, &self.keys)?;
        frame.check_expressions(operation, self.rows_where.as_slice())?;
        let filtered;
        let rows = match &self.rows_where {
            Some(predicate) => {
                filtered = filter(frame.accessor(), predicate, frame.exec()).operation(operation)?;
                &filtered
            }
            None => frame.accessor(),
        };
        let of_group = |expr: Expr| expr.over_with(self.keys.clone(), self.options);
        let chosen = chosen(of_group(row_number()), of_group(len()));
        Ok(self.frame.with_rows(filter(rows, &chosen, frame.exec()).operation(operation)?))
    }

    fn aggregated(&self, aggregates: &[Expr]) -> Result<DataFrame> {
        const OPERATION: &str = "agg";
        let frame = self.frame.frame();
        frame.check_expressions(OPERATION, &self.keys)?;
        frame.check_expressions(OPERATION, self.rows_where.as_slice())?;
        frame.check_expressions(OPERATION, aggregates)?;
        let columns = aggregate(
            frame.accessor(),
            self.rows_where.as_ref(),
            &self.keys,
            aggregates,
            self.options,
            frame.exec(),
        )
        .operation(OPERATION)?;
        let groups = self.frame.with_rows(columns);
        match self.order {
            GroupOrder::ByKeys if !self.keys.is_empty() => {
                let by: Vec<_> = self.keys.iter().map(|key| SortBy::ascending(key.label())).collect();
                groups.sorted(OPERATION, &by)
            }
            GroupOrder::FirstAppearance | GroupOrder::ByKeys => Ok(groups),
        }
    }
}
