//! Which kernels the suites of the kernels' crate launch: every one, or a new kernel is not tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file to which the simulator appends what a process launched.
const REPORT: &str = "COLUMNADE_SIM_REPORT";

/// The namespace of the crate's kernels; others are CUB's.
const NAMESPACE: &str = "cn_cuda";

/// Has the test programs report what they launch, into a new file.
pub(crate) fn report(command: &mut Command, target: &Path) -> Result<PathBuf, String> {
    let file = target.join("launched.txt");
    fs::create_dir_all(target).map_err(|error| format!("cannot create {}: {error}", target.display()))?;
    fs::write(&file, "").map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    command.env(REPORT, &file);
    Ok(file)
}

/// The kernels in a report that no process launched. All instantiations of a template are one kernel.
pub(crate) fn missing(file: &Path) -> Result<Vec<String>, String> {
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let launches = launches(&text);
    if launches.is_empty() {
        return Err(format!("{} names no kernel", file.display()));
    }
    Ok(launches.into_iter().filter(|(_, count)| *count == 0).map(|(kernel, _)| kernel).collect())
}

/// The launches of each kernel, by its name without arguments.
fn launches(report: &str) -> BTreeMap<String, u64> {
    let mut launches = BTreeMap::new();
    for line in report.lines() {
        let mut fields = line.split('\t');
        let (Some("kernel"), Some(symbol), Some(count)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let Some(names) = names_of(symbol).filter(|names| names.first() == Some(&NAMESPACE)) else {
            continue;
        };
        *launches.entry(names.join("::")).or_default() += count.parse::<u64>().unwrap_or(0);
    }
    launches
}

/// The nested names of a mangled symbol of C++, up to its template arguments.
fn names_of(symbol: &str) -> Option<Vec<&str>> {
    let mut rest = symbol.strip_prefix("_ZN")?;
    let mut names = Vec::new();
    loop {
        // Of internal linkage.
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return Some(names);
        }
        let length: usize = rest[..digits].parse().ok()?;
        names.push(rest.get(digits..digits + length)?);
        rest = &rest[digits + length..];
    }
}

#[cfg(test)]
mod tests {
    use super::{launches, names_of};

    #[test]
    fn names_end_at_template_arguments() {
        let of = |symbol| names_of(symbol).unwrap().join("::");
        assert_eq!(of("_ZN7cn_cuda12_GLOBAL__N_14scanIjEEvPKT_"), "cn_cuda::_GLOBAL__N_1::scan");
        assert_eq!(of("_ZN7cn_cuda4rowsL4packEPm"), "cn_cuda::rows::pack");
        assert_eq!(names_of("main"), None);
        assert_eq!(names_of("_ZN9cut"), None);
    }

    #[test]
    fn kernels_are_launched_if_one_instantiation_is() {
        let report = "kernel\t_ZN7cn_cuda4scanIjEEv\t0\t5\nkernel\t_ZN7cn_cuda4scanImEEv\t2\t5\n\
                      kernel\t_ZN7cn_cuda4packEv\t0\t0\nkernel\t_ZN3cub4scanEv\t0\t0\nform\tadd.u32\t1\t1\t1\n";
        let found: Vec<_> = launches(report).into_iter().collect();
        assert_eq!(found, [("cn_cuda::pack".to_owned(), 0), ("cn_cuda::scan".to_owned(), 2)]);
    }
}
