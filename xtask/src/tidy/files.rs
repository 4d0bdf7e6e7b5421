//! Sizes, complete kernel folders, and leftovers.

use super::Finding;
use super::source::{Source, find_word};
use std::collections::{BTreeMap, BTreeSet};

/// The most lines of a source.
const LINES: usize = 800;
/// The most lines of a source that only tests.
const TEST_LINES: usize = 1200;

/// What lies in the folder of a kernel beside `<kernel>.cu`; a module may be a folder of its own.
const KERNEL_MODULES: [&str; 4] = ["mod", "host", "cuda", "tests"];

/// Beginnings of paths that mean something on one machine only.
const MACHINE_PATHS: [&str; 3] = ["/home/", "/root/", "/work/"];
/// Marks of unfinished work.
const MARKS: [&str; 3] = ["FIXME", "TODO", "XXX"];
/// These files quote what they look for.
const QUOTING: &str = "xtask/src/tidy/";

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings: Vec<_> = sources.iter().filter_map(too_long).collect();
    findings.extend(incomplete_kernels(sources));
    findings.extend(sources.iter().filter(|source| !source.path.starts_with(QUOTING)).flat_map(leftovers));
    findings
}

fn too_long(source: &Source) -> Option<Finding> {
    let is_code = matches!(source.extension(), "rs" | "cu" | "cuh" | "h" | "cpp" | "sh" | "py");
    let cap = if source.is_test() { TEST_LINES } else { LINES };
    let lines = source.text.lines().count();
    (is_code && lines > cap).then(|| Finding::new(&source.path, 0, format!("{lines} lines, {cap} allowed")))
}

/// A folder under `kernels/src` with a `.cu` or a `cuda.rs` is a kernel's, and has all of its parts.
fn incomplete_kernels(sources: &[Source]) -> Vec<Finding> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.path.starts_with("kernels/src/")) {
        folders.entry(source.folder()).or_default().insert(source.name());
    }
    let mut findings = Vec::new();
    // Objects and generated headers are named after the kernel alone.
    let mut kernels: BTreeMap<&str, &str> = BTreeMap::new();
    for (folder, names) in &folders {
        let device: Vec<_> = names.iter().filter(|name| name.rsplit('.').next() == Some("cu")).collect();
        if device.is_empty() && !names.contains("cuda.rs") {
            continue;
        }
        let kernel = folder.rsplit('/').next().unwrap_or(folder);
        if let Some(other) = kernels.insert(kernel, folder) {
            findings.push(Finding::new(folder, 0, format!("{other} is a kernel of the same name")));
        }
        let wanted = format!("{kernel}.cu");
        for name in device.iter().filter(|name| ***name != wanted) {
            let what = format!("device code of the kernel {kernel} belongs in {wanted}");
            findings.push(Finding::new(&format!("{folder}/{name}"), 0, what));
        }
        if !names.contains(wanted.as_str()) {
            findings.push(Finding::new(folder, 0, format!("the kernel {kernel} has no {wanted}")));
        }
        for module in KERNEL_MODULES {
            let nested = format!("{folder}/{module}");
            let is_there = names.contains(format!("{module}.rs").as_str())
                || folders.get(nested.as_str()).is_some_and(|names| names.contains("mod.rs"));
            if !is_there {
                findings.push(Finding::new(folder, 0, format!("the kernel {kernel} has no {module}.rs")));
            }
        }
    }
    findings
}

fn leftovers(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(source.text.lines()) {
        let mut found = |what: String| findings.push(Finding::new(&source.path, number, what));
        for mark in MARKS.iter().filter(|mark| find_word(line, mark).is_some()) {
            found(format!("{mark}: finish it, or write down what is missing in the documentation"));
        }
        for start in MACHINE_PATHS.iter().filter(|start| has_path(line, start)) {
            found(format!("a path of one machine ({start}...)"));
        }
    }
    for (number, line) in source.code_lines().filter(|_| source.is_rust()) {
        for name in ["todo", "unimplemented"] {
            let is_call = |at: usize| line[at + name.len()..].starts_with('!');
            if find_word(line, name).is_some_and(is_call) {
                findings.push(Finding::new(&source.path, number, format!("{name}!: return a typed error")));
            }
        }
    }
    findings
}

/// Whether an absolute path in `line` begins with `start`.
fn has_path(line: &str, start: &str) -> bool {
    line.match_indices(start).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-~}>)]*".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sources: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<_> =
            sources.iter().map(|(path, text)| Source::new(path, (*text).to_owned())).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn long_files_are_found() {
        let text = "x\n".repeat(801);
        assert_eq!(found(&[("ops/src/a.rs", &text)]), ["ops/src/a.rs: 801 lines, 800 allowed"]);
        assert!(found(&[("ops/src/tests.rs", &text), ("data.csv", &text)]).is_empty());
    }

    #[test]
    fn incomplete_kernel_folders_are_found() {
        let whole =
            ["mod.rs", "host.rs", "cuda.rs", "scan.cu"].map(|name| format!("kernels/src/reduce/scan/{name}"));
        let mut files: Vec<_> = whole.iter().map(|path| (path.as_str(), "")).collect();
        assert_eq!(found(&files), ["kernels/src/reduce/scan: the kernel scan has no tests.rs"]);
        files.push(("kernels/src/reduce/scan/tests/mod.rs", ""));
        files.push(("kernels/src/reduce/mod.rs", ""));
        assert!(found(&files).is_empty());
        files.push(("kernels/src/reduce/scan/more.cu", ""));
        let expected = "kernels/src/reduce/scan/more.cu: device code of the kernel scan belongs in scan.cu";
        assert_eq!(found(&files), [expected]);
    }

    #[test]
    fn duplicate_kernel_names_are_found() {
        let files = ["copying", "keys"].map(|family| {
            ["mod.rs", "host.rs", "cuda.rs", "filter.cu", "tests.rs"]
                .map(|name| format!("kernels/src/{family}/filter/{name}"))
        });
        let files: Vec<_> = files.iter().flatten().map(|path| (path.as_str(), "")).collect();
        assert_eq!(
            found(&files),
            ["kernels/src/keys/filter: kernels/src/copying/filter is a kernel of the same name"]
        );
    }

    #[test]
    fn launcher_without_device_code_is_found() {
        let found = found(&[("kernels/src/gather/cuda.rs", "")]);
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0], "kernels/src/gather: the kernel gather has no gather.cu");
    }

    #[test]
    fn leftovers_are_found() {
        let text = "// FIXME later\nfn f() { todo!() }\n\"/root/x\" and a/root/b\n\"todo!()\"";
        let lines: Vec<_> = found(&[("ops/src/a.rs", text)]).iter().map(|f| f[..14].to_owned()).collect();
        assert_eq!(lines, ["ops/src/a.rs:1", "ops/src/a.rs:3", "ops/src/a.rs:2"]);
    }
}
