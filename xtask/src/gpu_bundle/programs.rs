//! Has cargo build the programs of a bundle and learns where they are.

use crate::workspace;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What goes into a bundle.
pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    /// The RMM shim.
    pub(super) shim: PathBuf,
    /// The Python module.
    pub(super) module: PathBuf,
}

/// One program.
pub(super) struct Program {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// What a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Suite,
    Example,
    Benchmark,
}

impl Kind {
    /// Its folder in the bundle.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Suite => "suites",
            // Where suites look for the example, as beside cargo's own test programs.
            Self::Example => "examples",
            Self::Benchmark => "benches",
        }
    }
}

/// The packages whose tests need no GPU at all, and the example whose test starts a program beside it.
const WITHOUT_SUITES: [&str; 6] = [
    "xtask",
    "columnade-example-device-array-to-c",
    "columnade-native",
    "columnade-ptx",
    "columnade-python",
    "columnade-sim-sys",
];

/// Suites that read the sources: files of the fuzzers, headers and C programs.
const OF_SOURCES: [&str; 3] =
    ["columnade-columns-hostile", "columnade-hostile_files", "columnade-tests-capi"];

/// Examples that are built with optimisations. What looks for races is built with its checks on, as suites are.
const EXAMPLES: [&str; 5] = ["tpch", "h2o", "out_of_core", "faults", "devices"];

/// The target of the Python module.
const PYTHON_MODULE: &str = "_columnade";

/// The packages of these examples, of the benchmarks and of the Python module.
const OPTIMISED: [&str; 5] =
    ["columnade", "columnade-benches", "columnade-buffers", "columnade-python", "columnade-tests"];

/// Builds all programs for `architecture`: suites as tests are built, benchmarks with optimisations.
pub(super) fn build(architecture: &str) -> Result<Built, String> {
    let mut built = Messages::default();

    let packages = workspace::packages()?;
    let features: Vec<_> =
        packages.iter().filter(|package| package.has("cuda")).map(|p| format!("{}/cuda", p.name)).collect();
    let features = features.join(",");
    let mut suites = workspace::cargo();
    suites.args(["test", "--no-run", "--tests", "--workspace", "--features", &features]);
    suites.args(WITHOUT_SUITES.map(|name| format!("--exclude={name}")));
    built.read(suites, architecture, Kind::Suite)?;

    let mut stress = workspace::cargo();
    stress.args(["build", "--package", "columnade-buffers", "--example", "stress"]);
    stress.args(["--features", "columnade-buffers/cuda"]);
    built.read(stress, architecture, Kind::Example)?;

    // One command, so that the crates below are compiled once. The injected failures need their feature.
    let features = OPTIMISED.map(|name| format!("{name}/cuda")).join(",");
    let mut optimised = workspace::cargo();
    optimised.args(["build", "--release", "--lib", "--benches"]);
    optimised.args(OPTIMISED.map(|name| format!("--package={name}")));
    optimised.args(EXAMPLES.map(|name| format!("--example={name}")));
    optimised.args(["--features", &format!("{features},columnade-tests/failpoints")]);
    built.read(optimised, architecture, Kind::Benchmark)?;

    let shim = built.shim.ok_or("cargo built no RMM shim")?;
    let module = built.module.ok_or("cargo built no Python module")?;
    Ok(Built { programs: built.programs, shim, module })
}

/// What cargo's messages told.
#[derive(Default)]
struct Messages {
    programs: Vec<Program>,
    shim: Option<PathBuf>,
    module: Option<PathBuf>,
}

impl Messages {
    /// Runs cargo and collects its programs as `kind`.
    fn read(&mut self, mut command: Command, architecture: &str, kind: Kind) -> Result<(), String> {
        command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
        if std::env::var_os("COLUMNADE_CUDA_ARCH").is_none() {
            command.env("COLUMNADE_CUDA_ARCH", architecture);
        }
        let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
        if !output.status.success() {
            return Err(format!("cargo could not build the {} of the bundle", kind.folder()));
        }
        String::from_utf8_lossy(&output.stdout).lines().for_each(|line| self.message(line, kind));
        Ok(())
    }

    fn message(&mut self, line: &str, kind: Kind) {
        let Ok(message) = serde_json::from_str::<Value>(line) else { return };
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                let is = |kind: &str| {
                    message["target"]["kind"].as_array().is_some_and(|kinds| kinds.contains(&kind.into()))
                };
                if is("cdylib") && message["target"]["name"] == PYTHON_MODULE {
                    self.module = message["filenames"][0].as_str().map(PathBuf::from);
                }
                let kind = if is("example") && kind == Kind::Benchmark { Kind::Example } else { kind };
                // What an example tests of itself it tests in the sources, which the machine does not have.
                let name = program_name(&message);
                let stays = kind == Kind::Suite && (is("example") || OF_SOURCES.contains(&name.as_str()));
                if let Some(path) = message["executable"].as_str()
                    && !stays
                {
                    self.programs.push(Program { kind, name, path: path.into() });
                }
            }
            Some("build-script-executed") => {
                let variables = message["env"].as_array().into_iter().flatten();
                let shim = variables.filter(|pair| pair[0] == "COLUMNADE_RMM_BUILT");
                self.shim =
                    shim.filter_map(|pair| pair[1].as_str()).map(PathBuf::from).next().or(self.shim.take());
            }
            _ => {}
        }
    }
}

/// The target's name; that of an integration test, which need not be unique, after its package's.
fn program_name(message: &Value) -> String {
    let target = message["target"]["name"].as_str().unwrap_or("program");
    let is_test =
        message["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "test"));
    let package = message["package_id"].as_str().and_then(|id| id.rsplit_once('#')).map(|(_, name)| name);
    let package = package.and_then(|name| name.split('@').next()).unwrap_or_default();
    if is_test { format!("{package}-{target}") } else { target.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_shim_are_found() {
        let mut messages = Messages::default();
        let lines = [
            r#"{"reason":"compiler-artifact","package_id":"path+file:///x/buffers#columnade-buffers@0.1.0","target":{"kind":["lib"],"name":"columnade_buffers"},"executable":"/x/deps/columnade_buffers-1"}"#,
            r#"{"reason":"compiler-artifact","package_id":"path+file:///x/tests#columnade-tests@0.1.0","target":{"kind":["test"],"name":"parquet"},"executable":"/x/deps/parquet-2"}"#,
            r#"{"reason":"compiler-artifact","package_id":"path+file:///x/tests#columnade-tests@0.1.0","target":{"kind":["example"],"name":"faults"},"executable":"/x/examples/faults-3"}"#,
            r#"{"reason":"compiler-artifact","package_id":"registry#libc@1","target":{"kind":["lib"],"name":"libc"},"executable":null}"#,
            r#"{"reason":"build-script-executed","env":[["COLUMNADE_RMM_BUILT","/x/out/shim.so"]]}"#,
            r#"{"reason":"build-script-executed","env":[]}"#,
            "warning: not JSON",
        ];
        for line in lines {
            messages.message(line, Kind::Suite);
        }
        let names: Vec<_> = messages.programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["columnade_buffers", "columnade-tests-parquet"]);
        assert_eq!(messages.shim, Some(PathBuf::from("/x/out/shim.so")));
    }
}
