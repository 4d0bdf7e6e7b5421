//! The paths that readers take.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::file;

/// A file, a folder of files, or several of them. Of a folder, the files that a reader reads by their names, in the order of
/// the names; hidden files are left out.
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

/// The files of a folder whose names `is_wanted`, in the order of their names, without hidden files.
pub(super) fn files_of(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in file::read_dir(folder)? {
        let file = entry?.path();
        let name = file.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        if is_wanted(&name) && !name.starts_with('.') && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
