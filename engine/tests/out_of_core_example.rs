//! The example `out_of_core` as a user runs it; and the tests of how it judges. Cargo builds examples before it runs
//! tests.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

#[path = "../examples/out_of_core/judge/mod.rs"]
mod judge;

use std::path::PathBuf;
use std::process::{Command, Output};

use columnade::Device;
use serde_json::Value;

/// The example beside this test's own executable.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    profile.join("examples").join(format!("out_of_core{}", std::env::consts::EXE_SUFFIX))
}

fn run(arguments: &[&str]) -> Output {
    Command::new(example())
        .args(arguments)
        .output()
        .expect("built by `cargo test`, and by `cargo build --example out_of_core`")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn limited_run_records_bytes_by_tier() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("record.json");
    for device in Device::available() {
        let device = device.to_string();
        let json = file.to_str().expect("a path of text");
        let output = run(&["--device", &device, "--limit", "1MiB", "--factor", "2", "--json", json]);
        let printed = text(&output.stdout);
        let record: Value =
            serde_json::from_str(&std::fs::read_to_string(&file).expect("a record")).expect("JSON");
        let tasks = record["tasks"].as_array().expect("tasks");
        let names: Vec<_> = tasks.iter().map(|task| task["task"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, ["build", "sort", "group-by", "join"]);
        for task in tasks {
            assert!(task["difference"].is_null(), "{task}");
            let sum = |what: &str, ends: fn(&Value) -> bool| -> u64 {
                let edges = task["moved"].as_array().into_iter().flatten();
                edges.filter(|edge| ends(edge)).filter_map(|edge| edge[what].as_u64()).sum()
            };
            for (way, ends) in [
                ("down", (|edge| edge["from"] == "device") as fn(&Value) -> bool),
                ("up", |edge| edge["to"] == "device"),
            ] {
                assert_eq!(task[format!("bytes_{way}")], sum("bytes", ends), "{task}");
                assert_eq!(task[format!("least_bytes_{way}")], sum("least_bytes", ends), "{task}");
            }
        }
        // The frames are twice the limit: half of them leaves while they are built.
        assert!(tasks[0]["least_bytes_down"].as_u64() > Some(900_000), "{}", tasks[0]);
        assert!(tasks[0]["bytes_down"].as_u64() >= tasks[0]["least_bytes_down"].as_u64(), "{}", tasks[0]);
        // The exit code says what the record says; with so little memory the peak may pass the limit.
        let passes = tasks
            .iter()
            .any(|task| task["peak_bytes"].as_f64() > task["limit_bytes"].as_f64().map(|limit| 1.05 * limit));
        assert_eq!(output.status.code(), Some(i32::from(passes)), "{printed}");
        assert_eq!(printed.contains("PASSES THE LIMIT"), passes, "{printed}");
    }
}

/// A disk that is full only when everything is written.
#[cfg(target_os = "linux")]
#[test]
fn unwritable_file_is_named() {
    for option in ["--json", "--svg", "--trace"] {
        let output = run(&["--device", "host", "--limit", "1MiB", "--factor", "1", option, "/dev/full"]);
        let said = text(&output.stderr);
        assert!(said.contains("/dev/full: ") && !output.status.success(), "{option}: {said}");
    }
}

#[test]
fn invalid_arguments_are_refused_before_any_work() {
    for (arguments, why) in [
        (["--limit", "1000"], "at least 1MiB"),
        (["--factor", "0"], "a whole number from 1 to 64"),
        (["--device", "abacus"], "abacus"),
        (["--json", "nowhere/record.json"], "nowhere/record.json"),
    ] {
        let output = run(&arguments);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{:?}", output.status);
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
}
