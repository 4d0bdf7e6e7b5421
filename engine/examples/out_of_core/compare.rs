//! Comparison of frames that may be larger than memory, piece by piece.

use columnade::{DataFrame, Device, Result};

/// Rows compared at a time.
const PIECE: usize = 1 << 20;

/// Where two frames differ first, if they do.
pub(crate) fn first_difference(found: &DataFrame, expected: &DataFrame) -> Result<Option<String>> {
    if found.columns() != expected.columns() || found.dtypes() != expected.dtypes() {
        return Ok(Some(format!(
            "columns {:?} of {:?}, expected {:?} of {:?}",
            found.columns(),
            found.dtypes(),
            expected.columns(),
            expected.dtypes()
        )));
    }
    if found.len() != expected.len() {
        return Ok(Some(format!("{} rows, expected {}", found.len(), expected.len())));
    }
    for start in (0..expected.len()).step_by(PIECE) {
        let rows = PIECE.min(expected.len() - start);
        let piece = |frame: &DataFrame| isolated(frame, start, rows)?.to_device(Device::Host)?.to_arrow();
        let (found, expected) = (piece(found)?, piece(expected)?);
        for (at, field) in expected.schema().fields().iter().enumerate() {
            if found.column(at) != expected.column(at) {
                let end = start + rows;
                return Ok(Some(format!("column {:?} differs in rows {start} to {end}", field.name())));
            }
        }
    }
    Ok(None)
}

/// Some rows of a frame, so that of what is spilled no more than these comes back.
fn isolated(frame: &DataFrame, start: usize, rows: usize) -> Result<DataFrame> {
    let exec = frame.exec();
    let columns = frame.frame().columns().slice(start, rows).and_then(|columns| columns.isolate(exec));
    Ok(DataFrame::from_accessor(columns?, exec))
}
