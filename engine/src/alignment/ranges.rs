//! Ranges of labels by arithmetic.

use columnade_buffers::Exec;
use columnade_columns as columns;
use columnade_ops::expression::{col, lit, when};
use columnade_ops::selection::{map_of_positions, range_labels};

use super::{Aligned, LabelJoin, Take};
use crate::index::lookup::computed;
use crate::index::{Index, RangeIndex};

/// Ranges of one step whose labels can meet; `None` for others.
pub(super) fn aligned(
    left: &RangeIndex,
    right: &RangeIndex,
    how: LabelJoin,
    exec: &Exec,
) -> columns::Result<Option<Aligned>> {
    let index = match how {
        LabelJoin::Left => Some(left.clone()),
        LabelJoin::Right => Some(right.clone()),
        LabelJoin::Inner => common(left, right),
        LabelJoin::Outer => either(left, right),
    };
    let Some(index) = index else { return Ok(None) };
    let (Some(of_left), Some(of_right)) = (rows_of(left, &index, exec)?, rows_of(right, &index, exec)?)
    else {
        return Ok(None);
    };
    Ok(Some(Aligned { index: Index::Range(index), left: of_left, right: of_right }))
}

/// The position of the first label of `to` among those of `from`, which may be before or after them; `None` for ranges of
/// different steps, or between whose labels others lie.
fn offset(from: &RangeIndex, to: &RangeIndex) -> Option<i128> {
    let step = i128::from(from.step());
    if step == 0 || from.step() != to.step() {
        return None;
    }
    let distance = i128::from(to.start()) - i128::from(from.start());
    (distance % step == 0).then_some(distance / step)
}

fn rows(len: usize) -> i128 {
    i128::try_from(len).unwrap_or(i128::MAX)
}

/// The labels of both.
pub(crate) fn common(left: &RangeIndex, right: &RangeIndex) -> Option<RangeIndex> {
    let at = offset(left, right)?;
    let start = at.clamp(0, rows(left.len()));
    let end = (at + rows(right.len())).clamp(start, rows(left.len()));
    Some(left.slice(usize::try_from(start).ok()?, usize::try_from(end - start).ok()?))
}

/// The labels of either, ascending; `None` with a gap between them.
pub(crate) fn either(left: &RangeIndex, right: &RangeIndex) -> Option<RangeIndex> {
    let at = offset(left, right)?;
    let end = at + rows(right.len());
    if left.step() < 0 || left.is_empty() || right.is_empty() || at > rows(left.len()) || end < 0 {
        return None;
    }
    let (first, last) = (at.min(0), end.max(rows(left.len())));
    let start = if at < 0 { right.start() } else { left.start() };
    RangeIndex::new(start, left.step(), usize::try_from(last - first).ok()?)
}

/// The row of `from` for each label of `to`; `None` for ranges of different steps.
pub(super) fn rows_of(from: &RangeIndex, to: &RangeIndex, exec: &Exec) -> columns::Result<Option<Take>> {
    let Some(at) = offset(from, to) else { return Ok(None) };
    if at >= 0 && at + rows(to.len()) <= rows(from.len()) {
        let Ok(offset) = usize::try_from(at) else { return Ok(None) };
        let is_all = to.len() == from.len();
        return Ok(Some(if is_all { Take::All } else { Take::Slice { offset, len: to.len() } }));
    }
    let (Ok(at), Ok(len)) = (i64::try_from(at), i64::try_from(from.len())) else { return Ok(None) };
    let positions = range_labels(at, 1, to.len(), exec)?;
    let is_outside = col("row").lt(0).or(col("row").ge(len));
    let rows = when(is_outside).then(lit(-1_i64)).otherwise(col("row"));
    let rows = computed(&[("row", &positions)], rows, exec)?;
    Ok(Some(Take::rows(map_of_positions(&rows, exec)?)))
}
