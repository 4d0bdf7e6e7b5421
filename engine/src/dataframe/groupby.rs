//! Aggregation of groups or of all rows.

use columnade_ops::expression::Expr;
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate};

use super::{DataFrame, SortBy};
use crate::error::{InOperation, Result};
use crate::selection::{Selector, expressions};

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
    /// Groups the rows that are equal in every key: labels or expressions.
    ///
    /// By default groups come in order of their first rows, and rows with a null key are dropped.
    ///
    /// # Source
    /// pandas `groupby(sort=False, dropna=True)`.
    pub fn group_by<S: Into<Selector>>(&self, keys: impl IntoIterator<Item = S>) -> GroupBy<'_> {
        GroupBy {
            frame: self,
            keys: expressions(keys),
            rows_where: None,
            options: GroupOptions::default(),
            order: GroupOrder::FirstAppearance,
        }
    }

    /// Aggregates only the rows for which `predicate` is true, without copying them. [`filter`](Self::filter) returns the rows
    /// themselves.
    pub fn rows_where(&self, predicate: Expr) -> GroupBy<'_> {
        self.group_by::<Selector>([]).rows_where(predicate)
    }

    /// Aggregates of all rows, as a frame of one row.
    ///
    /// # Errors
    /// Same as [`GroupBy::agg`].
    pub fn agg(&self, aggregates: impl IntoIterator<Item = Expr>) -> Result<DataFrame> {
        self.group_by::<Selector>([]).agg(aggregates)
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

    /// Sorts the groups by their keys, ascending, nulls last.
    pub fn sorted(mut self) -> Self {
        self.order = GroupOrder::ByKeys;
        self
    }

    /// Keeps rows with a null key: nulls are equal and form groups.
    ///
    /// # Source
    /// pandas `groupby(dropna=False)`.
    pub fn keep_null_keys(mut self) -> Self {
        self.options.null_keys = NullKeys::Group;
        self
    }

    /// One row per group: its keys, then the aggregates. Without keys, one row, even if the frame is empty.
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for an
    /// expression that is not an aggregate or does not support the dtypes, for a repeated label, and for a sum of
    /// decimals of more than 38 digits, also that of a mean; integer sums wrap around at 64 bits.
    pub fn agg(&self, aggregates: impl IntoIterator<Item = Expr>) -> Result<DataFrame> {
        const OPERATION: &str = "agg";
        let aggregates: Vec<Expr> = aggregates.into_iter().collect();
        let frame = self.frame.frame();
        frame.check_expressions(OPERATION, &self.keys)?;
        frame.check_expressions(OPERATION, self.rows_where.as_slice())?;
        frame.check_expressions(OPERATION, &aggregates)?;
        let columns = aggregate(
            frame.columns(),
            self.rows_where.as_ref(),
            &self.keys,
            &aggregates,
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
