//! Where the nearest labels are.

use columnade_columns::{self as columns, Column, Error as ColumnError};
use columnade_ops::copying::take;
use columnade_ops::expression::{Expr, col, lit, when};
use columnade_ops::sort::{NullOrder, Order, SearchSide, SortKey, search_sorted};

use super::Index;
use super::lookup::computed;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::series::Series;

/// Which label is taken for one that is not there.
///
/// # Source
/// pandas `get_indexer(method=…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexerMethod {
    /// The one before it in the order of the labels: of ascending labels the greatest that is less.
    Pad,
    /// The one after it in the order of the labels: of ascending labels the least that is greater.
    Backfill,
    /// The one of both that is nearer; of two as near the larger one.
    Nearest,
}

impl Index {
    /// The position of each label of `target`, or of the one that `method` takes for it; −1 without one, and for null and NaN.
    ///
    /// ```
    /// use columnade::expressions::IndexerMethod;
    /// use columnade::Index;
    ///
    /// let labels = Index::new([10, 20, 30])?;
    /// let found = labels.get_indexer_with(&Index::new([5, 20, 26])?, IndexerMethod::Pad)?;
    /// assert_eq!(found.to_vec::<i64>()?, [-1, 1, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] unless the labels are unique; [`Error::Operation`] unless they are sorted, for the
    /// nearest of several levels, labels of another kind, the nearest of labels without a distance, and when memory runs out.
    ///
    /// # Device
    /// One or two binary searches for each label of `target`; arithmetic for integers among a range.
    ///
    /// # Source
    /// pandas `Index.get_indexer(target, method)`.
    pub fn get_indexer_with(&self, target: &Index, method: IndexerMethod) -> Result<Series> {
        const OPERATION: &str = "get_indexer_with";
        let exec = if self.labels().is_none() { target.exec(OPERATION) } else { self.exec(OPERATION) }?;
        self.check_levels(OPERATION, target)?;
        self.check_unique(OPERATION, &exec)?;
        let found = self.nearest_rows(target, method, &exec).operation(OPERATION)?;
        Series::unnamed(OPERATION, found, exec)
    }

    /// The position that a method takes for each label of `target`, −1 without one.
    pub(crate) fn nearest_rows(
        &self,
        target: &Index,
        method: IndexerMethod,
        exec: &columnade_buffers::Exec,
    ) -> columns::Result<Column> {
        if self.level_count() > 1 && method == IndexerMethod::Nearest {
            let feature = "the nearest labels of several levels".to_owned();
            return Err(ColumnError::NotImplemented { feature });
        }
        let Some(order) = self.order()? else {
            let reason = "the labels are not sorted, which a method needs".to_owned();
            return Err(ColumnError::InvalidArgument { name: "row labels", reason });
        };
        let wanted = target.columns(exec)?;
        let search = |is_pad: bool| {
            if let (Index::Range(range), [wanted]) = (self, &*wanted)
                && let Some(found) = range.nearest(wanted, is_pad, exec)?
            {
                return Ok(found);
            }
            self.search_before_or_after(&wanted, is_pad, order, exec)
        };
        match method {
            IndexerMethod::Pad => search(true),
            IndexerMethod::Backfill => search(false),
            IndexerMethod::Nearest => self.nearer(target, &search(true)?, &search(false)?, exec),
        }
    }

    /// The position of the label before (`is_pad`) or after each of `wanted`, or of itself; −1 without one.
    fn search_before_or_after(
        &self,
        wanted: &[Column],
        is_pad: bool,
        order: Order,
        exec: &columnade_buffers::Exec,
    ) -> columns::Result<Column> {
        let labels = self.columns(exec)?;
        let key = |column| SortKey { column, order, nulls: NullOrder::Last };
        let keys: Vec<SortKey<'_>> = labels.iter().map(key).collect();
        let side = if is_pad { SearchSide::Right } else { SearchSide::Left };
        let found = search_sorted(&keys, &wanted.iter().collect::<Vec<_>>(), side, exec)?;
        let rows = i64::try_from(self.len()).unwrap_or(i64::MAX);
        let mut row = if is_pad { col("row") - 1 } else { or_none(col("row").lt(rows), col("row")) };
        let names: Vec<String> = (0..wanted.len()).map(|level| format!("x{level}")).collect();
        let mut values = vec![("row", &found)];
        for (name, wanted) in names.iter().zip(wanted) {
            let x = || col(name.as_str());
            row = when(x().is_null().or(x().ne(x()))).then(lit(-1_i64)).otherwise(row);
            values.push((name, wanted));
        }
        Ok(computed(&values, row, exec)?.without_mask())
    }

    /// Of the positions of two labels, before and after each label of `target`, that of the nearer one; of two as near the
    /// larger one, and the other one where one is negative.
    pub(crate) fn nearer(
        &self,
        target: &Index,
        pad: &Column,
        backfill: &Column,
        exec: &columnade_buffers::Exec,
    ) -> columns::Result<Column> {
        let wanted = &target.columns(exec)?[0];
        let labels_at = |positions: &Column| {
            if let Index::Range(range) = self {
                return range.labels_at(positions, exec);
            }
            take(&self.columns(exec)?[0], positions, exec)
        };
        let (below, above) = (labels_at(pad)?, labels_at(backfill)?);
        let (to_below, to_above) = (col("x") - col("below"), col("above") - col("x"));
        let is_pad = if self.order()? == Some(Order::Descending) {
            // Of both distances the signs are reversed.
            to_below.ge(to_above)
        } else {
            to_below.lt(to_above)
        };
        let nearer = when(is_pad).then(col("pad")).otherwise(col("backfill"));
        let nearer = when(col("backfill").lt(0)).then(col("pad")).otherwise(nearer);
        let nearer = when(col("pad").lt(0)).then(col("backfill")).otherwise(nearer);
        let values =
            [("x", wanted), ("below", &below), ("above", &above), ("pad", pad), ("backfill", backfill)];
        Ok(computed(&values, nearer, exec)?.without_mask())
    }
}

fn or_none(condition: Expr, row: Expr) -> Expr {
    when(condition).then(row).otherwise(lit(-1_i64))
}
