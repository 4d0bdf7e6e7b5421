//! One part of each string: a character, a part between separators, a group of a regular expression.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::regex::Pattern;
use crate::elementwise::validity;
use crate::{Result, StringData, StringsView, View};
use columnade_buffers::{Device, Exec};

/// Which part of a string is taken. Where there is no such part the result is null.
#[derive(Debug)]
pub enum Part<'a> {
    /// The character at a position; if negative, counted from the end.
    Character(i64),
    /// Of the parts between occurrences of a separator the one at a position; if negative, counted from the end.
    Between {
        /// The separator; `None`: runs of white space, without those at the ends.
        separator: Option<&'a str>,
        /// The position.
        position: i64,
        /// Separators that are used at most; the last part has the others. From the end, the first
        /// part has them.
        limit: Option<usize>,
        /// Whether separators are searched for from the end.
        from_end: bool,
    },
    /// What is before the separator (0), the separator (1) or what is after it (2). Without one the string is before it, or,
    /// searched for from the end, after it, and the others are empty.
    Partition {
        /// The separator.
        separator: &'a str,
        /// Which field.
        field: usize,
        /// Whether it is searched for from the end.
        from_end: bool,
    },
    /// A group of the first match of a regular expression; group 0 is the whole match.
    Group(&'a Pattern, usize),
}

/// A part of each string; null where the string is null or has no such part.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows.
///
/// # Errors
/// [`crate::Error::InvalidArgument`] for a row that is not UTF-8, and for one of more than 2³² bytes; on devices
/// [`crate::Error::NotImplemented`] for groups of regular expressions, for those with a Unicode word boundary, and for those
/// whose automaton has more than 1 MiB; [`crate::Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, a scan, and one synchronisation for the size of the result. Regular expressions are
/// copied as two tables of states.
///
/// # Source
/// cudf/strings/split/partition.hpp, extract.hpp; pandas `Series.str.get`, `extract`; DuckDB `split_part`.
pub fn part(part: &Part<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<StringData> {
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    match exec.device() {
        Device::Host => host::part(part, input, validity, exec),
        Device::Sim | Device::Cuda(_) => cuda::part(part, input, validity, exec),
    }
}
