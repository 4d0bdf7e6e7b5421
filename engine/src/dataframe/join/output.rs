//! The columns of the result of a join.

use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, Label, Scalar};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::expression::{Node, col, columns_of, evaluate, lit, when};
use columnade_ops::join::{PairCondition, coalesce_keys, common_key, key_of_one_side};

use super::OPERATION;
use super::keys::Input;
use super::options::{How, Merge};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;

/// Which columns a join has to give, and what becomes of them.
pub(super) struct Output {
    /// The positions of the columns of each side.
    pub(super) columns: [Vec<usize>; 2],
    /// The positions of the two columns of each key that is one in the result.
    coalesced: Vec<(usize, usize)>,
    /// Where the columns are that say whether a row is of a side.
    markers: Option<[usize; 2]>,
}

impl Output {
    /// Plans the output, and adds the columns that it needs to the inputs: those behind the keys are all wanted.
    pub(super) fn plan(
        merge: &Merge,
        frames: [&Frame; 2],
        [left, right]: [&mut Input; 2],
        exec: &Exec,
    ) -> Result<Self> {
        let coalesced = coalesced(merge, frames);
        let computed = |input: &Input| input.keys.iter().filter(|&&key| key >= input.own).count();
        let first_extra = [left.own + computed(left), right.own + computed(right)];
        let markers = match merge.indicator {
            None => None,
            Some(_) => Some([marker(left, exec)?, marker(right, exec)?]),
        };
        let is_pair = !matches!(merge.how, How::Semi | How::Anti);
        // A key of both sides is that of the left, of the right in a right join; an outer join takes both.
        let left_dropped = |p: usize| merge.how == How::Right && coalesced.iter().any(|key| key.0 == p);
        let right_dropped = |p: usize| {
            !matches!(merge.how, How::Right | How::Outer) && coalesced.iter().any(|key| key.1 == p)
        };
        let of_left = (0..left.own).filter(|&p| !left_dropped(p)).chain(first_extra[0]..left.columns.len());
        let of_right =
            (0..right.own).filter(|&p| !right_dropped(p)).chain(first_extra[1]..right.columns.len());
        let of_right = if is_pair { of_right.collect() } else { Vec::new() };
        Ok(Self { columns: [of_left.collect(), of_right], coalesced, markers })
    }

    /// Where a column of a side is among the joined columns.
    pub(super) fn position(&self, side: usize, position: usize) -> usize {
        let before = if side == 0 { 0 } else { self.columns[0].len() };
        before + self.columns[side].iter().take_while(|&&other| other != position).count()
    }

    /// The columns of the result under their labels.
    pub(super) fn columns(
        &self,
        merge: &Merge,
        frames: [&Frame; 2],
        joined: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        let [left, right] = frames.map(Frame::accessor);
        let joined_column = |side: usize, position: usize| &joined.columns()[self.position(side, position)];
        let mut sides = [Vec::new(), Vec::new()];
        for (position, label) in left.labels().iter().enumerate() {
            let key = self.coalesced.iter().find(|key| key.0 == position);
            let column = match key {
                Some(&(left_key, right_key)) if !matches!(merge.how, How::Semi | How::Anti) => {
                    let dtypes = (left.columns()[left_key].dtype(), right.columns()[right_key].dtype());
                    let promoted = |column: &Column| match common_key(&dtypes.0, &dtypes.1) {
                        Some(common) if !dtypes.0.logical().same_values(dtypes.1.logical()) => {
                            // Of times, pairs alone are all in the finer unit.
                            let is_inner = merge.how == How::Inner;
                            let own = column.dtype();
                            let dtype = if is_inner { common } else { key_of_one_side(&own, common) };
                            cast(column, &dtype, CastMode::Wrap, exec)
                        }
                        _ => Ok(column.clone()),
                    };
                    match merge.how {
                        How::Right => promoted(joined_column(1, right_key)),
                        How::Outer => {
                            coalesce_keys(joined_column(0, left_key), joined_column(1, right_key), exec)
                        }
                        How::Inner | How::Left | How::Semi | How::Anti | How::Cross => {
                            promoted(joined_column(0, left_key))
                        }
                    }
                    .map_err(|error| error.in_column(label))
                    .operation(OPERATION)?
                }
                _ => joined_column(0, position).clone(),
            };
            sides[0].push((label, column));
        }
        if !self.columns[1].is_empty() {
            for (position, label) in right.labels().iter().enumerate() {
                if self.coalesced.iter().all(|key| key.1 != position) {
                    sides[1].push((label, joined_column(1, position).clone()));
                }
            }
        }
        let mut columns = side_by_side(merge, left, &sides, joined.rows())?;
        if let (Some(label), Some([of_left, of_right])) = (&merge.indicator, self.markers) {
            let indicator = indicator(joined_column(0, of_left), joined_column(1, of_right), exec);
            columns.insert(label.clone(), indicator.operation(OPERATION)?).operation(OPERATION)?;
        }
        Ok(columns)
    }
}

/// The condition of a join, with the columns that its labels are: those of an inner join.
pub(super) fn pair_condition(merge: &Merge, frames: [&Frame; 2]) -> Result<Option<PairCondition>> {
    let Some(predicate) = merge.condition.clone() else { return Ok(None) };
    let coalesced = coalesced(merge, frames);
    let [left, right] = frames.map(|frame| frame.accessor().labels());
    let of_right: Vec<(usize, &Label)> = right
        .iter()
        .enumerate()
        .filter(|(position, _)| coalesced.iter().all(|key| key.1 != *position))
        .collect();
    let mut available: Vec<(Label, usize, usize)> = Vec::new();
    let labelled = |label: &Label, is_in_both: bool, suffix: &str| {
        if is_in_both { suffixed(label, suffix).operation(OPERATION) } else { Ok(label.clone()) }
    };
    for (position, label) in left.iter().enumerate() {
        let is_in_both = of_right.iter().any(|(_, other)| *other == label);
        available.push((labelled(label, is_in_both, &merge.suffixes[0])?, 0, position));
    }
    for (position, label) in of_right {
        available.push((labelled(label, left.contains(label), &merge.suffixes[1])?, 1, position));
    }
    let read = columns_of([&predicate]);
    let is_there = |label: &&Label| available.iter().any(|column| column.0 == **label);
    let missing: Vec<Label> = read.iter().filter(|label| !is_there(label)).cloned().collect();
    if !missing.is_empty() {
        let available = available.into_iter().map(|column| column.0).collect();
        return Err(Error::MissingColumns { operation: OPERATION, missing, available });
    }
    available.retain(|column| read.contains(&column.0));
    if matches!(merge.how, How::Semi | How::Anti) {
        // The result has no suffixes: a label of a frame is that of its column, also where a suffix makes it once more.
        let frames = [left, right];
        let is_own = |(label, side, position): &(Label, usize, usize)| frames[*side][*position] == *label;
        let own: Vec<Label> =
            available.iter().filter(|column| is_own(column)).map(|column| column.0.clone()).collect();
        available.retain(|column| is_own(column) || !own.contains(&column.0));
    }
    Ok(Some(PairCondition { predicate, columns: available }))
}

/// The positions of the columns of keys that are one in the result.
fn coalesced(merge: &Merge, [left, right]: [&Frame; 2]) -> Vec<(usize, usize)> {
    let pairs = merge.left_on.iter().zip(&merge.right_on).filter_map(|(left_key, right_key)| {
        let (Node::Column(left_label), Node::Column(right_label)) = (left_key.node(), right_key.node())
        else {
            return None;
        };
        let is_one = merge.coalesce.unwrap_or(left_label == right_label);
        let position = |frame: &Frame, label: &Label| frame.accessor().position(label).ok();
        if is_one { Some((position(left, left_label)?, position(right, right_label)?)) } else { None }
    });
    let mut coalesced: Vec<(usize, usize)> = Vec::new();
    for (left_key, right_key) in pairs {
        // A column that is a key twice is one with the first column that it is compared with.
        if coalesced.iter().all(|key| key.0 != left_key && key.1 != right_key) {
            coalesced.push((left_key, right_key));
        }
    }
    coalesced
}

/// Adds a column that is null where a row of the result is not of this side.
fn marker(input: &mut Input, exec: &Exec) -> Result<usize> {
    let there = Column::from_scalar(&Scalar::Bool(true), input.columns.rows(), exec).operation(OPERATION)?;
    input.push(OPERATION, there)
}

/// `left_only`, `right_only` or `both` by the markers of both sides.
fn indicator(left: &Column, right: &Column, exec: &Exec) -> columnade_columns::Result<Column> {
    let markers = ColumnAccessor::from_columns([("left", left.clone()), ("right", right.clone())])?;
    let code = when(col("left").is_null()).then(lit(1_i8));
    let code = code.otherwise(when(col("right").is_null()).then(lit(0_i8)).otherwise(lit(2_i8)));
    let code = code.cast(columnade_columns::DType::Int8);
    let (_, codes) = evaluate(&[code], &markers, exec)?.swap_remove(0);
    let values = Column::from_values(["left_only", "right_only", "both"], exec)?;
    CategoricalColumn::new(&codes.without_mask(), Arc::new(values)).map(Column::Categorical)
}

/// The label with a suffix to its first part, which becomes a string.
fn suffixed(label: &Label, suffix: &str) -> columnade_columns::Result<Label> {
    let (first, rest) = (label.parts()[0].to_string(), &label.parts()[1..]);
    Label::from_parts(std::iter::once(format!("{first}{suffix}").into()).chain(rest.iter().cloned()))
}

/// The columns of both sides under distinct labels.
fn side_by_side(
    merge: &Merge,
    left: &ColumnAccessor,
    sides: &[Vec<(&Label, Column)>; 2],
    rows: usize,
) -> Result<ColumnAccessor> {
    let has = |side: usize, label: &Label| sides[side].iter().any(|(other, _)| *other == label);
    let mut columns = ColumnAccessor::with_levels(rows, left.levels().clone());
    for (side, suffix) in merge.suffixes.iter().enumerate() {
        for (label, column) in &sides[side] {
            let label = if has(1 - side, label) {
                suffixed(label, suffix).operation(OPERATION)?
            } else {
                (*label).clone()
            };
            columns.insert(label, column.clone()).operation(OPERATION)?;
        }
    }
    Ok(columns)
}
