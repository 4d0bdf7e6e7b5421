//! Compute Sanitizer, which checks the accesses of kernels on a GPU, from a pinned Python wheel.

use crate::{setup_cuda, workspace};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The wheel of the toolkit's release, pinned by its SHA-256.
const REQUIREMENTS: &str = "nvidia-cuda-sanitizer-api==13.0.85 \
    --hash=sha256:b1efff95f63b6fe40dc83801d598550542364393957775912a1abf396904331c\n";

/// Where the wheel has the program and the libraries that it loads from beside itself, and where the bundle has them.
const FOLDERS: [(&str, &str); 2] = [("nvidia/cu13/bin", "bin"), ("nvidia/cu13/lib", "lib")];

/// Copies it to `folder`, with a download if there was none of this version.
pub(super) fn assemble(folder: &Path) -> Result<(), String> {
    let unpacked = unpacked()?;
    for (from, to) in FOLDERS {
        let (from, to) = (unpacked.join(from), folder.join(to));
        fs::create_dir_all(&to).map_err(|error| at(&to, &error))?;
        for entry in fs::read_dir(&from).map_err(|error| at(&from, &error))? {
            let file = entry.map_err(|error| at(&from, &error))?.path();
            if file.is_file() {
                let copy = to.join(file.file_name().unwrap_or_default());
                fs::copy(&file, &copy).map_err(|error| at(&file, &error))?;
                // Python's zipfile drops permissions.
                fs::set_permissions(&copy, fs::Permissions::from_mode(0o755))
                    .map_err(|error| at(&copy, &error))?;
            }
        }
    }
    Ok(())
}

/// The unpacked wheel.
fn unpacked() -> Result<PathBuf, String> {
    let folder = workspace::root().join("target/compute-sanitizer");
    let (unpacked, stamp) = (folder.join("unpacked"), folder.join("requirements.txt"));
    if fs::read_to_string(&stamp).is_ok_and(|text| text == REQUIREMENTS) {
        return Ok(unpacked);
    }
    fs::create_dir_all(&folder).map_err(|error| at(&folder, &error))?;
    setup_cuda::fetch(REQUIREMENTS, &unpacked)?;
    fs::write(&stamp, REQUIREMENTS).map_err(|error| at(&stamp, &error))?;
    Ok(unpacked)
}

fn at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
