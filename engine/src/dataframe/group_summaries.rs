//! How often values occur, the largest rows, and statistics of pairs of columns, by group.

use std::borrow::Cow;

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Label, Result as ColumnResult, Scalar};
use columnade_ops::copying::{MapNulls, RowMap, gather};
use columnade_ops::expression::{Expr, Rank, RankMethod, col, evaluate, len, lit, when};
use columnade_ops::groupby::{GroupOptions, NullKeys, group_numbers};
use columnade_ops::selection::{Step, kept_rows};
use columnade_ops::sort::{NullOrder, Order, SortKey, Ties, argsort};

use super::groupby::GroupBy;
use super::{DataFrame, SetIndex};
use crate::error::{Error, InOperation, Result};
use crate::index::Index;
use crate::index::lookup::computed;
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoLabels;
use crate::series::{Series, ValueCounts};
use crate::window::{paired, pairs};

impl GroupBy<'_> {
    /// How often the values of some columns occur together in each group: a series called `count`, labelled by the keys and the
    /// values, in the order of the groups and the most frequent first. Rows with a null are left out; of equal counts the values
    /// that appear first are before the others.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a", "a"], "n" => [1, 2, 3, 3] }?;
    /// let counts = frame.group_by("k").value_counts("n")?;
    /// assert_eq!(counts.to_vec::<i64>()?, [2, 1, 1]);
    /// assert_eq!(counts.at(("a", 3))?, 2_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`value_counts_with`](Self::value_counts_with).
    ///
    /// # Source
    /// pandas `GroupBy.value_counts`.
    pub fn value_counts<A>(&self, columns: impl IntoLabels<A>) -> Result<Series> {
        self.counted("value_counts", columns.into_labels(), &ValueCounts::default())
    }

    /// [`value_counts`](Self::value_counts) as the options say; shares of the rows of a group are called `proportion`. Without a sort
    /// by counts the values of a group come in the order of their first rows.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for no columns, for bins, which are of one series, for a column that is a key,
    /// for nested columns, and when memory runs out.
    ///
    /// # Device
    /// A group-by of keys and columns, and a sort of what it found.
    ///
    /// # Source
    /// pandas `GroupBy.value_counts(normalize=…, sort=…, ascending=…, dropna=…)`.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn value_counts_with<A>(&self, columns: impl IntoLabels<A>, options: ValueCounts) -> Result<Series> {
        self.counted("value_counts_with", columns.into_labels(), &options)
    }

    fn counted(&self, operation: &'static str, columns: Vec<Label>, options: &ValueCounts) -> Result<Series> {
        if columns.is_empty() {
            return Err(Error::argument(operation, "columns", "there are none"));
        }
        if options.cut.is_some() {
            return Err(Error::argument(operation, "bins", "those are of one column"));
        }
        let mut rows = self.all_taking_part(operation)?;
        let values: Vec<Expr> = columns.into_iter().map(col).collect();
        rows.frame().check_expressions(operation, &values)?;
        if options.dropna
            && let Some(valid) = values.iter().cloned().map(Expr::is_not_null).reduce(Expr::and)
        {
            rows = rows.filtered(operation, &valid)?;
        }
        let depth = self.keys.len();
        let keys: Vec<Expr> = self.keys.iter().cloned().chain(values).collect();
        let labels: Vec<Label> = keys.iter().map(Expr::label).collect();
        let mut count = "count".to_owned();
        while labels.iter().any(|label| *label == *count) {
            count.push('\'');
        }
        // Null keys of groups, and null values, are left out already where they do not count.
        let counted = GroupBy::of(Cow::Owned(rows), keys, self.hidden.clone()).dropna(false);
        let counted = counted.observed(self.is_observed() && options.observed);
        let counted = counted.aggregated(operation, &[len().alias(count.clone())])?;
        let exec = counted.exec();
        let of_groups: Vec<Expr> = labels[..depth].iter().cloned().map(col).collect();
        let all = GroupOptions { null_keys: NullKeys::Group };
        let ordered = || -> ColumnResult<RowMap> {
            let found = counted.frame().accessor();
            let numbers = group_numbers(found, &of_groups, all, self.is_sorted(), exec)?;
            let order = if options.ascending { Order::Ascending } else { Order::Descending };
            let mut by = vec![SortKey { column: &numbers, order: Order::Ascending, nulls: NullOrder::Last }];
            if options.sort {
                by.push(SortKey { column: found.get(&*count)?, order, nulls: NullOrder::Last });
            }
            argsort(&by, exec)
        };
        let map = ordered().operation(operation)?;
        let step = Step::Rows { map, distinct: true, ordered: false };
        let counted = counted.indexed_frame().take(operation, step).map(DataFrame::from_indexed)?;
        let shares = if options.normalize {
            let total = col(count.clone()).sum();
            let total = if of_groups.is_empty() { total } else { total.over_with(of_groups, all) };
            let share = (col(count.clone()) / total).alias(count.clone());
            Some(counted.frame().evaluate(operation, &[share])?.swap_remove(0).1)
        } else {
            None
        };
        let labelled = counted.indexed(operation, &labels, SetIndex::default())?.column(&*count)?;
        match shares {
            None => Ok(labelled.rename("count")),
            Some(shares) => Ok(labelled.with_values(operation, shares)?.rename("proportion")),
        }
    }

    /// The rows with the `n` largest values of a column in each group, largest first, labelled by the keys and their labels: of equal
    /// values those that `keep` says. Rows whose value is null are left out. NaN is larger than all numbers.
    ///
    /// ```
    /// use columnade::df;
    /// use columnade::expressions::Ties;
    ///
    /// let frame = df! { "k" => ["a", "b", "a", "a"], "n" => [1, 2, 5, 3] }?;
    /// let largest = frame.group_by("k").nlargest(2, "n", Ties::First)?;
    /// assert_eq!(largest.column("n")?.to_vec::<i32>()?, [5, 3, 2]);
    /// assert_eq!(largest.at(("a", 2), "n")?, 5.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for nested values, and when memory runs out.
    ///
    /// # Device
    /// A sort by group and value for the ranks, and one of the rows that are kept.
    ///
    /// # Source
    /// pandas `SeriesGroupBy.nlargest`.
    pub fn nlargest(&self, n: usize, by: impl Into<Label>, keep: Ties) -> Result<DataFrame> {
        self.first_of_groups("nlargest", n, by.into(), true, keep)
    }

    /// The rows with the `n` smallest values of a column in each group, smallest first: see [`nlargest`](Self::nlargest).
    ///
    /// # Errors
    /// Same as [`nlargest`](Self::nlargest).
    ///
    /// # Source
    /// pandas `SeriesGroupBy.nsmallest`.
    pub fn nsmallest(&self, n: usize, by: impl Into<Label>, keep: Ties) -> Result<DataFrame> {
        self.first_of_groups("nsmallest", n, by.into(), false, keep)
    }

    fn first_of_groups(
        &self,
        operation: &'static str,
        n: usize,
        by: Label,
        descending: bool,
        keep: Ties,
    ) -> Result<DataFrame> {
        let value = col(by);
        let rank = |method, descending| value.clone().rank(Rank { method, descending, pct: false });
        let place = match keep {
            Ties::First => rank(RankMethod::First, descending),
            Ties::Last => value.clone().count() + 1 - rank(RankMethod::First, !descending),
            Ties::All => rank(RankMethod::Min, descending),
        };
        let rows = self.all_taking_part(operation)?;
        let place = rows.frame().evaluate(operation, &[self.within(place)])?.swap_remove(0).1;
        let (accessor, exec) = (rows.frame().accessor(), rows.exec());
        let chosen = || -> ColumnResult<RowMap> {
            let numbers = self.numbers(accessor)?;
            let most = i64::try_from(n).unwrap_or(i64::MAX);
            let chosen = col("place").le(most);
            let chosen = computed(&[("place", &place)], chosen, exec)?;
            let kept = kept_rows(&chosen, exec)?.len;
            let none = lit(Scalar::Null(numbers.dtype()));
            let group = when(col("chosen")).then(col("group")).otherwise(none);
            let group = computed(&[("chosen", &chosen), ("group", &numbers)], group, exec)?;
            let ascending = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
            Ok(argsort(&[ascending(&group), ascending(&place)], exec)?.head(kept))
        };
        let map = chosen().operation(operation)?;
        let shown = self.shown(operation, rows.clone())?;
        self.rows_under_keys(operation, rows.indexed_frame(), &shown, map).map(DataFrame::from_indexed)
    }

    /// Pearson's correlation of each pair of columns in each group: a row for each group and column, labelled by the keys and the
    /// column, see [`Expr::corr`].
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "x" => [1, 2, 3], "y" => [6, 4, 2] }?;
    /// let corr = frame.group_by("k").corr(["x", "y"])?;
    /// assert_eq!(corr.at(("a", "x"), "y")?, (-1.0).into());
    /// assert_eq!(corr.shape(), (4, 2));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for columns that are no numbers or are not called by a text, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `GroupBy.corr`.
    pub fn corr<A>(&self, columns: impl IntoLabels<A>) -> Result<DataFrame> {
        self.of_pairs("corr", &columns.into_labels(), Expr::corr)
    }

    /// The sample covariance of each pair of columns in each group, as [`corr`](Self::corr); that of a column with itself is its
    /// variance.
    ///
    /// # Errors
    /// Same as [`corr`](Self::corr).
    ///
    /// # Source
    /// pandas `GroupBy.cov`.
    pub fn cov<A>(&self, columns: impl IntoLabels<A>) -> Result<DataFrame> {
        self.of_pairs("cov", &columns.into_labels(), Expr::cov)
    }

    /// [`cov`](Self::cov) divided by the number of rows where both are valid less `ddof`.
    ///
    /// # Errors
    /// Same as [`corr`](Self::corr).
    ///
    /// # Source
    /// pandas `GroupBy.cov(ddof=…)`.
    pub fn cov_ddof<A>(&self, columns: impl IntoLabels<A>, ddof: u32) -> Result<DataFrame> {
        self.of_pairs("cov_ddof", &columns.into_labels(), |x, y| x.cov_ddof(y, ddof))
    }

    fn of_pairs(
        &self,
        operation: &'static str,
        labels: &[Label],
        of: impl Fn(Expr, Expr) -> Expr,
    ) -> Result<DataFrame> {
        let made = self.clone().as_index(true).aggregated(operation, &pairs(labels, of))?;
        paired(operation, labels, made.indexed_frame())
    }
}

impl GroupBy<'_> {
    /// Rows of a frame that has those of `rows`, under their keys and labels.
    fn rows_under_keys(
        &self,
        operation: &'static str,
        rows: &IndexedFrame,
        values: &DataFrame,
        map: RowMap,
    ) -> Result<IndexedFrame> {
        let exec = rows.frame().exec().clone();
        let keys = keys_of(&self.keys, rows.frame().accessor(), &map, &exec).operation(operation)?;
        let (mut names, mut levels): (Vec<Label>, Vec<Column>) = keys.into_iter().unzip();
        let step = Step::Rows { map, distinct: true, ordered: false };
        let made = values.indexed_frame().take(operation, step)?;
        names.extend_from_slice(made.index().names());
        levels.extend_from_slice(&made.index().columns(&exec).operation(operation)?);
        let index = Index::of_owned(&names, levels, &exec);
        Ok(IndexedFrame::with_index(made.frame().clone(), index))
    }
}

/// The keys of the rows that a map takes.
pub(super) fn keys_of(
    keys: &[Expr],
    rows: &ColumnAccessor,
    map: &RowMap,
    exec: &Exec,
) -> ColumnResult<Vec<(Label, Column)>> {
    let of_rows = evaluate(keys, rows, exec)?.into_iter();
    of_rows
        .map(|(label, key)| {
            let one = ColumnAccessor::from_columns([("key", key)])?;
            Ok((label, gather(&one, map, MapNulls::Never, exec)?.columns()[0].clone()))
        })
        .collect()
}
