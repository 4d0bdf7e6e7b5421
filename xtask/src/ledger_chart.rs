//! The traffic factors of the ledger's record as a picture.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The row count that is drawn, without nulls.
const ROWS: u32 = 100_000;
/// Pixels.
const LINE: f64 = 16.0;
const LABELS: f64 = 330.0;
const BARS: f64 = 420.0;
const TOP: f64 = 58.0;
/// Factors of the axis, which is logarithmic: each is twice the one before.
const AXIS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
const DOUBLINGS: f64 = 7.0;

/// What the table of a page comes after.
const TABLE: &str = "\n## All operations\n";

/// Draws the record's traffic factors, the largest first, and writes the table at the end of a page.
pub(crate) fn write(record: &Path, chart: &Path, page: &Path) -> Result<(), String> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let value: Value =
        serde_json::from_str(&read(record)?).map_err(|error| format!("{}: {error}", record.display()))?;
    let invalid = || format!("{}: not a record", record.display());
    let factors = factors(&value).ok_or_else(invalid)?;
    fs::write(chart, draw(&factors)).map_err(|error| format!("{}: {error}", chart.display()))?;
    let text = with_table(&read(page)?, &value).ok_or_else(invalid)?;
    fs::write(page, text).map_err(|error| format!("{}: {error}", page.display()))
}

/// The page with the table of the record after its last heading.
fn with_table(page: &str, record: &Value) -> Option<String> {
    let before = page.split(TABLE).next().unwrap_or_default().trim_end();
    let mut text = format!(
        "{before}\n{TABLE}\n{ROWS} rows. Operations without a factor have nothing that they must move.\n\n\
         | operation | nulls | launches | syncs | allocs | traffic | instr/row | atomics |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    );
    for case in record["cases"].as_array()?.iter().filter(|case| case["rows"] == ROWS) {
        let count = |name: &str| case["counts"][name].as_u64();
        let number = |name: &str| case["counts"][name].as_f64();
        let ideal = number("ideal bytes")?;
        let traffic =
            if ideal > 0.0 { format!("{:.2}", number("traffic bytes")? / ideal) } else { String::new() };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {traffic} | {:.2} | {} |",
            case["operation"].as_str()?,
            if case["nulls"].as_bool()? { "yes" } else { "no" },
            count("launches")?,
            count("synchronizations")?,
            count("allocations")?,
            number("warp instructions")? / f64::from(ROWS),
            count("most atomics on one address")?,
        );
    }
    Some(text)
}

/// Operations with their factors. Those that must move nothing have none.
fn factors(record: &Value) -> Option<Vec<(String, f64)>> {
    let mut factors = Vec::new();
    for case in record["cases"].as_array()? {
        let count = |name: &str| case["counts"][name].as_f64();
        let ideal = count("ideal bytes")?;
        if case["rows"] == ROWS && !case["nulls"].as_bool()? && ideal > 0.0 {
            factors.push((case["operation"].as_str()?.to_owned(), count("traffic bytes")? / ideal));
        }
    }
    factors.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Some(factors)
}

/// Where a factor ends on the axis, which begins at a half.
fn x(factor: f64) -> f64 {
    LABELS + BARS * ((factor.max(0.5).log2() + 1.0) / DOUBLINGS).min(1.0)
}

fn draw(factors: &[(String, f64)]) -> String {
    let height = factors.iter().fold(TOP + 10.0, |height, _| height + LINE);
    let width = LABELS + BARS + 60.0;
    let bottom = height - 6.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" \
         font-size=\"14\">Bytes moved over ideal bytes, {ROWS} rows without nulls (logarithmic; counted on PTX, before any \
         cache)</text>\n"
    );
    for factor in AXIS {
        let at = x(f64::from(factor));
        let color = if factor == 1 { "black" } else { "#cccccc" };
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" stroke=\"{color}\"/><text x=\"{at:.1}\" \
             y=\"{:.1}\" text-anchor=\"middle\">{factor}</text>",
            TOP - 8.0,
            TOP - 14.0
        );
    }
    let mut y = TOP;
    for (operation, factor) in factors {
        let end = x(*factor);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{operation}</text><rect x=\"{LABELS}\" y=\"{:.1}\" \
             width=\"{:.1}\" height=\"{:.1}\" fill=\"#4878a8\"/><text x=\"{:.1}\" y=\"{:.1}\">{factor:.2}</text>",
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
    svg.replace(" < ", " &lt; ")
}

#[cfg(test)]
mod tests {
    use super::{draw, factors, with_table};
    use serde_json::{Value, json};

    #[test]
    fn table_of_the_page_is_that_of_the_record() {
        let record: Value = serde_json::from_str(include_str!("../../benches/records/ledger.json")).unwrap();
        let page = include_str!("../../docs/ledger.md");
        assert!(with_table(page, &record).unwrap() == page, "`cargo xtask ledger --update` writes the table");
        assert!(page.contains("| filter 8 columns, half of the rows | yes | 4 | 1 | 17 |"));
    }

    #[test]
    fn factors_of_many_rows_without_nulls_are_sorted() {
        let case = |operation: &str, rows: u64, nulls: bool, ideal: u64| {
            json!({"operation": operation, "rows": rows, "nulls": nulls,
                   "counts": {"ideal bytes": ideal, "traffic bytes": 600}})
        };
        let cases = [
            case("few", 1000, false, 1),
            case("masked", 100_000, true, 1),
            case("nothing", 100_000, false, 0),
            case("a < b", 100_000, false, 300),
            case("worst", 100_000, false, 20),
        ];
        let found = factors(&json!({"cases": cases})).unwrap();
        assert_eq!(found, [("worst".to_owned(), 30.0), ("a < b".to_owned(), 2.0)]);
        let svg = draw(&found);
        assert!(svg.contains(">a &lt; b</text>") && svg.contains(">30.00</text>"), "{svg}");
        assert_eq!(svg.matches("<rect").count(), 3);
    }
}
