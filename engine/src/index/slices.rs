//! The rows from one label to another.

use std::ops::Range;

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, Label};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::sort::{NullOrder, Order, SearchSide, SortKey, is_sorted, search_sorted};

use super::Index;
use super::lookup::{integer, position, rows_of};
use crate::error::{Error, InOperation, Result};
use crate::locate::{LabelSlice, RowKey};

impl Index {
    /// The rows from one label to another, both included. In sorted labels the bounds need not be labels, and strings stand
    /// for all times of the year, month, day, hour, minute or second that they name.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// assert_eq!(Index::new([1, 3, 5])?.slice_locs(2..=5)?, 1..3);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnsortedIndex`] for labels in no order of which a bound is none, or comes at several places, and for labels of
    /// several levels of which the first ones, as many as the bound has, are in no order; [`Error::Operation`] for bounds of
    /// another kind, and when memory runs out.
    ///
    /// # Device
    /// Arithmetic for a range, two binary searches in sorted labels, otherwise two passes over all labels.
    ///
    /// # Source
    /// pandas `Index.slice_locs`.
    pub fn slice_locs(&self, labels: impl Into<LabelSlice>) -> Result<Range<usize>> {
        const OPERATION: &str = "slice_locs";
        self.sliced_by(OPERATION, &labels.into(), &self.exec(OPERATION)?)
    }

    pub(crate) fn sliced_by(
        &self,
        operation: &'static str,
        slice: &LabelSlice,
        exec: &Exec,
    ) -> Result<Range<usize>> {
        let start = slice.start.as_ref().map(|key| self.bound(operation, key, SearchSide::Left, exec));
        let end = slice.end.as_ref().map(|key| self.bound(operation, key, SearchSide::Right, exec));
        let (start, end) = (start.unwrap_or(Ok(0))?, end.unwrap_or(Ok(self.len()))?);
        Ok(start..end.max(start))
    }

    /// Where a slice begins (left) or ends (right) that has `key` as a bound.
    fn bound(&self, operation: &'static str, key: &RowKey, side: SearchSide, exec: &Exec) -> Result<usize> {
        self.check_depth(operation, key)?;
        if let (Index::Range(range), [value]) = (self, key.0.as_slice())
            && let Some(label) = integer(value)
            && range.step() != 0
        {
            return Ok(range.bound(label, side == SearchSide::Right));
        }
        let unsorted = || Error::UnsortedIndex { operation, label: key.0.clone() };
        if let Some(found) = self.bound_of_category(operation, key, side, exec)? {
            return Ok(found);
        }
        if let Some(order) = self.order_of_first(key.0.len(), exec).operation(operation)? {
            let (needle, side) = match (self.period_of(key).operation(operation)?, order, side) {
                (None, _, _) => (None, side),
                (Some(period), Order::Ascending, SearchSide::Left) => (Some(period.start), SearchSide::Left),
                (Some(period), Order::Ascending, SearchSide::Right) => (Some(period.end), SearchSide::Left),
                (Some(period), Order::Descending, SearchSide::Left) => (Some(period.end), SearchSide::Right),
                (Some(period), Order::Descending, SearchSide::Right) => {
                    (Some(period.start), SearchSide::Right)
                }
            };
            let needle = needle.map_or_else(|| key.clone(), RowKey::from);
            let found =
                self.needles(&[&needle], exec).and_then(|needles| self.searched(&needles, order, side, exec));
            return found.operation(operation);
        }
        if self.level_count() > 1 {
            return Err(unsorted());
        }
        let step = self.located(operation, key, exec)?.ok_or_else(unsorted)?;
        let ends = || -> columns::Result<_> {
            let rows = rows_of(&step, exec)?;
            Ok((position(&rows.get(0)?)?, position(&rows.get(rows.size() - 1)?)?))
        };
        let (first, last) = ends().operation(operation)?;
        if last - first + 1 != step.len() {
            return Err(unsorted());
        }
        Ok(if side == SearchSide::Left { first } else { last + 1 })
    }

    /// The order of the first levels: of some of several levels the ascending one where they have it, whatever the order of
    /// all levels is.
    fn order_of_first(&self, levels: usize, exec: &Exec) -> columns::Result<Option<Order>> {
        let of_all = self.order()?;
        if levels >= self.level_count() || of_all == Some(Order::Ascending) {
            return Ok(of_all);
        }
        let columns = self.columns(exec)?;
        let first = &columns[..levels];
        if first.iter().any(|column| matches!(column, Column::Categorical(_))) {
            return Ok(None);
        }
        let key = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
        let keys: Vec<SortKey<'_>> = first.iter().map(key).collect();
        Ok(if is_sorted(&keys, exec)? { Some(Order::Ascending) } else { of_all })
    }

    /// The bound of categories whose codes are sorted, which need not be those of a label; `None` for other labels.
    fn bound_of_category(
        &self,
        operation: &'static str,
        key: &RowKey,
        side: SearchSide,
        exec: &Exec,
    ) -> Result<Option<usize>> {
        let labels = self.columns(exec).operation(operation)?;
        let ([Column::Categorical(labels)], [_]) = (&*labels, key.0.as_slice()) else { return Ok(None) };
        let codes = labels.codes();
        let by_code = |order| SortKey { column: &codes, order, nulls: NullOrder::Last };
        let find = || -> columns::Result<Option<Order>> {
            if codes.null_count(exec)? > 0 {
                return Ok(None);
            }
            for order in [Order::Ascending, Order::Descending] {
                if is_sorted(&[by_code(order)], exec)? {
                    return Ok(Some(order));
                }
            }
            Ok(None)
        };
        let Some(order) = find().operation(operation)? else { return Ok(None) };
        let categories =
            Index::of_owned(&[Label::from("category")], vec![(**labels.dictionary()).clone()], exec);
        let Some(step) = categories.located(operation, key, exec)? else { return Ok(None) };
        let search = || -> columns::Result<usize> {
            let code = cast(&rows_of(&step, exec)?, &codes.dtype(), CastMode::Checked, exec)?;
            position(&search_sorted(&[by_code(order)], &[&code], side, exec)?.get(0)?)
        };
        search().operation(operation).map(Some)
    }
}
