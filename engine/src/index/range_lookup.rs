//! Where integers are among the labels of a range, by arithmetic.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, DType, Label};
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::join::{JoinKind, JoinMaps};
use columnade_ops::selection::{Step, kept_rows, map_of_positions, range_labels};

use super::lookup::{computed, integer, rows_of};
use super::{Index, RangeIndex};
use crate::alignment;
use crate::dataframe::SortOrder;
use crate::error::{InOperation, Result};

impl RangeIndex {
    /// [`rows_of_all`](super::Index::rows_of_all) of integers, null for those that are no label; `None` for others.
    fn rows_of(&self, needles: &Column, exec: &Exec) -> columns::Result<Option<Column>> {
        let Some((least, most)) = self.reach(0).filter(|_| is_integer(&needles.dtype())) else {
            return Ok(None);
        };
        let (x, step) = (col("x").cast(DType::Int64), self.step());
        let distance = x.clone() - self.start();
        let is_label = x.clone().ge(least).and(x.le(most)).and((distance.clone() % step).eq(0));
        let row = when(is_label).then(distance.floor_div(step)).otherwise(lit(Literal::Null));
        computed(&[("x", needles)], row, exec).map(Some)
    }

    /// Whether each integer is one of the labels, false for null; `None` for others than integers.
    pub(super) fn has(&self, values: &Column, exec: &Exec) -> columns::Result<Option<Column>> {
        let Some(rows) = self.rows_of(values, exec)? else { return Ok(None) };
        computed(&[("row", &rows)], col("row").is_not_null(), exec).map(Some)
    }

    /// Those of integers that are labels, once each and in the order of the labels; `None` for others than integers.
    fn common(&self, values: &Column, exec: &Exec) -> columns::Result<Option<Column>> {
        let Some(rows) = self.rows_of(values, exec)? else { return Ok(None) };
        let map = kept_rows(&computed(&[("row", &rows)], col("row").is_not_null(), exec)?, exec)?;
        let rows = Index::of_owned(&[Label::NULL], vec![rows], exec);
        let rows = rows.picked(&[Step::Rows { map, distinct: true, ordered: true }], exec)?;
        let rows = rows.distinct(exec)?.sorted(SortOrder::default(), exec)?;
        match &*rows.columns(exec)? {
            [rows] => self.labels_at(rows, exec).map(Some),
            _ => Ok(None),
        }
    }

    /// The left join of integers with the labels; `None` for others.
    pub(super) fn joined(&self, needles: &Column, exec: &Exec) -> columns::Result<Option<JoinMaps>> {
        let Some(right) = self.rows_of(needles, exec)? else { return Ok(None) };
        let left = map_of_positions(&range_labels(0, 1, needles.size(), exec)?, exec)?;
        Ok(Some(JoinMaps { left, right: Some(map_of_positions(&right, exec)?) }))
    }

    /// The position of each integer, or of the label before it (`is_pad`) or after it in the order of the labels; −1 without
    /// one, and for null. `None` for others than integers.
    pub(super) fn nearest(
        &self,
        needles: &Column,
        is_pad: bool,
        exec: &Exec,
    ) -> columns::Result<Option<Column>> {
        let Some((least, most)) = self.reach(1).filter(|_| is_integer(&needles.dtype())) else {
            return Ok(None);
        };
        let (len, step) = (i64::try_from(self.len()).unwrap_or(i64::MAX), self.step().abs());
        // One step beyond both ends is beyond them as well as more is.
        let x = col("x").cast(DType::Int64).clip(least, most);
        let (to, from) = (x.clone() - self.start(), self.start() - x);
        // One label is in ascending order, whatever the step is.
        let ascends = self.step() > 0 || self.len() == 1;
        let (distance, reverse) = if ascends { (to, from) } else { (from, to) };
        let row = if is_pad {
            distance.floor_div(step).clip_max(len - 1)
        } else {
            let row = -reverse.floor_div(step);
            when(row.clone().lt(len)).then(row.clip_min(0)).otherwise(lit(-1_i64))
        };
        let row = when(col("x").is_null()).then(lit(-1_i64)).otherwise(row);
        Ok(Some(computed(&[("x", needles)], row, exec)?.without_mask()))
    }

    /// The label at each of some positions; where these are negative anything.
    pub(super) fn labels_at(&self, positions: &Column, exec: &Exec) -> columns::Result<Column> {
        computed(&[("row", positions)], col("row") * self.step() + self.start(), exec)
    }

    /// The least and the greatest label, and so many steps beyond both; `None` of no labels, of a step of 0, and where
    /// differences do not fit in 64 bits.
    fn reach(&self, steps: i64) -> Option<(i64, i64)> {
        let beyond = self.step().checked_abs()?.checked_mul(steps)?;
        let ends = (self.start(), self.get(self.len().checked_sub(1)?)?);
        let (least, most) =
            (ends.0.min(ends.1).checked_sub(beyond)?, ends.0.max(ends.1).checked_add(beyond)?);
        most.checked_sub(least).filter(|_| self.step() != 0).map(|_| (least, most))
    }
}

impl Index {
    /// The labels with (semi) or without (anti) an equal one on the other side, once each, where a side is a range that need
    /// not be computed for it; `None` for others.
    pub(super) fn joined_with_range(
        &self,
        other: &Index,
        kind: JoinKind,
        exec: &Exec,
    ) -> columns::Result<Option<Index>> {
        let is_semi = kind == JoinKind::Semi;
        match (self, other) {
            (Index::Range(left), Index::Range(right)) => {
                let Some(both) = alignment::range_of_both(left, right) else { return Ok(None) };
                let found = if is_semi { Some(both) } else { left.without(&both) };
                Ok(found.map(Index::Range))
            }
            (Index::Range(range), _) if is_semi => {
                let [values] = &*other.columns(exec)? else { return Ok(None) };
                let found = range.common(values, exec)?;
                Ok(found.map(|found| Self::of_owned(self.names(), vec![found], exec)))
            }
            (_, Index::Range(range)) => {
                let [values] = &*self.columns(exec)? else { return Ok(None) };
                let Some(found) = range.has(values, exec)? else { return Ok(None) };
                let is_kept = if is_semi { col("found") } else { !col("found") };
                let map = kept_rows(&computed(&[("found", &found)], is_kept, exec)?, exec)?;
                let found = self.picked(&[Step::Rows { map, distinct: true, ordered: true }], exec)?;
                found.distinct(exec).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A range without some labels, each of which is there; `None` where what is left is no range, or there are many of them.
    pub(super) fn range_without(
        &self,
        operation: &'static str,
        range: &RangeIndex,
        labels: &Index,
        exec: &Exec,
    ) -> Result<Option<RangeIndex>> {
        if labels.len() > MOST_ON_THE_HOST {
            return Ok(None);
        }
        self.check_levels(operation, labels)?;
        let gone = labels.columns(exec).operation(operation)?;
        let step = self.rows_of_all(operation, &gone, exec)?;
        let positions = rows_of(&step, exec).and_then(|rows| rows.to_scalars()).operation(operation)?;
        Ok(range.without_positions(&positions.iter().filter_map(integer).collect::<Vec<_>>()))
    }
}

/// So many positions are looked at on the host: more rarely leave a range.
const MOST_ON_THE_HOST: usize = 1 << 12;

/// Whether 64 bits with a sign hold all values of a dtype of integers.
fn is_integer(dtype: &DType) -> bool {
    let narrow = [DType::Int8, DType::Int16, DType::Int32, DType::UInt8, DType::UInt16, DType::UInt32];
    *dtype == DType::Int64 || narrow.contains(dtype)
}
