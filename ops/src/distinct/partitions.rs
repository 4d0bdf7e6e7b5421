//! Distinct rows of keys that exceed the budget: partition by partition of the hash of the keys, which none of the results
//! holds.

use super::{Keep, groups, is_duplicate, picked};
use crate::expression::col;
use crate::filter::apply_mask;
use crate::groupby::grouped_rows::compute;
use crate::keys::{Numbering, is_compound, numbered};
use crate::out_of_core::grace_hash::{self, GraceHash, Parts, ROW, bytes_of, rows_of};
use crate::out_of_core::{Driver, MemoryEstimate, by_position, device_of, evict, row_numbers, run_chunks};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Error, Result};
use columnade_kernels::grouping::group_ids;

/// The number of a row among all rows.
const NUMBER: &str = "kept row";

/// The numbers of the rows that are kept of fewer than 2^30 rows, `uint32`, ascending.
pub(super) fn kept_rows(keys: &ColumnAccessor, keep: Keep, driver: Driver<'_>) -> Result<Column> {
    let exec = driver.exec;
    let count = keys.rows();
    let mut flat = Vec::with_capacity(keys.len());
    for (label, key) in keys.labels().iter().zip(keys.columns()) {
        flat.push(if is_compound(&key.dtype()) {
            let numbers = with_retry_no_split(exec, |exec| numbered(key, Numbering::Equality, exec));
            numbers.map_err(|error| error.in_column(label))?
        } else {
            key.clone()
        });
    }
    let mut rows = by_position(&flat, count)?;
    rows.insert(NUMBER, row_numbers(0, count, count, exec)?)?;
    let kept = grace_hash::run(&DistinctRows { keep }, vec![candidates(rows, keep, driver)?], driver)?;
    Ok(kept.get(NUMBER)?.clone())
}

/// Rows among which all are that are kept, in parts: of each chunk the [ends](ends) of its groups, where the first chunk has
/// rows that are equal; otherwise all rows.
fn candidates(rows: ColumnAccessor, keep: Keep, driver: Driver<'_>) -> Result<Parts> {
    let count = rows.rows();
    let plan = driver.plan(count, || {
        let bytes = rows.row_bytes()?;
        Ok(MemoryEstimate::new(bytes, bytes.saturating_add(scratch(std::slice::from_ref(&rows)))))
    })?;
    let first = rows.slice(0, plan.len().min(count))?;
    let left = with_retry_no_split(driver.exec, |exec| ends(&first.isolate(exec)?, keep, exec))?.rows();
    if left > first.rows() / 4 * 3 {
        return Ok(vec![rows]);
    }
    run_chunks(&rows, None, plan, driver.exec, |chunk, _, exec| {
        let left = ends(chunk, keep, exec)?;
        evict(&left)?;
        Ok(left)
    })
}

/// The rows of which one may be kept, whatever rows there are beside these: of equal rows the first or the last, and both
/// where none of several is kept.
fn ends(rows: &ColumnAccessor, keep: Keep, exec: &Exec) -> Result<ColumnAccessor> {
    match keep {
        Keep::First | Keep::Last => Ok(picked(&keys_of(rows)?, rows, keep, exec)?.columns),
        Keep::None => {
            let groups = groups(&keys_of(rows)?, rows.rows(), exec)?;
            let (first, last) = (is_duplicate(&groups, Keep::First)?, is_duplicate(&groups, Keep::Last)?);
            let is_end = !(col("first").and(col("last")));
            apply_mask(rows, &compute(&[("first", &first), ("last", &last)], is_end, exec)?, exec)
        }
    }
}

/// The columns that are no keys.
fn numbers_of(rows: &ColumnAccessor) -> &'static [&'static str] {
    if rows.contains(ROW) { &[NUMBER, ROW] } else { &[NUMBER] }
}

fn keys_of(rows: &ColumnAccessor) -> Result<ColumnAccessor> {
    rows.without(numbers_of(rows))
}

/// The bytes that grouping the rows of all parts takes beside them, were they all different.
fn scratch(parts: &[ColumnAccessor]) -> usize {
    let rows = parts.iter().map(ColumnAccessor::rows).sum();
    // The mask of the rows that are kept, and their numbers.
    group_ids::scratch_bytes(rows, rows, device_of(parts)).saturating_add(16 * rows)
}

/// The numbers of the rows that are kept of keys.
struct DistinctRows {
    keep: Keep,
}

impl GraceHash for DistinctRows {
    fn keys<'a>(&self, _input: usize, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>> {
        let keys = rows.labels().iter().zip(rows.columns());
        Ok(keys.filter(|(label, _)| **label != NUMBER && **label != ROW).map(|(_, key)| key).collect())
    }

    fn estimate(&self, inputs: &[Parts]) -> Result<usize> {
        let [parts] = inputs else {
            return Err(Error::Internal { invariant: "distinct rows have one input" });
        };
        // The parts, and the same together.
        let parts_bytes = bytes_of(parts)?;
        Ok(if rows_of(parts) == 0 { 0 } else { 2 * parts_bytes + scratch(parts) })
    }

    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
        let rows = &inputs[0];
        Ok(picked(&keys_of(rows)?, &rows.select(numbers_of(rows))?, self.keep, exec)?.columns)
    }

    /// Rows that no hash separates have few keys: the ends of the parts are few.
    fn run_in_chunks(&self, inputs: &mut Vec<Parts>, driver: Driver<'_>) -> Result<Option<ColumnAccessor>> {
        let [parts] = &inputs[..] else { return Ok(None) };
        let mut left = Vec::with_capacity(parts.len());
        for part in parts {
            left.push(with_retry_no_split(driver.exec, |exec| ends(&part.isolate(exec)?, self.keep, exec))?);
        }
        let left = ColumnAccessor::assemble(left, driver.exec)?;
        with_retry_no_split(driver.exec, |exec| self.run(std::slice::from_ref(&left), exec)).map(Some)
    }
}
