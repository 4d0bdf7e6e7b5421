//! Reads of whole files: CSV with inferred dtypes, and Parquet with all columns. `peers.py` reads the same files with other
//! libraries.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use columnade::{DataFrame, Error, read_csv, read_ipc, read_parquet};

/// Prints the median seconds of reads of a file, as JSON lines.
#[derive(Parser)]
struct Options {
    /// Files whose names end in `.csv`, `.parquet` or `.arrow`.
    files: Vec<PathBuf>,
    /// Reads of each, after one that is not counted.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Of `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

fn read(path: &PathBuf) -> Result<DataFrame, Error> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => read_csv(path).read(),
        Some("arrow") => read_ipc(path).read(),
        _ => read_parquet(path).read(),
    }
}

fn main() -> Result<(), Error> {
    let options = Options::parse();
    for path in &options.files {
        let mut seconds = Vec::new();
        let mut shape = (0, 0);
        for _ in 0..=options.repeats {
            let start = Instant::now();
            let frame = black_box(read(path)?);
            seconds.push(start.elapsed().as_secs_f64());
            shape = frame.shape();
        }
        // The first fills the cache of the system.
        seconds.remove(0);
        seconds.sort_by(f64::total_cmp);
        let (file, median) = (path.display(), seconds[seconds.len() / 2]);
        println!(
            "{{\"library\": \"columnade\", \"file\": \"{file}\", \"rows\": {}, \"columns\": {}, \"seconds\": {median:.3}}}",
            shape.0, shape.1
        );
    }
    Ok(())
}
