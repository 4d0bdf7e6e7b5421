//! `cargo xtask bench`: workloads and functions beside other libraries, in one record and one picture.

use crate::{bench_chart, conformance, workspace};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Names and versions of the other libraries.
const REQUIREMENTS: &str = include_str!("../../benches/requirements.txt");
/// Questions of db-benchmark.
const QUESTIONS: [&str; 15] =
    ["g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "j1", "j2", "j3", "j4", "j5"];

/// Time TPC-H, db-benchmark, functions and operations on the host, beside DuckDB and Polars
#[derive(clap::Args)]
#[command(
    after_help = "Names are tpch/1 to tpch/22, h2o/g1 to h2o/g10, h2o/j1 to h2o/j5, functions/NAME and micro/NAME. Run nothing else meanwhile. \
                  --peers needs Python with pip and venv, and the package index once."
)]
pub(crate) struct Options {
    /// Only names that match; `*` is any text
    #[arg(long, value_name = "GLOB", default_value = "*")]
    only: String,
    /// Also DuckDB and Polars, right after
    #[arg(long)]
    peers: bool,
    /// Rows of all but TPC-H
    #[arg(long, default_value_t = 10_000_000)]
    rows: usize,
    /// Scale factor of TPC-H
    #[arg(long, default_value = "1")]
    scale: String,
    /// Warm runs, of which the median counts
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// Writes the record
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draws times over those of the best other library
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Runs nothing: draws the times of records, of which there can be several
    #[arg(long, value_name = "RECORD", requires = "svg", conflicts_with_all = ["peers", "json"])]
    from: Vec<PathBuf>,
}

/// Seconds by library, of one name.
type Figures = Map<String, Value>;

/// Runs what is asked for, prints the figures and writes them.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    if !options.from.is_empty() {
        let mut figures = Figures::new();
        for path in &options.from {
            figures
                .extend(recorded(&read(path)?).ok_or_else(|| format!("{}: not a record", path.display()))?);
        }
        figures.retain(|name, _| matches(&options.only, name));
        return draw(options, &figures);
    }
    let python = options.peers.then(|| conformance::environment("bench", REQUIREMENTS)).transpose()?;
    let bench = Bench { options, python: python.as_deref(), folder: workspace::target().join("bench") };
    fs::create_dir_all(&bench.folder).map_err(|error| format!("{}: {error}", bench.folder.display()))?;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let mut figures = Figures::new();
    figures.extend(bench.tpch()?);
    figures.extend(bench.h2o()?);
    figures.extend(bench.operations("functions")?);
    figures.extend(bench.operations("micro")?);
    figures.retain(|name, _| matches(&options.only, name));
    for (name, row) in &figures {
        let seconds =
            |library: &str| row[library].as_f64().map_or("-".to_owned(), |value| format!("{value:.4}"));
        let ratio = bench_chart::ratio(row).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let peers = ["duckdb", "polars", "polars-streaming"]
            .map(|library| format!("{:>10}", seconds(library)))
            .concat();
        println!("{name:<45}{:>10}{peers} {ratio:>6}", seconds("columnade"));
    }
    if let Some(path) = &options.json {
        let record = json!({
            "date": output("date", &["-u", "+%F"]),
            "commit": workspace::git(&["rev-parse", "--short", "HEAD"]).unwrap_or_default().trim(),
            "cpu": cpu(),
            "threads": std::thread::available_parallelism().map_or(0, usize::from),
            "load_average_before": load.trim(),
            "rows": options.rows,
            "scale": options.scale,
            "runs": options.runs,
            "peers": REQUIREMENTS.lines().filter(|line| line.contains("==")).collect::<Vec<_>>(),
            "median_seconds": figures,
        });
        fs::write(path, format!("{record:#}\n")).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    draw(options, &figures)
}

fn draw(options: &Options, figures: &Figures) -> Result<ExitCode, String> {
    if let Some(path) = &options.svg {
        fs::write(path, bench_chart::draw(figures))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The figures of a record, whose names say what they are of.
fn recorded(record: &Value) -> Option<Figures> {
    let rows = record["median_seconds"].as_object().or_else(|| record["queries"].as_object())?;
    let named = |name: &String| match name.strip_prefix('Q') {
        _ if name.contains('/') => name.clone(),
        Some(number) => format!("TPC-H, DuckDB: query {number}"),
        None => format!("db-benchmark {name}"),
    };
    // Some records have the ratio beside the times.
    let times = |row: &Value| {
        row.as_object().cloned().into_iter().flatten().filter(|(name, _)| name != "ratio").collect()
    };
    Some(rows.iter().map(|(name, row)| (named(name), times(row))).collect())
}

struct Bench<'a> {
    options: &'a Options,
    python: Option<&'a Path>,
    /// For what the programs write.
    folder: PathBuf,
}

impl Bench<'_> {
    fn tpch(&self) -> Result<Figures, String> {
        let queries: Vec<String> = (1..=22).map(|number: u32| number.to_string()).collect();
        let Some(queries) = self.chosen("tpch", queries.iter().map(String::as_str)) else {
            return Ok(Figures::new());
        };
        let data = format!("target/tpch/sf{}", self.options.scale);
        self.example("tpch", &["--scale", &self.options.scale, "--queries", &queries], &data)
    }

    fn h2o(&self) -> Result<Figures, String> {
        let Some(questions) = self.chosen("h2o", QUESTIONS.into_iter()) else { return Ok(Figures::new()) };
        let rows = self.options.rows.to_string();
        let data = format!("target/h2o/rows{rows}-k100-nulls0-seed42");
        let peers = ["--questions", &questions];
        let ours = ["--rows", &rows, "--questions", &questions];
        self.example_with("h2o", &ours, &data, &peers)
    }

    fn example(&self, name: &str, arguments: &[&str], data: &str) -> Result<Figures, String> {
        self.example_with(name, arguments, data, &[])
    }

    /// An example, and the script of its name beside it.
    fn example_with(
        &self,
        name: &str,
        arguments: &[&str],
        data: &str,
        of_peers: &[&str],
    ) -> Result<Figures, String> {
        let (ours, theirs) = self.files(name);
        // One run more, since the first is not warm.
        let runs = (self.options.runs + 1).to_string();
        let mut command = workspace::cargo();
        command.args(["run", "--quiet", "--release", "--package", "columnade", "--example", name, "--"]);
        command.args(arguments).args(["--device", "host", "--runs", &runs, "--json"]).arg(&ours);
        // The results themselves are of no account.
        succeed(command.stdout(std::process::Stdio::null()), name)?;
        let Some(python) = self.python else {
            let rows = read(&ours)?;
            return Ok(rows.as_array().into_iter().flatten().map(|row| median_of(name, row)).collect());
        };
        let runs = self.options.runs.to_string();
        let mut command = Command::new(python);
        command.current_dir(workspace::root()).arg(format!("benches/{name}/peers.py")).arg(data);
        command.args(of_peers).args(["--runs", &runs, "--columnade"]).arg(&ours).arg("--record").arg(&theirs);
        succeed(&mut command, name)?;
        Ok(prefixed(name, &read(&theirs)?["median_seconds"], 1.0))
    }

    /// A bench whose figures are milliseconds of operations.
    fn operations(&self, bench: &str) -> Result<Figures, String> {
        let only = &self.options.only;
        let names = only.strip_prefix(bench).and_then(|names| names.strip_prefix('/'));
        if !only.starts_with('*') && names.is_none() {
            return Ok(Figures::new());
        }
        let (ours, theirs) = self.files(bench);
        // The longest part of the pattern that is literal.
        let names = names.unwrap_or("*");
        let part = names.split('*').max_by_key(|part| part.len()).unwrap_or_default();
        let rows = self.options.rows.to_string();
        let mut command = workspace::cargo();
        command.args([
            "bench",
            "--quiet",
            "--profile",
            "release",
            "--package",
            "columnade-benches",
            "--bench",
            bench,
        ]);
        command.args(["--", &rows, "--only", part, "--json"]).arg(&ours);
        succeed(command.stdout(std::process::Stdio::null()), bench)?;
        let Some(python) = self.python else {
            let figures = read(&ours)?;
            let figures = figures["figures"].as_object().cloned().unwrap_or_default();
            let seconds = |(name, value): (String, Value)| {
                let name = format!("{bench}/{}", name.strip_suffix(", ms")?);
                Some((name, json!({ "columnade": value.as_f64().map(|value| value / 1000.0) })))
            };
            return Ok(figures.into_iter().filter_map(seconds).collect());
        };
        let mut command = Command::new(python);
        let runs = self.options.runs.to_string();
        command.current_dir(workspace::root()).arg(format!("benches/{bench}/peers.py"));
        command
            .args(["--rows", &rows, "--runs", &runs, "--only", part, "--columnade"])
            .arg(&ours)
            .arg("--record")
            .arg(&theirs);
        succeed(&mut command, bench)?;
        Ok(prefixed(bench, &read(&theirs)?["median_milliseconds"], 1000.0))
    }

    /// The names of a workload that are asked for, with commas; `None` for none of them.
    fn chosen<'n>(&self, workload: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let chosen: Vec<&str> =
            names.filter(|name| matches(&self.options.only, &format!("{workload}/{name}"))).collect();
        (!chosen.is_empty()).then(|| chosen.join(","))
    }

    fn files(&self, name: &str) -> (PathBuf, PathBuf) {
        (self.folder.join(format!("{name}.json")), self.folder.join(format!("{name}-peers.json")))
    }
}

/// Whether a name matches a pattern in which `*` is any text.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).any(|at| name.get(at..).is_some_and(|name| matches(rest, name)))
        }),
    }
}

/// The figures of a script, with the workload before the names, in seconds.
fn prefixed(workload: &str, figures: &Value, per_second: f64) -> Figures {
    let seconds = |row: &Value| -> Value {
        let row = row.as_object().into_iter().flatten();
        let row = row
            .map(|(library, value)| (library.clone(), json!(value.as_f64().map(|value| value / per_second))));
        Value::Object(row.collect())
    };
    let figures = figures.as_object().into_iter().flatten();
    figures.map(|(name, row)| (format!("{workload}/{name}"), seconds(row))).collect()
}

/// The median of an example's warm runs.
fn median_of(workload: &str, row: &Value) -> (String, Value) {
    let seconds: Vec<f64> =
        row["seconds"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let mut warm = seconds.get(1..).filter(|warm| !warm.is_empty()).unwrap_or(&seconds).to_vec();
    warm.sort_by(f64::total_cmp);
    let name = row["query"].as_str().map_or_else(|| row["query"].to_string(), str::to_owned);
    (format!("{workload}/{name}"), json!({ "columnade": warm.get(warm.len() / 2) }))
}

fn read(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn succeed(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{what} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed ({status}); its own message is above")) }
}

/// What a program prints; nothing where there is none.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.map(|line| line.trim_start_matches(['\t', ' ', ':']).to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{matches, median_of, prefixed};
    use serde_json::json;

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches("*", "h2o/g1") && matches("h2o/*", "h2o/g1") && matches("*/g1*", "h2o/g10"));
        assert!(matches("h2o/g1", "h2o/g1") && matches("functions/*of*y", "functions/len of dictionary"));
        assert!(!matches("h2o/g1", "h2o/g10") && !matches("*/g", "h2o/g1") && !matches("tpch*", "h2o/g1"));
    }

    #[test]
    fn figures_are_seconds_by_workload_and_name() {
        let row = json!({"query": "g1", "seconds": [9.0, 3.0, 1.0, 2.0]});
        assert_eq!(median_of("h2o", &row), ("h2o/g1".to_owned(), json!({"columnade": 2.0})));
        let row = json!({"query": 6, "seconds": [9.0]});
        assert_eq!(median_of("tpch", &row), ("tpch/6".to_owned(), json!({"columnade": 9.0})));
        let figures = prefixed("functions", &json!({"len": {"polars": 250.0}}), 1000.0);
        assert_eq!(json!(figures), json!({"functions/len": {"polars": 0.25}}));
    }
}
