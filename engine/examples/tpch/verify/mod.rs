//! Comparison of a result with the official answers, or of two results with each other.

pub(crate) mod duckdb;
#[cfg(test)]
mod tests;

use columnade::{DataFrame, Scalar};
use tpchgen::q_and_a::QueryAndAnswer;

use crate::Failure;

/// The relative difference allowed between floating-point results of two devices: a mean is one division of an
/// exact sum, correctly rounded on each, so that a last bit may differ and no more.
const FLOAT_TOLERANCE: f64 = 1e-15;

/// Compares with the official answer at scale 1; one line for each difference.
///
/// Integers, text and dates must be the same, decimals when rounded (half away from zero) to the answer's digits;
/// means are rounded likewise.
///
/// # Errors
/// When there is no official answer or the result cannot be read.
pub(crate) fn against_official(query: u32, result: &DataFrame) -> Result<Vec<String>, Failure> {
    let official = QueryAndAnswer::new(i32::try_from(query)?, 1.0)?;
    let mut lines = official.answer().lines().filter(|line| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().unwrap_or_default().split('|').map(str::trim).collect();
    let expected: Vec<Vec<&str>> = lines.map(|line| line.split('|').map(str::trim).collect()).collect();

    let names: Vec<String> = result.columns().iter().map(ToString::to_string).collect();
    // The answers cut their headings to the width of the column, and number a column that the query does not name.
    let is_named = |position: usize, cut: &str| cut != format!("col{}", position + 1);
    let same_heading = names.len() == header.len()
        && names
            .iter()
            .zip(&header)
            .enumerate()
            .all(|(position, (name, cut))| name.starts_with(cut) || !is_named(position, cut));
    if !same_heading {
        return Ok(vec![format!("columns: expected {}, found {}", header.join(", "), names.join(", "))]);
    }
    let mut differences = Vec::new();
    if result.len() != expected.len() {
        differences.push(format!("rows: expected {}, found {}", expected.len(), result.len()));
    }
    for (row, (expected, found)) in expected.iter().zip(rows(result)?).enumerate() {
        for ((name, expected), found) in names.iter().zip(expected).zip(&found) {
            if !matches_string(found, expected) && !is_misprint(query, name, found, expected) {
                differences.push(format!("row {row}, {name}: expected {expected}, found {found}"));
            }
        }
    }
    Ok(differences)
}

/// Whether a value differs from an answer only by a known misprint of the answers in the crate `tpchgen`: those of Q11 lack the
/// last two digits of the keys, that of Q17 has 02 for 05.
fn is_misprint(query: u32, name: &str, found: &Scalar, expected: &str) -> bool {
    match (query, name, expected) {
        (11, "ps_partkey", _) => {
            let found = found.to_string();
            found.len() == expected.len() + 2 && found.starts_with(expected)
        }
        (17, "avg_yearly", "348406.02") => matches_string(found, "348406.05"),
        _ => false,
    }
}

/// Compares the results of two devices; one line for each difference.
///
/// # Errors
/// When a result cannot be read.
pub(crate) fn against_host(host: &DataFrame, result: &DataFrame) -> Result<Vec<String>, Failure> {
    if host.columns() != result.columns() || host.dtypes() != result.dtypes() {
        return Ok(vec![format!("columns: the host has {host:?}, the device {result:?}")]);
    }
    let mut differences = Vec::new();
    if host.len() != result.len() {
        differences.push(format!("rows: the host has {}, the device {}", host.len(), result.len()));
    }
    for (row, (expected, found)) in rows(host)?.iter().zip(rows(result)?).enumerate() {
        for ((name, expected), found) in host.columns().iter().zip(expected).zip(&found) {
            let same = match (expected, found) {
                (Scalar::Float64(a), Scalar::Float64(b)) => (a - b).abs() <= FLOAT_TOLERANCE * a.abs(),
                _ => expected == found,
            };
            if !same {
                differences.push(format!("row {row}, {name}: the host has {expected}, the device {found}"));
            }
        }
    }
    Ok(differences)
}

/// The values of a frame, row by row.
fn rows(frame: &DataFrame) -> Result<Vec<Vec<Scalar>>, Failure> {
    let mut rows = vec![Vec::with_capacity(frame.columns().len()); frame.len()];
    for name in frame.columns() {
        for (row, value) in rows.iter_mut().zip(frame.column(name)?.to_scalars()?) {
            row.push(value);
        }
    }
    Ok(rows)
}

/// Whether a value is what an answer writes. Answers are padded, so that spaces at the ends do not count.
fn matches_string(found: &Scalar, expected: &str) -> bool {
    match found {
        Scalar::Null(_) => expected.is_empty() || expected.eq_ignore_ascii_case("null"),
        Scalar::Decimal { value, scale, .. } => {
            let nearest = round(*value, *scale, places(expected));
            // Some answers round a half down.
            let below = || round(value - value.signum(), *scale, places(expected));
            nearest.is_some_and(|text| text == expected || below().is_some_and(|text| text == expected))
        }
        Scalar::Float64(value) => format!("{value:.*}", places(expected)) == expected,
        other => other.to_string().trim() == expected,
    }
}

/// Digits after the point of a number in an answer.
fn places(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// `value` × 10^−`scale` with `places` digits after the point, rounded half away from zero; `None` when the digits
/// do not fit 128 bits.
fn round(value: i128, scale: i8, places: usize) -> Option<String> {
    let surplus = i32::from(scale) - i32::try_from(places).ok()?;
    let power = 10_i128.checked_pow(surplus.unsigned_abs())?;
    let rounded = if surplus <= 0 {
        value.checked_mul(power)?
    } else {
        let (quotient, rest) = (value / power, value % power);
        quotient + if rest.abs() * 2 >= power { rest.signum() } else { 0 }
    };
    let sign = if rounded < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", rounded.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some(if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}
