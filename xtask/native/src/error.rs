use std::fmt;
use std::path::{Path, PathBuf};

/// Why native sources could not be built.
#[derive(Debug)]
pub enum Error {
    /// The program of a command line does not exist.
    MissingProgram {
        /// As it stands in the command line.
        program: String,
    },
    /// Compilers that ran and refused their source: one text per source, with its command line.
    Compile(Vec<String>),
    /// A tool other than a compiler failed.
    Tool {
        /// The command line.
        command: String,
        /// What it printed.
        output: String,
    },
    /// The CUDA toolkit, RMM or the generator of its bindings is missing or unfit: a sentence that says what to do.
    Toolkit(String),
    /// A file or folder could not be read or written.
    File {
        /// Which one.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// An environment variable is missing or has a value that is not taken.
    Variable {
        /// Its name.
        name: String,
        /// Its value, if it is set.
        value: Option<String>,
        /// What is expected instead.
        expected: &'static str,
    },
    /// An `abi!` block that does not follow the grammar of [`crate::abi`].
    Abi {
        /// The Rust file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
}

impl Error {
    /// For `map_err` on a file operation.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingProgram { program } if program.ends_with("nvcc") => {
                write!(f, "no CUDA compiler at {program}: run `cargo xtask setup-cuda` or set CUDA_HOME")
            }
            Self::MissingProgram { program } if program == "ar" => {
                write!(f, "`ar` is needed to archive objects: install binutils")
            }
            Self::MissingProgram { .. } => {
                write!(f, "the simulator needs a C++17 compiler: install g++ or set CXX")
            }
            Self::Toolkit(sentence) => write!(f, "{sentence}"),
            Self::Compile(failures) => write!(f, "{}", failures.join("\n")),
            Self::Tool { command, output } => write!(f, "{command} failed\n{output}"),
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Variable { name, value: Some(value), expected } => {
                write!(f, "{name}={value}: expected {expected}")
            }
            Self::Variable { name, value: None, expected } => {
                write!(f, "{name} is not set: expected {expected}")
            }
            Self::Abi { file, line, reason } => write!(f, "{}:{line}: {reason}", file.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::File { source, .. } = self { Some(source) } else { None }
    }
}

/// As [`crate::toolkit`] reports.
impl From<String> for Error {
    fn from(sentence: String) -> Self {
        Self::Toolkit(sentence)
    }
}
