//! `cargo xtask tidy`: the rules of the code base that no compiler knows.
//!
//! | module | rule |
//! | --- | --- |
//! | [`layers`] | crates depend downwards only: engine, ops, columns, kernels, buffers |
//! | [`files`] | no file is too long, every kernel folder is complete, nothing is left over |
//! | [`device_code`] | `.cu` files use the portability header and nothing that the simulator cannot run |
//! | [`rust_code`] | `unsafe` and `cfg(feature)` stay where they are argued for |
//! | [`words`] | names and prose use the terms of the glossary |
//! | [`examples`] | every method of expressions has an example |
//! | [`prose`] | Markdown is wrapped, tests are named for what they test |

mod device_code;
mod examples;
mod files;
mod layers;
mod prose;
mod rust_code;
mod source;
mod words;

use crate::workspace;
use source::Source;
use std::fmt;
use std::fs;
use std::process::ExitCode;

/// Check the layer direction, file sizes, kernel folders, forbidden constructs and words
#[derive(clap::Args)]
pub(crate) struct Options {}

/// A rule broken at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    /// Counted from 1; 0 where the whole file or folder is meant.
    line: usize,
    what: String,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

/// Prints every finding; fails when there is one.
pub(crate) fn run(_: &Options) -> Result<ExitCode, String> {
    let sources = sources()?;
    let packages = workspace::packages()?;
    let mut findings = layers::check(&packages, &sources);
    findings.extend(files::check(&sources));
    findings.extend(device_code::check(&sources));
    findings.extend(rust_code::check(&sources));
    findings.extend(words::check(&sources));
    findings.extend(prose::check(&sources));
    findings.extend(examples::check(&sources));
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files, nothing to mend", sources.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("tidy: {} findings", findings.len());
    Ok(ExitCode::FAILURE)
}

/// Every text file that git tracks or would track.
fn sources() -> Result<Vec<Source>, String> {
    let root = workspace::root();
    let listed = workspace::git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let mut sources = Vec::new();
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        // A file that is listed but gone was deleted and not yet committed; one that is no text has no lines.
        if let Ok(bytes) = fs::read(root.join(path))
            && let Ok(text) = String::from_utf8(bytes)
        {
            sources.push(Source::new(path, text));
        }
    }
    Ok(sources)
}
