//! Numbers the groups of equal rows.

use columnade_buffers::Exec;
use columnade_columns::{Column, Error, Result};
use columnade_kernels::View;
use columnade_kernels::grouping::group_ids::{self, Groups, NullKeys};

/// The group of each row by its values in all of `keys`, numbered in order of first appearance. NaNs are equal, −0.0
/// equals 0.0; a categorical key is grouped by its codes.
///
/// # Shapes and units
/// keys: at least one, of n rows each → n ids, and the first row of each group.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::UnsupportedDType`] for nested keys; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// See [`group_ids::group_ids`].
///
/// # Source
/// cudf/groupby.hpp `groupby::get_groups`, pandas `GroupBy.ngroup(sort=False)`.
pub fn group_ids(keys: &[&Column], nulls: NullKeys, exec: &Exec) -> Result<Groups> {
    let Some(first) = keys.first() else {
        let reason = "there are none: at least one is needed".to_owned();
        return Err(Error::InvalidArgument { name: "keys", reason });
    };
    if let Some(other) = keys.iter().find(|key| key.size() != first.size()) {
        return Err(Error::LengthMismatch { expected: first.size(), found: other.size() });
    }
    let views: Vec<View<'_>> = keys
        .iter()
        .enumerate()
        .map(|(position, key)| key.view().map_err(|error| error.in_key(position)))
        .collect::<Result<_>>()?;
    Ok(group_ids::group_ids(&views, nulls, exec)?)
}
