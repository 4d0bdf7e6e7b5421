//! The group-by and join questions of db-benchmark through the `DataFrame` API: makes or takes the tables as Parquet,
//! runs the questions, compares the results with a naive evaluation.
//!
//! `cargo run --release --example h2o -- --rows 1e7 --k 100 --questions g1,g2,g3 --runs 5`

mod cli;
mod generate;
mod questions;
mod random;
mod report;
mod verify;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use columnade::{DType, DataFrame, Device, Exec, col, read_parquet};

use crate::cli::{Cli, Strings};
use crate::questions::Question;
use crate::report::Record;

/// Why the example stops, as a sentence for the user.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Rows up to which results are verified.
const MOST_VERIFIED_ROWS: usize = 1_000_000;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every comparison agreed.
fn run(cli: &Cli) -> Result<bool, Failure> {
    let questions = cli.selected_questions()?;
    let device = cli.selected_device()?;
    if cli.verify && cli.data.is_none() && cli.rows > MOST_VERIFIED_ROWS {
        return Err("--verify evaluates row by row: it takes at most 1e6 rows".into());
    }
    let json = cli.json.as_deref().map(report::open).transpose()?;
    let folder = if let Some(folder) = &cli.data {
        folder.clone()
    } else {
        let folder = generate::folder(cli);
        let tables = questions.iter().flat_map(|question| question.inputs).map(|input| input.table);
        generate::missing_tables(tables, &folder, cli)?;
        folder
    };

    let mut records = Vec::with_capacity(questions.len());
    for question in questions {
        let record = run_question(question, &folder, device, cli)?;
        writeln!(stdout(), "{}\n", record.summary())?;
        records.push(record);
    }
    if let Some(file) = json {
        report::write_json(file, &records)?;
    }
    Ok(!records.iter().any(|record| record.verified == Some(false)))
}

/// Loads the columns of a question, runs it as often as asked, prints its result and compares it.
fn run_question(
    question: &'static Question,
    folder: &Path,
    device: Device,
    cli: &Cli,
) -> Result<Record, Failure> {
    writeln!(stdout(), "{}: {}", question.name, question.title)?;
    let load = Instant::now();
    let exec = Exec::new(device)?;
    let (tables, bytes_read) = load_tables(question, folder, cli.strings, &exec)?;
    exec.synchronize()?;
    let load_seconds = load.elapsed().as_secs_f64();

    let loaded = exec.resource().statistics().map(|memory| memory.current);
    exec.resource().reset_peak();
    let mut seconds = Vec::new();
    let mut result = None;
    for _ in 0..cli.runs {
        drop(result.take());
        let start = Instant::now();
        let frame = (question.run)(&tables)?;
        exec.synchronize()?;
        seconds.push(start.elapsed().as_secs_f64());
        result = Some(frame);
    }
    let result = result.ok_or("--runs is at least 1")?;
    let peak_bytes =
        exec.resource().statistics().zip(loaded).map(|(memory, loaded)| memory.peak.saturating_sub(loaded));

    writeln!(stdout(), "{result}")?;
    let verified = if cli.verify { Some(verify_result(question, &tables, &result)?) } else { None };
    let check =
        question.measures.iter().map(|measure| sum(&result, measure)).collect::<Result<Vec<_>, _>>()?;
    let rows = result.len();
    Ok(Record { question, device, rows, check, load_seconds, seconds, bytes_read, peak_bytes, verified })
}

/// Reads the columns that a question needs, and says how many bytes of the files that took.
fn load_tables(
    question: &Question,
    folder: &Path,
    strings: Strings,
    exec: &Exec,
) -> Result<(Vec<DataFrame>, u64), Failure> {
    let mut tables = Vec::with_capacity(question.inputs.len());
    let mut bytes_read = 0;
    for input in question.inputs {
        let dictionaries = if strings == Strings::Dictionary { input.strings } else { &[] };
        let (frame, statistics) = read_parquet(table_path(folder, input.table))
            .columns(input.strings.iter().chain(input.numbers).copied())
            .dictionary(dictionaries.iter().copied())
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

/// Compares a result with the naive one, prints each difference, and says whether there is none.
fn verify_result(question: &Question, tables: &[DataFrame], result: &DataFrame) -> Result<bool, Failure> {
    if tables[0].len() > MOST_VERIFIED_ROWS {
        return Err("--verify evaluates row by row: it takes at most 1e6 rows".into());
    }
    let differences = verify::differences(question.name, tables, result)?;
    for difference in differences.iter().take(10) {
        writeln!(stdout(), "{} differs: {difference}", question.name)?;
    }
    Ok(differences.is_empty())
}

/// The sum of a column of numbers, or of lists of numbers; NaN is skipped.
fn sum(frame: &DataFrame, label: &str) -> Result<f64, Failure> {
    let values = frame.column(label)?;
    let numbers = if matches!(values.dtype(), DType::List(_)) {
        values.to_scalars()?
    } else {
        let is_number = col(label).eq(col(label));
        frame.rows_where(is_number).agg(col(label).sum())?.column(label)?.to_scalars()?
    };
    Ok(numbers.iter().map(verify::number).sum())
}
