//! The Python package in a bundle, with the tests that need a GPU and the libraries that share its memory.

use super::strip;
use crate::workspace;
use std::fs;
use std::path::Path;

/// The tests, and what pytest reads before them.
const TESTS: [&str; 2] = ["conftest.py", "test_gpu_libraries.py"];

/// Copies the package's sources and tests, and `module` where Python looks for it.
pub(super) fn assemble(folder: &Path, module: &Path) -> Result<(), String> {
    let sources = workspace::root().join("python");
    let (package, tests) = (folder.join("columnade"), folder.join("tests"));
    for folder in [&package, &tests] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let entries = fs::read_dir(sources.join("columnade"));
    let entries = entries.map_err(|error| format!("{}: {error}", sources.display()))?;
    let modules = entries.flatten().map(|entry| entry.path());
    let modules = modules.filter(|path| path.extension().is_some_and(|ending| ending == "py"));
    let tests_of = TESTS.map(|name| sources.join("tests").join(name));
    let files = modules.map(|path| (path, &package)).chain(tests_of.map(|path| (path, &tests)));
    for (from, to) in files {
        let to = to.join(from.file_name().unwrap_or_default());
        fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    strip(module, &package.join("_columnade.abi3.so"))
}
