//! Strings as lists of their parts.

pub(super) mod cuda;
mod host;
#[cfg(test)]
mod tests;

pub(super) use host::{Fields, fields};

use super::regex::Pattern;
use crate::{OffsetWidth, Result, StringData, StringsView};
use columnade_buffers::{Buffer, Device, Exec};

/// Which parts of a string are taken.
#[derive(Debug)]
pub enum Split<'a> {
    /// Those between occurrences of a separator.
    Literal {
        /// The separator; `None`: runs of white space, without those at the ends.
        separator: Option<&'a str>,
        /// Separators that are used at most.
        limit: Option<usize>,
        /// Whether they are searched for from the end.
        from_end: bool,
    },
    /// Those between matches of a regular expression, of which so many are used at most.
    Regex(&'a Pattern, Option<usize>),
    /// A group of each match of a regular expression; the empty string where the group took no part in a match.
    Matches(&'a Pattern, usize),
}

/// The parts of all strings, and where those of each row are.
#[derive(Debug)]
pub struct Lists {
    /// One more than there are rows: row `i` has the parts from `offsets[i]` to `offsets[i + 1]`.
    pub offsets: Buffer,
    /// The width of the offsets.
    pub offset_width: OffsetWidth,
    /// The parts, without nulls.
    pub parts: StringData,
}

/// The parts of each string; none of a null.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n lists.
///
/// # Errors
/// [`crate::Error::InvalidArgument`] for a row that is not UTF-8, and for one of more than 2³² bytes; on devices
/// [`crate::Error::NotImplemented`] for groups of regular expressions, for those with a Unicode word boundary, and for those
/// whose automaton has more than 1 MiB; [`crate::Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, two scans and one synchronisation for the number of parts and their bytes. Regular
/// expressions are copied as two tables of states.
///
/// # Source
/// cudf/strings/split/split.hpp `split_record`, `split_re.hpp`, findall.hpp; pandas `Series.str.split`, `findall`.
pub fn split(split: &Split<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<Lists> {
    match exec.device() {
        Device::Host => host::split(split, input, exec),
        Device::Sim | Device::Cuda(_) => cuda::split(split, input, exec),
    }
}
