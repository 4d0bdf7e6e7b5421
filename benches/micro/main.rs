//! Single operations over ten million rows: median time, bytes that had to move, and the share of the copy speed.
//!
//! `cargo bench -p columnade-benches --bench micro [-- ROWS] [--only PART] [--json FILE]`; PART is in the names of the operations.
//! `COLUMNADE_DEVICE` chooses the device. `peers.py` sets other libraries beside the operations of frames. Run as a test
//! (`cargo test --benches`) it takes few rows and only checks that every operation runs.

#![allow(missing_docs, reason = "a program")]

mod columns;
mod frames;
mod sorts;
mod texts;

use columnade::{default_exec, set_default_device};
use columnade_benches::{Figure, arguments, is_measured, publish};
use columnade_buffers::{Device, Exec};
use columnade_columns::ErrorKind;
use std::error::Error;
use std::time::Instant;

/// Rows of a run as a test: every operation once, nothing timed.
const FEW_ROWS: usize = 5_000;
const ROWS: usize = 10_000_000;
const RUNS: usize = 9;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// One operation: its name, the bytes it has to move, and a run of it.
struct Case<'a> {
    name: String,
    bytes: usize,
    run: Box<dyn Fn() -> Result<()> + 'a>,
}

fn case<'a, T, E: Error + 'static>(
    name: impl Into<String>,
    bytes: usize,
    run: impl Fn() -> std::result::Result<T, E> + 'a,
) -> Case<'a> {
    Case { name: name.into(), bytes, run: Box::new(move || Ok(run().map(drop)?)) }
}

/// Times cases, and compares their speed with that of the first, a copy.
struct Timer {
    only: String,
    exec: Exec,
    copy_speed: Option<f64>,
    figures: Vec<Figure>,
}

impl Timer {
    fn time(&mut self, cases: &[Case<'_>]) -> Result<()> {
        for case in cases {
            let is_copy = self.copy_speed.is_none();
            if !is_copy && !case.name.contains(&self.only) {
                continue;
            }
            let Some(seconds) = median(case, if is_measured() { RUNS } else { 1 }, &self.exec)? else {
                continue;
            };
            #[expect(clippy::cast_precision_loss, reason = "a rate")]
            let speed = case.bytes as f64 / seconds / 1e9;
            let copy = *self.copy_speed.get_or_insert(speed);
            for (value, unit) in [(seconds * 1e3, "ms"), (speed, "GB/s"), (100.0 * speed / copy, "% of copy")]
            {
                self.figures.push(Figure { name: case.name.clone(), value, unit, target: "" });
            }
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    let arguments = arguments();
    let asked = arguments.iter().find_map(|argument| argument.parse().ok());
    let only = arguments.iter().skip_while(|argument| *argument != "--only").nth(1).cloned();
    let rows = asked.unwrap_or(if is_measured() { ROWS } else { FEW_ROWS });
    let device = Device::default_device()?;
    set_default_device(device)?;
    // Frames are made with the default context: its stream is the one to wait for.
    let exec = default_exec()?;
    let only = only.unwrap_or_default();
    let mut timer = Timer { only, exec: exec.clone(), copy_speed: None, figures: Vec::new() };
    // Each part's data is gone before the next one's is made.
    timer.time(&columns::Data::new(rows, &exec)?.cases())?;
    timer.time(&frames::Data::new(rows)?.cases())?;
    timer.time(&sorts::Data::new(rows)?.cases())?;
    for (length, rows) in [(5, rows), (20, rows), (200, rows / 10)] {
        timer.time(&texts::Data::new(rows, length)?.cases())?;
    }
    let note = format!("{rows} rows on {device}");
    Ok(publish(&timer.figures, Some(&note))?)
}

/// The median of the runs, in seconds, after one that is not counted; `None` for what the device does not have.
fn median(case: &Case<'_>, runs: usize, exec: &Exec) -> Result<Option<f64>> {
    if let Err(error) = (case.run)() {
        let is_missing = error
            .downcast_ref::<columnade_columns::Error>()
            .map(columnade_columns::Error::kind)
            .or_else(|| error.downcast_ref::<columnade::Error>().map(columnade::Error::kind));
        return if is_missing == Some(ErrorKind::NotImplemented) { Ok(None) } else { Err(error) };
    }
    let mut seconds = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        (case.run)()?;
        exec.synchronize()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(Some(seconds[runs / 2]))
}
