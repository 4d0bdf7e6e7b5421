//! Launcher of `cast.cu`.

use super::{CastMode, OP};
use crate::{Error, Fixed, Result, Storage};
use columnade_buffers::{Buffer, Exec};

pub(super) fn cast(_input: &Fixed<'_>, _to: Storage, _mode: CastMode, _exec: &Exec) -> Result<Buffer> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}
