//! The times of Rust for what `figures.py` does with many rows, as a line of JSON.
//!
//! `figures FOLDER RUNS` reads `data.arrow` and `other.arrow` of a folder.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use columnade::{Merge, col, read_ipc};

/// Milliseconds of each run of `work`, whose result is dropped, as Python does.
fn times<T>(runs: usize, work: impl Fn() -> Result<T, columnade::Error>) -> Result<String, columnade::Error> {
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        drop(work()?);
        times.push((start.elapsed().as_secs_f64() * 1e3).to_string());
    }
    Ok(times.join(", "))
}

fn main() -> Result<(), Box<dyn Error>> {
    let [folder, runs] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "FOLDER RUNS")?;
    let (folder, runs) = (PathBuf::from(folder), runs.parse()?);
    let data = read_ipc(folder.join("data.arrow")).read()?;
    let other = read_ipc(folder.join("other.arrow")).read()?;
    let aggregates = || [col("x").sum(), col("x").mean().alias("m")];
    let groupby = times(runs, || data.group_by("k").agg(aggregates()))?;
    let merge = times(runs, || data.merge(&other, &Merge::inner().on("id")))?;
    println!("{{\"groupby_ms\": [{groupby}], \"merge_ms\": [{merge}]}}");
    Ok(())
}
