//! TPC-H through the `DataFrame` API: makes or takes the tables as Parquet, runs queries, checks the answers.
//!
//! `cargo run --release --example tpch -- --scale 1 --verify`

mod cli;
mod generate;
mod queries;
mod report;
mod verify;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use columnade::{DataFrame, Device, Exec, read_parquet};

use crate::cli::Cli;
use crate::queries::Query;
use crate::report::Record;

/// Why the example stops, as a sentence for the user.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(Outcome::Agreed) => ExitCode::SUCCESS,
        Ok(Outcome::Differed) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

enum Outcome {
    /// Every comparison that was asked for and possible agreed.
    Agreed,
    /// A result differed.
    Differed,
}

fn run(cli: &Cli) -> Result<Outcome, Failure> {
    let queries = cli.selected_queries()?;
    let device = cli.selected_device()?;
    let json = cli.json.as_deref().map(report::open).transpose()?;
    let folder = if let Some(folder) = &cli.data {
        folder.clone()
    } else {
        let folder = generate::folder(cli.scale);
        generate::missing_tables(&folder, cli.scale)?;
        folder
    };

    let mut records = Vec::with_capacity(queries.len());
    for query in queries {
        let record = run_query(query, &folder, device, cli)?;
        writeln!(stdout(), "{}\n", record.summary())?;
        records.push(record);
    }
    if let Some(file) = json {
        report::write_json(file, &records)?;
    }
    let differed = records.iter().any(|record| record.verified == Some(false));
    Ok(if differed { Outcome::Differed } else { Outcome::Agreed })
}

/// Loads the columns of a query, runs it as often as asked, prints its result and compares it.
fn run_query(query: &'static Query, folder: &Path, device: Device, cli: &Cli) -> Result<Record, Failure> {
    writeln!(stdout(), "Q{}: {}", query.number, query.title)?;
    let load = Instant::now();
    let exec = Exec::new(device)?;
    let (tables, bytes_read) = load_tables(query, folder, &exec)?;
    exec.synchronize()?;
    let load_seconds = load.elapsed().as_secs_f64();

    let loaded = exec.resource().statistics().map(|memory| memory.current);
    exec.resource().reset_peak();
    let mut seconds = Vec::new();
    let mut result = None;
    for _ in 0..cli.runs {
        drop(result.take());
        let start = Instant::now();
        let frame = (query.run)(&tables)?;
        exec.synchronize()?;
        seconds.push(start.elapsed().as_secs_f64());
        result = Some(frame);
    }
    let result = result.ok_or("--runs is at least 1")?;
    let peak_bytes =
        exec.resource().statistics().zip(loaded).map(|(memory, loaded)| memory.peak.saturating_sub(loaded));

    writeln!(stdout(), "{result}")?;
    let verified = match &cli.answers {
        Some(answers) => Some(verify_with(query, &result, answers)?),
        None if cli.verify => verify_result(query, &result, folder, device, cli.scale)?,
        None => None,
    };
    Ok(Record { query, device, rows: result.len(), load_seconds, seconds, bytes_read, peak_bytes, verified })
}

/// Reads the columns that a query needs, and says how many bytes of the files that took.
fn load_tables(query: &Query, folder: &Path, exec: &Exec) -> Result<(Vec<DataFrame>, u64), Failure> {
    let mut tables = Vec::with_capacity(query.inputs.len());
    let mut bytes_read = 0;
    for input in query.inputs {
        let (frame, statistics) = read_parquet(table_path(folder, input.table.name()))
            .columns(input.columns.iter().copied())
            .dictionary(input.dictionaries.iter().copied())
            .exec(exec)
            .read_with_statistics()?;
        bytes_read += statistics.bytes_read;
        tables.push(frame);
    }
    Ok((tables, bytes_read))
}

/// A table is one file or a folder of files.
fn table_path(folder: &Path, table: &str) -> PathBuf {
    let files = folder.join(table);
    if files.is_dir() { files } else { folder.join(format!("{table}.parquet")) }
}

/// Compares a result with what it should be, prints each difference, and says how it went.
fn verify_result(
    query: &Query,
    result: &DataFrame,
    folder: &Path,
    device: Device,
    scale: f64,
) -> Result<Option<bool>, Failure> {
    let official = (scale - 1.0).abs() < f64::EPSILON;
    let differences = if official {
        verify::against_official(query.number, result)?
    } else if device != Device::Host {
        let (tables, _) = load_tables(query, folder, &Exec::host())?;
        verify::against_host(&(query.run)(&tables)?, result)?
    } else if let Some(answer) = verify::duckdb::answer(query.number, folder)? {
        verify::duckdb::against(&answer, result)?
    } else {
        eprintln!(
            "not verified: the official answers are for scale 1 only, this is scale {scale}, and there is no Python \
             with the module duckdb"
        );
        return Ok(None);
    };
    print_differences(query, &differences).map(Some)
}

/// Compares a result with its answer in a file of answers: one JSON object a line, with the number of its query.
fn verify_with(query: &Query, result: &DataFrame, answers: &Path) -> Result<bool, Failure> {
    let text = std::fs::read_to_string(answers)
        .map_err(|error| format!("cannot read the answers {}: {error}", answers.display()))?;
    for line in text.lines() {
        let answer: serde_json::Value = serde_json::from_str(line)?;
        if answer["query"].as_u64() == Some(query.number.into()) {
            return print_differences(query, &verify::duckdb::against(&answer, result)?);
        }
    }
    Err(format!("{} has no answer to Q{}", answers.display(), query.number).into())
}

/// Prints each difference, and says whether there is none.
fn print_differences(query: &Query, differences: &[String]) -> Result<bool, Failure> {
    for difference in differences {
        writeln!(stdout(), "Q{} differs: {difference}", query.number)?;
    }
    Ok(differences.is_empty())
}
