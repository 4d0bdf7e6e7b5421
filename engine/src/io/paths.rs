//! The paths that readers take.

use std::ffi::{OsStr, OsString};
use std::fs::DirEntry;
use std::io;
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, glob_with};

use super::{file, hive};

/// A file, a folder of files, a pattern, or several of them.
///
/// Of a folder, the files that a reader reads by their names, in the order of the names; hidden files are left out. In a
/// pattern, `*` stands for any characters of a name, `?` for one, `[a-c]` for one of these, and `**` for any folders and none;
/// the files that match are read in the order of their paths, each of them once; names that are not UTF-8 match no pattern,
/// and hidden files only one with a name that begins with a dot. A folder that matches stands for its files, as a folder does,
/// but where folders `name=value` are no columns: then only with `**` at the end. A file whose name has such a character is
/// that file.
#[derive(Clone, Debug)]
pub struct FilePaths(pub(super) Vec<PathBuf>);

impl From<&str> for FilePaths {
    fn from(path: &str) -> Self {
        Self(vec![path.into()])
    }
}

impl From<String> for FilePaths {
    fn from(path: String) -> Self {
        Self(vec![path.into()])
    }
}

impl From<&String> for FilePaths {
    fn from(path: &String) -> Self {
        Self(vec![path.into()])
    }
}

impl From<&OsStr> for FilePaths {
    fn from(path: &OsStr) -> Self {
        Self(vec![path.into()])
    }
}

impl From<OsString> for FilePaths {
    fn from(path: OsString) -> Self {
        Self(vec![path.into()])
    }
}

impl From<&Path> for FilePaths {
    fn from(path: &Path) -> Self {
        Self(vec![path.into()])
    }
}

impl From<PathBuf> for FilePaths {
    fn from(path: PathBuf) -> Self {
        Self(vec![path])
    }
}

impl From<&PathBuf> for FilePaths {
    fn from(path: &PathBuf) -> Self {
        Self(vec![path.clone()])
    }
}

impl<P: AsRef<Path>> From<Vec<P>> for FilePaths {
    fn from(paths: Vec<P>) -> Self {
        paths.as_slice().into()
    }
}

impl<P: AsRef<Path>, const N: usize> From<[P; N]> for FilePaths {
    fn from(paths: [P; N]) -> Self {
        paths.as_slice().into()
    }
}

impl<P: AsRef<Path>> From<&[P]> for FilePaths {
    fn from(paths: &[P]) -> Self {
        Self(paths.iter().map(|path| path.as_ref().to_owned()).collect())
    }
}

/// A file that is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundFile {
    pub(super) path: PathBuf,
    /// The names and values of the folders `name=value` that it was found through; `None` is null.
    pub(super) partitions: Vec<(String, Option<String>)>,
}

/// Why a path stands for no file.
#[derive(Debug)]
pub(super) enum PathFault {
    NotFound,
    /// Neither a file nor a folder.
    NotAFile,
    /// A folder without a file of the names that are read.
    Empty,
    /// A pattern that nothing matches.
    NoMatch,
    /// A pattern that is none, and why.
    Pattern(String),
    Io(io::Error),
}

impl From<io::Error> for PathFault {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { PathFault::NotFound } else { PathFault::Io(error) }
    }
}

/// Which files of folders are read.
pub(super) struct Wanted<'a> {
    /// By their names.
    pub(super) files: &'a dyn Fn(&str) -> bool,
    /// Whether folders that are called `name=value` are looked into.
    pub(super) partitions: bool,
}

impl Wanted<'_> {
    /// The files that a path stands for: the file itself; those of a folder, in the order of their names and without hidden ones;
    /// or, if nothing has the path as its name, those that match it as a pattern.
    pub(super) fn find(&self, path: &Path) -> Result<Vec<FoundFile>, PathFault> {
        let metadata = match file::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && has_wildcard(path) => {
                return self.matching(path);
            }
            metadata => metadata?,
        };
        if !metadata.is_dir() {
            // To open a pipe is to wait for its writer.
            let found = || vec![FoundFile { path: path.to_owned(), partitions: Vec::new() }];
            return if metadata.is_file() { Ok(found()) } else { Err(PathFault::NotAFile) };
        }
        let mut found = Vec::new();
        self.walk(path, &[], &mut found)?;
        if found.is_empty() { Err(PathFault::Empty) } else { Ok(found) }
    }

    fn walk(
        &self,
        folder: &Path,
        partitions: &[(String, Option<String>)],
        found: &mut Vec<FoundFile>,
    ) -> io::Result<()> {
        let mut entries = file::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            if (self.files)(&name) && path.is_file() {
                found.push(FoundFile { path, partitions: partitions.to_vec() });
            } else if self.partitions
                && let Some(partition) = hive::partition(&name)
                && path.is_dir()
            {
                self.walk(&path, &[partitions, &[partition]].concat(), found)?;
            }
        }
        Ok(())
    }

    fn matching(&self, pattern: &Path) -> Result<Vec<FoundFile>, PathFault> {
        let Some(text) = pattern.to_str() else { return Err(PathFault::NotFound) };
        // The folders that the pattern names without a wildcard say nothing about the rows.
        let named =
            pattern.components().take_while(|part| !has_wildcard(Path::new(part.as_os_str()))).count();
        let parts: Vec<Component<'_>> = pattern.components().collect();
        let asks_for_hidden = parts[named..].iter().any(|part| is_hidden(*part));
        let is_left_out = |part: Component<'_>| !asks_for_hidden && is_hidden(part) && !parts.contains(&part);
        // Of `**` at the end the library gives the folders below, and not the folder itself.
        let before = parts.iter().rposition(|part| part.as_os_str() != "**").map_or(0, |last| last + 1);
        let is_of_folders = before < parts.len();
        let mut paths = matches(text)?;
        if is_of_folders {
            let folder = parts[..before].iter().collect::<PathBuf>();
            match folder.to_str() {
                Some("") => paths.push(PathBuf::from(".")),
                Some(text) => paths.extend(matches(text)?.into_iter().filter(|path| path.is_dir())),
                None => {}
            }
        }
        let mut found = Vec::new();
        for path in paths {
            if path.components().any(is_left_out) {
                continue;
            }
            let mut folders: PathBuf = path.components().skip(named).collect();
            let is_folder = path.is_dir();
            if !is_folder {
                folders.pop();
            }
            let partitions = if self.partitions { hive::partitions(&folders) } else { Vec::new() };
            if !is_folder {
                found.push(FoundFile { path, partitions });
            } else if self.partitions || is_of_folders {
                self.walk(&path, &partitions, &mut found)?;
            }
        }
        // Files of folders that match may match themselves.
        found.sort_by_cached_key(|file| plain(&file.path));
        found.dedup_by_key(|file| plain(&file.path));
        if found.is_empty() { Err(PathFault::NoMatch) } else { Ok(found) }
    }
}

/// The files and folders that match a pattern.
fn matches(pattern: &str) -> Result<Vec<PathBuf>, PathFault> {
    // The library ends the program at names that are not UTF-8 where it looks for dots itself.
    let options = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    let paths = glob_with(pattern, options).map_err(|error| PathFault::Pattern(error.to_string()))?;
    let paths = paths.map(|path| path.map_err(io::Error::from));
    Ok(paths.collect::<io::Result<Vec<PathBuf>>>()?)
}

/// The path without `.`, which names the folder that it is in.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// Whether a part of a path is a name that begins with a dot.
fn is_hidden(part: Component<'_>) -> bool {
    matches!(part, Component::Normal(name) if name.as_encoded_bytes().starts_with(b"."))
}

fn has_wildcard(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}
