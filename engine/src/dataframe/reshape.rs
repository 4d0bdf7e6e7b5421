//! Concatenation of frames.

use columnade_columns::ColumnAccessor;
use columnade_ops::copying;

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;

/// The rows of all frames, in order. Every frame has the columns of the first, in any order.
///
/// # Errors
/// [`Error::Operation`] without frames, for frames with other columns, for dtypes without a common dtype, for frames on
/// different devices, and when memory runs out; [`Error::MissingColumns`] for a frame that lacks a column of the first.
///
/// # Source
/// pandas `concat(axis=0, ignore_index=True)`, which fills missing columns with nulls.
pub fn concat<'a>(frames: impl IntoIterator<Item = &'a DataFrame>) -> Result<DataFrame> {
    concat_as("concat", frames)
}

/// [`concat`] for the method `operation`, which its errors name.
pub(super) fn concat_as<'a>(
    operation: &'static str,
    frames: impl IntoIterator<Item = &'a DataFrame>,
) -> Result<DataFrame> {
    let frames: Vec<&DataFrame> = frames.into_iter().collect();
    let Some(first) = frames.first() else {
        return Err(Error::argument(operation, "frames", "there are none"));
    };
    for frame in &frames {
        frame.frame().check_labels(operation, first.columns())?;
        if let Some(extra) = frame.columns().iter().find(|label| !first.frame().accessor().contains(label)) {
            return Err(Error::argument(
                operation,
                "frames",
                format!("the first frame has no column {extra:?}"),
            ));
        }
    }
    let mut columns = ColumnAccessor::with_levels(
        frames.iter().map(|frame| frame.len()).sum(),
        first.frame().accessor().levels().clone(),
    );
    for label in first.columns() {
        let parts =
            frames.iter().map(|frame| frame.frame().column(operation, label)).collect::<Result<Vec<_>>>()?;
        let column = copying::concat(&parts, first.exec())
            .map_err(|error| error.in_column(label))
            .operation(operation)?;
        columns.insert(label, column).operation(operation)?;
    }
    Ok(DataFrame::from_frame(Frame::new(columns, first.exec().clone())))
}
