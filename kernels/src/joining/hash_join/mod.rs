//! Finds the pairs of rows with equal keys.

mod cuda;
mod host;
mod rank_table;
#[cfg(test)]
mod tests;

use crate::{Error, Result, RowMap, View};
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
    /// Left rows.
    pub left: RowMap,
    /// Right rows, all ones for no match; `None` for semi and anti joins. As wide as `left`.
    pub right: Option<RowMap>,
}

/// The pairs of rows with equal values in all keys, by hashing the keys of one side. NaNs are equal, −0.0
/// equals 0.0.
///
/// ```text
/// left  b a c b      right  a b a      Inner  left 0 1 1 3   right 1 0 2 1
///                                      Left   left 0 1 1 2 3 right 1 0 2 none 1
///                                      Semi   left 0 1 3     Anti  left 2
/// ```
/// A left row whose null key matches nothing is kept in left and anti joins.
///
/// # Shapes and units
/// left: one or more columns of n rows; right: as many of m rows, of the same types → as many indices as pairs.
///
/// # Errors
/// [`Error::LengthMismatch`] for columns of one side; [`Error::TypeMismatch`] for a left key whose right key has
/// another type; [`Error::InvalidArgument`] if the numbers of keys differ or are 0; [`Error::NotImplemented`] for more
/// than 16 keys on a device.
///
/// # Device
/// A hash table of right rows, a stable sort of right rows by slot if keys repeat, two passes over the left
/// rows, and one synchronisation for the number of pairs.
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
    match exec.device() {
        Device::Host => host::hash_join(left, right, kind, nulls, exec),
        _ => cuda::hash_join(left, right, kind, nulls, exec),
    }
}
