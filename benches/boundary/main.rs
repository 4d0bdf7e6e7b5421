//! What crossing Arrow's C interfaces and DLPack costs, beside arrow-rs in the same run.
//!
//! `cargo bench -p columnade-benches --bench boundary [-- --json FILE]`. Run as a test it crosses with little, and only
//! checks that everything runs and that nothing is copied. Times are medians; targets stand beside the figures.

#![allow(missing_docs, reason = "a program")]
#![expect(clippy::cast_precision_loss, reason = "figures are small")]

mod arrow_rs;

use columnade_buffers::{Device, Exec, MemoryResource, Statistics, current_resource, set_current_resource};
use columnade_columns::arrow::c::{
    CopyPolicy, ExportOptions, ImportOptions, OwnedStream, StreamReader, Validation, export_stream,
};
use columnade_columns::dlpack::TensorRequest;
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, Result};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much is done.
struct Effort {
    /// Rows of a long column.
    rows: usize,
    /// Frames of a stream.
    frames: usize,
    /// Runs of which the median counts.
    runs: usize,
}

const MEASURED: Effort = Effort { rows: 100_000_000, frames: 10_000, runs: 31 };
const CHECKED: Effort = Effort { rows: 1_000, frames: 10, runs: 1 };

/// One figure.
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    target: &'static str,
}

/// Columns of a wide frame, and of the frames of a stream.
const WIDE: usize = 100;
const NARROW: usize = 6;
const EXPORT: ExportOptions = ExportOptions {
    offsets: columnade_columns::arrow::c::OffsetLayout::AsStored,
    decimals: columnade_columns::arrow::c::DecimalWidth::AsStored,
    handover: columnade_columns::arrow::c::Handover::Event,
    null_counts: columnade_columns::arrow::c::NullCounts::WhereKnown,
};
const IMPORT: ImportOptions = ImportOptions { copy: CopyPolicy::Never, validate: Validation::Minimal };

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let is_measured = arguments.iter().any(|argument| argument == "--bench");
    let effort = if is_measured { MEASURED } else { CHECKED };
    let counted = Arc::new(Statistics::new(current_resource(Device::Host)?));
    set_current_resource(Device::Host, Arc::clone(&counted) as Arc<dyn MemoryResource>);

    let mut figures = Vec::new();
    frames(&effort, &counted, &mut figures)?;
    tensors(&effort, &counted, &mut figures)?;
    streams(&effort, "frames", &frame(100, NARROW)?, &mut figures)?;
    streams(&effort, "frames of dictionaries", &frame_of_words()?, &mut figures)?;
    for Figure { name, value, unit, target } in &figures {
        println!("{name:<70} {value:>12.2} {unit:<12} {target}");
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--json")
        && let Some(path) = arguments.get(at + 1)
    {
        let line = |Figure { name, value, unit, .. }: &Figure| format!("  \"{name}, {unit}\": {value:.3}");
        let lines: Vec<String> = figures.iter().map(line).collect();
        if let Err(error) = std::fs::write(path, format!("{{\n{}\n}}\n", lines.join(",\n"))) {
            eprintln!("error: {path}: {error}");
        }
    }
    Ok(())
}

/// Wide frames, out and in.
fn frames(effort: &Effort, counted: &Statistics, figures: &mut Vec<Figure>) -> Result<()> {
    for rows in [0, 1_000, effort.rows / 100] {
        let frame = frame(rows, WIDE)?;
        // Nulls are counted once, by the first export.
        drop(frame.to_arrow_c(&EXPORT)?);
        let before = total(counted);
        let there_and_back = || -> Result<_> {
            let (schema, mut array) = frame.to_arrow_c(&EXPORT)?;
            ColumnAccessor::from_arrow_c(&schema, &mut array, &IMPORT)
        };
        there_and_back()?;
        let copied = total(counted) - before;
        assert_eq!(copied, 0, "bytes allocated");
        let time = median(effort.runs, || there_and_back().map(drop))?;
        let name = format!("{WIDE} columns of {rows} rows, export and import");
        figures.push(Figure { name: name.clone(), value: micros(time), unit: "µs", target: "at most 50" });
        figures.push(Figure { name, value: copied as f64, unit: "bytes allocated", target: "0" });
        let time = median(effort.runs, arrow_rs::there_and_back(&frame)?)?;
        let name = format!("{WIDE} columns of {rows} rows, export and import by arrow-rs");
        figures.push(Figure { name, value: micros(time), unit: "µs", target: "" });
    }
    Ok(())
}

/// A long column through DLPack.
fn tensors(effort: &Effort, counted: &Statistics, figures: &mut Vec<Figure>) -> Result<()> {
    let exec = Exec::host();
    let column = Column::from_vec(vec![7_i64; effort.rows]);
    let before = total(counted);
    let there_and_back = || -> Result<()> {
        let mut tensor = column.to_dlpack(&TensorRequest::default(), &exec)?;
        Column::from_dlpack(&mut tensor, CopyPolicy::Never, &exec).map(|column| drop(black_box(column)))
    };
    there_and_back()?;
    let copied = total(counted) - before;
    assert_eq!(copied, 0, "bytes allocated");
    let name = format!("{} rows of int64 through DLPack", effort.rows);
    let time = median(effort.runs, there_and_back)?;
    figures.push(Figure { name: name.clone(), value: micros(time), unit: "µs", target: "" });
    figures.push(Figure { name, value: copied as f64, unit: "bytes allocated", target: "0" });
    Ok(())
}

/// Small frames one after the other, read by us and by arrow-rs.
fn streams(effort: &Effort, what: &str, frame: &ColumnAccessor, figures: &mut Vec<Figure>) -> Result<()> {
    let stream = || -> Result<OwnedStream> {
        let (frame, count) = (frame.clone(), effort.frames);
        export_stream((0..count).map(move |_| Ok(frame.clone())), &EXPORT)
    };
    let ours = median(effort.runs.min(9), || {
        let read = StreamReader::new(&mut stream()?, &IMPORT)?;
        let rows: Result<usize> = read.map(|frame| Ok(frame?.rows())).sum();
        assert_eq!(rows?, effort.frames * 100);
        Ok(())
    })?;
    let theirs = median(effort.runs.min(9), || {
        assert_eq!(arrow_rs::read(&mut stream()?), effort.frames * 100);
        Ok(())
    })?;
    let unread = median(effort.runs.min(9), || {
        assert_eq!(arrow_rs::drain(&mut stream()?), effort.frames * 100);
        Ok(())
    })?;
    let per_second = |time: Duration| (effort.frames * frame.len()) as f64 / time.as_secs_f64() / 1e6;
    let name = |reader: &str| format!("{} {what} of 100 rows as our stream, {reader}", effort.frames);
    for (reader, time, target) in [
        ("read by us", ours, "at least 1"),
        ("read by arrow-rs", theirs, ""),
        ("released unread", unread, ""),
    ] {
        figures.push(Figure { name: name(reader), value: per_second(time), unit: "M columns/s", target });
    }
    // What exporting costs, which is a part of both, left out.
    for (reader, time) in [("the import alone by us", ours), ("the import alone by arrow-rs", theirs)] {
        let value = per_second(time.saturating_sub(unread));
        figures.push(Figure { name: name(reader), value, unit: "M columns/s", target: "" });
    }
    Ok(())
}

/// Numbers and text, two columns in three with nulls.
fn frame(rows: usize, columns: usize) -> Result<ColumnAccessor> {
    let exec = Exec::host();
    let column = |at: usize| match at % 3 {
        0 => Ok(Column::from_vec((0..rows as u64).collect())),
        1 => Column::from_options((0..rows).map(|row| (row % 7 != 1).then_some(row as f64)), &exec),
        _ => {
            let text = ["a", "bc", "the text of a row"];
            Column::from_options((0..rows).map(|row| (row % 5 != 1).then_some(text[row % 3])), &exec)
        }
    };
    // Three columns are made, and shared by all.
    let made = (0..3).map(column).collect::<Result<Vec<Column>>>()?;
    ColumnAccessor::from_columns((0..columns).map(|at| (format!("c{at}"), made[at % 3].clone())))
}

/// Codes into dictionaries of ten thousand words, which all frames of a stream share.
fn frame_of_words() -> Result<ColumnAccessor> {
    let exec = Exec::host();
    let words = Column::from_values((0..10_000).map(|word| format!("word {word}")), &exec)?;
    let column = |(at, first): (usize, i32)| {
        let codes = Column::from_vec((0..100).map(|row| (row * 97 + first) % 10_000).collect());
        let column = CategoricalColumn::new(&codes, Arc::new(words.clone()))?;
        Ok((format!("c{at}"), Column::Categorical(column)))
    };
    ColumnAccessor::from_columns((0..NARROW).zip(0..).map(column).collect::<Result<Vec<_>>>()?)
}

/// Bytes allocated so far.
fn total(counted: &Statistics) -> usize {
    counted.statistics().unwrap_or_default().total
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(runs: usize, mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut times = (0..runs)
        .map(|_| {
            let started = Instant::now();
            work().map(|()| started.elapsed())
        })
        .collect::<Result<Vec<_>>>()?;
    times.sort();
    Ok(times[times.len() / 2])
}
