//! A naive evaluation of the questions, row by row.

use std::collections::HashMap;

use columnade::{DataFrame, Scalar};

use crate::Failure;

/// The difference allowed between floating-point results, relative above 1: additions are in another order.
const FLOAT_TOLERANCE: f64 = 1e-9;

/// A table as columns of values.
struct Table {
    columns: HashMap<String, Vec<Scalar>>,
    labels: Vec<String>,
    rows: usize,
}

impl Table {
    fn new(frame: &DataFrame) -> Result<Self, Failure> {
        let labels: Vec<String> = frame.columns().iter().map(ToString::to_string).collect();
        let values = |label: &String| Ok((label.clone(), frame.column(label.as_str())?.to_scalars()?));
        let columns = labels.iter().map(values).collect::<Result<_, Failure>>()?;
        Ok(Self { columns, labels, rows: frame.len() })
    }

    fn value(&self, label: &str, row: usize) -> &Scalar {
        &self.columns[label][row]
    }

    /// The numbers of a column in some rows that are not null.
    fn numbers(&self, label: &str, rows: &[usize]) -> Vec<f64> {
        let values = rows.iter().map(|&row| self.value(label, row));
        values.filter(|value| !matches!(value, Scalar::Null(_))).map(number).collect()
    }

    /// The rows of each group, in the order of the first rows.
    fn groups(&self, keys: &[&str], rows: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut positions = HashMap::new();
        for row in rows {
            let key: Vec<String> = keys.iter().map(|key| format!("{:?}", self.value(key, row))).collect();
            let position = *positions.entry(key).or_insert(groups.len());
            if position == groups.len() {
                groups.push(Vec::new());
            }
            groups[position].push(row);
        }
        groups
    }
}

/// A cell of a naive result.
#[derive(Clone, Debug)]
enum Cell {
    /// A key, or a value of a joined row.
    Value(Scalar),
    /// A number; `None` for a null.
    Number(Option<f64>),
    /// A list of numbers.
    List(Vec<f64>),
}

/// A value as `float64`; a list as the sum of its values, null as 0.
pub(crate) fn number(value: &Scalar) -> f64 {
    match value {
        Scalar::Int32(value) => f64::from(*value),
        #[expect(clippy::cast_precision_loss, reason = "sums of the tables have fewer than 53 bits")]
        Scalar::Int64(value) => *value as f64,
        Scalar::Float64(value) => *value,
        Scalar::List { values, .. } => values.iter().map(number).sum(),
        _ => 0.0,
    }
}

/// One line for each difference between a result and the naive one.
///
/// # Errors
/// When a table cannot be read, and for a question that is not known.
pub(crate) fn differences(
    question: &str,
    tables: &[DataFrame],
    result: &DataFrame,
) -> Result<Vec<String>, Failure> {
    let tables = tables.iter().map(Table::new).collect::<Result<Vec<_>, _>>()?;
    let expected = evaluate(question, &tables)?;
    let found = Table::new(result)?;
    Ok(compare(&expected, &found))
}

fn compare(expected: &[Vec<Cell>], found: &Table) -> Vec<String> {
    if expected.len() != found.rows {
        return vec![format!("rows: expected {}, found {}", expected.len(), found.rows)];
    }
    let mut differences = Vec::new();
    for (row, cells) in expected.iter().enumerate() {
        if cells.len() != found.labels.len() {
            return vec![format!("columns: expected {}, found {}", cells.len(), found.labels.len())];
        }
        for (cell, label) in cells.iter().zip(&found.labels) {
            let value = found.value(label, row);
            if !is_same(cell, value) {
                differences.push(format!("row {row}, {label}: expected {cell:?}, found {value:?}"));
            }
        }
    }
    differences
}

fn is_close(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= FLOAT_TOLERANCE * a.abs().max(1.0)
}

fn is_same(expected: &Cell, found: &Scalar) -> bool {
    match (expected, found) {
        (Cell::Value(Scalar::Null(_)) | Cell::Number(None), found) => matches!(found, Scalar::Null(_)),
        (Cell::Value(expected), found) => expected == found,
        (Cell::Number(Some(_)), Scalar::Null(_)) => false,
        (Cell::Number(Some(expected)), found) => is_close(*expected, number(found)),
        (Cell::List(expected), Scalar::List { values, .. }) => {
            expected.len() == values.len()
                && expected.iter().zip(values).all(|(a, value)| is_close(*a, number(value)))
        }
        (Cell::List(_), _) => false,
    }
}

fn evaluate(question: &str, tables: &[Table]) -> Result<Vec<Vec<Cell>>, Failure> {
    let by = |keys: &[&str], values: &dyn Fn(&Table, &[usize]) -> Vec<Cell>| {
        let table = &tables[0];
        let groups = table.groups(keys, 0..table.rows);
        let row = |rows: &Vec<usize>| {
            let keys = keys.iter().map(|key| Cell::Value(table.value(key, rows[0]).clone()));
            keys.chain(values(table, rows)).collect()
        };
        Ok(groups.iter().map(row).collect())
    };
    match question {
        "g1" => by(&["id1"], &|table, rows| vec![sum(table, "v1", rows)]),
        "g2" => by(&["id1", "id2"], &|table, rows| vec![sum(table, "v1", rows)]),
        "g3" => by(&["id3"], &|table, rows| vec![sum(table, "v1", rows), mean(table, "v3", rows)]),
        "g4" => by(&["id4"], &|table, rows| ["v1", "v2", "v3"].map(|v| mean(table, v, rows)).to_vec()),
        "g5" => by(&["id6"], &|table, rows| ["v1", "v2", "v3"].map(|v| sum(table, v, rows)).to_vec()),
        "g6" => by(&["id4", "id5"], &|table, rows| {
            let mut values = table.numbers("v3", rows);
            let deviation = Cell::Number(deviation(&values));
            vec![Cell::Number(median(&mut values)), deviation]
        }),
        "g7" => by(&["id3"], &|table, rows| {
            let most = table.numbers("v1", rows).into_iter().reduce(f64::max);
            let least = table.numbers("v2", rows).into_iter().reduce(f64::min);
            vec![Cell::Number(most.zip(least).map(|(most, least)| most - least))]
        }),
        "g8" => Ok(largest(&tables[0])),
        "g9" => by(&["id2", "id4"], &|table, rows| vec![Cell::Number(r_squared(table, rows))]),
        "g10" => by(&["id1", "id2", "id3", "id4", "id5", "id6"], &|table, rows| {
            vec![sum(table, "v3", rows), Cell::Number(Some(count(rows.len())))]
        }),
        "j1" => Ok(join(tables, "id1", false)),
        "j2" => Ok(join(tables, "id2", false)),
        "j3" => Ok(join(tables, "id2", true)),
        "j4" => Ok(join(tables, "id5", false)),
        "j5" => Ok(join(tables, "id3", false)),
        _ => Err(format!("no naive evaluation of {question}").into()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of rows has fewer than 53 bits")]
fn count(rows: usize) -> f64 {
    rows as f64
}

fn sum(table: &Table, label: &str, rows: &[usize]) -> Cell {
    Cell::Number(Some(table.numbers(label, rows).into_iter().sum()))
}

fn average(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count(values.len()))
}

fn mean(table: &Table, label: &str, rows: &[usize]) -> Cell {
    Cell::Number(average(&table.numbers(label, rows)))
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

fn deviation(values: &[f64]) -> Option<f64> {
    let mean = average(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / count(values.len() - 1)).sqrt())
}

/// The square of Pearson's correlation of v1 and v2, of the rows that have both.
fn r_squared(table: &Table, rows: &[usize]) -> Option<f64> {
    let is_null = |label: &str, row: usize| matches!(table.value(label, row), Scalar::Null(_));
    let rows: Vec<usize> =
        rows.iter().copied().filter(|&row| !is_null("v1", row) && !is_null("v2", row)).collect();
    let (x, y) = (table.numbers("v1", &rows), table.numbers("v2", &rows));
    let (mean_x, mean_y) = (average(&x)?, average(&y).filter(|_| rows.len() > 1)?);
    let products = |a: &[f64], mean_a: f64, b: &[f64], mean_b: f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum()
    };
    let (xy, xx, yy) = (
        products(&x, mean_x, &y, mean_y),
        products(&x, mean_x, &x, mean_x),
        products(&y, mean_y, &y, mean_y),
    );
    // NaN of values that are all equal, as in pandas and DuckDB.
    Some(xy * xy / (xx * yy))
}

/// The two largest v3 of each id6, of the rows that have a v3.
fn largest(table: &Table) -> Vec<Vec<Cell>> {
    let valued = (0..table.rows).filter(|&row| !matches!(table.value("v3", row), Scalar::Null(_)));
    let row = |rows: &Vec<usize>| {
        let mut values = table.numbers("v3", rows);
        values.sort_by(|a, b| b.total_cmp(a));
        values.truncate(2);
        vec![Cell::Value(table.value("id6", rows[0]).clone()), Cell::List(values)]
    };
    table.groups(&["id6"], valued).iter().map(row).collect()
}

/// The joined rows in the order of the left table and then of the right one, the key once.
fn join(tables: &[Table], key: &str, keeps_left: bool) -> Vec<Vec<Cell>> {
    let [left, right] = tables else { return Vec::new() };
    let matches = right.groups(&[key], 0..right.rows);
    let by_key: HashMap<String, &Vec<usize>> =
        matches.iter().map(|rows| (format!("{:?}", right.value(key, rows[0])), rows)).collect();
    let mut joined = Vec::new();
    let others: Vec<&String> = right.labels.iter().filter(|label| **label != key).collect();
    for row in 0..left.rows {
        let cells: Vec<Cell> =
            left.labels.iter().map(|label| Cell::Value(left.value(label, row).clone())).collect();
        let matched = by_key.get(&format!("{:?}", left.value(key, row)));
        for &other in matched.into_iter().copied().flatten() {
            let of_right = others.iter().map(|label| Cell::Value(right.value(label, other).clone()));
            joined.push(cells.iter().cloned().chain(of_right).collect());
        }
        if matched.is_none() && keeps_left {
            let nulls = others.iter().map(|_| Cell::Number(None));
            joined.push(cells.iter().cloned().chain(nulls).collect());
        }
    }
    joined
}
