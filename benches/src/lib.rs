//! Columnade: benchmarks and their records.
//!
//! `cargo xtask bench` runs TPC-H, db-benchmark, functions and operations, with `--peers` in rounds with other libraries.
//!
//! `cargo bench -p columnade-benches --bench micro` times single operations with the bytes that they have to move (those of frames
//! in `micro/peers.py` beside DuckDB, Polars, DataFusion and pandas), `--bench functions` functions of strings, dates, numbers and lists
//! (`functions/peers.py` beside DuckDB and Polars), `--bench memory` what the memory layer costs and moves,
//! `--bench disk` spilling to a file against `dd`, `--bench link` spilling from a device to pinned memory and back, `cargo
//! xtask ledger` what CUDA operations cost, `--bench boundary` Arrow's C interfaces and DLPack beside arrow-rs,
//! `tpch/peers.py` and `h2o/peers.py` whole queries beside other libraries. Each takes `-- --json FILE`. `records/` holds what was measured, with device, date and commit.

use std::path::PathBuf;

/// One figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What was measured, and of what.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// What it is to be; empty where nothing is asked of it.
    pub target: &'static str,
}

/// Whether figures are wanted: `cargo test`, which only looks whether a benchmark runs, passes no `--bench`.
pub fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The arguments of the benchmark's own, without `--bench` and `--json FILE`.
pub fn arguments() -> Vec<String> {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--json") {
        arguments.drain(at..arguments.len().min(at + 2));
    }
    arguments
}

/// Prints the figures, and writes them to the file of `--json` if one is named.
///
/// # Errors
/// When that cannot be written.
pub fn publish(figures: &[Figure], note: Option<&str>) -> std::io::Result<()> {
    for Figure { name, value, unit, target } in figures {
        println!("{name:<70} {value:>12.2} {unit:<6} {target}");
    }
    note.inspect(|note| println!("{note}"));
    let line = |Figure { name, value, unit, .. }: &Figure| {
        // JSON knows no infinity.
        let value = if value.is_finite() { value.to_string() } else { "null".to_owned() };
        format!("    {:?}: {value}", format!("{name}, {unit}"))
    };
    let lines: Vec<String> = figures.iter().map(line).collect();
    let note = note.map_or(String::new(), |note| format!("  \"note\": {note:?},\n"));
    write_json(&format!("{{\n{note}  \"figures\": {{\n{}\n  }}\n}}\n", lines.join(",\n")))
}

/// Writes `text` to the file of `--json` if one is named.
///
/// # Errors
/// When it cannot be written.
pub fn write_json(text: &str) -> std::io::Result<()> {
    let named = std::env::args().skip_while(|argument| argument != "--json").nth(1);
    named.map(PathBuf::from).map_or(Ok(()), |path| std::fs::write(path, text))
}
