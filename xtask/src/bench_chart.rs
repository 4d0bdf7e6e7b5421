//! Times over those of the best other library as a picture.

use serde_json::{Map, Value};
use std::fmt::Write;

/// Pixels.
const LINE: f64 = 16.0;
const LABELS: f64 = 270.0;
const BARS: f64 = 420.0;
const TOP: f64 = 58.0;
/// Ratios of the axis, which is logarithmic: each is twice the one before.
const AXIS: [(&str, f64); 8] = [
    ("1/64", -6.0),
    ("1/32", -5.0),
    ("1/16", -4.0),
    ("1/8", -3.0),
    ("1/4", -2.0),
    ("1/2", -1.0),
    ("1", 0.0),
    ("2", 1.0),
];
/// Libraries in records, and their names; engines of one library are one.
const LIBRARIES: [(&str, &str); 5] = [
    ("duckdb", "DuckDB"),
    ("polars", "Polars"),
    ("clickhouse", "ClickHouse"),
    ("datafusion", "DataFusion"),
    ("pandas", "pandas"),
];
/// The power of two at which the axis begins, and the doublings on it.
const FIRST: f64 = -6.0;
const DOUBLINGS: f64 = 8.0;

/// Columnade's time over that of the fastest other library.
pub(crate) fn ratio(row: &Value) -> Option<f64> {
    let others = row.as_object()?.iter().filter(|(library, _)| !library.starts_with("columnade"));
    let best = others.filter_map(|(_, seconds)| seconds.as_f64()).min_by(f64::total_cmp)?;
    row["columnade"].as_f64().map(|seconds| seconds / best)
}

/// The other libraries of the figures, of which the best counts.
fn others(figures: &Map<String, Value>) -> String {
    let is_there = |library: &str| figures.values().any(|row| row.get(library).is_some_and(Value::is_number));
    let names: Vec<&str> =
        LIBRARIES.into_iter().filter(|(library, _)| is_there(library)).map(|(_, name)| name).collect();
    match names.as_slice() {
        [] => "no other library".to_owned(),
        [one] => (*one).to_owned(),
        [one, other] => format!("the faster of {one} and {other}"),
        [names @ .., last] => format!("the fastest of {} and {last}", names.join(", ")),
    }
}

fn x(power: f64) -> f64 {
    LABELS + BARS * ((power - FIRST) / DOUBLINGS).clamp(0.0, 1.0)
}

/// A name and the number at its end, so that 2 is before 10.
fn order(name: &str) -> (&str, u64) {
    let text = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (text, name[text.len()..].parse().unwrap_or(0))
}

/// Draws the ratios of all figures that have one, by name.
pub(crate) fn draw(figures: &Map<String, Value>) -> String {
    let mut ratios: Vec<(&String, f64)> =
        figures.iter().filter_map(|(name, row)| Some((name, ratio(row)?))).collect();
    ratios.sort_by(|a, b| order(a.0).cmp(&order(b.0)));
    let height = ratios.iter().fold(TOP + 10.0, |height, _| height + LINE);
    let width = LABELS + BARS + 60.0;
    let bottom = height - 6.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" \
         font-size=\"14\">Time of Columnade over that of {} (logarithmic)</text>\n",
        others(figures)
    );
    for (label, power) in AXIS {
        let at = x(power);
        let color = if power == 0.0 { "black" } else { "#cccccc" };
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" stroke=\"{color}\"/><text x=\"{at:.1}\" \
             y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            TOP - 8.0,
            TOP - 14.0
        );
    }
    let mut y = TOP;
    for (name, ratio) in ratios {
        let end = x(ratio.log2());
        let color = if ratio > 1.0 { "#b05030" } else { "#4878a8" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text><rect x=\"{LABELS}\" y=\"{:.1}\" width=\"{:.1}\" \
             height=\"{:.1}\" fill=\"{color}\"/><text x=\"{:.1}\" y=\"{:.1}\">{ratio:.2}</text>",
            LABELS - 6.0,
            y + 9.0,
            y - 1.0,
            end - LABELS,
            LINE - 4.0,
            end + 4.0,
            y + 9.0
        );
        y += LINE;
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::{draw, others, ratio};
    use serde_json::json;

    #[test]
    fn ratio_is_to_fastest_other_library() {
        let row = json!({"columnade": 1.0, "columnade-first-run": 0.1, "duckdb": 4.0, "polars": 2.0, "other": null});
        assert_eq!(ratio(&row), Some(0.5));
        assert_eq!(ratio(&json!({"columnade": 1.0})), None);
        let slow = json!({"columnade": 3.0, "duckdb": 1.0});
        let figures = json!({"h2o/g10": slow, "h2o/g2": row, "alone": {"columnade": 1.0}});
        let svg = draw(figures.as_object().unwrap());
        assert!(
            svg.contains(">0.50</text>") && svg.contains(">3.00</text>") && !svg.contains("alone"),
            "{svg}"
        );
        assert_eq!(svg.matches("<rect").count(), 3);
        assert!(svg.contains("over that of the faster of DuckDB and Polars (logarithmic)"), "{svg}");
        assert!(svg.find("h2o/g2<") < svg.find("h2o/g10<"), "{svg}");
    }

    #[test]
    fn title_names_libraries_that_have_figures() {
        let of = |row| others(json!({ "h2o/g1": row }).as_object().unwrap());
        assert_eq!(of(json!({"columnade": 1.0, "pandas": null})), "no other library");
        assert_eq!(of(json!({"polars-streaming": 1.0, "duckdb": 1.0})), "DuckDB");
        let all = of(json!({"duckdb": 1.0, "pandas": 2.0, "clickhouse": 1.0}));
        assert_eq!(all, "the fastest of DuckDB, ClickHouse and pandas");
    }
}
