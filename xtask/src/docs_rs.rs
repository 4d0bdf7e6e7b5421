//! `cargo xtask docs-rs`: the documentation of the published crates with the features that docs.rs builds them with.

use crate::workspace::{self, DocsRs, Package};
use std::process::ExitCode;

/// What docs.rs has no compiler for.
const NOT_THERE: [&str; 2] = ["cuda", "sim"];
/// Features that only tests turn on.
const FOR_TESTS: [&str; 1] = ["failpoints"];

/// Build the documentation of the published crates with the features that docs.rs uses
#[derive(clap::Args)]
pub(crate) struct Options {}

/// Checks the features that the manifests choose for docs.rs, and builds with them.
pub(crate) fn run(_: &Options) -> Result<ExitCode, String> {
    let packages = workspace::packages()?;
    let published: Vec<&Package> = packages.iter().filter(|package| package.is_published).collect();
    let faults: Vec<String> = published.iter().flat_map(|package| faults(package)).collect();
    for fault in &faults {
        eprintln!("error: {fault}");
    }
    if !faults.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    // Each as docs.rs does: together, a crate would have the features that another one turns on.
    for package in &published {
        let mut command = workspace::cargo();
        command.args(["doc", "--quiet", "--no-deps", "--package", &package.name]);
        command.args(["--features", &package.docs_rs.features.join(",")]);
        let status = command.env("RUSTDOCFLAGS", "-D warnings").status();
        let status = status.map_err(|error| format!("cannot run cargo: {error}"))?;
        if !status.success() {
            return Err(format!("the documentation of {} does not build as on docs.rs", package.name));
        }
    }
    println!("docs-rs: {} crates", published.len());
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with the features that a manifest chooses: they must build without a toolkit, and show all that does.
fn faults(package: &Package) -> Vec<String> {
    let DocsRs { features, is_all } = &package.docs_rs;
    let name = &package.name;
    let mut faults = Vec::new();
    if *is_all {
        faults.push(format!("{name}: docs.rs has no toolkit for all features; name those that build there"));
    }
    for feature in features {
        if NOT_THERE.contains(&feature.as_str()) {
            faults.push(format!("{name}: docs.rs has no toolkit for the feature {feature}"));
        } else if !package.has(feature) {
            faults
                .push(format!("{name}: docs.rs builds with the feature {feature}, which the crate has not"));
        }
    }
    let is_shown = |feature: &String| {
        features.contains(feature)
            || package.is_default(feature)
            || NOT_THERE.contains(&feature.as_str())
            || FOR_TESTS.contains(&feature.as_str())
    };
    let missing = package.features.iter().filter(|feature| !is_shown(feature));
    faults.extend(missing.map(|feature| {
        format!("{name}: docs.rs does not show the feature {feature}; name it in package.metadata.docs.rs")
    }));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(features: &[&str], shown: &[&str], is_all: bool) -> Package {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Package {
            name: "c".to_owned(),
            folder: "c".to_owned(),
            features: texts(features),
            defaults: texts(&["gzip"]),
            docs_rs: DocsRs { features: texts(shown), is_all },
            is_published: true,
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn features_that_docs_rs_cannot_build_or_lacks_are_found() {
        let all = ["default", "gzip", "cuda", "sim", "failpoints", "serde"];
        assert!(faults(&package(&all, &["serde"], false)).is_empty());
        assert!(faults(&package(&["cuda"], &[], false)).is_empty());
        let cases = [
            (package(&all, &[], false), "does not show the feature serde"),
            (package(&all, &["serde", "cuda"], false), "no toolkit for the feature cuda"),
            (package(&all, &["serde", "sim"], false), "no toolkit for the feature sim"),
            (package(&["serde"], &["serde", "gone"], false), "gone, which the crate has not"),
            (package(&["cuda"], &[], true), "no toolkit for all features"),
        ];
        for (package, expected) in cases {
            let found = faults(&package);
            assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
        }
    }

    #[test]
    fn manifests_choose_what_docs_rs_builds() {
        let packages = workspace::packages().expect("the workspace");
        let faults: Vec<String> =
            packages.iter().filter(|package| package.is_published).flat_map(faults).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}
