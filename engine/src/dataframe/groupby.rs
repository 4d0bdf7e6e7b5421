//! Aggregation of groups or of all rows.

use std::borrow::Cow;

use columnade_columns::{Column, Label};
use columnade_ops::expression::{Expr, evaluate, len, lit, row_number};
use columnade_ops::filter::filter_rows;
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate, group_numbers};

use super::{DataFrame, SetIndex, SortBy};
use crate::error::{InOperation, Result};
use crate::selection::{IntoExprs, IntoSelectors, expressions};
use crate::series::Series;

/// An aggregation of a frame that has not run yet: by keys, of filtered rows, or both.
///
/// Created by [`DataFrame::group_by`] and [`DataFrame::rows_where`]. [`agg`](Self::agg) filters, evaluates and aggregates in
/// one pass, without intermediate columns.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before agg"]
pub struct GroupBy<'a> {
    pub(super) frame: Cow<'a, DataFrame>,
    pub(super) keys: Vec<Expr>,
    /// Columns of the frame that are keys only.
    pub(super) hidden: Vec<Label>,
    /// The labels of all bins of time, which are the only key.
    pub(super) bins: Option<Column>,
    rows_where: Option<Expr>,
    pub(super) options: GroupOptions,
    order: GroupOrder,
    observed: bool,
    as_index: bool,
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
        GroupBy::of(Cow::Borrowed(self), keys, Vec::new())
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

impl<'a> GroupBy<'a> {
    pub(super) fn of(frame: Cow<'a, DataFrame>, keys: Vec<Expr>, hidden: Vec<Label>) -> Self {
        Self {
            frame,
            keys,
            hidden,
            bins: None,
            rows_where: None,
            options: GroupOptions::default(),
            order: GroupOrder::FirstAppearance,
            observed: true,
            as_index: false,
        }
    }
}

impl GroupBy<'_> {
    /// The same grouping of a frame that lives as long.
    pub(super) fn with_frame(self, frame: Cow<'static, DataFrame>) -> GroupBy<'static> {
        GroupBy {
            frame,
            keys: self.keys,
            hidden: self.hidden,
            bins: self.bins,
            rows_where: self.rows_where,
            options: self.options,
            order: self.order,
            observed: self.observed,
            as_index: self.as_index,
        }
    }

    /// Whether rows with a null key are in a group.
    pub(super) fn keeps_null_keys(&self) -> bool {
        self.options.null_keys == NullKeys::Group
    }

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

    /// Whether only keys that rows have are groups of [`agg`](Self::agg). Otherwise each category of a dictionary is one, with
    /// each value of the other keys: without rows sums and counts are 0, other aggregates null. Unless groups are sorted, those
    /// come after the groups that rows have. Default: true.
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let sizes = df! { "k" => ["m", "s"] }?.column("k")?.cat().encode()?.cat().add_categories(["l"])?;
    /// let frame = df! { "n" => [1, 2] }?.with_column("size", sizes)?;
    /// let all = frame.group_by("size").observed(false).agg(col("n").sum())?;
    /// assert_eq!(all.column("n")?.to_vec::<i64>()?, [1, 2, 0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `groupby(observed=…)`.
    pub fn observed(mut self, observed: bool) -> Self {
        self.observed = observed;
        self
    }

    /// Whether the keys are the row labels of the result of [`agg`](Self::agg), and not its first columns. Default: false.
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3] }?;
    /// let sums = frame.group_by("k").as_index(true).agg(col("n").sum())?;
    /// assert_eq!(sums.at("a", "n")?, 4_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `groupby(as_index=…)`, whose default is true.
    pub fn as_index(mut self, as_index: bool) -> Self {
        self.as_index = as_index;
        self
    }

    /// One row per group: its keys, then the aggregates. Without keys, one row, even if the frame is empty.
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for an
    /// expression that is not an aggregate or does not support the dtypes, for a repeated label, and for a sum of
    /// decimals of more than 38 digits, also that of a mean; integer sums wrap around at 64 bits.
    pub fn agg<A>(&self, aggregates: impl IntoExprs<A>) -> Result<DataFrame> {
        self.aggregated("agg", &aggregates.into_exprs())
    }

    /// The first `n` rows of each group, in the order of the frame; of a negative `n` all but the last `-n`.
    /// [`sort`](Self::sort) has no effect.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a", "a"], "n" => [1, 2, 3, 4] }?;
    /// assert_eq!(frame.group_by("k").head(1)?.column("n")?.to_vec::<i32>()?, [1, 2]);
    /// assert_eq!(frame.group_by("k").tail(2)?.column("n")?.to_vec::<i32>()?, [2, 3, 4]);
    /// assert_eq!(frame.group_by("k").head(-1)?.column("n")?.to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for keys without
    /// groups, and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.head`.
    pub fn head(&self, n: i64) -> Result<DataFrame> {
        self.rows_by_number("head", |number, len| number.le(if n < 0 { len + n } else { lit(n) }))
    }

    /// The last `n` rows of each group, in the order of the frame; of a negative `n` all but the first `-n`.
    ///
    /// # Errors
    /// Same as [`head`](Self::head).
    ///
    /// # Source
    /// pandas `GroupBy.tail`.
    pub fn tail(&self, n: i64) -> Result<DataFrame> {
        self.rows_by_number("tail", |number, len| {
            // Numbers are less than 2⁶³: none is greater than that.
            if n < 0 { number.gt(n.saturating_neg()) } else { (len - number).lt(n) }
        })
    }

    /// The number of the group of each row, from 0, in the order of the groups: that of their first rows, or of their keys with
    /// [`sort(true)`](Self::sort). Null for rows with a null key, unless [`dropna(false)`](Self::dropna). `int64`, under the labels of
    /// the rows.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["b", "a", "b"] }?;
    /// assert_eq!(frame.group_by("k").ngroup()?.to_vec::<i64>()?, [0, 1, 0]);
    /// assert_eq!(frame.group_by("k").sort(true).ngroup()?.to_vec::<i64>()?, [1, 0, 1]);
    /// assert_eq!(frame.group_by("k").cumcount()?.to_vec::<i64>()?, [0, 0, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.ngroup`.
    pub fn ngroup(&self) -> Result<Series> {
        const OPERATION: &str = "ngroup";
        let rows = self.taking_part(OPERATION)?;
        let (accessor, exec) = (rows.frame().accessor(), rows.exec());
        let numbers = group_numbers(accessor, &self.keys, self.options, self.is_sorted(), exec);
        let numbers = Series::unnamed(OPERATION, numbers.operation(OPERATION)?, exec.clone())?;
        Ok(numbers.labelled_by(rows.index()))
    }

    /// The number of each row in its group, from 0, in the order of the rows and under their labels. Null for rows with a null key,
    /// unless [`dropna(false)`](Self::dropna). `int64`.
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.cumcount`.
    pub fn cumcount(&self) -> Result<Series> {
        const OPERATION: &str = "cumcount";
        let rows = self.taking_part(OPERATION)?;
        let (accessor, exec) = (rows.frame().accessor(), rows.exec());
        let number = (row_number() - 1).over_with(self.keys.clone(), self.options);
        let (_, numbers) = evaluate(&[number], accessor, exec).operation(OPERATION)?.swap_remove(0);
        Ok(Series::unnamed(OPERATION, numbers, exec.clone())?.labelled_by(rows.index()))
    }

    /// The rows that take part, with their labels.
    pub(super) fn taking_part(&self, operation: &'static str) -> Result<DataFrame> {
        let frame = self.frame.frame();
        frame.check_expressions(operation, &self.keys)?;
        frame.check_expressions(operation, self.rows_where.as_slice())?;
        match &self.rows_where {
            Some(predicate) => self.frame.filtered(operation, predicate),
            None => Ok(self.frame.as_ref().clone()),
        }
    }

    pub(super) fn is_sorted(&self) -> bool {
        self.order == GroupOrder::ByKeys
    }

    /// The rows that are chosen by their number in their group, from 1, and its number of rows.
    pub(super) fn rows_by_number(
        &self,
        operation: &'static str,
        chosen: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<DataFrame> {
        let rows = self.taking_part(operation)?;
        let of_group = |expr: Expr| expr.over_with(self.keys.clone(), self.options);
        let chosen = chosen(of_group(row_number()), of_group(len()));
        let accessor = rows.frame().accessor();
        let kept = filter_rows(accessor, accessor.labels(), &chosen, rows.exec());
        self.shown(operation, rows.with_picked(operation, kept.operation(operation)?)?)
    }

    pub(super) fn is_observed(&self) -> bool {
        self.observed
    }

    /// Whether the keys are the row labels of aggregates.
    pub(super) fn is_indexed(&self) -> bool {
        self.as_index
    }

    pub(super) fn aggregated(&self, operation: &'static str, aggregates: &[Expr]) -> Result<DataFrame> {
        let frame = self.frame.frame();
        frame.check_expressions(operation, &self.keys)?;
        frame.check_expressions(operation, self.rows_where.as_slice())?;
        frame.check_expressions(operation, aggregates)?;
        let columns = aggregate(
            frame.accessor(),
            self.rows_where.as_ref(),
            &self.keys,
            aggregates,
            self.options,
            frame.exec(),
        )
        .operation(operation)?;
        let groups = self.frame.with_rows(columns);
        let has_keys = !self.keys.is_empty();
        let is_category = |column: &Column| matches!(column, Column::Categorical(_));
        let has_categories =
            groups.frame().accessor().columns().iter().take(self.keys.len()).any(is_category);
        let groups = if has_keys && (!self.observed && has_categories || self.bins.is_some()) {
            self.with_unobserved(operation, &groups, aggregates)?
        } else if self.is_sorted() && has_keys {
            let by: Vec<_> = self.keys.iter().map(|key| SortBy::ascending(key.label())).collect();
            groups.sorted(operation, &by)?.ignore_index()
        } else {
            groups
        };
        if !self.as_index || !has_keys {
            return Ok(groups);
        }
        let labels: Vec<Label> = groups.columns()[..self.keys.len()].to_vec();
        groups.indexed(operation, &labels, SetIndex::default())
    }
}
