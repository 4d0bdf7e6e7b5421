//! The example `tpch` as a user runs it: exit codes, messages, records; and the tests of its comparison. Cargo builds
//! examples before it runs tests.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

#[path = "../examples/tpch/verify/mod.rs"]
mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use columnade::Device;
use serde_json::Value;

/// What the modules of the example expect at its root.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The example beside this test's own executable.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    profile.join("examples").join(format!("tpch{}", std::env::consts::EXE_SUFFIX))
}

/// Runs the example, with no Python that could have DuckDB.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(example())
        .args(arguments)
        .env("COLUMNADE_PYTHON", "no-such-python")
        .current_dir(folder)
        .output()
        .expect("built by `cargo test`, and by `cargo build --example tpch`")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn queries_verify_on_generated_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    for device in Device::available() {
        let device = device.to_string();
        let arguments = [
            "--scale",
            "0.001",
            "--queries",
            "6,1,3",
            "--device",
            &device,
            "--verify",
            "--runs",
            "2",
            "--json",
            "records.json",
        ];
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));

        let json = std::fs::read_to_string(folder.path().join("records.json")).expect("records");
        let records: Vec<Value> = serde_json::from_str(&json).expect("a JSON array");
        let numbers: Vec<_> = records.iter().map(|record| record["query"].as_u64()).collect();
        assert_eq!(numbers, [Some(6), Some(1), Some(3)]);
        for record in &records {
            assert_eq!(record["device"], device);
            assert_eq!(record["seconds"].as_array().map(Vec::len), Some(2));
            assert!(record["bytes_read"].as_u64() > Some(0));
            assert!(record["rows"].as_u64() > Some(0));
            // There are no official answers at this scale; a device is compared with the host.
            let expected = if device == "host" { Value::Null } else { Value::Bool(true) };
            assert_eq!(record["verified"], expected);
        }
    }
    let tables = folder.path().join("target/tpch/sf0.001");
    assert_eq!(std::fs::read_dir(&tables).expect("the tables").count(), 8, "eight tables and nothing else");

    // The same tables by another path, two of them as folders of files.
    std::fs::create_dir(tables.join("lineitem")).expect("a folder");
    std::fs::rename(tables.join("lineitem.parquet"), tables.join("lineitem/part0.parquet")).expect("moved");
    let output = run(folder.path(), &["--data", "target/tpch/sf0.001", "--queries", "Q6"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// The answers are those of `DuckDB` over the same tables.
#[test]
fn all_queries_give_answers_of_duckdb_on_every_device() {
    let folder = tempfile::tempdir().expect("a folder");
    // Part of the program, which also runs where the sources are not.
    let answers = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers/tpch-sf0.01.jsonl"));
    fs::write(folder.path().join("answers.jsonl"), answers).expect("a file");
    let answers = "answers.jsonl";
    for device in Device::available() {
        let device = device.to_string();
        let arguments =
            ["--scale", "0.01", "--device", &device, "--answers", answers, "--json", "records.json"];
        let output = run(folder.path(), &arguments);
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        let json = std::fs::read_to_string(folder.path().join("records.json")).expect("records");
        let records: Vec<Value> = serde_json::from_str(&json).expect("a JSON array");
        let numbers: Vec<_> = records.iter().filter_map(|record| record["query"].as_u64()).collect();
        assert_eq!(numbers, (1..=22).collect::<Vec<_>>(), "{device}");
        for record in &records {
            assert_eq!(record["verified"], Value::Bool(true), "{} on {device}", record["query"]);
        }
    }

    // Other tables have other answers: the comparison says so.
    let arguments = ["--scale", "0.001", "--device", "host", "--queries", "6", "--answers", answers];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(
        text(&output.stdout).contains("Q6 differs: row 0, revenue: DuckDB has "),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn invalid_queries_devices_and_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("lineitem.parquet"), "no table").expect("written");
    let data = ["--data", "."];
    for (arguments, expected) in [
        (&["--queries", "1,0"][..], "TPC-H has no query 0"),
        (&["--queries", "23"], "TPC-H has no query 23"),
        (&["--queries", "6", "--answers", "none.jsonl"], "read_parquet ./lineitem.parquet"),
        (&["--queries", "one"], "`one` is not the number of a TPC-H query"),
        (&["--device", "tpu"], "tpu"),
        (&["--device", "cuda:99"], "cuda:99 cannot be used: "),
        (&["--queries", "6"], "read_parquet ./lineitem.parquet: this is not a Parquet file"),
        (&["--queries", "3"], "read_parquet ./customer.parquet: there is no such file"),
    ] {
        let output = run(folder.path(), &[&data, arguments].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(expected), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    }
}
