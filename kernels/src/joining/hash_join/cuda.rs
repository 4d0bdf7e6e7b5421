//! Launcher of `hash_join.cu`.

use super::{JoinKind, JoinMaps, NullEquality};
use crate::{Error, Result, View};
use columnade_buffers::Exec;

pub(super) fn hash_join(
    _left: &[View<'_>],
    _right: &[View<'_>],
    _kind: JoinKind,
    _nulls: NullEquality,
    _exec: &Exec,
) -> Result<JoinMaps> {
    Err(Error::NotImplemented { op: "hash_join", feature: "joining on this device" })
}
