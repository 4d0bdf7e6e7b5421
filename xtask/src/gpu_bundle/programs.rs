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

/// The packages whose tests need no GPU at all.
const WITHOUT_SUITES: [&str; 3] = ["xtask", "columnade-native", "columnade-sim-sys"];

/// Packages, examples of theirs and how these are built: what looks for mistakes with its checks on, the others with
/// optimisations.
const EXAMPLES: [(&str, &str, &str); 6] = [
    ("columnade", "tpch", "release"),
    ("columnade", "h2o", "release"),
    ("columnade", "out_of_core", "release"),
    ("columnade-tests", "faults", "release"),
    ("columnade-buffers", "stress", "dev"),
    ("columnade-buffers", "devices", "release"),
];

/// Builds all programs for `architecture`: suites as tests are built, benchmarks with optimisations.
pub(super) fn build(architecture: &str) -> Result<Built, String> {
    let mut built = Messages::default();

    let packages = workspace::packages()?;
    let features: Vec<_> =
        packages.iter().filter(|package| package.has("cuda")).map(|p| format!("{}/cuda", p.name)).collect();
    let mut suites = workspace::cargo();
    suites.args(["test", "--no-run", "--tests", "--workspace", "--features", &features.join(",")]);
    suites.args(WITHOUT_SUITES.map(|name| format!("--exclude={name}")));
    built.read(suites, architecture, Kind::Suite)?;

    for (package, example, profile) in EXAMPLES {
        let mut command = workspace::cargo();
        command.args(["build", "--profile", profile, "--package", package, "--example", example]);
        command.args(["--features", &format!("{package}/cuda")]);
        built.read(command, architecture, Kind::Example)?;
    }

    let mut benches = workspace::cargo();
    benches.args(["build", "--release", "--package", "columnade-benches", "--bins", "--benches"]);
    benches.args(["--features", "columnade-benches/cuda"]);
    built.read(benches, architecture, Kind::Benchmark)?;

    let shim = built.shim.ok_or("cargo built no RMM shim")?;
    Ok(Built { programs: built.programs, shim })
}

/// What cargo's messages told.
#[derive(Default)]
struct Messages {
    programs: Vec<Program>,
    shim: Option<PathBuf>,
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
                // What an example tests of itself it tests in the sources, which the machine does not have.
                let is_example = message["target"]["kind"]
                    .as_array()
                    .is_some_and(|kinds| kinds.contains(&"example".into()));
                if let Some(path) = message["executable"].as_str()
                    && !(kind == Kind::Suite && is_example)
                {
                    self.programs.push(Program { kind, name: program_name(&message), path: path.into() });
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
