//! The command line of the example.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use columnade::Device;

use crate::Failure;
use crate::questions::{self, Question};

/// How string columns are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strings {
    /// As strings.
    Plain,
    /// As dictionaries.
    Dictionary,
}

/// Runs the questions of db-benchmark through the `DataFrame` API.
///
/// The tables are read from Parquet files; without `--data` they are made first, under `target/h2o/`.
#[derive(Clone, Debug, Parser)]
#[command(name = "h2o", version)]
pub(crate) struct Cli {
    /// Rows of the tables, as `1e7`.
    #[arg(long, default_value = "1e7", value_parser = parse_count)]
    pub(crate) rows: usize,
    /// Distinct values of the keys with few of them; the others have rows / k.
    #[arg(long, default_value = "100", value_parser = parse_count)]
    pub(crate) k: usize,
    /// Share of nulls in the table of the group-by questions, in percent.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) nulls: u32,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 42)]
    pub(crate) seed: u64,
    /// Questions to run, as `g1,g10,j2`; `all` is every question.
    #[arg(long, default_value = "all")]
    pub(crate) questions: String,
    /// How string columns are kept in memory.
    #[arg(long, value_enum, default_value = "plain")]
    pub(crate) strings: Strings,
    /// `host`, `sim` or `cuda:0`; without it `COLUMNADE_DEVICE`, else the first GPU, else the host.
    #[arg(long)]
    pub(crate) device: Option<String>,
    /// Folder of existing tables: `g1`, `x`, `small`, `medium` and `big`, each as `<table>.parquet`.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Compares the results with a naive evaluation, for up to 1e6 rows.
    #[arg(long)]
    pub(crate) verify: bool,
    /// How often each question runs over the loaded columns.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Writes a JSON array with one object a question.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

impl Cli {
    /// The questions asked for, in the order given.
    ///
    /// # Errors
    /// When the list names a question that db-benchmark does not have.
    pub(crate) fn selected_questions(&self) -> Result<Vec<&'static Question>, Failure> {
        if self.questions.trim() == "all" {
            return Ok(questions::ALL.iter().collect());
        }
        let find = |name: &str| {
            let name = name.trim();
            questions::ALL.iter().find(|question| question.name == name).ok_or_else(|| {
                format!("--questions: db-benchmark has no question `{name}`; it has g1 to g10 and j1 to j5")
                    .into()
            })
        };
        self.questions.split(',').map(find).collect()
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

/// A whole number of at least 1, also as `1e7`.
fn parse_count(text: &str) -> Result<usize, String> {
    if let Ok(count) = text.parse::<usize>() {
        return if count > 0 { Ok(count) } else { Err("a number above 0 is needed".to_owned()) };
    }
    let error = || "a whole number is needed, as 10000000 or 1e7".to_owned();
    let (digits, exponent) = text.split_once(['e', 'E']).ok_or_else(error)?;
    let digits: usize = digits.parse().map_err(|_| error())?;
    let power = 10_usize.checked_pow(exponent.parse().map_err(|_| error())?).ok_or_else(error)?;
    digits.checked_mul(power).filter(|&count| count > 0).ok_or_else(error)
}
