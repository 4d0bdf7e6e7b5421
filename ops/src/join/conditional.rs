//! Joins with a condition on pairs of rows.

use super::extremes::{matches_by_extremes, unused};
use super::hash_join::{match_ranges, unique_matches};
use super::{JoinKind, JoinMaps, NullEquality};
use crate::copying::{MapNulls, concat as concat_columns, gather_column};
use crate::expression::{Expr, col, evaluate_mask_rows, lit, when};
use crate::groupby::grouped_rows::{column_of, compute, numbers};
use crate::join::inequality::{equal_keys, inequality_ranges};
use crate::out_of_core::by_position;
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Label, Result};
use columnade_kernels::copying::concat::concat;
use columnade_kernels::copying::filter::{filter, row_map};
use columnade_kernels::copying::gather::gather;
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::joining::hash_join::hash_join;
use columnade_kernels::joining::pairs::{MatchRanges, Pairs, runs};
use columnade_kernels::{ColumnData, Fixed, FixedData, RowMap, RowWidth, Storage, View};
use std::borrow::Cow;

/// What the pairs of a join have to fulfil beside equal keys.
#[derive(Clone, Debug)]
pub struct PairCondition {
    /// True for the pairs that match; false and null are no match. An aggregate or a row function in it is of all rows of the
    /// side whose columns it reads.
    pub predicate: Expr,
    /// The columns that the predicate reads: the label that it has for them, the side (0 is left) and the position there.
    pub columns: Vec<(Label, usize, usize)>,
}

/// The most pairs that a condition is evaluated for at a time.
const MOST_PAIRS: usize = 1 << 20;
/// The least: fewer take longer to start than to evaluate.
const LEAST_PAIRS: usize = 1 << 10;
/// Bytes of a pair in its maps, before and after the condition.
const MAPS: usize = 32;

impl PairCondition {
    /// The condition for the same sides in the other order.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        self.columns.iter_mut().for_each(|(_, side, _)| *side = 1 - *side);
        self
    }

    /// The columns of a side under the labels of the predicate.
    pub(super) fn of_side(&self, side: usize, rows: &ColumnAccessor) -> Result<ColumnAccessor> {
        let mut columns = ColumnAccessor::with_rows(rows.rows());
        for (label, _, position) in self.columns.iter().filter(|column| column.1 == side) {
            columns.insert(label.clone(), rows.columns()[*position].clone())?;
        }
        Ok(columns)
    }
}

/// The rows of a join by equal keys, without keys of all rows, whose pairs fulfil a condition: as
/// [`hash_join`](super::hash_join), where only such pairs match.
pub(super) fn conditional_join(
    sides: [&ColumnAccessor; 2],
    keys: [&[&Column]; 2],
    condition: &PairCondition,
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<JoinMaps> {
    let [left, right] = [condition.of_side(0, sides[0])?, condition.of_side(1, sides[1])?];
    let (n, m) = (sides[0].rows(), sides[1].rows());
    if keys[0].is_empty()
        && let Some(equal) = equal_keys(condition, &left, &right, exec)?
    {
        let [of_left, of_right] = equal.each_ref().map(|keys| keys.iter().collect::<Vec<_>>());
        return conditional_join(sides, [&of_left, &of_right], condition, kind, NullEquality::Unequal, exec);
    }
    if !keys[0].is_empty()
        && let Some(matches) = unique_matches(keys[0], keys[1], nulls, exec)?
    {
        match fulfilled_matches(&matches, condition, [&left, &right], exec) {
            Ok(found) => return of_single_matches(kind, &matches, &found, [n, m], exec),
            Err(error) if error.kind() == ErrorKind::Memory => return Err(error),
            // Functions of columns have the values of rows without a match too: whether there is an error, the pairs decide.
            Err(_) => {}
        }
    }
    if !kind.has_pairs()
        && let Some(found) = matches_by_extremes(condition, [&left, &right], keys, nulls, exec)?
    {
        return of_matches(kind, &found, exec);
    }
    let by_value = if keys[0].is_empty() { inequality_ranges(condition, &left, &right, exec)? } else { None };
    let is_decided = by_value.as_ref().is_some_and(|ranges| ranges.is_exact);
    let is_sorted = by_value.is_none();
    let is_swapped = by_value.as_ref().is_some_and(|ranges| ranges.is_swapped);
    let ranges = match by_value {
        Some(ranges) => ranges.ranges,
        None if keys[0].is_empty() => MatchRanges::all(n, m, exec)?,
        None => match_ranges(keys[0], keys[1], nulls, exec)?,
    };
    let pairs = Pairs::new(ranges, false, exec)?;
    let read = if is_swapped { [&right, &left] } else { [&left, &right] };
    let mut found = if is_decided {
        both(pairs.write(0, pairs.len(), exec)?)?
    } else {
        fulfilled(&pairs, condition, read, exec)?
    };
    if is_swapped {
        found.reverse();
    }
    let found = if is_sorted { found } else { in_row_order(found, exec)? };
    of_kind(kind, found, [n, m], exec)
}

/// Both maps of pairs.
fn both(maps: JoinMaps) -> Result<[RowMap; 2]> {
    let right = maps.right.ok_or(Error::Internal { invariant: "pairs have two rows" })?;
    Ok([maps.left, right])
}

/// How many pairs a condition is evaluated for at a time.
fn pairs_at_a_time(sides: [&ColumnAccessor; 2], exec: &Exec) -> Result<usize> {
    let row_bytes: usize =
        sides.iter().map(|rows| Ok(rows.row_bytes()? / rows.rows().max(1))).sum::<Result<_>>()?;
    let most = exec.budget().map_or(MOST_PAIRS, |budget| budget / 8 / (MAPS + 2 * row_bytes));
    Ok(most.clamp(LEAST_PAIRS, MOST_PAIRS))
}

/// Whether each left row has a match, of which it has one at most, and the condition is true; null is false. Left values are
/// read where they are.
fn fulfilled_matches(
    matches: &RowMap,
    condition: &PairCondition,
    [left, right]: [&ColumnAccessor; 2],
    exec: &Exec,
) -> Result<Column> {
    let most = pairs_at_a_time([left, right], exec)?;
    let numbers = match matches.width {
        RowWidth::U32 => DType::UInt32,
        RowWidth::U64 => DType::UInt64,
    };
    let none: Expr = match matches.width {
        RowWidth::U32 => lit(RowMap::NONE_U32),
        RowWidth::U64 => lit(RowMap::NONE_U64),
    };
    let numbers = Column::from_data(numbers, ColumnData::Fixed(data_of(matches)))?;
    let mut parts = Vec::new();
    for first in (0..matches.len).step_by(most) {
        let len = most.min(matches.len - first);
        let mut read = left.slice(first, len)?;
        let rows = matches.rows.slice(first * matches.width.bytes(), len * matches.width.bytes());
        let map = RowMap { rows, width: matches.width, len };
        for (label, column) in right.iter() {
            read.insert(label.clone(), gather_column(column, &map, MapNulls::Possible, exec)?)?;
        }
        let label = unused(&read);
        read.insert(label.clone(), numbers.slice(first, len)?)?;
        // Of values without a match the condition may be true.
        let is_matched = col(label).ne(none.clone());
        let of_matched = when(is_matched).then(condition.predicate.clone()).otherwise(lit(false));
        parts.push(evaluate_mask_rows(&of_matched, &read, exec)?);
    }
    match parts.len() {
        1 => parts.pop().ok_or(Error::Internal { invariant: "there are left rows" }),
        _ => concat_columns(&parts.iter().collect::<Vec<_>>(), exec),
    }
}

/// The rows of a join whose left rows have one match at most, where it is `found`.
fn of_single_matches(
    kind: JoinKind,
    matches: &RowMap,
    found: &Column,
    rows: [usize; 2],
    exec: &Exec,
) -> Result<JoinMaps> {
    if !kind.has_pairs() {
        return of_matches(kind, found, exec);
    }
    let View::Fixed(bits) = found.view()? else {
        return Err(Error::UnsupportedDType { dtype: found.dtype() });
    };
    let left = row_map(bits.data_bits(), bits.validity_bits(), exec)?;
    let held = data_of(matches);
    let kept = filter(&[View::Fixed(held.view())], bits.data_bits(), bits.validity_bits(), exec)?;
    let right = maps_of(kept)?.pop().ok_or_else(not_two)?;
    of_kind(kind, [left, right], rows, exec)
}

/// The pairs for which the condition is true, evaluated for some at a time.
fn fulfilled(
    pairs: &Pairs,
    condition: &PairCondition,
    sides: [&ColumnAccessor; 2],
    exec: &Exec,
) -> Result<[RowMap; 2]> {
    let most = pairs_at_a_time(sides, exec)?;
    let mut parts = Vec::new();
    let mut first = 0;
    // Once without pairs too, so that an invalid condition is an error.
    while first < pairs.len() || parts.is_empty() {
        let len = most.min(pairs.len() - first);
        let maps = both(pairs.write(first, len, exec)?)?;
        let mut read = ColumnAccessor::with_rows(len);
        for (rows, map) in sides.iter().zip(&maps) {
            for (label, column) in rows.iter() {
                read.insert(label.clone(), gather_column(column, map, MapNulls::Never, exec)?)?;
            }
        }
        let mask = evaluate_mask_rows(&condition.predicate, &read, exec)?;
        drop(read);
        let View::Fixed(bits) = mask.view()? else {
            return Err(Error::UnsupportedDType { dtype: mask.dtype() });
        };
        let held = maps.each_ref().map(data_of);
        let views = held.each_ref().map(|data| View::Fixed(data.view()));
        let kept = filter(&views, bits.data_bits(), bits.validity_bits(), exec)?;
        parts.push(<[RowMap; 2]>::try_from(maps_of(kept)?).map_err(|_| not_two())?);
        first += len;
    }
    if parts.len() == 1 {
        return parts.pop().ok_or_else(not_two);
    }
    let together = |side: usize| -> Result<RowMap> {
        let held: Vec<FixedData> = parts.iter().map(|maps| data_of(&maps[side])).collect();
        let views: Vec<View<'_>> = held.iter().map(|data| View::Fixed(data.view())).collect();
        maps_of(vec![concat(&views, exec)?])?.pop().ok_or_else(not_two)
    };
    Ok([together(0)?, together(1)?])
}

fn not_two() -> Error {
    Error::Internal { invariant: "each map has a result" }
}

/// Pairs in left order, and in right order for each left row.
fn in_row_order([left, right]: [RowMap; 2], exec: &Exec) -> Result<[RowMap; 2]> {
    let columns = [column_of(&left, exec)?, column_of(&right, exec)?];
    let keys =
        columns.each_ref().map(|column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last });
    let order = argsort(&keys, exec)?;
    let sorted = |map: &RowMap| -> Result<RowMap> {
        let data = gather(&View::Fixed(data_of(map).view()), &order, MapNulls::Never, exec)?;
        maps_of(vec![data])?.pop().ok_or_else(not_two)
    };
    Ok([sorted(&left)?, sorted(&right)?])
}

/// The rows of a join of which these pairs match.
fn of_kind(kind: JoinKind, found: [RowMap; 2], [n, m]: [usize; 2], exec: &Exec) -> Result<JoinMaps> {
    let [left, right] = found;
    if kind == JoinKind::Inner {
        return Ok(JoinMaps { left, right: Some(right) });
    }
    // Positions among the pairs are as wide as the rows.
    let width = if left.len < u32::MAX as usize { left.width } else { RowWidth::U64 };
    let (left, right) = (to_width(left, width, exec)?, to_width(right, width, exec)?);
    let [starts, ends] = runs(&left, n, exec)?;
    if !kind.has_pairs() {
        let bounds = by_position(&[column_of(&starts, exec)?, column_of(&ends, exec)?], n)?;
        return of_matches(kind, &evaluate_mask_rows(&col("0").lt(col("1")), &bounds, exec)?, exec);
    }
    let unmatched = if kind == JoinKind::Full { Some(missing_rows(&right, m, exec)?) } else { None };
    let ranges = MatchRanges { starts, ends, rows: Some(right), right_rows: m };
    let pairs = Pairs::new(ranges, true, exec)?;
    let [left, right] = both(pairs.write(0, pairs.len(), exec)?)?;
    let Some(unmatched) = unmatched else { return Ok(JoinMaps { left, right: Some(right) }) };
    let none = RowMap::none(unmatched.len, width, exec)?;
    let append = |map: RowMap, rest: RowMap| -> Result<RowMap> {
        let held = [data_of(&map), data_of(&to_width(rest, width, exec)?)];
        let views = held.each_ref().map(|data| View::Fixed(data.view()));
        maps_of(vec![concat(&views, exec)?])?.pop().ok_or_else(not_two)
    };
    Ok(JoinMaps { left: append(left, none)?, right: Some(append(right, unmatched)?) })
}

/// The rows of a semi or anti join, by whether each left row has a match; null is none.
fn of_matches(kind: JoinKind, found: &Column, exec: &Exec) -> Result<JoinMaps> {
    let mask = if kind == JoinKind::Semi {
        Cow::Borrowed(found)
    } else {
        let unmatched = when(col("found")).then(lit(false)).otherwise(lit(true));
        Cow::Owned(compute(&[("found", found)], unmatched, exec)?)
    };
    let View::Fixed(bits) = mask.view()? else {
        return Err(Error::UnsupportedDType { dtype: mask.dtype() });
    };
    Ok(JoinMaps { left: row_map(bits.data_bits(), bits.validity_bits(), exec)?, right: None })
}

/// The rows of `rows` that a map does not have, in order.
fn missing_rows(map: &RowMap, rows: usize, exec: &Exec) -> Result<RowMap> {
    let (all, found) = (numbers(rows, exec)?, column_of(map, exec)?);
    let views = [[all.view()?], [found.view()?]];
    Ok(hash_join(&views[0], &views[1], JoinKind::Anti, NullEquality::Equal, exec)?.left)
}

/// A row map as values.
fn data_of(map: &RowMap) -> FixedData {
    FixedData { storage: storage_of(map.width), len: map.len, data: map.rows.clone(), validity: None }
}

fn storage_of(width: RowWidth) -> Storage {
    match width {
        RowWidth::U32 => Storage::U32,
        RowWidth::U64 => Storage::U64,
    }
}

/// Values of `u32` or `u64` as row maps.
fn maps_of(values: Vec<ColumnData>) -> Result<Vec<RowMap>> {
    let map = |data| match data {
        ColumnData::Fixed(data) => {
            let width = if data.storage == Storage::U32 { RowWidth::U32 } else { RowWidth::U64 };
            Ok(RowMap { rows: data.data, width, len: data.len })
        }
        ColumnData::String(_) => Err(Error::Internal { invariant: "rows have fixed width" }),
    };
    values.into_iter().map(map).collect()
}

/// The map with indices of this width; all of its rows exist.
pub(super) fn to_width(map: RowMap, width: RowWidth, exec: &Exec) -> Result<RowMap> {
    if map.width == width {
        return Ok(map);
    }
    let held = data_of(&map);
    let view: Fixed<'_> = held.view();
    let data = cast(&view, storage_of(width), CastMode::Wrap, exec)?.data;
    Ok(RowMap { rows: data, width, len: map.len })
}
