//! The order of labels.

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{self as columns, Column, ColumnAccessor};
use columnade_ops::selection::{Step, positions};
use columnade_ops::sort::{Order, SortColumn, SortKey, argsort, argsort_rows};

use super::Index;
use crate::dataframe::SortOrder;
use crate::error::{InOperation, Result};
use crate::series::Series;

impl Index {
    /// The rows in the order of the labels, the first of `levels` first; `None` if they are in that order.
    pub(crate) fn sorting_step(
        &self,
        levels: &[usize],
        order: SortOrder,
        exec: &Exec,
    ) -> columns::Result<Option<Step>> {
        let all: Vec<usize> = (0..self.level_count()).collect();
        if levels == all && order == SortOrder::default() && self.increasing_labels()? {
            return Ok(None);
        }
        let columns = self.columns(exec)?;
        let by =
            levels.iter().enumerate().map(|(at, &level)| (at.to_string(), Column::clone(&columns[level])));
        let key = |position| SortColumn { position, order: order.order, nulls: order.nulls };
        let keys: Vec<SortColumn> = (0..levels.len()).map(key).collect();
        let map = argsort_rows(&ColumnAccessor::from_columns(by)?, &keys, exec)?;
        Ok(Some(Step::Rows { map, distinct: true, ordered: false }))
    }

    /// The labels in order: ascending with nulls last (`..`), or as a [`SortOrder`] says. Stable.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for labels without an order, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.sort_values`.
    pub fn sort_values(&self, order: impl Into<SortOrder>) -> Result<Self> {
        const OPERATION: &str = "sort_values";
        let exec = self.exec(OPERATION)?;
        self.sorted(order.into(), &exec).operation(OPERATION)
    }

    /// The labels in order; those of a range are one.
    pub(super) fn sorted(&self, order: SortOrder, exec: &Exec) -> columns::Result<Self> {
        if let Index::Range(range) = self
            && let Some(range) = range.sorted(order.order == Order::Ascending)
        {
            return Ok(Index::Range(range));
        }
        let levels: Vec<usize> = (0..self.level_count()).collect();
        match self.sorting_step(&levels, order, exec)? {
            None => Ok(self.clone()),
            Some(step) => self.picked(&[step], exec),
        }
    }

    /// The positions of the labels in order, `int64`.
    ///
    /// # Errors
    /// Same as [`sort_values`](Self::sort_values).
    ///
    /// # Source
    /// pandas `Index.argsort`.
    pub fn argsort(&self, order: impl Into<SortOrder>) -> Result<Series> {
        const OPERATION: &str = "argsort";
        let exec = self.exec(OPERATION)?;
        let order = order.into();
        let columns = self.columns(&exec).operation(OPERATION)?;
        let keys: Vec<SortKey<'_>> =
            columns.iter().map(|column| SortKey { column, order: order.order, nulls: order.nulls }).collect();
        let sorted = with_retry_no_split(&exec, |exec| positions(&argsort(&keys, exec)?, exec));
        Series::unnamed(OPERATION, sorted.operation(OPERATION)?, exec)
    }
}
