//! `cargo xtask ledger`: what every CUDA operation costs, counted on nvcc's code.

use crate::{ledger_chart, resources, test, workspace};
use std::path::PathBuf;
use std::process::ExitCode;

/// The record that `--check` compares with and `--update` writes, from the workspace's folder.
const RECORD: &str = "benches/records/ledger.json";

/// The multiprocessors of the simulated device: those of an H100, since grids depend on them.
const MULTIPROCESSORS: (&str, &str) = ("COLUMNADE_SIM_SMS", "132");

/// The chart that `--update` draws of it.
const CHART: &str = "docs/ledger.svg";
/// The page that ends with the table of all operations.
const PAGE: &str = "docs/ledger.md";

/// Count launches, copies, allocations, memory traffic and instructions of every CUDA operation
///
/// Needs the toolkit of `cargo xtask setup-cuda`, and no GPU: the simulator executes nvcc's PTX. docs/ledger.md
/// explains the counts.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Options {
    /// Only operations with this text in their name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Also print what each kernel costs
    #[arg(long)]
    kernels: bool,
    /// Write the counts to this file
    #[arg(long, value_name = "FILE", conflicts_with = "update")]
    json: Option<PathBuf>,
    /// Fail when counts differ from the record
    #[arg(long)]
    check: bool,
    /// Write the record
    #[arg(long, conflicts_with_all = ["only", "check"])]
    update: bool,
    /// Instead: registers, stack, spills and occupancy of the kernels that ptxas compiles for `sm_90`; of all kernels
    /// with the text of --only in their mangled name, else of those beyond their limits
    #[arg(long, conflicts_with_all = ["kernels", "json", "update"])]
    resources: bool,
    /// With --resources: for every architecture of a release, `sm_80`, `sm_90` and `sm_100`
    #[arg(long, requires = "resources")]
    all_architectures: bool,
}

/// Builds the program in the flavour `ptx` and runs it.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    if options.resources {
        return resources::run(
            options.only.as_deref().unwrap_or_default(),
            options.check,
            options.all_architectures,
        );
    }
    let mut command = workspace::cargo();
    command.env(MULTIPROCESSORS.0, MULTIPROCESSORS.1);
    command.env(test::FLAVOUR, "ptx").env("CARGO_TARGET_DIR", test::target_of("ptx"));
    command.args(["run", "--quiet", "-p", "columnade-ledger", "--features", "columnade-ledger/sim"]);
    command.args(["--", "--count"]);
    if let Some(only) = &options.only {
        command.args(["--only", only]);
    }
    if options.kernels {
        command.arg("--kernels");
    }
    let record = workspace::root().join(RECORD);
    if options.check {
        command.arg("--check").arg(&record);
    }
    let file = options.json.clone().map(std::path::absolute).transpose();
    let file =
        file.map_err(|error| format!("cannot write there: {error}"))?.or(options.update.then_some(record));
    if let Some(file) = file {
        command.arg("--json").arg(file);
    }
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if options.update && status.success() {
        let [record, chart, page] = [RECORD, CHART, PAGE].map(|path| workspace::root().join(path));
        ledger_chart::write(&record, &chart, &page)?;
    }
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
