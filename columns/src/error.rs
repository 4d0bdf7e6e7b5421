//! Errors of columns.

use crate::{DType, Label, TimeUnit};
use columnade_buffers::RetryableError;
use std::borrow::Cow;
use std::fmt;

/// The result of an operation on columns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of columns. Variants and fields are interface; messages are not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Columns have unequal lengths.
    #[error("expected {expected} rows, found {found}")]
    LengthMismatch {
        /// The rows that the others have.
        expected: usize,
        /// The rows found.
        found: usize,
    },
    /// Two dtypes are incompatible.
    #[error("{left} and {right} do not go together; cast one of them")]
    DTypeMismatch {
        /// The dtype on the left, or the one expected.
        left: DType,
        /// The dtype on the right, or the one found.
        right: DType,
    },
    /// The dtype is not supported.
    #[error("dtype {dtype} is not supported")]
    UnsupportedDType {
        /// The dtype it was given.
        dtype: DType,
    },
    /// Values that must be times, or durations, have another dtype.
    #[error("times are expected, not {dtype}")]
    NotTimes {
        /// The dtype it has.
        dtype: DType,
    },
    /// A condition or an operand that must be boolean has another dtype.
    #[error("a boolean is expected, not {dtype}")]
    NotBoolean {
        /// The dtype it has.
        dtype: DType,
    },
    /// Values that are compared by their distance have an order only.
    #[error("{dtype} has an order but no distances, which the nearest row and a tolerance need")]
    NoDistance {
        /// The dtype it has.
        dtype: DType,
    },
    /// Values cannot be read as a Rust type.
    #[error("values of {dtype} are read as {fits}, not as {asked}")]
    RustType {
        /// The dtype of the values.
        dtype: DType,
        /// The Rust type that they can be read as.
        fits: String,
        /// The Rust type that was asked for.
        asked: String,
    },
    /// No column has this label.
    #[error("column {label:?} not found; there {}", available_text(available))]
    ColumnNotFound {
        /// The label asked for.
        label: Label,
        /// The existing labels.
        available: Vec<Label>,
    },
    /// A label exists already, or is repeated in a request.
    #[error("duplicate column label {label:?}")]
    DuplicateLabel {
        /// The label.
        label: Label,
    },
    /// Two rows have the same keys, and are the same entry of a table.
    #[error("the entry ({}) occurs more than once", key.join(", "))]
    DuplicateEntry {
        /// The keys, as text.
        key: Vec<String>,
    },
    /// The operation supports string labels only.
    #[error("the column label {label:?} is not a string: rename the column")]
    UnsupportedLabel {
        /// The label.
        label: Label,
    },
    /// No level of the labels has this name.
    #[error("no level of the column labels is called {name:?}; they are called {}", level_names(available))]
    LevelNotFound {
        /// The name asked for.
        name: Label,
        /// The names of the levels.
        available: Vec<Option<Label>>,
    },
    /// A position, possibly counted from the end, is out of bounds.
    #[error("position {position} is out of bounds for {len}")]
    PositionOutOfBounds {
        /// The position asked for.
        position: isize,
        /// How many there are.
        len: usize,
    },
    /// A position in the list of a row, possibly counted from the end, is out of bounds.
    #[error("row {row}: position {position} is out of bounds for {len}")]
    ItemOutOfBounds {
        /// The first such row, of those that are computed at a time.
        row: usize,
        /// The position asked for.
        position: isize,
        /// The items that the list has.
        len: usize,
    },
    /// A row or column position is out of bounds.
    #[error("position {index} is out of bounds for {len}")]
    IndexOutOfBounds {
        /// The position asked for.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// A range of rows is out of bounds.
    #[error("{count} rows from row {offset} on, where there are {len}")]
    RowsOutOfBounds {
        /// The first row asked for.
        offset: usize,
        /// How many rows were asked for.
        count: usize,
        /// How many there are.
        len: usize,
    },
    /// An argument is invalid.
    #[error("{name}: {reason}")]
    InvalidArgument {
        /// The argument.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// What gives the frames of a stream failed, with an error that is none of columns.
    #[error("{reason}")]
    Frames {
        /// The kind of that error.
        kind: ErrorKind,
        /// What it says.
        reason: String,
    },
    /// A value does not fit its dtype.
    #[error("a value does not fit {dtype}")]
    Overflow {
        /// The dtype it does not fit.
        dtype: DType,
    },
    /// A value of a column does not fit the dtype that it is cast to.
    #[error("row {row}: {value} does not fit {dtype}")]
    ValueOverflow {
        /// The first such row, of those that are computed at a time.
        row: usize,
        /// The value, as text; of a list or a struct the item or the field.
        value: String,
        /// The dtype it does not fit.
        dtype: DType,
    },
    /// Text cannot be parsed as a value of a dtype.
    #[error("{text:?} is not a value of {dtype}{}", form(dtype))]
    Parse {
        /// The text.
        text: String,
        /// The dtype.
        dtype: DType,
    },
    /// A string of a column is no value of a dtype.
    #[error("row {row}: {value:?} is not a value of {dtype}{}", form(dtype))]
    Unparsable {
        /// The first such row, of those that are computed at a time.
        row: usize,
        /// The string.
        value: String,
        /// The dtype.
        dtype: DType,
    },
    /// A value is no category of a dictionary.
    #[error("{category:?} is no category")]
    UnknownCategory {
        /// The value, as text.
        category: String,
    },
    /// A pattern for strings is invalid.
    #[error("pattern {pattern:?} is invalid at character {position}: {reason}")]
    InvalidPattern {
        /// The pattern.
        pattern: String,
        /// The character that is wrong, from 0.
        position: usize,
        /// What is wrong with it.
        reason: Cow<'static, str>,
    },
    /// Text does not match the format of a date or timestamp.
    #[error("row {row}: {text:?} does not match the format {format:?} from character {position} on")]
    UnmatchedFormat {
        /// The first such row, of those that are computed at a time.
        row: usize,
        /// The text.
        text: String,
        /// The format.
        format: String,
        /// The character that is wrong, from 0.
        position: usize,
    },
    /// Clocks of a time zone show a local time twice, because they are set back.
    #[error(
        "row {row}: {time} is ambiguous in {zone}, where clocks show it twice: choose the earliest or the latest"
    )]
    AmbiguousTime {
        /// The first such row, of those that are computed at a time.
        row: usize,
        /// The local time.
        time: String,
        /// The time zone.
        zone: String,
    },
    /// Clocks of a time zone do not show a local time, because they are set forward.
    #[error(
        "row {row}: {time} does not exist in {zone}, where clocks skip it: choose to shift it forward or backward"
    )]
    NonexistentTime {
        /// The first such row, of those that are computed at a time.
        row: usize,
        /// The local time.
        time: String,
        /// The time zone.
        zone: String,
    },
    /// An Arrow array or batch cannot become columns, or the reverse.
    #[error("Arrow {}: {reason}", place(field, "array"))]
    Arrow {
        /// The field's name, empty for an array without one.
        field: String,
        /// What is wrong.
        reason: String,
    },
    /// A struct of Arrow's C interface is invalid, or cannot be exported.
    #[error("Arrow C interface, {}: {violation}", place(field, "the array or schema itself"))]
    ArrowInterface {
        /// Names from the outermost field to the one that is wrong, with dots between; empty for the array itself.
        field: String,
        /// What is wrong.
        violation: crate::arrow::c::Violation,
    },
    /// A tensor of DLPack or the CUDA Array Interface is invalid, or cannot be exported.
    #[error("{interface}, {field}: {fault}")]
    Tensor {
        /// Which of the two.
        interface: &'static str,
        /// The field that is wrong.
        field: String,
        /// What is wrong.
        fault: crate::TensorFault,
    },
    /// Values that have to be ascending are not.
    #[error("not sorted in ascending order: row {row} is less than the row before")]
    NotSorted {
        /// The first row that is less than the one before.
        row: usize,
    },
    /// A feature is not implemented.
    #[error("{feature} is not implemented")]
    NotImplemented {
        /// What is missing.
        feature: String,
    },
    /// Memory, a device or a stream failed.
    #[error(transparent)]
    Memory(#[from] columnade_buffers::Error),
    /// A kernel reported an error.
    #[error(transparent)]
    Kernel(columnade_kernels::Error),
    /// An error of one column, key or expression.
    #[error("{subject}: {source}")]
    Context {
        /// What the error is about.
        subject: ErrorSubject,
        /// The error, whose text is in this one's.
        r#source: Box<Error>,
    },
    /// An invariant of this library is broken.
    #[error(
        "internal error: {invariant} does not hold; this is a bug in Columnade, please report it at the project's \
         issue tracker"
    )]
    Internal {
        /// The invariant.
        invariant: &'static str,
    },
}

/// What an [`Error::Context`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorSubject {
    /// The label of a column, or the path to a column within another.
    Column(String),
    /// The position of a key.
    Key(usize),
    /// An expression.
    Expression(SubjectExpression),
    /// The offsets of strings, binary values or lists.
    Offsets,
}

/// The expression of an [`ErrorSubject`]. Those of the same text are equal.
#[derive(Clone, Debug, Eq)]
pub struct SubjectExpression {
    /// The expression, as it is displayed.
    pub text: String,
    /// The label of the column that it reads, if that is one.
    pub column: Option<String>,
}

impl PartialEq for SubjectExpression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// An expression as errors name it.
pub trait NamesColumn: fmt::Display {
    /// The label of the column that it reads; `None` for none, several, or a text.
    fn only_column(&self) -> Option<String>;
}

impl NamesColumn for str {
    fn only_column(&self) -> Option<String> {
        None
    }
}

impl<T: NamesColumn + ?Sized> NamesColumn for &T {
    fn only_column(&self) -> Option<String> {
        T::only_column(self)
    }
}

impl fmt::Display for ErrorSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorSubject::Column(label) => write!(f, "column {label:?}"),
            ErrorSubject::Key(position) => write!(f, "key {position}"),
            ErrorSubject::Expression(expression) => write!(f, "expression {}", expression.text),
            ErrorSubject::Offsets => f.write_str("offsets"),
        }
    }
}

/// How values of a dtype are written, where that has a form.
fn form(dtype: &DType) -> &'static str {
    match dtype {
        DType::Bool => " (true or false)",
        DType::Date32 => " (YYYY-MM-DD)",
        DType::Timestamp(TimeUnit::Second) => " (YYYY-MM-DD HH:MM:SS)",
        DType::Timestamp(_) => " (YYYY-MM-DD HH:MM:SS.fraction)",
        DType::TimestampTz(TimeUnit::Second, _) => " (YYYY-MM-DD HH:MM:SSZ, or an offset as +02:00 for Z)",
        DType::TimestampTz(..) => " (YYYY-MM-DD HH:MM:SS.fractionZ, or an offset as +02:00 for Z)",
        DType::Duration(_) => " (N days HH:MM:SS.fraction)",
        DType::Time(TimeUnit::Second) => " (HH:MM:SS)",
        DType::Time(_) => " (HH:MM:SS.fraction)",
        DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64
        | DType::Float32
        | DType::Float64
        | DType::Utf8
        | DType::Decimal { .. }
        | DType::Binary
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null => "",
    }
}

/// A field by its name, or what is meant when it has none.
fn place(field: &str, nameless: &str) -> String {
    if field.is_empty() { nameless.to_owned() } else { format!("field {field:?}") }
}

fn available_text(available: &[Label]) -> String {
    match available {
        [] => "are no columns".to_owned(),
        [one] => format!("is {one:?}"),
        many => {
            format!("are {}", many.iter().map(|label| format!("{label:?}")).collect::<Vec<_>>().join(", "))
        }
    }
}

fn level_names(names: &[Option<Label>]) -> String {
    let name =
        |name: &Option<Label>| name.as_ref().map_or_else(|| "none".to_owned(), |name| format!("{name:?}"));
    names.iter().map(name).collect::<Vec<_>>().join(", ")
}

impl From<columnade_kernels::Error> for Error {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn from(error: columnade_kernels::Error) -> Self {
        match error {
            columnade_kernels::Error::Memory(memory) => Error::Memory(memory),
            columnade_kernels::Error::InvalidArgument { name, reason } => {
                Error::InvalidArgument { name, reason: reason.to_owned() }
            }
            columnade_kernels::Error::Internal { invariant } => Error::Internal { invariant },
            other => Error::Kernel(other),
        }
    }
}

impl Error {
    /// The error with the label of the column that it is about.
    #[must_use]
    pub fn in_column(self, column: impl fmt::Display) -> Error {
        self.about(ErrorSubject::Column(column.to_string()))
    }

    /// The error with the expression that it is about.
    #[must_use]
    pub fn in_expression(self, expression: impl NamesColumn) -> Error {
        let (text, column) = (expression.to_string(), expression.only_column());
        self.about(ErrorSubject::Expression(SubjectExpression { text, column }))
    }

    /// The error with the position of the key that it is about, among those of a sort, a join or a group-by.
    #[must_use]
    pub fn in_key(self, position: usize) -> Error {
        self.about(ErrorSubject::Key(position))
    }

    /// The error with the label of the column that is the key it is about; an error of no key is not changed.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    pub fn with_key_labels<L: fmt::Display>(self, labels: &[L]) -> Error {
        match self {
            Error::Context { subject: ErrorSubject::Key(position), source } => match labels.get(position) {
                Some(label) => source.in_column(label),
                None => source.in_key(position),
            },
            other => other,
        }
    }

    /// The error without the column, key or expression that it is about.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    pub fn without_context(self) -> Error {
        match self {
            Error::Context { source, .. } => source.without_context(),
            other => other,
        }
    }

    pub(crate) fn about(self, subject: ErrorSubject) -> Error {
        Error::Context { subject, source: Box::new(self) }
    }

    /// The family of the error, named as the exceptions of pandas.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::ColumnNotFound { .. } | Error::LevelNotFound { .. } => ErrorKind::Key,
            Error::DTypeMismatch { .. }
            | Error::UnsupportedDType { .. }
            | Error::NotTimes { .. }
            | Error::NotBoolean { .. }
            | Error::NoDistance { .. }
            | Error::RustType { .. }
            | Error::UnsupportedLabel { .. }
            | Error::Tensor { fault: crate::TensorFault::DType { .. }, .. } => ErrorKind::Type,
            Error::IndexOutOfBounds { .. }
            | Error::PositionOutOfBounds { .. }
            | Error::ItemOutOfBounds { .. }
            | Error::RowsOutOfBounds { .. } => ErrorKind::Index,
            Error::ArrowInterface { violation: crate::arrow::c::Violation::Unsupported { .. }, .. } => {
                ErrorKind::NotImplemented
            }
            Error::LengthMismatch { .. }
            | Error::DuplicateLabel { .. }
            | Error::DuplicateEntry { .. }
            | Error::InvalidArgument { .. }
            | Error::Parse { .. }
            | Error::Unparsable { .. }
            | Error::InvalidPattern { .. }
            | Error::UnknownCategory { .. }
            | Error::UnmatchedFormat { .. }
            | Error::AmbiguousTime { .. }
            | Error::NonexistentTime { .. }
            | Error::NotSorted { .. }
            | Error::Arrow { .. }
            | Error::ArrowInterface { .. }
            | Error::Tensor { .. } => ErrorKind::Value,
            Error::Overflow { .. } | Error::ValueOverflow { .. } => ErrorKind::Overflow,
            Error::NotImplemented { .. } => ErrorKind::NotImplemented,
            Error::Frames { kind, .. } => *kind,
            Error::Internal { .. } => ErrorKind::Internal,
            Error::Memory(memory) => memory.into(),
            Error::Kernel(kernel) => match kernel {
                columnade_kernels::Error::UnsupportedStorage { .. }
                | columnade_kernels::Error::UnsupportedStrings
                | columnade_kernels::Error::TypeMismatch => ErrorKind::Type,
                columnade_kernels::Error::IndexOutOfBounds { .. } => ErrorKind::Index,
                columnade_kernels::Error::Overflow { .. }
                | columnade_kernels::Error::StepOverflow { .. }
                | columnade_kernels::Error::RequestOverflow { .. } => ErrorKind::Overflow,
                columnade_kernels::Error::NotImplemented { .. } => ErrorKind::NotImplemented,
                columnade_kernels::Error::Internal { .. } => ErrorKind::Internal,
                columnade_kernels::Error::Memory(memory) => memory.into(),
                _ => ErrorKind::Value,
            },
            Error::Context { source, .. } => source.kind(),
        }
    }
}

impl RetryableError for Error {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn out_of_memory(&self) -> Option<usize> {
        match self {
            Error::Memory(memory) | Error::Kernel(columnade_kernels::Error::Memory(memory)) => {
                memory.out_of_memory()
            }
            Error::Context { source, .. } => source.out_of_memory(),
            _ => None,
        }
    }
}

/// The family of an error, named as the exceptions of pandas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An unknown label.
    Key,
    /// An unsupported dtype.
    Type,
    /// An invalid value.
    Value,
    /// A position out of bounds.
    Index,
    /// A number too large for its dtype.
    Overflow,
    /// Out of memory.
    Memory,
    /// A missing or failed device.
    Device,
    /// A file.
    Io,
    /// A feature that is not implemented.
    NotImplemented,
    /// A broken invariant of this library, which is a bug.
    Internal,
}

impl From<&columnade_buffers::Error> for ErrorKind {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn from(error: &columnade_buffers::Error) -> Self {
        match error {
            columnade_buffers::Error::Device { .. }
            | columnade_buffers::Error::NoDevice { .. }
            | columnade_buffers::Error::Library { .. } => ErrorKind::Device,
            columnade_buffers::Error::DeviceMismatch { .. } | columnade_buffers::Error::Option { .. } => {
                ErrorKind::Value
            }
            columnade_buffers::Error::Storage { .. } => ErrorKind::Io,
            columnade_buffers::Error::NotImplemented { .. } => ErrorKind::NotImplemented,
            columnade_buffers::Error::Internal { .. } => ErrorKind::Internal,
            _ => ErrorKind::Memory,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::Key => "KeyError",
            ErrorKind::Type => "TypeError",
            ErrorKind::Value => "ValueError",
            ErrorKind::Index => "IndexError",
            ErrorKind::Overflow => "OverflowError",
            ErrorKind::Memory => "MemoryError",
            ErrorKind::Device | ErrorKind::Internal => "RuntimeError",
            ErrorKind::Io => "OSError",
            ErrorKind::NotImplemented => "NotImplementedError",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_error_asks_for_a_report() {
        let invariant = "each column has rows";
        let errors = [
            Error::Internal { invariant },
            columnade_kernels::Error::Internal { invariant }.into(),
            columnade_buffers::Error::Internal { invariant }.into(),
        ];
        for error in errors {
            assert_eq!(
                (error.kind(), error.kind().to_string().as_str()),
                (ErrorKind::Internal, "RuntimeError")
            );
            let text = error.to_string();
            assert!(text.starts_with("internal error: each column has rows does not hold"), "{text}");
            assert!(text.ends_with("please report it at the project's issue tracker"), "{text}");
        }
    }

    /// One error of each variant with texts of its own, and of those within others.
    fn samples() -> Vec<Error> {
        let label = || Label::from("a");
        let memory = columnade_buffers::Error::NotImplemented { feature: "f" };
        let several = Label::from(("a", 1));
        vec![
            Error::LengthMismatch { expected: 1, found: 2 },
            Error::DTypeMismatch { left: DType::list(DType::Utf8), right: DType::Null },
            Error::UnsupportedDType { dtype: DType::dictionary(DType::Utf8) },
            Error::NotTimes { dtype: DType::Int64 },
            Error::NotBoolean { dtype: DType::list(DType::Utf8) },
            Error::NoDistance { dtype: DType::Binary },
            Error::RustType { dtype: DType::Int8, fits: "i8".to_owned(), asked: "i64".to_owned() },
            Error::ColumnNotFound { label: label(), available: vec![] },
            Error::ColumnNotFound { label: several.clone(), available: vec![label(), several] },
            Error::DuplicateLabel { label: label() },
            Error::UnsupportedLabel { label: Label::from(1_i64) },
            Error::LevelNotFound { name: label(), available: vec![Some(label()), None] },
            Error::PositionOutOfBounds { position: -1, len: 0 },
            Error::IndexOutOfBounds { index: 1, len: 0 },
            Error::ItemOutOfBounds { row: 3, position: -1, len: 0 },
            Error::RowsOutOfBounds { offset: 1, count: 2, len: 0 },
            Error::InvalidArgument { name: "n", reason: "r".to_owned() },
            Error::Frames { kind: ErrorKind::Io, reason: "r".to_owned() },
            Error::Overflow { dtype: DType::Timestamp(TimeUnit::Nano) },
            Error::ValueOverflow { row: 3, value: "300".to_owned(), dtype: DType::Int8 },
            Error::Parse { text: "x".to_owned(), dtype: DType::Date32 },
            Error::Unparsable { row: 3, value: "x".to_owned(), dtype: DType::Date32 },
            Error::InvalidPattern { pattern: "x!".to_owned(), position: 1, reason: "r".into() },
            Error::UnmatchedFormat { row: 3, text: "x".to_owned(), format: "%Y".to_owned(), position: 0 },
            Error::AmbiguousTime { row: 3, time: "t".to_owned(), zone: "z".to_owned() },
            Error::NonexistentTime { row: 3, time: "t".to_owned(), zone: "z".to_owned() },
            Error::DuplicateEntry { key: vec!["a".to_owned()] },
            Error::Arrow { field: "f".to_owned(), reason: "r".to_owned() },
            Error::ArrowInterface {
                field: "f".to_owned(),
                violation: crate::arrow::c::Violation::Released { what: "array" },
            },
            Error::Tensor { interface: "DLPack", field: "f".to_owned(), fault: crate::TensorFault::Taken },
            Error::NotSorted { row: 3 },
            Error::NotImplemented { feature: "f".to_owned() },
            Error::Memory(memory.clone()),
            Error::Kernel(columnade_kernels::Error::Memory(memory)),
            Error::Kernel(columnade_kernels::Error::TypeMismatch),
            Error::Overflow { dtype: DType::Int8 }.in_key(0).in_column("c").in_expression("(a + b)"),
            Error::Overflow { dtype: DType::Int8 }.about(ErrorSubject::Offsets),
            Error::Internal { invariant: "i" },
        ]
    }

    #[test]
    fn error_chain_says_each_thing_once() {
        for error in samples() {
            let texts: Vec<String> =
                std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source())
                    .map(ToString::to_string)
                    .collect();
            for (at, text) in texts.iter().enumerate() {
                assert!(!texts[at + 1..].iter().any(|inner| text.contains(inner.as_str())), "{texts:?}");
            }
        }
    }

    #[test]
    fn error_text_has_no_rust_debug_form() {
        for text in samples().iter().map(ToString::to_string) {
            for form in ["{ ", "Some(", "None", "::", "[]"] {
                assert!(!text.contains(form), "{text}");
            }
        }
    }

    #[test]
    fn key_of_error_becomes_its_column() {
        let error = Error::UnsupportedDType { dtype: DType::Null }.in_key(1);
        assert_eq!(error.to_string(), "key 1: dtype null is not supported");
        let named = error.clone().with_key_labels(&["a", "b"]);
        assert_eq!(named.to_string(), "column \"b\": dtype null is not supported");
        assert_eq!(error.clone().with_key_labels(&["a"]), error);
        assert_eq!(named.clone().with_key_labels(&["a", "c"]), named);
    }
}
