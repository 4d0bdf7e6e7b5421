//! Functions of strings, dates, numbers and lists over ten million rows: median milliseconds, beside which `peers.py` sets other
//! libraries.
//!
//! `cargo bench -p columnade-benches --bench functions [-- ROWS] [--only PART] [--json FILE]`; PART is in the names of the
//! functions. `COLUMNADE_DEVICE` chooses the device. Run as a test it takes few rows and only checks that every function runs.

#![allow(missing_docs, reason = "a program")]

mod data;

use columnade_benches::{Figure, arguments, is_measured, publish};
use columnade_buffers::{Device, Exec};
use columnade_columns::{DType, ErrorKind, Result, TimeUnit};
use columnade_ops::expression::{Expr, col, evaluate};
use columnade_ops::lists::explode;
use columnade_ops::strings::JoinNulls;
use std::time::Instant;

/// Rows of a run as a test: every function once, nothing timed.
const FEW_ROWS: usize = 5_000;
const ROWS: usize = 10_000_000;
const RUNS: usize = 5;

/// The functions of strings `s`, with names that end with `of`.
fn of_strings(s: &str, of: &str) -> Vec<(String, Vec<Expr>)> {
    let text = || col(s).str();
    let functions = [
        ("len", text().len()),
        ("lower", text().lower()),
        ("strip", text().strip()),
        ("contains", text().contains("quick")),
        ("contains regex", text().contains_regex("qu[a-z]+ [a-m]")),
        ("replace", text().replace("o", "00")),
        ("slice", text().slice(2, 5)),
    ];
    functions.into_iter().map(|(name, expr)| (format!("{name}{of}"), vec![expr])).collect()
}

/// What is computed, by name.
fn functions() -> Vec<(String, Vec<Expr>)> {
    let micros = DType::Timestamp(TimeUnit::Micro);
    let others = [
        ("replace regex", vec![col("s").str().replace_regex("[aeiou]+", "*", None)]),
        ("concat", vec![col("s").str().concat([col("i")], "-", JoinNulls::Propagate)]),
        ("split to two columns", col("kv").str().split_columns(",", 2)),
        ("split to list", vec![col("kv").str().split(",", None)]),
        ("extract", vec![col("kv").str().extract("([0-9]+),", 1)]),
        ("string to integer", vec![col("i").cast(DType::Int64)]),
        ("string to float", vec![col("f").cast(DType::Float64)]),
        ("string to date", vec![col("ds").cast(DType::Date32)]),
        ("string to timestamp", vec![col("ds").cast(micros)]),
        ("timestamp to string", vec![col("t").cast(DType::Utf8)]),
        ("float to string", vec![col("x").cast(DType::Utf8)]),
        ("year", vec![col("t").dt().year()]),
        ("year of date", vec![col("d").dt().year()]),
        ("truncate to month", vec![col("t").dt().truncate("1mo")]),
        ("truncate date to month", vec![col("d").dt().truncate("1mo")]),
        ("truncate to hour", vec![col("t").dt().truncate("1h")]),
        ("add a month to date", vec![col("d").dt().add_months(1)]),
        ("format of date", vec![col("d").dt().strftime("%Y-%m-%d")]),
        ("local time of zone", vec![col("z").dt().tz_naive()]),
        ("pow 2.5", vec![col("x").pow(2.5)]),
        ("exp", vec![col("x").exp()]),
        ("ln", vec![col("x").ln()]),
        ("round 2", vec![col("x").round(2)]),
        ("list len", vec![col("l").list().len()]),
        ("list sum", vec![col("l").list().sum()]),
        ("list get", vec![col("l").list().get(1)]),
        ("list take", vec![col("l").list().take_each([0, -1])]),
        ("list index", vec![col("l").list().index(7)]),
    ];
    let mut all = of_strings("s", "");
    all.extend(others.map(|(name, exprs)| (name.to_owned(), exprs)));
    all.extend(of_strings("r", " of few values"));
    all.extend(of_strings("c", " of dictionary"));
    all
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let measured = is_measured();
    let arguments = arguments();
    let asked = arguments.iter().find_map(|argument| argument.parse().ok());
    let only =
        arguments.iter().skip_while(|argument| *argument != "--only").nth(1).map_or("", String::as_str);
    let rows = asked.unwrap_or(if measured { ROWS } else { FEW_ROWS });
    let exec = Exec::new(Device::default_device()?)?;
    let frame = data::frame(rows, &exec)?;
    let mut figures = Vec::new();
    let mut time = |name: &str, run: &dyn Fn() -> Result<()>| -> Result<()> {
        if !name.contains(only) {
            return Ok(());
        }
        match run() {
            // Functions that devices do not have.
            Err(error) if error.kind() == ErrorKind::NotImplemented => return Ok(()),
            done => done?,
        }
        if !measured {
            return Ok(());
        }
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            run()?;
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        figures.push(Figure {
            name: name.to_owned(),
            value: times[RUNS / 2],
            unit: "ms",
            target: "at most the best of peers.py",
        });
        Ok(())
    };
    for (name, exprs) in functions() {
        time(&name, &|| {
            let made = evaluate(&exprs, &frame, &exec)?;
            exec.synchronize()?;
            drop(made);
            Ok(())
        })?;
    }
    let lists = frame.select(["l"])?;
    time("explode", &|| {
        let made = explode(&lists, ["l"], &exec)?;
        exec.synchronize()?;
        drop(made);
        Ok(())
    })?;
    publish(&figures, None)?;
    Ok(())
}
