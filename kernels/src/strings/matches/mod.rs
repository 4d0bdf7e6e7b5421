//! Pattern matching of strings.

mod cuda;
pub(crate) mod host;
pub(crate) mod pattern;
#[cfg(test)]
mod tests;

use crate::elementwise::validity;
use crate::{FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};
use pattern::LikePattern;

/// The kind of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchOp {
    /// The string starts with it.
    Prefix,
    /// The string ends with it.
    Suffix,
    /// The string contains it.
    Contains,
    /// SQL's `LIKE` on the whole string: `%` is any number of characters, `_` any one character; there is no
    /// escape.
    Like,
    /// [`MatchOp::Like`], where the character after this one stands for itself.
    LikeEscape(char),
}

/// Bit `i` of the result is whether `input[i]` matches `pattern`; null if that is null.
///
/// Matching is case-sensitive; locales and normal forms are ignored. Every string matches an empty pattern,
/// except with
/// [`MatchOp::Like`] and [`MatchOp::LikeEscape`], where only the empty string does.
///
/// # Errors
/// [`crate::Error::Memory`]. Every string is a valid pattern.
///
/// # Device
/// One launch of a thread per row, and one for a mask. Does not synchronise, except for patterns of more than 32 bytes and
/// wildcards.
///
/// # Source
/// cudf/strings/find.hpp `starts_with`, `ends_with`, `contains`; cudf/strings/contains.hpp `like`; pandas
/// `str.startswith` and related methods.
pub fn matches(op: MatchOp, input: &StringsView<'_>, pattern: &str, exec: &Exec) -> Result<FixedData> {
    let pattern = LikePattern::new(op, pattern);
    let data = match exec.device() {
        Device::Host => host::matches(&pattern, input, exec)?,
        _ => cuda::matches(&pattern, input, exec)?,
    };
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len: input.len, data, validity })
}
