//! Finds the pairs of rows with equal keys.

mod cuda;
mod host;
mod partitioned;
mod rank_table;
#[cfg(test)]
mod tests;

use super::pairs::MatchRanges;
use crate::copying::scatter::scatter;
use crate::filling::fill::fill;
use crate::keys::device_row_width;
use crate::tuning::JOIN_PARTITION_ROWS;
use crate::{ColumnData, Error, FixedData, Result, RowMap, Value, View};
use columnade_buffers::{Device, Exec};

/// Which rows a join returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// All pairs.
    Inner,
    /// All pairs, and each left row without a match paired with no right row.
    Left,
    /// Left rows with a match, once each.
    Semi,
    /// Left rows without a match.
    Anti,
    /// The pairs of a left join, then each right row without a match paired with no left row.
    Full,
}

impl JoinKind {
    /// Whether the result has rows of both sides.
    pub const fn has_pairs(self) -> bool {
        matches!(self, JoinKind::Inner | JoinKind::Left | JoinKind::Full)
    }

    /// Whether left rows without a match are kept in pairs with no right row.
    pub const fn keeps_left(self) -> bool {
        matches!(self, JoinKind::Left | JoinKind::Full)
    }
}

/// Whether null keys match null keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NullEquality {
    /// Null keys match each other (cuDF and pandas).
    Equal,
    /// Null keys match nothing (SQL).
    Unequal,
}

/// The rows of a join as maps into both sides: in left order, and in right order for each left row.
#[derive(Clone, Debug)]
pub struct JoinMaps {
    /// Left rows; in a full join all ones for no match.
    pub left: RowMap,
    /// Right rows, all ones for no match; `None` for semi and anti joins. As wide as `left`.
    pub right: Option<RowMap>,
}

/// The most bytes that [`hash_join`] takes for tables, lists and maps, if each left row has about one match. With no left
/// rows: what right rows take even if the table is not theirs.
pub fn scratch_bytes(left: usize, right: usize, device: Device) -> usize {
    if device == Device::Host {
        // Of a left row its ticket and its entries in both maps, of a right row its ticket, and of a row of the smaller side
        // up to four slots of 16 bytes, as a power of two of them is at most half used, and an entry in the lists.
        let table = 12 * left + 4 * right + 68 * left.min(right);
        let built = if left * 2 <= right { left } else { right };
        if built < JOIN_PARTITION_ROWS {
            return table;
        }
        // In place of the slots, of a row of the built side and of a block of the other one: a key, its row, partition and
        // ticket; of the former the first row of each key and an entry in the lists with its end.
        let block = (left + right - built).min(partitioned::probe_block(built));
        let partitioned = 12 * left + 4 * right + (30 + 12) * built + 30 * block + 16 * block.max(built);
        return table.max(partitioned);
    }
    let row = device_row_width(left.max(right)).bytes();
    // Of sides of many rows packed keys and slots; runs, counts and both maps. Packed keys, up to six slots of the table,
    // two ends of each, the slot of each row, and three arrays and two of the sort's for the lists.
    (8 + row + 2 * row + 8 + 2 * row) * left + (8 + (6 + 8 + 1 + 3 + 2 + 4) * row) * right
}

/// The pairs of rows with equal values in all keys, by hashing the keys of one side. NaNs are equal, −0.0
/// equals 0.0.
///
/// ```text
/// left  b a c b      right  a b a      Inner  left 0 1 1 3   right 1 0 2 1
///                                      Left   left 0 1 1 2 3 right 1 0 2 none 1
///                                      Semi   left 0 1 3     Anti  left 2
/// ```
/// A left row whose null key matches nothing is kept in left, full and anti joins, such a right row in full joins. A full
/// join appends right rows without a match in their order.
///
/// # Shapes and units
/// left: one or more columns of n rows; right: as many of m rows, of the same types → as many indices as pairs.
///
/// # Errors
/// [`Error::LengthMismatch`] for columns of one side; [`Error::TypeMismatch`] for a left key whose right key has
/// another type; [`Error::InvalidArgument`] if the numbers of keys differ or are 0.
///
/// # Device
/// Keys that 64 bits hold, by their types, or by the ranges of integers and the lengths of strings (up to seven bytes) on both
/// sides, which takes a pass over both and a synchronisation; without duplicates on the right: a table of right rows, addressed by the key itself
/// if the range of the keys is at most four times their number, else by hashing, with parts of the keys beside the rows; one
/// pass over the left rows, three launches, and one synchronisation for the number of pairs. A full join marks the right
/// rows that it finds, and takes a pass over the marks. Semi and anti joins of such keys, with duplicates or without,
/// take bits over such a range or a table of right rows, and one pass over the left rows. If a duplicate is met the work
/// ends there, and what follows is done: a stable sort of right rows by their place in the range or in a hash table, one
/// look-up for each left row, a scan of the numbers of pairs, and one synchronisation more; a full join takes one pass more
/// over the right rows. Other keys are hashed with all of their bytes, and sorted likewise. Of more than 16 keys the first 16
/// of both sides are numbered together before (`group_ids`).
///
/// # Source
/// cudf/join/join.hpp `inner_join`, `left_join`, `left_semi_join`, `left_anti_join`; pandas `merge`.
pub fn hash_join(
    left: &[View<'_>],
    right: &[View<'_>],
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<JoinMaps> {
    check_keys(left, right)?;
    match exec.device() {
        Device::Host => host::hash_join(left, right, kind, nulls, exec),
        _ => cuda::hash_join(left, right, kind, nulls, exec),
    }
}

/// Whether each left row has a match: the rows of a semi join as bits.
///
/// ```text
/// left  b a c b      right  a b a      1 1 0 1
/// ```
///
/// # Shapes and units
/// left: one or more columns of n rows; right: as many of m rows, of the same types → n bits.
///
/// # Errors
/// As [`hash_join`].
///
/// # Device
/// On a device as a semi join without its rows; without a synchronisation. On the host a semi join.
///
/// # Source
/// cudf/search.hpp `contains`.
pub fn members(left: &[View<'_>], right: &[View<'_>], nulls: NullEquality, exec: &Exec) -> Result<FixedData> {
    check_keys(left, right)?;
    if exec.device() != Device::Host {
        return cuda::members(left, right, nulls, exec);
    }
    let found = host::hash_join(left, right, JoinKind::Semi, nulls, exec)?.left;
    let blank = fill(Value::Bit(false), left.first().map_or(0, View::len), exec)?;
    let truth = fill(Value::Bit(true), found.len, exec)?;
    match scatter(&View::Fixed(truth.view()), &found, &View::Fixed(blank.view()), exec)? {
        ColumnData::Fixed(data) => Ok(FixedData { validity: None, ..data }),
        ColumnData::String(_) => Err(Error::Internal { invariant: "bits have fixed width" }),
    }
}

/// The match of each left row, if no right key that takes part comes twice: all ones without one.
///
/// ```text
/// left  b a c b      right  a b d      1 0 none 1
/// left  b a c b      right  a b a      None
/// ```
/// `None` too where it is not known without more work: on the host, without left rows, and for keys that no 64 bits hold.
///
/// # Errors
/// As [`hash_join`].
///
/// # Device
/// As a left join without its left map: two passes over the keys of the right side and one over those of the left one, and
/// one synchronisation. A key that comes twice ends the work.
pub fn unique_matches(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Option<RowMap>> {
    check_keys(left, right)?;
    match exec.device() {
        Device::Host => Ok(None),
        Device::Sim | Device::Cuda(_) => cuda::unique_matches(left, right, nulls, exec),
    }
}

/// For each left row the range of its matches in a list of right rows: the pairs of [`hash_join`] without writing them.
///
/// ```text
/// left  b a c b      right  a b a      rows  0 2 1      ranges  2..3  0..2  0..0  2..3
/// ```
/// The right rows of a range are in row order. The order of the ranges in the list is not defined.
///
/// # Errors
/// [`Error::LengthMismatch`] for columns of one side; [`Error::TypeMismatch`] for a left key whose right key has
/// another type; [`Error::InvalidArgument`] if the numbers of keys differ or are 0.
///
/// # Device
/// The work of [`hash_join`] without the pass over the pairs: one synchronisation. Without duplicates on the right the
/// ranges are of right rows, without a list.
pub fn match_ranges(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<MatchRanges> {
    check_keys(left, right)?;
    match exec.device() {
        Device::Host => host::match_ranges(left, right, nulls, exec),
        _ => cuda::match_ranges(left, right, nulls, exec),
    }
}

fn check_keys(left: &[View<'_>], right: &[View<'_>]) -> Result<()> {
    if left.len() != right.len() || left.is_empty() {
        return Err(Error::InvalidArgument {
            name: "keys",
            reason: "there are none, or not as many on either side",
        });
    }
    for (a, b) in left.iter().zip(right) {
        match (a, b) {
            (View::Fixed(a), View::Fixed(b)) if a.storage == b.storage => {}
            (View::String(_), View::String(_)) => {}
            _ => return Err(Error::TypeMismatch),
        }
        for (key, first) in [(a, &left[0]), (b, &right[0])] {
            if key.len() != first.len() {
                return Err(Error::LengthMismatch { left: first.len(), right: key.len() });
            }
        }
    }
    Ok(())
}
