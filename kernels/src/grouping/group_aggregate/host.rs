//! Group ids and then aggregates: on the host, and on devices for what the pass of `group_aggregate.cu` does not take.

use super::GroupAggregates;
use crate::aggregation::Aggregation;
use crate::grouping::aggregate::aggregate;
use crate::grouping::group_ids::{NullKeys, group_ids_of_measured};
use crate::keys::MeasuredKeys;
use crate::{Fixed, Result, Storage, View};
use columnade_buffers::Exec;

pub(super) fn group_aggregate(
    keys: &[View<'_>],
    nulls: NullKeys,
    requests: &[(Aggregation, View<'_>)],
    measured: &mut MeasuredKeys,
    exec: &Exec,
) -> Result<GroupAggregates> {
    let rows = keys.first().map_or(0, View::len);
    let groups = group_ids_of_measured(keys, nulls, measured, exec)?;
    // Counting rows reads no values: the ids stand in for a column.
    let data = &groups.ids.rows;
    let ids = View::Fixed(Fixed { storage: Storage::U32, data, validity: None, offset: 0, len: rows });
    let of = |&(aggregation, view)| (aggregation, if aggregation == Aggregation::Size { ids } else { view });
    let values = aggregate(&groups, &requests.iter().map(of).collect::<Vec<_>>(), exec)?;
    Ok(GroupAggregates { first_rows: groups.first_rows, values })
}
