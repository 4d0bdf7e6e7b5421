//! Launcher of `unary.cu`.

use super::{OP, UnaryOp};
use crate::{Error, Fixed, Result};
use columnade_buffers::{Buffer, Exec};

pub(super) fn unary(_op: UnaryOp, _input: &Fixed<'_>, _exec: &Exec) -> Result<Buffer> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}
