//! Groups rows by key and aggregates each group.

mod cuda;
#[cfg(test)]
mod tests;

use super::aggregate::aggregate;
use super::group_ids::{NullKeys, group_ids};
use crate::aggregation::Aggregation;
use crate::{ColumnData, Error, Fixed, Result, RowMap, Storage, View};
use columnade_buffers::{Device, Exec};

/// The groups of equal keys, in order of first appearance, and their aggregates.
#[derive(Clone, Debug)]
pub struct GroupAggregates {
    /// The first row of each group.
    pub first_rows: RowMap,
    /// One column a request, each with one row a group.
    pub values: Vec<ColumnData>,
}

/// What [`group_ids`] and then [`aggregate`] return, without the group of each row.
///
/// ```text
/// key  b a b null a      values  5 null 2 9 4      first_rows  0 1      Sum  7 4      (NullKeys::Drop)
/// ```
/// The view of [`Aggregation::Size`] is not read.
///
/// # Shapes and units
/// keys: one or more columns of n rows; values: n rows → one row a group.
///
/// # Errors
/// As [`group_ids`] and [`aggregate`].
///
/// # Device
/// Keys of fixed width that 64 bits hold and aggregates of up to 64 bits, with at most 2,048 groups: one pass over keys
/// and values, three launches, and one synchronisation for the number of groups. A block has the states of its groups in
/// shared memory; if it meets more than fit, about 1,280 with three aggregates, the pass ends early and the two kernels
/// run. They run for all other keys and aggregates, and on the host.
///
/// # Source
/// cudf/groupby.hpp `groupby::aggregate`; block-local tables as in libcudf's `compute_mapping_indices`.
pub fn group_aggregate(
    keys: &[View<'_>],
    nulls: NullKeys,
    requests: &[(Aggregation, View<'_>)],
    exec: &Exec,
) -> Result<GroupAggregates> {
    let rows = keys.first().map_or(0, View::len);
    let lengths = keys.iter().chain(requests.iter().map(|(_, view)| view)).map(View::len);
    if let Some(right) = lengths.into_iter().find(|len| *len != rows) {
        return Err(Error::LengthMismatch { left: rows, right });
    }
    if exec.device() != Device::Host
        && let Some(aggregates) = cuda::group_aggregate(keys, nulls, requests, exec)?
    {
        return Ok(aggregates);
    }
    let groups = group_ids(keys, nulls, exec)?;
    // Counting rows reads no values: the ids stand in for a column.
    let data = &groups.ids.rows;
    let ids = View::Fixed(Fixed { storage: Storage::U32, data, validity: None, offset: 0, len: rows });
    let of = |&(aggregation, view)| (aggregation, if aggregation == Aggregation::Size { ids } else { view });
    let values = aggregate(&groups, &requests.iter().map(of).collect::<Vec<_>>(), exec)?;
    Ok(GroupAggregates { first_rows: groups.first_rows, values })
}
