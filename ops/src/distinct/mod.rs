//! Distinct rows, membership and codes.

mod partitions;
#[cfg(test)]
mod tests;

use crate::copying::gather;
use crate::expression::{Aggregation, Literal, col, lit, when};
use crate::filter::apply_mask;
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, numbers, take};
use crate::join::{self, NullEquality};
use crate::out_of_core::late_materialization::{gather_ascending, map_of};
use crate::out_of_core::{Driver, MemoryEstimate, whole_or};
use crate::selection::{Picked, Step};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{AsLabel, Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::grouping::group_ids;
use partitions::kept_rows;

/// Which of several equal rows is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// None of them.
    None,
}

/// The rows of `columns` that differ in the columns of `labels`, in order: of equal rows the one that `keep` says. Nulls
/// are equal, NaNs are equal, −0.0 equals 0.0. Without labels all rows are equal.
///
/// # Shapes and units
/// columns: n rows → at most n rows. Of columns that exceed the budget the keys are grouped in chunks or partitions, and the
/// rows that are kept are gathered in chunks.
///
/// # Errors
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::Memory`].
///
/// # Device
/// A hash table of rows, and a gather of the rows that are kept.
///
/// # Source
/// `cudf/stream_compaction.hpp` `stable_distinct`, pandas `drop_duplicates`, Polars `unique(maintain_order=True)`.
pub fn unique<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    keep: Keep,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    Ok(unique_rows(columns, labels, keep, exec)?.columns)
}

/// [`unique`], and which rows are kept.
///
/// # Errors
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::Memory`].
///
/// # Source
/// pandas `drop_duplicates`, whose rows keep their labels.
pub fn unique_rows<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    keep: Keep,
    exec: &Exec,
) -> Result<Picked> {
    let keys = columns.select(labels)?;
    if columns.rows() == 0 {
        return Ok(Picked { columns: columns.clone(), steps: Vec::new() });
    }
    let whole = |exec: &Exec| picked(&keys, columns, keep, exec);
    if keys.is_empty() || columns.rows() >= 1 << 30 {
        return with_retry_no_split(exec, whole);
    }
    let inputs: Vec<&Column> = columns.columns().iter().collect();
    let estimate = || {
        let scratch = group_ids::scratch_bytes(columns.rows(), columns.rows(), exec.device());
        let bytes = columns.row_bytes()?;
        Ok(MemoryEstimate::new(bytes.saturating_add(scratch), bytes))
    };
    let in_parts = |driver: Driver<'_>| {
        let map = kept_rows(&keys, keep, driver)?;
        let columns = gather_ascending(columns, &map, driver)?;
        Ok(Picked { columns, steps: vec![Step::Rows { map: map_of(&map)?, distinct: true, ordered: true }] })
    };
    whole_or(&inputs, exec, estimate, whole, in_parts)
}

/// The rows of `columns` that are kept by `keys`.
fn picked(keys: &ColumnAccessor, columns: &ColumnAccessor, keep: Keep, exec: &Exec) -> Result<Picked> {
    let groups = groups(keys, columns.rows(), exec)?;
    if keep == Keep::First {
        let map = groups.first_rows().clone();
        if map.len == columns.rows() {
            let columns = columns.map(map.len, |column| column.shallow_copy(exec))?;
            return Ok(Picked { columns, steps: Vec::new() });
        }
        let columns = gather(columns, &map, MapNulls::Never, exec)?;
        return Ok(Picked { columns, steps: vec![Step::Rows { map, distinct: true, ordered: true }] });
    }
    let keep = compute(&[("x", &is_duplicate(&groups, keep)?)], !col("x"), exec)?;
    let columns = apply_mask(columns, &keep, exec)?;
    Ok(Picked { steps: vec![Step::Mask { keep, kept: columns.rows() }], columns })
}

/// Whether each row is one that [`unique`] drops, as `bool` without nulls.
///
/// # Errors
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::Memory`].
///
/// # Source
/// pandas `duplicated`.
pub fn duplicated<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    keep: Keep,
    exec: &Exec,
) -> Result<Column> {
    let keys = columns.select(labels)?;
    with_retry_no_split(exec, |exec| is_duplicate(&groups(&keys, columns.rows(), exec)?, keep))
}

fn groups<'a>(keys: &ColumnAccessor, rows: usize, exec: &'a Exec) -> Result<GroupedRows<'a>> {
    let by: Vec<&Column> = keys.columns().iter().collect();
    GroupedRows::new(&by, rows, NullKeys::Group, exec).map_err(|error| error.with_key_labels(keys.labels()))
}

fn is_duplicate(groups: &GroupedRows<'_>, keep: Keep) -> Result<Column> {
    let exec = groups.exec;
    let duplicate = match keep {
        Keep::First | Keep::Last => {
            let end = if keep == Keep::First { Aggregation::Min } else { Aggregation::Max };
            let positions = groups.positions()?;
            let kept = groups.aggregate(end, &positions, DType::Int64)?;
            let kept = groups.broadcast(&kept)?;
            compute(&[("row", &positions), ("kept", &kept)], col("row").ne(col("kept")), exec)?
        }
        Keep::None => compute(&[("size", &groups.broadcast(&groups.sizes()?)?)], col("size").gt(1), exec)?,
    };
    Ok(duplicate.without_mask())
}

/// Whether each value is among the values of `among`; null for a null, unless `nulls` are equal. NaNs are equal.
///
/// Both columns are brought to one dtype as the keys of a join are.
///
/// # Shapes and units
/// values: n rows; among: m rows → n rows of `bool`.
///
/// # Errors
/// Those of [`hash_join`](fn@join::hash_join); [`Error::Memory`].
///
/// # Device
/// A hash table of `among`, and one probe a row.
///
/// # Source
/// cudf/search.hpp `contains`, pandas `isin`, Polars `is_in(nulls_equal)`.
pub fn is_in(values: &Column, among: &Column, nulls: NullEquality, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| members(values, among, nulls, exec))
}

/// [`is_in`] in one attempt: what calls it retries.
///
/// # Errors
/// Those of [`hash_join`](fn@join::hash_join); [`Error::Memory`].
pub(crate) fn members(values: &Column, among: &Column, nulls: NullEquality, exec: &Exec) -> Result<Column> {
    let member = join::members(&[values], &[among], nulls, exec)?;
    if nulls == NullEquality::Equal || values.mask().is_none() {
        return Ok(member);
    }
    let or_null = when(col("x").is_null()).then(lit(Literal::Null)).otherwise(col("member"));
    compute(&[("x", values), ("member", &member)], or_null, exec)
}

/// The distinct values of a column as codes.
#[derive(Clone, Debug)]
pub struct Factorized {
    /// The position of each row's value in `uniques`, `int64`; null for a null.
    pub codes: Column,
    /// The values in order of first appearance, without nulls.
    pub uniques: Column,
}

/// Numbers the distinct values of a column in order of first appearance.
///
/// # Errors
/// [`Error::Memory`].
///
/// # Device
/// A hash table of rows.
///
/// # Source
/// pandas `factorize`, cudf/transform.hpp `encode`.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
pub fn factorize(values: &Column, exec: &Exec) -> Result<Factorized> {
    let groups =
        GroupedRows::new(&[values], values.size(), NullKeys::Drop, exec).map_err(|error| match error {
            Error::Context { source, .. } => *source,
            other => other,
        })?;
    let numbers = numbers(groups.len(), exec)?;
    let uniques = take(values, &column_of(groups.first_rows(), exec)?, exec)?;
    Ok(Factorized { codes: groups.broadcast(&numbers)?, uniques })
}
