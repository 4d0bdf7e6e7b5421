//! Nulls of whole rows, which parents have, as nulls of the columns in them.

use super::Column;
use super::rows::{Rows, SLICE_STEP_ROWS};
use crate::Result;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Bits, bits};

/// Which rows are null as a whole.
pub(crate) struct OuterNulls {
    /// Their validity from bit [`SLICE_STEP_ROWS`] on, so that what precedes can be made any offset.
    validity: Buffer,
}

impl OuterNulls {
    /// Those of `rows`; `None` where there is no mask.
    pub(crate) fn of(rows: &Rows, exec: &Exec) -> Result<Option<Self>> {
        let Some(mask) = &rows.mask else { return Ok(None) };
        let lead = Buffer::zeroed(SLICE_STEP_ROWS / 8, exec)?;
        let bits = bits::combine::copy(Bits { buffer: mask, offset: rows.offset, len: rows.size }, exec)?;
        Ok(Some(Self { validity: Buffer::assemble(&[lead, bits], exec)? }))
    }

    /// The column, which has as many rows, null also where these are.
    pub(crate) fn superimpose(&self, column: &Column, exec: &Exec) -> Result<Column> {
        let (offset, size) = (column.offset(), column.size());
        debug_assert!(offset < SLICE_STEP_ROWS, "slices narrow their buffers");
        if size == 0 || matches!(column, Column::Null(_)) {
            return Ok(column.clone());
        }
        let len = offset + size;
        let outer = Bits { buffer: &self.validity, offset: SLICE_STEP_ROWS - offset, len };
        let mask = match column.mask() {
            None => bits::combine::copy(outer, exec)?,
            Some(mask) => bits::combine::and(Bits { buffer: mask, offset: 0, len }, outer, exec)?,
        };
        let rows = Rows::new(Some(mask), offset, size, exec.device())?;
        Ok(column.with_rows(|_| rows))
    }
}
