//! Masks.

use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, Result};
use columnade_kernels::Bits;
use columnade_kernels::bits::combine;

/// The mask of a column from bit 0 on; `None` for a column without one.
pub(crate) fn mask_of(column: &Column, exec: &Exec) -> Result<Option<Buffer>> {
    let bits = column.mask().map(|buffer| Bits { buffer, offset: column.offset(), len: column.size() });
    Ok(bits.map(|bits| combine::copy(bits, exec)).transpose()?)
}
