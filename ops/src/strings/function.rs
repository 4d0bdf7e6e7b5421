//! The functions of strings that expressions and series have.

use super::{CharRange, Characters, JoinNulls, Measure, Search, Transform};
use columnade_columns::{DType, Error, Result};
use columnade_kernels::strings::regex::{Pattern, PatternError};

/// A function of strings, row by row. The strings are the first argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StringFunction {
    /// A string made of a string.
    Transform(Transform),
    /// A length, or a position.
    Measure(Measure),
    /// Some of the characters.
    Slice(CharRange),
    /// Whether all characters are of a kind.
    Test(Characters),
    /// Whether a regular expression matches.
    TestRegex(String, Anchor),
    /// How often a regular expression matches.
    CountRegex(String),
    /// With a string in place of matches of a regular expression, at most so many of them.
    ReplaceRegex(String, String, Option<usize>),
    /// A character.
    Get(i64),
    /// A part between separators.
    Part(Separated, i64),
    /// What is before a separator, it, or what is after it; whether it is searched for from the end.
    Partition(String, usize, bool),
    /// A group of the first match of a regular expression.
    Extract(String, usize),
    /// The parts between separators, as a list.
    Split(Separated),
    /// The parts between matches of a regular expression, of which so many are used at most.
    SplitRegex(String, Option<usize>),
    /// A group of each match of a regular expression, as a list.
    ExtractAll(String, usize),
    /// The strings of all arguments with a separator between them.
    Concat(String, JoinNulls),
    /// Whether the string has that of the second argument.
    Search(Search),
}

/// Where a regular expression must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Anchor {
    /// Anywhere.
    Nowhere,
    /// At the beginning.
    Start,
    /// From the beginning to the end.
    Both,
}

/// How a string is split.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Separated {
    /// The separator; `None`: runs of white space, without those at the ends.
    pub separator: Option<String>,
    /// Separators that are used at most.
    pub limit: Option<usize>,
    /// Whether they are searched for from the end.
    pub from_end: bool,
}

impl Separated {
    fn options(&self) -> Vec<String> {
        let separator = self.separator.as_ref().map_or("white space".to_owned(), |text| format!("{text:?}"));
        let limit = self.limit.map(|limit| format!("at most {limit}"));
        std::iter::once(separator).chain(limit).collect()
    }
}

/// A compiled regular expression.
///
/// # Errors
/// [`Error::InvalidPattern`] with the position.
pub(super) fn compiled(pattern: &str, anchor: Anchor) -> Result<Pattern> {
    let found = Pattern::new(pattern).map_err(|PatternError { position, reason }| Error::InvalidPattern {
        pattern: pattern.to_owned(),
        position,
        reason: reason.into(),
    })?;
    let text = match anchor {
        Anchor::Both => format!("\\A(?:{pattern})\\z"),
        Anchor::Nowhere => return Ok(found),
        Anchor::Start => format!("\\A(?:{pattern})"),
    };
    Pattern::new(&text).map_err(|error| Error::InvalidPattern {
        pattern: pattern.to_owned(),
        position: 0,
        reason: error.reason.into(),
    })
}

/// Whether a regular expression has so many groups.
fn with_group(pattern: &str, group: usize) -> Result<()> {
    let groups = compiled(pattern, Anchor::Nowhere)?.groups();
    if group <= groups {
        return Ok(());
    }
    Err(Error::InvalidArgument {
        name: "group",
        reason: format!("{pattern:?} has {groups} groups, not {group}"),
    })
}

/// Whether a regular expression has the groups that a replacement names. The crate has nothing in place of others.
fn with_groups_of(pattern: &str, to: &str) -> Result<()> {
    let compiled = compiled(pattern, Anchor::Nowhere)?;
    let mut rest = to;
    while let Some((_, after)) = rest.split_once('$') {
        let (name, after) = group_name(after);
        rest = after;
        let Some(name) = name else { continue };
        let groups = compiled.groups();
        let is_known = match name.parse::<usize>() {
            Ok(number) => number <= groups,
            Err(_) => compiled.group_of(name).is_some(),
        };
        if !is_known {
            let reason = format!("{pattern:?} has {groups} groups, and no group {name:?}");
            return Err(Error::InvalidArgument { name: "to", reason });
        }
    }
    Ok(())
}

/// The name or the number after a `$` as the crate reads it, none for `$$` and a `$` that stands for itself, and the rest.
fn group_name(after: &str) -> (Option<&str>, &str) {
    if let Some(after) = after.strip_prefix('$') {
        return (None, after);
    }
    if let Some((name, rest)) = after.strip_prefix('{').and_then(|after| after.split_once('}')) {
        return (Some(name), rest);
    }
    let end = after.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = after.split_at(end);
    ((!name.is_empty()).then_some(name), rest)
}

impl StringFunction {
    /// Whether each value of a dictionary gives one that is not a list, so that it is computed once.
    fn is_list(&self) -> bool {
        matches!(
            self,
            StringFunction::Split(_) | StringFunction::SplitRegex(..) | StringFunction::ExtractAll(..)
        )
    }

    /// Checks patterns and groups.
    fn check(&self) -> Result<()> {
        match self {
            StringFunction::TestRegex(pattern, anchor) => compiled(pattern, *anchor).map(|_| ()),
            StringFunction::CountRegex(pattern) | StringFunction::SplitRegex(pattern, _) => {
                compiled(pattern, Anchor::Nowhere).map(|_| ())
            }
            StringFunction::ReplaceRegex(pattern, to, _) => with_groups_of(pattern, to),
            StringFunction::Extract(pattern, group) | StringFunction::ExtractAll(pattern, group) => {
                with_group(pattern, *group)
            }
            StringFunction::Partition(separator, ..)
            | StringFunction::Part(Separated { separator: Some(separator), limit: Some(_), .. }, _)
                if separator.is_empty() =>
            {
                Err(Error::InvalidArgument { name: "separator", reason: "it is empty".to_owned() })
            }
            StringFunction::Transform(_)
            | StringFunction::Measure(_)
            | StringFunction::Slice(_)
            | StringFunction::Test(_)
            | StringFunction::Get(_)
            | StringFunction::Part(..)
            | StringFunction::Partition(..)
            | StringFunction::Split(_)
            | StringFunction::Concat(..)
            | StringFunction::Search(_) => Ok(()),
        }
    }

    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            StringFunction::Transform(transform) => transform.name(),
            StringFunction::Measure(measure) => measure.name(),
            StringFunction::Slice(_) => "slice",
            StringFunction::Test(characters) => characters.name(),
            StringFunction::TestRegex(_, Anchor::Nowhere) => "contains_regex",
            StringFunction::TestRegex(_, Anchor::Start) => "match_regex",
            StringFunction::TestRegex(_, Anchor::Both) => "fullmatch_regex",
            StringFunction::CountRegex(_) => "count_regex",
            StringFunction::ReplaceRegex(..) => "replace_regex",
            StringFunction::Get(_) => "get",
            StringFunction::Part(Separated { from_end: false, .. }, _) => "split_part",
            StringFunction::Part(..) => "rsplit_part",
            StringFunction::Partition(_, _, false) => "partition",
            StringFunction::Partition(_, _, true) => "rpartition",
            StringFunction::Extract(..) => "extract",
            StringFunction::Split(Separated { from_end: false, .. }) => "split",
            StringFunction::Split(_) => "rsplit",
            StringFunction::SplitRegex(..) => "split_regex",
            StringFunction::ExtractAll(..) => "extract_all",
            StringFunction::Concat(..) => "concat",
            StringFunction::Search(Search::StartsWith) => "starts_with",
            StringFunction::Search(Search::EndsWith) => "ends_with",
            StringFunction::Search(Search::Contains) => "contains",
        }
    }

    /// The arguments of the method, after the columns.
    pub(crate) fn options(&self) -> Vec<String> {
        match self {
            StringFunction::Transform(transform) => transform.options(),
            StringFunction::Measure(Measure::Find(part) | Measure::RFind(part) | Measure::Count(part)) => {
                vec![format!("{part:?}")]
            }
            StringFunction::Measure(Measure::Characters | Measure::Bytes)
            | StringFunction::Test(_)
            | StringFunction::Search(_) => vec![],
            StringFunction::Slice(CharRange { offset, length }) => {
                vec![offset.to_string(), length.map_or("..".to_owned(), |length| length.to_string())]
            }
            StringFunction::TestRegex(pattern, _) | StringFunction::CountRegex(pattern) => {
                vec![format!("{pattern:?}")]
            }
            StringFunction::ReplaceRegex(pattern, to, limit) => {
                let limit = limit.map(|limit| limit.to_string());
                [format!("{pattern:?}"), format!("{to:?}")].into_iter().chain(limit).collect()
            }
            StringFunction::Get(position) => vec![position.to_string()],
            StringFunction::Part(how, position) => {
                how.options().into_iter().chain([position.to_string()]).collect()
            }
            StringFunction::Partition(separator, field, _) => {
                vec![format!("{separator:?}"), field.to_string()]
            }
            StringFunction::Extract(pattern, group) | StringFunction::ExtractAll(pattern, group) => {
                vec![format!("{pattern:?}"), group.to_string()]
            }
            StringFunction::Split(how) => how.options(),
            StringFunction::SplitRegex(pattern, limit) => {
                let limit = limit.map(|limit| limit.to_string());
                std::iter::once(format!("{pattern:?}")).chain(limit).collect()
            }
            StringFunction::Concat(separator, nulls) => {
                let mut options = vec![format!("{separator:?}")];
                if *nulls == JoinNulls::Ignore {
                    options.push("ignore nulls".to_owned());
                }
                options
            }
        }
    }

    /// The dtype of the result: that of a dictionary's strings is a dictionary of them.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries of strings.
    pub(crate) fn dtype(&self, arguments: &[DType]) -> Result<DType> {
        if let Some(other) = arguments.iter().find(|dtype| *dtype.logical() != DType::Utf8) {
            return Err(Error::UnsupportedDType { dtype: other.clone() });
        }
        let first = arguments.first().ok_or_else(super::no_columns)?;
        self.check()?;
        if self.is_list() {
            return Ok(DType::List(Box::new(DType::Utf8)));
        }
        Ok(match self {
            StringFunction::Measure(_) | StringFunction::CountRegex(_) => DType::Int64,
            StringFunction::Test(_) | StringFunction::TestRegex(..) | StringFunction::Search(_) => {
                DType::Bool
            }
            StringFunction::Concat(..) => DType::Utf8,
            StringFunction::Transform(_)
            | StringFunction::Slice(_)
            | StringFunction::ReplaceRegex(..)
            | StringFunction::Get(_)
            | StringFunction::Part(..)
            | StringFunction::Partition(..)
            | StringFunction::Extract(..)
            | StringFunction::Split(_)
            | StringFunction::SplitRegex(..)
            | StringFunction::ExtractAll(..) => {
                let mut dtype = first.clone();
                if let DType::Dictionary(dictionary) = &mut dtype {
                    dictionary.ordered = false;
                }
                dtype
            }
        })
    }

    /// At most how many bytes the result has, of so many bytes of arguments in so many rows; an estimate.
    pub(crate) fn result_bytes(&self, bytes: usize, rows: usize) -> usize {
        let (times, more) = match self {
            StringFunction::Transform(Transform::Repeat(count)) => (*count, 0),
            StringFunction::Transform(Transform::Pad { width, fill, .. }) => (1, width * fill.len_utf8()),
            StringFunction::Transform(Transform::ZFill(width)) => (1, *width),
            StringFunction::Transform(Transform::Replace { from, to, .. }) => {
                (1 + to.len() / from.len().max(1), to.len())
            }
            StringFunction::Measure(_) | StringFunction::CountRegex(_) => (0, size_of::<i64>()),
            StringFunction::Test(_) | StringFunction::TestRegex(..) | StringFunction::Search(_) => (0, 1),
            StringFunction::ReplaceRegex(_, to, _) => (1, 2 * to.len()),
            // An offset of each part, and where it is.
            StringFunction::Split(_) | StringFunction::SplitRegex(..) | StringFunction::ExtractAll(..) => {
                (16, 16)
            }
            StringFunction::Get(_)
            | StringFunction::Part(..)
            | StringFunction::Partition(..)
            | StringFunction::Extract(..) => (1, 8),
            StringFunction::Concat(separator, _) => (1, separator.len()),
            StringFunction::Transform(_) | StringFunction::Slice(_) => (1, 0),
        };
        bytes.saturating_mul(times).saturating_add(rows.saturating_mul(more.saturating_add(size_of::<i32>())))
    }
}
