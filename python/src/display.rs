//! Frames and series as HTML, for notebooks.

use std::fmt::Write;

use columnade::{DataFrame, DisplayOptions, Error, Label, Scalar, display_options, set_display_options};
use pyo3::prelude::*;

/// A table of the first and last rows, with as many rows and columns as the display options allow.
pub(crate) fn html(frame: &DataFrame) -> Result<String, Error> {
    let options = display_options();
    let (rows, columns) = frame.shape();
    let row_ranges = window(rows, options.max_rows, options.min_rows);
    let column_ranges = window(columns, options.max_columns, options.max_columns);
    let mut text = String::from("<table class=\"dataframe\">\n<thead>\n<tr>");
    let mut names = String::from("<tr>");
    for name in frame.index().names() {
        let name = if *name == Label::NULL { String::new() } else { escaped(&name.to_string()) };
        let _ = write!(text, "<th>{name}</th>");
        names.push_str("<th></th>");
    }
    let levels = frame.index().level_count();
    // The cells of each row that is shown.
    let mut body: Vec<String> = Vec::new();
    for (at, (start, count)) in row_ranges.iter().enumerate() {
        if at > 0 {
            let cells = column_ranges.iter().map(|(_, count)| count).sum::<usize>() + column_ranges.len() - 1
                + levels;
            body.push("<td>…</td>".repeat(cells));
        }
        let labels = frame.index().slice(*start, *count)?.to_scalars()?;
        body.extend((0..*count).map(|row| {
            let cell = |level: &Vec<Scalar>| {
                format!("<th>{}</th>", escaped(&cut(&options.text(&level[row]), options.max_colwidth)))
            };
            labels.iter().map(cell).collect::<String>()
        }));
    }
    for (part, (start, count)) in column_ranges.iter().enumerate() {
        if part > 0 {
            text.push_str("<th>…</th>");
            names.push_str("<td>…</td>");
            fill(&mut body, &row_ranges, |_| Ok(vec!["…".to_owned(); rows_of(&row_ranges)]))?;
        }
        for at in *start..start + count {
            let column = frame.column(&frame.columns()[at])?;
            let (label, dtype) = (escaped(&column.name().to_string()), escaped(&column.dtype().to_string()));
            let _ = write!(text, "<th>{label}</th>");
            let _ = write!(names, "<td><i>{dtype}</i></td>");
            fill(&mut body, &row_ranges, |ranges| {
                let mut cells = Vec::new();
                for (start, count) in ranges {
                    for value in column.slice(*start, *count)?.to_scalars()? {
                        cells.push(cut(&options.text(&value), options.max_colwidth));
                    }
                }
                Ok(cells)
            })?;
        }
    }
    let _ = write!(text, "</tr>\n{names}</tr>\n</thead>\n<tbody>\n");
    for row in body {
        let _ = writeln!(text, "<tr>{row}</tr>");
    }
    let _ = write!(text, "</tbody>\n</table>\n<p>{rows} rows × {columns} columns, {}</p>", frame.device());
    Ok(text)
}

fn rows_of(ranges: &[(usize, usize)]) -> usize {
    ranges.iter().map(|(_, count)| count).sum()
}

/// Appends a cell to each row that is shown.
fn fill(
    body: &mut [String],
    ranges: &[(usize, usize)],
    cells: impl FnOnce(&[(usize, usize)]) -> Result<Vec<String>, Error>,
) -> Result<(), Error> {
    let cells = cells(ranges)?;
    // Between two ranges stands a row of ellipses, which has its cells.
    let ellipsis = if ranges.len() > 1 { Some(ranges[0].1) } else { None };
    let rows = body.iter_mut().enumerate().filter(|(at, _)| Some(*at) != ellipsis).map(|(_, row)| row);
    for (row, cell) in rows.zip(cells) {
        let _ = write!(row, "<td>{}</td>", escaped(&cell));
    }
    Ok(())
}

/// All of `count`, or where they are more than `most`, `shown` of them from both ends; ranges by start and length.
fn window(count: usize, most: usize, shown: usize) -> Vec<(usize, usize)> {
    if count <= most {
        return vec![(0, count)];
    }
    let (head, tail) = (shown.div_ceil(2), shown / 2);
    vec![(0, head), (count - tail, tail)]
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How tables are printed on this thread: the most rows, those that are left of more, the most columns, the width of a cell and
/// that of a line, all of them 0 for as many as there are, and one more than the digits after the point of floats, 0 for all.
#[pyfunction]
#[pyo3(name = "_display_options")]
pub(crate) fn options() -> [usize; 6] {
    numbers_of(display_options())
}

/// Sets what `_display_options` returns.
#[pyfunction]
#[pyo3(name = "_set_display_options")]
pub(crate) fn set_options(options: [usize; 6]) {
    let [.., digits] = options;
    let number = |count: usize| if count == 0 { usize::MAX } else { count };
    let [max_rows, min_rows, max_columns, max_colwidth, width, _] = options.map(number);
    let precision = digits.checked_sub(1).map(|digits| u8::try_from(digits).unwrap_or(u8::MAX));
    set_display_options(DisplayOptions { max_rows, min_rows, max_columns, max_colwidth, width, precision });
}

/// The options that tables are printed with at first.
#[pyfunction]
#[pyo3(name = "_default_display_options")]
pub(crate) fn default_options() -> [usize; 6] {
    numbers_of(DisplayOptions::default())
}

fn numbers_of(options: DisplayOptions) -> [usize; 6] {
    let DisplayOptions { max_rows, min_rows, max_columns, max_colwidth, width, precision } = options;
    let number = |count: usize| if count == usize::MAX { 0 } else { count };
    let digits = precision.map_or(0, |digits| usize::from(digits) + 1);
    let [max_rows, min_rows, max_columns, max_colwidth, width] =
        [max_rows, min_rows, max_columns, max_colwidth, width].map(number);
    [max_rows, min_rows, max_columns, max_colwidth, width, digits]
}
