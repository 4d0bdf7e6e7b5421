//! Launcher of `aggregate.cu`.

use super::Aggregation;
use crate::grouping::group_ids::Groups;
use crate::{ColumnData, Error, Result, View};
use columnade_buffers::Exec;

pub(super) fn aggregate(
    _groups: &Groups,
    _requests: &[(Aggregation, View<'_>)],
    _exec: &Exec,
) -> Result<Vec<ColumnData>> {
    Err(Error::NotImplemented { op: "aggregate", feature: "aggregation on this device" })
}
