//! The mask of a result from the masks of its inputs.

use super::operand::Operand;
use crate::bits::combine;
use crate::{Bits, FixedData, Result, Storage};
use columnade_buffers::{Buffer, Exec};

/// The mask of the rows that are valid in every input; `None` if no input has a mask. A single mask that
/// starts at its buffer's first bit is shared, not copied.
pub(crate) fn intersect(masks: &[Option<Bits<'_>>], exec: &Exec) -> Result<Option<Buffer>> {
    let mut masks = masks.iter().flatten();
    let Some(&first) = masks.next() else { return Ok(None) };
    let Some(&second) = masks.next() else { return share(first, exec).map(Some) };
    let mut both = combine::and(first, second, exec)?;
    for &mask in masks {
        both = combine::and(Bits { buffer: &both, offset: 0, len: mask.len }, mask, exec)?;
    }
    Ok(Some(both))
}

/// The mask of an operation whose result is null if either operand is.
pub(crate) fn of_operands(lhs: &Operand<'_>, rhs: &Operand<'_>, exec: &Exec) -> Result<Option<Buffer>> {
    intersect(&[lhs.validity_bits(), rhs.validity_bits()], exec)
}

/// The bits of a mask from bit 0 on, without a copy if they start there.
pub(crate) fn share(mask: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    if mask.offset == 0 {
        return Ok(mask.buffer.slice(0, mask.len.div_ceil(8)));
    }
    combine::copy(mask, exec)
}

/// `len` null rows.
pub(crate) fn all_null(storage: Storage, len: usize, exec: &Exec) -> Result<FixedData> {
    let data = Buffer::zeroed(storage.bytes(len), exec)?;
    let validity = Buffer::zeroed(len.div_ceil(8), exec)?;
    Ok(FixedData { storage, len, data, validity: Some(validity) })
}
