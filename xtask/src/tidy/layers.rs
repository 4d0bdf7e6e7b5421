//! Crates depend downwards only.

use super::Finding;
use super::source::Source;
use crate::workspace::{Dependency, Kind, Package};

/// What each crate may use of the others. Tests may use `columnade-tests` and `columnade-sim-sys` too, build scripts and
/// tests of compilers `columnade-native`.
const LAYERS: [(&str, &[&str]); 16] = [
    ("columnade-native", &[]),
    ("columnade-rmm-sys", &[]),
    ("columnade-ptx", &[]),
    ("columnade-sim-sys", &["columnade-ptx"]),
    ("columnade-buffers", &["columnade-rmm-sys", "columnade-sim-sys"]),
    ("columnade-kernels", &["columnade-sim-sys", "columnade-buffers"]),
    ("columnade-columns", &["columnade-buffers", "columnade-kernels"]),
    ("columnade-ops", &["columnade-buffers", "columnade-kernels", "columnade-columns"]),
    ("columnade", &["columnade-buffers", "columnade-kernels", "columnade-columns", "columnade-ops"]),
    ("columnade-capi", &["columnade"]),
    ("columnade-python", &["columnade"]),
    ("columnade-example-device-array-to-c", &["columnade"]),
    ("columnade-tests", &[]),
    (
        "columnade-benches",
        &[
            "columnade-buffers",
            "columnade-kernels",
            "columnade-columns",
            "columnade-ops",
            "columnade",
            "columnade-tests",
        ],
    ),
    (
        "columnade-ledger",
        &[
            "columnade-sim-sys",
            "columnade-buffers",
            "columnade-kernels",
            "columnade-columns",
            "columnade-ops",
            "columnade-tests",
        ],
    ),
    ("xtask", &["columnade-native"]),
];

/// Everything that a suite over the public API may use.
const SUITES: [&str; 5] =
    ["columnade-buffers", "columnade-kernels", "columnade-columns", "columnade-ops", "columnade"];

pub(super) fn check(packages: &[Package], sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let manifest = format!("{}/Cargo.toml", package.folder);
        let text = sources.iter().find(|source| source.path == manifest);
        let lines = text.map_or(0, |source| source.text.lines().count());
        for dependency in &package.dependencies {
            if let Some(what) = refuse(&package.name, dependency) {
                let at = text.and_then(|source| line_of(&source.text, &dependency.name));
                findings.push(Finding::new(&manifest, at.unwrap_or(lines), what));
            }
        }
    }
    for source in sources.iter().filter(|source| source.is_rust()) {
        // The innermost package: `buffers/rmm-sys` lies in `buffers`.
        let inside =
            packages.iter().filter(|package| source.path.starts_with(&format!("{}/", package.folder)));
        if let Some(package) = inside.max_by_key(|package| package.folder.len()) {
            findings.extend(check_names(package, source));
        }
    }
    findings
}

/// The crates of ours that a file names.
fn check_names(package: &Package, source: &Source) -> Vec<Finding> {
    let kind = if source.path == format!("{}/build.rs", package.folder) {
        Kind::Build
    } else if source.is_test() {
        Kind::Dev
    } else {
        Kind::Normal
    };
    let mut findings = Vec::new();
    for (line, code) in source.code_lines() {
        for name in crates_in(code).filter(|name| *name != package.name) {
            if let Some(what) = refuse(&package.name, &Dependency { name, kind }) {
                findings.push(Finding::new(&source.path, line, what));
            }
        }
    }
    findings
}

/// The packages that belong to the paths `columnade::...` and `columnade_<layer>::...` of a line of code.
fn crates_in(code: &str) -> impl Iterator<Item = String> {
    code.match_indices("::").filter_map(|(at, _)| {
        let word_end = code[..at].trim_end();
        let start = word_end.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
        let name = word_end[start..].replace('_', "-");
        LAYERS.iter().any(|(package, _)| *package == name).then_some(name)
    })
}

/// Why `package` may not use `dependency`.
fn refuse(package: &str, dependency: &Dependency) -> Option<String> {
    let ours = |name: &str| LAYERS.iter().find(|(layer, _)| *layer == name);
    let name = dependency.name.as_str();
    if ours(name).is_none() {
        return (name.starts_with("columnade")).then(|| format!("{name} has no place among the layers yet"));
    }
    let Some((_, allowed)) = ours(package) else {
        return Some(format!("{package} has no place among the layers yet"));
    };
    let fits = match dependency.kind {
        Kind::Normal => allowed.contains(&name),
        Kind::Dev if package == "columnade-tests" => SUITES.contains(&name),
        // The simulator counts what tests look at.
        Kind::Dev => {
            allowed.contains(&name)
                || matches!(name, "columnade-tests" | "columnade-native" | "columnade-sim-sys")
        }
        Kind::Build => name == "columnade-native",
    };
    (!fits).then(|| format!("{package} must not use {name}: layers only look down"))
}

fn line_of(manifest: &str, dependency: &str) -> Option<usize> {
    manifest.lines().position(|line| line.starts_with(dependency)).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, folder: &str, dependencies: &[(&str, Kind)]) -> Package {
        let dependencies =
            dependencies.iter().map(|(name, kind)| Dependency { name: (*name).into(), kind: *kind });
        Package {
            name: name.into(),
            folder: folder.into(),
            is_published: false,
            features: vec![],
            defaults: Vec::new(),
            docs_rs: crate::workspace::DocsRs::default(),
            dependencies: dependencies.collect(),
        }
    }

    #[test]
    fn upward_dependencies_are_found() {
        let columns = package(
            "columnade-columns",
            "columns",
            &[
                ("columnade-kernels", Kind::Normal),
                ("columnade-tests", Kind::Dev),
                ("smallvec", Kind::Normal),
            ],
        );
        assert!(check(&[columns], &[]).is_empty());
        let upward = package("columnade-columns", "columns", &[("columnade-ops", Kind::Normal)]);
        let manifest =
            Source::new("columns/Cargo.toml", "[dependencies]\ncolumnade-ops.workspace = true".into());
        let findings = check(&[upward], &[manifest]);
        let expected =
            "columns/Cargo.toml:2: columnade-columns must not use columnade-ops: layers only look down";
        assert_eq!(findings.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn test_crates_outside_tests_are_found() {
        assert!(
            refuse("columnade-ops", &Dependency { name: "columnade-tests".into(), kind: Kind::Normal })
                .is_some()
        );
        assert!(
            refuse("columnade-ops", &Dependency { name: "columnade-native".into(), kind: Kind::Normal })
                .is_some()
        );
        assert!(
            refuse("columnade-kernels", &Dependency { name: "columnade-native".into(), kind: Kind::Build })
                .is_none()
        );
    }

    #[test]
    fn upward_names_in_code_are_found() {
        let buffers = package("columnade-buffers", "buffers", &[]);
        let leaf = package("columnade-rmm-sys", "buffers/rmm-sys", &[]);
        let code = "// columnade_ops::x\nuse columnade_rmm_sys::Resource;\nuse columnade_kernels::gather;\nuse columnade::DataFrame;";
        let source = Source::new("buffers/src/lib.rs", code.into());
        let nested = Source::new("buffers/rmm-sys/src/lib.rs", "columnade_buffers::Device::Host".into());
        let found: Vec<_> =
            check(&[buffers, leaf], &[source, nested]).into_iter().map(|f| (f.path, f.line)).collect();
        let lib = "buffers/src/lib.rs".to_owned();
        assert_eq!(found, [(lib.clone(), 3), (lib, 4), ("buffers/rmm-sys/src/lib.rs".to_owned(), 1)]);
    }
}
