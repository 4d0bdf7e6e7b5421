//! `cargo xtask bench`: workloads and functions beside other libraries, in one record and one picture.

use crate::{bench_chart, conformance, workspace};
use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Names and versions of the other libraries.
const REQUIREMENTS: &str = include_str!("../../benches/requirements.txt");
/// Questions of db-benchmark.
const QUESTIONS: [&str; 15] =
    ["g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "j1", "j2", "j3", "j4", "j5"];

/// Other libraries, in the order in which their figures are printed.
const PEERS: [&str; 6] = ["duckdb", "polars", "polars-streaming", "clickhouse", "datafusion", "pandas"];
/// What the scripts record beside the figures, by workload.
const NOTES: [&str; 9] = [
    "order",
    "rounds",
    "runs_a_round",
    "columnade",
    "left_out",
    "changes_of_sql",
    "stream_bytes_per_second",
    "least_bytes",
    "fraction_of_stream",
];

/// Time TPC-H, db-benchmark, functions and operations on the host, in rounds with other libraries
#[derive(clap::Args)]
#[command(
    after_help = "Names are tpch/1 to tpch/22, h2o/g1 to h2o/g10, h2o/j1 to h2o/j5, functions/NAME and micro/NAME. Run nothing else meanwhile. \
                  --peers are DuckDB, Polars (both engines), ClickHouse (chdb), DataFusion and pandas; it needs Python with pip and venv, and the package index once."
)]
pub(crate) struct Options {
    /// Only names that match; `*` is any text
    #[arg(long, value_name = "GLOB", default_value = "*")]
    only: String,
    /// Also other libraries: each question in rounds, on one library after the other
    #[arg(long)]
    peers: bool,
    /// Rows of all but TPC-H
    #[arg(long, default_value_t = 10_000_000)]
    rows: usize,
    /// Scale factor of TPC-H
    #[arg(long, default_value = "1")]
    scale: String,
    /// Warm runs, of which the median counts; with --peers, rounds
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

/// What a workload took.
#[derive(Default)]
struct Measured {
    figures: Figures,
    /// How a script measured it.
    notes: Option<Value>,
}

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
    let (mut figures, mut notes) = (Figures::new(), Map::new());
    for workload in ["tpch", "h2o", "functions", "micro"] {
        let measured = match workload {
            "tpch" => bench.tpch()?,
            "h2o" => bench.h2o()?,
            operations => bench.operations(operations)?,
        };
        figures.extend(measured.figures);
        notes.extend(measured.notes.map(|notes| (workload.to_owned(), notes)));
    }
    figures.retain(|name, _| matches(&options.only, name));
    let names = PEERS.map(|library| format!("{library:>17}")).concat();
    println!("{:<45}{:>12}{names} {:>6}", "seconds", "columnade", "ratio");
    for (name, row) in &figures {
        let seconds =
            |library: &str| row[library].as_f64().map_or("-".to_owned(), |value| format!("{value:.4}"));
        let ratio = bench_chart::ratio(row).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let peers = PEERS.map(|library| format!("{:>17}", seconds(library))).concat();
        println!("{name:<45}{:>12}{peers} {ratio:>6}", seconds("columnade"));
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
            "measured": notes,
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
    fn tpch(&self) -> Result<Measured, String> {
        let queries: Vec<String> = (1..=22).map(|number: u32| number.to_string()).collect();
        let Some(queries) = self.chosen("tpch", queries.iter().map(String::as_str)) else {
            return Ok(Measured::default());
        };
        let data = format!("target/tpch/sf{}", self.options.scale);
        let ours = self.file("tpch");
        let of_peers = ["--queries".as_ref(), ours.as_os_str()];
        self.example("tpch", &["--scale", &self.options.scale, "--queries", &queries], &data, &of_peers)
    }

    fn h2o(&self) -> Result<Measured, String> {
        let Some(questions) = self.chosen("h2o", QUESTIONS.into_iter()) else {
            return Ok(Measured::default());
        };
        let rows = self.options.rows.to_string();
        let data = format!("target/h2o/rows{rows}-k100-nulls0-seed42");
        let of_peers = ["--questions".as_ref(), questions.as_ref()];
        self.example("h2o", &["--rows", &rows, "--questions", &questions], &data, &of_peers)
    }

    /// An example; with peers it runs once here, to make its tables and to write its queries, and the script of its name runs
    /// it again in each round.
    fn example(
        &self,
        name: &str,
        arguments: &[&str],
        data: &str,
        of_peers: &[&OsStr],
    ) -> Result<Measured, String> {
        let ours = self.file(name);
        // One run more, since the first is not warm.
        let runs = if self.python.is_some() { 1 } else { self.options.runs + 1 };
        let mut command = workspace::cargo();
        command.args(["run", "--quiet", "--release", "--package", "columnade", "--example", name, "--"]);
        command.args(arguments).args(["--device", "host", "--runs", &runs.to_string(), "--json"]).arg(&ours);
        // The results themselves are of no account.
        succeed(command.stdout(Stdio::null()), name)?;
        let Some(python) = self.python else {
            let rows = read(&ours)?;
            let figures = rows.as_array().into_iter().flatten().map(|row| median_of(name, row)).collect();
            return Ok(Measured { figures, notes: None });
        };
        let mut command = self.script(python, name);
        command.arg(data).args(of_peers).arg("--columnade");
        command.arg(workspace::target().join("release/examples").join(name));
        self.rounds(command, name)
    }

    /// A bench whose figures are milliseconds of operations.
    fn operations(&self, bench: &str) -> Result<Measured, String> {
        let only = &self.options.only;
        let names = only.strip_prefix(bench).and_then(|names| names.strip_prefix('/'));
        if !only.starts_with('*') && names.is_none() {
            return Ok(Measured::default());
        }
        // The longest part of the pattern that is literal.
        let names = names.unwrap_or("*");
        let part = names.split('*').max_by_key(|part| part.len()).unwrap_or_default();
        let rows = self.options.rows.to_string();
        let mut command = workspace::cargo();
        command.args(["bench", "--quiet", "--profile", "release", "--package", "columnade-benches"]);
        command.args(["--bench", bench]);
        let Some(python) = self.python else {
            let ours = self.file(bench);
            command.args(["--", &rows, "--only", part, "--json"]).arg(&ours);
            succeed(command.stdout(Stdio::null()), bench)?;
            let figures = read(&ours)?;
            let figures = figures["figures"].as_object().cloned().unwrap_or_default();
            let seconds = |(name, value): (String, Value)| {
                let name = format!("{bench}/{}", name.strip_suffix(", ms")?);
                Some((name, json!({ "columnade": value.as_f64().map(|value| value / 1000.0) })))
            };
            return Ok(Measured { figures: figures.into_iter().filter_map(seconds).collect(), notes: None });
        };
        command.args(["--no-run", "--message-format", "json"]).stderr(Stdio::inherit());
        let built = command.output().map_err(|error| format!("{bench} does not start: {error}"))?;
        let messages = String::from_utf8_lossy(&built.stdout);
        let program = executable(&messages, bench).ok_or_else(|| format!("{bench} was not built"))?;
        let mut command = self.script(python, bench);
        command.args(["--rows", &rows, "--only", part, "--columnade"]).arg(program);
        self.rounds(command, bench)
    }

    /// The script of a workload.
    fn script(&self, python: &Path, workload: &str) -> Command {
        let mut command = Command::new(python);
        command.current_dir(workspace::root()).arg(format!("benches/{workload}/peers.py"));
        command.args(["--rounds", &self.options.runs.to_string()]);
        command
    }

    /// Runs a script, and reads what it measured.
    fn rounds(&self, mut command: Command, workload: &str) -> Result<Measured, String> {
        let record = self.file(&format!("{workload}-peers"));
        succeed(command.arg("--record").arg(&record), workload)?;
        Ok(measured(workload, &read(&record)?))
    }

    /// The names of a workload that are asked for, with commas; `None` for none of them.
    fn chosen<'n>(&self, workload: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let chosen: Vec<&str> =
            names.filter(|name| matches(&self.options.only, &format!("{workload}/{name}"))).collect();
        (!chosen.is_empty()).then(|| chosen.join(","))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }
}

/// The figures of a script's record, with the workload before the names, and how they were measured.
fn measured(workload: &str, record: &Value) -> Measured {
    let figures = record["median_seconds"].as_object().into_iter().flatten();
    let figures = figures.map(|(name, row)| (format!("{workload}/{name}"), row.clone())).collect();
    let note = |name: &str| Some((name.to_owned(), record.get(name)?.clone()));
    Measured { figures, notes: Some(Value::Object(NOTES.into_iter().filter_map(note).collect())) }
}

/// The program of a benchmark, in what cargo says of a build.
fn executable(messages: &str, bench: &str) -> Option<PathBuf> {
    let built = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of_bench =
        |message: &Value| message["target"]["name"] == bench && message["target"]["kind"][0] == "bench";
    built.filter(of_bench).find_map(|message| message["executable"].as_str().map(PathBuf::from))
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
    use super::{executable, matches, measured, median_of};
    use crate::workspace;
    use serde_json::json;
    use std::path::PathBuf;
    use std::process::Command;

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
    }

    #[test]
    fn records_of_scripts_are_figures_and_how_they_were_measured() {
        let record = json!({
            "median_seconds": {"g1": {"polars": 0.5}}, "rounds": 5, "order": ["columnade", "polars"], "machine": "x",
        });
        let measured = measured("h2o", &record);
        assert_eq!(json!(measured.figures), json!({"h2o/g1": {"polars": 0.5}}));
        assert_eq!(measured.notes, Some(json!({"rounds": 5, "order": ["columnade", "polars"]})));
    }

    #[test]
    fn executable_is_that_of_the_bench() {
        let message = |kind: &str, name: &str, path: Option<&str>| {
            json!({"target": {"kind": [kind], "name": name}, "executable": path}).to_string()
        };
        let messages = [
            message("lib", "micro", None),
            message("bench", "functions", Some("/t/functions-1")),
            "not JSON".to_owned(),
            message("bench", "micro", Some("/t/micro-2")),
        ];
        assert_eq!(executable(&messages.join("\n"), "micro"), Some(PathBuf::from("/t/micro-2")));
        assert_eq!(executable(&messages[0], "micro"), None);
    }

    /// The part of the scripts that takes no other library.
    #[test]
    fn scripts_pass_their_own_tests() {
        let mut command = Command::new("python3");
        command.current_dir(workspace::root().join("benches")).args(["-B", "test_timing.py"]);
        match command.output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) if std::env::var("CI").as_deref() == Ok("true") => panic!("python3: {error}"),
            Err(error) => println!("skipped: python3: {error}"),
        }
    }
}
