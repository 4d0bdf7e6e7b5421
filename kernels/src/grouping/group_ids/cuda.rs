//! Launcher of `group_ids.cu`.

use super::{Groups, NullKeys};
use crate::{Error, Result, View};
use columnade_buffers::Exec;

pub(super) fn group_ids(_keys: &[View<'_>], _nulls: NullKeys, _exec: &Exec) -> Result<Groups> {
    Err(Error::NotImplemented { op: "group_ids", feature: "grouping on this device" })
}
