//! Where integers are among the labels of a range, by arithmetic.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, DType};
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::join::JoinMaps;
use columnade_ops::selection::{map_of_positions, range_labels};

use super::RangeIndex;
use super::lookup::computed;

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

/// Whether 64 bits with a sign hold all values of a dtype of integers.
fn is_integer(dtype: &DType) -> bool {
    let narrow = [DType::Int8, DType::Int16, DType::Int32, DType::UInt8, DType::UInt16, DType::UInt32];
    *dtype == DType::Int64 || narrow.contains(dtype)
}
