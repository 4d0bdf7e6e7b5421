//! Errors for C: an errno value and a message.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};

use columnade::arrow::Violation;
use columnade::dlpack::TensorFault;
use columnade::errors::{ColumnError, DeviceError};
use columnade::{Error, ErrorKind};

use crate::expression::Problem;

/// What a function of the interface can fail with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// An argument is invalid.
    #[error("{name} {reason}")]
    Argument {
        /// The parameter, as the header calls it.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A position is beyond the end.
    #[error("{name} is {found}, and there are {len}")]
    Position {
        /// The parameter, as the header calls it.
        name: &'static str,
        /// Its value.
        found: usize,
        /// How many there are.
        len: usize,
    },
    /// A text is no expression.
    #[error("text, character {character}: {problem}")]
    Syntax {
        /// The character, from 1.
        character: usize,
        /// What is wrong there.
        problem: Problem,
    },
    /// There is no such expression.
    #[error(transparent)]
    Expression(#[from] Problem),
    /// The engine refused.
    #[error(transparent)]
    Engine(#[from] Error),
    /// Columns refused, outside of any operation of the engine.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// A device cannot be used.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The library panicked, or a value of its own is not what it has to be.
    #[error(
        "internal error: {0}; this is a bug in Columnade, please report it at the project's \
         issue tracker"
    )]
    Internal(String),
}

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(crate) fn argument(name: &'static str, reason: impl Into<String>) -> Self {
        Self::Argument { name, reason: reason.into() }
    }

    /// The value of errno that is closest.
    pub(crate) fn code(&self) -> c_int {
        match self {
            Self::Argument { .. } => libc::EINVAL,
            Self::Position { .. } => libc::ERANGE,
            Self::Syntax { problem, .. } | Self::Expression(problem) => code_of_problem(problem),
            Self::Engine(Error::Operation { source, .. } | Error::Value(source)) | Self::Columns(source) => {
                code_of_columns(source)
            }
            Self::Engine(Error::Device(error)) | Self::Device(error) => code_of_device(error),
            Self::Engine(other) => code_of_kind(other.kind()),
            Self::Internal(_) => libc::ENOTRECOVERABLE,
        }
    }
}

fn code_of_problem(problem: &Problem) -> c_int {
    match problem {
        Problem::UnknownFunction { .. } => libc::ENOENT,
        Problem::Columns(error) => code_of_columns(error),
        _ => libc::EINVAL,
    }
}

fn code_of_columns(error: &ColumnError) -> c_int {
    match error {
        ColumnError::Context { source, .. } => code_of_columns(source),
        ColumnError::Memory(memory) => code_of_device(memory),
        ColumnError::ArrowInterface { violation: Violation::Device { .. }, .. }
        | ColumnError::Tensor { fault: TensorFault::Device { .. }, .. } => libc::ENODEV,
        ColumnError::ArrowInterface { violation: Violation::Producer { .. }, .. } => libc::EIO,
        other => code_of_kind(other.kind()),
    }
}

fn code_of_device(error: &DeviceError) -> c_int {
    match error {
        DeviceError::OutOfMemory { .. } => libc::ENOMEM,
        DeviceError::NoDevice { .. } | DeviceError::Library { .. } => libc::ENODEV,
        DeviceError::DeviceMismatch { .. } | DeviceError::Option { .. } => libc::EINVAL,
        DeviceError::NotImplemented { .. } => libc::ENOTSUP,
        DeviceError::Internal { .. } => libc::ENOTRECOVERABLE,
        _ => libc::EIO,
    }
}

fn code_of_kind(kind: ErrorKind) -> c_int {
    match kind {
        ErrorKind::Key => libc::ENOENT,
        ErrorKind::Index => libc::ERANGE,
        ErrorKind::Overflow => libc::EOVERFLOW,
        ErrorKind::NotImplemented => libc::ENOTSUP,
        ErrorKind::Memory => libc::ENOMEM,
        ErrorKind::Io | ErrorKind::Device => libc::EIO,
        ErrorKind::Internal => libc::ENOTRECOVERABLE,
        _ => libc::EINVAL,
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::new(CString::default());
}

/// Keeps the text of a failure for [`columnade_last_error`].
pub(crate) fn keep(text: String) {
    // A thread that is ending has no place for it any more.
    let _ = LAST.try_with(|last| *last.borrow_mut() = crate::text::printable(text));
}

#[unsafe(no_mangle)]
extern "C" fn columnade_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
