//! Functions of dates and numbers over ten million rows: median milliseconds, beside which `peers.py` sets other libraries.
//!
//! `cargo bench -p columnade-benches --bench functions [-- ROWS] [--json FILE]`; `COLUMNADE_DEVICE` chooses the device. Run as a
//! test it takes few rows and only checks that every function runs.

#![allow(missing_docs, reason = "a program")]

use columnade_benches::{Figure, arguments, is_measured, publish};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, TimeUnit};
use columnade_ops::expression::{Expr, LocalTimes, col, evaluate};
use columnade_tests::Rng;
use std::time::Instant;

/// Rows of a run as a test: every function once, nothing timed.
const FEW_ROWS: usize = 5_000;
const ROWS: usize = 10_000_000;
const RUNS: usize = 5;

/// Timestamps of the years 1990 to 2030 in microseconds, floats from 0.1 to 100, in any order.
fn frame(rows: usize, exec: &Exec) -> columnade_columns::Result<ColumnAccessor> {
    let mut rng = Rng::new(1);
    let (first, seconds) = (631_152_000_i64, 1_262_304_000);
    let micros: Vec<i64> =
        (0..rows).map(|_| (first + i64::try_from(rng.below(seconds)).unwrap_or(0)) * 1_000_000).collect();
    let floats: Vec<f64> = (0..rows).map(|_| 0.1 + 99.9 * rng.unit()).collect();
    let times = Column::from_slice(&micros, exec)?.reinterpret(&DType::Timestamp(TimeUnit::Micro))?;
    let frame = ColumnAccessor::from_columns([("t", times), ("x", Column::from_slice(&floats, exec)?)])?;
    let more = [
        col("t").cast(DType::Date32).alias("d"),
        col("t").dt().tz_localize("UTC", LocalTimes::default()).dt().tz_convert("Europe/Berlin").alias("z"),
    ];
    let mut columns = evaluate(&more, &frame, exec)?;
    columns.extend(frame.labels().iter().cloned().zip(frame.columns().to_vec()));
    ColumnAccessor::from_columns(columns)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let measured = is_measured();
    let asked = arguments().iter().find_map(|argument| argument.parse().ok());
    let rows = asked.unwrap_or(if measured { ROWS } else { FEW_ROWS });
    let exec = Exec::new(Device::default_device()?)?;
    let frame = frame(rows, &exec)?;
    let cases: [(&str, Expr); 12] = [
        ("year", col("t").dt().year()),
        ("year of date", col("d").dt().year()),
        ("truncate to month", col("t").dt().truncate("1mo")),
        ("truncate date to month", col("d").dt().truncate("1mo")),
        ("truncate to hour", col("t").dt().truncate("1h")),
        ("add a month to date", col("d").dt().add_months(1)),
        ("format of date", col("d").dt().strftime("%Y-%m-%d")),
        ("local time of zone", col("z").dt().tz_naive()),
        ("pow 2.5", col("x").pow(2.5)),
        ("exp", col("x").exp()),
        ("ln", col("x").ln()),
        ("round 2", col("x").round(2)),
    ];
    let mut figures = Vec::new();
    for (name, expr) in cases {
        let run = || evaluate(std::slice::from_ref(&expr), &frame, &exec);
        match run() {
            // Formats on devices.
            Err(error) if error.kind() == ErrorKind::NotImplemented => continue,
            done => drop(done?),
        }
        if !measured {
            continue;
        }
        let mut times: Vec<f64> = (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                let done = run().and_then(|done| Ok(exec.synchronize().map(|()| done)?));
                let elapsed = start.elapsed().as_secs_f64() * 1000.0;
                drop(done);
                elapsed
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let value = times[RUNS / 2];
        figures.push(Figure {
            name: name.to_owned(),
            value,
            unit: "ms",
            target: "at most the best of peers.py",
        });
    }
    publish(&figures, None)?;
    Ok(())
}
