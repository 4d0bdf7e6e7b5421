//! The rows of a join.

use super::conditional::conditional_join;
use super::hash_join::{check_key_count, typed_nulls};
use super::keys::{common_key, hash_alike, in_common_dtype};
use super::own_rows::compute_own_rows;
use super::{JoinKind, NullEquality, PairCondition, hash_join};
use crate::copying::{MapNulls, gather_column, gather_columns};
use crate::expression::{Expr, col};
use crate::filter::filter;
use crate::groupby::grouped_rows::row_map;
use crate::keys::{Numbering, is_compound, numbered_together};
use crate::out_of_core::grace_hash::{self, GraceHash, Parts, ROW, bytes_of, rows_of};
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore, by_position, device_of, with_labels_of};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Error, Result};
use columnade_kernels::grouping::group_ids;
use columnade_kernels::joining::hash_join::scratch_bytes;
use columnade_kernels::{RowMap, RowWidth};

/// The most left rows that a condition is tried on.
const SAMPLE: usize = 64;
/// Bytes of a pair in its maps, those of a range that is still held included.
const MAPS: usize = 32;

/// One side of a join.
#[derive(Clone, Copy, Debug)]
pub struct JoinSide<'a> {
    /// Its columns.
    pub columns: &'a ColumnAccessor,
    /// The positions of its keys.
    pub keys: &'a [usize],
    /// The positions of the requested columns.
    pub output: &'a [usize],
}

/// The rows of a join: the same number on both sides.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The columns of the left side; in a full join null without a match.
    pub left: ColumnAccessor,
    /// Those of the right side, null without a match; `None` for semi and anti joins.
    pub right: Option<ColumnAccessor>,
}

/// The rows of both sides that are equal in every key, in left order, and in right order for each left row:
/// the pairs of [`hash_join`], gathered. A full join appends the right rows without a match in their order.
///
/// Sides that exceed the budget are joined in parts; the result is the same. If the right keys and each of the right columns
/// fit, on the host pairs are found by the keys, chunk by chunk of the left side, and the other columns are gathered afterwards; where each
/// left row has exactly one pair, the result shares the left columns. If the right side fits, whole left
/// rows are joined with it chunk by chunk. Otherwise both sides are partitioned by the hash of their keys,
/// and the results of the partitions are merged in left order. The right rows of one key must fit. A full join is then
/// a left join, followed by an anti join of the right rows.
///
/// # Shapes and units
/// left: n rows, at least one key; right: m rows, as many keys → as many rows as pairs.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys or for another number of them on each side; [`Error::DTypeMismatch`] for
/// keys without a common dtype, naming the key's position; [`Error::LengthMismatch`]; [`Error::Memory`];
/// [`Error::IndexOutOfBounds`] for a key or a column of the output that its side does not have.
///
/// # Source
/// cudf/join/join.hpp `inner_join` and related functions with `gather`; pandas `merge`.
pub fn join_rows(
    left: JoinSide<'_>,
    right: JoinSide<'_>,
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Joined> {
    check_key_count(left.keys.len(), right.keys.len())?;
    join_rows_with(left, right, kind, nulls, None, Driver::new(exec))
}

/// [`join_rows`] of the pairs that fulfil a condition too. Without keys every pair that fulfils it matches: values that
/// have to be equal (`a = b` in a conjunction) are hashed as keys are; of inequalities between the sides (`a < b`, `a >= b`), those with one expression of a side, as in `lo <= t and t < hi`, are
/// searched in its sorted rows; the condition is evaluated for the pairs that are left, some at a time. Aggregates and row
/// functions in it are those of all rows of one side, whether or not they are in a pair.
///
/// Sides that exceed the budget are joined in parts; without keys, the right rows must fit.
///
/// # Errors
/// Those of [`join_rows`] and of [`evaluate_mask`](crate::expression::evaluate_mask); [`Error::InvalidArgument`] for a condition
/// with an aggregate or a row function that reads columns of both sides, or none.
///
/// # Device
/// For each part of the pairs, a gather of the columns of the condition, its steps, and one synchronisation.
///
/// # Source
/// `cudf/join/mixed_join.hpp`, `cudf/join/conditional_join.hpp`, Polars `join_where`, SQL `JOIN … ON`.
pub fn join_rows_where(
    left: JoinSide<'_>,
    right: JoinSide<'_>,
    kind: JoinKind,
    nulls: NullEquality,
    condition: &PairCondition,
    exec: &Exec,
) -> Result<Joined> {
    join_rows_with(left, right, kind, nulls, Some(condition), Driver::new(exec))
}

pub(super) fn join_rows_with(
    left: JoinSide<'_>,
    right: JoinSide<'_>,
    kind: JoinKind,
    nulls: NullEquality,
    condition: Option<&PairCondition>,
    driver: Driver<'_>,
) -> Result<Joined> {
    if condition.is_none() || !left.keys.is_empty() || !right.keys.is_empty() {
        check_key_count(left.keys.len(), right.keys.len())?;
    }
    let mut join = Join::new(left, right, kind, nulls, condition, driver.exec)?;
    if driver.budget().is_some() {
        join.matches = join.sampled_matches(driver.exec)?;
    }
    let rows =
        if kind == JoinKind::Full { full_join(join.clone(), driver)? } else { join.run_within(driver)? };
    join.output(&rows, [left, right])
}

/// A full join: whole, or where that does not fit the budget of two joins that do not need it.
fn full_join(join: Join, driver: Driver<'_>) -> Result<ColumnAccessor> {
    let inputs = join.inputs();
    let bytes = if driver.budget().is_some() { join.estimate(&inputs)? } else { 0 };
    let driver = driver.for_work(bytes);
    let columns: Vec<&Column> = join.sides.iter().flat_map(|side| side.rows.columns()).collect();
    let whole = driver
        .attempt_whole(&columns, bytes, |exec| join.join(&join.sides[0].rows, &join.sides[1].rows, exec))?;
    if let Some(whole) = whole {
        return Ok(whole);
    }
    let left_join = Join { kind: JoinKind::Left, ..join };
    let pairs = left_join.run_within(driver)?;
    let Join { sides: [left, right], nulls, condition, matches, .. } = left_join;
    // Without the memory of the rows, which would be brought back for each chunk.
    let no_left = left.rows.slice(0, 0)?.isolate(driver.exec)?;
    let left_output = left.output;
    let condition = condition.map(PairCondition::swapped);
    let anti_join = Join { sides: [right, left], kind: JoinKind::Anti, nulls, condition, matches };
    let rest = anti_join.run_within(driver)?;
    let estimate = |rows: &ColumnAccessor| {
        let (bytes, count) = (rows.row_bytes()?, rows.rows());
        // The map, and nulls for the columns of the left side with their masks; of strings the offsets.
        let nulls = no_left.columns()[..left_output].iter().map(|column| {
            let values = column.dtype().storage().map_or(size_of::<i64>() * count, |it| it.bytes(count));
            values + count.div_ceil(8)
        });
        Ok(MemoryEstimate::new(
            bytes,
            bytes + nulls.sum::<usize>() + RowWidth::for_rows(count).bytes() * count,
        ))
    };
    let rest = driver.row_by_row(&rest, estimate, |rows, exec| {
        let none = RowMap::none(rows.rows(), RowWidth::U32, exec)?;
        let nulls = no_left.columns()[..left_output].iter();
        let nulls = nulls.map(|column| gather_column(column, &none, MapNulls::Possible, exec));
        by_position(
            &nulls.chain(rows.columns().iter().cloned().map(Ok)).collect::<Result<Vec<_>>>()?,
            none.len,
        )
    })?;
    ColumnAccessor::assemble(vec![pairs, rest], driver.exec)
}

/// A join of the rows of two sides. Its result has the requested columns of the left side, then those of the
/// right side.
#[derive(Clone)]
pub(super) struct Join {
    pub(super) sides: [JoinedSide; 2],
    pub(super) kind: JoinKind,
    pub(super) nulls: NullEquality,
    /// By positions among the columns of the sides here.
    pub(super) condition: Option<PairCondition>,
    /// Right rows that a left row matches, as estimates assume.
    matches: usize,
}

/// The columns of a side that are joined: the requested ones, then the keys that are not among them, or had to be
/// converted, then those of a condition.
#[derive(Clone)]
pub(super) struct JoinedSide {
    pub(super) rows: ColumnAccessor,
    pub(super) keys: Vec<usize>,
    pub(super) output: usize,
}

impl JoinedSide {
    /// `converted`: the keys of another dtype than their columns.
    pub(super) fn new(side: JoinSide<'_>, output: &[usize], converted: &[Option<Column>]) -> Result<Self> {
        let len = side.columns.len();
        if let Some(&index) = side.keys.iter().chain(output).find(|&&position| position >= len) {
            return Err(Error::IndexOutOfBounds { index, len });
        }
        let mut joined = output.to_vec();
        let mut key = |key: &usize| {
            joined.iter().position(|position| position == key).unwrap_or_else(|| {
                joined.push(*key);
                joined.len() - 1
            })
        };
        let mut keys: Vec<usize> = Vec::with_capacity(side.keys.len());
        for (position, converted) in side.keys.iter().zip(converted) {
            keys.push(if converted.is_some() { usize::MAX } else { key(position) });
        }
        let mut columns: Vec<&Column> =
            joined.iter().map(|&position| &side.columns.columns()[position]).collect();
        for (key, converted) in keys.iter_mut().zip(converted) {
            if let Some(converted) = converted {
                *key = columns.len();
                columns.push(converted);
            }
        }
        Ok(Self { rows: by_position(columns, side.columns.rows())?, keys, output: output.len() })
    }

    pub(super) fn keys_of<'a>(&self, rows: &'a ColumnAccessor) -> Vec<&'a Column> {
        self.keys.iter().map(|&position| &rows.columns()[position]).collect()
    }
}

impl Join {
    pub(super) fn new(
        left: JoinSide<'_>,
        right: JoinSide<'_>,
        kind: JoinKind,
        nulls: NullEquality,
        condition: Option<&PairCondition>,
        exec: &Exec,
    ) -> Result<Self> {
        // Semi and anti joins need only the keys of the right side.
        let right_output = if kind.has_pairs() { right.output } else { &[] };
        let [of_left, of_right] = converted_keys(left, right, exec)?;
        let mut sides =
            [JoinedSide::new(left, left.output, &of_left)?, JoinedSide::new(right, right_output, &of_right)?];
        let mut condition = condition.cloned();
        for (_, side, position) in condition.iter_mut().flat_map(|condition| &mut condition.columns) {
            let columns = [left.columns, right.columns][*side].columns();
            let found = columns.get(*position);
            let column = found.ok_or(Error::IndexOutOfBounds { index: *position, len: columns.len() })?;
            let rows = &mut sides[*side].rows;
            *position = rows.len();
            rows.insert(rows.len().to_string(), column.clone())?;
        }
        if let Some(condition) = &mut condition {
            compute_own_rows(condition, &mut sides, exec)?;
        }
        Ok(Self { sides, kind, nulls, condition, matches: 1 })
    }

    /// The right rows that a left row matches on average. Of keys about one; of a condition without keys that many of a sample
    /// of the left rows match, since it may keep all pairs.
    pub(super) fn sampled_matches(&self, exec: &Exec) -> Result<usize> {
        let [left, right] = self.sides.each_ref().map(|side| &side.rows);
        let Some(condition) = self.condition.as_ref().filter(|_| !self.has_keys()) else { return Ok(1) };
        if !self.kind.has_pairs() || left.rows() == 0 {
            return Ok(1);
        }
        let pairs = exec.budget().map_or(usize::MAX, |budget| budget / 8 / MAPS);
        let count = left.rows().min((pairs / right.rows().max(1)).clamp(1, SAMPLE));
        let rows = (0..count).map(|k| i64::try_from(k * left.rows() / count).unwrap_or(i64::MAX));
        with_retry_no_split(exec, |exec| {
            let map = row_map(&Column::from_values(rows.clone(), exec)?, exec)?;
            let columns =
                left.columns().iter().map(|column| gather_column(column, &map, MapNulls::Never, exec));
            let sample = by_position(&columns.collect::<Result<Vec<_>>>()?, count)?;
            let maps =
                conditional_join([&sample, right], [&[], &[]], condition, JoinKind::Inner, self.nulls, exec)?;
            Ok(maps.left.len.div_ceil(count).max(1))
        })
    }

    /// Bytes of the maps and of the columns of the result, where so many left rows of `input` bytes match right rows of `row`
    /// bytes.
    fn matched_bytes(&self, left: usize, input: usize, row: usize) -> usize {
        let pairs = left.saturating_mul(self.matches);
        let maps = if self.condition.is_some() { pairs.saturating_mul(MAPS) } else { 0 };
        input.saturating_mul(self.matches).saturating_add(pairs.saturating_mul(row)).saturating_add(maps)
    }

    /// Bytes that a condition takes of right rows, whatever the left rows are: their groups and the keys of those, or the
    /// ranges of their keys.
    fn condition_bytes(&self, right: &[ColumnAccessor]) -> Result<usize> {
        if self.condition.is_none() || !self.has_keys() {
            return Ok(0);
        }
        let (rows, bytes) = (
            right.iter().map(ColumnAccessor::rows).sum(),
            right.iter().map(ColumnAccessor::row_bytes).sum::<Result<usize>>()?,
        );
        Ok(group_ids::scratch_bytes(rows, rows, device_of(right)).saturating_add(bytes))
    }

    /// The result of any kind but a full join.
    fn run_within(&self, driver: Driver<'_>) -> Result<ColumnAccessor> {
        match self.run_late(driver)? {
            Some(joined) => Ok(joined),
            None => grace_hash::run(self, self.inputs(), driver),
        }
    }

    pub(super) fn inputs(&self) -> Vec<Parts> {
        self.sides.iter().map(|side| vec![side.rows.clone()]).collect()
    }

    /// The columns of a result under the labels of their sides.
    pub(super) fn output(&self, joined: &ColumnAccessor, [left, right]: [JoinSide<'_>; 2]) -> Result<Joined> {
        let (left_columns, right_columns) = joined.columns().split_at(self.sides[0].output);
        let labelled = |side: JoinSide<'_>, columns| {
            let labels = side.output.iter().map(|&position| &side.columns.labels()[position]);
            with_labels_of(&side.columns.select(labels)?, columns, joined.rows())
        };
        let right = if self.kind.has_pairs() { Some(labelled(right, right_columns)?) } else { None };
        Ok(Joined { left: labelled(left, left_columns)?, right })
    }

    /// The join of some rows of both sides, with the numbers of the left rows where they have them.
    fn join(&self, left: &ColumnAccessor, right: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let [left_side, right_side] = &self.sides;
        let (left_keys, right_keys) = (left_side.keys_of(left), right_side.keys_of(right));
        let maps = match &self.condition {
            None => hash_join(&left_keys, &right_keys, self.kind, self.nulls, exec)?,
            Some(condition) => {
                let keys = [&left_keys[..], &right_keys];
                conditional_join([left, right], keys, condition, self.kind, self.nulls, exec)?
            }
        };
        let of_left: Vec<&Column> = left.columns()[..left_side.output].iter().collect();
        let mut columns = gather_columns(&of_left, &maps.left, nulls_if(self.kind == JoinKind::Full), exec)?;
        if let Some(map) = &maps.right {
            let of_right: Vec<&Column> = right.columns()[..right_side.output].iter().collect();
            columns.extend(gather_columns(&of_right, map, nulls_if(self.kind.keeps_left()), exec)?);
        }
        let mut joined = by_position(&columns, maps.left.len)?;
        if left.contains(ROW) {
            joined.insert(ROW, gather_column(left.get(ROW)?, &maps.left, MapNulls::Never, exec)?)?;
        }
        Ok(joined)
    }
}

pub(super) fn nulls_if(possible: bool) -> MapNulls {
    if possible { MapNulls::Possible } else { MapNulls::Never }
}

/// The keys of both sides that have to be converted, so that keys that are equal by value have equal hashes.
pub(super) fn converted_keys(
    left: JoinSide<'_>,
    right: JoinSide<'_>,
    exec: &Exec,
) -> Result<[Vec<Option<Column>>; 2]> {
    let mut converted = [Vec::new(), Vec::new()];
    for (position, (&left_key, &right_key)) in left.keys.iter().zip(right.keys).enumerate() {
        let columns = [left.columns.columns().get(left_key), right.columns.columns().get(right_key)];
        let typed = match columns {
            [Some(left), Some(right)] => {
                typed_nulls(left, right, exec).map_err(|error| error.in_key(position))?
            }
            _ => None,
        };
        let columns = match &typed {
            Some((left, right)) => [Some(left), Some(right)],
            None => columns,
        };
        if let [Some(left), Some(right)] = columns
            && is_compound(&left.dtype())
        {
            let numbers =
                with_retry_no_split(exec, |exec| numbered_together(left, right, Numbering::Equality, exec));
            let (left, right) = numbers.map_err(|error| error.in_key(position))?;
            converted[0].push(Some(left));
            converted[1].push(Some(right));
            continue;
        }
        if let [Some(left), Some(right)] = columns
            && !hash_alike(&left.dtype(), &right.dtype())
            && let Some(common) = common_key(&left.dtype(), &right.dtype())
        {
            let keys = in_common_dtype(left, right, &common, exec).map_err(|error| error.in_key(position))?;
            for ((side, column), key) in converted.iter_mut().zip([left, right]).zip([keys.0, keys.1]) {
                side.push((column.dtype() != key.dtype()).then_some(key));
            }
            continue;
        }
        for (side, column) in converted.iter_mut().zip(columns) {
            side.push(column.filter(|_| typed.is_some()).cloned());
        }
    }
    Ok(converted)
}

impl GraceHash for Join {
    fn has_keys(&self) -> bool {
        !self.sides[0].keys.is_empty()
    }

    fn keys<'a>(&self, input: usize, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>> {
        Ok(self.sides[input].keys_of(rows))
    }

    /// Assumes about one matching right row per left row, unless a sample says more.
    fn estimate(&self, inputs: &[Parts]) -> Result<usize> {
        let (left, right) = (rows_of(&inputs[0]), rows_of(&inputs[1]));
        let [of_left, of_right] = [bytes_of(&inputs[0])?, bytes_of(&inputs[1])?];
        let mut output = of_left + of_right;
        if self.matches > 1 {
            output = output.max(self.matched_bytes(left, of_left, of_right.div_ceil(right.max(1))));
        }
        let scratch = scratch_bytes(left, right, device_of(&inputs[1]));
        Ok(output.saturating_add(of_left + of_right + scratch))
    }

    /// The right rows, which chunks of left rows are joined with one after the other.
    fn min_bytes(&self, inputs: &[Parts]) -> Result<usize> {
        let right = &inputs[1];
        let bytes = bytes_of(right)? + scratch_bytes(0, rows_of(right), device_of(right));
        Ok(bytes.saturating_add(self.condition_bytes(right)?))
    }

    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
        self.join(&inputs[0], &inputs[1], exec)
    }

    fn run_in_chunks(&self, inputs: &mut Vec<Parts>, driver: Driver<'_>) -> Result<Option<ColumnAccessor>> {
        let mut inputs = std::mem::take(inputs).into_iter();
        let mut next = || {
            let parts = inputs.next().ok_or(Error::Internal { invariant: "a join has two inputs" })?;
            ColumnAccessor::assemble(parts, driver.exec)
        };
        let (left, right) = (next()?, next()?);
        driver.run(&Probe { join: self, right: &right }, &left).map(Some)
    }

    /// Right rows with a null key have equal hashes. If nulls match nothing, they are dropped.
    fn prepare(&self, input: usize, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        if input == 0 || self.nulls == NullEquality::Equal {
            return Ok(rows.clone());
        }
        let masked = self.sides[1].keys.iter().filter(|&&position| {
            let key = &rows.columns()[position];
            key.mask().is_some() && key.known_null_count() != Some(0)
        });
        let predicate = masked.map(|position| col(position.to_string()).is_not_null()).reduce(Expr::and);
        predicate.map_or_else(|| Ok(rows.clone()), |predicate| filter(rows, &predicate, exec))
    }
}

/// A join of left rows with all right rows.
struct Probe<'a> {
    join: &'a Join,
    right: &'a ColumnAccessor,
}

impl OutOfCore for Probe<'_> {
    fn estimate(&self, left: &ColumnAccessor) -> Result<MemoryEstimate> {
        let (input, right) = (left.row_bytes()?, self.right.row_bytes()?);
        let (rows, right_rows, device) =
            (left.rows(), self.right.rows(), device_of(std::slice::from_ref(self.right)));
        let output = self.join.matched_bytes(rows, input, right.div_ceil(right_rows.max(1)));
        // What left rows take in addition, if the table is theirs.
        let per_left = scratch_bytes(rows, rows, device) - scratch_bytes(0, rows, device);
        // Of few right rows the table may be theirs.
        let of_condition = self.join.condition_bytes(std::slice::from_ref(self.right))?;
        let fixed_overhead =
            (right + scratch_bytes(rows / 16, right_rows, device)).saturating_add(of_condition);
        Ok(MemoryEstimate { input, output: output.saturating_add(per_left), fixed_overhead })
    }

    fn shared_input(&self) -> Option<&ColumnAccessor> {
        Some(self.right)
    }

    fn run(&self, left: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        self.join.join(left, self.right, exec)
    }
}
