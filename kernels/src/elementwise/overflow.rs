//! The rows where a checked operation overflows.

use crate::launch::Launch;
use crate::{Error, FixedData, Result};
use columnade_buffers::{Buffer, Exec};

/// A column, and a bit for each valid row that overflows, if there is one.
pub(crate) type Checked = (FixedData, Option<Buffer>);

/// The column, or an error for a row that overflows.
pub(crate) fn refuse((column, overflow): Checked) -> Result<FixedData> {
    match overflow {
        None => Ok(column),
        Some(_) => Err(Error::Overflow { storage: column.storage }),
    }
}

/// Output 0 of a checked kernel, and output 2, the rows that overflow, if the word of output 1 says that there are some.
pub(crate) fn outputs(launch: &mut Launch<'_>, len: usize, exec: &Exec) -> Result<(Buffer, Option<Buffer>)> {
    let any = launch.output(1)?.to_vec::<u32>(exec)?.iter().any(|&word| word != 0);
    let rows = if any { Some(launch.output(2)?.slice(0, len.div_ceil(8))) } else { None };
    Ok((launch.output(0)?, rows))
}

/// The two halves of a value, low half first.
pub(super) fn words(value: i128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}
