//! Where in a tree of fields something is.

use super::violation::Violation;
use crate::{Error, ErrorSubject, Result};
use std::fmt;

/// A field in a tree of fields, named only when something is wrong with it.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    name: &'a str,
}

impl<'a> Path<'a> {
    pub(super) const ROOT: Path<'static> = Path { parent: None, name: "" };

    pub(super) fn child(&'a self, name: &'a str) -> Path<'a> {
        Path { parent: Some(self), name }
    }

    /// How many fields this one is within.
    pub(super) fn depth(&self) -> usize {
        self.parent.map_or(0, |parent| parent.depth() + 1)
    }

    pub(super) fn error(&self, violation: Violation) -> Error {
        Error::ArrowInterface { field: self.to_string(), violation }
    }

    pub(super) fn fail<T>(&self, violation: Violation) -> Result<T> {
        Err(self.error(violation))
    }

    /// Says of an error that does not where it happened.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    pub(super) fn locate(&self, error: Error) -> Error {
        match error {
            Error::ArrowInterface { .. }
            | Error::Context { subject: ErrorSubject::Column(_), .. }
            | Error::Memory(_) => error,
            Error::Arrow { field, reason } if field.is_empty() => {
                Error::Arrow { field: self.to_string(), reason }
            }
            other if self.parent.is_none() && self.name.is_empty() => other,
            other => other.in_column(self),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent.filter(|parent| !parent.name.is_empty() || parent.parent.is_some())
        {
            write!(f, "{parent}.")?;
        }
        // A field without a name is one all the same.
        f.write_str(if self.name.is_empty() && self.parent.is_some() { "\"\"" } else { self.name })
    }
}
