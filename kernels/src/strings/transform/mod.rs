//! Strings made of strings, row by row.

pub(super) mod case;
mod cuda;
mod host;
mod tables;
#[cfg(test)]
mod test_answers;
#[cfg(test)]
mod test_long;
#[cfg(test)]
mod tests;

use super::regex::Pattern;
use super::slice::CharRange;
use crate::elementwise::validity;
use crate::{Error, Result, StringData, StringsView, View};
use columnade_buffers::{Device, Exec};

/// An end of a string, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The beginning.
    Left,
    /// The end.
    Right,
    /// Both.
    Both,
}

/// What is made of a string. Characters are Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Transform {
    /// In lower case.
    Lower,
    /// In upper case.
    Upper,
    /// The first character in title case, the others in lower case.
    Capitalize,
    /// The first cased character after an uncased one in title case, the others in lower case.
    Title,
    /// Without these characters at an end; `None`: without white space.
    Strip(Side, Option<Box<[char]>>),
    /// With a character added at an end until there are `width` of them. On both sides: one more on the left if `width` is
    /// odd, else on the right.
    Pad {
        /// How many characters there are at least.
        width: usize,
        /// What is added.
        fill: char,
        /// Where.
        side: Side,
    },
    /// With zeros after a sign, or at the beginning, until there are so many characters.
    ZFill(usize),
    /// So many times.
    Repeat(usize),
    /// The characters from the last to the first.
    Reverse,
    /// With a string in place of another one, from left to right, at most so often. An empty one is found before each
    /// character and at the end.
    Replace {
        /// What is replaced.
        from: Box<str>,
        /// What stands there instead.
        to: Box<str>,
        /// How often at most; `None`: everywhere.
        limit: Option<usize>,
    },
    /// In the other case: upper becomes lower, what has another case upper.
    SwapCase,
    /// With a string in place of some characters.
    SliceReplace(CharRange, Box<str>),
    /// With a character, or none, in place of each of these characters.
    Translate(Box<[(char, Option<char>)]>),
    /// Without this at the beginning, if it is there.
    RemovePrefix(Box<str>),
    /// Without this at the end, if it is there.
    RemoveSuffix(Box<str>),
}

impl Transform {
    /// The method of expressions that makes it.
    pub const fn name(&self) -> &'static str {
        match self {
            Transform::Lower => "lower",
            Transform::Upper => "upper",
            Transform::Capitalize => "capitalize",
            Transform::Title => "title",
            Transform::Strip(_, Some(_)) => "strip_chars",
            Transform::Strip(Side::Both, None) => "strip",
            Transform::Strip(Side::Left, None) => "lstrip",
            Transform::Strip(Side::Right, None) => "rstrip",
            Transform::Pad { .. } => "pad",
            Transform::ZFill(_) => "zfill",
            Transform::Repeat(_) => "repeat",
            Transform::Reverse => "reverse",
            Transform::Replace { .. } => "replace",
            Transform::SwapCase => "swapcase",
            Transform::SliceReplace(..) => "slice_replace",
            Transform::Translate(_) => "translate",
            Transform::RemovePrefix(_) => "remove_prefix",
            Transform::RemoveSuffix(_) => "remove_suffix",
        }
    }

    /// The arguments of the method.
    pub fn options(&self) -> Vec<String> {
        match self {
            Transform::Lower
            | Transform::Upper
            | Transform::Capitalize
            | Transform::Title
            | Transform::SwapCase
            | Transform::Strip(_, None)
            | Transform::Reverse => vec![],
            Transform::Strip(_, Some(characters)) => {
                vec![format!("{:?}", characters.iter().collect::<String>())]
            }
            Transform::Pad { width, fill, side } => {
                vec![width.to_string(), format!("{side:?}").to_lowercase(), format!("{fill:?}")]
            }
            Transform::ZFill(count) | Transform::Repeat(count) => vec![count.to_string()],
            Transform::Replace { from, to, limit } => {
                let limit = limit.map(|limit| limit.to_string());
                [format!("{from:?}"), format!("{to:?}")].into_iter().chain(limit).collect()
            }
            Transform::SliceReplace(CharRange { offset, length }, with) => {
                let length = length.map_or("..".to_owned(), |length| length.to_string());
                vec![offset.to_string(), length, format!("{with:?}")]
            }
            Transform::Translate(map) => vec![format!("{} characters", map.len())],
            Transform::RemovePrefix(part) | Transform::RemoveSuffix(part) => vec![format!("{part:?}")],
        }
    }
}

/// Row `i` of the result is what `transform` makes of `input[i]`; null if that is null.
///
/// Case follows Unicode's full mappings without a locale: `ß` is `SS` in upper case, and `Σ` at the end of a word `ς` in
/// lower case. White space is Unicode's property of this name.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows, with 32-bit offsets up to 2³¹ bytes.
///
/// # Errors
/// [`Error::InvalidArgument`] for a row that is not UTF-8, and for a result larger than any memory; [`Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, a scan, one synchronisation for the size of the result, and one launch for a mask. Long
/// rows, of 48 bytes on average, are written in words of 16 bytes, and take one more launch for their offsets; not those of
/// which other bytes are made than parts of the string and of the transform: reversed, replaced and translated ones, and other
/// cases of other characters than ASCII. A change of case of other characters than ASCII does this once more, after it has copied a table of 200 KB to the device.
/// So do strings of more than 64 bytes in the transform, which are copied too.
///
/// # Source
/// pandas `Series.str`, cudf/strings/case.hpp, capitalize.hpp, strip.hpp, padding.hpp, `repeat_strings.hpp`, reverse.hpp,
/// replace.hpp.
pub fn transform(transform: &Transform, input: &StringsView<'_>, exec: &Exec) -> Result<StringData> {
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    match exec.device() {
        Device::Host => host::transform(transform, input, validity, exec),
        Device::Sim | Device::Cuda(_) => cuda::transform(transform, input, validity, exec),
    }
}

/// Row `i` of the result is `input[i]` with `to` in place of the matches of a regular expression, from left to right, at most
/// `limit` of them. In `to`, `$1` and `${name}` are groups of the match, and `$$` is `$`.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] for a row that is not UTF-8, and for a result larger than any memory; on devices
/// [`Error::NotImplemented`] for groups in `to`, for a regular expression with a Unicode word boundary, and for one whose
/// automaton has more than 1 MiB; [`Error::Memory`].
///
/// # Device
/// Two launches of a thread per row, a scan, and one synchronisation for the size of the result. The regular expression is
/// copied as two tables of states.
///
/// # Source
/// cudf/strings/`replace_re.hpp`, pandas `Series.str.replace(regex=True)`.
pub fn replace_regex(
    pattern: &Pattern,
    to: &str,
    limit: Option<usize>,
    input: &StringsView<'_>,
    exec: &Exec,
) -> Result<StringData> {
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    match exec.device() {
        Device::Host => host::replace_regex(pattern, to, limit, input, validity, exec),
        Device::Sim | Device::Cuda(_) => cuda::replace_regex(pattern, to, limit, input, validity, exec),
    }
}

/// How rows of several columns are joined where some are null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JoinNulls {
    /// The result is null.
    #[default]
    Propagate,
    /// Nulls are left out, with their separators; the result is never null.
    Ignore,
}

/// Row `i` of the result is the strings `inputs[..][i]`, with `separator` between them.
///
/// # Shapes and units
/// inputs: one column or more of n rows → n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns, and for a result larger than any memory; [`Error::LengthMismatch`];
/// [`Error::NotImplemented`] for more than 64 columns on devices; [`Error::Memory`].
///
/// # Device
/// As [`transform`]; long rows of more than 8 columns are not written in words.
///
/// # Source
/// pandas `Series.str.cat`, Polars `concat_str`, cudf/strings/combine.hpp `concatenate`.
pub fn join(
    inputs: &[StringsView<'_>],
    separator: &str,
    nulls: JoinNulls,
    exec: &Exec,
) -> Result<StringData> {
    let Some(first) = inputs.first() else {
        return Err(Error::InvalidArgument { name: "columns", reason: "there are none" });
    };
    if let Some(other) = inputs.iter().find(|input| input.len != first.len) {
        return Err(Error::LengthMismatch { left: first.len, right: other.len });
    }
    let validity = match nulls {
        JoinNulls::Propagate => {
            let bits: Vec<_> = inputs.iter().map(|input| View::String(*input).validity_bits()).collect();
            validity::intersect(&bits, exec)?
        }
        JoinNulls::Ignore => None,
    };
    match exec.device() {
        Device::Host => host::join(inputs, separator, validity, exec),
        Device::Sim | Device::Cuda(_) => {
            let propagates = matches!(nulls, JoinNulls::Propagate);
            cuda::join(inputs, separator, propagates, validity, exec)
        }
    }
}
