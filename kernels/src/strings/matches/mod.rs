//! Whether text matches a pattern.

mod cuda;
pub(crate) mod host;
pub(crate) mod pattern;
#[cfg(test)]
mod tests;

use crate::elementwise::validity;
use crate::{FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};
use pattern::Pattern;

/// How a pattern is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchOp {
    /// The text starts with it.
    Prefix,
    /// The text ends with it.
    Suffix,
    /// The text holds it anywhere.
    Contains,
    /// SQL's `LIKE` on the whole text: `%` is any run of characters, `_` any one character; there is no escape.
    Like,
}

/// Bit `i` of the result tells whether `input[i]` matches `pattern`; null where that is null.
///
/// Upper and lower case differ; no locale or normal form enters. Everything matches an empty pattern, except under
/// [`MatchOp::Like`], where only empty text does.
///
/// # Errors
/// [`crate::Error::Memory`]. Every text is a pattern.
///
/// # Device
/// One launch of a thread a row, and one for a mask. Does not synchronise.
///
/// # Source
/// cudf/strings/find.hpp `starts_with`, `ends_with`, `contains`; cudf/strings/contains.hpp `like`; pandas
/// `str.startswith` and its kin.
pub fn matches(op: MatchOp, input: &StringsView<'_>, pattern: &str, exec: &Exec) -> Result<FixedData> {
    let pattern = Pattern::new(op, pattern);
    let data = match exec.device() {
        Device::Host => host::matches(&pattern, input, exec)?,
        _ => cuda::matches(&pattern, input, exec)?,
    };
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len: input.len, data, validity })
}
