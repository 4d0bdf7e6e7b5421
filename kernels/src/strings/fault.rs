//! What is wrong with rows of strings: `RowFault` of `characters.cuh`.

use crate::{Error, Result};

/// A row that is not null is not UTF-8, or longer than the operation takes.
pub(super) const NOT_UTF8: i64 = 1;
/// The result is larger than any memory.
pub(super) const TOO_LARGE: i64 = 2;
/// There are other characters than ASCII, and the launch had no tables of them.
pub(super) const NEEDS_TABLES: i64 = 4;
/// A time's day is beyond those of 32 bits.
pub(crate) const NOT_A_DATE: i64 = 8;

/// The rows that an operation takes, besides nulls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows {
    /// UTF-8 of any length.
    Utf8,
    /// UTF-8 of at most 2³² bytes.
    Utf8Of32Bits,
}

impl Rows {
    /// The error if a row `is_invalid`.
    pub(super) fn check(self, is_invalid: bool) -> Result<()> {
        if !is_invalid {
            return Ok(());
        }
        let reason = match self {
            Rows::Utf8 => "a row is not UTF-8",
            Rows::Utf8Of32Bits => "a row is not UTF-8, or has more than 2^32 bytes",
        };
        Err(Error::InvalidArgument { name: "strings", reason })
    }

    /// The error of what a kernel found.
    pub(super) fn check_faults(self, faults: i64) -> Result<()> {
        self.check(faults & NOT_UTF8 != 0)
    }
}
