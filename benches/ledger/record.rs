//! The record of all counts, as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::Result;

/// By operation, rows, and whether the columns have nulls.
pub(crate) type Record<N = &'static str> = BTreeMap<(String, usize, bool), BTreeMap<N, u64>>;

/// The counts that are not as recorded, a line each. A lower one is a difference too: the change renews the record.
pub(crate) fn differences(recorded: &Record<String>, found: &Record, only: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (case, counts) in found {
        let Some(known) = recorded.get(case) else {
            lines.push(format!("{}: not in the record", name(case)));
            continue;
        };
        for (count, value) in counts {
            match known.get(*count) {
                Some(before) if before == value => {}
                Some(before) => lines.push(format!("{}: {count} {before} -> {value}", name(case))),
                None => lines.push(format!("{}: {count} is not in the record", name(case))),
            }
        }
    }
    let gone = recorded.keys().filter(|case| case.0.contains(only) && !found.contains_key(case));
    lines.extend(gone.map(|case| format!("{}: recorded, and not run", name(case))));
    lines
}

fn name((operation, rows, has_nulls): &(String, usize, bool)) -> String {
    format!("{operation}, {rows} rows{}", if *has_nulls { ", nulls" } else { "" })
}

pub(crate) fn write(path: &Path, record: &Record) -> Result<()> {
    let cases: Vec<Value> = record
        .iter()
        .map(|((operation, rows, has_nulls), counts)| {
            json!({"operation": operation, "rows": rows, "nulls": has_nulls, "counts": counts})
        })
        .collect();
    // One case a line: a change of the record reads as a list of cases.
    let lines: Vec<String> = cases.iter().map(|case| format!("    {case}")).collect();
    Ok(fs::write(path, format!("{{\n  \"cases\": [\n{}\n  ]\n}}\n", lines.join(",\n")))?)
}

pub(crate) fn read(path: &Path) -> Result<Record<String>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let cases = value["cases"].as_array().ok_or_else(|| format!("{}: no list of cases", path.display()))?;
    let case = |case: &Value| -> Option<_> {
        let counts: &Map<String, Value> = case["counts"].as_object()?;
        let counts: Option<_> =
            counts.iter().map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect();
        let rows = usize::try_from(case["rows"].as_u64()?).ok()?;
        Some(((case["operation"].as_str()?.to_owned(), rows, case["nulls"].as_bool()?), counts?))
    };
    let record: Option<_> = cases.iter().map(case).collect();
    Ok(record.ok_or_else(|| format!("{}: a case without its fields", path.display()))?)
}
