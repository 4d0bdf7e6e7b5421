//! The parts of dtypes that are made of others.

use crate::{DType, Error, Result};
use std::fmt;
use std::str::FromStr;

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The dtype of its values.
    pub dtype: DType,
}

/// The dtype and the closed ends of an interval column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IntervalType {
    /// The dtype of both ends: a number, a date, a timestamp or a duration.
    pub values: DType,
    /// Which ends belong to the interval.
    pub closed: Closed,
}

/// Which ends belong to an interval or a window of time: the upper one unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Closed {
    /// The lower end.
    Left,
    /// The upper end.
    #[default]
    Right,
    /// Both.
    Both,
    /// Neither.
    Neither,
}

impl Closed {
    /// Every choice.
    pub const ALL: [Closed; 4] = [Closed::Left, Closed::Right, Closed::Both, Closed::Neither];

    /// The choice as pandas writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Closed::Left => "left",
            Closed::Right => "right",
            Closed::Both => "both",
            Closed::Neither => "neither",
        }
    }

    /// The brackets around the ends.
    pub const fn brackets(self) -> (char, char) {
        match self {
            Closed::Left => ('[', ')'),
            Closed::Right => ('(', ']'),
            Closed::Both => ('[', ']'),
            Closed::Neither => ('(', ')'),
        }
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Closed {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Closed::ALL.into_iter().find(|closed| closed.name() == text).ok_or_else(|| Error::InvalidArgument {
            name: "closed",
            reason: format!("{text:?} is none of left, right, both, neither"),
        })
    }
}
