//! The example `h2o` as a user runs it: results, records, messages. Cargo builds examples before it runs tests.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use columnade::Device;
use serde_json::Value;

/// The example beside this test's own executable.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    profile.join("examples").join(format!("h2o{}", std::env::consts::EXE_SUFFIX))
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(example())
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("built by `cargo test`, and by `cargo build --example h2o`")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn records(folder: &Path) -> Vec<Value> {
    let json = std::fs::read_to_string(folder.join("records.json")).expect("records");
    serde_json::from_str(&json).expect("a JSON array")
}

#[test]
fn all_questions_agree_with_naive_evaluation() {
    let folder = tempfile::tempdir().expect("a folder");
    for device in Device::available() {
        let device = device.to_string();
        for (nulls, strings) in [("0", "dictionary"), ("5", "plain")] {
            let arguments = ["--rows", "2e3", "--k", "20", "--nulls", nulls, "--strings", strings];
            let others = ["--device", &device, "--verify", "--runs", "2", "--json", "records.json"];
            let output = run(folder.path(), &[&arguments[..], &others].concat());
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));

            let records = records(folder.path());
            let names: Vec<_> = records.iter().filter_map(|record| record["query"].as_str()).collect();
            let all =
                ["g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "j1", "j2", "j3", "j4", "j5"];
            assert_eq!(names, all);
            for record in &records {
                assert_eq!(record["verified"], true, "{record}");
                assert_eq!(record["device"], device);
                assert_eq!(record["seconds"].as_array().map(Vec::len), Some(2));
                assert!(record["bytes_read"].as_u64() > Some(0));
                assert!(record["rows"].as_u64() > Some(0));
            }
        }
    }
}

/// Rows and sums of the measures that DuckDB 2.0.0 has for the same tables: 1e5 rows, k = 100, 5 % nulls, seed 42.
const DUCKDB: [(&str, u64, &[f64]); 15] = [
    ("g1", 96, &[285_011.0]),
    ("g2", 9216, &[285_011.0]),
    ("g3", 951, &[285_011.0, 47_397.140_344_035_63]),
    ("g4", 96, &[287.907_130_976_999_3, 769.673_414_274_101_8, 4_784.358_749_557_598]),
    ("g5", 951, &[285_011.0, 761_181.0, 4_733_981.037_227_999]),
    ("g6", 9216, &[459_590.774_139_998_36, 260_484.236_062_791_93]),
    ("g7", 951, &[3803.0]),
    ("g8", 951, &[187_204.700_476_999_98]),
    ("g9", 9215, &[1_339.545_882_603_605_8]),
    ("g10", 100_000, &[4_733_981.037_227_994, 100_000.0]),
    ("j1", 90_056, &[4_511_251.287_833_969, 4_302_594.510_308_006]),
    ("j2", 90_060, &[4_512_756.282_407_964, 4_476_175.177_751_199]),
    ("j3", 100_000, &[5_009_576.624_946_957, 4_476_175.177_751_199]),
    ("j4", 90_060, &[4_512_756.282_407_964, 4_476_175.177_751_199]),
    ("j5", 90_000, &[4_504_622.369_944_962, 4_495_499.108_676_038]),
];

#[test]
fn sums_of_measures_agree_with_duckdb() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--rows", "1e5", "--nulls", "5", "--device", "host", "--json", "records.json"];
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let records = records(folder.path());
    assert_eq!(records.len(), DUCKDB.len());
    for (record, (name, rows, check)) in records.iter().zip(DUCKDB) {
        assert_eq!(record["query"], name);
        assert_eq!(record["rows"], rows, "{name}");
        let found: Vec<f64> =
            record["check"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        assert_eq!(found.len(), check.len(), "{name}");
        for (found, expected) in found.iter().zip(check) {
            let close = (found - expected).abs() <= 1e-9 * expected.abs();
            assert!(close, "{name}: expected {expected}, found {found}");
        }
    }
}

#[test]
fn invalid_questions_devices_and_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("g1.parquet"), "no table").expect("written");
    let data = ["--data", "."];
    for (arguments, code, expected) in [
        (&["--questions", "g1,g11"][..], 1, "db-benchmark has no question `g11`"),
        (&["--device", "tpu"], 1, "tpu"),
        (&["--questions", "g1"], 1, "read_parquet ./g1.parquet: this is not a Parquet file"),
        (&["--questions", "j1"], 1, "read_parquet ./x.parquet: there is no such file"),
        (&["--rows", "1.5"], 2, "a whole number is needed"),
        (&["--rows", "0e5"], 2, "a whole number is needed"),
        (&["--nulls", "101"], 2, "101 is not in 0..=100"),
    ] {
        let output = run(folder.path(), &[&data, arguments].concat());
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(expected), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    }
    let output = run(folder.path(), &["--rows", "2e6", "--verify"]);
    assert!(text(&output.stderr).contains("at most 1e6 rows"), "{}", text(&output.stderr));
    let output = run(folder.path(), &["--rows", "2e9"]);
    assert!(text(&output.stderr).contains("int32 keys"), "{}", text(&output.stderr));
}
