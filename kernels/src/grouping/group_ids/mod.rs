//! Numbers the groups of equal rows.

mod cuda;
mod host;
mod partitioned;
#[cfg(test)]
mod tests;

use crate::{Error, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// How rows with a null key are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullKeys {
    /// They are in no group (pandas `dropna=True`).
    Drop,
    /// A null is a key that equals other nulls.
    Group,
}

/// Groups of rows with equal keys, numbered 0, 1, 2 … in order of first appearance.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The group of each row; all ones for no group. Always [`crate::RowWidth::U32`].
    pub ids: RowMap,
    /// The first row of each group, ascending.
    pub first_rows: RowMap,
}

impl Groups {
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.first_rows.len
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The group of each row by its values in all of `keys`. NaNs are equal, −0.0 equals 0.0.
///
/// ```text
/// key   b a b null a c      ids  0 1 0 none 1 2      first_rows  0 1 5      (NullKeys::Drop)
/// ```
/// Ids do not depend on the device or the number of threads.
///
/// # Shapes and units
/// keys: one or more columns of n rows, any storage type → n ids, one first row per group.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::InvalidArgument`] without a key; [`Error::NotImplemented`] for 2³² − 1 groups or more,
/// and for more than 16 keys on a device.
///
/// # Device
/// A hash table of rows, two scans over n, and one synchronisation for the number of groups.
///
/// # Source
/// cudf/groupby.hpp `groupby::get_groups`, pandas `GroupBy.ngroup(sort=False)`.
pub fn group_ids(keys: &[View<'_>], nulls: NullKeys, exec: &Exec) -> Result<Groups> {
    let Some(first) = keys.first() else {
        return Err(Error::InvalidArgument { name: "keys", reason: "there are none" });
    };
    if let Some(other) = keys.iter().find(|key| key.len() != first.len()) {
        return Err(Error::LengthMismatch { left: first.len(), right: other.len() });
    }
    match exec.device() {
        Device::Host => host::group_ids(keys, nulls, exec),
        _ => cuda::group_ids(keys, nulls, exec),
    }
}
