//! Groups one by one, and rows chosen by their group.

use columnade_columns::{Column, ColumnAccessor, Error as ColumnError, Label, Scalar};
use columnade_ops::copying::{MapNulls, gather};
use columnade_ops::expression::{Expr, col, evaluate, len, lit};
use columnade_ops::groupby::{GroupOptions, aggregate, group_numbers};
use columnade_ops::selection::{Step, map_of_positions};
use columnade_ops::sort::{NullOrder, Order, SortKey, argsort};

use super::DataFrame;
use super::groupby::GroupBy;
use crate::error::{Error, InOperation, Result};
use crate::expressions::RowKey;

impl GroupBy<'_> {
    /// Row `n` of each group, from 0, or from the end if it is negative, in the order of the frame. Groups of fewer rows have
    /// none.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3] }?;
    /// assert_eq!(frame.group_by("k").nth(1)?.column("n")?.to_vec::<i32>()?, [3]);
    /// assert_eq!(frame.group_by("k").nth(-1)?.column("n")?.to_vec::<i32>()?, [2, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`head`](Self::head).
    ///
    /// # Source
    /// pandas `GroupBy.nth`.
    pub fn nth(&self, n: i64) -> Result<DataFrame> {
        self.rows_by_number("nth", |number, len| {
            if n < 0 { (len - number).eq(n.saturating_neg() - 1) } else { number.eq(n.saturating_add(1)) }
        })
    }

    /// The rows of the groups for which an aggregate is true, in the order of the frame. Null is not true.
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3] }?;
    /// let large = frame.group_by("k").filter(col("n").sum().gt(2))?;
    /// assert_eq!(large.column("n")?.to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for an expression that is not boolean or does not support the dtypes,
    /// for keys without groups, and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.filter`.
    pub fn filter(&self, condition: Expr) -> Result<DataFrame> {
        const OPERATION: &str = "filter";
        self.frame.frame().check_expressions(OPERATION, std::slice::from_ref(&condition))?;
        let of_group = condition.over_with(self.keys.clone(), self.options);
        self.rows_by_number(OPERATION, |_, _| of_group)
    }

    /// The rows of one group: of a key, or a tuple of keys. A null key is a group only with [`dropna(false)`](Self::dropna).
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3] }?;
    /// assert_eq!(frame.group_by("k").get_group("a")?.column("n")?.to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLabels`] for a key that no row has; [`Error::MissingColumns`]; [`Error::Operation`] for another number of
    /// keys, for a key that is not compared with its column, and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.get_group`.
    pub fn get_group(&self, key: impl Into<RowKey>) -> Result<DataFrame> {
        const OPERATION: &str = "get_group";
        let RowKey(values) = key.into();
        if values.len() != self.keys.len() {
            let reason = format!("{} for a grouping by {}", values.len(), self.keys.len());
            return Err(Error::argument(OPERATION, "key", reason));
        }
        let keeps_nulls = self.options != GroupOptions::default();
        let is_key = |(key, value): (&Expr, &Scalar)| {
            let Scalar::Null(_) = value else { return key.clone().eq(lit(value.clone())) };
            if keeps_nulls { key.clone().is_null() } else { lit(false) }
        };
        let chosen = self.keys.iter().zip(&values).map(is_key).reduce(Expr::and);
        let rows = self.taking_part(OPERATION)?;
        let found = rows.filtered(OPERATION, &chosen.unwrap_or_else(|| lit(true)))?;
        if found.is_empty() {
            return Err(Error::MissingLabels { operation: OPERATION, missing: vec![values] });
        }
        self.shown(OPERATION, found)
    }

    /// The keys and the rows of each group, in the order of the groups: that of their first rows, or of their keys with
    /// [`sort(true)`](Self::sort). The rows are in the order of the frame, with their labels. They share memory: the rows are
    /// sorted by group once.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["b", "a", "b"], "n" => [1, 2, 3] }?;
    /// let groups = frame.group_by("k").groups()?;
    /// assert_eq!(groups[0].0, ["b".into()]);
    /// assert_eq!(groups[0].1.column("n")?.to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`ngroup`](Self::ngroup).
    ///
    /// # Device
    /// A sort by group and a gather of all columns; the keys and the number of rows of each group are copied to the host.
    ///
    /// # Source
    /// pandas `GroupBy.__iter__`.
    pub fn groups(&self) -> Result<Vec<(Vec<Scalar>, DataFrame)>> {
        const OPERATION: &str = "groups";
        let rows = self.taking_part(OPERATION)?;
        let (starts, sorted) = self.sorted_by_group(OPERATION, &rows)?;
        let Some((_, firsts)) = starts.split_last() else { return Ok(Vec::new()) };
        let (accessor, exec) = (sorted.frame().accessor(), sorted.exec());
        let keys = || -> columnade_columns::Result<Vec<Vec<Scalar>>> {
            let map = map_of_positions(&Column::from_slice(firsts, exec)?, exec)?;
            let keys = evaluate(&self.keys, accessor, exec)?;
            let keys = ColumnAccessor::from_columns(
                keys.into_iter()
                    .enumerate()
                    .map(|(level, (_, column))| (Label::from(level.to_string()), column)),
            )?;
            gather(&keys, &map, MapNulls::Never, exec)?.columns().iter().map(Column::to_scalars).collect()
        };
        let keys = keys().operation(OPERATION)?;
        let sorted = self.shown(OPERATION, sorted)?;
        starts
            .windows(2)
            .enumerate()
            .map(|(group, bounds)| {
                let key = keys.iter().map(|level| level[group].clone()).collect();
                let [start, end] = [bounds[0], bounds[1]].map(|row| usize::try_from(row).unwrap_or(0));
                Ok((key, sorted.slice(start, end - start)?))
            })
            .collect()
    }

    /// Where each group begins and the last one ends, and the rows in the order of their groups.
    fn sorted_by_group(&self, operation: &'static str, rows: &DataFrame) -> Result<(Vec<i64>, DataFrame)> {
        let (accessor, exec) = (rows.frame().accessor(), rows.exec());
        let sorted = || -> columnade_columns::Result<_> {
            let numbers = group_numbers(accessor, &self.keys, self.options, self.is_sorted(), exec)?;
            let by = SortKey { column: &numbers, order: Order::Ascending, nulls: NullOrder::Last };
            let map = argsort(&[by], exec)?;
            let numbers = ColumnAccessor::from_columns([("group", numbers)])?;
            let sizes = [len().alias("rows")];
            let options = GroupOptions::default();
            let sizes = aggregate(&numbers, None, &[col("group")], &sizes, options, exec)?;
            let sizes = sizes
                .columns()
                .iter()
                .map(Column::to_scalars)
                .collect::<columnade_columns::Result<Vec<_>>>()?;
            Ok((map, sizes))
        };
        let (map, sizes) = sorted().operation(operation)?;
        let [groups, sizes] = sizes.as_slice() else {
            return Err(ColumnError::Internal { invariant: "groups have a number and a size" })
                .operation(operation);
        };
        let mut starts = vec![0; groups.len() + 1];
        for (group, size) in groups.iter().zip(sizes) {
            if let (Scalar::Int64(group), Scalar::Int64(size)) = (group, size)
                && let Some(place) = usize::try_from(*group).ok().and_then(|group| starts.get_mut(group + 1))
            {
                *place = *size;
            }
        }
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
        }
        let step = Step::Rows { map, distinct: true, ordered: false };
        let sorted = rows.indexed_frame().take(operation, step).map(DataFrame::from_indexed)?;
        Ok((starts, sorted))
    }
}
