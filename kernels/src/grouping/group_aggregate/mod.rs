//! Groups rows by key and aggregates each group.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::group_ids::NullKeys;
use crate::aggregation::Aggregation;
use crate::keys::MeasuredKeys;
use crate::{ColumnData, Error, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// The groups of equal keys, in order of first appearance, and their aggregates.
#[derive(Clone, Debug)]
pub struct GroupAggregates {
    /// The first row of each group.
    pub first_rows: RowMap,
    /// One column a request, each with one row a group.
    pub values: Vec<ColumnData>,
}

/// What [`group_ids`](super::group_ids::group_ids) and then [`aggregate`](super::aggregate::aggregate()) return, without the group of each row.
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
/// As [`group_ids`](super::group_ids::group_ids) and [`aggregate`](super::aggregate::aggregate()).
///
/// # Device
/// Keys that 64 bits hold, strings of up to seven bytes among them, and aggregates of up to 64 bits, with at most 2,048
/// groups: one pass over keys and values, three launches, and one synchronisation for the number of groups. A block has the states of its groups in
/// shared memory; if it meets more than fit, about 1,280 with three aggregates, the pass ends early and the two kernels
/// run. They run for all other keys and aggregates, and on the host. Keys whose types take more than 64 bits, and strings,
/// are measured first, as by `group_ids`.
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
    let mut measured = MeasuredKeys::none();
    if exec.device() != Device::Host
        && let Some(aggregates) = cuda::group_aggregate(keys, nulls, requests, &mut measured, exec)?
    {
        return Ok(aggregates);
    }
    host::group_aggregate(keys, nulls, requests, &mut measured, exec)
}
