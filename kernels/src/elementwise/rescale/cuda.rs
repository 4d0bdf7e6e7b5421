//! Launcher of `rescale.cu`.

use super::OP;
use crate::{Error, Fixed, Result, Storage};
use columnade_buffers::{Buffer, Exec};

pub(super) fn rescale(
    _input: &Fixed<'_>,
    _to: Storage,
    _power: i32,
    _digits: u32,
    _exec: &Exec,
) -> Result<Buffer> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}
