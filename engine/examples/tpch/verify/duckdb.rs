//! Answers of `DuckDB` to the queries of the specification, over the same files.

use std::path::Path;
use std::process::Command;

use columnade::{DataFrame, Scalar};
use serde_json::Value;
use tpchgen::q_and_a::QueryAndAnswer;

use super::{places, round, rows};
use crate::Failure;

/// The Python that has the module `duckdb`; without the variable `python3`.
const PYTHON: &str = "COLUMNADE_PYTHON";

const SCRIPT: &str = include_str!("duckdb.py");

/// The script's exit code if there is no `DuckDB`.
const NO_MODULE: i32 = 3;

/// The relative difference allowed where `DuckDB` computes with floats. Of a decimal its last digit may differ too.
const FLOAT_TOLERANCE: f64 = 1e-9;

/// The parameters of the specification's validation run, from the first.
fn parameters(query: u32) -> &'static [&'static str] {
    match query {
        1 => &["90"],
        2 => &["15", "BRASS", "EUROPE"],
        3 => &["BUILDING", "1995-03-15"],
        4 => &["1993-07-01"],
        5 => &["ASIA", "1994-01-01"],
        6 => &["1994-01-01", "0.06", "24"],
        7 => &["FRANCE", "GERMANY"],
        8 => &["BRAZIL", "AMERICA", "ECONOMY ANODIZED STEEL"],
        9 => &["green"],
        10 => &["1993-10-01"],
        11 => &["GERMANY", "0.0001"],
        12 => &["MAIL", "SHIP", "1994-01-01"],
        13 => &["special", "requests"],
        14 => &["1995-09-01"],
        15 => &["1996-01-01"],
        16 => &["Brand#45", "MEDIUM POLISHED", "49", "14", "23", "45", "19", "3", "36", "9"],
        17 => &["Brand#23", "MED BOX"],
        18 => &["300"],
        19 => &["Brand#12", "Brand#23", "Brand#34", "1", "10", "20"],
        20 => &["forest", "1994-01-01", "CANADA"],
        21 => &["SAUDI ARABIA"],
        22 => &["13", "31", "23", "29", "30", "18", "17"],
        _ => &[],
    }
}

/// The rows that the specification asks for, of queries that do not say so in SQL.
fn limit(query: u32) -> Option<u32> {
    match query {
        2 | 18 | 21 => Some(100),
        3 => Some(10),
        10 => Some(20),
        _ => None,
    }
}

/// The query as one statement of SQL.
///
/// # Errors
/// When TPC-H has no such query.
pub(crate) fn sql(query: u32) -> Result<String, Failure> {
    let official = QueryAndAnswer::new(i32::try_from(query)?, 1.0)?;
    // From the last: `:1` is the start of `:10`.
    let mut text = official.query().replace("revenue:s", "revenue").replace("(3)", "");
    for (position, value) in parameters(query).iter().enumerate().rev() {
        text = text.replace(&format!(":{}", position + 1), value);
    }
    let mut statements = text.split(';').map(str::trim);
    let mut text = statements.next().unwrap_or_default().to_owned();
    if let Some(view) = text.strip_prefix("create view ") {
        let (name, body) = view.split_once(" as").ok_or("a view has a body")?;
        text = format!("with {name} as ({body}) {}", statements.next().unwrap_or_default());
    }
    Ok(match limit(query) {
        Some(rows) => format!("{text} limit {rows}"),
        None => text,
    })
}

/// The answer of `DuckDB`; `None` without Python or without its module.
///
/// # Errors
/// When the query fails.
pub(crate) fn answer(query: u32, folder: &Path) -> Result<Option<Value>, Failure> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let run = Command::new(python).args(["-c", SCRIPT]).arg(folder).arg(sql(query)?).output();
    let Ok(output) = run else { return Ok(None) };
    if output.status.code() == Some(NO_MODULE) {
        return Ok(None);
    }
    if !output.status.success() {
        return Err(format!("DuckDB, Q{query}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(Some(serde_json::from_slice(&output.stdout)?))
}

/// Compares with an answer of `DuckDB`; one line for each difference.
///
/// Labels may differ: `DuckDB` names sums that the query does not name.
///
/// # Errors
/// When the result cannot be read, or the answer is none.
pub(crate) fn against(answer: &Value, result: &DataFrame) -> Result<Vec<String>, Failure> {
    let list = |name: &str| answer[name].as_array().ok_or_else(|| format!("an answer has {name}"));
    let (types, expected) = (list("types")?, list("rows")?);
    if result.columns().len() != types.len() {
        return Ok(vec![format!("columns: expected {}, found {:?}", answer["columns"], result.columns())]);
    }
    let mut differences = Vec::new();
    if result.len() != expected.len() {
        differences.push(format!("rows: expected {}, found {}", expected.len(), result.len()));
    }
    for (row, (expected, found)) in expected.iter().zip(rows(result)?).enumerate() {
        for (position, (found, name)) in found.iter().zip(result.columns()).enumerate() {
            let (text, dtype) = (expected[position].as_str(), types[position].as_str().unwrap_or_default());
            if !is_same(found, text, dtype) {
                let text = text.unwrap_or("null");
                differences.push(format!("row {row}, {name}: DuckDB has {text}, found {found}"));
            }
        }
    }
    Ok(differences)
}

/// Whether a value is what `DuckDB` writes for a value of one of its types.
fn is_same(found: &Scalar, text: Option<&str>, dtype: &str) -> bool {
    let Some(text) = text else {
        // A sum of no rows is null in SQL, and zero here.
        return matches!(found, Scalar::Null(_) | Scalar::Decimal { value: 0, .. });
    };
    let number = match found {
        Scalar::Float64(value) => Some((*value, 0.0)),
        Scalar::Decimal { scale, .. } if dtype == "DOUBLE" => {
            found.to_string().parse().ok().map(|number: f64| (number, 10_f64.powi(-i32::from(*scale))))
        }
        _ => None,
    };
    if let (Some((number, digit)), Ok(expected)) = (number, text.parse::<f64>()) {
        return (number - expected).abs() <= (FLOAT_TOLERANCE * expected.abs()).max(digit / 2.0);
    }
    match found {
        Scalar::Decimal { value, scale, .. } => {
            round(*value, *scale, places(text)).is_some_and(|found| found == text)
        }
        other => other.to_string() == text,
    }
}
