//! `cargo xtask test`: every test that needs no GPU, and one line at the end that says how many passed.

use crate::unified::{self, Build};
use crate::{conformance, launched, workspace};
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// Chooses the simulator's flavour; each has a target folder of its own, since all its objects differ.
pub(crate) const FLAVOUR: &str = "COLUMNADE_SIM_FLAVOUR";

/// The crate whose suites launch every kernel.
const KERNELS: &str = "columnade-kernels";

/// Test the workspace on the host and on simulated CUDA, and count what passed
#[derive(clap::Args)]
#[command(
    after_help = "COLUMNADE_SIM_FLAVOUR=plain|asan|race|ptx compiles the simulated kernels as they are, with \
                        the address and undefined-behaviour sanitizers, with the race checker, or with nvcc, \
                        whose PTX is executed."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Options {
    /// Only this package; may be repeated
    #[arg(short, long = "package", value_name = "PACKAGE")]
    packages: Vec<String>,
    /// Only this integration test of the packages
    #[arg(long = "test", value_name = "NAME")]
    integration: Option<String>,
    /// Build the chosen packages with the features of the whole workspace, to reuse what a run of everything has built
    #[arg(long, requires = "packages", conflicts_with = "shuttle")]
    unified: bool,
    /// Leave the simulator out: host only, no C++ compiler needed
    #[arg(long)]
    no_sim: bool,
    /// Also build for CUDA; suites use every GPU that there is
    #[arg(long)]
    cuda: bool,
    /// Build with optimisations
    #[arg(long)]
    release: bool,
    /// Explore schedules of the memory layer's threads instead
    #[arg(long, conflicts_with_all = ["packages", "no_sim", "cuda"])]
    shuttle: bool,
    /// Filters and options for the test programs
    #[arg(last = true, value_name = "FILTERS")]
    rest: Vec<String>,
}

/// Runs the tests, shows what they print and adds up their results.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    if options.unified {
        return run_unified(options);
    }
    let mut command = workspace::cargo();
    command.args(["test", "--no-fail-fast"]).stdout(Stdio::piped());
    if options.shuttle {
        explore(&mut command);
    } else {
        select(&mut command, options)?;
    }
    if options.release {
        command.arg("--release");
    }
    if !options.rest.is_empty() {
        command.arg("--").args(&options.rest);
    }
    let python = is_of_everything(options)?.then(|| conformance::python(None));
    if let Some(Ok(python)) = &python {
        // For CMake, and the headers that come with its libraries.
        command.env("COLUMNADE_PYTHON", python);
    }
    let report = if has_all_kernels(options)? {
        Some(launched::report(&mut command, &target_of("ptx"))?)
    } else {
        None
    };
    let mut results = Results::default();
    let mut succeeded = follow(&mut command, &mut results)?;
    for kernel in report.map(|file| launched::missing(&file)).transpose()?.unwrap_or_default() {
        println!("error: no test launches the kernel {kernel}");
        succeeded = false;
    }
    if let Some(python) = python {
        let exchanged = conformance::run_as_part(python, &features(options)?, &mut |line| {
            println!("{line}");
            results.line(line);
        });
        succeeded &= exchanged.unwrap_or_else(|message| {
            eprintln!("error: {message}");
            false
        });
    }
    Ok(conclude(&results, succeeded))
}

/// Builds the whole workspace's tests, and runs the programs of the chosen packages.
fn run_unified(options: &Options) -> Result<ExitCode, String> {
    if !options.no_sim {
        require_compiler()?;
    }
    let mut command = options.build().command("test")?;
    choose_flavour(&mut command)?;
    command.arg("--no-run");
    if let Some(name) = &options.integration {
        command.args(["--test", name]);
    }
    let programs = unified::build(&mut command)?;
    let mut results = Results::default();
    let mut succeeded = true;
    let chosen = |program: &&unified::Program| program.is_test && options.packages.contains(&program.package);
    for program in programs.iter().filter(chosen) {
        let mut command = Command::new(&program.executable);
        command.args(&options.rest).current_dir(&program.folder).stdout(Stdio::piped());
        choose_flavour(&mut command)?;
        succeeded &= follow(&mut command, &mut results)?;
    }
    Ok(conclude(&results, succeeded))
}

/// Shows what a command prints and adds up the results in it: whether it succeeded.
fn follow(command: &mut Command, results: &mut Results) -> Result<bool, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| format!("cannot run {name}: {error}"))?;
    if let Some(output) = child.stdout.take() {
        let mut screen = io::stdout().lock();
        for line in BufReader::new(output).split(b'\n') {
            let line = line.map_err(|error| format!("cannot read what {name} prints: {error}"))?;
            let text = String::from_utf8_lossy(&line);
            // The reader of the output may be gone; the tests run to their end anyway.
            let _ = writeln!(screen, "{text}");
            results.line(&text);
        }
    }
    Ok(child.wait().map_err(|error| format!("cannot wait for {name}: {error}"))?.success())
}

/// Prints the line that says how many passed.
fn conclude(results: &Results, succeeded: bool) -> ExitCode {
    let (passed, failed) = results.total(succeeded);
    if passed + failed == 0 {
        eprintln!("error: no test was run");
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Options {
    fn build(&self) -> Build {
        Build { sim: !self.no_sim, cuda: self.cuda, release: self.release }
    }
}

/// Whether nothing was chosen of all that there is to test.
fn is_of_everything(options: &Options) -> Result<bool, String> {
    let is_chosen = !options.packages.is_empty()
        || options.integration.is_some()
        || !options.rest.is_empty()
        || options.shuttle;
    Ok(!is_chosen && !options.release && flavour()?.is_none())
}

/// Whether every suite of the kernels' crate is run in the flavour that counts launches.
fn has_all_kernels(options: &Options) -> Result<bool, String> {
    let is_chosen = options.packages == [KERNELS];
    let is_whole = options.integration.is_none() && options.rest.is_empty();
    Ok(is_chosen && is_whole && !options.no_sim && flavour()? == Some("ptx"))
}

/// The suites of the chosen packages, on the chosen kinds of device.
fn select(command: &mut Command, options: &Options) -> Result<(), String> {
    choose_flavour(command)?;
    if !options.no_sim {
        require_compiler()?;
    }
    if options.packages.is_empty() {
        command.arg("--workspace");
    }
    for package in &options.packages {
        command.args(["--package", package]);
    }
    let features = features(options)?;
    if !features.is_empty() {
        command.args(["--features", &features.join(",")]);
    }
    if let Some(name) = &options.integration {
        command.args(["--test", name]);
    }
    Ok(())
}

/// The suites of the memory layer with an explorer in place of its locks and atomics.
fn explore(command: &mut Command) {
    let flags = env::var("RUSTFLAGS").unwrap_or_default();
    command.env("RUSTFLAGS", format!("{flags} --cfg shuttle").trim_start());
    command.env("CARGO_TARGET_DIR", target_of("shuttle"));
    command.args(["--package", "columnade-buffers", "--lib"]);
}

/// What the test programs said.
#[derive(Default)]
pub(crate) struct Results {
    passed: u64,
    failed: u64,
    /// Programs that announced their tests and then died.
    aborted: u64,
    /// One has announced its tests and not yet said how they went.
    open: bool,
}

impl Results {
    pub(crate) fn line(&mut self, line: &str) {
        let line = line.trim_start();
        if let Some(result) = line.strip_prefix("test result: ") {
            self.open = false;
            for part in result.split(['.', ';']) {
                let mut words = part.split_whitespace();
                let count = words.next().and_then(|word| word.parse::<u64>().ok());
                match (count, words.next()) {
                    (Some(count), Some("passed")) => self.passed += count,
                    (Some(count), Some("failed")) => self.failed += count,
                    _ => {}
                }
            }
        } else if is_announcement(line) {
            self.aborted += u64::from(self.open);
            self.open = true;
        }
    }

    /// Passed and failed. A program without a result counts as a failure, and so does an exit code that no
    /// failed test explains (a leak found at exit, a program that did not compile).
    pub(crate) fn total(&self, success: bool) -> (u64, u64) {
        let failed = self.failed + self.aborted + u64::from(self.open);
        (self.passed, if success { failed } else { failed.max(1) })
    }
}

/// `running N tests`, as a test program begins.
fn is_announcement(line: &str) -> bool {
    let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, rest)| {
        count.parse::<u64>().is_ok() && matches!(rest.trim_end(), "test" | "tests")
    })
}

/// The features that the chosen packages have, of those that the options ask for.
fn features(options: &Options) -> Result<Vec<String>, String> {
    let packages = workspace::packages()?;
    if let Some(unknown) = options.packages.iter().find(|name| packages.iter().all(|p| p.name != **name)) {
        return Err(format!("no package {unknown} in this workspace"));
    }
    let chosen = |name: &String| options.packages.is_empty() || options.packages.contains(name);
    let chosen: Vec<_> = packages.iter().filter(|package| chosen(&package.name)).collect();
    Ok(options.build().features(&chosen))
}

/// Has the command build and run in the flavour that the environment asks for.
pub(crate) fn choose_flavour(command: &mut Command) -> Result<(), String> {
    let Some(name) = flavour()? else { return Ok(()) };
    command.env("CARGO_TARGET_DIR", target_of(name));
    if name == "asan" {
        let theirs = env::var("ASAN_OPTIONS").unwrap_or_default();
        command.env("ASAN_OPTIONS", sanitizer_options(&theirs));
    }
    Ok(())
}

/// What the user asks the address sanitizer for, after what the suites need: memory that cannot be had is an error there,
/// not the end of the process.
fn sanitizer_options(theirs: &str) -> String {
    const OURS: &str = "allocator_may_return_null=1";
    if theirs.is_empty() { OURS.to_owned() } else { format!("{OURS}:{theirs}") }
}

/// The flavour other than the plain one that the environment asks for.
pub(crate) fn flavour() -> Result<Option<&'static str>, String> {
    match env::var(FLAVOUR).as_deref() {
        Err(_) | Ok("" | "plain") => Ok(None),
        Ok("asan") => Ok(Some("asan")),
        Ok("race") => Ok(Some("race")),
        Ok("ptx") => Ok(Some("ptx")),
        Ok(other) => Err(format!("{FLAVOUR}={other}: expected plain, asan, race or ptx")),
    }
}

pub(crate) fn target_of(flavour: &str) -> PathBuf {
    let target = workspace::target();
    if target.ends_with(flavour) { target } else { target.join(flavour) }
}

/// The simulator is compiled on every machine that tests.
pub(crate) fn require_compiler() -> Result<(), String> {
    let compiler = env::var("CXX").ok().filter(|name| !name.is_empty()).unwrap_or_else(|| "g++".to_owned());
    let found = Command::new(&compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match found {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!(
            "the tests run the CUDA kernels on a simulator, which needs a C++17 compiler, and {compiler} does \
             not run: install g++, set CXX, or pass --no-sim to test the host only"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Results, sanitizer_options};

    fn total(output: &str, success: bool) -> (u64, u64) {
        let mut results = Results::default();
        output.lines().for_each(|line| results.line(line));
        results.total(success)
    }

    #[test]
    fn user_options_come_last() {
        assert_eq!(sanitizer_options(""), "allocator_may_return_null=1");
        assert_eq!(sanitizer_options("verbosity=1"), "allocator_may_return_null=1:verbosity=1");
    }

    #[test]
    fn counts_of_programs_and_doctests_add_up() {
        let output = "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 3 filtered \
                      out; finished in 0.00s\n\nrunning 1 test\ntest result: ok. 1 passed; 0 failed; 1 ignored";
        assert_eq!(total(output, true), (3, 0));
    }

    #[test]
    fn failed_tests_are_counted() {
        let output = "running 3 tests\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured";
        assert_eq!(total(output, false), (1, 2));
    }

    #[test]
    fn program_without_result_is_failure() {
        let output = "running 3 tests\nrunning 1 test\ntest result: ok. 1 passed; 0 failed";
        assert_eq!(total(output, false), (1, 1));
        assert_eq!(total("running 3 tests\ntest a ... ", false), (0, 1));
    }

    #[test]
    fn unexplained_exit_code_is_failure() {
        assert_eq!(total("running 1 test\ntest result: ok. 1 passed; 0 failed", false), (1, 1));
        assert_eq!(total("", false), (0, 1));
    }

    #[test]
    fn unrelated_output_is_ignored() {
        assert_eq!(total("running some tests\nrunning 3 testsuites", true), (0, 0));
    }
}
