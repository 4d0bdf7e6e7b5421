//! Frames as text: only the rows that are printed leave the device.

use std::collections::VecDeque;
use std::fmt;

use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Label, Result as ColumnResult, Scalar};
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

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
pub(crate) struct Window {
    head: usize,
    tail: usize,
    len: usize,
}

impl Window {
    /// All of `len` when they are at most `max`, else `shown`.
    pub(crate) fn new(len: usize, max: usize, shown: usize) -> Self {
        if len <= max {
            return Self { head: len, tail: 0, len };
        }
        let shown = shown.min(max);
        Self { head: shown.div_ceil(2), tail: shown / 2, len }
    }

    /// How many of the first are printed.
    pub(crate) fn head(&self) -> usize {
        self.head
    }

    /// How many of the last are printed.
    pub(crate) fn tail(&self) -> usize {
        self.tail
    }

    /// Whether some are left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.head + self.tail < self.len
    }

    fn positions(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.head).chain(self.len - self.tail..self.len)
    }
}

/// A column as it is printed.
pub(super) struct Printed {
    /// The levels of its label; of row labels the name.
    pub(super) heading: Vec<String>,
    /// The dtype; `None` where it says nothing.
    dtype: Option<String>,
    /// Whether it is of numbers, so that their digits are in line.
    pub(super) is_right: bool,
    /// Whether it is a level of the row labels.
    pub(super) is_level: bool,
    /// Of all rows that are printed, and an ellipsis where rows are left out.
    pub(super) cells: Vec<String>,
}

impl Printed {
    /// Stands for columns that are left out.
    fn ellipsis(cells: usize) -> Self {
        let cells = vec![ELLIPSIS.to_owned(); cells];
        Self { heading: vec![ELLIPSIS.to_owned()], dtype: None, is_right: false, is_level: false, cells }
    }

    /// That of its widest line.
    fn width(&self) -> usize {
        let head = self.head();
        let lines = head.lines().chain(self.cells.iter().map(String::as_str));
        lines.map(UnicodeWidthStr::width).max().unwrap_or(0)
    }

    /// The lines above the values.
    fn head(&self) -> String {
        let heading = self.heading.join("\n");
        self.dtype.as_ref().map_or(heading.clone(), |dtype| format!("{heading}\n{dtype}"))
    }
}

/// What is printed of a frame: the levels of its labels, then its columns. Only these rows are gathered.
pub(super) fn printed(frame: &Frame, index: &Index, options: DisplayOptions) -> ColumnResult<Vec<Printed>> {
    let rows = Window::new(frame.len(), options.max_rows, options.min_rows);
    let columns = Window::new(frame.labels().len(), options.max_columns, options.max_columns);
    let mut made = levels(index, &rows, options)?;
    let lines = rows.head + rows.tail + usize::from(rows.is_cut());
    for position in columns.positions() {
        if columns.is_cut() && position == columns.len - columns.tail {
            made.push(Printed::ellipsis(lines));
        }
        let (label, column) = (&frame.labels()[position], &frame.accessor().columns()[position]);
        let dtype = column.dtype();
        made.push(Printed {
            heading: heading(label),
            is_right: is_right(&dtype),
            dtype: Some(dtype.to_string()),
            is_level: false,
            cells: cut(value_cells(column, &rows, options, frame.exec())?, &rows),
        });
    }
    if columns.is_cut() && columns.tail == 0 {
        made.push(Printed::ellipsis(lines));
    }
    Ok(made)
}

/// Writes the printed part of a frame as a table, or why it cannot be read.
pub(crate) fn write_table(
    f: &mut fmt::Formatter<'_>,
    frame: &Frame,
    index: &Index,
    options: DisplayOptions,
) -> fmt::Result {
    match printed(frame, index, options) {
        Ok(columns) => f.write_str(&table(&fitting(columns, options.width))),
        // An error of `fmt` is the writer's: callers take it for a bug, and many panic.
        Err(error) => write!(f, "the values cannot be read: {error}"),
    }
}

/// Between two columns.
const GAP: usize = 2;

/// The columns that a line has space for: the levels of the row labels, and as many of the first and last of the others.
pub(super) fn fitting(columns: Vec<Printed>, width: usize) -> Vec<Printed> {
    let with_gaps: usize = columns.iter().map(|column| column.width() + GAP).sum();
    if with_gaps <= width.saturating_add(GAP) {
        return columns;
    }
    let lines = columns.first().map_or(0, |column| column.cells.len());
    let (mut head, others): (Vec<_>, Vec<_>) = columns.into_iter().partition(|column| column.is_level);
    // An ellipsis that is there is in the middle, and is put there again.
    let mut others: VecDeque<_> = others.into_iter().filter(|column| column.heading != [ELLIPSIS]).collect();
    let mut left = width.saturating_sub(ELLIPSIS.width());
    for column in &head {
        left = left.saturating_sub(column.width() + GAP);
    }
    let mut tail = VecDeque::new();
    let mut from_head = true;
    while let Some(next) = if from_head { others.pop_front() } else { others.pop_back() } {
        let needs = next.width() + GAP;
        if needs > left {
            break;
        }
        left -= needs;
        if from_head {
            head.push(next);
        } else {
            tail.push_front(next);
        }
        from_head = !from_head;
    }
    head.push(Printed::ellipsis(lines));
    head.extend(tail);
    head
}

/// Columns as lines of text.
pub(super) fn table(columns: &[Printed]) -> String {
    let aligned = |text: &str, is_right: bool| {
        Cell::new(text).set_alignment(if is_right { CellAlignment::Right } else { CellAlignment::Left })
    };
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(
        columns.iter().map(|column| aligned(&column.head(), column.is_right && !column.is_level)),
    );
    let lines = columns.first().map_or(0, |column| column.cells.len());
    for line in 0..lines {
        table.add_row(columns.iter().map(|column| {
            let text = column.cells[line].as_str();
            let is_cut = text == ELLIPSIS && column.heading != [ELLIPSIS];
            aligned(text, is_cut || column.is_right && !column.is_level)
        }));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2)); // `GAP`
    }
    table.trim_fmt()
}

/// The values that are printed of a column: two slices leave the device or are brought back, never the whole.
fn value_cells(
    column: &Column,
    rows: &Window,
    options: DisplayOptions,
    exec: &Exec,
) -> ColumnResult<Vec<String>> {
    let slice = |start, len| column.slice(start, len)?.isolate(exec)?.to_scalars();
    let mut values = slice(0, rows.head)?;
    if rows.tail > 0 {
        values.extend(slice(rows.len - rows.tail, rows.tail)?);
    }
    Ok(values.iter().map(|value| text(value, options)).collect())
}

/// The labels that are printed, level by level, without a heading above numbers without a name. A label of an outer level
/// that is that of the row above is left out.
fn levels(index: &Index, rows: &Window, options: DisplayOptions) -> ColumnResult<Vec<Printed>> {
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
        if is_repeated(level, row) { String::new() } else { text(&levels[level][row], options) }
    };
    let names = index.names().iter().zip(index.dtypes()).enumerate();
    let made = names.map(|(level, (name, dtype))| {
        let is_unnamed = *name == Label::NULL;
        Printed {
            heading: if is_unnamed { vec![String::new()] } else { vec![heading(name).join(", ")] },
            is_right: is_right(&dtype),
            dtype: (!is_unnamed || dtype != DType::Int64).then(|| dtype.to_string()),
            is_level: true,
            cells: cut((0..shown).map(|row| cell(level, row)).collect(), rows),
        }
    });
    Ok(made.collect())
}

/// The cells with an ellipsis where rows are left out.
fn cut(mut cells: Vec<String>, rows: &Window) -> Vec<String> {
    if rows.is_cut() {
        cells.insert(rows.head, ELLIPSIS.to_owned());
    }
    cells
}

/// The levels of a label as a header shows them.
fn heading(label: &Label) -> Vec<String> {
    label.parts().iter().map(|part| part.to_string().replace(['\n', '\r', '\t'], " ")).collect()
}

/// A value as a cell shows it: of a wide one, what fits before an ellipsis.
fn text(value: &Scalar, options: DisplayOptions) -> String {
    // Line breaks and tabs would break the lines of the table; they are shown as Rust writes them.
    let text = options.text(value).replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    if text.width() <= options.max_colwidth {
        return text;
    }
    let space = options.max_colwidth.saturating_sub(1);
    let fits = text.chars().scan(0, |width, character| {
        *width += character.width().unwrap_or(0);
        (*width <= space).then_some(character)
    });
    fits.chain(ELLIPSIS.chars()).collect()
}

/// Numbers stand to the right, so that their digits are in line.
fn is_right(dtype: &DType) -> bool {
    dtype.logical().is_numeric()
}
