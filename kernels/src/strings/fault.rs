//! What kernels find wrong with rows of strings: `RowFault` of `characters.cuh`.

use crate::{Error, Result};

/// A row that is not null is not UTF-8, or longer than the operation takes.
pub(super) const NOT_UTF8: i64 = 1;
/// The result is larger than any memory.
pub(super) const TOO_LARGE: i64 = 2;
/// There are other characters than ASCII, and the launch had no tables of them.
pub(super) const NEEDS_TABLES: i64 = 4;

/// The error of rows that are not UTF-8.
pub(super) fn check_utf8(faults: i64) -> Result<()> {
    if faults & NOT_UTF8 != 0 {
        return Err(Error::InvalidArgument { name: "strings", reason: "a row is not UTF-8" });
    }
    Ok(())
}
