//! Frames as text: only the rows that are printed leave the device.

use std::fmt;

use columnade_columns::{Column, DType, Label, Scalar};
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use super::DataFrame;
use crate::frame::Frame;
use crate::index::Index;
use crate::options::{DisplayOptions, display_options};

/// Stands for what is left out.
const ELLIPSIS: &str = "…";

impl fmt::Display for DataFrame {
    /// The table with labels and dtypes; of a large one the first and last rows and columns, and of a long cell the
    /// first characters, as [`DisplayOptions`](crate::DisplayOptions) says. Line breaks and tabs are shown as `\n`,
    /// `\r` and `\t`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_table(f, self.frame(), self.index(), display_options())?;
        let (rows, columns) = self.shape();
        write!(f, "\n[{rows} rows × {columns} columns]")
    }
}

/// Positions of a sequence that are printed: a head and, where something is left out, a tail.
struct Window {
    head: usize,
    tail: usize,
    len: usize,
}

impl Window {
    /// All of `len` when they are at most `max`, else `shown`.
    fn new(len: usize, max: usize, shown: usize) -> Self {
        if len <= max {
            return Self { head: len, tail: 0, len };
        }
        let shown = shown.min(max);
        Self { head: shown.div_ceil(2), tail: shown / 2, len }
    }

    fn is_cut(&self) -> bool {
        self.head + self.tail < self.len
    }

    fn positions(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.head).chain(self.len - self.tail..self.len)
    }
}

/// Writes the printed part of a frame as a table, or why it cannot be read.
pub(crate) fn write_table(
    f: &mut fmt::Formatter<'_>,
    frame: &Frame,
    index: &Index,
    options: DisplayOptions,
) -> fmt::Result {
    let rows = Window::new(frame.len(), options.max_rows, options.min_rows);
    let columns = Window::new(frame.labels().len(), options.max_columns, options.max_columns);

    let mut header: Vec<Cell> = index_headings(index).into_iter().map(Cell::new).collect();
    let mut bodies = match index_cells(index, &rows, options) {
        Ok(levels) => levels.into_iter().map(|cells| cut(cells, &rows)).collect::<Vec<_>>(),
        Err(error) => return write!(f, "the values cannot be read: {error}"),
    };
    for position in columns.positions() {
        if columns.is_cut() && position == columns.len - columns.tail {
            push_ellipsis(&mut header, &mut bodies);
        }
        let (label, column) = (&frame.labels()[position], &frame.accessor().columns()[position]);
        let dtype = column.dtype();
        header.push(Cell::new(format!("{}\n{dtype}", heading(label))).set_alignment(alignment(&dtype)));
        let cells = match value_cells(column, &rows, options) {
            Ok(cells) => cells,
            // An error of `fmt` is the writer's: callers take it for a bug, and many panic.
            Err(error) => return write!(f, "the values cannot be read: {error}"),
        };
        bodies.push(cut(cells, &rows));
    }
    if columns.is_cut() && columns.tail == 0 {
        push_ellipsis(&mut header, &mut bodies);
    }

    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    let lines = bodies.first().map_or(0, Vec::len);
    for line in 0..lines {
        table.add_row(bodies.iter().map(|cells| cells[line].clone()));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    f.write_str(&table.trim_fmt())
}

/// The values that are printed of a column: two slices leave the device, never the whole.
fn value_cells(
    column: &Column,
    rows: &Window,
    options: DisplayOptions,
) -> columnade_columns::Result<Vec<Cell>> {
    let dtype = column.dtype();
    let mut values = column.slice(0, rows.head)?.to_scalars()?;
    if rows.tail > 0 {
        values.extend(column.slice(rows.len - rows.tail, rows.tail)?.to_scalars()?);
    }
    Ok(values.iter().map(|value| Cell::new(text(value, options)).set_alignment(alignment(&dtype))).collect())
}

/// What stands above the levels of the labels: names and dtypes, nothing above numbers without a name.
fn index_headings(index: &Index) -> Vec<String> {
    let heading = |(name, dtype): (&Label, &DType)| match (*name == Label::NULL, *dtype == DType::Int64) {
        (true, true) => String::new(),
        (true, false) => format!("\n{dtype}"),
        (false, _) => format!("{}\n{dtype}", heading(name)),
    };
    index.names().iter().zip(&index.dtypes()).map(heading).collect()
}

/// The labels that are printed, level by level. A label of an outer level that is that of the row above is left out.
fn index_cells(
    index: &Index,
    rows: &Window,
    options: DisplayOptions,
) -> columnade_columns::Result<Vec<Vec<Cell>>> {
    let mut levels = index.rows(0, rows.head)?;
    if rows.tail > 0 {
        for (level, tail) in levels.iter_mut().zip(index.rows(rows.len - rows.tail, rows.tail)?) {
            level.extend(tail);
        }
    }
    let shown = levels.first().map_or(0, Vec::len);
    let is_repeated = |level: usize, row: usize| {
        level + 1 < levels.len()
            && row > 0
            && row != rows.head
            && levels[..=level].iter().all(|labels| labels[row].to_string() == labels[row - 1].to_string())
    };
    let cell = |level: usize, row: usize| {
        let label = if is_repeated(level, row) { String::new() } else { text(&levels[level][row], options) };
        Cell::new(label)
    };
    Ok((0..levels.len()).map(|level| (0..shown).map(|row| cell(level, row)).collect()).collect())
}

/// The cells with an ellipsis where rows are left out.
fn cut(mut cells: Vec<Cell>, rows: &Window) -> Vec<Cell> {
    if rows.is_cut() {
        cells.insert(rows.head, Cell::new(ELLIPSIS).set_alignment(CellAlignment::Right));
    }
    cells
}

fn push_ellipsis(header: &mut Vec<Cell>, bodies: &mut Vec<Vec<Cell>>) {
    header.push(Cell::new(ELLIPSIS));
    let lines = bodies.first().map_or(0, Vec::len);
    bodies.push(vec![Cell::new(ELLIPSIS); lines]);
}

/// A label as a header shows it: one line for each level.
fn heading(label: &Label) -> String {
    let levels = label.parts().iter().map(|part| part.to_string().replace(['\n', '\r', '\t'], " "));
    levels.collect::<Vec<_>>().join("\n")
}

/// A value as a cell shows it.
fn text(value: &Scalar, options: DisplayOptions) -> String {
    // Line breaks and tabs would break the lines of the table; they are shown as Rust writes them.
    let text = value.to_string().replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    if text.chars().nth(options.max_colwidth).is_none() {
        return text;
    }
    let kept = text.chars().take(options.max_colwidth.saturating_sub(1));
    kept.chain(ELLIPSIS.chars()).collect()
}

/// Numbers stand to the right, so that their digits are in line.
fn alignment(dtype: &DType) -> CellAlignment {
    if dtype.logical().is_numeric() { CellAlignment::Right } else { CellAlignment::Left }
}
