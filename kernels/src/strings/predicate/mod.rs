//! Tests of the characters of strings, and of strings against regular expressions.

mod host;

use super::regex::Pattern;
use crate::elementwise::validity;
use crate::{Error, FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};

/// What all characters of a string are. False of an empty string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Characters {
    /// Letters: Unicode's property `Alphabetic`.
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

    const fn feature(self) -> &'static str {
        match self {
            Characters::Alpha => "str.is_alpha on this device",
            Characters::Numeric => "str.is_numeric on this device",
            Characters::Decimal => "str.is_decimal on this device",
            Characters::Alnum => "str.is_alnum on this device",
            Characters::Space => "str.is_space on this device",
            Characters::Lower => "str.is_lower on this device",
            Characters::Upper => "str.is_upper on this device",
            Characters::Title => "str.is_title on this device",
            Characters::Ascii => "str.is_ascii on this device",
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
/// [`Error::InvalidArgument`] for a row that is not UTF-8; [`Error::NotImplemented`] on devices; [`Error::Memory`].
///
/// # Source
/// cudf/strings/`char_types`, cudf/strings/contains.hpp `contains_re`; pandas `Series.str.isalpha`, `contains`.
pub fn test(predicate: &Predicate<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<FixedData> {
    let data = match exec.device() {
        Device::Host => host::test(predicate, input, exec)?,
        Device::Sim | Device::Cuda(_) => {
            let feature = match predicate {
                Predicate::Characters(characters) => characters.feature(),
                Predicate::Contains(_) => "str.contains_regex on this device",
            };
            return Err(Error::NotImplemented { feature });
        }
    };
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len: input.len, data, validity })
}
