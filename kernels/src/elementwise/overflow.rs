//! The rows where a checked operation overflows.

use crate::bits::count::count_ones;
use crate::launch::Launch;
use crate::{Bits, Error, FixedData, Result};
use columnade_buffers::{Buffer, Exec};

/// A column, and a bit for each valid row that overflows; if the context does not defer faults, only where there is one.
pub(crate) type Checked = (FixedData, Option<Buffer>);

/// The column, or an error for a row that overflows.
pub(crate) fn refuse((column, overflow): Checked, exec: &Exec) -> Result<FixedData> {
    let overflows = match &overflow {
        None => false,
        Some(rows) if exec.defers_faults() => {
            count_ones(Bits { buffer: rows, offset: 0, len: column.len }, exec)? > 0
        }
        Some(_) => true,
    };
    if overflows { Err(Error::Overflow { storage: column.storage }) } else { Ok(column) }
}

/// Output 0 of a checked kernel, and output 2, the rows that overflow, if the word of output 1 says that there are some.
/// Without that word in outputs, the context's fault word has it.
pub(crate) fn outputs(launch: &mut Launch<'_>, len: usize, exec: &Exec) -> Result<(Buffer, Option<Buffer>)> {
    let may_be = match launch.given_output(1) {
        Some(word) => word.to_vec::<u32>(exec)?.iter().any(|&word| word != 0),
        None => exec.defers_faults(),
    };
    let rows = if may_be { launch.given_output(2) } else { None };
    Ok((launch.output(0)?, rows.map(|rows| rows.slice(0, len.div_ceil(8)))))
}

/// The two halves of a value, low half first.
pub(super) fn words(value: i128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}
