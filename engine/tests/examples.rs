//! The small examples as a user runs them. Cargo builds examples before it runs tests.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use std::process::Command;

use columnade::Device;

/// What the example prints on a device.
fn printed(example: &str, device: Device) -> String {
    let test = std::env::current_exe().expect("this test has a path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    let program = profile.join("examples").join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(program)
        .env("COLUMNADE_DEVICE", device.to_string())
        .output()
        .expect("built by `cargo test`, and by `cargo build --example`");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn assert_prints(example: &str, lines: &[&str]) {
    for device in Device::available() {
        let text = printed(example, device);
        for line in lines {
            assert!(text.lines().any(|printed| printed == *line), "{line:?} on {device}, in:\n{text}");
        }
    }
}

#[test]
fn files_reads_mornings_in_fahrenheit() {
    assert_prints(
        "files",
        &[
            "celsius: float64",
            "0  OSLO     2026-01-01 06:00:00.000000        11.3",
            "2  TURIN    2026-01-01 06:00:00.000000        33.8",
            "[3 rows × 3 columns]",
        ],
    );
}

#[test]
fn time_series_prints_returns_and_months() {
    assert_prints(
        "time_series",
        &[
            "5   2026-02-03  A         12.0   0.0435       11.5",
            "6   2026-01-29  B         50.0     <NA>       <NA>",
            "2  B      2026-01-01     49.5     50.0",
        ],
    );
}

#[test]
fn interchange_shares_memory_and_protects_it() {
    assert_prints(
        "interchange",
        &["received without a copy: true", "sum of x: 12.0 there, 6.0 here", "y: [10.0, 20.0, 30.0]"],
    );
}
