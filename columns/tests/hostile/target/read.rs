//! What can be done with whatever was imported.

use columnade_buffers::Exec;
use columnade_columns::arrow::c::{CopyPolicy, ExportOptions, ImportOptions, Validation};
use columnade_columns::{Column, ColumnAccessor};

/// More rows than this, made of no memory, are not looked at one by one.
const MOST_ROWS: i64 = 1 << 16;
const CHECKED: ImportOptions = ImportOptions { copy: CopyPolicy::IfNeeded, validate: Validation::Full };

/// Every row can be read, and the column goes out and comes in again as it was.
pub(super) fn column(column: &Column, most_rows: i64) {
    if most_rows > MOST_ROWS {
        return;
    }
    let exec = Exec::new(column.device()).unwrap();
    let rows = column.to_scalars().unwrap();
    assert_eq!(rows.len(), column.size());
    assert!(column.null_count(&exec).unwrap() <= rows.len());
    let some = column.size() / 3..column.size() - column.size() / 4;
    let part = column.slice(some.start, some.len()).unwrap();
    assert_eq!(text(&part.to_scalars().unwrap()), text(&rows[some]));
    for column in [column, &part] {
        let (schema, mut array) = column.to_arrow_c("c", &ExportOptions::default()).unwrap();
        let back = Column::from_arrow_c(&schema, &mut array, &CHECKED).unwrap();
        assert_eq!(back.dtype(), column.dtype());
        assert_eq!(text(&back.to_scalars().unwrap()), text(&column.to_scalars().unwrap()));
    }
}

/// Like [`column`], for all columns and the frame that they make.
pub(super) fn frame(frame: &ColumnAccessor, most_rows: i64) {
    if most_rows > MOST_ROWS {
        return;
    }
    frame.columns().iter().for_each(|of| column(of, most_rows));
    let (schema, mut array) = frame.to_arrow_c(&ExportOptions::default()).unwrap();
    let back = ColumnAccessor::from_arrow_c(&schema, &mut array, &CHECKED).unwrap();
    assert_eq!((back.rows(), back.labels()), (frame.rows(), frame.labels()));
}

/// Values as text, in which NaN is what it is.
fn text(rows: &[impl std::fmt::Debug]) -> String {
    format!("{rows:?}")
}
