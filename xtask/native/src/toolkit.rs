//! Finds the CUDA toolkit, RMM and libclang: what the user named in the environment, else what
//! `cargo xtask setup-cuda` put in the folder `.cuda` of the workspace.
//!
//! The functions [`cuda`], [`rmm`] and [`libclang`] are for build scripts: they also tell cargo to run the
//! script again when the answer may have changed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The oldest CUDA release whose headers and compiler the kernels accept, as `CUDA_VERSION` counts.
pub const CUDA_VERSION: u32 = 13_000;

/// The oldest RMM release whose resources are values, as the shim needs them: (major, minor).
pub const RMM_VERSION: (u32, u32) = (26, 6);

const NO_CUDA: &str = "no CUDA toolkit: run `cargo xtask setup-cuda`, or set CUDA_HOME";
const NO_RMM: &str = "no RMM: run `cargo xtask setup-cuda`, or set COLUMNADE_RMM_HOME";

/// A CUDA toolkit: compiler, headers and libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolkit {
    /// The folder that `CUDA_HOME` names; programs that look for CUDA themselves are given it under this name.
    pub folder: PathBuf,
    /// The compiler. It finds its own parts and the toolkit's headers, CUB among them.
    pub nvcc: PathBuf,
    /// Folders of headers for another compiler than nvcc, in search order.
    pub include: Vec<PathBuf>,
    /// The folder of `libcudart_static.a`.
    pub lib: PathBuf,
    /// Release, as `CUDA_VERSION` counts: 1000 × major + 10 × minor.
    pub version: u32,
}

/// An installed RMM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rmm {
    /// Folders of headers in search order. They hold the CCCL that RMM was built with and go before the toolkit's.
    pub include: Vec<PathBuf>,
    /// The shared libraries a program needs at run time: `librmm.so`, `librapids_logger.so`.
    pub libraries: Vec<PathBuf>,
}

/// The folder that `cargo xtask setup-cuda` fills.
pub fn folder() -> PathBuf {
    let native = Path::new(env!("CARGO_MANIFEST_DIR"));
    native.ancestors().nth(2).unwrap_or(native).join(".cuda")
}

/// The toolkit for a build script.
///
/// # Errors
/// One sentence that says what to do: there is no toolkit, or the one named is incomplete or too old.
pub fn cuda() -> Result<Toolkit, String> {
    watch("CUDA_HOME");
    Toolkit::find()
}

/// RMM for a build script.
///
/// # Errors
/// One sentence that says what to do: there is no RMM, or the one named is incomplete or too old.
pub fn rmm() -> Result<Rmm, String> {
    watch("COLUMNADE_RMM_HOME");
    Rmm::find()
}

/// The folder of `libclang.so` for a build script, where one was set up; `None` leaves the search to bindgen,
/// which looks at `LIBCLANG_PATH` and in the system's folders.
pub fn libclang() -> Option<PathBuf> {
    watch("LIBCLANG_PATH");
    let set_up = folder().join("libclang");
    (named("LIBCLANG_PATH").is_none() && set_up.join("libclang.so").is_file()).then_some(set_up)
}

impl Toolkit {
    /// The toolkit that `CUDA_HOME` names, else the one set up in the workspace.
    ///
    /// # Errors
    /// One sentence that says what to do: there is no toolkit, or the one named is incomplete or too old.
    pub fn find() -> Result<Self, String> {
        let (root, named) = match named("CUDA_HOME") {
            Some(root) => (root, true),
            None => (folder().join("toolkit"), false),
        };
        match Self::at(&root) {
            Ok(toolkit) => Ok(toolkit),
            Err(reason) if named => Err(format!("CUDA_HOME={}: {reason}", root.display())),
            Err(_) => Err(NO_CUDA.to_owned()),
        }
    }

    fn at(root: &Path) -> Result<Self, String> {
        let nvcc = file(root, &["bin/nvcc"])?;
        let header = file(root, &["include/cuda.h", "targets/x86_64-linux/include/cuda.h"])?;
        let archive = file(
            root,
            &[
                "lib64/libcudart_static.a",
                "lib/libcudart_static.a",
                "targets/x86_64-linux/lib/libcudart_static.a",
            ],
        )?;
        let version = define(&header, "CUDA_VERSION")?;
        if version < CUDA_VERSION {
            return Err(format!(
                "it is CUDA {}.{}, and {}.{} or newer is needed",
                version / 1000,
                version % 1000 / 10,
                CUDA_VERSION / 1000,
                CUDA_VERSION % 1000 / 10
            ));
        }
        let include = parent(&header);
        let cccl = include.join("cccl");
        Ok(Self {
            folder: root.to_owned(),
            nvcc,
            include: if cccl.is_dir() { vec![include, cccl] } else { vec![include] },
            lib: parent(&archive),
            version,
        })
    }
}

impl Rmm {
    /// The RMM installed under the prefix that `COLUMNADE_RMM_HOME` names, else the one set up in the workspace.
    ///
    /// # Errors
    /// One sentence that says what to do: there is no RMM, or the one named is incomplete or too old.
    pub fn find() -> Result<Self, String> {
        match named("COLUMNADE_RMM_HOME") {
            Some(root) => Self::at(&root, &root)
                .map_err(|reason| format!("COLUMNADE_RMM_HOME={}: {reason}", root.display())),
            None => Self::at(&folder().join("librmm"), &folder().join("rapids_logger"))
                .map_err(|_| NO_RMM.to_owned()),
        }
    }

    fn at(rmm: &Path, logger: &Path) -> Result<Self, String> {
        let version = file(rmm, &["include/rmm/version_config.hpp"])?;
        let found = (define(&version, "RMM_VERSION_MAJOR")?, define(&version, "RMM_VERSION_MINOR")?);
        if found < RMM_VERSION {
            return Err(format!(
                "it is RMM {}.{:02}, and {}.{:02} or newer is needed",
                found.0, found.1, RMM_VERSION.0, RMM_VERSION.1
            ));
        }
        let libraries = vec![
            file(rmm, &["lib64/librmm.so", "lib/librmm.so"])?,
            file(logger, &["lib64/librapids_logger.so", "lib/librapids_logger.so"])?,
        ];
        let include = [rmm.join("include"), rmm.join("include/rapids"), logger.join("include")];
        Ok(Self { include: include.into_iter().filter(|path| path.is_dir()).collect(), libraries })
    }
}

/// A variable of the environment that names a path; empty counts as unset.
fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Asks cargo to run the build script again when the variable or the folder changes.
fn watch(variable: &str) {
    println!("cargo::rerun-if-env-changed={variable}");
    let stamp = folder().join("requirements.txt");
    if stamp.is_file() {
        println!("cargo::rerun-if-changed={}", stamp.display());
    }
}

/// The first of `choices` under `root` that is a file.
fn file(root: &Path, choices: &[&str]) -> Result<PathBuf, String> {
    let found = choices.iter().map(|choice| root.join(choice)).find(|path| path.is_file());
    found.ok_or_else(|| format!("it has no {}", choices.join(" or ")))
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

/// The number that a header gives a macro.
fn define(header: &Path, name: &str) -> Result<u32, String> {
    let text = fs::read_to_string(header).map_err(|e| format!("{}: {e}", header.display()))?;
    let value = text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("#define") && words.next() == Some(name)).then(|| words.next())?
    });
    let digits = value.map(|text| text.trim_matches(['(', ')'])).and_then(|text| text.parse().ok());
    digits.ok_or_else(|| format!("{} defines no {name}", header.display()))
}
