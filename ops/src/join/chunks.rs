//! Joins of sides that do not fit the budget.

use super::NullEquality;
use super::join_rows::{Sides, bytes_of_join, bytes_of_right};
use crate::chunks::{
    ChunkPlan, MAP_BYTES, MemoryEstimate, at_once, at_work, concat_rows, leave, parts_beside, row_numbers,
};
use crate::expression::{Expr, col};
use crate::filter::filter;
use crate::merge_sorted::{MergeKey, merge_sorted};
use crate::partition::{Parted, look_ahead, partition_count, partition_parts};
use crate::sort::{NullOrder, Order};
use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Result};

/// Partitions whose right rows do not fit are partitioned again by another hash, so often at most: what is together
/// then has one key, or nearly.
const MAX_SEEDS: u64 = 4;
/// The numbers of the left rows.
pub(super) const ROW: &str = "row";

/// The rows of a join, in pieces of the left side; of both sides, when the right one and its tables take more than
/// `room` bytes.
pub(super) fn join(sides: &Sides, room: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let (left, right) = (sides.left.rows(), sides.right.rows());
    if bytes_of_right(right)? <= room {
        return by_left_rows(sides, left, right, exec);
    }
    let right = right_with_keys(sides, exec)?;
    let mut runs = Vec::new();
    let mut work: Vec<(Parted, Parted, u64)> = vec![(vec![with_rows_numbered(left, exec)?], vec![right], 0)];
    while let Some((left, right, seed)) = work.pop() {
        let bytes: usize = right.iter().map(bytes_of_right).sum::<Result<_>>()?;
        let rows = rows_of(&right);
        // Without left rows there are none in the result, but the columns are wanted.
        if bytes <= room || seed == MAX_SEEDS || rows <= 1 || rows_of(&left) == 0 {
            let next = work.last_mut().map(|(left, right, _)| [left, right]);
            if let Some(run) = together(sides, &left, &right, next, exec)? {
                leave(&run)?;
                runs.push(run);
                continue;
            }
            let left = ColumnAccessor::assemble(left, exec)?;
            let right = ColumnAccessor::assemble(right, exec)?;
            runs.push(by_left_rows(sides, &left, &right, exec)?);
            continue;
        }
        // Both sides of a partition are to be joined at once.
        let left_bytes: usize = left.iter().map(ColumnAccessor::row_bytes).sum::<Result<_>>()?;
        let count = partition_count(bytes.max(left_bytes + bytes / 2), room);
        let left = partition_parts(&left, count, seed, exec, |rows| sides.left.keys_of(rows))?;
        let right = partition_parts(&right, count, seed, exec, |rows| sides.right.keys_of(rows))?;
        work.extend(left.into_iter().zip(right).map(|(left, right)| {
            // What stays together under one hash has one key, or as good as one.
            let seed = if rows_of(&right) == rows { MAX_SEEDS } else { seed + 1 };
            (left, right, seed)
        }));
    }
    let key = MergeKey { label: ROW, order: Order::Ascending, nulls: NullOrder::Last };
    merge_sorted(runs, &[key], exec)
}

/// The join of all rows of both sides, where they fit the budget together. Meanwhile those of `next` come home.
fn together(
    sides: &Sides,
    left: &Parted,
    right: &Parted,
    mut next: Option<[&mut Parted; 2]>,
    exec: &Exec,
) -> Result<Option<ColumnAccessor>> {
    let bytes = |parts: &Parted| -> Result<usize> { parts.iter().map(ColumnAccessor::row_bytes).sum() };
    let (left_bytes, right_bytes) = (bytes(left)?, bytes(right)?);
    let needed = 2 * left_bytes + 2 * right_bytes + MAP_BYTES * (rows_of(left) + rows_of(right));
    if exec.planned_budget().is_some_and(|budget| needed > budget) {
        return Ok(None);
    }
    let operands: Vec<&ColumnAccessor> = left.iter().chain(right).collect();
    at_once(&operands, needed, exec, |exec| {
        next.iter_mut().flatten().for_each(|parts| look_ahead(parts, exec));
        left.iter().chain(right).for_each(at_work);
        sides.join(&concat_rows(left, exec)?, &concat_rows(right, exec)?, exec)
    })
}

fn rows_of(parts: &Parted) -> usize {
    parts.iter().map(ColumnAccessor::rows).sum()
}

/// The join of pieces of `left` with all of `right`, in order.
fn by_left_rows(
    sides: &Sides,
    left: &ColumnAccessor,
    right: &ColumnAccessor,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let needs = || -> Result<MemoryEstimate> {
        let (operands, fixed_overhead) = (left.row_bytes()?, bytes_of_right(right)?);
        Ok(MemoryEstimate {
            operands,
            others: bytes_of_join(left, right)? - operands - fixed_overhead,
            fixed_overhead,
        })
    };
    let plan = ChunkPlan::of(left.rows(), exec, needs)?;
    let parts = parts_beside(left, &[right], plan, exec, |left, exec| sides.join(left, right, exec))?;
    ColumnAccessor::assemble(parts, exec)
}

/// The right rows that may match something: where nulls match nothing, those with a value in every key. Rows with a null
/// would lie together under any hash.
fn right_with_keys(sides: &Sides, exec: &Exec) -> Result<ColumnAccessor> {
    let right = sides.right.rows();
    let masked = sides.right.key_labels().into_iter().filter(|label| {
        right.get(label).is_ok_and(|key| key.mask().is_some() && key.known_null_count() != Some(0))
    });
    let predicate = masked.map(|label| col(label).is_not_null()).reduce(Expr::and);
    match predicate {
        Some(predicate) if sides.nulls == NullEquality::Unequal => filter(right, &predicate, exec),
        _ => Ok(right.clone()),
    }
}

/// The rows with their numbers.
fn with_rows_numbered(rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
    let mut rows = rows.clone();
    rows.insert(ROW, row_numbers(0, rows.rows(), exec)?)?;
    Ok(rows)
}
