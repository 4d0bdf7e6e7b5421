//! The command line of the example.

use std::path::PathBuf;

use clap::Parser;
use columnade::Device;

use crate::Failure;
use crate::queries::{self, Query};

/// Runs TPC-H queries through the `DataFrame` API.
///
/// The tables are read from Parquet files; without `--data` they are made first, under `target/tpch/sf<scale>/`.
#[derive(Clone, Debug, Parser)]
#[command(name = "tpch", version)]
pub(crate) struct Cli {
    /// Scale factor of the tables: 1 is about 1 GB of raw data.
    #[arg(long, default_value_t = 1.0, value_parser = parse_scale)]
    pub(crate) scale: f64,
    /// Queries to run, as `1,3,6`; `all` are the 22 of TPC-H.
    #[arg(long, default_value = "all")]
    pub(crate) queries: String,
    /// `host`, `sim` or `cuda:0`; without it `COLUMNADE_DEVICE`, else the first GPU, else the host.
    #[arg(long)]
    pub(crate) device: Option<String>,
    /// Folder of existing tables, one `<table>.parquet` or one folder `<table>/` of Parquet files each.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Compares the results with the official answers (scale 1); at other scales a device with the host, and the host with
    /// `DuckDB` where `python3`, or `COLUMNADE_PYTHON`, has its module.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Compares the results with answers of `DuckDB` in a file, one JSON object a query and line.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// How often each query runs over the loaded columns.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Writes a JSON array with one object a query.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

impl Cli {
    /// The queries asked for, in the order given.
    ///
    /// # Errors
    /// When the list names a query that TPC-H does not have.
    pub(crate) fn selected_queries(&self) -> Result<Vec<&'static Query>, Failure> {
        if self.queries.trim() == "all" {
            return Ok(queries::ALL.iter().collect());
        }
        self.queries
            .split(',')
            .map(|name| {
                let name = name.trim();
                let number: u32 = name.trim_start_matches(['Q', 'q']).parse().map_err(|_| {
                    format!("--queries: `{name}` is not the number of a TPC-H query (1 to 22)")
                })?;
                let query = queries::ALL.iter().find(|query| query.number == number);
                query.ok_or_else(|| format!("--queries: TPC-H has no query {number}; it has 1 to 22").into())
            })
            .collect()
    }

    /// The device asked for, checked to be usable.
    ///
    /// # Errors
    /// When the name is not that of a device, or this build or machine does not have it.
    pub(crate) fn selected_device(&self) -> Result<Device, Failure> {
        let device = match &self.device {
            Some(name) => name.parse()?,
            None => Device::default_device()?,
        };
        device.require()?;
        Ok(device)
    }
}

fn parse_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err("a scale is a number above 0".to_owned()),
    }
}
