//! The test program: the `.cu` files of `tests/`, compiled for the simulator and linked to its runtime.
//!
//! It is built when a test first needs it. Each case runs in a process of its own, with its own environment,
//! because a planted fault may end the process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use columnade_native::{Flavour, Job};

const SOURCES: [&str; 5] = ["driver.cpp", "samples.cu", "collectives.cu", "streams.cu", "planted.cu"];

/// How a case ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    /// Its standard error.
    pub(crate) text: String,
}

/// Exit codes; the same as in `harness.h`.
pub(crate) const CORRECT: i32 = 0;
pub(crate) const WRONG: i32 = 3;
pub(crate) const CALL_FAILED: i32 = 4;

/// The flavour that the runtime and the program are compiled with.
pub(crate) fn flavour() -> Flavour {
    Flavour::named(columnade_sim_sys::FLAVOUR).unwrap()
}

/// Runs one case with extra environment variables.
pub(crate) fn run(case: &str, environment: &[(&str, &str)]) -> Outcome {
    let mut command = Command::new(program());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("COLUMNADE_SIM_")) {
        command.env_remove(name);
    }
    command.arg(case).envs(environment.iter().copied());
    let output = command.output().unwrap();
    Outcome { code: output.status.code(), text: String::from_utf8_lossy(&output.stderr).into_owned() }
}

/// The names of all cases.
pub(crate) fn cases() -> Vec<String> {
    let output = Command::new(program()).arg("--list").output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// The compiler's command line for simulated kernels.
pub(crate) fn compiler() -> Vec<String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut argv = columnade_native::cxx();
    argv.extend(flavour().kernel_options().iter().map(ToString::to_string));
    argv.extend(["-I".into(), include.display().to_string(), "-x".into(), "c++".into()]);
    argv
}

fn program() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build)
}

fn build() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sim-tests-{}", flavour().name()));
    let job = |name: &&str| Job {
        source: tests.join(name),
        object: folder.join(name).with_extension("o"),
        argv: compiler(),
    };
    let jobs: Vec<Job> = SOURCES.iter().map(job).collect();
    let objects = columnade_native::compile(&jobs, &tests).unwrap_or_else(|error| panic!("{error}"));

    let program = folder.join("program");
    let mut link = Command::new(&columnade_native::cxx()[0]);
    link.args(&objects)
        .arg(Path::new(env!("OUT_DIR")).join("libcn_sim.a"))
        .arg("-pthread")
        .arg("-o")
        .arg(&program);
    if flavour() == Flavour::Asan {
        link.arg("-fsanitize=address,undefined");
    }
    let output = link.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}
