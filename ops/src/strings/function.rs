//! The functions of strings that expressions and series have.

use super::{CharRange, JoinNulls, Measure, Transform};
use columnade_columns::{DType, Error, Result};

/// A function of strings, row by row. The strings are the first argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StringFunction {
    /// A string made of a string.
    Transform(Transform),
    /// A length, or a position.
    Measure(Measure),
    /// Some of the characters.
    Slice(CharRange),
    /// The strings of all arguments with a separator between them.
    Concat(String, JoinNulls),
}

impl StringFunction {
    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            StringFunction::Transform(transform) => transform.name(),
            StringFunction::Measure(measure) => measure.name(),
            StringFunction::Slice(_) => "slice",
            StringFunction::Concat(..) => "concat",
        }
    }

    /// The arguments of the method, after the columns.
    pub(crate) fn options(&self) -> Vec<String> {
        match self {
            StringFunction::Transform(transform) => transform.options(),
            StringFunction::Measure(Measure::Find(part)) => vec![format!("{part:?}")],
            StringFunction::Measure(Measure::Characters | Measure::Bytes) => vec![],
            StringFunction::Slice(CharRange { offset, length }) => {
                vec![offset.to_string(), length.map_or("..".to_owned(), |length| length.to_string())]
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
        Ok(match self {
            StringFunction::Measure(_) => DType::Int64,
            StringFunction::Concat(..) => DType::Utf8,
            StringFunction::Transform(_) | StringFunction::Slice(_) => {
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
            StringFunction::Measure(_) => (0, size_of::<i64>()),
            StringFunction::Concat(separator, _) => (1, separator.len()),
            StringFunction::Transform(_) | StringFunction::Slice(_) => (1, 0),
        };
        bytes.saturating_mul(times).saturating_add(rows.saturating_mul(more.saturating_add(size_of::<i32>())))
    }
}
