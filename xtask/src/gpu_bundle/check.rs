//! Starts a packed bundle on a machine without a GPU, away from the tree that it was built in.

use super::{scratch_folder, tool};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What `run.sh` exits with where there is no GPU.
const NO_DEVICE: i32 = 3;

/// Unpacks the archive and checks what can be checked here.
pub(super) fn run(archive: &Path) -> Result<ExitCode, String> {
    if !archive.is_file() {
        return Err(format!("{} is not there: run `cargo xtask gpu-bundle` first", archive.display()));
    }
    let scratch = scratch_folder();
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let result = check(archive, &scratch);
    // Nothing depends on the folder any more; what cannot be removed is the system's to clear.
    let _ = fs::remove_dir_all(&scratch);
    result.map(|()| ExitCode::SUCCESS)
}

fn check(archive: &Path, scratch: &Path) -> Result<(), String> {
    tool(Command::new("tar").arg("-xJf").arg(archive).arg("-C").arg(scratch))?;
    let bundle = scratch.join("gpu-bundle");
    libraries_stay_inside(&bundle)?;
    // It runs without a GPU as long as it has nothing to check.
    tool(Command::new(bundle.join("sanitizer/bin/compute-sanitizer")).arg("--version"))?;
    let suites = programs_start(&bundle.join("suites"))?;
    if suites == 0 {
        return Err("the bundle has no test suite".into());
    }
    says_no_device(
        Command::new(bundle.join("examples/tpch")).args(["--device", "cuda:0", "--scale", "0.01"]),
        1,
    )?;
    let results = scratch.join("results");
    says_no_device(Command::new(bundle.join("run.sh")).arg(&results), NO_DEVICE)?;
    let record = results.join("record.json");
    let text = fs::read_to_string(&record).map_err(|error| format!("{}: {error}", record.display()))?;
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("the record is not JSON: {error}"))?;
    if json["no_device"].as_str().is_none_or(str::is_empty) {
        return Err(format!("the record does not say that there is no device:\n{text}"));
    }
    println!("the bundle unpacks and starts: {suites} suites, and the record says: {}", json["no_device"]);
    Ok(())
}

/// The shim must find RMM in the bundle, not where it was built.
fn libraries_stay_inside(bundle: &Path) -> Result<(), String> {
    let shim = bundle.join("lib/libcolumnade_rmm.so");
    let output =
        Command::new("ldd").arg(&shim).output().map_err(|error| format!("cannot run ldd: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    for name in ["librmm.so", "librapids_logger.so"] {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
        if !line.contains(&bundle.display().to_string()) {
            return Err(format!("the shim does not take {name} from the bundle: {}", line.trim()));
        }
    }
    Ok(())
}

/// Every test program starts with no driver and lists its tests; returns how many programs there are.
fn programs_start(folder: &Path) -> Result<usize, String> {
    let mut count = 0;
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        tool(Command::new(&path).arg("--list"))?;
        count += 1;
    }
    Ok(count)
}

/// The command must fail with this code and name the reason.
fn says_no_device(command: &mut Command, code: i32) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.code() == Some(code) && text.contains("cuda:0 cannot be used") {
        return Ok(());
    }
    Err(format!(
        "{name} should exit with {code} and say that cuda:0 cannot be used (has this machine a GPU?); it exited \
         with {} and said:\n{}",
        output.status,
        text.trim()
    ))
}
