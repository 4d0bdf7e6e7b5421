//! The command line of the example.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use columnade::Device;
use columnade::memory::parse_bytes;

use crate::Failure;
use crate::report::Record;

/// Sorts, groups and joins frames larger than the memory they may use.
#[derive(Clone, Debug, Parser)]
#[command(name = "out_of_core", version)]
pub(crate) struct Cli {
    /// `host`, `sim` or `cuda:0`; without it `COLUMNADE_DEVICE`, else the first GPU, else the host.
    #[arg(long)]
    device: Option<String>,
    /// The most memory of the device to use, as `256MiB`.
    #[arg(long, default_value = "256MiB", value_parser = limit)]
    pub(crate) limit: usize,
    /// The frames together are this many times larger than the limit.
    #[arg(long, default_value_t = 4, value_parser = factor)]
    pub(crate) factor: usize,
    /// What the random numbers begin with.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Writes everything that was measured.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes a picture of the bytes in every tier over time.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Writes a trace for <https://ui.perfetto.dev>.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// Files to be written when everything is done, opened before anything is.
pub(crate) struct Outputs {
    json: Option<Output>,
    svg: Option<Output>,
    trace: Option<Output>,
}

struct Output {
    path: PathBuf,
    file: File,
}

impl Output {
    fn create(path: &Path) -> Result<Self, Failure> {
        match File::create(path) {
            Ok(file) => Ok(Self { path: path.to_owned(), file }),
            Err(error) => Err(of_file(path, &error)),
        }
    }

    fn write(mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(|error| of_file(&self.path, &error))
    }
}

fn of_file(path: &Path, error: &std::io::Error) -> Failure {
    format!("{}: {error}", path.display()).into()
}

impl Cli {
    /// The device asked for.
    pub(crate) fn device(&self) -> Result<Device, Failure> {
        match &self.device {
            Some(name) => Ok(name.parse()?),
            None => Ok(Device::default_device()?),
        }
    }

    /// Opens what is to be written, so that a name that cannot be fails before the work.
    pub(crate) fn open_outputs(&self) -> Result<Outputs, Failure> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
        Ok(Outputs { json: open(&self.json)?, svg: open(&self.svg)?, trace: open(&self.trace)? })
    }
}

impl Outputs {
    pub(crate) fn write(self, record: &Record<'_>) -> Result<(), Failure> {
        let texts = [
            (self.json, record.to_json()?),
            (self.svg, record.report.to_svg()),
            (self.trace, record.report.to_trace()),
        ];
        texts.into_iter().try_for_each(|(output, text)| output.map_or(Ok(()), |output| output.write(&text)))
    }
}

fn limit(text: &str) -> Result<usize, String> {
    match parse_bytes(text) {
        Ok(bytes) if bytes >= 1 << 20 => Ok(bytes),
        Ok(_) => Err("it is to be at least 1MiB".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn factor(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(factor @ 1..=64) => Ok(factor),
        _ => Err("a whole number from 1 to 64".to_owned()),
    }
}
