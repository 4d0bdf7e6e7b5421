//! Concatenation of frames.

use columnade_columns::ColumnAccessor;
use columnade_ops::copying;

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;

/// The rows of all frames, in order, with their labels. Every frame has the columns of the first, in any order. Ranges that
/// continue each other are one range; other labels are put together when they are looked at.
///
/// ```
/// use columnade::{Scalar, concat, df};
///
/// let frame = df! { "n" => [1, 2] }?;
/// let twice = concat([&frame, &frame])?;
/// assert_eq!(twice.index().to_scalars()?, [[0, 1, 0, 1].map(Scalar::Int64)]);
/// assert_eq!(twice.ignore_index().index().get(3)?, Scalar::Int64(3));
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::Operation`] without frames, for frames with other columns, for dtypes without a common dtype, those of
/// row labels too, for frames on different devices, and when memory runs out; [`Error::MissingColumns`] for a frame that lacks a column of the first.
///
/// # Source
/// pandas `concat(axis=0)`, which fills missing columns with nulls.
pub fn concat<'a>(frames: impl IntoIterator<Item = &'a DataFrame>) -> Result<DataFrame> {
    const OPERATION: &str = "concat";
    let frames: Vec<&DataFrame> = frames.into_iter().collect();
    let rows = concat_as(OPERATION, frames.iter().copied())?;
    let labels: Vec<Index> = frames.iter().map(|frame| frame.index().clone()).collect();
    let index = Index::appended(&labels, rows.exec()).operation(OPERATION)?;
    Ok(DataFrame::from_indexed(IndexedFrame::with_index(rows.frame().clone(), index)))
}

/// [`concat`] for the method `operation`, which its errors name.
pub(crate) fn concat_as<'a>(
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
