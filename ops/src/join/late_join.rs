//! Joins that find their pairs by the keys alone, and gather the other columns afterwards.

use super::join_rows::{Join, nulls_if};
use super::{JoinKind, hash_join};
use crate::out_of_core::grace_hash::GraceHash;
use crate::out_of_core::late_materialization::{
    gather_ascending, gather_rows, is_late, map_column, most_gathered, moved_map,
};
use crate::out_of_core::{Driver, MemoryEstimate, by_position, device_of, evict, run_chunks};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Result};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::elementwise::compare::{CompareOp, compare};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::joining::hash_join::scratch_bytes;
use columnade_kernels::{FixedData, RowMap, RowWidth, Storage, Value, bits};

/// The pairs of a chunk of left rows.
struct Pairs {
    rows: usize,
    /// `None` where each left row has exactly one pair: the rows of the chunk.
    left: Option<Column>,
    right: Option<Column>,
}

impl Join {
    /// The join of sides that together exceed the budget while the right keys, and each of the right columns, fit it.
    /// Keys and row maps are moved, then each column is once; left columns not even that, where each left row has exactly
    /// one pair. `None` where that is not so: then whole rows are joined.
    pub(super) fn run_late(&self, driver: Driver<'_>) -> Result<Option<ColumnAccessor>> {
        let [left, right] = &self.sides;
        let (left_rows, right_rows) = (left.rows.rows(), right.rows.rows());
        let Some(budget) = driver.budget() else { return Ok(None) };
        if self.condition.is_some()
            || self.kind == JoinKind::Full
            || left.keys.is_empty()
            || !is_late(left_rows.max(right_rows), driver)
        {
            return Ok(None);
        }
        let whole = self.estimate(&self.inputs())?;
        if whole <= budget {
            return Ok(None);
        }
        let driver = driver.for_work(whole);
        let left_keys = by_position(left.keys_of(&left.rows), left_rows)?;
        let right_keys = by_position(right.keys_of(&right.rows), right_rows)?;
        let right_output = by_position(&right.rows.columns()[..right.output], right_rows)?;
        let device = device_of(std::slice::from_ref(&right_keys));
        let (left_bytes, right_bytes) = (left_keys.row_bytes()?, right_keys.row_bytes()?);
        let fixed_overhead = right_bytes + scratch_bytes(0, right_rows, device);
        let most = most_gathered(driver).unwrap_or(usize::MAX);
        let columns = right_output.columns().iter().map(Column::row_bytes);
        let largest = columns.collect::<Result<Vec<_>>>()?.into_iter().max().unwrap_or(0);
        if fixed_overhead.max(largest) > most {
            return Ok(None);
        }
        // Of a left row also its number, to compare it with.
        let per_left = scratch_bytes(left_rows, left_rows, device) - scratch_bytes(0, left_rows, device)
            + RowWidth::U32.bytes() * left_rows;
        let estimate = MemoryEstimate { input: left_bytes, output: per_left, fixed_overhead };
        let plan = driver.plan(left_rows, || Ok(estimate))?;
        let pairs = run_chunks(&left_keys, Some(&right_keys), plan, driver.exec, |chunk, start, exec| {
            self.pairs_of(chunk, start, &right_keys, exec)
        })?;
        drop((left_keys, right_keys));

        let left_output = by_position(&left.rows.columns()[..left.output], left_rows)?;
        let left_output = if pairs.iter().all(|pairs| pairs.left.is_none()) {
            left_output
        } else {
            let mut start = 0;
            let mut maps = Vec::with_capacity(pairs.len());
            for Pairs { rows, left, .. } in &pairs {
                maps.push(left.clone().map_or_else(|| numbers(start, *rows, driver.exec), Ok)?);
                start += rows;
            }
            gather_ascending(&left_output, &Column::assemble(&maps, driver.exec)?, driver)?
        };
        let mut columns = left_output.columns().to_vec();
        let maps: Vec<Column> = pairs.into_iter().filter_map(|pairs| pairs.right).collect();
        if !maps.is_empty() {
            let map = Column::assemble(&maps, driver.exec)?;
            drop(maps);
            let gathered = gather_rows(&right_output, &map, nulls_if(self.kind.keeps_left()), driver)?;
            columns.extend_from_slice(gathered.columns());
        }
        by_position(&columns, left_output.rows()).map(Some)
    }

    /// The pairs of the left rows from `start` on with these keys.
    fn pairs_of(
        &self,
        left_keys: &ColumnAccessor,
        start: usize,
        right_keys: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<Pairs> {
        let rows = left_keys.rows();
        let [left, right] = [left_keys, right_keys].map(|keys| keys.columns().iter().collect::<Vec<_>>());
        let maps = hash_join(&left, &right, self.kind, self.nulls, exec)?;
        let left = if is_each_row(&maps.left, rows, exec)? {
            None
        } else {
            Some(map_column(&moved_map(&maps.left, BinaryOp::Add, start, exec)?)?)
        };
        let right = maps.right.as_ref().map(map_column).transpose()?;
        evict(&by_position(
            left.iter().chain(&right),
            left.as_ref().or(right.as_ref()).map_or(0, Column::size),
        )?)?;
        Ok(Pairs { rows, left, right })
    }
}

/// Whether a map is 0, 1, 2 … for `rows` rows.
fn is_each_row(map: &RowMap, rows: usize, exec: &Exec) -> Result<bool> {
    if map.len != rows || map.width != RowWidth::U32 {
        return Ok(false);
    }
    let numbers = sequence(Value::U32(0), Value::U32(1), rows, exec)?;
    let map = FixedData { storage: Storage::U32, len: rows, data: map.rows.clone(), validity: None };
    let others = compare(CompareOp::Ne, Operand::Column(map.view()), Operand::Column(numbers.view()), exec)?;
    Ok(bits::count::count_ones(others.view().data_bits(), exec)? == 0)
}

/// `start`, `start + 1`, … as a map of `rows` rows.
fn numbers(start: usize, rows: usize, exec: &Exec) -> Result<Column> {
    let start = u32::try_from(start).unwrap_or(u32::MAX);
    let numbers = sequence(Value::U32(start), Value::U32(1), rows, exec)?;
    map_column(&RowMap { rows: numbers.data, width: RowWidth::U32, len: rows })
}
