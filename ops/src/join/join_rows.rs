//! The rows of a join.

use super::chunks::ROW;
use super::hash_join::check_keys;
use super::{JoinKind, NullEquality, chunks, hash_join};
use crate::chunks::{KeyedRows, MAP_BYTES, at_once};
use crate::copying::{MapNulls, RowMap, gather_column};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, Result};

/// One side of a join.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The columns that are wanted of it.
    pub columns: &'a ColumnAccessor,
    /// Its keys, among the columns or beside them.
    pub keys: &'a [&'a Column],
}

/// The rows of a join: as many on both sides.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The columns of the left side.
    pub left: ColumnAccessor,
    /// Those of the right side, null without a match; `None` for semi and anti joins.
    pub right: Option<ColumnAccessor>,
}

/// The rows of both sides that are equal in every key, in left order, and in right order within a left row: what
/// [`hash_join`] finds, gathered.
///
/// Sides that do not fit the budget are joined in pieces; the result is the same. While the right side fits, rows of
/// the left side are joined with it piece by piece. Else both are partitioned by the hash of their keys, and the
/// partitions' results merged in left order. The right rows of one key must fit.
///
/// # Shapes and units
/// left: n rows, at least one key; right: m rows, as many keys → as many rows as pairs.
///
/// # Errors
/// As [`hash_join`]; [`Error::LengthMismatch`] for keys of another length than their side's columns.
///
/// # Source
/// cudf/join/join.hpp `inner_join` and its kin with `gather`; pandas `merge`.
pub fn join_rows(
    left: Side<'_>,
    right: Side<'_>,
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Joined> {
    check_keys(left.keys, right.keys)?;
    for side in [left, right] {
        if let Some(key) = side.keys.iter().find(|key| key.size() != side.columns.rows()) {
            return Err(Error::LengthMismatch { expected: side.columns.rows(), found: key.size() });
        }
    }
    // Of the right side, semi and anti joins take the keys alone.
    let nothing = ColumnAccessor::with_rows(right.columns.rows());
    let right_columns = match kind {
        JoinKind::Inner | JoinKind::Left => right.columns,
        JoinKind::Semi | JoinKind::Anti => &nothing,
    };
    let sides = Sides {
        left: KeyedRows::new("left", left.columns, left.keys)?,
        right: KeyedRows::new("right", right_columns, right.keys)?,
        kind,
        nulls,
    };
    let rows = [sides.left.rows(), sides.right.rows()];
    let bytes = match exec.planned_budget() {
        None => 0,
        Some(_) => bytes_of_join(rows[0], rows[1])?,
    };
    let exec = &exec.for_work_of(bytes);
    let budget = exec.planned_budget();
    let fits = budget.is_none_or(|budget| bytes <= budget);
    let whole = |exec: &Exec| sides.join(rows[0], rows[1], exec);
    let joined = match if fits { at_once(&rows, bytes, exec, whole)? } else { None } {
        Some(joined) => joined,
        // Half of the budget is the right side's and its tables', half the left rows' and the result's.
        None => chunks::join(&sides, budget.map_or(usize::MAX, |budget| budget / 2), exec)?,
    };
    let wanted_right = match kind {
        JoinKind::Inner | JoinKind::Left => Some(sides.right.wanted(&joined, right.columns)?),
        JoinKind::Semi | JoinKind::Anti => None,
    };
    Ok(Joined { left: sides.left.wanted(&joined, left.columns)?, right: wanted_right })
}

/// Bytes that joining these rows takes, as long as about one right row matches a left row.
pub(super) fn bytes_of_join(left: &ColumnAccessor, right: &ColumnAccessor) -> Result<usize> {
    let columns = 2 * left.row_bytes()? + right.row_bytes()?;
    Ok(columns + MAP_BYTES * left.rows() + bytes_of_right(right)?)
}

/// Bytes of the right rows and the tables made of them.
pub(super) fn bytes_of_right(right: &ColumnAccessor) -> Result<usize> {
    Ok(right.row_bytes()? + MAP_BYTES * right.rows())
}

/// What is joined, and how.
pub(super) struct Sides {
    pub(super) left: KeyedRows,
    pub(super) right: KeyedRows,
    pub(super) kind: JoinKind,
    pub(super) nulls: NullEquality,
}

impl Sides {
    /// The join of some rows of both sides: the columns that are wanted, and the number of the left row where there is
    /// one.
    pub(super) fn join(
        &self,
        left: &ColumnAccessor,
        right: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        let left_keys = self.left.keys_of(left)?;
        let maps = hash_join(&left_keys, &self.right.keys_of(right)?, self.kind, self.nulls, exec)?;
        let mut joined = ColumnAccessor::with_rows(maps.left.len);
        let mut add = |rows: &ColumnAccessor, label: String, map: &RowMap, nulls| {
            let column = gather_column(rows.get(&label)?, map, nulls, exec)?;
            joined.insert(label, column)
        };
        let number = left.contains(ROW).then(|| ROW.to_owned());
        for label in self.left.wanted_labels().chain(number) {
            add(left, label, &maps.left, MapNulls::Never)?;
        }
        if let Some(map) = &maps.right {
            let nulls = if self.kind == JoinKind::Left { MapNulls::Possible } else { MapNulls::Never };
            for label in self.right.wanted_labels() {
                add(right, label, map, nulls)?;
            }
        }
        Ok(joined)
    }
}
