//! Rows in order.

use super::{SortKey, argsort};
use crate::chunks::{ChunkPlan, KeyedRows, MAP_BYTES, MemoryEstimate, parts_of};
use crate::copying::{MapNulls, gather_column};
use crate::merge_sorted::{MergeKey, merge_sorted};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, Result};

/// The rows of all columns in the order of `keys`; see [`argsort`].
///
/// Rows that do not fit the budget are sorted in pieces, which [`merge_sorted`] puts together; the result is the same.
///
/// # Shapes and units
/// columns and keys: n rows each → n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Source
/// cudf/sorting.hpp `stable_sort_by_key`, pandas `sort_values(kind="stable")`.
pub fn sort_by(columns: &ColumnAccessor, keys: &[SortKey<'_>], exec: &Exec) -> Result<ColumnAccessor> {
    let rows = columns.rows();
    let needs = || -> Result<MemoryEstimate> {
        let keys: usize = keys.iter().map(|key| key.column.row_bytes()).sum::<Result<_>>()?;
        let operands = columns.row_bytes()?;
        Ok(MemoryEstimate { operands, others: operands + keys + MAP_BYTES * rows, fixed_overhead: 0 })
    };
    let plan = ChunkPlan::of(rows, exec, needs)?;
    sort_chunks(columns, keys, plan, &exec.for_work_of(plan.bytes()))
}

/// [`sort_by`] of some rows at a time.
pub(super) fn sort_chunks(
    columns: &ColumnAccessor,
    keys: &[SortKey<'_>],
    plan: ChunkPlan,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let rows = columns.rows();
    if let Some(key) = keys.iter().find(|key| key.column.size() != rows) {
        return Err(Error::LengthMismatch { expected: rows, found: key.column.size() });
    }
    let key_columns: Vec<&Column> = keys.iter().map(|key| key.column).collect();
    let keyed = KeyedRows::new("sort", columns, &key_columns)?;
    let mut runs = parts_of(keyed.rows(), plan, exec, |chunk, exec| {
        let sort_keys = keyed.keys_of(chunk)?.into_iter().zip(keys);
        let sort_keys: Vec<SortKey<'_>> = sort_keys.map(|(column, key)| SortKey { column, ..*key }).collect();
        let map = argsort(&sort_keys, exec)?;
        // Keys that stand beside the columns have done their work when nothing is left to merge.
        let moved = if chunk.rows() == rows { keyed.wanted(chunk, columns)? } else { chunk.clone() };
        moved.map(map.len, |column| gather_column(column, &map, MapNulls::Never, exec))
    })?;
    if runs.len() == 1 {
        return Ok(runs.swap_remove(0));
    }
    let labels = keyed.key_labels();
    let merge_keys: Vec<MergeKey<'_>> = labels
        .iter()
        .zip(keys)
        .map(|(label, key)| MergeKey { label, order: key.order, nulls: key.nulls })
        .collect();
    keyed.wanted(&merge_sorted(runs, &merge_keys, exec)?, columns)
}
