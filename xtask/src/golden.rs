//! `cargo xtask golden`: thousands of calls against the results of pandas.

use std::process::{Command, ExitCode};

use crate::{conformance, workspace};

/// Make calls on pandas, and the same ones on every device of the build, and compare the results
#[derive(clap::Args)]
#[command(
    after_help = "The last line is `golden: N cases, N equal, 0 different`. Needs Python with pip and venv, and the \
                        package index once. `cargo test` makes the calls of the sample in tests/golden."
)]
pub(crate) struct Options {
    /// Write the sample that the repository keeps, tests/golden/cases.jsonl, and compare with that
    #[arg(long)]
    update: bool,
    /// Leave the simulator out
    #[arg(long)]
    no_sim: bool,
}

/// Generates the calls, runs them and says how many results are equal.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let python = conformance::python(None)?;
    let folder = workspace::root().join("tests/golden");
    let cases = if options.update {
        folder.join("cases.jsonl")
    } else {
        let made = workspace::target().join("golden");
        std::fs::create_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
        made.join("cases.jsonl")
    };
    let mut generate = Command::new(python);
    generate.arg(folder.join("generate.py")).arg(&cases);
    if options.update {
        generate.arg("--small");
    }
    let status = generate.status().map_err(|error| format!("cannot run Python: {error}"))?;
    if !status.success() {
        return Err(format!("the calls on pandas failed ({status}); the message is above"));
    }
    let mut test = workspace::cargo();
    test.args(["test", "--quiet", "--package", "columnade", "--lib"]).env("COLUMNADE_TEST_GOLDEN", &cases);
    if !options.no_sim {
        test.args(["--features", "columnade/sim"]);
    }
    test.args(["test_golden", "--", "--nocapture"]);
    let status = test.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
