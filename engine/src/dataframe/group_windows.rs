//! What windows within groups need of groups.

use std::borrow::Cow;

use columnade_columns::{Column, ColumnAccessor, Label};
use columnade_ops::expression::Expr;
use columnade_ops::filter::filter_rows;
use columnade_ops::groupby::group_numbers;
use columnade_ops::selection::Step;
use columnade_ops::sort::{NullOrder, Order, SortKey, argsort};

use super::DataFrame;
use super::group_summaries::keys_of;
use super::groupby::GroupBy;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;

impl GroupBy<'_> {
    /// The same grouping, with a handle of the frame.
    pub(crate) fn to_static(&self) -> GroupBy<'static> {
        let groups = self.clone();
        groups.with_frame(Cow::Owned(self.frame.clone().into_owned()))
    }

    /// The rows, also those that take no part.
    pub(crate) fn all_rows(&self) -> &DataFrame {
        &self.frame
    }

    /// The rows that take part: of filtered ones, those in a group.
    pub(crate) fn all_taking_part(&self, operation: &'static str) -> Result<DataFrame> {
        let rows = self.taking_part(operation)?;
        if self.keys.is_empty() || self.keeps_null_keys() {
            return Ok(rows);
        }
        let Some(valid) = self.keys.iter().cloned().map(Expr::is_not_null).reduce(Expr::and) else {
            return Ok(rows);
        };
        let accessor = rows.frame().accessor();
        let kept = filter_rows(accessor, accessor.labels(), &valid, rows.exec()).operation(operation)?;
        rows.with_picked(operation, kept)
    }

    /// The labels of keys and of columns that are keys only.
    pub(crate) fn key_labels(&self) -> Vec<Label> {
        self.keys.iter().map(Expr::label).chain(self.hidden.iter().cloned()).collect()
    }

    /// The keys.
    pub(crate) fn keys(&self) -> &[Expr] {
        &self.keys
    }

    /// The number of the group of each row, in the order of the groups.
    pub(crate) fn numbers(&self, rows: &ColumnAccessor) -> columnade_columns::Result<Column> {
        group_numbers(rows, &self.keys, self.options, self.is_sorted(), self.frame.exec())
    }

    /// An expression within the groups.
    pub(crate) fn within(&self, expr: Expr) -> Expr {
        if self.keys.is_empty() { expr } else { expr.over_with(self.keys.clone(), self.options) }
    }

    /// Values of the rows in the order of their groups, under the keys and the labels of the rows.
    pub(crate) fn by_group(
        &self,
        operation: &'static str,
        rows: &IndexedFrame,
        values: Frame,
    ) -> Result<IndexedFrame> {
        let exec = values.exec().clone();
        let accessor = rows.frame().accessor();
        let ordered = || -> columnade_columns::Result<_> {
            let numbers = group_numbers(accessor, &self.keys, self.options, self.is_sorted(), &exec)?;
            let by = SortKey { column: &numbers, order: Order::Ascending, nulls: NullOrder::Last };
            let map = argsort(&[by], &exec)?;
            let keys = keys_of(&self.keys, accessor, &map, &exec)?;
            Ok((map, keys))
        };
        let (map, keys) = ordered().operation(operation)?;
        let (mut names, mut levels): (Vec<Label>, Vec<Column>) = keys.into_iter().unzip();
        let made = IndexedFrame::with_index(values, rows.index().clone());
        let made = made.take(operation, Step::Rows { map, distinct: true, ordered: false })?;
        names.extend_from_slice(made.index().names());
        levels.extend_from_slice(&made.index().columns(&exec).operation(operation)?);
        let index = Index::of_owned(&names, levels, &exec);
        Ok(IndexedFrame::with_index(made.frame().clone(), index))
    }
}
