//! `cargo xtask setup-cuda`: makes a CUDA toolchain in `.cuda`, without root rights or an installer.

use columnade_native::toolkit::{self, Rmm, Toolkit};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Names and hashes of the archives.
const REQUIREMENTS: &str = include_str!("../cuda-requirements.txt");

/// The oldest C libraries that the archives are built for; pip takes a tag only where it is named.
const PLATFORMS: [&str; 7] = [
    "manylinux_2_28_x86_64",
    "manylinux_2_27_x86_64",
    "manylinux_2_25_x86_64",
    "manylinux_2_24_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux2014_x86_64",
    "manylinux2010_x86_64",
];

/// What lies where: (path in the unpacked archives, name in `.cuda`).
const PARTS: [(&str, &str); 4] = [
    ("nvidia/cu13", "toolkit"),
    ("librmm", "librmm"),
    ("rapids_logger", "rapids_logger"),
    ("libclang-18.1.1.data/platlib/clang/native", "libclang"),
];

/// What the archives hold but no build needs, in `.cuda`: 180 MB.
const UNNEEDED: [&str; 3] = [
    "toolkit/lib/libnvrtc.alt.so.13",
    "toolkit/lib/libnvrtc-builtins.alt.so.13.0",
    "toolkit/lib/libnvvm.so.4",
];

/// Install the CUDA compiler, RMM and libclang into .cuda from pinned Python wheels (about 220 MB to download)
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Set up again even where the pinned versions are there already
    #[arg(long)]
    force: bool,
}

/// Sets the toolchain up, or finds that it is there, and says where.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
        return Err("setup-cuda knows x86-64 Linux only; install CUDA and RMM, and set CUDA_HOME and \
                    COLUMNADE_RMM_HOME"
            .into());
    }
    let folder = toolkit::folder();
    let stamp = folder.join("requirements.txt");
    let there = fs::read_to_string(&stamp).is_ok_and(|text| text == REQUIREMENTS);
    if there && !options.force {
        println!("already set up in {}", folder.display());
    } else {
        fs::create_dir_all(&folder).map_err(|e| at(&folder, &e))?;
        let unpacked = folder.join("unpacked");
        fetch(REQUIREMENTS, &unpacked)?;
        install(&unpacked, &folder).map_err(|e| at(&folder, &e))?;
        fs::write(&stamp, REQUIREMENTS).map_err(|e| at(&stamp, &e))?;
        println!("set up in {}:", folder.display());
        for line in REQUIREMENTS.lines().filter(|line| line.contains("==")) {
            println!("  {}", line.split_whitespace().next().unwrap_or_default().replace("==", " "));
        }
    }
    check()?;
    Ok(ExitCode::SUCCESS)
}

/// Downloads the archives of `requirements` and unpacks them all into one folder.
pub(crate) fn fetch(requirements: &str, unpacked: &Path) -> Result<(), String> {
    let archives = unpacked.with_file_name("archives");
    for folder in [unpacked, &archives] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|e| at(folder, &e))?;
        }
        fs::create_dir_all(folder).map_err(|e| at(folder, &e))?;
    }
    let wanted = unpacked.with_file_name("wanted.txt");
    fs::write(&wanted, requirements).map_err(|e| at(&wanted, &e))?;
    let platforms = PLATFORMS.iter().flat_map(|platform| ["--platform", platform]);
    python(
        "download the toolchain",
        ["-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps", "--only-binary=:all:"]
            .into_iter()
            .chain(platforms)
            .map(OsStr::new)
            .chain(["--dest".as_ref(), archives.as_os_str(), "--requirement".as_ref()])
            .chain([wanted.as_os_str()]),
    )?;
    for archive in files(&archives).map_err(|e| at(&archives, &e))? {
        let arguments =
            ["-m".as_ref(), "zipfile".as_ref(), "-e".as_ref(), archive.as_os_str(), unpacked.as_os_str()];
        python("unpack the toolchain", arguments)?;
    }
    fs::remove_dir_all(&archives).map_err(|e| at(&archives, &e))?;
    fs::remove_file(&wanted).map_err(|e| at(&wanted, &e))
}

/// Moves the parts to their places, each replacing what an earlier set-up left there.
fn install(unpacked: &Path, folder: &Path) -> io::Result<()> {
    for (from, to) in PARTS {
        let to = folder.join(to);
        if to.exists() {
            fs::remove_dir_all(&to)?;
        }
        fs::rename(unpacked.join(from), to)?;
    }
    fs::remove_dir_all(unpacked)?;
    for path in UNNEEDED {
        fs::remove_file(folder.join(path))?;
    }
    // Python's zipfile drops permissions.
    for programs in ["toolkit/bin", "toolkit/nvvm/bin"] {
        for program in files(&folder.join(programs))? {
            fs::set_permissions(program, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Finds the toolchain as a build will, and shows it.
fn check() -> Result<(), String> {
    let cuda = Toolkit::find()?;
    let version = Command::new(&cuda.nvcc).arg("--version").output();
    let version = version.map_err(|e| at(&cuda.nvcc, &e))?;
    let release = String::from_utf8_lossy(&version.stdout);
    let release = release.lines().find(|line| line.contains("release")).unwrap_or("unknown release");
    println!("nvcc: {} ({})", cuda.nvcc.display(), release.trim());
    let rmm = Rmm::find()?;
    println!("rmm: {}", rmm.libraries.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "));
    println!("`cargo build --features cuda` will use these");
    Ok(())
}

/// Runs Python with `arguments`; `purpose` completes "needed to ...".
fn python<'a>(purpose: &str, arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<(), String> {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let status = Command::new("python3").args(&arguments).status().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("no python3 on the path: Python with pip is needed to {purpose}"),
        _ => format!("python3, needed to {purpose}, does not start: {error}"),
    })?;
    if status.success() {
        return Ok(());
    }
    let module = arguments.get(1).map(|name| name.to_string_lossy()).unwrap_or_default();
    Err(format!("`python3 -m {module}`, needed to {purpose}, failed ({status}); its own message is above"))
}

/// The files directly in `folder`, sorted.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
