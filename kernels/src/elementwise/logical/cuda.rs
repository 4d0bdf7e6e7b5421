//! Launcher of `logical.cu`.

use super::{LogicalOp, OP};
use crate::elementwise::Operand;
use crate::{Error, FixedData, Result};
use columnade_buffers::Exec;

pub(super) fn logical(
    _op: LogicalOp,
    _lhs: &Operand<'_>,
    _rhs: &Operand<'_>,
    _len: usize,
    _exec: &Exec,
) -> Result<FixedData> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}
