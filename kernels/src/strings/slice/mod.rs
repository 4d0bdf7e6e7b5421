//! Parts of strings by character positions.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

pub(super) use host::bytes_of;

use crate::elementwise::validity;
use crate::{Result, StringData, StringsView, View};
use columnade_buffers::{Device, Exec};

/// Which characters of a string are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharRange {
    /// The first one, from 0; if negative, counted from the end.
    pub offset: i64,
    /// How many at most; `None`: all that follow.
    pub length: Option<u64>,
}

/// Row `i` of the result is the characters `offset .. offset + length` of row `i` of `input`; null if that is null.
///
/// A range that is partly outside of the string gives the part within it. A character is a Unicode scalar value.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, a scan, one synchronisation for the size of the result, and one launch for a mask.
///
/// # Source
/// cudf/strings/slice.hpp `slice_strings`, Polars `str.slice`, pandas `str.slice`.
pub fn slice(input: &StringsView<'_>, range: CharRange, exec: &Exec) -> Result<StringData> {
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    let sliced = match exec.device() {
        Device::Host => host::slice(input, range, exec)?,
        _ => cuda::slice(input, range, exec)?,
    };
    Ok(StringData { validity, ..sliced })
}
