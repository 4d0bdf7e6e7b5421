//! Regular expressions, for the functions of strings.

mod automaton;
mod table;

pub(super) use automaton::{Automaton, Unsupported};
pub(super) use table::{AutomatonTable, Matcher, SearchArgs};

use crate::parallel::Pool;
use automaton::Direction;
use std::sync::OnceLock;

/// A compiled regular expression in the syntax of the crate `regex`: Unicode, linear time, no look-around and no
/// back-references.
pub struct Pattern {
    compiled: regex::Regex,
    /// Copies, each with memory of its own, so that threads do not wait for each other.
    copies: Pool<regex::Regex>,
    /// For devices, made when one asks.
    automata: [OnceLock<Result<Automaton, Unsupported>>; 2],
}

/// Why a text is no regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The character at which it is wrong, from 0.
    pub position: usize,
    /// What is wrong.
    pub reason: String,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let wrong = |offset: usize, reason: String| PatternError {
            position: text.get(..offset).map_or(0, |before| before.chars().count()),
            reason,
        };
        match regex_syntax::parse(text) {
            Ok(_) => {}
            Err(regex_syntax::Error::Parse(error)) => {
                return Err(wrong(error.span().start.offset, error.kind().to_string()));
            }
            Err(regex_syntax::Error::Translate(error)) => {
                return Err(wrong(error.span().start.offset, error.kind().to_string()));
            }
            Err(other) => return Err(wrong(0, other.to_string())),
        }
        let compiled = regex::Regex::new(text).map_err(|error| wrong(0, error.to_string()))?;
        Ok(Self { compiled, copies: Pool::new(), automata: [OnceLock::new(), OnceLock::new()] })
    }

    /// The number of groups in parentheses.
    pub fn groups(&self) -> usize {
        self.compiled.captures_len() - 1
    }

    /// The number of a named group.
    pub fn group_of(&self, name: &str) -> Option<usize> {
        self.compiled.capture_names().position(|known| known == Some(name))
    }

    /// The automaton that finds where leftmost matches end.
    pub(super) fn ends(&self) -> Result<&Automaton, Unsupported> {
        self.automaton(Direction::Forward)
    }

    /// The automaton that finds where the match begins that ends at a position.
    fn starts(&self) -> Result<&Automaton, Unsupported> {
        self.automaton(Direction::Reverse)
    }

    fn automaton(&self, direction: Direction) -> Result<&Automaton, Unsupported> {
        let cell = &self.automata[usize::from(direction == Direction::Reverse)];
        cell.get_or_init(|| Automaton::new(self.compiled.as_str(), direction)).as_ref().map_err(|why| *why)
    }

    /// Hands `run` a copy for one thread.
    pub(super) fn with<R>(&self, run: impl FnOnce(&mut regex::Regex) -> R) -> R {
        self.copies.with(|| self.compiled.clone(), run)
    }
}

/// The error of a function of strings by an [`Unsupported`] pattern.
macro_rules! not_on_devices {
    ($name:literal) => {
        |why| $crate::Error::NotImplemented {
            feature: match why {
                $crate::strings::regex::Unsupported::WordBoundary => {
                    concat!("str.", $name, " with a Unicode word boundary on this device")
                }
                $crate::strings::regex::Unsupported::Size => {
                    concat!("str.", $name, " with an automaton of more than 1 MiB on this device")
                }
            },
        }
    };
}
pub(super) use not_on_devices;

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern({:?})", self.compiled.as_str())
    }
}
