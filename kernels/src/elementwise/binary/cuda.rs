//! Launcher of `binary.cu`.

use super::{BinaryOp, Limit, OP};
use crate::elementwise::Operand;
use crate::{Bits, Error, Result};
use columnade_buffers::{Buffer, Exec};

pub(super) fn binary(
    _op: BinaryOp,
    _lhs: &Operand<'_>,
    _rhs: &Operand<'_>,
    _len: usize,
    _exec: &Exec,
) -> Result<Buffer> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}

pub(super) fn binary_checked(
    _op: BinaryOp,
    _lhs: &Operand<'_>,
    _rhs: &Operand<'_>,
    _limit: Limit,
    _valid: Option<Bits<'_>>,
    _len: usize,
    _exec: &Exec,
) -> Result<Buffer> {
    Err(Error::NotImplemented { op: OP, feature: "this device" })
}
