//! Where the workspace lies, and what cargo knows of it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// The cargo that runs this program, in the workspace's folder.
pub(crate) fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The folder that builds go to, unless a command chooses another.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR").filter(|value| !value.is_empty()) {
        Some(named) => root().join(named),
        None => root().join("target"),
    }
}

/// A package of the workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    /// From the workspace's folder, with `/`.
    pub(crate) folder: String,
    pub(crate) features: Vec<String>,
    /// Those that are on unless a build turns them off.
    pub(crate) defaults: Vec<String>,
    pub(crate) docs_rs: DocsRs,
    /// A crate for users, and not one of the workspace's tools.
    pub(crate) is_published: bool,
    pub(crate) dependencies: Vec<Dependency>,
}

/// What a package's manifest says to docs.rs.
#[derive(Default)]
pub(crate) struct DocsRs {
    /// The features that are turned on besides the default ones.
    pub(crate) features: Vec<String>,
    /// Whether all are.
    pub(crate) is_all: bool,
}

/// What a package's manifest asks for.
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a dependency is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The library or program.
    Normal,
    /// Tests, benchmarks and examples.
    Dev,
    /// The build script.
    Build,
}

impl Package {
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|name| name == feature)
    }

    pub(crate) fn is_default(&self, feature: &str) -> bool {
        feature == "default" || self.defaults.iter().any(|name| name == feature)
    }
}

/// All packages of the workspace.
pub(crate) fn packages() -> Result<Vec<Package>, String> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    Ok(packages.iter().map(package).collect())
}

fn package(value: &Value) -> Package {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let manifest = PathBuf::from(text(&value["manifest_path"]));
    let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root()).ok());
    let features = value["features"].as_object().map(|map| map.keys().cloned().collect());
    let texts = |value: &Value| value.as_array().into_iter().flatten().map(&text).collect::<Vec<_>>();
    let docs_rs = &value["metadata"]["docs"]["rs"];
    let dependency = |value: &Value| Dependency {
        name: text(&value["name"]),
        kind: match value["kind"].as_str() {
            Some("dev") => Kind::Dev,
            Some("build") => Kind::Build,
            _ => Kind::Normal,
        },
    };
    Package {
        name: text(&value["name"]),
        folder: folder.map(|folder| folder.display().to_string()).unwrap_or_default(),
        features: features.unwrap_or_default(),
        defaults: texts(&value["features"]["default"]),
        docs_rs: DocsRs { features: texts(&docs_rs["features"]), is_all: docs_rs["all-features"] == true },
        is_published: value["publish"].is_null(),
        dependencies: value["dependencies"].as_array().into_iter().flatten().map(dependency).collect(),
    }
}

/// What `git` prints when run in the workspace's folder.
pub(crate) fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").current_dir(root()).args(arguments).output();
    let output = output.map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
}
