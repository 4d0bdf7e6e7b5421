//! Launcher of `compare.cu`.

use super::{CompareOp, OP};
use crate::elementwise::Operand;
use crate::{Error, Result};
use columnade_buffers::{Buffer, Exec};

pub(super) fn compare(
    _op: CompareOp,
    _lhs: &Operand<'_>,
    _rhs: &Operand<'_>,
    _len: usize,
    _exec: &Exec,
) -> Result<Buffer> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}
