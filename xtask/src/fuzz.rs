//! `cargo xtask fuzz`: hostile producers of arrays, streams and tensors, and hostile files, made up by libFuzzer.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::{test, workspace};

/// The programs, and the folders of their packages.
const PROGRAMS: [(&str, &str); 7] = [
    ("array", "columns/fuzz"),
    ("stream", "columns/fuzz"),
    ("tensor", "columns/fuzz"),
    ("csv", "engine/fuzz"),
    ("json", "engine/fuzz"),
    ("ipc", "engine/fuzz"),
    ("parquet", "engine/fuzz"),
];
/// What the targets need: installing it is the caller's business.
const TOOLS: [(&str, &[&str], &str); 2] = [
    ("nightly Rust", &["rustc", "--version"], "rustup toolchain install nightly"),
    ("cargo-fuzz", &["cargo", "fuzz", "--version"], "cargo install --locked cargo-fuzz"),
];

/// Let libFuzzer make up producers of arrays, streams and tensors, and files, under the address sanitizer
#[derive(clap::Args)]
#[command(
    after_help = "What is found lies in artifacts of columns/fuzz and engine/fuzz; `--input FILE` runs it again. The corpus is replayed by \
                  `cargo xtask test` too, which needs no tools."
)]
pub(crate) struct Options {
    /// Only these
    #[arg(value_name = "TARGETS", value_parser = PROGRAMS.map(|(target, _)| target))]
    targets: Vec<String>,
    /// Seconds, shared by the targets
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run the targets on this file, once
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
}

/// Builds and runs the targets, one after the other.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    require_tools()?;
    let is_chosen =
        |target: &str| options.targets.is_empty() || options.targets.iter().any(|one| one == target);
    let chosen: Vec<_> = PROGRAMS.into_iter().filter(|(target, _)| is_chosen(target)).collect();
    let seconds = options.seconds / u32::try_from(chosen.len()).unwrap_or(1);
    for (target, folder) in chosen {
        let folder = workspace::root().join(folder);
        let mut command = nightly();
        command.current_dir(&folder).env("CARGO_TARGET_DIR", test::target_of("fuzz"));
        command.args(["cargo", "fuzz", "run", "--fuzz-dir", ".", target]);
        if let Some(input) = &options.input {
            command.arg(workspace::root().join(input));
        } else {
            // What is new goes to the first of the folders: the corpus stays as it was committed.
            let found = test::target_of("fuzz").join("found").join(target);
            fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
            command.arg(found).arg(folder.join("corpus").join(target));
            command.args(["--", &format!("-max_total_time={seconds}"), "-timeout=20", "-rss_limit_mb=4096"]);
            // Of files, what the largest seed has.
            let length = if folder.ends_with("columns/fuzz") { "-max_len=512" } else { "-max_len=16384" };
            command.args([length, "-verbosity=0", "-print_final_stats=1"]);
        }
        let status = command.status().map_err(|error| format!("cannot run rustup: {error}"))?;
        if !status.success() {
            println!("fuzz: {target} failed");
            return Ok(ExitCode::FAILURE);
        }
        println!("fuzz: {target} is clean");
    }
    Ok(ExitCode::SUCCESS)
}

/// A command of the nightly toolchain. A cargo of the project's toolchain would run itself: rustup has to choose.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").args(["run", "nightly"]);
    command
}

/// An error that says what to install.
fn require_tools() -> Result<(), String> {
    let is_missing = |arguments: &[&str]| {
        let status = nightly().args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        !status.is_ok_and(|status| status.success())
    };
    let missing: Vec<_> = TOOLS.iter().filter(|(_, arguments, _)| is_missing(arguments)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = |part: fn(&(&str, &[&str], &str)) -> String| {
        missing.iter().map(|tool| part(tool)).collect::<Vec<_>>()
    };
    let (names, commands) = (list(|tool| tool.0.to_owned()), list(|tool| format!("`{}`", tool.2)));
    Err(format!("{} is not installed: {}", names.join(" and "), commands.join(", then ")))
}
