//! Tests of the characters of strings, and of strings against regular expressions.

pub(super) mod cuda;
mod host;
mod tables;
#[cfg(test)]
mod tests;

use super::regex::{Pattern, not_on_devices};
use crate::elementwise::validity;
use crate::{FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};

/// What all characters of a string are. False of an empty string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Characters {
    /// Letters: Unicode's category `L`.
    Alpha,
    /// Digits and other numbers: Unicode's categories `Nd`, `Nl` and `No`.
    Numeric,
    /// Decimal digits: Unicode's category `Nd`.
    Decimal,
    /// Letters or numbers.
    Alnum,
    /// White space.
    Space,
    /// In lower case, those that have a case, of which there is one at least.
    Lower,
    /// In upper case, those that have a case, of which there is one at least.
    Upper,
    /// As [`title`](super::transform::Transform::Title) makes them, with a cased one at least.
    Title,
    /// ASCII. True of an empty string.
    Ascii,
}

impl Characters {
    /// The method that tests it.
    pub const fn name(self) -> &'static str {
        match self {
            Characters::Alpha => "is_alpha",
            Characters::Numeric => "is_numeric",
            Characters::Decimal => "is_decimal",
            Characters::Alnum => "is_alnum",
            Characters::Space => "is_space",
            Characters::Lower => "is_lower",
            Characters::Upper => "is_upper",
            Characters::Title => "is_title",
            Characters::Ascii => "is_ascii",
        }
    }
}

/// A test of a string.
#[derive(Debug)]
pub enum Predicate<'a> {
    /// Of each of its characters.
    Characters(Characters),
    /// Whether a regular expression matches a part of it.
    Contains(&'a Pattern),
}

/// Whether each string passes a test.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows of [`Storage::Bit`]; null where the string is.
///
/// # Errors
/// [`crate::Error::InvalidArgument`] for a row that is not UTF-8; on devices [`crate::Error::NotImplemented`] for a regular expression with a
/// Unicode word boundary, and for one whose automaton has more than 1 MiB; [`crate::Error::Memory`].
///
/// # Device
/// One launch of a thread per row, one synchronisation for rows that are not UTF-8, and one launch for a mask. Tests of other
/// characters than ASCII do this once more, after they have copied a table of 60 KB to the device, but for white space and
/// ASCII itself. A regular expression is copied as a table of states, of which the threads follow one each.
///
/// # Source
/// cudf/strings/`char_types`, cudf/strings/contains.hpp `contains_re`; pandas `Series.str.isalpha`, `contains`.
pub fn test(predicate: &Predicate<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<FixedData> {
    let data = match exec.device() {
        Device::Host => host::test(predicate, input, exec)?,
        Device::Sim | Device::Cuda(_) => match predicate {
            Predicate::Characters(characters) => cuda::test(*characters, input, exec)?,
            Predicate::Contains(pattern) => {
                let automaton = pattern.ends().map_err(not_on_devices!("contains_regex"))?;
                cuda::contains(automaton, input, exec)?
            }
        },
    };
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len: input.len, data, validity })
}
