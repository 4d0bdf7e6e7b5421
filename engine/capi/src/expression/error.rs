//! What can be wrong with an expression.

use columnade::errors::ColumnError;

/// Why there is no expression.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// Text that the grammar does not have.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A name that no function has.
    #[error("there is no function {name:?}")]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// A function takes more or fewer arguments.
    #[error("{function} takes {expected}, not {found}")]
    ArgumentCount {
        /// The function.
        function: &'static str,
        /// How many it takes, such as `1 or 2 arguments`.
        expected: String,
        /// How many were given.
        found: usize,
    },
    /// An argument is not one that the function takes.
    #[error("argument {position} of {function} must be {expected}")]
    Argument {
        /// The function.
        function: &'static str,
        /// From 1.
        position: usize,
        /// What it takes.
        expected: &'static str,
    },
    /// A number that fits no constant.
    #[error("the number {text} is too large")]
    Number {
        /// The number.
        text: String,
    },
    /// More levels than may be evaluated.
    #[error("the expression has more than {max} levels")]
    TooDeep {
        /// The limit.
        max: usize,
    },
    /// More nodes than may be evaluated.
    #[error("the expression has more than {max} nodes")]
    TooLarge {
        /// The limit.
        max: usize,
    },
    /// A constant or a dtype is invalid.
    #[error(transparent)]
    Columns(#[from] ColumnError),
}
