//! From a CSV file to Parquet and back: dtypes, nulls, new columns, and a read of the rows and columns that are wanted.
//!
//! `cargo run --release --example files`

use std::fs;

use columnade::prelude::*;

const READINGS: &str = "\
station,time,celsius,note
Oslo,2026-01-01 06:00:00,-11.5,clear
Oslo,2026-01-01 18:00:00,-7.25,
Turin,2026-01-01 06:00:00,1.0,fog
Turin,2026-01-01 18:00:00,n/a,sensor off
Turin,2026-01-02 06:00:00,3.5,
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let (csv, parquet) = (folder.path().join("readings.csv"), folder.path().join("readings.parquet"));
    fs::write(&csv, READINGS)?;

    // Dtypes are those that all values fit; `n/a` is one more spelling of null.
    let readings = read_csv(&csv).null_values(["", "n/a"]).read()?;
    for (label, dtype) in readings.schema() {
        println!("{label}: {dtype}");
    }

    let cleaned = readings
        .drop_nulls(DropNulls::any().subset("celsius"))?
        .with_column("fahrenheit", col("celsius") * 9 / 5 + 32)?
        .with_column("station", col("station").str().upper())?;
    cleaned.write_parquet(&parquet)?;

    // The predicate skips row groups whose statistics exclude it; other columns are not decoded.
    let mornings = read_parquet(&parquet)
        .columns(["station", "time", "fahrenheit"])
        .filter(col("time").lt(date("2026-01-02")?))
        .read()?;
    println!("{mornings}");
    Ok(())
}
